"""What a caller may say of who is asked, and what a source may say of itself."""

import json
from collections.abc import AsyncGenerator, Iterator
from typing import Any

import pytest

import narrator
from narrator import Answer, Brief, NarratorError, SourceError, Tokens
from tests.asking import CLERK, CYNERE, GUARD, INK, Told, answer_of
from tests.fake_sources import Scripted
from tests.scripted_server import suggestions
from tests.sources.asking import printed_apart

pytestmark = pytest.mark.usefixtures("small")

BAD = CLERK | {"detail": "He rolls [[1d20]] and smiles."}


def refused(told: Told, source: Any, **options: Any) -> NarratorError:
    """Why a call is refused."""
    with pytest.raises(NarratorError) as caught:
        told(source, **options)
    return caught.value


class TestStrict:
    """A strict call gives what was asked for, or says why it cannot."""

    def test_too_few(self, told: Told) -> None:
        """Fewer than asked for are an error that says how many there were, and why there are no more."""
        calls = [suggestions(GUARD, BAD)], [SourceError("the line broke")]
        error = refused(told, Scripted(*calls), strict=True)
        assert (error.code, error.field) == ("no_words", "")
        assert "1 of 3" in error.message
        assert "test:scripted: the line broke." in error.message
        assert "1 refused as unsafe_text." in error.message

    def test_where_no_words_are_wanted(self, told: Told) -> None:
        """Where nothing wants words, none are too few."""
        won = CYNERE | {"action": CYNERE["action"] | {"roll": {"total": 4}}}
        assert answer_of(told(Scripted(), won, strict=True)).suggestions == ()

    @pytest.mark.parametrize("source", ["deck", None])
    def test_the_deck_is_never_strict(self, told: Told, source: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
        """A strict call with nobody to ask is a mistake, and told as one."""
        monkeypatch.delenv("NARRATOR_MODEL", raising=False)
        error = refused(told, source, strict=True)
        assert (error.code, error.field) == ("bad_request", "strict")


class Local(Scripted):
    """A source that asks nobody else, and would say the same again."""

    is_local = is_deterministic = True


def test_who_says_the_same_again_is_asked_once(told: Told) -> None:
    """A deterministic source is never asked for what it did not have at once."""
    source = Local([suggestions(GUARD, BAD)])
    answer = answer_of(told(source, repairs=3))
    assert (len(source.briefs), len(answer.suggestions), len(answer.rejected)) == (1, 3, 1)


def test_what_stays_on_this_machine_is_no_call(told: Told) -> None:
    """A source that says that nothing leaves the machine is not counted, and waited for by nobody's clock."""
    usage = answer_of(told(Local([suggestions(GUARD, INK, CLERK)]))).usage
    assert (usage.calls, usage.seconds) == (0, 0.0)


def test_surplus_is_not_judged(told: Told) -> None:
    """Once all that was wanted is there, what else a source writes is neither judged nor refused."""
    answer = answer_of(told(Scripted([suggestions(GUARD, INK, CLERK, *[BAD] * 50)])))
    assert (len(answer.suggestions), answer.rejected) == (3, ())


class Echo(Scripted):
    """A source that has a secret, and says it."""

    def gives_away(self, text: str) -> bool:
        return "hunter2" in text


def test_a_secret_is_neither_said_nor_repeated(told: Told) -> None:
    """What tells a source's secret is refused without being shown, in the answer and in the next question."""
    secret = GUARD | {"detail": "The guard whispers hunter2 and goes."}
    source = Echo([suggestions(secret, INK)], [suggestions(GUARD, CLERK)])
    events = told(source)
    answer: Answer = answer_of(events)
    assert [each.code for each in answer.rejected] == ["unsafe_text"]
    assert "hunter2" not in json.dumps([event.as_json() for event in events])
    assert "hunter2" not in json.dumps(source.asked(1))
    assert len([each for each in answer.suggestions if each.source == source.label]) == 3


def test_warm_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """To warm up is to read settings as a call would, and a mistake in them is told."""
    monkeypatch.setenv("NARRATOR_MODEL", "m")
    monkeypatch.setenv("NARRATOR_BASE_URL", "no address")
    with pytest.raises(NarratorError, match="base_url"):
        narrator.warm()


class Iterating:
    """A source that gives its pieces by an object of its own, which is no generator."""

    label = "test:iterating"

    def astream(self, brief: Brief, seconds: float) -> "Iterating":
        self._left = [suggestions(GUARD, INK, CLERK)]
        return self

    def __aiter__(self) -> "Iterating":
        return self

    async def __anext__(self) -> str:
        if not self._left:
            raise StopAsyncIteration
        return self._left.pop()


def test_pieces_need_no_generator(told: Told) -> None:
    """Whatever can be iterated over without blocking is read; it need not be closed."""
    answer = answer_of(told(Iterating()))
    assert {each.source for each in answer.suggestions} == {"test:iterating"}
    assert answer.notices == ()


def test_a_fault_is_written_on_no_screen() -> None:
    """Where a program keeps no log, what goes wrong in a source is told by the notice alone."""
    program = """
import narrator

class Faulty:
    label = "faulty"

    async def astream(self, brief, seconds):
        raise RuntimeError("ours")
        yield

action = {"type": "overcome", "actor": "Cynere", "outcome": "fail"}
print(*narrator.suggest({"action": action}, source=Faulty()).notices, sep=chr(10))
"""
    assert printed_apart("", "-c", program).startswith("faulty: the source failed (RuntimeError).")


def says(self: object, brief: Brief, seconds: float) -> Iterator[Any]:
    """Say it all, blocking."""
    yield suggestions(GUARD, INK, CLERK)


def says_bytes(self: object, brief: Brief, seconds: float) -> Iterator[Any]:
    """The same in bytes."""
    yield suggestions(GUARD, INK, CLERK).encode()


async def says_later(self: object, brief: Brief, seconds: float) -> AsyncGenerator[str, None]:
    """The same without blocking."""
    yield suggestions(GUARD, INK, CLERK)


async def gives(self: object, brief: Brief, seconds: float) -> str:
    """Give all at once."""
    return suggestions(GUARD, INK, CLERK)


def fails(self: object) -> str:
    """Fail."""
    raise RuntimeError("sk-s3cret")


def ours(**has: Any) -> Any:
    """A source that blocks, and has something of its own."""
    return type("Ours", (), {"label": "test:ours", "stream": says, **has})()


MISTAKES: dict[str, tuple[Any, str]] = {
    "a number": (42, "int"),
    "an object": (object(), "object"),
    "a list": (["deck"], "list"),
    "nothing but a label": (type("Labelled", (), {"label": "x"})(), "Labelled has neither `stream` nor `astream`"),
    "no label": (type("Unlabelled", (), {"stream": says})(), "a label"),
    "a label to be called": (ours(label=fails), "label of Ours must be text"),
    "a label that fails": (ours(label=property(fails)), "Ours fails when its attributes are read (RuntimeError)"),
    "a manner that there is not": (ours(manner="rudely"), "the manner of Ours"),
    "a class": (type(ours()), "the class Ours"),
    "a plain generator": (ours(stream=None, astream=says), "Ours.astream"),
    "a coroutine": (ours(stream=None, astream=gives), "Ours.astream"),
    "an asynchronous generator": (ours(stream=says_later), "Ours.stream"),
    "bytes": (ours(stream=says_bytes), "bytes"),
    "the name of a model": ("gpt-4", "NARRATOR_MODEL"),
}


@pytest.mark.parametrize(("source", "word"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_in_a_source_is_named(told: Told, source: Any, word: str) -> None:
    """Whoever writes a source learns what is wrong with it, and not by a traceback out of narrator."""
    error = refused(told, source)
    assert (error.code, error.field) == ("bad_request", "source")
    assert word in error.message


@pytest.mark.parametrize("name", ["rulesets", "decks"])
def test_paths_are_not_loaded(told: Told, name: str) -> None:
    """Rulesets and decks are handed over loaded, and who hands over a path is told by what."""
    error = refused(told, "deck", **{name: ["ours.toml"]})
    assert (error.code, error.field) == ("bad_request", name)
    assert f"narrator.load_{name[:-1]}" in error.message


@pytest.mark.parametrize("count", [-1, 8.5, "900", None, True, 10**10])
def test_what_is_no_count_of_tokens(count: Any) -> None:
    """A source that tells nonsense for its usage fails where it does so."""
    with pytest.raises(ValueError, match="whole numbers"):
        Tokens(input=count)


def test_the_same_notice_is_told_once(told: Told) -> None:
    """However often nothing comes, it is said once."""
    answer = answer_of(told(Scripted(["no"], ["no"], ["no"]), repairs=2))
    assert answer.notices.count("test:scripted: the answer contained no suggestion.") == 1


def test_why_there_are_no_words_can_be_traced(told: Told) -> None:
    """The error of a strict call is caused by what the source raised."""
    failure = SourceError("the line broke")
    assert refused(told, Scripted([failure]), strict=True).__cause__ is failure
