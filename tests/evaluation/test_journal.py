"""The journal: what is drawn once, what is gone on with, and what is refused."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from narrator.errors import NarratorError
from narrator.evaluation.cases import open_journal
from narrator.files.eval_journal import EvalJournal, Terms
from narrator.rules.json_text import Json
from narrator.suggestions.time.clock import REPAIRS, TIMEOUT
from tests.asking import CYNERE
from tests.evaluation.evaluating import Echo, asked, question, questions, ran, without_times

UNROLLED = {**CYNERE, "action": {**CYNERE["action"], "roll": None}, "deal": None, "seed": None}
EXAMPLES = Path(__file__).parents[2] / "examples" / "eval"


def test_what_is_left_to_chance_is_drawn_once(tmp_path: Path) -> None:
    """Dice that nobody told fall alike for every source, and in a run that goes on."""
    given = [question(UNROLLED)]
    first = open_journal(tmp_path / "j", given, ["deck", "model"])
    again = open_journal(tmp_path / "j", given, ["deck", "model"])

    drawn = first.head.cases[0].request
    assert drawn.seed is not None
    assert drawn.deal is not None
    assert again.head == first.head


@pytest.mark.parametrize("seed", [10**9 + 1, 2**53 - 1, -1, 1 - 2**53])
def test_a_run_of_any_seed_goes_on(seed: int, tmp_path: Path) -> None:
    """What is taken of a request is taken of its journal, with the deal that was drawn from it."""
    given = [question({**UNROLLED, "seed": seed})]
    first = open_journal(tmp_path / "j", given, ["deck"])

    assert open_journal(tmp_path / "j", given, ["deck"]).head == first.head


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_a_request_is_kept_as_it_was_given(file: Path, tmp_path: Path) -> None:
    """Whatever its kind, its journal is known again as one of the same request."""
    given = [question(json.loads(file.read_text("utf-8")))]
    open_journal(tmp_path / "j", given, ["deck"])

    assert open_journal(tmp_path / "j", given, ["deck"]).left == ((0, "deck"),)


def test_a_run_goes_on_from_wherever_it_was_ended(tmp_path: Path) -> None:
    """Cut after any byte behind its first line, a journal is gone on with to the same end as one that never was."""
    given, sources = questions(3), {"echo": Echo("Old"), "deck": None}
    whole = ran(tmp_path / "whole", given, sources)
    data = (tmp_path / "whole").read_bytes()
    first = data.index(b"\n") + 1
    for end in {first, first + 1, len(data) - 1, len(data), *range(first, len(data), 997)}:
        cut = tmp_path / "cut"
        cut.write_bytes(data[:end])
        kept = EvalJournal(cut).answers
        assert len(kept) == data[first:end].count(b"\n")
        gone_on = ran(cut, given, sources)
        assert [*map(without_times, gone_on.answers)] == [*map(without_times, whole.answers)]
        assert [*map(without_times, EvalJournal(cut).answers)] == [*map(without_times, whole.answers)]


def test_the_first_line_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is ended while it begins leaves no journal, and the next begins anew."""

    def ended(self: Path, target: Path) -> Path:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", ended)
        with pytest.raises(KeyboardInterrupt):
            open_journal(tmp_path / "j", questions(1), ["deck"])

    assert not (tmp_path / "j").exists()
    assert len(ran(tmp_path / "j", questions(1), {"deck": None}).answers) == 1


def test_an_answer_is_on_the_disk_before_the_next_is_asked_for(tmp_path: Path) -> None:
    """What ends the process ends no answer that was there."""
    seen: list[int] = []

    class Looking(Echo):
        async def astream(self, brief: Any, seconds: float) -> Any:
            seen.append((tmp_path / "j").read_bytes().count(b"\n") - 1)
            async for piece in super().astream(brief, seconds):
                yield piece

    ran(tmp_path / "j", questions(3), {"model": Looking("Old", "Young", "Lost")})

    assert sorted({*seen}) == [0, 1, 2]


Changed = Callable[[list[Json]], list[Json]]
OTHERS: dict[str, tuple[Changed, list[str], str]] = {
    "another scene": (lambda given: [given[0], asked(1, scene={"summary": "Elsewhere."})], ["deck"], "requests.1"),
    "another deal": (lambda given: [asked(7), given[1]], ["deck"], "requests.0"),
    "one fewer": (lambda given: given[:1], ["deck"], "requests"),
    "another source": (lambda given: given, ["model"], "sources"),
    "one source more": (lambda given: given, ["deck", "model"], "sources"),
}


