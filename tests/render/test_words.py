"""The words for what the rules found: nothing of it is left unsaid, and nothing is said that they did not find."""

from collections.abc import Iterator
from typing import Any, get_args

import pytest

from narrator.render import change_phrases, phrases
from narrator.rules.request.scene import Character, Scene
from narrator.rules.resolve.resolution import MECHANICS, Absorption, Branch, FormOffer, Grant
from narrator.rules.ruleset.loader import packaged, packaged_ruleset
from narrator.rules.ruleset.row import Goal, GrantType
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.settle.changes import MARKS, ChangeType, Difference
from narrator.rules.settle.suggestion import Suggestion
from tests.render.answers import CAST, answers
from tests.rows import ROWS, Asking

GOAL_SAID: dict[Goal, tuple[str, ...]] = {
    "attained": ("attained",),
    "not_attained": ("not", "attained"),
    "lesser": ("lesser",),
    "opponent_decides": ("opponent",),
}


def said(given: FormOffer | Suggestion) -> str:
    """What goes with a form, in one text."""
    return "; ".join(phrases.mechanics(given))


def says(text: str, *parts: object) -> None:
    """Fail where a text does not have each of these."""
    unsaid = [str(part) for part in parts if str(part) not in text]
    assert not unsaid, f"render/words.py leaves {unsaid} unsaid: {text!r}"


def is_harm(given: FormOffer | Suggestion) -> bool:
    """Whether it is what a hit inflicts: who takes that, and what it gives whom, is said of the hit."""
    return given.severities is not None if isinstance(given, FormOffer) else given.kind == "consequence"


def found(given: FormOffer | Suggestion) -> list[object]:
    """All that the rules found of a form, but for who it is for."""
    if is_harm(given):
        return [given.severity] if isinstance(given, Suggestion) else [*(given.severities or ())]
    return [
        *([given.severity] if given.severity else []),
        *([given.amount] if given.amount else []),
        *(given.tracks or ()),
        *([given.free_invocations] if given.free_invocations else []),
        *([given.on] if given.on else []),
        *(GOAL_SAID[given.goal] if given.goal else ()),
        *(["GM"] if given.secret else []),
    ]


def whose(given: FormOffer | Suggestion) -> tuple[str, ...]:
    """Who gets its free invocations, or else whom it befalls."""
    to = (given.to,) if isinstance(given.to, str) else given.to or ()
    return given.holders or to if given.free_invocations else to


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_all_that_a_form_gives_is_said(row: Asking) -> None:
    """Of each form that a row offers, and of each suggestion for it: how much of what, of what kind, and for whom."""
    for answer in answers(row):
        offers = (offer for slot in answer.resolution.slots() for offer in slot.forms)
        both: list[FormOffer | Suggestion] = [*offers, *answer.suggestions]
        for given in both:
            text = said(given)
            is_own = bool(given.severity or given.amount) and not given.free_invocations  # the actor's, who is named
            is_own = is_own or is_harm(given)
            says(text, *found(given), *(() if is_own else whose(given)))
            assert text.isprintable()
            assert bool(text) == bool(found(given) or whose(given))


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_nobody_else_gets_the_free_invocations(row: Asking) -> None:
    """Of a failed roar's consequence the opposition holds the free invocation, and not whoever bears it."""
    for answer in answers(row):
        for given in (offer for slot in answer.resolution.slots() for offer in slot.forms):
            if given.free_invocations and not is_harm(given):
                named = {name for name in (*CAST.names, "GM") if name in said(given)}
                assert named == set(whose(given))


FULL: dict[str, Any] = {"form": "loss", "label": "Something lost", "to": ("Ann",), "holders": ("Ann",)}
FULL |= {"free_invocations": 1, "severity": "mild", "amount": 1, "tracks": ("mental",), "on": "Fog", "goal": "lesser"}
FULL |= {"secret": True}
OTHER: dict[str, Any] = {"free_invocations": 2, "severity": "severe", "amount": 2, "tracks": ("physical", "mental")}
OTHER |= {"holders": ("Bea",), "on": "Mud", "goal": "not_attained", "secret": None}


