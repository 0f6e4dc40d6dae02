"""What holds of `apply` whatever was asked and chosen: nothing is lost, nothing is invented, and play can go on.

Requests come from the shared strategies; to some a full defence or a roar is added. A choice is drawn from what the
resolution offers, its words from the deck or from a list here. What the scene must then hold is counted from the
request and the choice alone.
"""

from collections import Counter
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, event, given, settings, strategies as st

import narrator
from narrator.rules.json_text import Json
from narrator.rules.ruleset.loader import packaged, packaged_ruleset
from tests.documents import BOXES_PER_HIT, DEEDS, stress_of, track_of
from tests.rules.build import resolved
from tests.rules.test_harm import every_way, free_of
from tests.strategies import APPROACHES, GM, Around, Bearing, requests

FULL_DEFENSE, FURY = "Wall Of Shields", "Battle Fury"

NAMES = ("Broken Bridge", "Loose Saddle", "Spilled Wine", "Barking Dogs", "Cold Draught", "Empty Well")
DETAILS = (
    "Planks lie in the river.",
    "A strap hangs down.",
    "The cup rolls under a bench.",
    "Dogs bark beyond the wall.",
    "The curtains move.",
    "Leaves float on the water.",
)
NAMED = {name for each in packaged() for name, form in packaged_ruleset(each).forms.items() if form.name is not None}
"""The forms whose words have a name."""

LEVELS = ("mild", "moderate", "severe")


# What is asked and chosen.


@st.composite
def asked(draw: st.DrawFn) -> Json:
    """A valid request; sometimes somebody in it defends fully or roars."""
    request: Json = draw(requests())
    people = request["scene"].get("characters", [])
    if people and draw(st.booleans()):
        name = people[0]["name"] if draw(st.booleans()) else draw(st.sampled_from(people))["name"]
        held = {"name": FULL_DEFENSE, "on": name, "each_attack": True, "free_invocations": {name: 1}}
        request["scene"]["aspects"].append(held)
    if people and request["ruleset"] == "war-of-ashes" and draw(st.booleans()):
        somebody = draw(st.sampled_from(people))
        somebody["roar"] = draw(st.sampled_from(APPROACHES))
        held = {"name": FURY, "on": somebody["name"], "roar": True, "free_invocations": {somebody["name"]: 2}}
        request["scene"]["aspects"].append(held)
    return request


@dataclass
class Chosen:
    """What was chosen: the branch, the offers taken with their words, and the choice as it is sent."""

    branch: Json
    taken: list[tuple[Json, Json]]
    choice: Json

    @property
    def grants(self) -> list[tuple[Json, str]]:
        """Each grant of the branch, and who gets it."""
        told = {each["index"]: each.get("to") for each in self.choice.get("grants", [])}
        return [(grant, told.get(place) or grant["to"][0]) for place, grant in enumerate(self.branch["grants"])]

    @property
    def wounds(self) -> list[Json]:
        """The consequences of a hit that are taken, each with its name: told, or that of the words for its level."""
        words = [each for each in self.choice["suggestions"] if each["slot"] == "consequence"]
        taken = self.choice.get("absorb", {}).get("consequences", [])
        return [each if each["name"] else each | {"name": words[0]["name"]} for each in taken]


