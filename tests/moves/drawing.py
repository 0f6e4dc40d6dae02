"""Draws moves of every type that make sense in a scene, or nearly."""

import json
from collections.abc import Iterable
from random import Random
from typing import Any

from narrator.rules.json_text import Json
from tests.campaign import HEROES, PLACES, TOWN
from tests.documents import BOXES_PER_HIT, CONSEQUENCES, SKILLS
from tests.rolls_of_an_evening import fresh

SPARE = ("Ada Stone", "Bram Hollis", "Cato Vane", "Dora Quince")
GOES_ON = {"contest": "exchange", "conflict": "turn", "challenge": "task"}
ENDS = ("end_scene", "end_session", "end_scenario")
OUTCOMES = ("fail", "tie", "succeed", "succeed_with_style")


def drawn(chance: Random, kind: str, scene: Json, ruleset: str) -> Json | None:
    """A move of this type that makes sense in the scene, or nearly; None where there is nothing that it could be of."""
    people = {each["name"]: each for each in scene["characters"]}
    known = {**people, **{each["name"]: each for each in scene["away"]}}
    zones = [each["name"] for each in scene["zones"]]
    there = [name for name, each in people.items() if not (each["taken_out"] or each["conceded"])]
    levels = [(name, c["name"]) for name, each in known.items() for c in each.get("consequences", []) if "name" in c]
    new = fresh(chance, 1, scene)[0]

    def pick(told: Iterable[Any]) -> Any:
        every = list(told)
        return chance.choice(every) if every else None

    def is_so(often: float) -> bool:
        return chance.random() < often

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
            free = {
                pick([*people, "GM", "*"]): 1 if is_boost else chance.randint(1, 3) for _ in range(chance.randint(0, 2))
            }
            told = {"name": new, "on": pick([None, *people, *zones, "GM"]), "free_invocations": free, "boost": is_boost}
            told["lasting"] = not is_boost and is_so(0.3)
        case "drop":
            each = pick(scene["aspects"])
            told = {key: each[key] for key in ("name", "on") if key in each} if each else None
        case "pass":
            held = [
                (each, by) for each in scene["aspects"] if not each["each_attack"] for by in each["free_invocations"]
            ]
            each, giver = pick(held) or (None, "")
            to = pick({*people, "GM", "*"} - {giver}) if each is None else pick(sorted({*people, "GM", "*"} - {giver}))
            told = each and {"aspect": each["name"], "from": giver, "to": to} | (
                {"on": each["on"]} if "on" in each else {}
            )
            if told and is_so(0.3):
                told["number"] = chance.randint(1, 3)
        case "compel":
            names = chance.sample([*people], min(len(people), chance.choice((1, 1, 2, 3))))
            in_play = [each for each in scene["aspects"] if not each["boost"]]
            in_play += [{"name": a, "on": name} for name, each in people.items() for a in each["aspects"]]
            in_play += [each for each in scene["aspects"] if each["roar"]] * 4
            each = pick(in_play)
            told = each and {
                "who": names[0] if len(names) == 1 else names,
                "aspect": each["name"],
                "accepted": is_so(0.6),
            }
            told = told and told | ({"on": each["on"]} if each.get("on") else {})
            told = told and told | ({"by": pick([*people, "GM"])} if is_so(0.6) else {})
        case "pay":
            told = {"who": pick([*known, "GM"]), "points": chance.choice((-3, -2, -1, 1, 2, 3)), "why": "So it is."}
        case "hit":
            told = struck(chance, scene, ruleset, pick(there))
        case "concede":
            told = {"who": pick(there)} if there else None
        case "recover":
            told = (levels and dict(zip(("who", "consequence"), pick(levels), strict=True))) or None
            told = told and told | chance.choice(({}, {"by": pick([*people, "GM"])}, {"name": new}))
        case "clear" if levels and is_so(0.6):
            told = dict(zip(("who", "consequence"), pick(levels), strict=True))
        case "clear":
            tracks = [(name, track) for name, each in known.items() for track in each.get("stress", {})]
            told = dict(zip(("who", "track"), pick(tracks), strict=True)) if tracks else None
        case "clock":
            clock = pick([None, *scene["clocks"]])
            told = (
                {"name": clock["name"]} if clock else {"name": new, "boxes": chance.randint(1, 3), "secret": is_so(0.5)}
            )
            told |= {"tick": chance.randint(-1, 2)} if is_so(0.5) else {}
        case "contest":
            names, cut = chance.sample([*people], len(people)), chance.randint(1, max(1, len(people) - 1))
            told = (
                {"sides": {"ours": names[:cut], "theirs": names[cut:]}, "under_fire": is_so(0.3)} if names[1:] else None
            )
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
            told = ({} if "order" in conflict else {"who": pick(left or there)}) if there and conflict else None
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
    told = {
        "name": name,
        "side": "pc" if name in HEROES else "town",
        "skills": {SKILLS[ruleset][0]: chance.randint(0, 4)},
    }
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
        return {
            "zone": zone,
            "set": chance.choice(({"name": chance.choice(places)}, {"aspects": [new]}, {"adjacent": []})),
        }
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
    told |= (
        {"by": chance.choice([*(each["name"] for each in scene["characters"]), "GM"])} if chance.random() < 0.6 else {}
    )
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
