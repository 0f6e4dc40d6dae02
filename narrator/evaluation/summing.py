"""What a run comes to, source by source: counts, means, and grades where somebody gave them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median

from narrator.deck.deeds import Certainty
from narrator.evaluation.journal import Journal
from narrator.evaluation.measuring import Measured
from narrator.language.lexicon import load
from narrator.language.text import Text
from narrator.rules.model import Model

GRADES = ("2", "1", "0")
"""Would say it aloud as it is; usable after a change; no."""


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


def summed(journal: Journal, grades: Mapping[str, str | None] | None = None) -> Evaluation:
    """Sum a journal up.

    Args:
        grades: What a sheet says, as `sheet.read_grades` gives it; None: there is no sheet.
    """
    cases, answers = journal.head.cases, journal.answers
    columns = (
        _column(journal, source, [each for each in answers if each.source == source], grades)
        for source in journal.head.sources
    )
    read = tuple(Read(request=case.name, deed=case.deed) for case in cases if case.deed is not None)
    return Evaluation(requests=len(cases), read=read, columns=tuple(columns))


def _column(
    journal: Journal,
    source: str,
    answers: Sequence[Measured],
    grades: Mapping[str, str | None] | None,
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


def _repeats(journal: Journal, answers: Sequence[Measured]) -> int:
    """Count what was said for an earlier request, as the check compares words."""
    known: set[tuple[str, ...]] = set()
    count = 0
    for answer in answers:
        lexicon = load(journal.head.cases[answer.case].request.scene.language)
        keys = [{Text(text, lexicon).key for text in (each.name, each.detail) if text} - {()} for each in answer.own]
        count += sum(not known.isdisjoint(each) for each in keys)
        known = known.union(*keys)
    return count


def _graded(journal: Journal, answers: Sequence[Measured], grades: Mapping[str, str | None]) -> Graded:
    given = [grades.get(journal.id_of(answer.case, each)) for answer in answers for each in answer.own]
    counts = {grade: given.count(grade) for grade in GRADES}
    many = sum(counts.values())
    total = sum(int(grade) * count for grade, count in counts.items())
    return Graded(counts=counts, ungraded=given.count(None), mean=round(total / many, 2) if many else None)