@st.composite
def choices(draw: st.DrawFn, request: Json, answer: Json) -> Chosen:
    """A choice that fits: any branch, form, holder and way that is on offer."""
    branch = draw(st.sampled_from(answer["branches"]))
    deck = narrator.suggest(request, source="deck").as_json()["suggestions"] if draw(st.booleans()) else []
    taken = []
    wanting = [slot for slot in branch["slots"] if slot["forms"] and slot["kind"] != "consequence"]
    for number, slot in enumerate(wanting):
        found = [each for each in deck if each["slot"] == slot["id"]]
        if found:
            words = draw(st.sampled_from(found))
            offer = next(form for form in slot["forms"] if form["form"] == words["form"])
        else:
            offer = draw(st.sampled_from(slot["forms"]))
            words = {"slot": slot["id"], "form": offer["form"], "detail": DETAILS[number]}
            words |= {"name": NAMES[number]} if offer["form"] in NAMED else {}
            words |= {"to": draw(st.sampled_from(offer["to"]))} if offer.get("to") else {}
        taken.append((offer, words))
    choice: Json = {"branch": branch["id"], "suggestions": [words for _, words in taken]}
    holders = [name for offer, _ in taken for name in offer.get("holders", [])]
    if holders:
        choice["holder"] = draw(st.sampled_from(holders))
    zones = [zone["name"] for zone in request["scene"].get("zones", [])]
    if zones and any(offer["form"] in ("knockback", "footwork") for offer, _ in taken):
        choice["zone"] = draw(st.sampled_from(zones))
    if any(offer["form"] == "stress" for offer, _ in taken) and draw(st.booleans()):
        choice["track"] = draw(st.sampled_from(next(o["tracks"] for o, _ in taken if o["form"] == "stress")))
    grants = []
    goal_zone = draw(st.sampled_from(zones)) if zones else None
    for index, grant in enumerate(branch["grants"]):
        told: Json = {"index": index}
        if len(grant["to"]) > 1:
            told["to"] = draw(st.sampled_from(grant["to"]))
        if goal_zone and grant["type"] in ("move", "may_move") and "on" not in grant:
            told["on"] = goal_zone
        if len(told) > 1 and not (grant["type"] == "may_move" and draw(st.booleans())):
            grants.append(told)
        if grant["type"] == "hit" and grant.get("absorb") and draw(st.booleans()):
            way = draw(st.sampled_from(grant["absorb"]))
            # No two have one name, though both be mild.
            levels = enumerate(way["consequences"])
            wounds = [{"severity": each, "name": f"{'Other ' * place}Wound {each}"} for place, each in levels]
            choice["absorb"] = way | {"consequences": wounds}
            choice["suggestions"] += draw(worded(branch, wounds))
        elif grant["type"] == "hit" and grant.get("absorb"):
            choice["taken_out"] = True
    if grants:
        choice["grants"] = grants
    return Chosen(branch, taken, choice)


@st.composite
def worded(draw: st.DrawFn, branch: Json, wounds: list[Json]) -> list[Json]:
    """Words for one of the wounds, or for none; whose name is then told by them alone."""
    slots = [slot for slot in branch["slots"] if slot["kind"] == "consequence"]
    if not slots or not wounds or draw(st.booleans()):
        return []
    wound = draw(st.sampled_from(wounds))
    words = {"slot": "consequence", "form": slots[0]["forms"][0]["form"], "detail": "It will not close.", **wound}
    wound["name"] = None
    return [words]


@st.composite
def plays(draw: st.DrawFn) -> tuple[Json, Chosen, Json]:
    """A request, a choice that fits, and the scene after it."""
    request = draw(asked())
    answer = resolved(request)
    chosen = draw(choices(request, answer))
    before = deepcopy((request, chosen.choice))
    told = narrator.apply(request, chosen.choice).as_json()
    assert before == (request, chosen.choice)
    event(f"{request['ruleset']} {chosen.branch['id']}")
    return request, chosen, told


# What the scene must hold.

Held = Counter[tuple[str, str]]
"""Free invocations by the name of the aspect and its holder."""


def held_in(scene: Json) -> Held:
    """What a scene holds."""
    held: Held = Counter()
    for aspect in scene.get("aspects", []):
        for holder, number in aspect.get("free_invocations", {}).items():
            held[aspect["name"], holder] += number
    return held


def paid(request: Json) -> Around:
    """What is left once all invocations are paid for."""
    action, against = request["action"], request["action"]["opposition"]
    around = Around(request["scene"], action["actor"], action.get("helpers", []), [])
    for side, by in ((action, action["actor"]), (against, against.get("by") or action.get("target") or GM)):
        for invocation in side.get("invocations", []):
            around.pay(_bearing(invocation, around), invocation.get("by", by), invocation["pay"])
    return around


def _bearing(invocation: Json, around: Around) -> Bearing:
    told = (invocation["aspect"], invocation.get("on"))
    return told if told in around.aspects else next(each for each in around.aspects if each[0] == told[0])


