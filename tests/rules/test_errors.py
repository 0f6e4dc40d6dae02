"""Refusals: which code each mistake has, which field it names, and what would have been accepted."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

import narrator
from narrator import NarratorError
from narrator.errors import ERROR_CODES
from narrator.rules.json_text import Json
from tests.documents import DEEDS
from tests.rules.build import ANN, BEA, FRAMES, XAN, YVE, ask, refused, resolved
from tests.rules.test_worked_examples import BRIBE
from tests.strategies import at

LISTED = ["Yve", "Ann", "Xan", "Bea", "GM"]
ACTIONS = sorted({deed.type for deed in DEEDS["five-actions"]})
KINDS = sorted({kind for deeds in DEEDS.values() for deed in deeds for kind in (*deed.alone, *deed.on_target)})
VARIANTS = {deed.type: sorted(filter(None, deed.variants)) for deed in DEEDS["five-actions"]}

Path = tuple[str | int, ...]


def put(request: Json, path: Path, value: object) -> Json:
    """A copy of a request with a value at a path."""
    changed = deepcopy(request)
    at(changed, path[:-1])[path[-1]] = value
    return changed


def dotted(*path: str | int) -> str:
    return ".".join(map(str, path))


ROLLS: Json = {"roll": {"dice": [0, 0, 0, 0]}}
ACTIVE: Json = {"kind": "active", "by": "Xan", **ROLLS}


def invoking(*invocations: Json, **action: Any) -> Json:
    """Ann invokes on her roll; Rough Terrain is in play, and the Bridge, of which she holds a free invocation."""
    bridge = {"name": "Bridge", "free_invocations": {"Ann": 1, "*": 1}}
    people = [YVE, ANN | {"fate_points": 0}, XAN, BEA]
    here = {"aspects": [{"name": "Rough Terrain"}, bridge], "characters": people}
    return ask(here, invocations=list(invocations), **{**ROLLS, **action})


FREE_ROUGH: Json = {"aspect": "Rough Terrain"}
PAID_ROUGH: Json = {"aspect": "Rough Terrain", "pay": "fate_point"}
REROLL: Json = {"aspect": "Bridge", "use": "reroll"}


def with_ann(**sheet: object) -> Json:
    """A request with Ann's sheet changed; she stands first in the scene."""
    return ask({"characters": [ANN | sheet, XAN]})


def opposed(**more: Any) -> Json:
    """A request in which Xan rolls against Ann, but for what is given."""
    return ask(opposition=ACTIVE | more)


def passive(*invocations: Json) -> Json:
    """A request in which somebody invokes against Ann's roll, which is against a rating."""
    return ask(opposition={"kind": "passive", "rating": 2, "invocations": [*invocations]})


ROUGH_REROLL = REROLL | {"aspect": "Rough Terrain"}
BRIDGE = {"aspect": "Bridge"}
PAID_BY_BEA = PAID_ROUGH | {"by": "Bea"}
NOWHERE: Json = {"aspect": "Nowhere"}
WARY_TWICE: Json = {"characters": [ANN | {"aspects": ["Wary"]}, XAN | {"aspects": ["Wary"]}]}
EXISTING: Json = {"type": "create_advantage", "variant": "existing_aspect"}

WRONG_ROLLS: dict[str, tuple[object, str]] = {
    # what stands for a roll, and the part of it that is wrong
    "dice and total": ({"dice": [0, 0, 0, 0], "total": 1}, ""),
    "dice and sum": ({"dice": [0, 0, 0, 0], "sum": 0}, ""),
    "sum and total": ({"sum": 0, "total": 1}, ""),
    "a roll of nothing": ({}, ""),
    "three dice": ({"dice": [0, 0, 0]}, ".dice.3"),
    "five dice": ({"dice": [0, 0, 0, 0, 0]}, ".dice"),
    "a face of two": ({"dice": [0, 2, 0, 0]}, ".dice.1"),
    "a face of minus two": ({"dice": [-2, 0, 0, 0]}, ".dice.0"),
    "true": ({"dice": [0, 0, True, 0]}, ".dice.2"),
    "text": ({"dice": [0, 0, 0, "1"]}, ".dice.3"),
    "a decimal": ({"dice": [1.0, 0, 0, 0]}, ".dice.0"),
    "nothing for a face": ({"dice": [0, None, 0, 0]}, ".dice.1"),
    "a number": ({"dice": 1}, ".dice"),
    "a word": ({"dice": "0000"}, ".dice"),
}

