"""The same call by every door, and what comes of it."""

import json
from typing import Any

import pytest

from narrator import NarratorError, vtt
from narrator.api.registry import CALLS, read_payload
from narrator.rules.json_text import Json
from tests.payloads import PAYLOADS
from tests.server.running import Serving


def without_time(told: Any) -> Any:
    """The same without the seconds that it took."""
    if isinstance(told, dict):
        return {name: without_time(each) for name, each in told.items() if name != "seconds"}
    return [without_time(each) for each in told] if isinstance(told, list) else told


@pytest.mark.parametrize("call", PAYLOADS)
def test_the_same_payload_gives_the_same_by_every_door(call: str, serving: Serving) -> None:
    """Python, macros and HTTP give one JSON."""
    payload = {**PAYLOADS[call], "source": "deck"} if "suggest" in call else PAYLOADS[call]
    answer = serving.ask(f"/v1/{call}", {**payload, "id": "mine"})
    by_python = json.loads(json.dumps(read_payload(payload).make().as_json()))

    assert answer.status == 200
    assert without_time(answer.body) == without_time({"id": "mine", **by_python})
    assert without_time(vtt.run({**payload, "id": "mine"})) == without_time(answer.body)


@pytest.mark.parametrize("call", CALLS)
def test_what_is_wrong_is_told_the_same_by_every_door(call: str, serving: Serving) -> None:
    """The error's object, with the payload's id and the status 400."""
    payload = {**PAYLOADS[call], "requst": 1, "id": 7}
    answer = serving.ask(f"/v1/{call}", payload)

    assert answer.status == 400
    assert answer.body == vtt.run(payload)
    assert answer.body["id"] == 7
    with pytest.raises(NarratorError):
        read_payload(payload)


@pytest.mark.parametrize("call", ["suggest", "stage"])
def test_a_call_that_finds_words_comes_as_events(call: str, serving: Serving) -> None:
    """Each has the payload's id; the last is what the call gives otherwise."""
    payload: Json = {**PAYLOADS[call], "source": "deck"}
    with serving.events(f"/v1/{call}", payload) as events:
        told = list(events)

    assert [each["event"] for each in told][-1] == "done"
    assert without_time(told[-1]["done"]) == without_time(vtt.run(payload))


def test_an_event_has_the_id_of_its_payload(serving: Serving) -> None:
    """Whoever has many open tells them apart."""
    with serving.events("/v1/suggest", {**PAYLOADS["suggest"], "source": "deck", "id": "a"}) as events:
        assert {each["id"] for each in events} == {"a"}


@pytest.mark.parametrize(
    ("path", "body", "method", "status"),
    [
        ("/v1/nothing", {}, None, 404),
        ("/v1/resolve", None, "GET", 405),
        ("/page/fly", {}, None, 404),
        ("/page/note", {"text": "no list"}, None, 400),
        ("/static/nothing.css", None, None, 404),
        ("/static/..%2Fdocument.py", None, None, 404),
        ("/v1/resolve", b"{", None, 400),
        ("/v1/resolve", {"call": "odds"}, None, 400),
        ("/v1/campaigns/nobody/scene", None, None, 404),
        ("/v1/campaigns/harbour/settle", {"page": "p900", "choice": {}}, None, 400),
        ("/v1/campaigns/harbour/move", {"request": {"move": {"type": "fly"}}}, None, 400),
        ("/v1/campaigns/harbour/note", {"text": "late", "expect_revision": 999}, None, 409),
        ("/v1/campaigns/harbour/entries?after=-1", None, None, 400),
        ("/v1/campaigns/harbour/entries?befor=1", None, None, 400),
    ],
)
def test_every_status_comes_with_the_object_of_an_error(
    path: str, body: Any, method: str | None, status: int, serving: Serving
) -> None:
    """A program reads what is wrong wherever it is wrong."""
    answer = serving.ask(path, body, method)

    assert answer.status == status
    assert answer.body["error"].keys() >= {"code", "field", "message"}
    assert answer.headers["content-type"] == "application/json"