def test_every_mechanic_is_tried_here() -> None:
    """None that the table may give is forgotten."""
    assert not {*MECHANICS} ^ {*OTHER}, f"FULL and OTHER of this file have to tell {set(MECHANICS) ^ set(OTHER)}"


@pytest.mark.parametrize("field", MECHANICS)
def test_another_mechanic_is_said_otherwise(field: str) -> None:
    """Whatever a form gives, changing it changes the words, for an offer and for a suggestion alike."""
    offers = [FormOffer(**FULL), FormOffer(**{**FULL, field: OTHER[field]})]
    suggested = [
        Suggestion(slot="s", kind="minor_cost", detail="d", source="deck", form="loss", to="Ann", **mechanics)
        for mechanics in ({name: getattr(offer, name) for name in MECHANICS} for offer in offers)
    ]

    assert said(offers[0]) != said(offers[1])
    assert [said(each) for each in suggested] == [said(each) for each in offers]


@pytest.mark.parametrize("goal", get_args(Goal))
def test_each_goal_is_said_of_its_branch(goal: Goal) -> None:
    """With what the branch is called; only a goal that is not attained is said not to be."""
    text = phrases.branch(Branch(id="x", label="As it comes", goal=goal))

    says(text, "As it comes", *GOAL_SAID[goal])
    assert ("not" in text) == (goal == "not_attained")


# Grants.


def declared(ruleset: Ruleset) -> Iterator[str]:
    """The types of grants in a ruleset's rows and riders."""
    branches = (branch for row in ruleset.rows for branch in row.branches)
    yield from (grant.type for branch in branches for grant in branch.grants)
    yield from (grant.type for rider in ruleset.riders for grant in rider.grants)


HIT: dict[str, Any] = {
    "amount": 3,
    "track": "physical",
    "absorb": (Absorption(stress=2, consequences=("mild",)), Absorption(consequences=("moderate",))),
    "free_invocations": 1,
    "holders": ("Wolf",),
}

GRANTS: dict[str, dict[str, Any]] = {
    "free_invocations": {"amount": 1, "on": "Fog"},
    "hit": HIT,
    "stress": {"amount": 1},
    "legend_points": {"amount": 1},
    "forfeit_next_contest_roll": {},
    "move": {"amount": 1, "on": "Gate"},
    "may_move": {"amount": 1},
    "lethal_next_attack": {},
    "free_invocation_each_attack": {"amount": 1},
    "roar": {"approaches": ("Forceful", "Quick")},
    "loses_roar": {},
}
"""Each type of grant, with what the rules tell of it."""


def granted(type_: str, **changed: Any) -> str:
    """The words for a grant, all of it but for what is changed."""
    return phrases.grant(Grant(**{"type": type_, "to": ("Ann",), **GRANTS[type_], **changed}))


def test_every_type_of_grant_is_tried_here() -> None:
    """All that a ruleset may declare, and those of the packaged rulesets are among them."""
    rulesets = [packaged_ruleset(name) for name in packaged()]

    wanted = {*get_args(GrantType)} | {type_ for ruleset in rulesets for type_ in declared(ruleset)}
    assert not wanted ^ {*GRANTS}, f"GRANTS of this file has to tell {wanted ^ set(GRANTS)}"


@pytest.mark.parametrize("type_", GRANTS)
def test_each_type_of_grant_has_words_of_its_own(type_: str) -> None:
    """Nobody at the table reads the bare name of the rules, and no two types read alike."""
    texts = {each: granted(each) for each in GRANTS}

    assert texts[type_] != phrases.grant(Grant(type=type_, to=("Ann",))) or not GRANTS[type_]
    assert texts[type_] != f"Ann: {phrases.plain(type_)}"
    assert [each for each, text in texts.items() if text == texts[type_]] == [type_]
    assert texts[type_].isprintable()