REFUSALS: dict[str, dict[str, tuple[Json, str, list[str] | None]]] = {
    "bad_request": {
        "another version": (ask(request={"version": "narrator/v2"}), "version", ["narrator/v1"]),
        "no action": ({"action": None}, "action", None),
        "no actor": (ask(actor=None), "action.actor", None),
        "an actor without a name": (ask(actor=""), "action.actor", None),
        "no opposition": (ask(opposition=None), "action.opposition", None),
        "opposition of no kind": (ask(opposition={"by": "Xan"}), "action.opposition.kind", ["passive", "active"]),
        "unknown kind of opposition": (ask(opposition={"kind": "fate"}), "action.opposition.kind", KINDS),
        "a sum of five": (ask(roll={"sum": 5}), "action.roll.sum", None),
        "a sum of minus five": (opposed(roll={"sum": -5}), "action.opposition.roll.sum", None),
        "no rating": (ask(opposition={"kind": "passive"}), "action.opposition.rating", None),
        "somebody who is passive": (
            ask(opposition={"kind": "passive", "rating": 0, "by": "Xan"}),
            "action.opposition.by",
            ["kind", "rating", "invocations"],
        ),
        "attack without target or by": (ask(type="attack"), "action.target", None),
        "defended attack without target": (ask(type="attack", opposition={"kind": "defend"}), "action.target", None),
        "words for no suggestion": (ask(request={"per_slot": 0}), "per_slot", None),
        "more than ten suggestions": (ask(request={"per_slot": 11}), "per_slot", None),
        "unknown frame": (ask({"frame": "duel"}), "scene.frame", list(FRAMES[1:])),
        "an importance that there is not": (
            with_ann(importance="boss"),
            "scene.characters.0.importance",
            ["pc", "named", "nameless", "swarm", "unknown"],
        ),
        "unknown use": (invoking(FREE_ROUGH | {"use": "luck"}), "action.invocations.0.use", ["bonus", "reroll"]),
        "unknown payment": (invoking(FREE_ROUGH | {"pay": "gold"}), "action.invocations.0.pay", ["free", "fate_point"]),
        "nobody's side": (ask({"characters": [{"name": "Ann"}]}), "scene.characters.0.side", None),
        "a name twice": (ask({"characters": [ANN, XAN, ANN]}), "scene.characters.2.name", None),
        "a mark on no box": (
            with_ann(stress={"physical": {"boxes": [1, 2], "marked": [3]}}),
            "scene.characters.0.stress.physical",
            None,
        ),
        "unknown consequence level": (
            with_ann(consequences=[{"severity": "grim"}]),
            "scene.characters.0.consequences.0.severity",
            ["mild", "moderate", "severe"],
        ),
    },
    "unknown_ruleset": {"unknown ruleset": (ask(request={"ruleset": "chess"}), "ruleset", list(narrator.rulesets()))},
    "unsupported_action": {"unknown action": (ask(type="sing"), "action.type", ACTIONS)},
    "unknown_variant": {
        **{
            f"{kind} has no {variant}": (ask(type=kind, variant=variant, target="Xan"), "action.variant", known or None)
            for kind, known in VARIANTS.items()
            for variant in ("movement", "discover_aspect", "roar", "unseen_zone", "information")
            if variant not in known
        },
        **{
            f"there is no {maneuver}": (ask(maneuver=maneuver), "action.maneuver", None)
            for maneuver in ("push", "somersault")
        },
    },
    "not_in_frame": {
        f"attack in a {frame}": (
            ask({"frame": frame, "characters": [ANN, XAN]}, type="attack", target="Xan"),
            "action.type",
            [action for action in ACTIONS if action != "attack"],
        )
        for frame in ("challenge", "contest")
    },
    "unknown_branch": {
        "a branch of another outcome": (
            ask(roll={"total": -1}, request={"branch": "boost"}),
            "branch",
            ["fail", "serious_cost"],
        )
    },
    "unknown_character": {
        "unknown actor": (ask(actor="Zed"), "action.actor", LISTED),
        "unknown target": (ask(target="Zed"), "action.target", LISTED),
        "unknown helper": (ask(helpers=["Bea", "Zed"]), "action.helpers.1", LISTED),
        "unknown by": (opposed(by="Zed"), "action.opposition.by", LISTED),
        "unknown helper of the opposition": (opposed(helpers=["Zed"]), "action.opposition.helpers.0", LISTED),
        "unknown invoker": (invoking(FREE_ROUGH | {"by": "Zed"}), "action.invocations.0.by", LISTED),
        "unknown invoker of the opposition": (
            passive(FREE_ROUGH | {"by": "Zed"}),
            "action.opposition.invocations.0.by",
            LISTED,
        ),
        "unknown holder": (
            ask({"characters": [ANN, XAN], "aspects": [{"name": "Fog", "free_invocations": {"Zed": 1}}]}),
            "scene.aspects.0.free_invocations.Zed",
            ["Ann", "Xan", "GM", "*"],
        ),
    },
    "unknown_zone": {
        "unknown zone": (
            ask({"characters": [ANN | {"zone": "Attic"}], "zones": [{"name": "Yard"}, {"name": "Hall"}]}),
            "scene.characters.0.zone",
            ["Yard", "Hall"],
        )
    },
    "unknown_aspect": {
        "unknown aspect": (invoking(NOWHERE), "action.invocations.0.aspect", ["Bridge"]),
        "of the opposition": (opposed(invocations=[NOWHERE]), "action.opposition.invocations.0.aspect", None),
        "to be paid for": (invoking(PAID_BY_BEA | NOWHERE), "action.invocations.0.aspect", ["Rough Terrain", "Bridge"]),
        "the scene's own aspect, on somebody": (invoking(FREE_ROUGH | {"on": "Xan"}), "action.invocations.0.on", None),
        "an aspect of two bearers": (
            ask(WARY_TWICE, invocations=[{"aspect": "Wary"}]),
            "action.invocations.0.on",
            ["Ann", "Xan"],
        ),
        "existing aspect without an aspect": (ask(**EXISTING), "action.aspect", ["Rough Terrain"]),
        "existing aspect that is not in play": (ask(**EXISTING, **NOWHERE), "action.aspect", ["Rough Terrain"]),
    },
    "no_free_invocation": {
        "no free invocation but anyone's": (
            invoking(BRIDGE, FREE_ROUGH | {"by": "Bea"}),
            "action.invocations.1.aspect",
            ["Bridge"],
        ),
        "no free invocation left": (invoking(BRIDGE, BRIDGE, BRIDGE), "action.invocations.2.aspect", None),
    },
    "no_fate_point": {"no fate point": (invoking(PAID_ROUGH), "action.invocations.0.pay", None)},
    "already_invoked": {
        "paid for twice on a roll": (invoking(PAID_BY_BEA, PAID_BY_BEA), "action.invocations.1.aspect", None)
    },
    "bad_invocation": {
        "reroll of a told total": (invoking(REROLL, roll={"total": 2}), "action.invocations.0.use", ["bonus"]),
        "reroll of the opposition's told total": (
            opposed(roll={"total": 2}, invocations=[ROUGH_REROLL]),
            "action.opposition.invocations.0.use",
            ["bonus"],
        ),
        "reroll of a passive rating": (passive(ROUGH_REROLL), "action.opposition.invocations.0.use", ["bonus"]),
        "dice for a bonus": (invoking(BRIDGE | ROLLS["roll"]), "action.invocations.0", None),
    },
    "bad_dice": {
        **{f"actor: {name}": (ask(roll=roll), f"action.roll{at}", None) for name, (roll, at) in WRONG_ROLLS.items()},
        **{
            f"opposition: {name}": (opposed(roll=roll), f"action.opposition.roll{at}", None)
            for name, (roll, at) in WRONG_ROLLS.items()
        },
        "faces of a reroll": (invoking(REROLL | {"dice": [0, 0, 0, 3]}), "action.invocations.0.dice.3", None),
    },
    "bad_opposition": {
        "overcome against a roar": (
            ask(opposition={"kind": "roar", "rating": 3}),
            "action.opposition.kind",
            ["passive", "active"],
        ),
        "attack against a roar": (
            ask(type="attack", target="Xan", opposition={"kind": "roar", "rating": 3}),
            "action.opposition.kind",
            ["defend", "passive"],
        ),
    },
}
"""Requests by the code that refuses them, each with its field, and what would have been accepted."""


