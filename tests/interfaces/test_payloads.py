"""What a payload says beside what it is about: its id, and how words are found; and each way to send it on a loop."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator import NarratorError, calls, vtt
from tests.asking import CLERK, CYNERE, GUARD, INK
from tests.fake_sources import Scripted
from tests.interfaces.test_schemas import HOW, WHOLE
from tests.interfaces.test_vtt_nonsense import NONSENSE
from tests.leaping import DEADLINE
from tests.rows import Json
from tests.scripted_server import Reply, ScriptedServer, Wire, suggestions

pytestmark = pytest.mark.usefixtures("small")

SCENE = CYNERE["scene"]
PAYLOADS: dict[str, Json] = {call: {"call": call, **parts} for call, parts in WHOLE.items()}
FINDING = ("suggest", "prepare", "word")
SUGGEST: Json = {"call": "suggest", "request": CYNERE}
WORDS = suggestions(GUARD, INK, CLERK)
NOTHING = suggestions()

Serve = Callable[..., ScriptedServer]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Make a server that answers so, and have the environment name its model."""

    def served(*steps: Any) -> ScriptedServer:
        server = ScriptedServer(*steps)
        monkeypatch.setenv("NARRATOR_MODEL", "tiny")
        monkeypatch.setenv("NARRATOR_BASE_URL", server.base_url)
        return server

    return served


def clipped(value: object) -> str:
    """A value as the name of a case."""
    return repr(value)[:20]


def refused(payload: Json) -> tuple[str, str]:
    """Code and field of a payload's error."""
    error = vtt.run(payload)["error"]
    return error["code"], error["field"]


def authors(answer: Json) -> set[str]:
    """Who wrote what is suggested."""
    return {each["source"] for each in answer["suggestions"]}


# The id.


@pytest.mark.parametrize("call", PAYLOADS)
def test_an_id_comes_back_first_in_the_answer(call: str) -> None:
    """Beside all that the call gives without one."""
    payload = PAYLOADS[call]

    assert list(vtt.run({**payload, "id": "turn 7"}).items()) == [("id", "turn 7"), *vtt.run(payload).items()]


@pytest.mark.parametrize("own", ["7", 7, 0, -1, 2.5, 2**53 - 1, "x" * 200], ids=clipped)
def test_an_id_is_a_text_or_a_number(own: object) -> None:
    """It comes back as it is, also by way of JSON text."""
    payload = {"call": "rulesets", "id": own}

    for sent in (payload, json.dumps(payload)):
        found = vtt.run(sent)["id"]
        assert (found, type(found)) == (own, type(own))


@pytest.mark.parametrize(
    "payload",
    [{}, {"call": "sing"}, {"call": "resolve"}, {"call": "resolve", "request": []}, {**SUGGEST, "colour": "red"}],
    ids=["nothing", "no such call", "no request", "a request that is none", "a part too many"],
)
def test_an_id_comes_back_first_in_an_error(payload: Json) -> None:
    """Whatever was wrong with the payload, and however it was sent."""
    payload = {**payload, "id": "turn 7"}
    error = vtt.run(payload)

    assert list(error) == ["id", "error"]
    assert error["id"] == "turn 7"
    assert error == vtt.run(json.dumps(payload)) == asyncio.run(vtt.arun(payload))


@pytest.mark.parametrize(
    "own",
    [[], ["turn 7"], {}, {"turn": 7}, float("nan"), float("inf"), "x" * 10_000, "", True, 10**400, b"7", object()],
    ids=lambda own: type(own).__name__ if type(own) is object else clipped(own),
)
def test_an_id_that_is_none_is_refused_and_not_repeated(own: object) -> None:
    """It is a text of a name's length, or a number that JSON can tell."""
    payload = {"call": "resolve", "request": CYNERE, "id": own}
    result = vtt.run(payload)

    assert list(result) == ["error"]
    assert (result["error"]["code"], result["error"]["field"].partition(".")[0]) == ("bad_request", "id")
    assert len(json.dumps(result, allow_nan=False)) < 2_000
    assert result == asyncio.run(vtt.arun(payload))


# On an event loop.


@pytest.mark.parametrize("call", PAYLOADS)
def test_arun_gives_what_run_gives(call: str) -> None:
    """For every call that there is."""
    assert PAYLOADS.keys() == calls.CALLS.keys()
    assert asyncio.run(vtt.arun(PAYLOADS[call])) == vtt.run(PAYLOADS[call])


