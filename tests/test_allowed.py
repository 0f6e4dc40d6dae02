"""What an error allows would be taken as it stands: put at the field that is refused, it is refused there no more."""

import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given

import narrator
from narrator import NarratorError, vtt
from narrator.config import Config
from narrator.errors import ERROR_CODES
from narrator.rules.json_text import Json
from narrator.rules.toml_file import read_toml
from narrator.sources.settings import Settings
from tests.interfaces.running import run
from tests.rules.build import ANN, BEA, XAN, YVE, ask
from tests.rules.test_aftermath import EXISTING, MISFITS, MOVE, PUSH, choose, scene, turn
from tests.rules.test_errors import ACTIVE, PAID_ROUGH, REFUSALS, invoking
from tests.rules.test_reading import MISSPELT, UNKNOWN, WORDS
from tests.strategies import misspelt_requests, spoilt_requests

KEYS = ("no such field", "takes no such part", "the scene lists nobody with this name")
"""Messages of which it is the name of the field that is refused."""


def refused(payload: Json) -> Json | None:
    """The error of a payload; None where it is taken."""
    error: Json | None = vtt.run(payload).get("error")
    assert error is None or error.get("allowed") != [], "nothing to take is no list"
    return error


def found(value: object, parts: Sequence[str]) -> tuple[str | int, ...]:
    """The path in a value that a dotted one means: a name in it may have dots, and what is missing has none."""
    if not parts:
        return ()
    if isinstance(value, list):
        number = int(parts[0])
        return (number, *found(value[number] if number < len(value) else None, parts[1:]))
    names = value if isinstance(value, dict) else {}
    length = next((n for n in range(len(parts), 0, -1) if ".".join(parts[:n]) in names), 1)
    name = ".".join(parts[:length])
    if value is None and name.isdigit():
        return (int(name), *found(None, parts[1:]))
    return (name, *found(names.get(name), parts[length:]))


def place_of(payload: Json, error: Json) -> tuple[str | int, ...]:
    """The path of an error's field in the payload."""
    return found(payload, error["field"].split("."))


def with_word(payload: Json, error: Json, word: str) -> Json:
    """The payload with a word that would be taken in place of what is refused: a name where that is the name of a
    field, else the text itself.
    """
    *path, last = place_of(payload, error)
    copy = deepcopy(payload)
    holder: Any = copy
    for part, then in zip(path, [*path, last][1:], strict=True):
        empty: Any = [] if isinstance(then, int) else {}
        if isinstance(holder, list) and part == len(holder):
            holder.append(empty)
        elif isinstance(holder, dict) and holder.get(part) is None:
            holder[part] = empty
        holder = holder[part]
    if is_key(error):
        holder[word] = holder.pop(last)
    elif isinstance(holder, list) and last == len(holder):
        holder.append(word)
    else:
        holder[last] = word
    return copy


def is_key(error: Json) -> bool:
    """Whether it is the name of a field that is refused."""
    return any(each in error["message"] for each in KEYS)


def is_refused_again(payload: Json, error: Json, word: str) -> bool:
    """Whether a word that is allowed is refused in its turn, in the same place."""
    then = refused(with_word(payload, error, word))
    if then is None:
        return False
    if is_key(error):
        before = error["field"].removesuffix(str(place_of(payload, error)[-1]))
        return is_key(then) and then["field"] == f"{before}{word}"
    return then["field"] == error["field"] and then["code"] in (error["code"], "bad_request")


def wrong_words(payload: Json) -> list[str]:
    """What is allowed in place of what is refused, and would not be taken."""
    error = refused(payload)
    words = error.get("allowed", ()) if error is not None else ()
    return [word for word in words if is_refused_again(payload, error or {}, word)]


def resolve(request: Json, **beside: Any) -> Json:
    return {"call": "resolve", "request": request, **beside}


def settle(misfit: Json, choice: Json, **beside: Any) -> Json:
    return {"call": "settle", "request": misfit, "choice": choice, **beside}


def struck(choice: Json) -> Json:
    """Settle a hit by one."""
    return settle(ask({"characters": [ANN, XAN | {"importance": "named"}]}, **STRIKES), choice)


