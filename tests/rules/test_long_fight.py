"""A long fight, by `resolve` and `apply` alone, as a page that can be read: tests/golden/long_fight.txt."""

from collections import Counter
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from random import Random

import pytest

import narrator
from tests.rules.build import Json

PAGE = Path(__file__).parents[1] / "golden" / "long_fight.txt"

EXCHANGES = 20
SEED = 4

IN_THE_DARK = -2
"""What every blow is worse by on this night, so that the fight is long."""

REMEMBERED = 6
"""How much of what was said lately the table still has in mind when an exchange begins: the deck may say it again."""

ZONES = [
    {"name": "Trees", "adjacent": ["Clearing"], "aspects": ["Sparse Trees"]},
    {"name": "Clearing", "adjacent": ["Trees", "Ravine", "Lake"], "aspects": ["Open Ground"]},
    {"name": "Ravine", "adjacent": ["Clearing", "Lake"], "aspects": ["Narrow Walls"]},
    {"name": "Lake", "adjacent": ["Clearing", "Ravine"], "aspects": ["Slippery Stones"]},
]

APPROACHES = ("Careful", "Clever", "Flashy", "Forceful", "Quick", "Sneaky")


def somebody(name: str, side: str, importance: str, zone: str, ratings: tuple[int, ...], **more: object) -> Json:
    """Somebody with a rating in each approach."""
    skills = dict(zip(APPROACHES, ratings, strict=True))
    return {"name": name, "side": side, "importance": importance, "zone": zone, "skills": skills, **more}


def camp() -> Json:
    """Three heroes at the edge of a camp, its guards, a swarm of bats, and the chief."""
    boxes = {track: {"boxes": [1, 2, 3, 4]} for track in ("physical", "mental")}
    hardy: Json = {"fate_points": 3, "stress": boxes}
    tough: Json = {"stress": boxes, "consequences": [{"severity": "mild"}, {"severity": "moderate"}]}
    return {
        "summary": "The heroes attack a camp of lizardmen below a waterfall, in the dark.",
        "frame": "conflict",
        "zones": ZONES,
        "aspects": [{"name": zone["aspects"][0], "on": zone["name"], "free_invocations": {"*": 1}} for zone in ZONES],
        "characters": [
            somebody("Olivia", "heroes", "pc", "Trees", (4, 3, 0, 1, 2, 1), **hardy),
            somebody("Rolf", "heroes", "pc", "Trees", (0, 0, 1, 4, 2, 0), **hardy),
            somebody("Deliah", "heroes", "pc", "Trees", (1, 1, 3, 1, 4, 2), **hardy),
            *(
                somebody(f"{each} Guard", "lizardmen", "nameless", "Clearing", (1, 0, 0, 3, 1, 0), **tough)
                for each in ("First", "Second", "Third")
            ),
            somebody("Vampire Bats", "lizardmen", "swarm", "Ravine", (0, 0, 0, 2, 2, 1), weight=2),
            somebody("Chief Szerak", "lizardmen", "named", "Lake", (1, 2, 2, 4, 1, 0), **hardy),
        ],
    }


PLAIN: Json = {"type": "overcome", "opposition": {"kind": "passive", "rating": 0}}
"""Something that anybody who stands may do."""


# A policy: what everybody does, and what the table chooses. Small, and the same each time.


