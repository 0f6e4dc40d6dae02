"""The cases of an evaluation: requests with all chance drawn, and their journal."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from narrator.api import random_draws
from narrator.api.requests import read_request, within
from narrator.deck.deeds import deed_of
from narrator.errors import NarratorError, RequestError, quoted, visible
from narrator.files.eval_journal import USUAL, Case, EvalHead, EvalJournal, Terms
from narrator.rules.request.action import Request
from narrator.rules.resolve.resolution import Resolution
from narrator.rules.resolve.resolver import rule
from narrator.rules.resolve.without_roll import is_of_words, without_roll
from narrator.rules.ruleset.ruleset import Ruleset


@dataclass(frozen=True)
class Question:
    """A request as given, before seed and deal are drawn."""

    name: str
    """Its name, such as that of its file."""
    request: Request
    rulesets: tuple[Ruleset, ...] = ()
    """House rulesets that the request may name."""


def open_journal(
    path: Path, questions: Sequence[Question], sources: Sequence[str], terms: Terms = USUAL
) -> EvalJournal:
    """Continue the journal in a file, or begin one. A new journal draws missing seeds and deals, once for all sources.

    Raises:
        NarratorError: For a request that can't be resolved, with its name. `bad_request` for a file that is not a
            journal, and for a journal of other requests, sources or terms, with the field that differs.
    """
    journal = EvalJournal(path, may_be_new=True)
    if journal.is_begun:
        _compare(journal, questions, sources, terms)
    else:
        cases = tuple(map(_drawn, questions))
        head = EvalHead(journal="narrator-eval/1", sources=tuple(sources), cases=cases)
        journal.begin(head.model_copy(update={"terms": terms}) if terms.model_fields_set else head)
    return journal


def wanted_of(request: Request, resolution: Resolution) -> Counter[str]:
    """Count the suggestions that a request needs, for each slot."""
    return Counter({slot.id: request.per_slot for slot in resolution.slots(request.branch) if slot.forms})


def _drawn(question: Question) -> Case:
    try:
        request, ruleset = read_request(question.request, question.rulesets)
        request = random_draws.with_deal(random_draws.with_seed(request))
        with within("request"):
            resolution = (without_roll if is_of_words(request) else rule)(request, ruleset).resolution
        slots, deed = wanted_of(request, resolution), deed_of(request, ruleset).certainty
    except NarratorError as error:
        place = ": ".join(each for each in (visible(question.name), error.field) if each)
        raise RequestError(error.code, place, error.message, error.allowed) from None
    put = question.request.model_copy(update={"seed": request.seed, "deal": request.deal})
    return Case(name=question.name, request=put, outcome=resolution.outcome, wanted=slots.total(), deed=deed)


def _compare(journal: EvalJournal, questions: Sequence[Question], sources: Sequence[str], terms: Terms) -> None:
    head, called = journal.head, f"the journal {quoted(str(journal.path))}"
    hint = "name another file with --out, or remove this one"
    if {*sources} != {*head.sources}:
        raise RequestError("bad_request", "sources", f"{called} has other sources; {hint}", head.sources)
    for name, kept in head.terms:
        if getattr(terms, name) != kept:
            raise RequestError("bad_request", name, f"{called} has {kept} here; {hint}")
    if len(questions) != len(head.cases):
        message = f"there are {len(questions)} requests, but {called} has {len(head.cases)}; {hint}"
        raise RequestError("bad_request", "requests", message)
    for number, (question, case) in enumerate(zip(questions, head.cases, strict=True)):
        # Missing seeds and deals are those that the journal has drawn.
        given, put = question.request, case.request
        left = {name: getattr(put, name) for name in ("seed", "deal") if getattr(given, name) is None}
        if given.model_copy(update=left).as_json() != put.as_json():
            message = f"{called} has another request in place of {quoted(question.name)}; {hint}"
            raise RequestError("bad_request", f"requests.{number}", message)
