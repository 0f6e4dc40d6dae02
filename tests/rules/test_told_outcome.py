"""An outcome told in place of a roll: the row that it leads to, and nothing that would take dice to know."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given

import narrator
from narrator.rules.json_text import Json
from tests.rows import COMPANIES, ROWS, Asking
from tests.rules.build import ANN, XAN, ask, refused, resolved
from tests.rules.test_apply_properties import Chosen, plays


def told(request: Json, keep: tuple[str, ...] | None = None, /, **action: Any) -> Json:
    """The same request, with its outcome told in place of the roll; of what opposes it all, or only this much."""
    copy = deepcopy(request)
    copy["action"] = {key: value for key, value in copy["action"].items() if key != "roll"} | action
    if keep is not None:
        against = copy["action"].pop("opposition")
        copy["action"] |= {"opposition": {key: against[key] for key in keep if key in against}} if keep else {}
    return copy


def requests(row: Asking) -> list[Json]:
    """All that leads to a row."""
    people = ("many on both sides", "nobody listed", "the GM alone")
    return [request for each in people for request in row.requests(COMPANIES[each])]


def hits(branches: list[Json]) -> bool:
    """Whether somebody is hit on some branch."""
    return any(grant["type"] == "hit" for branch in branches for grant in branch["grants"])


# Asking by row.


@pytest.mark.full
@pytest.mark.parametrize("keep", [None, ("kind", "by"), ()], ids=["all", "kind and by", "nothing"])
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_an_outcome_with_its_shifts_leads_to_the_row_of_the_roll(row: Asking, keep: tuple[str, ...] | None) -> None:
    """Branch for branch and grant for grant where it is told what opposes; else it is an outcome all the same."""
    for request in requests(row):
        rolled = resolved(request)
        answer = resolved(told(request, keep, outcome=row.outcome, shifts=rolled["shifts"]))

        assert (answer["outcome"], answer["shifts"]) == (row.outcome, rolled["shifts"])
        if keep != ():
            assert answer["branches"] == rolled["branches"]
            assert answer["opposition"].items() <= rolled["opposition"].items() | {"invoked": 0, "bonus": 0}.items()


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_an_outcome_alone_leads_to_the_row_without_a_number(row: Asking) -> None:
    """As the least that the outcome could be by; where it hits it is refused, since a hit is of so many shifts."""
    for request in requests(row):
        rolled = resolved(request)
        alone = told(request, outcome=row.outcome)
        if hits(rolled["branches"]):
            assert refused(alone)[:2] == ("bad_request", "action.shifts")
        elif rolled["shifts"] > -3:
            answer = resolved(alone)
            assert (answer["outcome"], answer["branches"]) == (row.outcome, rolled["branches"])
            assert not {"roll", "shifts", "seed"} & answer.keys()
            assert not {"total", "ladder", "dice", "rolled", "skill"} & answer["opposition"].keys()


@given(play=plays())
def test_whatever_was_rolled_may_be_told(play: tuple[Json, Chosen, Json]) -> None:
    """Outcome and shifts in place of the rolls lead to the same branches, and a choice of them to the same scene."""
    request, chosen, after = play
    rolled = resolved(request)
    retold = told(request, outcome=rolled["outcome"], shifts=rolled["shifts"])

    assert resolved(retold)["branches"] == rolled["branches"]
    assert narrator.apply(retold, chosen.choice).as_json() == after


# What stands beside it.


def outcome(name: str, /, ruleset: str = "five-actions", scene: Json | None = None, **action: Any) -> Json:
    """Ann does something, and it comes out so; nothing is said of what opposes her."""
    return ask(scene, request={"ruleset": ruleset}, **{"roll": None, "opposition": None, "outcome": name, **action})


@pytest.mark.parametrize(
    ("ruleset", "action", "kind"),
    [
        ("five-actions", {}, "passive"),
        ("five-actions", {"target": "Xan"}, "passive"),
        ("five-actions", {"type": "defend"}, "passive"),
        ("five-actions", {"type": "create_advantage"}, "passive"),
        ("five-actions", {"type": "create_advantage", "target": "Xan"}, "defend"),
        ("five-actions", {"type": "attack", "target": "Xan"}, "defend"),
        ("coppermane", {"target": "Xan"}, "defend"),
        ("coppermane", {}, "passive"),
        ("five-actions", {"type": "attack", "opposition": {"by": "Xan"}}, "defend"),
        ("five-actions", {"opposition": {"kind": "passive"}}, "passive"),
        ("five-actions", {"opposition": {"kind": "active", "by": "Xan"}}, "active"),
        ("war-of-ashes", {"maneuver": "push", "opposition": {"kind": "defend", "by": "Xan"}}, "defend"),
    ],
)
def test_what_opposes_is_a_defend_where_there_is_somebody_to_make_it(ruleset: str, action: Json, kind: str) -> None:
    """Where there is a target and the action takes it; else it is passive, unless the kind is told."""
    assert resolved(outcome("tie", ruleset, **action))["opposition"]["kind"] == kind


STYLE = "succeed_with_style"
OUTCOMES = ["fail", "tie", "succeed", STYLE]


@pytest.mark.parametrize(
    ("request_", "field", "allowed"),
    [
        pytest.param(outcome("tie", roll={"total": 0}), "action.outcome", None, id="with a total"),
        pytest.param(outcome("tie", roll={"dice": [0, 0, 0, 0]}), "action.outcome", None, id="with dice"),
        pytest.param(outcome("succeed_with_stile"), "action.outcome", OUTCOMES, id="no outcome"),
        pytest.param(outcome("epic_success"), "action.outcome", OUTCOMES, id="another ruleset's"),
        pytest.param(outcome("tie", shifts=1), "action.shifts", None, id="a tie by one"),
        pytest.param(outcome("fail", shifts=2), "action.shifts", None, id="a failure by a success"),
        pytest.param(outcome("succeed", shifts=0), "action.shifts", None, id="a success by nothing"),
        pytest.param(outcome(STYLE, shifts=2), "action.shifts", None, id="a style by two"),
        pytest.param(outcome(STYLE, "coppermane", shifts=7), "action.shifts", None, id="a style that is epic"),
        pytest.param(ask(shifts=1), "action.shifts", None, id="shifts beside a roll"),
        pytest.param(ask(roll=None, shifts=1, request={"seed": 1}), "action.shifts", None, id="shifts alone"),
        pytest.param(outcome("succeed", type="attack", target="Xan"), "action.shifts", None, id="a hit of no shifts"),
        pytest.param(outcome("tie", type="attack"), "action.target", None, id="an attack on nobody"),
    ],
)
def test_what_does_not_go_with_an_outcome_is_refused(request_: Json, field: str, allowed: list[str] | None) -> None:
    """By the field that is wrong, with what would have been right where there is a list of it."""
    assert refused(request_) == ("bad_request", field, allowed)


@pytest.mark.parametrize(
    ("ruleset", "shifts", "better"),
    [
        ("five-actions", 3, "succeed_with_style"),
        ("five-actions", 9, "succeed_with_style"),
        ("coppermane", 6, "succeed_with_style"),
        ("coppermane", 7, "epic_success"),
    ],
)
def test_a_success_by_the_shifts_of_style_is_style(ruleset: str, shifts: int, better: str) -> None:
    """It resolves as what its shifts are in the ruleset, and a notice says so; an outcome told right has none."""
    found, right = (resolved(outcome(name, ruleset, shifts=shifts)) for name in ("succeed", better))

    assert [each for each in found["notices"] if each not in right["notices"]] == [
        f"A success by {shifts} counts as {better.replace('_', ' ')}."
    ]
    assert {**found, "notices": []} == {**right, "notices": []}


def test_a_mistyped_outcome_is_told_what_was_meant() -> None:
    """The nearest that there is."""
    with pytest.raises(narrator.NarratorError, match="mean succeed_with_style"):
        narrator.resolve(outcome("succed_with_style"))


ON_XAN: Json = {"type": "create_advantage", "target": "Xan", "opposition": {"kind": "defend", "by": "Xan"}}


@pytest.mark.parametrize(
    ("name", "action", "left_out"),
    [
        pytest.param("fail", ON_XAN, True, id="a defence in style"),
        pytest.param("fail", {"type": "discover", "variant": "new_information"}, True, id="a troubling aspect"),
        pytest.param("fail", {}, False, id="nothing that hangs on shifts"),
        pytest.param("fail", ON_XAN | {"shifts": -3}, False, id="shifts that are told"),
        pytest.param("tie", ON_XAN, False, id="an outcome that cannot be by so many"),
    ],
)
def test_what_hangs_on_shifts_stays_out_with_a_notice(name: str, action: Json, left_out: bool) -> None:
    """Nothing is granted that may not be due; whoever reads is told so."""
    answer = resolved(outcome(name, **action))
    slots = {slot["id"]: slot["forms"] for branch in answer["branches"] for slot in branch["slots"]}
    troubling = [form for forms in slots.values() for form in forms if form["form"] == "troubling_aspect"]

    assert bool(answer["notices"]) == left_out
    assert ("defender_boost" in slots) == (action.get("shifts") == -3)
    assert {form["free_invocations"] for form in troubling} <= {0}


# Invocations.

LAMP: Json = {
    "aspects": [{"name": "Lamp", "free_invocations": {"Ann": 1, "Xan": 1}}],
    "characters": [ANN | {"fate_points": 1}, XAN | {"importance": "named", "fate_points": 0}],
}

FREE: Json = {"aspect": "Lamp"}
PAID: Json = {"aspect": "Lamp", "pay": "fate_point", "use": "reroll"}


def invoked(ours: list[Json], theirs: list[Json], **action: Any) -> Json:
    """Ann ties against Xan, and both may have invoked."""
    against = {"kind": "active", "by": "Xan", "invocations": theirs}
    return outcome("tie", scene=LAMP, opposition=against, invocations=ours, **action)


@pytest.mark.parametrize(
    ("ours", "theirs", "code", "field"),
    [
        ([FREE, FREE], [], "no_free_invocation", "action.invocations.1.aspect"),
        ([PAID, PAID], [], "already_invoked", "action.invocations.1.aspect"),
        ([{"aspect": "Moon"}], [], "unknown_aspect", "action.invocations.0.aspect"),
        ([], [PAID], "no_fate_point", "action.opposition.invocations.0.pay"),
    ],
)
def test_what_cannot_be_paid_is_refused_as_ever(ours: list[Json], theirs: list[Json], code: str, field: str) -> None:
    """A told outcome buys nothing on credit."""
    assert refused(invoked(ours, theirs))[:2] == (code, field)


# Calls.


@pytest.mark.parametrize("call", [narrator.odds, narrator.reach])
@pytest.mark.parametrize("more", [{}, {"shifts": 0}], ids=["without shifts", "with them"])
def test_nothing_is_left_to_chance_of_an_outcome_that_is_told(call: Callable[[Json], object], more: Json) -> None:
    """There are no odds of it; and what is invoked there changes nothing, so nothing is promised of it."""
    with pytest.raises(narrator.NarratorError) as caught:
        call(invoked([], [], **more))

    assert (caught.value.code, caught.value.field) == ("bad_request", "request.action.outcome")


def test_words_are_found_checked_and_entered_without_dice_or_seed() -> None:
    """Suggest, check, settle and apply work from the outcome alone."""
    request = outcome("fail", scene=LAMP)
    answer = narrator.suggest(request, source="deck").as_json()
    words = answer["suggestions"][0]
    choice = {"branch": "serious_cost", "suggestions": [words]}

    assert "seed" not in answer["resolution"]
    assert narrator.check(request, words).accepted is not None
    assert narrator.settle(request, choice).scene == narrator.apply(request, choice)