CHANGED: list[tuple[str, str, Any]] = [
    *((type_, "to", ("Bea",)) for type_ in GRANTS),
    *((type_, "to", ("Ann", "Bea")) for type_ in GRANTS),
    *((type_, "amount", 2) for type_, told in GRANTS.items() if "amount" in told),
    ("free_invocations", "on", "Mud"),
    ("move", "on", "Ford"),
    ("move", "on", None),
    ("hit", "track", "mental"),
    ("hit", "track", None),
    ("hit", "absorb", ()),
    ("hit", "absorb", None),
    ("hit", "absorb", HIT["absorb"][:1]),
    ("hit", "absorb", (Absorption(stress=1, consequences=("mild",)), HIT["absorb"][1])),
    ("hit", "absorb", (Absorption(stress=2, consequences=("severe",)), HIT["absorb"][1])),
    ("hit", "free_invocations", 2),
    ("hit", "free_invocations", None),
    ("hit", "holders", ("Pup",)),
    ("roar", "approaches", ("Forceful",)),
    ("roar", "approaches", None),
]


def test_every_field_of_a_grant_is_tried_here() -> None:
    """None that the rules may tell is forgotten."""
    untried = Grant.model_fields.keys() - {field for _, field, _ in CHANGED} - {"type"}
    assert not untried, f"CHANGED of this file has to change {untried}"


@pytest.mark.parametrize(
    ("type_", "field", "value"), CHANGED, ids=[f"{place} {each[0]} {each[1]}" for place, each in enumerate(CHANGED)]
)
def test_another_grant_is_said_otherwise(type_: str, field: str, value: Any) -> None:
    """Whatever a grant gives, changing it changes the words; what is new in it is in them."""
    text = granted(type_, **{field: value})
    new = [value] if isinstance(value, str | int) else [each for each in value or () if isinstance(each, str)]

    assert text != granted(type_)
    says(text, *new)


def test_each_way_to_absorb_a_hit_is_said() -> None:
    """Boxes by their value, consequences by their level, that else it takes out, and what the attacker gets of it."""
    says(granted("hit"), "Ann", 3, "box 2", "mild", "moderate", "taken out", "Wolf", "1 free invocation")


def test_a_hit_that_nothing_absorbs_takes_out_and_one_of_an_untold_sheet_does_not() -> None:
    """The one is the rules' word, the other the table's."""
    assert "taken out" in granted("hit", absorb=())
    assert "taken out" not in granted("hit", absorb=None)
    assert "table" in granted("hit", absorb=None)


@pytest.mark.parametrize("type_", ["hit", "move", "may_move"])
def test_what_falls_away_names_the_swarm_and_nobody_else(type_: str) -> None:
    """Whoever acts is no swarm, and does not go along."""
    actor = phrases.fallen(Grant(type=type_, to=("Ann",)), "Ann")

    says(phrases.fallen(Grant(type=type_, to=("Pack",)), "Ann"), "Pack", "swarm")
    assert ("Ann" in actor, "swarm" in actor) == (True, False)


# What changed of a scene.

OPEN, ONE, BOTH = ({"boxes": [1, 2], "marked": marked} for marked in ([], [1], [1, 2]))
FOG: dict[str, Any] = {"name": "Fog", "free_invocations": {"Ann": 2}}

