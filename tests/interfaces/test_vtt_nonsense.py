"""The entry for macros, given what is no payload: an error object, and never an exception."""

import asyncio
import json
from typing import Any

import pytest

from narrator import vtt
from narrator.rules.json_text import Json
from tests.asking import CYNERE
from tests.interfaces.running import payload_of

NONSENSE: dict[str, Any] = {
    "nothing": "",
    "half an object": '{"call": "resolve", "request": {',
    "null": "null",
    "a number": "7",
    "a list": '[{"call": "resolve"}]',
    "two objects": '{"call": "resolve"}{"call": "resolve"}',
    "single quotes": "{'call': 'resolve'}",
    "no number": '{"call": "resolve", "request": NaN}',
    "bytes that are no UTF-8": b'{"call": "\xff\xfe"}',
    "another encoding": json.dumps({"call": "resolve", "request": CYNERE}).encode("utf-16"),
    "half a character": '{"call": "\\ud83d"}',
    "nested lists": "[" * 100_000 + "]" * 100_000,
    "nested in the request": '{"call": "resolve", "request": ' + '{"scene":' * 100_000 + "1" + "}" * 100_001,
    "two megabytes of text": '{"call": "resolve", "request": "' + "x" * 2_000_000 + '"}',
    "an object": {},
    "no call": {"request": CYNERE},
    "no request": {"call": "resolve"},
    "an unknown call": {"call": "sing", "request": CYNERE},
    "an internal name": {"call": "__class__", "request": CYNERE},
    "a call in capitals": {"call": "Resolve", "request": CYNERE},
    "a call that is a list": {"call": ["resolve"], "request": CYNERE},
    "a request that is text": {"call": "resolve", "request": json.dumps(CYNERE)},
    "a request that is a list": {"call": "resolve", "request": [CYNERE]},
    "an unknown part": {"call": "resolve", "request": CYNERE, "mood": "grim"},
    "a field that is no text": {1: 2},
    "None": None,
    "an object of Python": object(),
}


@pytest.mark.parametrize("payload", NONSENSE.values(), ids=NONSENSE)
def test_nonsense_gives_the_error_object(payload: Any) -> None:
    """Whatever a macro sends, on a loop or not, the answer is an object that says what was wrong with it."""
    result = vtt.run(payload)
    assert asyncio.run(vtt.arun(payload)) == result
    assert list(result) == ["error"]
    assert result["error"]["code"] == "bad_request"
    assert result["error"]["message"].isprintable()
    assert len(json.dumps(result, allow_nan=False)) < 2_000


CYCLE: Json = {"call": "resolve"}
CYCLE["request"] = CYCLE
DEEP: Any = "end"
for _ in range(100_000):
    DEEP = {"scene": DEEP}


@pytest.mark.parametrize("request_", [CYCLE, DEEP, {"action": DEEP}], ids=["cyclic", "deep", "deep within"])
@pytest.mark.parametrize("name", ["resolve", "suggest", "check", "odds", "reach", "table", "turn_order", "apply"])
def test_no_shape_of_python_raises(name: str, request_: Any) -> None:
    """Objects that no JSON can tell are the caller's mistake, too."""
    result = vtt.run(payload_of(name, request=request_, candidate={}, choice={}))
    assert result["error"]["code"] == "bad_request"
