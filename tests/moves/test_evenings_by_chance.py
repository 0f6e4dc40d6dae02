"""Evenings by chance: moves of every type among rolls, and after each one an account says what the scene must hold."""

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, event, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

import narrator
from narrator import NarratorError
from narrator.rules.json_text import Json
from narrator.rules.moves.all_moves import MOVES
from narrator.rules.request.scene import Scene
from tests.campaign import HEROES, PLACES, TOWN
from tests.documents import BOXES_PER_HIT, CONSEQUENCES, SKILLS
from tests.moves.account import Account, RefusedError, spelt_out
from tests.moves.replay import unexplained
from tests.rolls_of_an_evening import NAMES, choose, fresh, new_request, new_scene
from tests.rules.accounting import due, ledger
from tests.rules.test_apply_properties import Chosen

SPARE = ("Ada Stone", "Bram Hollis", "Cato Vane", "Dora Quince")
GOES_ON = {"contest": "exchange", "conflict": "turn", "challenge": "task"}
ENDS = ("end_scene", "end_session", "end_scenario")
OUTCOMES = ("fail", "tie", "succeed", "succeed_with_style")


# Moves.


def drawn(chance: Random, kind: str, scene: Json, ruleset: str) -> Json | None:
    """A move of this type that makes sense in the scene, or nearly; None where there is nothing that it could be of."""
    people = {each["name"]: each for each in scene["characters"]}
    known = {**people, **{each["name"]: each for each in scene["away"]}}
    zones = [each["name"] for each in scene["zones"]]
    there = [name for name, each in people.items() if not (each["taken_out"] or each["conceded"])]
    levels = [(name, c["name"]) for name, each in known.items() for c in each.get("consequences", []) if "name" in c]
    new = fresh(chance, 1, scene)[0]
    pick = lambda told: chance.choice(list(told)) if told else None  # noqa: E731
    is_so = lambda often: chance.random() < often  # noqa: E731
    who = pick(people) or "GM"
    told: Json | None = {}
    match kind:
        case "enter" if scene["away"] and is_so(0.7):
            told = {"who": pick(each["name"] for each in scene["away"])}
        case "enter":
            names = [name for name in (*HEROES, *TOWN, *SPARE) if name not in known]
            told = {"character": somebody(chance, pick(names), ruleset, zones)} if names else None
        case "leave":
            told = {"who": pick(people)} if len(people) > 1 else None
        case "change":
            told = changed(chance, scene, ruleset, pick(known))
        case "aspect":
            is_boost = is_so(0.4)
            free = {pick([*people, "GM", "*"]): 1 if is_boost else chance.randint(1, 3) for _ in range(chance.randint(0, 2))}
            told = {"name": new, "on": pick([None, *people, *zones, "GM"]), "free_invocations": free, "boost": is_boost}
            told["lasting"] = not is_boost and is_so(0.3)
        case "drop":
            each = pick(scene["aspects"])
            told = {key: each[key] for key in ("name", "on") if key in each} if each else None
        case "pass":
            held = [(each, by) for each in scene["aspects"] if not each["each_attack"] for by in each["free_invocations"]]
            each, giver = pick(held) or (None, "")
            to = pick({*people, "GM", "*"} - {giver}) if each is None else pick(sorted({*people, "GM", "*"} - {giver}))
            told = each and {"aspect": each["name"], "from": giver, "to": to} | ({"on": each["on"]} if "on" in each else {})
            if told and is_so(0.3):
                told["number"] = chance.randint(1, 3)
        case "compel":
            names = chance.sample([*people], min(len(people), chance.choice((1, 1, 2, 3))))
            in_play = [each for each in scene["aspects"] if not each["boost"]]
            in_play += [{"name": a, "on": name} for name, each in people.items() for a in each["aspects"]]
            in_play += [each for each in scene["aspects"] if each["roar"]] * 4
            each = pick(in_play)
            told = each and {"who": names[0] if len(names) == 1 else names, "aspect": each["name"], "accepted": is_so(0.6)}
            told = told and told | ({"on": each["on"]} if each.get("on") else {})
            told = told and told | ({"by": pick([*people, "GM"])} if is_so(0.6) else {})
        case "pay":
            told = {"who": pick([*known, "GM"]), "points": chance.choice((-3, -2, -1, 1, 2, 3)), "why": "So it is."}
        case "hit":
            told = struck(chance, scene, ruleset, pick(there))
        case "concede":
            told = {"who": pick(there)} if there else None
        case "recover":
            told = levels and dict(zip(("who", "consequence"), pick(levels), strict=True)) or None
            told = told and told | chance.choice(({}, {"by": pick([*people, "GM"])}, {"name": new}))
        case "clear" if levels and is_so(0.6):
            told = dict(zip(("who", "consequence"), pick(levels), strict=True))
        case "clear":
            tracks = [(name, track) for name, each in known.items() for track in each.get("stress", {})]
            told = dict(zip(("who", "track"), pick(tracks), strict=True)) if tracks else None
        case "clock":
            clock = pick([None, *scene["clocks"]])
            told = {"name": clock["name"]} if clock else {"name": new, "boxes": chance.randint(1, 3), "secret": is_so(0.5)}
            told |= {"tick": chance.randint(-1, 2)} if is_so(0.5) else {}
        case "contest":
            names, cut = chance.sample([*people], len(people)), chance.randint(1, max(1, len(people) - 1))
            told = {"sides": {"ours": names[:cut], "theirs": names[cut:]}, "under_fire": is_so(0.3)} if names[1:] else None
            told = told and told | ({"to": chance.randint(1, 6)} if is_so(0.4) else {})
        case "exchange":
            sides = scene.get("contest", {"sides": ()})["sides"]
            rolled = {side: chance.choice((None, -2, 0, 1, 3, 4, 7)) for side in sides}
            told = {chance.choice(("totals", "shifts")): rolled} if sides else None
        case "challenge":
            told = {"tasks": [{"name": each} for each in fresh(chance, chance.randint(1, 2), scene)]}
        case "task":
            tasks = scene.get("challenge", {"tasks": ()})["tasks"]
            told = {"name": pick(tasks)["name"], "outcome": chance.choice(OUTCOMES)} if tasks else None
        case "conflict":
            told = chance.choice(({}, {"kind": "mental"}, {"order": chance.sample(there, len(there))}))
        case "turn":
            conflict = scene.get("conflict", {})
            left = [name for name in there if name not in (*conflict.get("acted", ()), conflict.get("turn"))]
            told = (({} if "order" in conflict else {"who": pick(left or there)}) if there and conflict else None)
        case "end_conflict":
            told = {"then": chance.choice(("contest", "challenge"))} if is_so(0.3) else {}
        case "end_scene":
            names = sorted({each["name"] for each in scene["aspects"]})
            told = {"keep": chance.sample(names, min(len(names), chance.randint(0, 2))), "rest": is_so(0.7)}
        case "scene":
            told = next_scene(chance, scene, ruleset)
        case "end_session" if is_so(0.3):
            told = {"scene": False}
        case "milestone":
            told = {"level": chance.choice(("minor", "significant", "major"))}
            told |= {"who": pick(known)} if is_so(0.3) and known else {}
    return None if told is None else {"type": kind} | {key: each for key, each in told.items() if each is not None}


