"""The report of a run: counts, means and grades for each source, and their page."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from string import ascii_uppercase

from narrator.deck.deeds import Certainty
from narrator.files.eval_journal import EvalJournal, Measured
from narrator.language.lexicon import load
from narrator.language.text import Text
from narrator.render.phrases import count
from narrator.render.view import BLANK, Line, line
from narrator.rules.model import Model

GRADES = ("2", "1", "0")
"""I would say it aloud as it is; I could use it after a change; no."""

LABEL = 28
"""Columns for a line's label."""

CELL = 12
"""Columns for each source."""

ABREAST = 4
"""Sources side by side on 80 columns."""

Cells = tuple[str, Sequence[str]]
"""A line's label, and a cell for each source."""


class Graded(Model):
    """The grades of a source."""

    counts: dict[str, int]
    """The number of suggestions by grade."""
    ungraded: int
    """The number without a grade."""
    mean: float | None = None
    """The mean grade. Omitted if there are no grades."""


class Column(Model):
    """The results of a source for all requests. Suggestions that the deck filled in count as the deck's."""

    source: str
    """The name of the source."""
    answers: int
    """The number of answered requests."""
    wanted: int
    """The number of suggestions that these requests need."""
    at_first: int
    """How many the source gave when first asked."""
    after_repair: int
    """How many it gave when asked again."""
    from_deck: int
    """How many came from the deck."""
    left_open: int
    """How many are missing."""
    refused: dict[str, int]
    """How many the check refused, by code."""
    refused_at_first: int
    """How many were refused when the source was first asked."""
    repeats: int
    """How many of its suggestions repeat a name or detail from an earlier request."""
    calls: int
    """How often a model was asked."""
    input_tokens_each: float | None = None
    """Tokens sent for each accepted suggestion. Omitted if none was accepted, or the model reported no tokens."""
    output_tokens_each: float | None = None
    """Tokens written for each accepted suggestion. Omitted in the same cases."""
    seconds_each: float | None = None
    """Seconds of waiting for each accepted suggestion. Omitted if there was no waiting, or none was accepted."""
    seconds_to_first: float | None = None
    """The median of the seconds until the first suggestion, whoever gave it. Omitted if there was no waiting."""
    failures: dict[str, int]
    """The failures of the source, and how often each happened."""
    graded: Graded | None = None
    """The grades. Omitted without a grade sheet."""


class Read(Model):
    """How the deck understands a request."""

    request: str
    """The name of the request."""
    deed: Certainty
    """How well the deck knows the deed: `sure`, only its `family`, or `none`."""


class Evaluation(Model):
    """Sources side by side."""

    requests: int
    """The number of requests."""
    read: tuple[Read, ...] = ()
    """How the deck understands each request."""
    columns: tuple[Column, ...]
    """The sources, in the order named."""


def report(journal: EvalJournal, grades: Mapping[str, str | None] | None = None) -> Evaluation:
    """Sum up a journal, with the grades from `grade_sheet.read_grades`. None: there is no sheet."""
    cases, answers = journal.head.cases, journal.answers
    columns = (
        _column(journal, source, [each for each in answers if each.source == source], grades)
        for source in journal.head.sources
    )
    read = tuple(Read(request=case.name, deed=case.deed) for case in cases if case.deed is not None)
    return Evaluation(requests=len(cases), read=read, columns=tuple(columns))


def _column(
    journal: EvalJournal, source: str, answers: Sequence[Measured], grades: Mapping[str, str | None] | None
) -> Column:
    said = Counter(each.asking for answer in answers for each in answer.said)
    refused = [each for answer in answers for each in answer.refused]
    wanted = sum(journal.head.cases[each.case].wanted for each in answers)
    mine = said["first"] + said["repair"]
    usage = [each.usage for each in answers]
    first = [each.seconds_to_first for each in answers if each.seconds_to_first is not None]
    return Column(
        source=source,
        answers=len(answers),
        wanted=wanted,
        at_first=said["first"],
        after_repair=said["repair"],
        from_deck=said["deck"],
        left_open=wanted - said.total(),
        refused=dict(Counter(each.rejection.code for each in refused).most_common()),
        refused_at_first=sum(each.asking == "first" for each in refused),
        repeats=_repeats(journal, answers),
        calls=sum(each.calls for each in usage),
        input_tokens_each=_each(sum(each.input_tokens for each in usage), mine, 1),
        output_tokens_each=_each(sum(each.output_tokens for each in usage), mine, 1),
        seconds_each=_each(sum(each.seconds for each in usage), mine, 3),
        seconds_to_first=round(median(first), 3) if first else None,
        failures=dict(Counter(each for answer in answers for each in answer.failures).most_common()),
        graded=None if grades is None else _graded(journal, answers, grades),
    )


