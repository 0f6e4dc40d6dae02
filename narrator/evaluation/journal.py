"""The journal of a run: a line that says what is put to whom, and one for each answer, kept the moment it is there."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import ValidationError

from narrator import draws
from narrator.api.reading import read
from narrator.deck.deeds import Certainty, deed_of
from narrator.errors import NarratorError, quoted
from narrator.evaluation.measuring import Measured, wanted
from narrator.files import append, drop_half_a_line, is_begun, replace, whole_lines
from narrator.render.plain import visible
from narrator.rules.action import Request
from narrator.rules.choice import Suggestion
from narrator.rules.model import Model
from narrator.rules.resolving import rule
from narrator.rules.ruleset import Ruleset

T = TypeVar("T", bound=Model)

ID = 10
"""Hexadecimal digits of what a suggestion goes by on a sheet."""


@dataclass(frozen=True)
class Question:
    """A request as it was given, before anything is drawn for it."""

    name: str
    """What it is called, such as the file that it is from."""
    request: Request
    """The request."""
    rulesets: tuple[Ruleset, ...] = ()
    """House rulesets that it may name."""


class Case(Model):
    """A request as it is put to every source: with its seed and its deal, drawn once."""

    name: str
    """What it is called."""
    request: Request
    """The request."""
    outcome: str
    """What the rules found."""
    wanted: int
    """How many suggestions it wants."""
    deed: Certainty | None = None
    """How well the deck knows what is done in it; left out: the journal is an older one."""


class Head(Model):
    """What a run is about: the first line of its journal."""

    journal: Literal["narrator-eval/1"]
    """What kind of file this is."""
    sources: tuple[str, ...]
    """Who is asked, by name."""
    cases: tuple[Case, ...]
    """What they are asked."""


class Journal:
    """A journal that was opened: what it is about, and the answers it has.

    A line is written whole and at once, so that a run that was ended at any moment leaves a journal to go on from.
    """

    def __init__(self, path: Path, head: Head, first: bytes, has: Sequence[Measured] = ()) -> None:
        """Args:
        first: The first line, as it stands in the file.
        has: The answers; of two to the same the first counts.
        """
        self.path = path
        self.head = head
        self._digest = sha256(first).hexdigest()
        self._has: dict[tuple[int, str], Measured] = {}
        for each in has:
            self._has.setdefault((each.case, each.source), each)

    @property
    def answers(self) -> tuple[Measured, ...]:
        """The answers there are, request by request, in the order of the sources."""
        return tuple(self._has[pair] for pair in self._pairs if pair in self._has)

    @property
    def left(self) -> tuple[tuple[int, str], ...]:
        """What is still to be asked: the number of the request, and whom."""
        return tuple(pair for pair in self._pairs if pair not in self._has)

    def id_of(self, case: int, suggestion: Suggestion) -> str:
        """Give what a suggestion goes by on a sheet. It says nothing of who wrote it: the same words have the same
        one.
        """
        said = (suggestion.slot, suggestion.form, suggestion.to, suggestion.name, suggestion.detail)
        return sha256(json.dumps([self._digest, case, said]).encode()).hexdigest()[:ID]

    def add(self, measured: Measured) -> None:
        """Keep an answer.

        Raises:
            NarratorError: `bad_request` where the file cannot be written.
        """
        # Null is written too: that a refused candidate was null is told so.
        append(self.path, measured.model_dump_json().encode())
        self._has[measured.case, measured.source] = measured

    @cached_property
    def _pairs(self) -> tuple[tuple[int, str], ...]:
        return tuple((case, source) for case in range(len(self.head.cases)) for source in self.head.sources)


def opened(path: Path, questions: Sequence[Question], sources: Sequence[str]) -> Journal:
    """Go on with the journal in a file, or begin one: then what requests leave to chance is drawn, once for all
    sources.

    Raises:
        NarratorError: For a request that cannot be resolved, with its name; `bad_request` for a file that is no
            journal, and for a journal of other requests or sources, with the field in which they differ.
    """
    if not is_begun(path):
        head = Head(journal="narrator-eval/1", sources=tuple(sources), cases=tuple(map(_drawn, questions)))
        # Requests as they were written, so that one more field that might be in them changes no id.
        first = head.model_dump_json(exclude_unset=True).encode()
        replace(path, first + b"\n")
        return Journal(path, head, first)
    journal = read_journal(path)
    _compare(path, journal.head, questions, sources)
    drop_half_a_line(path)
    return journal


def read_journal(path: Path) -> Journal:
    """Read the journal in a file; half a line at its end, of a run that was ended while it wrote, is left out.

    Raises:
        NarratorError: `bad_request` for a file that is no journal, with the line.
    """
    first, *others = whole_lines(path) or [b""]
    head = _read(Head, first, path, 1)
    answers = [_read(Measured, each, path, number) for number, each in enumerate(others, 2)]
    for number, each in enumerate(answers, 2):
        if each.source not in head.sources or not 0 <= each.case < len(head.cases):
            raise _no_journal(path, number)
    return Journal(path, head, first, answers)


def _drawn(question: Question) -> Case:
    try:
        request, ruleset = read(question.request, question.rulesets)
        request = draws.dealt(draws.rolled(request))
        resolution = rule(request, ruleset).resolution
        slots, deed = wanted(request, resolution), deed_of(request, ruleset).certainty
    except NarratorError as error:
        place = ": ".join(each for each in (visible(question.name), error.field) if each)
        raise NarratorError(error.code, place, error.message, error.allowed) from None
    put = question.request.model_copy(update={"seed": request.seed, "deal": request.deal})
    return Case(name=question.name, request=put, outcome=resolution.outcome, wanted=slots.total(), deed=deed)


def _compare(path: Path, head: Head, questions: Sequence[Question], sources: Sequence[str]) -> None:
    hint = "name another file with --out, or remove this one"
    if {*sources} != {*head.sources}:
        message = f"the journal {quoted(str(path))} is of other sources; {hint}"
        raise NarratorError("bad_request", "sources", message, head.sources)
    if len(questions) != len(head.cases):
        message = f"these are {len(questions)} requests, and the journal {quoted(str(path))} is of {len(head.cases)}"
        raise NarratorError("bad_request", "requests", f"{message}; {hint}")
    for number, (question, case) in enumerate(zip(questions, head.cases, strict=True)):
        # What was left to chance is as the journal has drawn it.
        left = {name: getattr(case.request, name) for name in ("seed", "deal") if _leaves(question.request, name)}
        if question.request.model_copy(update=left).as_json() != case.request.as_json():
            message = f"{quoted(question.name)} is not what the journal {quoted(str(path))} has there; {hint}"
            raise NarratorError("bad_request", f"requests.{number}", message)


def _leaves(request: Request, name: str) -> bool:
    return getattr(request, name) is None


def _read(kind: type[T], line: bytes, path: Path, number: int) -> T:
    try:
        return kind.model_validate_json(line)
    except ValidationError:
        raise _no_journal(path, number) from None


def _no_journal(path: Path, number: int) -> NarratorError:
    place = f"{visible(str(path))}:{number}"
    return NarratorError("bad_request", place, "this is no line of a journal of narrator eval")
