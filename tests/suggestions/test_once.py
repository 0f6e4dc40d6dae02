"""What a call makes of a request is made once, and handed on to whoever needs it."""

import sys
import threading
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from types import CodeType, FrameType

import pytest

import narrator
from narrator import Answer, Brief
from narrator.rules.request.action import Request
from narrator.rules.resolve.cast import cast_of
from narrator.rules.resolve.resolver import rule
from narrator.suggestions.time import portal
from tests.asking import CYNERE

pytestmark = pytest.mark.usefixtures("small")


class Wordless:
    """A source that reads what it is asked, and has no words for it."""

    label = "wordless"

    async def astream(self, brief: Brief, seconds: float) -> AsyncGenerator[str, None]:
        yield str(brief.messages)[:0]


def counted(call: Callable[[], object], stations: dict[CodeType, str]) -> Counter[str]:
    """Count how often each of these functions is called, in whatever thread; a method of many models for a request."""
    passed = Counter[str]()

    def look(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in stations and frame.f_locals.get("cls", Request) is Request:
            passed[stations[frame.f_code]] += 1

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return passed


@pytest.mark.parametrize("source", ["deck", Wordless()], ids=["deck", "source"])
def test_a_request_is_read_and_ruled_on_once(source: "narrator.Source", monkeypatch: pytest.MonkeyPatch) -> None:
    """However many look at it: rules, prompts, check and deck."""
    narrator.suggest(CYNERE, source="deck")  # what is loaded the first time reads and rules as well
    monkeypatch.setattr(portal, "_portal", portal._Portal())  # only a thread that begins now is looked at
    stations = {Request.read.__code__: "read", rule.__code__: "ruled", cast_of.__code__: "cast"}
    assert counted(lambda: narrator.suggest(CYNERE, source=source), stations) == {"read": 1, "ruled": 1, "cast": 1}


def test_an_answer_remembers_its_ruling() -> None:
    """It is at hand for whoever asked, and no part of what is said: neither of the JSON nor of its schema."""
    answer = narrator.suggest(CYNERE, source="deck")
    again = Answer.model_validate_json(answer.model_dump_json(exclude_none=True))
    assert answer.ruling is not None
    assert answer.ruling.resolution == answer.resolution
    assert (again, again.ruling) == (answer, None)
    assert "ruling" not in str(Answer.model_json_schema()["properties"].keys())