@pytest.mark.parametrize("payload", NONSENSE.values(), ids=NONSENSE)
def test_arun_refuses_what_run_refuses(payload: Any) -> None:
    """In the same words."""
    assert asyncio.run(vtt.arun(payload)) == vtt.run(payload)


def test_a_fault_of_ours_is_told_on_a_loop_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """As such, without its innards."""

    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("the innards")

    monkeypatch.setattr("narrator.api.rolls.resolve", broken)
    result = asyncio.run(vtt.arun(PAYLOADS["resolve"]))

    assert result["error"]["code"] == "internal_error"
    assert "the innards" not in str(result)


def answered_while_others_work(payload: Json, breathed: threading.Event) -> Json:
    """What a payload gives whose call waits until something else on its loop has had a turn."""

    async def both() -> Json:
        asyncio.get_running_loop().call_later(0.01, breathed.set)
        return await vtt.arun(payload)

    return asyncio.run(both())


def test_the_loop_goes_on_while_rules_are_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that asks nobody works beside the loop."""
    breathed, resolve = threading.Event(), narrator.resolve

    def patient(*parts: Any, **more: Any) -> Any:
        assert breathed.wait(DEADLINE), "the loop stood still"
        return resolve(*parts, **more)

    monkeypatch.setattr("narrator.api.rolls.resolve", patient)

    assert "error" not in answered_while_others_work(PAYLOADS["resolve"], breathed)


@pytest.mark.parametrize("call", FINDING)
def test_the_loop_goes_on_while_a_model_writes(call: str, serve: Serve) -> None:
    """So does everything else on it."""
    breathed = threading.Event()

    def patient(wire: Wire) -> None:
        assert breathed.wait(DEADLINE), "the loop stood still"
        Reply(NOTHING)(wire)

    with serve(patient) as server:
        answer = answered_while_others_work({**PAYLOADS[call], "repairs": 0}, breathed)

    assert "error" not in answer
    assert len(server.requests) == 1


# How words are found.


def test_a_model_that_the_environment_names_is_asked_where_no_source_is_said(serve: Serve) -> None:
    """As by every call."""
    with serve(Reply(WORDS)) as server:
        assert authors(vtt.run(SUGGEST)) == {"openai:tiny"}
    assert len(server.requests) == 1


@pytest.mark.parametrize("call", FINDING)
def test_the_deck_may_be_the_source(call: str, serve: Serve) -> None:
    """Then nobody is asked, whoever is named in the environment."""
    with serve() as server:
        answer = vtt.run({**PAYLOADS[call], "source": "deck"})

    assert answer["usage"]["calls"] == 0
    assert server.requests == []


def test_a_source_of_the_config_file_is_asked_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its address stands there, and not in a payload."""
    request = {**CYNERE, "ruleset": "five-actions"}
    with ScriptedServer(Reply(WORDS)) as server:
        told = f'[sources.mine]\nmodel = "tiny"\nbase_url = "{server.base_url}"\n'
        (tmp_path / "config.toml").write_text(told, "utf-8")
        monkeypatch.setenv("NARRATOR_CONFIG", str(tmp_path))
        vtt.run({**SUGGEST, "request": request, "source": "mine", "repairs": 0})

    assert [each.model for each in server.requests] == ["tiny"]


@pytest.mark.parametrize("call", FINDING)
def test_a_source_that_nobody_bears_is_refused(call: str) -> None:
    """With the names that there are, and without what was said, which may be a key."""
    error = vtt.run({**PAYLOADS[call], "source": "sk-s3cret"})["error"]

    assert (error["code"], error["field"], error["allowed"]) == ("bad_request", "source", ["deck"])
    assert "s3cret" not in str(error)


@pytest.mark.parametrize("call", FINDING)
def test_an_address_is_no_source(call: str, serve: Serve) -> None:
    """A payload from anywhere sends nothing anywhere."""
    with serve() as server:
        assert refused({**PAYLOADS[call], "source": server.base_url}) == ("bad_request", "source")
    assert server.requests == []


@pytest.mark.parametrize("call", FINDING)
def test_a_timeout_is_kept(call: str, serve: Serve) -> None:
    """When it is up, the answer says so, and the deck has what is missing."""
    with serve(Wire.hang):
        answer = vtt.run({**PAYLOADS[call], "timeout": 0.2})

    assert any("0.2" in each for each in answer["notices"])


def test_repairs_are_counted(serve: Serve) -> None:
    """A model that has nothing to say is asked so much more often."""
    for repairs in (0, 2):
        with serve(*[Reply(NOTHING)] * 3) as server:
            vtt.run({**SUGGEST, "repairs": repairs})
        assert len(server.requests) == 1 + repairs


