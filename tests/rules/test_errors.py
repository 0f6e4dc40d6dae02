"""Refusals: which code each mistake has, which field it names, and what would have been accepted."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

import narrator
from narrator import NarratorError
from narrator.errors import CODES
from tests.rules.build import ANN, BEA, FRAMES, SCENE, XAN, YVE, Json, ask, refused, resolved
from tests.rules.test_worked_examples import BRIBE
from tests.strategies import at

LISTED = ["Yve", "Ann", "Xan", "Bea", "GM"]
ACTIONS = ["attack", "create_advantage", "defend", "discover", "overcome"]
KINDS = ["passive", "aspects", "active", "defend", "movement", "unseen_zone", "roar"]
VARIANTS = {
    "overcome": [],
    "discover": ["information", "aspect", "new_information"],
    "create_advantage": ["new_aspect", "existing_aspect"],
    "attack": [],
    "defend": [],
}

Path = tuple[str | int, ...]


def put(request: Json, path: Path, value: object) -> Json:
    """A copy of a request with a value at a path."""
    changed = deepcopy(request)
    place: Any = changed
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
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


REFUSALS = [
    # Shape.
    pytest.param(
        ask(request={"version": "narrator/v2"}), "bad_request", "version", ["narrator/v1"], id="another version"
    ),
    pytest.param({"action": None}, "bad_request", "action", None, id="no action"),
    pytest.param(ask(actor=None), "bad_request", "action.actor", None, id="no actor"),
    pytest.param(ask(actor=""), "bad_request", "action.actor", None, id="an actor without a name"),
    pytest.param(ask(opposition=None), "bad_request", "action.opposition", ["passive", "active"], id="no opposition"),
    pytest.param(
        ask(opposition={"by": "Xan"}),
        "bad_request",
        "action.opposition.kind",
        ["passive", "active"],
        id="opposition of no kind",
    ),
    pytest.param(
        ask(opposition={"kind": "fate"}),
        "bad_request",
        "action.opposition.kind",
        KINDS,
        id="unknown kind of opposition",
    ),
    pytest.param(ask(opposition={"kind": "passive"}), "bad_request", "action.opposition.rating", None, id="no rating"),
    pytest.param(
        ask(opposition={"kind": "passive", "rating": 0, "by": "Xan"}),
        "bad_request",
        "action.opposition.by",
        ["kind", "rating", "invocations"],
        id="somebody who is passive",
    ),
    pytest.param(ask(type="attack"), "bad_request", "action.target", None, id="attack without target or by"),
    pytest.param(
        ask(type="attack", opposition={"kind": "defend"}),
        "bad_request",
        "action.target",
        None,
        id="defended attack without target or by",
    ),
    pytest.param(ask(request={"per_slot": 0}), "bad_request", "per_slot", None, id="words for no suggestion"),
    pytest.param(ask(request={"per_slot": 11}), "bad_request", "per_slot", None, id="more than ten suggestions"),
    pytest.param(ask({"frame": "duel"}), "bad_request", "scene.frame", list(FRAMES[1:]), id="unknown frame"),
    pytest.param(
        ask({"characters": [ANN | {"importance": "boss"}]}),
        "bad_request",
        "scene.characters.0.importance",
        ["pc", "named", "nameless", "swarm", "unknown"],
        id="an importance that there is not",
    ),
    pytest.param(
        invoking(FREE_ROUGH | {"use": "luck"}),
        "bad_request",
        "action.invocations.0.use",
        ["bonus", "reroll"],
        id="unknown use",
    ),
    pytest.param(
        invoking(FREE_ROUGH | {"pay": "gold"}),
        "bad_request",
        "action.invocations.0.pay",
        ["free", "fate_point"],
        id="unknown payment",
    ),
    pytest.param(
        ask({"characters": [{"name": "Ann"}]}), "bad_request", "scene.characters.0.side", None, id="nobody's side"
    ),
    pytest.param(
        ask({"characters": [ANN, XAN, ANN]}), "bad_request", "scene.characters.2.name", None, id="a name twice"
    ),
    pytest.param(
        with_ann(stress={"physical": {"boxes": [1, 2], "marked": [3]}}),
        "bad_request",
        "scene.characters.0.stress.physical",
        None,
        id="a mark on no box",
    ),
    pytest.param(
        with_ann(consequences=[{"severity": "grim"}]),
        "bad_request",
        "scene.characters.0.consequences.0.severity",
        ["mild", "moderate", "severe"],
        id="unknown consequence level",
    ),
    # Rulesets, actions, variants, frames, branches.
    pytest.param(
        ask(request={"ruleset": "chess"}), "unknown_ruleset", "ruleset", list(narrator.rulesets()), id="unknown ruleset"
    ),
    pytest.param(ask(type="sing"), "unsupported_action", "action.type", ACTIONS, id="unknown action"),
    *(
        pytest.param(
            ask(type=kind, variant=variant, target="Xan"),
            "unknown_variant",
            "action.variant",
            known,
            id=f"{kind} has no {variant}",
        )
        for kind, known in VARIANTS.items()
        for variant in ("movement", "discover_aspect", "roar", "unseen_zone", "information")
        if variant not in known
    ),
    *(
        pytest.param(ask(maneuver=maneuver), "unknown_variant", "action.maneuver", [], id=f"there is no {maneuver}")
        for maneuver in ("push", "pull", "charge", "full_attack", "full_defense", "somersault")
    ),
    *(
        pytest.param(
            ask({"frame": frame, "characters": [ANN, XAN]}, type="attack", target="Xan"),
            "not_in_frame",
            "action.type",
            ["create_advantage", "defend", "discover", "overcome"],
            id=f"attack in a {frame}",
        )
        for frame in ("challenge", "contest")
    ),
    pytest.param(
        ask(roll={"total": -1}, request={"branch": "boost"}),
        "unknown_branch",
        "branch",
        ["fail", "serious_cost"],
        id="a branch of another outcome",
    ),
    # Opposition.
    *(
        pytest.param(
            ask(type=kind, opposition={"kind": against, **more}),
            "bad_opposition",
            "action.opposition.kind",
            allowed,
            id=f"{kind} against {against}",
        )
        for kind, allowed in {
            "overcome": ["passive", "active"],
            "discover": ["passive", "active"],
            "create_advantage": ["passive", "active"],
            "defend": ["active", "passive"],
        }.items()
        for against, more in {
            "defend": {"by": "Xan", **ROLLS},
            "aspects": {},
            "movement": {},
            "unseen_zone": {"base": 2},
            "roar": {"rating": 3},
        }.items()
    ),
    *(
        pytest.param(
            ask(type=kind, target="Xan", opposition={"kind": against, **more}),
            "bad_opposition",
            "action.opposition.kind",
            ["defend", "passive"],
            id=f"{kind} on a character against {against}",
        )
        for kind in ("create_advantage", "attack")
        for against, more in {"active": {"by": "Xan", **ROLLS}, "roar": {"rating": 3}}.items()
    ),
    # People and places.
    pytest.param(ask(actor="Zed"), "unknown_character", "action.actor", LISTED, id="unknown actor"),
    pytest.param(ask(target="Zed"), "unknown_character", "action.target", LISTED, id="unknown target"),
    pytest.param(ask(helpers=["Bea", "Zed"]), "unknown_character", "action.helpers.1", LISTED, id="unknown helper"),
    pytest.param(
        ask(opposition=ACTIVE | {"by": "Zed"}), "unknown_character", "action.opposition.by", LISTED, id="unknown by"
    ),
    pytest.param(
        ask(opposition=ACTIVE | {"helpers": ["Zed"]}),
        "unknown_character",
        "action.opposition.helpers.0",
        LISTED,
        id="unknown helper of the opposition",
    ),
    pytest.param(
        invoking(FREE_ROUGH | {"by": "Zed"}),
        "unknown_character",
        "action.invocations.0.by",
        LISTED,
        id="unknown invoker",
    ),
    pytest.param(
        ask(opposition={"kind": "passive", "rating": 0, "invocations": [FREE_ROUGH | {"by": "Zed"}]}),
        "unknown_character",
        "action.opposition.invocations.0.by",
        LISTED,
        id="unknown invoker of the opposition",
    ),
    pytest.param(
        ask({"characters": [ANN, XAN], "aspects": [{"name": "Fog", "free_invocations": {"Zed": 1}}]}),
        "unknown_character",
        "scene.aspects.0.free_invocations.Zed",
        ["Ann", "Xan", "GM", "*"],
        id="unknown holder",
    ),
    pytest.param(
        ask({"characters": [ANN | {"zone": "Attic"}], "zones": [{"name": "Yard"}, {"name": "Hall"}]}),
        "unknown_zone",
        "scene.characters.0.zone",
        ["Yard", "Hall"],
        id="unknown zone",
    ),
    # Aspects and invocations.
    pytest.param(
        invoking({"aspect": "Nowhere"}),
        "unknown_aspect",
        "action.invocations.0.aspect",
        ["Bridge", "Rough Terrain"],
        id="unknown aspect",
    ),
    pytest.param(
        ask(opposition=ACTIVE | {"invocations": [{"aspect": "Nowhere"}]}),
        "unknown_aspect",
        "action.opposition.invocations.0.aspect",
        ["Rough Terrain"],
        id="unknown aspect of the opposition",
    ),
    pytest.param(
        ask(
            {"characters": [ANN | {"aspects": ["Wary"]}, XAN | {"aspects": ["Wary"]}]}, invocations=[{"aspect": "Wary"}]
        ),
        "unknown_aspect",
        "action.invocations.0.on",
        ["Ann", "Xan"],
        id="an aspect of two bearers",
    ),
    pytest.param(
        ask(type="create_advantage", variant="existing_aspect"),
        "unknown_aspect",
        "action.aspect",
        ["Rough Terrain"],
        id="existing aspect without an aspect",
    ),
    pytest.param(
        ask(type="create_advantage", variant="existing_aspect", aspect="Nowhere"),
        "unknown_aspect",
        "action.aspect",
        ["Rough Terrain"],
        id="existing aspect that is not in play",
    ),
    pytest.param(
        invoking(FREE_ROUGH),
        "no_free_invocation",
        "action.invocations.0.aspect",
        ["Bridge"],
        id="no free invocation of that aspect",
    ),
    pytest.param(
        invoking({"aspect": "Bridge"}, FREE_ROUGH | {"by": "Bea"}),
        "no_free_invocation",
        "action.invocations.1.aspect",
        ["Bridge"],
        id="no free invocation but anyone's",
    ),
    pytest.param(
        invoking({"aspect": "Bridge"}, {"aspect": "Bridge"}, {"aspect": "Bridge"}),
        "no_free_invocation",
        "action.invocations.2.aspect",
        [],
        id="no free invocation left",
    ),
    pytest.param(
        ask(
            {
                "aspects": [{"name": "Wary"}, {"name": "Wary", "on": "Xan", "free_invocations": {"Ann": 1}}],
                "characters": [ANN, XAN],
            },
            invocations=[{"aspect": "Wary"}],
        ),
        "no_free_invocation",
        "action.invocations.0.aspect",
        [],
        id="a free invocation of another bearer's aspect",
    ),
    pytest.param(invoking(PAID_ROUGH), "no_fate_point", "action.invocations.0.pay", None, id="no fate point"),
    pytest.param(
        invoking(PAID_ROUGH | {"by": "Bea"}, PAID_ROUGH | {"by": "Bea"}),
        "already_invoked",
        "action.invocations.1.aspect",
        None,
        id="paid for twice on a roll",
    ),
    pytest.param(
        invoking(REROLL, roll={"total": 2}),
        "bad_invocation",
        "action.invocations.0.use",
        ["bonus"],
        id="reroll of a told total",
    ),
    pytest.param(
        ask(opposition=ACTIVE | {"roll": {"total": 2}, "invocations": [REROLL | {"aspect": "Rough Terrain"}]}),
        "bad_invocation",
        "action.opposition.invocations.0.use",
        ["bonus"],
        id="reroll of the opposition's told total",
    ),
    pytest.param(
        ask(opposition={"kind": "passive", "rating": 2, "invocations": [REROLL | {"aspect": "Rough Terrain"}]}),
        "bad_invocation",
        "action.opposition.invocations.0.use",
        ["bonus"],
        id="reroll of a passive rating",
    ),
    pytest.param(
        invoking({"aspect": "Bridge", "use": "bonus", "dice": [0, 0, 0, 0]}),
        "bad_invocation",
        "action.invocations.0",
        None,
        id="dice for a bonus",
    ),
    # Dice.
    *(
        pytest.param(put(ask(opposition=ACTIVE), path, value), "bad_dice", dotted(*path[:-1], *more), None, id=name)
        for side, path in {"actor": ("action", "roll"), "opposition": ("action", "opposition", "roll")}.items()
        for name, value, path, more in [
            (f"{side}: dice and total", {"dice": [0, 0, 0, 0], "total": 1}, path, ("roll",)),
            (f"{side}: a roll of nothing", {}, path, ("roll",)),
            (f"{side}: three dice", {"dice": [0, 0, 0]}, path, ("roll", "dice", 3)),
            (f"{side}: five dice", {"dice": [0, 0, 0, 0, 0]}, path, ("roll", "dice")),
            (f"{side}: a face of two", {"dice": [0, 2, 0, 0]}, path, ("roll", "dice", 1)),
            (f"{side}: a face of minus two", {"dice": [-2, 0, 0, 0]}, path, ("roll", "dice", 0)),
            (f"{side}: true", {"dice": [0, 0, True, 0]}, path, ("roll", "dice", 2)),
            (f"{side}: text", {"dice": [0, 0, 0, "1"]}, path, ("roll", "dice", 3)),
            (f"{side}: a decimal", {"dice": [1.0, 0, 0, 0]}, path, ("roll", "dice", 0)),
            (f"{side}: nothing for a face", {"dice": [0, None, 0, 0]}, path, ("roll", "dice", 1)),
            (f"{side}: a number", {"dice": 1}, path, ("roll", "dice")),
            (f"{side}: a word", {"dice": "0000"}, path, ("roll", "dice")),
        ]
    ),
    pytest.param(
        invoking(REROLL | {"dice": [0, 0, 0, 3]}),
        "bad_dice",
        "action.invocations.0.dice.3",
        None,
        id="faces of a reroll",
    ),
]


@pytest.mark.parametrize(("request_", "code", "field", "allowed"), REFUSALS)
def test_each_mistake_has_its_code_its_field_and_its_remedy(
    request_: Json, code: str, field: str, allowed: list[str] | None
) -> None:
    """A refusal says what is wrong, where, and, where there is a list of it, what would have been right."""
    assert (code, field, allowed) == refused(request_)


def test_every_code_of_the_rules_is_tried() -> None:
    """No code that this ruleset can raise is left out above."""
    elsewhere = {"bad_choice", "bad_deck", "bad_ruleset", "internal_error", "stale_scene"}

    assert set(CODES) - elsewhere == {param.values[1] for param in REFUSALS}


@pytest.mark.parametrize("frame", [None, "conflict", "contest_under_fire"])
def test_attacks_have_their_place(frame: str | None) -> None:
    """An attack is taken in a conflict, in a contest under fire, and where no frame is told."""
    answer = resolved(ask(SCENE | {"frame": frame}, type="attack", target="Xan"))

    assert answer["outcome"] == "succeed"


# Who is known.

NAMED_EVERYWHERE: Json = {
    "scene": {},
    "action": {
        "type": "overcome",
        "actor": "Ann",
        "target": "Door",
        "helpers": ["Bea"],
        "invocations": [{"aspect": "Fog", "by": "Bea"}],
        **ROLLS,
        "opposition": {
            "kind": "active",
            "by": "Xan",
            "helpers": ["Yve"],
            "invocations": [{"aspect": "Fog", "by": "Yve"}],
            **ROLLS,
        },
    },
}


def test_any_name_is_taken_where_the_scene_lists_nobody() -> None:
    """A macro that knows little need not list anyone: every name in the action is somebody."""
    request = NAMED_EVERYWHERE | {"scene": {"aspects": [{"name": "Fog", "free_invocations": {"*": 1, "Bea": 1}}]}}

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
        return error.code, error.field, error.allowed


@pytest.mark.parametrize("path", FIELDS, ids=lambda path: dotted(*path))
def test_null_is_the_same_as_absent(path: Path) -> None:
    """A field given as null counts as left out, whichever field it is."""
    null = put(FULL, path, None)
    absent = deepcopy(null)
    place: Any = absent
    for part in path[:-1]:
        place = place[part]
    del place[path[-1]]

    assert outcome_of(absent) == outcome_of(null)


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
    value: Any = FULL
    for part in path:
        value = value[part]
    code = "bad_dice" if "dice" in path else "bad_request"

    for wrong in WRONG.get(type(value), []):
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
    [
        ("scene", "characters", 0, "skills", "dice"),
        ("scene", "aspects", 0, "free_invocations", "dice"),
    ],
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
    against = {"kind": "passive", "rating": -1}
    here: Json = {"characters": [ANN | {"skills": {"Lore": 1}}, XAN]}
    request = ask(
        here, skill="Lore", roll={"total": 1} if "total" in path else {"dice": [0, 0, 0, 1]}, opposition=against
    )

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

    assert ("bad_dice", field) == (caught.value.code, caught.value.field)


def test_an_existing_aspect_of_two_bearers_is_refused_by_a_field_that_exists() -> None:
    """An action has no field for a bearer, so the refusal must name the aspect."""
    here = {"characters": [ANN | {"aspects": ["Wary"]}, XAN | {"aspects": ["Wary"]}]}

    found = outcome_of(ask(here, type="create_advantage", variant="existing_aspect", aspect="Wary"))

    assert isinstance(found, dict) or found[:2] == ("unknown_aspect", "action.aspect")


def test_an_error_reads_as_one_line() -> None:
    """What is printed has code, field and remedy, and what is sent has them apart."""
    with pytest.raises(NarratorError) as caught:
        narrator.resolve(ask(type="sing"))

    text = str(caught.value)
    assert "\n" not in text
    assert all(part in text for part in ("unsupported_action", "action.type", *ACTIONS))