def likely(chance: Random, kind: str, scene: Json) -> str:
    """Another type of move where this one would mostly be refused, as what is over cannot end."""
    if chance.random() < 0.25:
        return kind
    going = [goes_on for tracker, goes_on in GOES_ON.items() if tracker in scene]
    if kind in (*GOES_ON, *ENDS, "end_conflict"):
        kind = "scene" if "ended" in scene else chance.choice([kind, *going, *going])
    if kind in ("concede", "end_conflict") and scene.get("frame") != "conflict":
        kind = "scene" if "ended" in scene else chance.choice(("aspect", "conflict", "hit"))
    return kind


def somebody(chance: Random, name: str, ruleset: str, zones: list[str]) -> Json:
    """A new character, with what the evenings of rolls do not have."""
    told = {"name": name, "side": "pc" if name in HEROES else "town", "skills": {SKILLS[ruleset][0]: chance.randint(0, 4)}}
    told["importance"] = "pc" if name in HEROES else chance.choice(("named", "nameless", "swarm", "unknown"))
    told |= {"zone": chance.choice(zones)} if zones and chance.random() < 0.5 else {}
    return told | ({"fate_points": chance.randint(0, 3), "refresh": 2} if chance.random() < 0.6 else {})


def changed(chance: Random, scene: Json, ruleset: str, who: str | None) -> Json:
    """A field of the scene's, of a zone's or of somebody's."""
    new = fresh(chance, 1, scene)[0]
    names = [*HEROES, *TOWN, *SPARE]
    unused = [name for name in names if name not in json.dumps(scene)]
    places = [name for name in PLACES if name not in json.dumps(scene)]
    zone = chance.choice([None, *(each["name"] for each in scene["zones"])])
    if zone and chance.random() < 0.5:
        return {"zone": zone, "set": chance.choice(({"name": chance.choice(places)}, {"aspects": [new]}, {"adjacent": []}))}
    if who is None or chance.random() < 0.3:
        fields = [{"gm_fate_points": 2}, {"gm_fate_points": None}, {"gm_carried": 1}, {"tone": new}, {"facts": []}]
        fields += [{"frame": None}] if not {"contest", "challenge", "conflict"} & {*scene} else []
        return {"set": chance.choice(fields)}
    fields = [{"fate_points": 1}, {"fate_points": None}, {"refresh": 3}, {"aspects": [new]}, {"disarmed": True}]
    fields += [{"stress": None}, {"consequences": None}, {"fate_points_owed": 1}, {"weight": 2, "legend_points": 3}]
    fields += [{"name": chance.choice(unused)}] * 2 if unused else []
    return {"who": who, "set": chance.choice(fields)}