@pytest.mark.parametrize(
    ("code", "request_", "field", "allowed"),
    [
        pytest.param(code, *refusal, id=mistake)
        for code, mistakes in REFUSALS.items()
        for mistake, refusal in mistakes.items()
    ],
)
def test_each_mistake_has_its_code_its_field_and_its_remedy(
    code: str, request_: Json, field: str, allowed: list[str] | None
) -> None:
    """A refusal says what is wrong, where, and, where there is a list of it, what would have been right."""
    found = refused(request_)

    assert (code, field, sorted(allowed or ())) == (*found[:2], sorted(found[2] or ()))


def test_every_code_of_the_rules_is_tried() -> None:
    """No code that this ruleset can raise is left out above."""
    elsewhere = {"bad_choice", "bad_deck", "bad_ruleset", "internal_error", "no_words", "page_closed", "stale_scene"}
    elsewhere |= {"bad_campaign", "nothing_to_undo", "not_allowed", "too_busy", "unknown_page", "unsettled"}
    untried = set(ERROR_CODES) - elsewhere - set(REFUSALS)

    assert not untried, f"REFUSALS above wants a request that is refused with {sorted(untried)}"


# Who is known.


def test_any_name_is_taken_where_the_scene_lists_nobody() -> None:
    """A macro that knows little need not list anyone: every name in the action is somebody."""
    here = {"aspects": [{"name": "Fog", "free_invocations": {"*": 1, "Bea": 1}}]}
    ours, theirs = ({"invocations": [{"aspect": "Fog", "by": by}], **ROLLS} for by in ("Bea", "Yve"))
    against = {"kind": "active", "by": "Xan", "helpers": ["Yve"], **theirs}
    request = ask(here, target="Door", helpers=["Bea"], **ours, opposition=against)

    assert resolved(request)["outcome"] == "tie"


