"""What a run comes to, counted by hand."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from narrator.evaluation.report import Column, Evaluation, report, report_view
from narrator.render.view import Line
from narrator.rules.json_text import Json
from narrator.suggestions.source.protocol import SourceError, Tokens
from tests.asking import CLERK, CYNERE, GUARD, INK
from tests.evaluation.evaluating import Echo, question, questions, ran
from tests.fake_sources import Piece, Scripted

BAD = {**CLERK, "detail": "It adds a +2 bonus to each roll."}
OTHERS = [
    {**GUARD, "name": "Torch Held Up", "detail": "The older guard holds the torch - a moment too LONG!"},
    {**INK, "name": "Twisted Knee", "detail": "The last step was one too many."},
    {**CLERK, "name": "The Day Clerk", "detail": "A TALL woman in a hurry wants a word, now and alone."},
]


@pytest.fixture
def evaluation(tmp_path: Path) -> Evaluation:
    """Two requests: one answered with a repair, one at once; and the deck beside."""
    calls: tuple[list[Piece], ...] = (
        [json.dumps([GUARD, BAD]), Tokens(input=700, cached=0, output=100)],
        [json.dumps([INK, BAD]), Tokens(input=300, cached=0, output=20)],
        [json.dumps(OTHERS), Tokens(input=500, cached=0, output=80)],
    )
    return report(ran(tmp_path / "j", questions(2), {"deck": None, "model": Scripted(*calls)}))


def test_counts_are_those_of_the_answers(evaluation: Evaluation) -> None:
    """Every suggestion wanted is had at once, after repair, by the deck, or by nobody; every refusal by its code."""
    deck, model = evaluation.columns

    assert (evaluation.requests, model.answers, model.wanted) == (2, 2, 6)
    assert (model.at_first, model.after_repair, model.from_deck, model.left_open) == (4, 1, 1, 0)
    assert (deck.at_first, deck.after_repair, deck.from_deck, deck.left_open) == (0, 0, 6, 0)
    assert (model.refused, model.refused_at_first) == ({"mechanics_in_text": 2}, 1)
    assert (deck.refused, deck.calls, deck.seconds_each, deck.seconds_to_first) == ({}, 0, None, None)


def test_costs_are_of_one_suggestion_of_the_sources_own(evaluation: Evaluation) -> None:
    """Tokens of all calls over what was accepted; what the deck put in is no success of the model's."""
    _, model = evaluation.columns

    assert (model.calls, model.input_tokens_each, model.output_tokens_each) == (3, 300.0, 40.0)


def test_a_repeat_is_what_the_check_calls_the_same(evaluation: Evaluation) -> None:
    """Of another request's three, one has the detail that was said, but for its signs and capitals."""
    assert [column.repeats for column in evaluation.columns][1] == 1


def test_the_same_words_for_every_request_are_repeats_each_time(tmp_path: Path) -> None:
    """The first time is none; a source is not held to what another says."""

    class Parrot(Echo):
        is_deterministic = True

        async def astream(self, brief: Any, seconds: float) -> Any:
            yield json.dumps([GUARD, INK])

    sources = {"one": Parrot(), "two": Parrot()}

    assert [each.repeats for each in report(ran(tmp_path / "j", questions(3), sources)).columns] == [4, 4]


def test_how_well_the_deck_knows_each_deed_is_told(tmp_path: Path) -> None:
    """By the verb of the intent, by the skill alone, or not at all. An older journal tells nothing of it."""
    told = {
        "sure": ("sneak past the watch", "Stealth"),
        "family": ("", "Stealth"),
        "none": ("climb the wall", "Stealth"),
    }
    given = [
        question({**CYNERE, "action": {**CYNERE["action"], "intent": intent, "skill": skill}}, f"{name}.json")
        for name, (intent, skill) in told.items()
    ]
    journal = ran(tmp_path / "j", given, {"deck": None})

    assert {each.request: each.deed for each in report(journal).read} == {f"{name}.json": name for name in told}
    older = tuple(case.model_copy(update={"deed": None}) for case in journal.head.cases)
    journal.head = journal.head.model_copy(update={"cases": older})
    assert report(journal).read == ()


def test_failures_are_counted(tmp_path: Path) -> None:
    """What went wrong is told with how often it did."""
    down = SourceError("nobody answers at example.org")
    found = report(ran(tmp_path / "j", questions(2), {"model": Scripted([down], [down])})).columns[0]

    assert found.failures == {"nobody answers at example.org.": 2}
    assert (found.at_first, found.from_deck, found.input_tokens_each) == (0, 6, None)
    assert "A  2 times: nobody answers at example.org." in text(report_view(Evaluation(requests=2, columns=(found,))))


def text(lines: Iterable[Line]) -> str:
    """The lines of a page."""
    return "\n".join(" " * line.indent + "".join(span.text for span in line.spans) for line in lines)


def column(name: str) -> Column:
    """A source about which all is large."""
    counts = ("answers", "wanted", "at_first", "after_repair", "from_deck", "left_open", "refused_at_first", "repeats")
    each = {"input_tokens_each": 99_999.9, "output_tokens_each": 99_999.9}
    seconds = {"seconds_each": 9_999.99, "seconds_to_first": 9_999.99}
    refused = dict.fromkeys(("contradicts_outcome", "mechanics_in_text"), 99_999)
    told: Json = {**dict.fromkeys(counts, 99_999), **each, **seconds, "calls": 99_999}
    return Column(source=name, refused=refused, failures={}, **told)


@pytest.mark.parametrize("many", [1, 2, 4, 5, 9])
def test_a_table_fits_80_columns(many: int) -> None:
    """However many sources there are and however large the numbers; each has its letter, and no two numbers touch."""
    columns = tuple(column(f"model-{number}") for number in range(many))
    shown = text(report_view(Evaluation(requests=9, columns=columns)))

    assert max(map(len, shown.splitlines())) <= 80
    assert shown.count("99,999 100%") == 4 * many
    assert "%9" not in shown
    assert shown.count("model-") == many
