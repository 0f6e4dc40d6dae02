"""Random evenings over all rulesets: a scene is handed on for many turns, with words of the deck."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random

import narrator
from narrator import NarratorError
from narrator.rules.json_text import Json
from tests.campaign import HEROES, PLACES, TOWN
from tests.documents import ATTACKS_IN, DEEDS, OUTCOMES, SKILLS, STRESS
from tests.rules.accounting import Turn, spelt_out
from tests.rules.build import FRAMES, LEVELS
from tests.rules.test_apply_properties import Chosen
from tests.strategies import ANYONE, GM, Around, Bearing

FIRST = ("Broken", "Damp", "Dusty", "Frayed", "Loose", "Muddy", "Rusty", "Scratched", "Sooty", "Torn")
SECOND = ("Awning", "Barrel", "Belt", "Boot", "Cloak", "Curtain", "Glove", "Ladder", "Lantern", "Rope", "Strap")
NAMES = [" ".join(pair) for pair in product(FIRST, SECOND)]


def new_scene(chance: Random, ruleset: str) -> Json:
    """Who is there, where, and what is in play; now and then a scene that lists nobody."""
    names, zones = iter(chance.sample(NAMES, len(NAMES))), sorted(chance.sample(PLACES, chance.choice((0, 0, 2, 3))))
    cast = [*HEROES[: chance.randint(1, 4)], *chance.sample(TOWN, chance.randint(1, 4))]
    people: list[Json] = []
    for who in cast if chance.random() < 0.95 else []:
        is_hero, told = who in HEROES, chance.random() < 0.4
        levels = [level for level in LEVELS for _ in range(chance.randint(0, 2))]
        sheet = {
            "stress": {
                of: {"boxes": all_, "marked": all_[: chance.randint(0, 2)]} for of, all_ in STRESS[ruleset].items()
            },
            "consequences": [{"severity": each, **chance.choice(({}, {"name": next(names)}))} for each in levels],
        }
        each = {
            "name": who,
            "side": "pc" if is_hero else chance.choice(("town", "town", "town", "town", "wild", "pc")),
            "importance": "pc" if is_hero else chance.choice(("named", "named", "nameless", "swarm", "unknown")),
            "skills": {skill: chance.randint(-1, 4) for skill in SKILLS[ruleset][:6]},
            "aspects": [next(names) for _ in range(chance.randint(0, 1))],
            "fate_points": chance.choice((0, 1, 2, 4, None) if is_hero else (None, None, 2)),
            "zone": chance.choice([None, *zones]),
            "weight": chance.choice((1, 1, 1, 0, 2, 4)),
        }
        people.append(each | (sheet if told else {}))
    aspects = []
    for _ in range(chance.randint(1, 6)):
        is_boost, on = chance.random() < 0.4, chance.choice([None, None, *zones, *(each["name"] for each in people)])
        holders = chance.sample([*cast, GM, ANYONE], chance.randint(0, 2))
        free = {holder: 1 if is_boost else chance.randint(1, 3) for holder in holders}
        aspects.append({"name": next(names), "on": on, "boost": is_boost, "free_invocations": free})
    around = [{"name": each, "adjacent": sorted({*zones} - {each}), "aspects": [next(names)]} for each in zones]
    return {"aspects": aspects, "characters": people, "zones": around, "frame": chance.choice(FRAMES)}


def new_request(chance: Random, ruleset: str, scene: Json) -> Json | None:
    """Something that somebody does now; None where nobody is left to do it, or to have it done to."""
    sides = {each["name"]: each["side"] for each in scene["characters"] if not each.get("taken_out")}
    if not scene["characters"]:
        sides = {who: "pc" if who in HEROES else "town" for who in (*HEROES, *TOWN)}
    if len({*sides.values()}) < 2:
        return None
    actor = chance.choice([*sides] if scene["characters"] else HEROES)
    friends = [each for each in sides if sides[each] == sides[actor] and each != actor]
    foes = [each for each in sides if sides[each] != sides[actor]]
    barred = {"attack" if scene.get("frame") not in ATTACKS_IN[ruleset] else "", "" if scene["zones"] else "movement"}
    deeds = [each for each in DEEDS[ruleset] if not barred & {each.type, each.variants[0]}]
    [deed] = chance.choices(deeds, [3 if each.type == "attack" else 1 for each in deeds])
    on_target = bool(deed.on_target) and (not deed.alone or chance.random() < 0.5)
    whom = chance.choice(friends if on_target and scene["characters"] and chance.random() < 0.1 and friends else foes)
    helpers = chance.sample(friends, min(len(friends), chance.choice((0, 0, 1, 2))))
    around = Around(spelt_out(scene), actor, friends if scene["characters"] else helpers, foes)
    known = Counter(name for name, _ in around.aspects)
    known.update(each["name"] for each in scene["aspects"] if each.get("each_attack"))
    plain = [name for name, on in around.aspects if known[name] == 1 and (name, on) not in around.boosts]
    variant = chance.choice(deed.variants)
    about = [None, *fresh(chance, 1, scene), *(plain[:3] if deed.type == "discover" else ())]
    using = (
        plain + sorted(name for name, _ in around.boosts if known[name] == 1) if variant == "existing_aspect" else []
    )
    action: Json = {
        **rolled(chance, ruleset),
        "type": deed.type,
        "variant": variant,
        "maneuver": chance.choice(deed.maneuvers),
        "actor": actor,
        "helpers": helpers,
        "target": whom if on_target else None,
        "aspect": chance.choice(using or about),
        "path": chance.sample([each["name"] for each in scene["zones"]], 2) if variant == "movement" else None,
        "attack": {"track": chance.choice([*STRESS[ruleset]]), "lethal": chance.random() < 0.1, "heavy_weapon": True},
    }
    kind = chance.choice(deed.on_target if on_target else deed.alone)
    by = chance.choice((whom, None, whom if whom in friends else chance.choice(foes)))
    difficulty: dict[str, Json] = {
        "passive": {"rating": chance.randint(-1, 5)},
        "roar": {"rating": chance.randint(2, 4)},
        "unseen_zone": {"distance": chance.randint(1, 3)},
        "aspects": {"hindering": [name for name in known if chance.random() < 0.2]},
        "movement": {},
    }
    against = {"kind": kind, **difficulty.get(kind, {**rolled(chance, ruleset), "by": by})}
    if chance.random() < 0.25:
        shifts = chance.choice((-7, -3, -1, 0, 0, 0, 1, 2, 3, 5, 8))
        outcome = ["fail", *(name for name, least in OUTCOMES[ruleset].items() if least <= shifts)][-1]
        action |= {"roll": None, "shifts": shifts, "outcome": outcome}
        against = chance.choice(({}, {"by": whom}, against))
    action["opposition"] = against
    invoke(chance, action, around)
    return {"ruleset": ruleset, "scene": scene, "action": action, "per_slot": 4, "seed": chance.getrandbits(31)}


def rolled(chance: Random, ruleset: str) -> Json:
    """One side's roll: four dice, a total, or left to the seed."""
    told = ({"dice": chance.choices((-1, 0, 1), k=4)}, {"total": chance.randint(-3, 8)}, None)
    return {"skill": chance.choice(SKILLS[ruleset][:6]), "bonus": chance.choice((0, 0, 2)), "roll": chance.choice(told)}