@pytest.mark.parametrize("field", ["actor", "target", "helpers", "by", "invocations"])
def test_the_game_master_is_always_known(field: str) -> None:
    """`GM` may stand wherever a name stands, whoever is listed."""
    given: Json = {
        "actor": ask(actor="GM"),
        "target": ask(target="GM"),
        "helpers": ask(helpers=["GM"], **ROLLS),
        "by": ask(opposition=ACTIVE | {"by": "GM"}),
        "invocations": invoking(PAID_ROUGH | {"by": "GM"}),
    }

    assert resolved(given[field])["outcome"]


# Null is absent; what is not known is refused; nothing is bent into shape.

FULL: Json = {
    **BRIBE,
    "seed": 7,
    "scene": BRIBE["scene"]
    | {
        "zones": [{"name": "Gatehouse", "adjacent": ["South Road"], "aspects": ["Narrow Arch"]}, {"name": "South Road"}]
    },
    "action": BRIBE["action"]
    | {
        "invocations": [
            {
                "aspect": "Torchlit Gate",
                "use": "reroll",
                "pay": "free",
                "by": "Cynere",
                "on": None,
                "dice": [1, 0, 0, 0],
            }
        ],
        "opposition": BRIBE["action"]["opposition"]
        | {"attribute": None, "bonus": 0, "helpers": [], "full_defense": False, "invocations": []},
    },
}

WORDS_OF_THE_USER = ("skills", "free_invocations", "stress")