def _each(sum_: float, many: int, digits: int) -> float | None:
    return round(sum_ / many, digits) if sum_ and many else None


def _repeats(journal: EvalJournal, answers: Sequence[Measured]) -> int:
    """Count suggestions that repeat one for an earlier request, compared as in the check."""
    known: set[tuple[str, ...]] = set()
    repeats = 0
    for answer in answers:
        lexicon = load(journal.head.cases[answer.case].request.scene.language)
        keys = [{Text(text, lexicon).key for text in (each.name, each.detail) if text} - {()} for each in answer.own]
        repeats += sum(not known.isdisjoint(each) for each in keys)
        known = known.union(*keys)
    return repeats


def _graded(journal: EvalJournal, answers: Sequence[Measured], grades: Mapping[str, str | None]) -> Graded:
    given = [grades.get(journal.id_of(answer.case, each)) for answer in answers for each in answer.own]
    counts = {grade: given.count(grade) for grade in GRADES}
    many = sum(counts.values())
    total = sum(int(grade) * number for grade, number in counts.items())
    return Graded(counts=counts, ungraded=given.count(None), mean=round(total / many, 2) if many else None)


def report_view(evaluation: Evaluation) -> Iterator[Line]:
    """Print the results of each source."""
    yield line((count(evaluation.requests, "request"), "strong"))
    answers, all_ = sum(each.answers for each in evaluation.columns), evaluation.requests * len(evaluation.columns)
    if answers < all_:
        yield line((f"{answers:,} of {count(all_, 'answer')}", "note"))
    lettered = [(_letter(number), column) for number, column in enumerate(evaluation.columns)]
    yield from (line((letter, "key"), f"  {column.source}", indent=2) for letter, column in lettered)
    for start in range(0, len(lettered), ABREAST):
        abreast = lettered[start : start + ABREAST]
        columns = [column for _, column in abreast]
        yield BLANK
        heads = "".join(letter.rjust(CELL) for letter, _ in abreast)
        yield line((" " * LABEL + heads, "key"), indent=2)
        for label, cells in _rows(columns):
            yield line(label.ljust(LABEL), "".join(cell.rjust(CELL) for cell in cells), indent=2)
    failed = [(letter, what, times) for letter, column in lettered for what, times in column.failures.items()]
    if failed:
        yield BLANK
    for letter, what, times in failed:
        yield line((letter, "key"), (f"  {times} times: {what}" if times > 1 else f"  {what}", "note"), indent=2)


def _rows(columns: Sequence[Column]) -> Iterator[Cells]:
    yield "suggestions wanted", [f"{each.wanted:,}" for each in columns]
    yield "accepted at first asking", [_share(each.at_first, each.wanted) for each in columns]
    yield "accepted after repair", [_share(each.after_repair, each.wanted) for each in columns]
    yield "from the deck", [_share(each.from_deck, each.wanted) for each in columns]
    yield "left open", [_share(each.left_open, each.wanted) for each in columns]
    yield "refused", [f"{sum(each.refused.values()):,}" for each in columns]
    if any(each.refused for each in columns):
        yield "  at first asking", [f"{each.refused_at_first:,}" for each in columns]
    for code in sorted({code for each in columns for code in each.refused}):
        yield f"  {code}", [f"{each.refused.get(code, 0):,}" for each in columns]
    yield "repeats", [f"{each.repeats:,}" for each in columns]
    if any(each.calls for each in columns):
        yield "calls", [f"{each.calls:,}" for each in columns]
        yield "tokens sent, a suggestion", [_number(each.input_tokens_each, 0) for each in columns]
        yield "tokens written, a suggestion", [_number(each.output_tokens_each, 0) for each in columns]
        yield "seconds, a suggestion", [_number(each.seconds_each, 1) for each in columns]
        yield "seconds to the first", [_number(each.seconds_to_first, 1) for each in columns]
    graded = [each.graded for each in columns if each.graded is not None]
    for grade in GRADES if graded else ():
        yield f"graded {grade}", [f"{each.counts[grade]:,}" for each in graded]
    if graded:
        yield "not graded", [f"{each.ungraded:,}" for each in graded]
        yield "mean grade", [_number(each.mean, 2) for each in graded]


def _share(many: int, of: int) -> str:
    return f"{many:,} {many / of:4.0%}" if many else "0"


def _number(number: float | None, digits: int) -> str:
    return "-" if number is None else f"{number:,.{digits}f}"


def _letter(number: int) -> str:
    return ascii_uppercase[number % 26] * (number // 26 + 1)