def struck(chance: Random, scene: Json, ruleset: str, who: str | None) -> Json | None:
    """A hit, and one way to take it that fits to the shift."""
    if who is None:
        return None
    sheet = next(each for each in scene["characters"] if each["name"] == who)
    told: Json = {"who": who, "shifts": 0, "absorb": {}}
    told |= {"by": chance.choice([*(each["name"] for each in scene["characters"]), "GM"])} if chance.random() < 0.6 else {}
    if sheet["importance"] == "unknown":
        return told | {"shifts": 1, "absorb": None, "taken_out": True}
    tracks = {track: free_boxes(each) for track, each in sheet.get("stress", {}).items()}
    track = chance.choice([*tracks] or ["physical"])
    if tracks.get(track) and chance.random() < 0.6:
        box = chance.choice(tracks[track])
        told |= {"shifts": box, "absorb": {"stress": box}}
        if BOXES_PER_HIT[ruleset] != 1:
            told |= {"shifts": len(tracks[track]), "absorb": {"stress": len(tracks[track])}}
    free = [c["severity"] for c in sheet.get("consequences", []) if "name" not in c]
    if free and chance.random() < 0.7:
        level = chance.choice(free)
        told["absorb"]["consequences"] = [{"severity": level, "name": fresh(chance, 1, scene)[0]}]
        told["shifts"] += CONSEQUENCES[ruleset][level]
    if not told["absorb"]:
        told = {**told, "shifts": 9, "taken_out": True}
        del told["absorb"]
    return told | ({"track": track} if track in tracks else {})


def free_boxes(track: Json) -> list[int]:
    left = list(track["boxes"])
    for each in track["marked"]:
        left.remove(each)
    return left


def next_scene(chance: Random, scene: Json, ruleset: str) -> Json:
    """Another place, with some of those who are known."""
    told: Json = {"summary": "Elsewhere.", "frame": chance.choice((None, None, "conflict"))}
    zones = chance.sample(PLACES, chance.choice((0, 2)))
    names = iter(fresh(chance, 6, scene))
    told["zones"] = [{"name": each, "aspects": [next(names)]} for each in zones]
    told["aspects"] = [{"name": next(names), "free_invocations": {"*": 1}}] if chance.random() < 0.5 else []
    known = [each["name"] for each in (*scene["characters"], *scene["away"])]
    if chance.random() < 0.6 and known:
        told["people"] = chance.sample(known, chance.randint(1, len(known)))
    return told


# The machine.


