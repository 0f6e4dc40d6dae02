"""What is measured of one answer: who had which words at which asking."""

import asyncio
import json

from narrator.evaluation.run import Asked, measured
from narrator.files.eval_journal import Asking, Measured, Rejected
from narrator.rules.request.action import Request
from narrator.suggestions.source.protocol import SourceError, Tokens
from narrator.validation.verdict import Rejection
from tests.asking import CLERK, CYNERE, GUARD, INK
from tests.fake_sources import Piece, Scripted

BAD = {**CLERK, "detail": "It adds a +2 bonus to each roll."}


def of(*calls: list[Piece]) -> Measured:
    """What is measured of a source that says so at each call."""
    return asyncio.run(measured(0, "model", Request.read(CYNERE), Asked(Scripted(*calls))))


def told(found: Measured) -> list[tuple[Asking, str | None]]:
    """Where each name is from, but for those of the deck."""
    return [(each.asking, each.suggestion.name if each.asking != "deck" else None) for each in found.said]


def test_first_repaired_and_dealt_are_told_apart() -> None:
    """What passes at once, what is had when asked again, and what the deck puts in for the rest."""
    found = of([json.dumps([GUARD, BAD])], [json.dumps([INK])])

    assert told(found) == [("first", GUARD["name"]), ("repair", INK["name"]), ("deck", None)]
    assert [(each.asking, each.rejection.code) for each in found.refused] == [("first", "mechanics_in_text")]
    assert [each.name for each in found.own] == [GUARD["name"], INK["name"]]


def test_who_is_asked_again_after_silence_is_asked_again() -> None:
    """An answer with nothing in it leaves nothing to refuse, and the next is a repair all the same."""
    found = of(["Certainly!"], [json.dumps([GUARD, INK])])

    assert told(found) == [("repair", GUARD["name"]), ("repair", INK["name"]), ("deck", None)]
    assert found.failures == ("the answer contained no suggestion.",)


def test_usage_and_times_are_the_calls() -> None:
    """Tokens as the source tells them, and a time to the first suggestion, within that of the call."""
    found = of([json.dumps([GUARD, INK, CLERK]), Tokens(input=800, output=60)])

    assert (found.usage.calls, found.usage.input_tokens, found.usage.output_tokens) == (1, 800, 60)
    assert found.seconds_to_first is not None


def test_a_source_that_fails_is_told_and_the_deck_is_not_its_own() -> None:
    """What went wrong stands without the source's label; none of the words is the source's."""
    found = of([SourceError("nobody answers at example.org")])

    assert found.failures == ("nobody answers at example.org.",)
    assert found.own == ()
    assert told(found) == [("deck", None)] * 3


def test_the_deck_waits_for_nobody() -> None:
    """All its words are its own, nothing is refused, and there is no time to tell."""
    found = asyncio.run(measured(0, "deck", Request.read(CYNERE), Asked()))

    assert [each.asking for each in found.said] == ["deck"] * 3
    assert len(found.own) == 3
    assert (found.refused, found.failures, found.seconds_to_first, found.usage.calls) == ((), (), None, 0)


def test_what_is_measured_is_read_again_as_it_was() -> None:
    """A line of the journal loses nothing, of a candidate that was null neither."""
    found = of([json.dumps([GUARD, BAD])], [json.dumps([INK])])
    null = Rejection(code="malformed", field="", message="A suggestion: this must be an object.", candidate=None)
    found = found.model_copy(update={"refused": (*found.refused, Rejected(asking="first", rejection=null))})

    assert Measured.model_validate_json(found.model_dump_json()) == found
