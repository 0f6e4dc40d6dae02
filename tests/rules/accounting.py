"""An accountant of scenes: what one holds, what it must hold after a turn, and what was lost or came from nowhere.

Counted from the scene before, the request, and the branch and words that were chosen. The changes that narrator tells
are judged as well, and are no witness.
"""

from collections import Counter
from dataclasses import dataclass

from narrator import NarratorError
from narrator.rules.json_text import Json
from tests.documents import stress_of, track_of
from tests.rules.test_apply_properties import Chosen, free_after, paid
from tests.rules.test_settle import before_of, enter, shown
from tests.strategies import ANYONE

Ledger = Counter[tuple[str, ...]]
"""How many there are: of which quantity, then of which aspect and held by whom, or whose, and which box or level."""


@dataclass
class Turn:
    """A request, and what became of it: what was chosen and what settling that gave, or what it was refused with."""

    request: Json
    chosen: Chosen | None = None
    settled: Json | None = None
    refusal: NarratorError | None = None


def spelt_out(scene: Json) -> Json:
    """The scene, in which a boost of which nobody is told is for whoever takes it first."""
    aspects = [
        {**each, "free_invocations": {ANYONE: 1}} if each["boost"] and not each["free_invocations"] else each
        for each in scene["aspects"]
    ]
    return {**scene, "aspects": aspects}


def ledger(scene: Json, ruleset: str) -> Ledger:
    """Count what a scene holds."""
    held: Ledger = Counter()
    for each in scene["characters"]:
        held["fate points", each["name"]] = each.get("fate_points") or 0
        for track, boxes in stress_of(each, ruleset).items():
            held.update(("stress boxes", each["name"], track, str(box)) for box in boxes.get("marked", []))
        for level in each.get("consequences", []):
            held["consequences", each["name"], level["severity"], level.get("name") or ""] += bool(level.get("name"))
    for aspect in spelt_out(scene)["aspects"]:
        for holder, number in aspect["free_invocations"].items():
            held["boosts" if aspect["boost"] else "free invocations", aspect["name"], holder] += number
    return +held


def due(request: Json, chosen: Chosen) -> Ledger:
    """Count what the scene after a turn must hold."""
    scene, action, ruleset = spelt_out(request["scene"]), request["action"], request["ruleset"]
    request = {**request, "scene": scene}
    people = {each["name"]: each for each in scene["characters"]}
    left = paid(request)
    held: Ledger = Counter({("fate points", who): points or 0 for who, points in left.points.items()})
    boosts = {name for (name, on), numbers in left.free.items() if (name, on) in left.boosts and any(numbers.values())}
    boosts |= {words["name"] for offer, words in chosen.taken if offer["form"] in ("boost", "opposition_boost")}
    free = free_after(request, chosen)
    for aspect, to, number in served(request, chosen):
        free[aspect, to] -= number
        free[aspect, action["target"]] += number
    for (aspect, holder), number in free.items():
        held["boosts" if aspect in boosts else "free invocations", aspect, holder] += number
    harm = ("stress boxes", "consequences")
    held += Counter({key: number for key, number in ledger(scene, ruleset).items() if key[0] in harm})
    absorb = chosen.choice.get("absorb", {})
    boxes = absorb.get("boxes") or [box for box in [absorb.get("stress")] if box]
    struck = next((to for grant, to in chosen.grants if grant["type"] == "hit"), "")
    held.update(("stress boxes", struck, track_of(request), str(box)) for box in boxes)
    held.update(("consequences", struck, each["severity"], each["name"]) for each in chosen.wounds)
    marks = [to for grant, to in chosen.grants if grant["type"] == "stress"]
    for offer, words in chosen.taken:
        marks += offer["to"] if offer["form"] == "stress" else []
        if offer["form"] == "consequence" and offer["to"][0] in people:
            held["consequences", offer["to"][0], offer["severity"], words["name"]] += 1
        if offer["form"] == "worsened_aspect":
            for key in [key for key in held if key[0] == "consequences" and key[-1] == action["aspect"]]:
                held[(*key[:-1], words["name"])] += held.pop(key)
    for who in (who for who in marks if who in people):
        # The lowest free box of the track told, else of the attack's, else of the first that has one.
        tracks, usual, told = stress_of(people[who], ruleset), track_of(request), chosen.choice.get("track")
        every = [told] if told else sorted(tracks, key=lambda each: (each != usual, each))
        boxes = [("stress boxes", who, track, str(box)) for track in every for box in sorted(tracks[track]["boxes"])]
        held.update([key for key in boxes if boxes.count(key) > held[key]][:1])
    return +held


def served(request: Json, chosen: Chosen) -> list[tuple[str, str, int]]:
    """What a failed advantage over somebody of one's own side gives: it serves that one, and no bystander."""
    action, sides = request["action"], {each["name"]: each["side"] for each in request["scene"]["characters"]}
    failed = action["type"] == "create_advantage" and chosen.branch["goal"] == "not_attained"
    if not failed or sides.get(action["target"], "") != sides.get(action["actor"]):
        return []
    made = [(words["name"], words["to"], offer) for offer, words in chosen.taken if words["kind"] == "aspect"]
    given = [(grant["on"], to, grant) for grant, to in chosen.grants if grant["type"] == "free_invocations"]
    return [(aspect, to, each.get("amount") or each["free_invocations"]) for aspect, to, each in made + given]


def wrong(turn: Turn) -> Json:
    """What a turn lost, what came from nowhere, and what its changes tell otherwise."""
    assert turn.chosen, "the turn was played"
    assert turn.settled, "the turn was played"
    wanted, found = due(turn.request, turn.chosen), ledger(turn.settled["scene"], turn.request["ruleset"])
    here, told = before_of(turn.request), ""
    try:
        for change in turn.settled["changes"]:
            told = change["text"]
            enter(here, change)
        was, now = (shown({**each, "dealt": None}) for each in (here, turn.settled["scene"]))
        told = ", ".join(key for key in was | now if was.get(key) != now.get(key))
    except (AssertionError, LookupError, StopIteration, ValueError) as error:
        told += f": {error!r}"
    lost, from_nowhere = sorted((wanted - found).elements()), sorted((found - wanted).elements())
    return {key: each for key, each in (("lost", lost), ("from nowhere", from_nowhere), ("changes", told)) if each}
