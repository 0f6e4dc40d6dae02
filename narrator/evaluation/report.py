"""What a run comes to, source by source: counts, means, grades where somebody gave them, and the page of it all."""

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
"""Would say it aloud as it is; usable after a change; no."""

LABEL = 28
"""Columns of what a line is about."""

CELL = 12
"""Columns of what one source made of it."""

ABREAST = 4
"""Sources side by side on 80 columns."""

Cells = tuple[str, Sequence[str]]
"""What a line is about, and what each source made of it."""


class Graded(Model):
    """The grades of what a source wrote."""

    counts: dict[str, int]
    """How many have each grade."""
    ungraded: int
    """How many have none."""
    mean: float | None = None
    """The mean of the grades; left out: there are none."""


class Column(Model):
    """What one source made of all requests. What the deck put in for it counts as the deck's."""

    source: str
    """The source, by name."""
    answers: int
    """How many requests it was asked."""
    wanted: int
    """How many suggestions those want."""
    at_first: int
    """How many of them it had when it was first asked for them."""
    after_repair: int
    """How many it had when it was asked again."""
    from_deck: int
    """How many the deck had."""
    left_open: int
    """How many nobody had."""
    refused: dict[str, int]
    """How many the check refused, by code."""
    refused_at_first: int
    """How many of these when it was first asked."""
    repeats: int
    """How many of its suggestions have the name or the detail of one that it had for an earlier request."""
    calls: int
    """How often a model was asked."""
    input_tokens_each: float | None = None
    """Tokens that it was sent for one suggestion accepted; left out: none was, or no tokens were told."""
    output_tokens_each: float | None = None
    """Tokens that it wrote for one suggestion accepted; left out as those."""
    seconds_each: float | None = None
    """Seconds waited for it for one suggestion accepted; left out: nobody was waited for, or none was accepted."""
    seconds_to_first: float | None = None
    """The median of the seconds until there was a suggestion, whoever had it; left out: nobody was waited for."""
    failures: dict[str, int]
    """What went wrong with asking, and how often."""
    graded: Graded | None = None
    """Its grades; left out: no sheet was handed over."""


class Read(Model):
    """A request, as the deck reads it."""

    request: str
    """What it is called."""
    deed: Certainty
    """How well the deck knows what is done: `sure`, by its `family` alone, or not at all, `none`."""


class Evaluation(Model):
    """Sources side by side."""

    requests: int
    """How many requests there are."""
    read: tuple[Read, ...] = ()
    """How the deck reads each."""
    columns: tuple[Column, ...]
    """The sources, in the order in which they were named."""


def report(journal: EvalJournal, grades: Mapping[str, str | None] | None = None) -> Evaluation:
    """Sum a journal up, with the grades that `sheet.read_grades` gives; None: there is no sheet."""
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
    """Count what was said for an earlier request, as the check compares words."""
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
    """Say what each source made of the requests."""
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