class Evening(RuleBasedStateMachine):
    """A scene that is handed on from step to step as JSON text."""

    @initialize(chance=st.randoms(use_true_random=False), ruleset=st.sampled_from(narrator.rulesets()))
    def begins(self, chance: Random, ruleset: str) -> None:
        self.ruleset, self.steps = ruleset, 0
        scene = new_scene(chance, ruleset)
        while not scene["characters"]:
            scene = new_scene(chance, ruleset)
        for each in scene["characters"]:
            each |= {"refresh": 3} if each["fate_points"] is not None and chance.random() < 0.7 else {}
        scene["gm_fate_points"] = chance.choice((None, 0, 2))
        scene["clocks"] = chance.choice(([], [{"name": "The Flood", "boxes": 2}]))
        scene["aspects"] = [each for each in scene["aspects"] if each["boost"] is False or each["free_invocations"]]
        for each in scene["aspects"]:
            each["lasting"] = not each["boost"] and chance.random() < 0.2
        for each in scene["characters"] if ruleset == "war-of-ashes" else ():
            if chance.random() < 0.4:
                each["roar"] = chance.choice(SKILLS[ruleset])
                roars = {"name": fresh(chance, 1, scene)[0], "on": each["name"], "roar": True}
                scene["aspects"].append(roars | {"free_invocations": {each["name"]: 1}})
        self.scene: Json = Scene.model_validate(scene).as_json()

    @rule(chance=st.randoms(use_true_random=False), kind=st.sampled_from(sorted(MOVES)))
    def moves(self, chance: Random, kind: str) -> None:
        """A move that makes sense is made, and leads where the account says; else both refuse it."""
        kind = likely(chance, kind, self.scene)
        move = drawn(chance, kind, self.scene, self.ruleset)
        if move is None:
            return
        account = Account(self.scene, self.ruleset)
        try:
            due_: Json | None = account.made(move)
        except RefusedError as refusal:
            due_, why = None, str(refusal)
        answer = self.made(move)
        assert (answer is not None) or due_ is None, self.says("refused, which should be made", move, self.refusal)
        if answer is None:
            event(f"{kind} refused")
            return
        event(f"{kind} made")
        assert due_ is not None, self.says(f"made, which should be refused: {why}", move)
        was, now = by_part(due_), by_part(spelt_out(answer["scene"], self.ruleset))
        wrong = {key: f"due {was.get(key)}, is {now.get(key)}" for key in was | now if was.get(key) != now.get(key)}
        assert not wrong, self.says("not what the account says", move, wrong)
        self.goes_on(answer, move)

    @rule(chance=st.randoms(use_true_random=False))
    def settles(self, chance: Random) -> None:
        """A roll is settled, and its points, invocations, boxes and consequences are where they belong."""
        request = new_request(chance, self.ruleset, {**self.scene, "frame": self.scene.get("frame")})
        if request is None or not self.scene["characters"]:
            return
        request = json.loads(json.dumps(request))
        try:
            chosen = choose(chance, request, narrator.suggest(request, source="deck").as_json())
            if chosen is None:
                return
            answer = narrator.settle(request, chosen.choice).as_json()
        except NarratorError:
            return
        event("settled")
        found = ledger(answer["scene"], self.ruleset)
        wanted = due(request, chosen)
        for held in (wanted, found):
            for key in [key for key in held if key[0] == "fate points"]:
                del held[key]
        trouble = {"lost": wanted - found, "from nowhere": found - wanted}
        assert wanted == found, self.says("not what was settled", {**request, "scene": 0, "choice": chosen.choice}, trouble)
        was, now = settled_points(request, self.ruleset), points(answer["scene"])
        wrong = {key: f"due {was.get(key)}, is {now.get(key)}" for key in was | now if was.get(key) != now.get(key)}
        assert not wrong, self.says("points not where they belong", {**request, "scene": 0}, wrong)
        assert answer["scene"]["away"] == self.scene["away"]
        self.goes_on(answer, {**request, "scene": 0, "choice": chosen.choice})

    @rule(chance=st.randoms(use_true_random=False), kind=st.sampled_from(sorted(MOVES)))
    def blunders(self, chance: Random, kind: str) -> None:
        """Whatever else is asked for is made or refused, and nothing else is raised."""
        move = drawn(chance, kind, self.scene, self.ruleset) or {"type": kind}
        key = chance.choice([*move, "extra"])
        words = [None, "Nobody", "GM", "*", "", 0, -1, 10**9, True, [], {}, ["GM"], *HEROES[:2], "mild", "conflict"]
        move[key] = chance.choice(words)
        answer = self.made(move)
        event(f"a blunder is {'refused' if answer is None else 'made'}")

    def made(self, move: Json) -> Json | None:
        """Make a move by its call; None where it is refused, which leaves all as it was."""
        before = deepcopy((self.scene, move))
        try:
            answer: Json = narrator.move(self.scene, move, self.ruleset).as_json()
        except NarratorError as refusal:
            self.refusal = repr(refusal)
            assert refusal.code != "internal_error", self.says("internal error", move)
            answer = {}
        assert (self.scene, move) == before, self.says("what was handed in is changed", move)
        return answer or None

    def goes_on(self, answer: Json, step: Json) -> None:
        """The scene is read again as it is, counted once, and its changes explain it."""
        scene = json.loads(json.dumps(answer["scene"], allow_nan=False))
        assert scene["revision"] == self.scene.get("revision", 0) + 1, self.says("revision", step)
        assert Scene.model_validate(scene).as_json() == scene, self.says("is read again as something else", step)
        told = unexplained(self.scene, scene, answer["changes"], self.ruleset)
        assert not told, self.says("changes do not explain it", step, told)
        self.scene = scene

    def says(self, what: str, step: Json, more: Any = "") -> str:
        return f"{what}: {more}\n in {self.ruleset} by {json.dumps(step)}\n on {json.dumps(self.scene)}"