def word(**request: Any) -> Json:
    return {"call": "word", "request": {"scene": HERE, **request}}


OUT: Json = YVE | {"taken_out": True}
HERE: Json = {"aspects": [{"name": "Fog"}], "characters": [ANN, BEA, XAN, OUT]}
STRIKES: Json = {"type": "attack", "target": "Xan", "opposition": {"kind": "defend", "roll": {"total": 0}}}
ORDER: Json = {"scene": {"characters": [ANN | {"skills": {"Quick": 1}}, OUT]}, "approach": "Quick"}
MIST: Json = {"hindering": ["Mist", "Mud"]}
SWARM: Json = {"name": "Rats", "side": "wild", "importance": "swarm", "weight": 9, "zone": "Yard"}
GAP: Json = {"name": "Gap", "boost": True, "free_invocations": {"Ann": 1}}
SEVERE: Json = {"slot": "consequence", "form": "inflicted_consequence", "severity": "severe"}
SEVERE |= {"name": "Cut", "detail": "Blood runs."}
BORNE = [{"name": "Wary", "on": name, "free_invocations": {"Ann": 1}} for name in ("Ann", "Xan")]

ASKED: dict[str, tuple[str, Json]] = {
    # the code that refuses it, and a payload
    "no such call": ("bad_request", {"call": "resolv", "request": ask()}),
    "a part of another call": ("bad_request", resolve(ask(), choice=choose("fail"))),
    "a part that no call takes": ("bad_request", resolve(ask(), colour="red")),
    "a misspelt part": ("bad_request", {"call": "resolve", "reqest": ask()}),
    "a part without a call": ("bad_request", {"colour": "red", "request": ask()}),
    "no words of this kind": ("bad_request", word(kind="hope")),
    "a consequence of nobody": ("unknown_character", word(kind="consequence", about="Zed")),
    "no ruleset for a word": ("unknown_ruleset", word(kind="twist", ruleset="chess")),
    "nobody's reach": ("unknown_character", {"call": "reach", "request": ask(HERE), "by": "Zed"}),
    "nobody leads": ("unknown_character", {"call": "turn_order", "request": ORDER | {"first": ["Ann", "Zed"]}}),
    "no side acts together": ("bad_request", {"call": "turn_order", "request": ORDER | {"together": ["wild"]}}),
    "no approach": ("bad_request", {"call": "turn_order", "request": ORDER | {"approach": "Slow"}}),
    "no approach for a tie": ("bad_request", {"call": "turn_order", "request": ORDER | {"ties": ["Slow"]}}),
    "nobody acts, and somebody is out": ("unknown_character", resolve(ask(HERE, actor="Zed"))),
    "nobody helps, and somebody is out": ("unknown_character", resolve(ask(HERE, helpers=["Zed"]))),
    "an actor who is out": ("bad_request", resolve(ask(HERE, actor="Yve"))),
    "a target who is out": ("bad_request", resolve(ask(HERE, **STRIKES | {"target": "Yve"}))),
    "a helper who is out": ("bad_request", resolve(ask(HERE, helpers=["Yve"]))),
    "an opponent who is out": ("bad_request", resolve(ask(HERE, opposition=ACTIVE | {"by": "Yve"}))),
    "nobody bears an aspect": ("unknown_character", resolve(ask(HERE | {"aspects": [{"name": "Fog", "on": "Zed"}]}))),
    "a misspelt skill": (
        "bad_request",
        resolve(ask({"characters": [ANN | {"skills": {"Fight": 2}}, XAN]}, skill="Figth", roll=None)),
    ),
    "a misspelt track": ("bad_request", resolve(ask(HERE, **STRIKES, attack={"track": "physicla"}))),
    "no such outcome": ("bad_request", resolve(ask(HERE, roll=None, outcome="win"))),
    "no such outcome, beside a roll": ("bad_request", resolve(ask(HERE, outcome="win"))),
    "an aspect that does not hinder": (
        "unknown_aspect",
        resolve(ask(HERE, request={"ruleset": "aspect-difficulty"}, opposition=MIST | {"kind": "aspects"})),
    ),
    "an aspect off the path": ("unknown_aspect", resolve(turn(**MOVE | {"opposition": MIST | {"kind": "movement"}}))),
    "a zone off the path": ("unknown_zone", resolve(turn(**MOVE | {"path": ["Yard", "Moon"]}))),
    "a swarm that is in nobody's way": (
        "bad_opposition",
        resolve(
            turn(scene(characters=[SWARM, XAN | {"zone": "Yard"}]), **MOVE | {"actor": "Rats", "opposition": ACTIVE})
        ),
    ),
    "an aspect that is paid for, and not in play": (
        "unknown_aspect",
        resolve(invoking(PAID_ROUGH | {"aspect": "Mist", "by": "Bea"})),
    ),
    "an aspect of two, and one that is not in play": (
        "unknown_aspect",
        resolve(ask({"aspects": BORNE, "characters": [ANN, XAN]}, invocations=[{"aspect": "Mist", "on": "Xan"}])),
    ),
    "a boost that is paid for": (
        "bad_invocation",
        resolve(ask({"characters": [ANN], "aspects": [GAP]}, invocations=[{"aspect": "Gap", "pay": "fate_point"}])),
    ),
    "a page of an older scene": (
        "stale_scene",
        settle(ask(HERE | {"revision": 3}), choose("succeed"), expect_revision=1),
    ),
    "a hit that is absorbed by nothing": ("bad_choice", struck(choose("hit"))),
    "a hit that is absorbed, and takes out": (
        "bad_choice",
        struck(choose("hit", absorb={"stress": 1}, taken_out=True)),
    ),
    "boxes that make no way": ("bad_choice", struck(choose("hit", absorb={"boxes": [2, 2]}))),
    "words for a level that is not taken": (
        "bad_choice",
        struck(choose("hit", SEVERE, absorb={"consequences": ["mild", "grim"]})),
    ),
    "a level without a name": ("bad_choice", struck(choose("hit", absorb={"stress": 7}))),
    "who gains is said by a place in the list": (
        "bad_choice",
        settle(turn(**EXISTING), choose("invocation", grants=[{"index": 0, "to": "Xan"}])),
    ),
    "a way that leads out of the scene": (
        "bad_choice",
        settle(
            turn(
                scene(zones=[{"name": "Yard", "adjacent": ["Hall", "Moon"]}, {"name": "Hall", "adjacent": ["Yard"]}]),
                **PUSH,
            ),
            choose("succeed"),
        ),
    ),
    **{f"{code}: {name}": (code, resolve(case[0])) for code, some in REFUSALS.items() for name, case in some.items()},
    **{f"misspelt: {name}": ("bad_request", resolve(case[0])) for name, case in {**MISSPELT, **UNKNOWN}.items()},
    **{f"a word: {name}": ("bad_request", resolve(case[0])) for name, case in WORDS.items()},
    **{f"settled: {name}": ("bad_choice", settle(turn(**case.action), case.choice)) for name, case in MISFITS.items()},
}
"""Payloads that are refused: one at least for each place that says what would be taken, or ought not to."""