@pytest.mark.parametrize(("change", "sources", "field"), OTHERS.values(), ids=OTHERS)
def test_another_run_is_refused_by_what_differs(
    change: Changed, sources: list[str], field: str, tmp_path: Path
) -> None:
    """A journal of other requests or sources is neither mixed nor written over."""
    given = [asked(0), asked(1)]
    ran(tmp_path / "j", [*map(question, given)], {"deck": None})
    before = (tmp_path / "j").read_bytes()

    with pytest.raises(NarratorError) as caught:
        open_journal(tmp_path / "j", [*map(question, change(given))], sources)

    assert (caught.value.code, caught.value.field) == ("bad_request", field)
    assert (tmp_path / "j").read_bytes() == before


@pytest.mark.parametrize("terms", [{"timeout": 5.0}, {"repairs": 0}, {"timeout": 5.0, "repairs": 0}])
def test_a_run_on_other_terms_is_refused_by_what_differs(terms: Json, tmp_path: Path) -> None:
    """Both ways round; who says nothing means the same as who says what is usual."""
    given, named = questions(1), next(iter(terms))
    usual = open_journal(tmp_path / "usual", given, ["deck"])
    other = open_journal(tmp_path / "other", given, ["deck"], Terms(**terms))

    assert open_journal(tmp_path / "usual", given, ["deck"], Terms(timeout=TIMEOUT, repairs=REPAIRS)).head == usual.head
    assert open_journal(tmp_path / "other", given, ["deck"], Terms(**terms)).head == other.head
    for path, asked_for in ((tmp_path / "usual", Terms(**terms)), (tmp_path / "other", Terms())):
        with pytest.raises(NarratorError) as caught:
            open_journal(path, given, ["deck"], asked_for)
        assert (caught.value.code, caught.value.field) == ("bad_request", named)


def test_a_journal_on_the_usual_terms_says_nothing_of_them(tmp_path: Path) -> None:
    """So that those of before there were any are gone on with."""
    open_journal(tmp_path / "j", questions(1), ["deck"])

    assert b"terms" not in (tmp_path / "j").read_bytes()


NO_JOURNALS = {"a note": b"what I wrote\n", "no line": b"what I wrote", "a line of JSON": b'{"journal": 1}\n'}


@pytest.mark.parametrize("content", NO_JOURNALS.values(), ids=NO_JOURNALS)
def test_a_file_that_is_no_journal_is_left_alone(content: bytes, tmp_path: Path) -> None:
    """It is refused with its line, and not a byte of it changes."""
    path = tmp_path / "notes.txt"
    path.write_bytes(content)

    with pytest.raises(NarratorError, match=r"notes\.txt:1: this line is not from a journal"):
        open_journal(path, questions(1), ["deck"])

    assert path.read_bytes() == content


@pytest.mark.parametrize("line", [b"{}\n", b"\xff\n", None], ids=["empty", "no UTF-8", "of another run"])
def test_a_broken_line_is_told(line: bytes | None, tmp_path: Path) -> None:
    """One that says nothing of an answer, or is of a request that the first does not name, is no accident."""
    ran(tmp_path / "j", questions(1), {"deck": None})
    data = (tmp_path / "j").read_bytes()
    (tmp_path / "j").write_bytes(data + (line or data.splitlines(True)[1].replace(b'"case":0', b'"case":1')))

    with pytest.raises(NarratorError, match=r"j:3: "):
        EvalJournal(tmp_path / "j")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """With nobody at its other end it is refused at once."""
    os.mkfifo(tmp_path / "j")

    with pytest.raises(NarratorError):
        open_journal(tmp_path / "j", questions(1), ["deck"])


def test_a_request_that_cannot_be_resolved_is_told_by_its_name(tmp_path: Path) -> None:
    """Before anybody is asked, and before there is a journal."""
    wrong = question(asked(0, ruleset="no-such"), "evening/third.json")

    with pytest.raises(NarratorError, match=r"unknown_ruleset: evening/third\.json: request\.ruleset: "):
        open_journal(tmp_path / "j", [question(asked(1)), wrong], ["deck"])

    assert not (tmp_path / "j").exists()