def by_part(scene: Json) -> Json:
    """A scene by what is looked at alone: each person's fields, purses, aspects, and the rest."""
    told = {key: value for key, value in scene.items() if key not in ("recent", "dealt", "revision")}
    for part in ("characters", "away"):
        for each in told.pop(part):
            told |= {f"{part} {each['name']} {key}": value for key, value in each.items()}
            for track, boxes in each.get("stress", {}).items():
                told[f"{part} {each['name']} {track}"] = sorted(boxes["marked"])
            told.pop(f"{part} {each['name']} stress", None)
    told["aspects"] = sorted(str(sorted({**each, "free_invocations": sorted(each["free_invocations"].items())}.items())) for each in told["aspects"])
    return told


def points(scene: Json) -> Json:
    told: Json = {each["name"]: [each.get("fate_points"), each["fate_points_owed"]] for each in scene["characters"]}
    return told | {"GM": [scene.get("gm_fate_points"), scene.get("gm_carried") or 0]}


def settled_points(request: Json, ruleset: str) -> Json:
    """Every purse once the invocations of a request are paid for, and who is owed for them."""
    scene, action = request["scene"], request["action"]
    told = points(scene)
    people = {each["name"]: each for each in scene["characters"]}
    other = action["opposition"].get("by") or action.get("target") or "GM"
    for side, usual in ((action, action["actor"]), (action["opposition"], other)):
        for each in side.get("invocations", []):
            if each["pay"] != "fate_point":
                continue
            by, bearer = each.get("by", usual), people.get(each.get("on") or "")
            payer = people.get(by)
            is_gms = payer is None or (payer["importance"] != "pc" and told[by][0] is None)
            purse = told["GM" if is_gms else by]
            purse[0] = None if purse[0] is None else purse[0] - 1
            if bearer is None or (payer and payer["side"] == bearer["side"]):
                continue
            if bearer["importance"] == "pc":
                between_players = payer and payer["importance"] == "pc" and each["aspect"] in bearer["aspects"]
                if told[bearer["name"]][0] is not None and (ruleset != "fate-accelerated" or between_players):
                    told[bearer["name"]][1] += 1
            elif ruleset == "fate-condensed" and payer is not None and told["GM"][0] is not None:
                told["GM"][1] += 1
    return told


@pytest.mark.parametrize("number", [25, pytest.param(600, marks=pytest.mark.full)])
def test_an_evening_leads_where_the_account_says(number: int) -> None:
    """Whatever happens, nothing is lost, nothing comes from nowhere, and every change is told."""
    phases = (Phase.generate, Phase.shrink)
    run_state_machine_as_test(Evening, settings=settings(max_examples=number, stateful_step_count=30, derandomize=True, phases=phases))