@pytest.mark.parametrize(("code", "payload"), ASKED.values(), ids=ASKED)
def test_what_is_allowed_is_taken_where_it_was_refused(code: str, payload: Json) -> None:
    """Each word, put at the field as it stands, is not refused there again: at most something else is wrong then."""
    error = refused(payload)

    assert error is not None
    assert error["code"] == code
    assert wrong_words(payload) == []


BARE = {"already_invoked", "bad_dice", "bad_ruleset", "bad_deck", "internal_error", "no_fate_point", "no_words"}
BARE |= {
    "page_closed",
    "stale_scene",
    "nothing_to_undo",
    "bad_campaign",
    "unknown_page",
    "unsettled",
    "not_allowed",
    "too_busy",
}
"""The codes that come without a list."""


def test_every_code_with_a_list_is_tried() -> None:
    """The payloads above have one for each of them; a code without a list never has one."""
    listed = {code for code, payload in ASKED.values() if "allowed" in (refused(payload) or {})}

    assert not (both := listed & BARE), f"take {both} out of BARE, since a list comes with them"
    assert not (missing := {*ERROR_CODES} - listed - BARE), f"give ASKED a payload for {missing}, or BARE their names"


@given(request=misspelt_requests() | spoilt_requests())
def test_what_is_allowed_is_taken_whatever_was_wrong(request: Json) -> None:
    """Of any request that is spoilt; but for a name that no path can tell, such as one without end."""
    payload = resolve(request)
    error = refused(payload)
    event("resolved" if error is None else error["code"])
    if error is None or (is_key(error) and not error["field"].isprintable()):
        return
    if "'" not in error["field"].rpartition(".")[2]:
        assert wrong_words(payload) == []