def free_after(request: Json, chosen: Chosen) -> Held:
    """Count before, less what was spent, and what was granted; each consequence that a hit inflicts is the attacker's.

    A full defence is there again after each attack, and ends with an action of its bearer's that is no defence; a roar
    ends, and its aspect with it, where the branch says so. What they held is gone then.
    """
    left = paid(request)
    before = {(each["name"], each.get("on")): each for each in request["scene"]["aspects"]}
    lost = {name for grant, name in chosen.grants if grant["type"] == "loses_roar"}
    held: Held = Counter()
    for bearing, numbers in left.free.items():
        aspect = before[bearing]
        if aspect.get("each_attack"):
            ends = aspect["on"] == request["action"]["actor"] and request["action"]["type"] != "defend"
            numbers = {} if ends else aspect["free_invocations"]
        if aspect.get("roar") and aspect["on"] in lost:
            numbers = {}
        held.update({(bearing[0], holder): number for holder, number in numbers.items()})
    revealed = request["action"].get("aspect")
    renamed = {}
    for offer, words in sorted(chosen.taken, key=lambda each: each[1]["slot"] != "aspect"):
        if words["slot"] == "aspect" and revealed is None:
            revealed = words["name"]
        if offer["form"] == "worsened_aspect":
            renamed[revealed] = words["name"]
        free = offer.get("free_invocations") or 0
        holder = chosen.choice.get("holder") if offer.get("holders") else words.get("to")
        if offer.get("to") and len(offer["to"]) == 1 and not offer.get("holders"):
            holder = offer["to"][0]
        if free:
            assert holder is not None
            held[words.get("name") or offer.get("on") or revealed, holder] += free
    for grant, to in chosen.grants:
        if grant["type"] == "free_invocations":
            held[grant["on"], to] += grant["amount"]
        if grant["type"] == "free_invocation_each_attack":
            held[request["action"].get("aspect") or "Full Defense", to] += 1
        attacker = request["action"]["actor"]
        if grant["type"] == "hit" and to != attacker:
            for wound in chosen.wounds:
                held[wound["name"], attacker] += 1
    reworded: Held = Counter()
    for (name, holder), number in held.items():
        reworded[renamed.get(name, name), holder] += number
    return +reworded


def sheet(somebody: Json, ruleset: str) -> Json:
    """The boxes of a character, and which are marked; the ruleset's where none are told."""
    stress = sorted(stress_of(somebody, ruleset).items())
    return {track: (sorted(boxes["boxes"]), sorted(boxes.get("marked", []))) for track, boxes in stress}


def levels(somebody: Json) -> list[tuple[str, str | None]]:
    """The consequence levels of a character, and what they are called."""
    has_one = somebody.get("importance", "nameless") in ("pc", "named")
    found = somebody.get("consequences", [{"severity": each} for each in LEVELS] if has_one else [])
    return sorted(((each["severity"], each.get("name")) for each in found), key=lambda each: (each[0], each[1] or ""))


@given(play=plays())
def test_free_invocations_are_conserved(play: tuple[Json, Chosen, Json]) -> None:
    """What was there, less what was spent, and what was granted: by aspect and by holder."""
    request, chosen, told = play
    assume(not _is_ambiguous(request))

    assert free_after(request, chosen) == +held_in(told)


def _is_ambiguous(request: Json) -> bool:
    """Whether a scene aspect bears the name of something that the request's aspect could be as well."""
    revealed = request["action"].get("aspect")
    around = Around(request["scene"], request["action"]["actor"], [], [])
    return [name for name, _ in around.aspects].count(revealed or "") > 1


@given(play=plays())
def test_fate_points_are_conserved(play: tuple[Json, Chosen, Json]) -> None:
    """Each one paid is gone, and no other; who does not track them still does not."""
    request, _, told = play
    left = paid(request).points

    assert left == {each["name"]: each.get("fate_points") for each in told["characters"]}