class Fight:
    """The scene as it goes, and the page that is written of it."""

    def __init__(self) -> None:
        self.scene: Json = narrator.Scene.read(camp()).as_json()
        self.lines: list[str] = []
        self._forms = Counter[str]()
        self._seeds = Random(SEED)
        self._things = iter(("Mud", "Roots", "Rain", "Bones", "Nets", "Smoke", "Spears", "Reeds", "Eggs", "Drums"))
        self._turns = cycle(("create", "attack", "special", "special"))

    @staticmethod
    def _asking(scene: Json, action: Json, seed: int = 0) -> Json:
        return {"ruleset": "war-of-ashes", "scene": scene, "action": action, "seed": seed, "per_slot": 4}

    def page(self) -> str:
        """Fight it out."""
        for exchange in range(1, EXCHANGES + 1):
            self.lines += ["", f"Exchange {exchange}"] if self.lines else [f"Exchange {exchange}"]
            self.scene["recent"] = self.scene["recent"][-REMEMBERED:]
            acted = False
            standing = {each["side"] for each in self.scene["characters"] if not each.get("taken_out")}
            together = [side for side in ("lizardmen",) if side in standing]
            for name in narrator.turn_order(self.scene, "Quick", ties=["Forceful"], together=together):
                if not self._person(name).get("taken_out"):
                    acted |= self._turn(name, exchange)
            if not acted:
                self.lines.append("  Nobody is left to fight.")
        self.lines += ["", "At the end", *(f"  {self._state(each)}" for each in self.scene["characters"])]
        return "\n".join(self.lines) + "\n"

    def _person(self, name: str) -> Json:
        return next(each for each in self.scene["characters"] if each["name"] == name)

    def _foes(self, somebody: Json) -> list[Json]:
        return [each for each in self.scene["characters"] if each["side"] != somebody["side"] and not each["taken_out"]]

    def _turn(self, name: str, exchange: int) -> bool:
        me = self._person(name)
        foes = self._foes(me)
        if not foes:
            return False
        action = self._action(me, foes, exchange)
        request = self._asking(self.scene, action, self._seeds.randrange(10**6))
        answer = narrator.resolve(request).as_json()
        suggestions = narrator.suggest(request, source="deck").as_json()["suggestions"]
        branch = answer["branches"][-1]
        if name == "Chief Szerak" and branch["id"] == "serious_cost":
            branch = answer["branches"][0]
        choice = self._choice(branch, suggestions, me)
        before = self.scene
        self.scene = narrator.apply(request, choice).as_json()
        assert narrator.resolve(self._asking(self.scene, PLAIN | {"actor": name}))
        self._write(answer, branch, choice, before)
        return True

    def _action(self, me: Json, foes: list[Json], exchange: int) -> Json:
        """Move towards the foes; beside them attack, with something else now and then."""
        near = [each for each in foes if each["zone"] == me["zone"]]
        approach = self._approach(me)
        turn = next(self._turns) if me["side"] == "heroes" else ("special", "attack", "special")[exchange % 3]
        act: Json = {"actor": me["name"], "skill": approach, **self._invoking(me)}
        passive = {"kind": "passive", "rating": 2}
        if exchange == 1 and me["importance"] in ("pc", "named"):
            return {**act, "type": "create_advantage", "variant": "roar", "opposition": {"kind": "roar"}}
        if not near:
            return {**act, **self._towards(me, foes)}
        foe = near[exchange % len(near)]
        defends = {"kind": "defend", "skill": self._approach(foe), **self._invoking(foe)}
        if turn == "create":
            return {**act, "type": "create_advantage", "target": foe["name"], "opposition": defends}
        if turn == "special" and me["importance"] in ("pc", "named"):
            special = ("push", "full_attack", "full_defense", "pull")[exchange % 4]
            if special in ("push", "pull"):
                blocks = {"kind": "active", "by": foe["name"], "skill": self._approach(foe)}
                return {**act, "type": "overcome", "maneuver": special, "opposition": blocks}
            kind = "overcome" if special == "full_attack" else "create_advantage"
            return {**act, "type": kind, "maneuver": special, "opposition": passive}
        strike = {
            "heavy_weapon": me["name"] == "Rolf",
            "whole_zone": foe["importance"] == "swarm" and exchange % 2 == 0,
        }
        attack = {"type": "attack", "target": foe["name"], "attack": strike, "bonus": IN_THE_DARK}
        return {**act, **attack, "opposition": defends}

    def _towards(self, me: Json, foes: list[Json]) -> Json:
        """Charge who stands in the next zone, else walk."""
        here = next(zone for zone in ZONES if zone["name"] == me["zone"])
        beside = [each for each in foes if each["zone"] in here["adjacent"]]
        if beside:
            defends = {"kind": "defend", "skill": self._approach(beside[0])}
            return {"type": "attack", "maneuver": "charge", "target": beside[0]["name"], "opposition": defends}
        there = here["adjacent"][0]
        aspect = next(zone["aspects"][0] for zone in ZONES if zone["name"] == there)
        return {
            "type": "overcome",
            "variant": "movement",
            "path": [me["zone"], there],
            "opposition": {"kind": "movement", "hindering": [aspect]},
        }

    def _approach(self, somebody: Json) -> str:
        """The best one."""
        return max(APPROACHES, key=lambda each: (somebody["skills"].get(each, 0), each))

    def _invoking(self, somebody: Json) -> Json:
        """The first aspect of the scene on which there is a free invocation, else a fate point on the ground."""
        for aspect in self.scene["aspects"]:
            if aspect["free_invocations"].get(somebody["name"]) and not aspect["each_attack"]:
                on = {"on": aspect["on"]} if "on" in aspect else {}
                return {"invocations": [{"aspect": aspect["name"], "pay": "free", **on}]}
        if somebody["name"] in ("Rolf", "Chief Szerak") and somebody.get("fate_points", 0) > 1:
            zone = next(zone for zone in ZONES if zone["name"] == somebody["zone"])
            told = {"aspect": zone["aspects"][0], "on": zone["name"], "pay": "fate_point", "use": "reroll"}
            return {"invocations": [told]}
        return {}

    def _choice(self, branch: Json, suggestions: list[Json], me: Json) -> Json:
        """Of each slot the form that came least so far; a hit is bought off with the least that hurts."""
        wanted = {slot["id"]: [each for each in suggestions if each["slot"] == slot["id"]] for slot in branch["slots"]}
        for_harm = wanted.pop("consequence", [])
        own = {slot["id"]: slot["forms"][0] for slot in branch["slots"]}
        chosen = {
            slot: min(found, key=lambda each: self._forms[each["form"]]) if found else self._own_words(slot, own[slot])
            for slot, found in wanted.items()
        }
        self._forms.update(each["form"] for each in chosen.values())
        choice: Json = {"branch": branch["id"], "suggestions": list(chosen.values())}
        holders = [holder for each in chosen.values() for holder in each.get("holders", [])]
        if holders:
            choice["holder"] = holders[0]
        choice["grants"] = []
        for index, grant in enumerate(branch["grants"]):
            told: Json = {"index": index}
            if len(grant["to"]) > 1:
                told["to"] = me["name"]
            if grant["type"] == "move" and "on" not in grant:
                mover = self._person(branch["grants"][index]["to"][0])
                told["on"] = self._next(mover)
            if len(told) > 1 and not any("on" in each for each in choice["grants"]):
                choice["grants"].append(told)
            if grant["type"] == "hit" and grant["absorb"]:
                way = grant["absorb"][0]
                wounds = [self._wound(grant["to"][0], each) for each in way["consequences"]]
                choice["absorb"] = {"stress": way.get("stress"), "consequences": wounds}
                words = [each for each in for_harm if each["severity"] in way["consequences"]]
                choice["suggestions"] += words[:1]
                for wound in wounds:
                    if [wound["severity"]] == [each["severity"] for each in words[:1]]:
                        wound["name"] = None
        for each in chosen.values():
            if each["form"] in ("knockback", "footwork"):
                choice["zone"] = self._next(self._person(each["to"]))
        return choice

    def _own_words(self, slot: str, offer: Json) -> Json:
        """What the table says itself where the deck has nothing more to say."""
        thing = next(self._things)
        return {
            "slot": slot,
            "form": offer["form"],
            "to": offer["to"][0],
            "name": f"{thing} in the Way",
            "detail": f"Everybody looks at the {thing.lower()}.",
        }

    @staticmethod
    def _next(mover: Json) -> str:
        adjacent = next(zone["adjacent"] for zone in ZONES if zone["name"] == mover["zone"])
        return str(adjacent[0])

    @staticmethod
    def _wound(name: str, severity: str) -> Json:
        words = {"mild": "Bruised Ribs", "moderate": "Deep Cut", "severe": "Shattered Arm"}
        return {"severity": severity, "name": f"{name}'s {words[severity]}"}

    # The page.

    def _write(self, answer: Json, branch: Json, choice: Json, before: Json) -> None:
        action, roll, against = answer["action"], answer["roll"], answer["opposition"]
        what = " ".join(
            each
            for each in (action["type"], action.get("variant"), action.get("maneuver"), action.get("skill"))
            if each
        )
        on = f" on {action['target']}" if "target" in action else ""
        self.lines.append(f"  {action['actor']}: {what}{on}")
        self.lines.append(f"    {_total(roll)} against {_total(against)}: {answer['outcome']} by {answer['shifts']:+d}")
        self.lines.append(f"    [{branch['id']}] {branch['label']}")
        self.lines += [f"    – {_words(each)}" for each in choice["suggestions"]]
        self.lines += [f"    = {change}" for change in self._changes(before)]

    def _changes(self, before: Json) -> list[str]:
        was = {each["name"]: self._state(each) for each in before["characters"]}
        now = {each["name"]: self._state(each) for each in self.scene["characters"]}
        old, new = ([_aspect(each) for each in scene["aspects"]] for scene in (before, self.scene))
        return [
            *(state for name, state in now.items() if state != was[name]),
            *(f"gone: {each}" for each in old if each not in new),
            *(f"in play: {each}" for each in new if each not in old),
            *(f"true now: {each}" for each in self.scene["facts"] if each not in before["facts"]),
        ]

    @staticmethod
    def _state(somebody: Json) -> str:
        """Somebody in a line."""
        stress = {track: boxes["marked"] for track, boxes in somebody.get("stress", {}).items() if boxes["marked"]}
        parts = [
            f"in {somebody['zone']}",
            *(f"{track} stress {marked}" for track, marked in stress.items()),
            *(f"{each['severity']}: {each['name']}" for each in somebody.get("consequences", []) if "name" in each),
            *([f"{somebody['fate_points']} fate points"] if "fate_points" in somebody else []),
            *([f"roars with {somebody['roar']}"] if "roar" in somebody else []),
            *(["next attack lethal"] if somebody["lethal_next_attack"] else []),
            *(["disarmed"] if somebody["disarmed"] else []),
            *(["taken out"] if somebody["taken_out"] else []),
        ]
        return f"{somebody['name']}: {', '.join(parts)}"