SAID: dict[str, Callable[[str], object]] = {
    "a source": lambda word: narrator.suggest(ask(), source=word),
    "a manner": lambda word: Settings("m", manner=word),  # type: ignore[arg-type]
    "a field of a source": lambda word: read_toml(Config, f'sources.mine.{word} = "m"', "config.toml", "bad_request"),
    "a ruleset": lambda word: narrator.table(word, "overcome"),
    "an action": lambda word: narrator.table("five-actions", word),
    "a kind of words": lambda word: narrator.word({}, word, "Ann"),  # type: ignore[arg-type]
}
"""What is told in Python alone, or in a file."""


@pytest.mark.parametrize("tell", SAID.values(), ids=SAID)
def test_what_is_allowed_in_python_is_taken(tell: Callable[[str], object]) -> None:
    """Each word in place of one that is not known."""
    with pytest.raises(NarratorError) as caught:
        tell("nonesuch")

    assert caught.value.allowed
    for word in caught.value.allowed:
        tell(word)


ACTS = "overcome --actor Ann"
SCENE = {"characters": [ANN | {"aspects": ["Wary"]}, BEA, XAN | {"aspects": ["Wary"]}, OUT]}

TYPED = {
    # the last word of it is refused
    "a rating": f"{ACTS} --total 1 --against Grate",
    "the rating of a skill": f"{ACTS} --against 1 --skill Lore=Grate",
    "a variant": "discover --actor Ann --total 1 --against 1 --variant roar",
    "a maneuver": f"{ACTS} --total 1 --ruleset war-of-ashes --by X --maneuver pusch",
    "an outcome": f"{ACTS} --outcome win",
    "who helps": f"{ACTS} --total 1 --against 1 --helper Beaa",
}

UNLISTED = {
    "no four dice": f"{ACTS} --against 1 --dice +",
    "two rolls": f"{ACTS} --against 1 --total 1 --fail",
    "shifts alone": f"{ACTS} --against 1 --shifts 1",
    "an aspect of two bearers": f"{ACTS} --total 1 --against 1 --invoke Wary",
    "a kind of opposition": f"{ACTS} --ruleset war-of-ashes --maneuver full_attack --tie --with Quick",
}


def typed(scene: Path, *words: str) -> Json | None:
    """What a typed request is refused with."""
    told: Json = json.loads(run("resolve", *words, "--scene", str(scene), "--json").out)
    return told.get("error")


@pytest.fixture(scope="module")
def scene_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scene in which it is typed."""
    path = tmp_path_factory.mktemp("scene") / "scene.json"
    path.write_text(json.dumps(SCENE), "utf-8")
    return path


@pytest.mark.parametrize("words", TYPED.values(), ids=TYPED)
def test_what_is_allowed_at_an_option_can_be_typed_there(words: str, scene_file: Path) -> None:
    """In place of the word that is refused: what is wrong then, if anything, is wrong elsewhere."""
    *most, last = words.split()
    error = typed(scene_file, *most, last)

    assert error is not None
    assert (error["field"], error.get("allowed", []) != []) == (most[-1], True)
    for word in error["allowed"]:
        then = typed(scene_file, *most, word)
        assert then is None or then["field"] != error["field"], word


@pytest.mark.parametrize("words", UNLISTED.values(), ids=UNLISTED)
def test_what_would_go_elsewhere_is_not_listed_at_an_option(words: str, scene_file: Path) -> None:
    """Words for another option, or for a part of what is typed, are told by the message alone."""
    error = typed(scene_file, *words.split())

    assert error is not None
    assert error["field"].startswith("--")
    assert "allowed" not in error