@given(play=plays())
def test_boxes_and_levels_are_conserved(play: tuple[Json, Chosen, Json]) -> None:
    """No box or level comes or goes; those marked are those chosen, of whom they were chosen for."""
    request, chosen, told = play
    after = {each["name"]: each for each in told["characters"]}
    ruleset = request["ruleset"]
    absorb = chosen.choice.get("absorb") or {}
    costs = [words.get("to") or offer["to"][0] for offer, words in chosen.taken if offer["form"] == "stress"]
    costs += [to for grant, to in chosen.grants if grant["type"] == "stress"]
    hits = [to for grant, to in chosen.grants if grant["type"] == "hit"]
    wounds = dict.fromkeys(hits, chosen.wounds)
    out = {to for grant, to in chosen.grants if grant["type"] == "hit" and "absorb" in grant and not absorb}
    for offer, words in chosen.taken:
        if offer["form"] == "consequence":
            wounds.setdefault(offer["to"][0], []).append({"severity": offer["severity"], "name": words["name"]})

    for before in request["scene"].get("characters", []):
        name, now = before["name"], after[before["name"]]
        was, is_ = sheet(before, ruleset), sheet(now, ruleset)
        new = {track: Counter(is_[track][1]) - Counter(was[track][1]) for track in is_}
        hit = absorb.get("boxes", [absorb["stress"]]) if name in hits and "stress" in absorb else []
        free = sum(len(boxes) - len(marked) for boxes, marked in was.values())

        assert [(track, boxes) for track, (boxes, _) in was.items()] == [(track, is_[track][0]) for track in is_]
        assert all(not Counter(was[track][1]) - Counter(is_[track][1]) for track in is_)
        assert min(costs.count(name), free) + len(hit) == sum(each.total() for each in new.values())
        if hit:
            assert new[track_of(request)] == Counter(hit)
        taken = Counter(levels(now)) - Counter(levels(before))
        gone = Counter(levels(before)) - Counter(levels(now))
        assert Counter((each["severity"], each["name"]) for each in wounds.get(name, [])) == taken
        assert sorted(each["severity"] for each in wounds.get(name, [])) == sorted(
            level for level, _ in gone.elements()
        )
        assert (name in out) == now["taken_out"]


@given(play=plays())
def test_play_goes_on(play: tuple[Json, Chosen, Json]) -> None:
    """The scene is that of a valid request: somebody acts in it, and it is the same when it is read again."""
    request, _, told = play
    kind = {"kind": "aspects"} if request["ruleset"] == "aspect-difficulty" else {"kind": "passive", "rating": 0}
    action = {"type": "overcome", "actor": request["action"]["actor"], "roll": {"total": -1}, "opposition": kind}
    then = {"ruleset": request["ruleset"], "scene": told, "action": action}

    answer = resolved(then)

    assert answer["outcome"] == "fail"
    assert narrator.Request.model_validate(then).scene.as_json() == told


@given(play=plays())
def test_whoever_is_not_concerned_is_left_alone(play: tuple[Json, Chosen, Json]) -> None:
    """Characters whom neither action nor choice names keep everything; nobody comes or goes."""
    request, chosen, told = play
    people = request["scene"].get("characters", [])
    action, against = request["action"], request["action"]["opposition"]
    concerned = {action["actor"], action.get("target"), against.get("by")} | {to for _, to in chosen.grants}
    concerned |= {each.get("by") for side in (action, against) for each in side.get("invocations", [])}
    concerned |= {words.get("to") for _, words in chosen.taken}
    after = {each["name"]: each for each in told["characters"]}

    assert [each["name"] for each in people] == list(after)
    reworded = any(offer["form"] == "worsened_aspect" for offer, _ in chosen.taken)
    for before in (each for each in people if each["name"] not in concerned and not reworded):
        now = after[before["name"]]
        for key in before.keys() - {"stress", "consequences"}:
            assert before[key] == now.get(key), key
        assert sheet(before, request["ruleset"]) == sheet(now, request["ruleset"])
        assert levels(before) == levels(now)


# Hits and weight.


@given(request=requests())
def test_absorb_lists_every_way_and_no_other(request: Json) -> None:
    """Of every hit on a sheet that is known: each way from which nothing can be left away, against trying them all."""
    answer = resolved(request)
    people = {each["name"]: each for each in request["scene"].get("characters", [])}
    attack = request["action"].get("attack", {})

    for grant in (grant for branch in answer["branches"] for grant in branch["grants"] if grant["type"] == "hit"):
        on_actor = grant["to"] == [request["action"]["actor"]]
        somebody = people.get(grant["to"][0], {"importance": "pc"} if on_actor else {})
        if (not people and not on_actor) or somebody.get("importance") == "unknown":
            assert "absorb" not in grant
            continue
        has_one = somebody.get("importance", "nameless") in ("pc", "named")
        stress = stress_of(somebody, request["ruleset"])
        consequences = somebody.get("consequences", [{"severity": each} for each in LEVELS] if has_one else [])
        boxes, free = free_of({"stress": stress, "consequences": consequences}, track_of(request))
        told = [(way.get("stress"), tuple(way["consequences"])) for way in grant["absorb"]]
        most = BOXES_PER_HIT[request["ruleset"]]
        expected = every_way(grant["amount"], [] if attack.get("lethal") else boxes, free, most)

        assert (expected, len(expected)) == ({(box, _sorted(chosen)) for box, chosen in told}, len(told))


