"""What a payload says beside what it is about: its id, and how words are found; and each way to send it on a loop."""

import asyncio
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator import NarratorError, vtt
from narrator.api import registry
from narrator.rules.json_text import Json
from tests.asking import CLERK, CYNERE, GUARD, INK
from tests.fake_sources import Scripted
from tests.leaping import DEADLINE
from tests.payloads import FINDING, PAYLOADS
from tests.scripted_server import Reply, ScriptedServer, Wire, suggestions

pytestmark = pytest.mark.usefixtures("small")

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


# The id.


@pytest.mark.parametrize("call", [each for each in PAYLOADS if each != "stage"])
def test_an_id_comes_back_first_in_the_answer(call: str) -> None:
    """Beside all that the call gives without one."""
    payload = PAYLOADS[call]

    assert list(vtt.run({**payload, "id": "turn 7"}).items()) == [("id", "turn 7"), *vtt.run(payload).items()]


def test_the_id_of_staged_cards_is_theirs() -> None:
    """What is handed on of them goes by it, so the payload's comes back in an error alone."""
    staged = vtt.run(PAYLOADS["stage"])
    assert vtt.run({**PAYLOADS["stage"], "id": "turn 7"}) == staged != {}
    assert vtt.run({**PAYLOADS["stage"], "staged": None, "id": "turn 7"})["id"] == "turn 7"


@pytest.mark.parametrize("own", ["7", 7, 0, -1, 2.5, 2**53 - 1, "x" * 200], ids=clipped)
def test_an_id_is_a_text_or_a_number(own: object) -> None:
    """It comes back as it is, also by way of JSON text."""
    payload = {"call": "rulesets", "id": own}

    for found in (vtt.run(payload)["id"], vtt.run(json.dumps(payload))["id"]):
        assert (found, type(found)) == (own, type(own))


ASTRAY: list[Json] = [{}, {"call": "sing"}, {"call": "odds"}, {"call": "reach", "request": 1}, {**SUGGEST, "colour": 1}]


@pytest.mark.parametrize("payload", ASTRAY, ids=clipped)
def test_an_id_comes_back_first_in_an_error(payload: Json) -> None:
    """Whatever was wrong with the payload, and however it was sent."""
    payload = {**payload, "id": "turn 7"}
    error = vtt.run(payload)

    assert (list(error), error["id"]) == (["id", "error"], "turn 7")
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
    assert asyncio.run(vtt.arun(PAYLOADS[call])) == vtt.run(PAYLOADS[call])


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
        assert {each["source"] for each in vtt.run(SUGGEST)["suggestions"]} == {"openai:tiny"}
    assert len(server.requests) == 1


@pytest.mark.parametrize("call", FINDING)
def test_the_deck_may_be_the_source(call: str, serve: Serve) -> None:
    """Then nobody is asked, whoever is named in the environment."""
    with serve() as server:
        assert vtt.run({**PAYLOADS[call], "source": "deck"})["usage"]["calls"] == 0
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
def test_a_source_that_nobody_bears_is_refused(call: str, serve: Serve) -> None:
    """With the names that there are, and without what was said: a key, or an address, to which nothing is sent."""
    with serve() as server:
        for said in ("sk-s3cret", server.base_url):
            error = vtt.run({**PAYLOADS[call], "source": said})["error"]
            assert (error["code"], error["field"], error["allowed"]) == ("bad_request", "source", ["deck"])
            assert said not in str(error)
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
    """What the model did not find is the error then; and the deck is never strict: there would be nobody to ask."""
    with serve(Reply(NOTHING)):
        assert refused({**SUGGEST, "repairs": 0, "strict": True}) == ("no_words", "")
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


def test_who_makes_a_payloads_call_has_the_last_word() -> None:
    """What is given beside a payload counts more than what stands in it."""
    answer = registry.read_payload({**SUGGEST, "source": "nobody"}).make(source="deck").as_json()

    assert answer == vtt.run({**SUGGEST, "source": "deck"})


# In Python, where some calls have a twin that does not block.


def blocked(call: str, **options: Any) -> Any:
    """What a call gives."""
    request = (PAYLOADS.get(call) or PAYLOADS[call[1:]])["request"]
    return getattr(narrator, call)(**({"request": request} if "action" in request else request), **options)


def awaited(call: str, **options: Any) -> Any:
    """What its twin gives."""

    async def made() -> Any:
        return await blocked(f"a{call}", **options)

    return asyncio.run(made())


@pytest.mark.parametrize("call", FINDING)
def test_a_call_that_does_not_block_gives_what_its_twin_gives(call: str) -> None:
    """From the deck, and from a source that has words, and some that are refused."""
    assert awaited(call, source="deck") == blocked(call, source="deck")

    here, there = (way(call, source=Scripted([WORDS], [NOTHING])) for way in (blocked, awaited))
    assert there.usage.calls == here.usage.calls > 0
    # Each takes a time of its own.
    assert there.model_copy(update={"usage": here.usage}) == here


@pytest.mark.parametrize("call", FINDING)
@pytest.mark.parametrize("options", [{"source": "nobody"}, {"timeout": -1}, {"repairs": 11}, {"strict": 1}], ids=str)
def test_a_call_that_does_not_block_refuses_what_its_twin_refuses(call: str, options: Json) -> None:
    """With the same error."""
    with pytest.raises(NarratorError) as here:
        blocked(call, **options)
    with pytest.raises(NarratorError) as there:
        awaited(call, **options)

    assert here.value.as_json() == there.value.as_json()