def invoke(chance: Random, action: Json, around: Around) -> None:
    """Let both sides invoke what they can pay for; a full defence where its bearer is attacked."""
    against = action["opposition"]
    other = against.get("by") or action["target"] or GM
    struck = {"defend": action["actor"], "attack": other}.get(action["type"])
    for each in around.scene["aspects"]:
        if each.get("each_attack") and each["on"] != struck:
            around.free[each["name"], each["on"]] = {}
    for side, team in ((action, [action["actor"], *action["helpers"]]), (against, [other])):
        spent: set[Bearing] = set()
        uses = ["bonus", "reroll"] if "roll" in side and "total" not in (side["roll"] or {}) else ["bonus"]
        side["invocations"] = []
        for _ in range(chance.choice((0, 0, 0, 1, 1, 2, 3))):
            payable = around.payable(team, spent)
            free = [each for each in payable if each[2] == "free"]
            if not payable:
                break
            bearing, by, pay = chance.choice(free if free and chance.random() < 0.7 else payable)
            around.pay(bearing, by, pay)
            spent |= {bearing} if pay == "fate_point" else set()
            told = {"aspect": bearing[0], "on": bearing[1], "pay": pay, "use": chance.choice(uses), "by": by}
            if by == team[0] and "outcome" not in action and chance.random() < 0.5:
                del told["by"]
            side["invocations"].append(told)