CHANGES: list[tuple[Difference, tuple[object, ...]]] = [
    (Difference(type="aspect", on="Fog", after=FOG), ("Fog", "Ann", 2)),
    (Difference(type="aspect", on="Fog", before=FOG), ("Fog", "gone")),
    (Difference(type="aspect", who="Wolf", on="Fog", after=FOG), ("Fog", "on Wolf", "Ann", 2)),
    (Difference(type="aspect", on="Mud", before=FOG, after={"name": "Mud"}), ("Fog", "Mud")),
    (Difference(type="aspect", who="Ann", on="Limp", before="Proud", after="Limp"), ("Ann", "Proud", "Limp")),
    (Difference(type="boost", on="Fog", after=FOG), ("boost", "Fog", "Ann", 2)),
    (Difference(type="boost", on="Fog", before=FOG), ("boost", "Fog", "gone")),
    (Difference(type="free_invocations", who="Ann", on="Fog", before=1, after=3), ("Ann", "Fog", 1, 3)),
    (Difference(type="free_invocations", who="Ann", on="Fog", before=1, after=0), ("Ann", "Fog", "no ")),
    (Difference(type="free_invocations", who="*", on="Fog", before=0, after=1), ("whoever", "Fog", 1)),
    (Difference(type="stress", who="Ann", on="mental", before=OPEN, after=ONE), ("Ann", "mental", "a box of 1")),
    (Difference(type="stress", who="Ann", on="mental", before=OPEN, after=BOTH), ("Ann", "mental", "boxes of 1 and 2")),
    (Difference(type="consequence", who="Ann", on="mild", after="Split Lip"), ("Ann", "mild", "Split Lip")),
    (
        Difference(type="consequence", who="Ann", on="mild", before="Bump", after="Scar"),
        ("Ann", "mild", "Bump", "Scar"),
    ),
    (Difference(type="taken_out", who="Ann", before=False, after=True), ("Ann", "taken out")),
    (Difference(type="fate_points", who="Ann", before=3, after=2), ("Ann", "fate", 3, 2)),
    (Difference(type="legend_points", who="Ann", before=0, after=1), ("Ann", "legend", 0, 1)),
    (Difference(type="zone", who="Ann", before="Ford", after="Gate"), ("Ann", "Gate")),
    (Difference(type="roar", who="Ann", after="Forceful"), ("Ann", "roar", "Forceful")),
    (Difference(type="roar", who="Ann", before="Forceful"), ("Ann", "roar", "over")),
    *((Difference(type="mark", who="Ann", on=mark, before=False, after=True), ("Ann",)) for mark in MARKS),
    *((Difference(type="mark", who="Ann", on=mark, before=True, after=False), ("Ann",)) for mark in MARKS),
    (Difference(type="fact", after="The Clerk: he writes."), ("The Clerk: he writes.",)),
    (Difference(type="entered", who="Ann", after={"name": "Ann"}), ("Ann", "Enter")),
    (Difference(type="entered", who="Ann", on="away", after={"name": "Ann"}), ("Ann", "Back")),
    (Difference(type="left", who="Ann", before={"name": "Ann"}), ("Ann", "Gone")),
    (Difference(type="left", who="Ann", on="away", before={"name": "Ann"}), ("Ann", "Away", "kept")),
    (Difference(type="renamed", who="Bea", before="Ann", after="Bea"), ("Ann", "Bea")),
    (Difference(type="renamed", who="Ann", on="mild", before="Bump", after="Bandage"), ("mild", "Bump", "Bandage")),
    (Difference(type="field", who="Ann", on="refresh", before=3, after=2), ("Ann", "refresh", 2)),
    (Difference(type="field", on="ended", after="session"), ("session", "over")),
    (Difference(type="field", on="zones", before=[], after=[{"name": "Ford"}]), ("Ford",)),
    (Difference(type="owed", who="Ann", before=1, after=3), ("Ann", 3, "owed", 1)),
    (Difference(type="owed", who="Ann", before=3, after=0), ("Ann", 3, "paid")),
    (Difference(type="conceded", who="Ann", before=False, after=True), ("Ann", "Conceded")),
    (Difference(type="conceded", who="Ann", before=True, after=False), ("Ann", "Back")),
    (Difference(type="recovering", who="Ann", on="mild", after=2), ("Ann", "mild", 2)),
    (Difference(type="cleared", who="Ann", on="mild", before="Bump"), ("Ann", "mild", "Bump")),
    (Difference(type="cleared", who="Ann", on="mental", before=BOTH, after=OPEN), ("Ann", "mental", "1 and 2")),
    (Difference(type="clock", on="Doom", after={"name": "Doom", "boxes": 4, "ticked": 1}), ("Doom", 1, 4)),
    (Difference(type="clock", on="Doom", after={"name": "Doom", "boxes": 4, "ticked": 4}), ("Doom", 4, "full")),
    (Difference(type="clock", on="Doom", before={"name": "Doom", "boxes": 4, "ticked": 4}), ("Doom", "gone")),
    (Difference(type="frame", after="contest"), ("a contest",)),
    (Difference(type="frame", before="contest"), ("A contest", "over")),
    (
        Difference(type="frame", on="contest", after={"sides": {"We": ["Ann"], "They": ["Bea"]}, "to": 3}),
        ("We", "They", 3),
    ),
    (Difference(type="frame", on="challenge", after={"tasks": [{"name": "Sing"}]}), ("Sing",)),
    (Difference(type="frame", on="conflict", after={"order": ["Ann", "Bea"]}), ("Ann, Bea",)),
    (Difference(type="frame", on="conflict", after={}), ("next",)),
    (Difference(type="exchange", on="conflict", before=1, after=2), ("Exchange 2",)),
    (Difference(type="exchange", on="contest", before={}, after={"We": 2}), ("We 2",)),
    (Difference(type="twist", on="contest"), ("tie", "twist")),
    (Difference(type="won", after="We"), ("We wins",)),
    (Difference(type="task", on="Sing", after={"name": "Sing"}), ("Sing",)),
    (
        Difference(type="task", on="Sing", after={"name": "Sing", "outcome": "succeed_with_style"}),
        ("Sing", "with style"),
    ),
    (Difference(type="turn", before="Ann", after="Bea"), ("Bea", "Turn")),
]