def _total(roll: Json) -> str:
    dice = " ".join("-0+"[face + 1] for face in roll["dice"]) if "dice" in roll else roll["kind"]
    more = [
        *([f"{roll['skill']:+d}"] if "skill" in roll else []),
        *([f"invoked {roll['invoked']:+d}"] if roll["invoked"] else []),
        *([f"weight {roll['weight']}"] if "weight" in roll else []),
    ]
    return f"{roll['total']} ({', '.join([dice, *more])})"


def _words(suggestion: Json) -> str:
    name = f"“{suggestion['name']}”" if "name" in suggestion else ""
    to = f"for {suggestion['to']}" if "to" in suggestion else ""
    return " ".join(each for each in (suggestion["form"], to, name, suggestion["detail"]) if each)


def _aspect(aspect: Json) -> str:
    on = f" on {aspect['on']}" if "on" in aspect else ""
    kind = "boost" if aspect["boost"] else "aspect"
    held = ", ".join(f"{holder} {number}" for holder, number in aspect["free_invocations"].items()) or "nobody"
    return f"{kind} {aspect['name']}{on} (free: {held})"


def test_a_long_fight_reads_as_it_did(golden: Callable[[str, str], None], often: Callable[[int], int]) -> None:
    """Twenty exchanges over four zones come out the same each time, and the scene is valid at each step."""
    if often(5) < 5:
        pytest.skip("twenty exchanges take two seconds")
    golden(PAGE.name, Fight().page())


def test_the_long_fight_has_something_of_everything() -> None:
    """The golden page is worth reading: these words of the rules occur in it."""
    page = PAGE.read_text(encoding="utf-8")
    words: tuple[str, ...] = (
        "roar",
        "movement",
        "charge",
        "push",
        "full_attack",
        "full_defense",
        "weight 1",
        "taken out",
        "boost",
    )
    words += ("pull", "knockback", "footwork", "disarm", "next attack lethal")

    assert [word for word in words if word not in page] == []
    assert page.count("Exchange ") == EXCHANGES