def fresh(chance: Random, number: int, *where: Json) -> list[str]:
    """So many names that nothing has yet."""
    texts = json.dumps(where)
    return chance.sample([name for name in NAMES if name not in texts], number)


def choose(chance: Random, request: Json, answer: Json) -> Chosen | None:
    """Any branch, any words that the deck has for it, any who may have it, any way to take a hit; None: it has none."""
    branch, target = chance.choice(answer["resolution"]["branches"]), request["action"]["target"]
    zone = chance.choice([each["name"] for each in request["scene"]["zones"]] or [None])
    choice: Json = {"branch": branch["id"], "grants": [], "dealt": answer.get("dealt")}
    taken, harm = [], []
    for slot in branch["slots"]:
        words = [each for each in answer["suggestions"] if each["slot"] == slot["id"]]
        if slot["kind"] == "consequence":
            harm = words
        elif slot["forms"]:
            if not words:
                return None
            word = chance.choice(words)
            offer = next(form for form in slot["forms"] if form["form"] == word["form"])
            taken.append((offer, word | ({"to": target} if target in (offer.get("to") or ()) else {})))
            if offer.get("holders"):
                choice["holder"] = chance.choice(offer["holders"])
            if offer["form"] in ("knockback", "footwork"):
                choice["zone"] = zone
            if offer.get("tracks") and chance.random() < 0.5:
                choice["track"] = chance.choice(offer["tracks"])
    choice["suggestions"] = [word for _, word in taken]
    for index, grant in enumerate(branch["grants"]):
        told: Json = {"index": index, "to": target if target in grant["to"] else chance.choice(grant["to"])}
        is_open = grant["type"] in ("move", "may_move") and "on" not in grant
        choice["grants"].append(told | ({"on": zone} if is_open else {}))
        if grant["type"] == "hit" and grant.get("absorb") and chance.random() < 0.2:
            choice["taken_out"] = True
        elif grant["type"] == "hit" and grant.get("absorb"):
            way = chance.choice(grant["absorb"])
            names = fresh(chance, len(way["consequences"]), request, answer)
            wounds = [{"severity": level, "name": name} for level, name in zip(way["consequences"], names, strict=True)]
            choice["absorb"] = way | {"consequences": wounds}
            fitting = [each for each in harm if wounds and each["severity"] == wounds[0]["severity"]]
            if fitting and chance.random() < 0.5:
                choice["suggestions"].append(fitting[0])
                wounds[0]["name"] = None
    return Chosen(branch, taken, choice)


def call(chance: Random, name: str, request: Json, choice: Json | None = None) -> Json:
    """Make a call, in Python or as a macro does: JSON text in, JSON out."""
    if chance.random() < 0.7:
        made = narrator.suggest(request, source="deck") if choice is None else narrator.settle(request, choice)
        return made.as_json()
    payload = {"call": name, "request": request} | ({} if choice is None else {"choice": choice})
    told: Json = json.loads(json.dumps(narrator.vtt.run(json.dumps(payload))))
    if error := told.get("error"):
        assert error["code"] != "internal_error", error["message"]
        raise NarratorError(error["code"], error["field"], error["message"])
    return told


def evening(seed: int, turns: int, ruleset: str) -> Iterator[Turn]:
    """The turns of an evening, each in the scene that the one before led to; a new scene where one is over."""
    chance = Random(seed)
    scene = new_scene(chance, ruleset)
    for _ in range(turns):
        while (request := new_request(chance, ruleset, scene)) is None or chance.random() < 0.06:
            scene = new_scene(chance, ruleset)
        turn = Turn(request)
        try:
            turn.chosen = choose(chance, request, call(chance, "suggest", request))
            if turn.chosen is not None:
                turn.settled = call(chance, "settle", request, turn.chosen.choice)
                scene = turn.settled["scene"]
        except NarratorError as refusal:
            turn.refusal = refusal
        yield turn