@pytest.mark.parametrize(
    ("made", "parts"), CHANGES, ids=[f"{place} {each.type}" for place, (each, _) in enumerate(CHANGES)]
)
def test_each_change_is_said(made: Difference, parts: tuple[object, ...]) -> None:
    """Whom it concerns, what of theirs, and what it has become; in one line, in words, and like no other change."""
    text = change_phrases.change(made)

    says(text, *parts)
    assert [word for word in ("None", "True", "False", "{", "_") if word in text] == []
    assert text.isprintable()
    assert [other for other, _ in CHANGES if other != made and change_phrases.change(other) == text] == []


@pytest.mark.parametrize(
    ("left", "ended", "gone"),
    [(1, None, "this scene"), (2, None, "the next scene"), (1, "scene", "the next scene"), (2, "scene", "the third")],
)
def test_it_is_said_when_a_consequence_is_gone(left: int, ended: Any, gone: str) -> None:
    """By the scenes that are still to be played, from where the table stands."""
    made = Difference(type="recovering", who="Ann", on="mild", after=left)

    assert f"gone when {gone}" in change_phrases.change(made, Scene(ended=ended), {"mild": "scene"})


def test_every_type_of_change_is_tried_here() -> None:
    """None that there may be is forgotten."""
    untried = {*get_args(ChangeType)} - {made.type for made, _ in CHANGES}
    assert not untried, f"CHANGES of this file has to have {untried}"


SHEET: dict[str, Any] = {
    "stress": {"physical": {"boxes": (1, 2), "marked": (2,)}},
    "consequences": ({"severity": "mild", "name": "Split Lip"}, {"severity": "severe"}),
    "fate_points": 2,
    "legend_points": 0,
    "roar": "Forceful",
    "lethal_next_attack": True,
    "forfeits_next_contest_roll": True,
    "disarmed": True,
    "taken_out": True,
}


@pytest.mark.parametrize("field", SHEET)
def test_what_has_befallen_somebody_is_said(field: str) -> None:
    """Each of it; and of who has nothing to tell, nothing."""
    plain = {"name": "Ann", "side": "pc"}

    assert phrases.state(Character.model_validate(plain)) == ""
    assert phrases.state(Character.model_validate({**plain, field: SHEET[field]})) in phrases.state(
        Character.model_validate({**plain, **SHEET})
    )
    assert phrases.state(Character.model_validate({**plain, field: SHEET[field]})) != ""