def test_strict_keeps_the_deck_out(serve: Serve) -> None:
    """What the model did not find is the error then."""
    with serve(Reply(NOTHING)):
        assert refused({**SUGGEST, "repairs": 0, "strict": True}) == ("no_words", "")


def test_the_deck_is_never_strict() -> None:
    """There would be nobody to ask."""
    assert refused({**SUGGEST, "source": "deck", "strict": True}) == ("bad_request", "strict")


NO_WAY: list[tuple[str, object]] = [
    *(("source", 7), ("source", ["deck"]), ("source", {"model": "tiny"}), ("source", ""), ("source", "x" * 10_000)),
    *(("timeout", -1), ("timeout", 3_601), ("timeout", "5"), ("timeout", True), ("timeout", float("nan"))),
    *(("repairs", -1), ("repairs", 11), ("repairs", 1.5), ("repairs", "1"), ("repairs", True)),
    *(("strict", 1), ("strict", "yes"), ("strict", [])),
]


@pytest.mark.parametrize(("part", "value"), NO_WAY, ids=clipped)
@pytest.mark.parametrize("call", FINDING)
def test_what_is_no_way_to_find_words_is_refused(call: str, part: str, value: object) -> None:
    """With the part that says it."""
    assert refused({**PAYLOADS[call], part: value}) == ("bad_request", part)


@pytest.mark.parametrize("part", sorted(HOW))
@pytest.mark.parametrize("call", sorted(PAYLOADS.keys() - {*FINDING}))
def test_who_finds_no_words_takes_no_way_to_find_them(call: str, part: str) -> None:
    """It is a field that there is not."""
    error = vtt.run({**PAYLOADS[call], part: "deck"})["error"]

    assert (error["code"], error["field"]) == ("bad_request", part)
    assert error["message"].startswith("no such field")


def test_who_makes_a_payloads_call_has_the_last_word() -> None:
    """What is given beside a payload counts more than what stands in it."""
    answer = calls.read({**SUGGEST, "source": "nobody"}).make(source="deck").as_json()

    assert answer == vtt.run({**SUGGEST, "source": "deck"})


# In Python.

TWINS: dict[str, tuple[Callable[..., Any], Callable[..., Awaitable[Any]], tuple[Any, ...]]] = {
    "suggest": (narrator.suggest, narrator.asuggest, (CYNERE,)),
    "prepare": (narrator.prepare, narrator.aprepare, (CYNERE, 0.2)),
    "word": (narrator.word, narrator.aword, (SCENE, "consequence", "Cynere")),
}


def awaited(call: Callable[..., Awaitable[Any]], *parts: Any, **options: Any) -> Any:
    """What a call that does not block gives."""

    async def made() -> Any:
        return await call(*parts, **options)

    return asyncio.run(made())


@pytest.mark.parametrize(("blocking", "waiting", "parts"), TWINS.values(), ids=TWINS)
def test_a_call_that_does_not_block_gives_what_its_twin_gives(
    blocking: Callable[..., Any], waiting: Callable[..., Awaitable[Any]], parts: tuple[Any, ...]
) -> None:
    """From the deck, and from a source that has words, and some that are refused."""
    more: Json = {"deal": 3} if blocking is narrator.word else {}
    assert awaited(waiting, *parts, source="deck", **more) == blocking(*parts, source="deck", **more)

    sources = [Scripted([WORDS], [NOTHING]) for _ in range(2)]
    here, there = blocking(*parts, source=sources[0], **more), awaited(waiting, *parts, source=sources[1], **more)
    assert there.usage.calls == here.usage.calls > 0
    # Each takes a time of its own.
    assert there.model_copy(update={"usage": here.usage}) == here


@pytest.mark.parametrize(("blocking", "waiting", "parts"), TWINS.values(), ids=TWINS)
@pytest.mark.parametrize("options", [{"source": "nobody"}, {"timeout": -1}, {"repairs": 11}, {"strict": 1}], ids=str)
def test_a_call_that_does_not_block_refuses_what_its_twin_refuses(
    blocking: Callable[..., Any], waiting: Callable[..., Awaitable[Any]], parts: tuple[Any, ...], options: Json
) -> None:
    """With the same error."""
    with pytest.raises(NarratorError) as here:
        blocking(*parts, **options)
    with pytest.raises(NarratorError) as there:
        awaited(waiting, *parts, **options)

    assert here.value.as_json() == there.value.as_json()