def _sorted(chosen: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(chosen, key=LEVELS.index))


@st.composite
def crowds(draw: st.DrawFn) -> Json:
    """A fight of any crowd in two zones, in which both sides roll."""
    zones = st.sampled_from((None, "Hall", "Yard"))
    sides = st.sampled_from(("pc", "foes", "wild"))
    weights = st.integers(0, 9)
    people = [
        {"name": "Ann", "side": "pc", "zone": draw(zones), "weight": draw(weights)},
        {"name": "Xan", "side": "foes", "zone": draw(zones), "weight": draw(weights)},
    ]
    people += [
        {"name": f"Somebody {number}", "side": draw(sides), "zone": draw(zones), "weight": draw(weights)}
        for number in range(draw(st.integers(0, 4)))
    ]
    faces = st.lists(st.integers(-1, 1), min_size=4, max_size=4)
    kind = draw(st.sampled_from(("attack", "defend", "overcome")))
    action: Json = {
        "type": kind,
        "actor": "Ann",
        "target": "Xan",
        "roll": {"dice": draw(faces)},
        "weight_matters": draw(st.sampled_from((None, True))),
        "opposition": {"kind": "defend" if kind == "attack" else "active", "by": "Xan", "roll": {"dice": draw(faces)}},
    }
    if kind == "attack" and draw(st.booleans()):
        action["maneuver"] = "charge"
    return {"ruleset": "war-of-ashes", "scene": {"characters": people}, "action": action}


@given(request=crowds())
def test_weight_never_helps_the_lighter_side(request: Json) -> None:
    """It never turns a die of theirs, and never makes the total of the heavier one less."""
    ann, xan, *_ = request["scene"]["characters"]
    charges = "maneuver" in request["action"]
    place = xan["zone"] if charges else ann["zone"]
    there = [each for each in request["scene"]["characters"][1:] if each["zone"] == place]
    ours = ann["weight"] * (1 + charges) + sum(each["weight"] for each in there if each["side"] == "pc")
    theirs = sum(each["weight"] for each in there if each["side"] == "foes")
    meet = xan["zone"] == place
    plain = resolved({**request, "action": {**request["action"], "weight_matters": False}})
    told = resolved(request)

    gains = {side: told[side]["total"] - plain[side]["total"] for side in ("roll", "opposition")}
    event("weight counts" if any(gains.values()) else "no weight")
    heavier = ours >= 2 * theirs > 0, theirs >= 2 * ours > 0
    assert all(gain >= 0 for gain in gains.values())
    assert gains["roll"] == 0 or (meet and heavier[0])
    assert gains["opposition"] == 0 or (meet and heavier[1])
    assert ("weight" in told["roll"], "weight" in told["opposition"]) in ((False, False), (True, False), (False, True))


# Everything is reached.


class Enough(Exception):  # noqa: N818  it is no error
    """Ends the search once there is nothing more to find."""


def steered(request: Json, shifts: int) -> Json:
    """The same request, rolled so that it comes out by so many shifts."""
    copy = deepcopy(request)
    action = copy["action"]
    by = shifts - resolved(request)["shifts"]
    if "total" in action.get("roll", {}):
        action["roll"]["total"] += by
    else:
        action["bonus"] = action.get("bonus", 0) + by
    return copy


@pytest.mark.full
@pytest.mark.parametrize("ruleset", DEEDS)
def test_every_row_is_reached(ruleset: str) -> None:
    """The generator, with its rolls steered to every outcome, comes to each row of each packaged ruleset."""
    tables = packaged_ruleset(ruleset)
    wanted = {row.key for row in tables.rows if row.action in tables.actions}
    reached: set[tuple[Any, ...]] = set()

    @settings(
        max_examples=1000,
        phases=[Phase.generate],
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(request=requests(ruleset))
    def collect(request: Json) -> None:
        for shifts in (-1, 0, 1, 3, 7):
            answer = resolved(steered(request, shifts))
            action = answer["action"]
            row = tables.row(action["type"], action.get("variant"), answer["outcome"], action.get("maneuver"))
            reached.add(row.key)
            assert shifts == answer["shifts"]

        if wanted <= reached:
            raise Enough

    with suppress(Enough):
        collect()

    assert reached == wanted, f"tests/strategies.py draws no request for {wanted - reached}"