def objects(value: object, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Every object of a request and its path, but for those whose keys are the user's words."""
    if isinstance(value, dict):
        if path[-1:] not in {(word,) for word in WORDS_OF_THE_USER}:
            yield path, value
        for key, each in value.items():
            yield from objects(each, (*path, key))
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from objects(each, (*path, place))


FIELDS: list[Path] = [(*path, key) for path, each in objects(FULL) for key in each]


def outcome_of(request: Json) -> Json | tuple[object, ...]:
    """The resolution, or what it was refused with."""
    try:
        return narrator.resolve(request).as_json()
    except NarratorError as error:
        return error.code, error.field.removeprefix("request."), error.allowed


@pytest.mark.parametrize("path", FIELDS, ids=lambda path: dotted(*path))
def test_null_is_the_same_as_absent(path: Path) -> None:
    """A field given as null counts as left out, whichever field it is."""
    absent = deepcopy(FULL)
    del at(absent, path[:-1])[path[-1]]

    assert outcome_of(absent) == outcome_of(put(FULL, path, None))


@pytest.mark.parametrize("path", [path for path, _ in objects(FULL)], ids=lambda path: dotted(*path) or "the whole")
def test_a_field_that_is_not_known_is_refused(path: Path) -> None:
    """A misspelt field is never passed over in silence; it is named with its path, and beside the fields there are."""
    code, field, allowed = refused(put(FULL, (*path, "bogus"), 1))

    assert (code, field) == ("bad_request", dotted(*path, "bogus"))
    assert set(at(FULL, path)) <= set(allowed or ())


@pytest.mark.parametrize("path", [("scene",), ("action",), ("scene", "characters", 0)], ids=lambda path: dotted(*path))
def test_dice_in_the_wrong_place_are_a_field_that_is_not_known(path: Path) -> None:
    """Dice belong in a roll; where no field of that name is, the place is wrong and not the faces."""
    assert refused(put(FULL, (*path, "dice"), [0, 0, 0, 0]))[:2] == ("bad_request", dotted(*path, "dice"))


WRONG: dict[type, list[object]] = {
    int: [True, "1", 1.0, [], {}],
    bool: [1, 0, "true", "no", []],
    str: [1, True, ["x"], {}],
    list: ["x", 1, {"x": 1}, True],
    dict: ["x", 1, [], True],
}


@pytest.mark.parametrize("path", FIELDS, ids=lambda path: dotted(*path))
def test_nothing_is_bent_into_shape(path: Path) -> None:
    """A value of another type is refused at its path: `true`, `"1"` and `1.0` are no numbers, and 1 is no text."""
    code = "bad_dice" if "dice" in path else "bad_request"

    for wrong in WRONG.get(type(at(FULL, path)), []):
        found = refused(put(FULL, path, wrong))
        assert (code, True) == (found[0], found[1].startswith(dotted(*path))), wrong


@pytest.mark.parametrize("value", [True, "1", 1.0])
@pytest.mark.parametrize(
    "path",
    [
        ("scene", "characters", 0, "skills", "Resources"),
        ("scene", "aspects", 0, "free_invocations", "Cynere"),
        ("scene", "characters", 0, "stress", "physical", "boxes", 0),
        ("scene", "characters", 0, "stress", "physical", "marked", 0),
    ],
    ids=lambda path: dotted(*path),
)
def test_numbers_in_the_users_own_words_are_numbers_too(path: Path, value: object) -> None:
    """A rating, a box or a count must be a whole number as any other field."""
    assert ("bad_request", dotted(*path)) == refused(put(FULL, path, value))[:2]


@pytest.mark.parametrize(
    "path",
    [("scene", "characters", 0, "skills", "dice"), ("scene", "aspects", 0, "free_invocations", "dice")],
    ids=lambda path: dotted(*path),
)
def test_a_user_may_call_anything_dice(path: Path) -> None:
    """A skill or a holder of that name is no throw, and a mistake about it is not one about dice."""
    assert ("bad_request", dotted(*path)) == refused(put(FULL, path, "many"))[:2]


@pytest.mark.parametrize(
    "given",
    [None, 7, [], [FULL], "", "{", "no JSON", "null", "[]", '{"action": }', b"\xff\xfe", "\ud800", "[" * 100_000],
    ids=lambda given: repr(given)[:20],
)
def test_what_is_no_request_is_refused(given: Any) -> None:
    """Whatever is not an object, or not JSON, is a bad request and nothing worse."""
    assert refused(given)[0] == "bad_request"


@pytest.mark.parametrize("kind", [str, bytes])
def test_json_text_is_taken_as_the_object_it_is(kind: type) -> None:
    """Text, bytes and mappings are read alike."""
    text = json.dumps(FULL)

    assert resolved(FULL) == narrator.resolve(text if kind is str else text.encode()).as_json()


@pytest.mark.parametrize(
    "path",
    [
        ("seed",),
        ("action", "bonus"),
        ("action", "roll", "total"),
        ("action", "opposition", "rating"),
        ("scene", "characters", 0, "skills", "Lore"),
    ],
    ids=lambda path: dotted(*path),
)
@pytest.mark.parametrize("number", [10**4000, -(10**4000), 10**5000], ids=["huge", "hugely negative", "huger"])
def test_no_number_is_too_much(path: Path, number: int) -> None:
    """A number of any size is resolved or refused, and never fails in the telling."""
    here: Json = {"characters": [ANN | {"skills": {"Lore": 1}}, XAN]}
    request = ask(here, skill="Lore", **({} if "total" in path else ROLLS))

    outcome = outcome_of(put(request, path, number))

    assert isinstance(outcome, tuple) or json.dumps(outcome)


# What resolves again must be told what was rolled.


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        pytest.param(invoking(roll=None), "action.roll", id="the actor's throw"),
        pytest.param(
            invoking(opposition={"kind": "active", "by": "Xan"}), "action.opposition.roll", id="the opposition's throw"
        ),
        pytest.param(invoking(REROLL), "action.invocations.0.dice", id="a reroll"),
    ],
)
def test_checking_words_wants_the_dice_that_were_rolled(request_: Json, field: str) -> None:
    """What resolves a second time refuses a request with neither dice nor seed: chance must not decide again."""
    with pytest.raises(NarratorError) as caught:
        narrator.check(request_, {})

    assert ("bad_dice", f"request.{field}") == (caught.value.code, caught.value.field)
