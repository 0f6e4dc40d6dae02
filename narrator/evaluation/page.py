"""The page of a run: its sources side by side, a column each, as many beside each other as fit."""

from collections.abc import Iterator, Sequence
from string import ascii_uppercase

from narrator.evaluation.summing import GRADES, Column, Evaluation
from narrator.render.lines import BLANK, Line, line
from narrator.render.words import count

LABEL = 28
"""Columns of what a line is about."""

CELL = 12
"""Columns of what one source made of it."""

ABREAST = 4
"""Sources side by side on 80 columns."""

Cells = tuple[str, Sequence[str], int]
"""What a line is about, what each source made of it, and how far in it stands."""


def page(evaluation: Evaluation) -> Iterator[Line]:
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
        for label, cells, inwards in _rows(columns):
            told = " " * inwards + label
            yield line(told.ljust(LABEL), "".join(cell.rjust(CELL) for cell in cells), indent=2)
    failed = [(letter, what, times) for letter, column in lettered for what, times in column.failures.items()]
    if failed:
        yield BLANK
    for letter, what, times in failed:
        yield line((letter, "key"), (f"  {times} times: {what}" if times > 1 else f"  {what}", "note"), indent=2)


def _rows(columns: Sequence[Column]) -> Iterator[Cells]:
    yield "suggestions wanted", [f"{each.wanted:,}" for each in columns], 0
    yield "accepted at first asking", [_share(each.at_first, each.wanted) for each in columns], 0
    yield "accepted after repair", [_share(each.after_repair, each.wanted) for each in columns], 0
    yield "from the deck", [_share(each.from_deck, each.wanted) for each in columns], 0
    yield "left open", [_share(each.left_open, each.wanted) for each in columns], 0
    yield "refused", [f"{sum(each.refused.values()):,}" for each in columns], 0
    if any(each.refused for each in columns):
        yield "at first asking", [f"{each.refused_at_first:,}" for each in columns], 2
    for code in sorted({code for each in columns for code in each.refused}):
        yield code, [f"{each.refused.get(code, 0):,}" for each in columns], 2
    yield "repeats", [f"{each.repeats:,}" for each in columns], 0
    if any(each.calls for each in columns):
        yield "calls", [f"{each.calls:,}" for each in columns], 0
        yield "tokens sent, a suggestion", [_number(each.input_tokens_each, 0) for each in columns], 0
        yield "tokens written, a suggestion", [_number(each.output_tokens_each, 0) for each in columns], 0
        yield "seconds, a suggestion", [_number(each.seconds_each, 1) for each in columns], 0
        yield "seconds to the first", [_number(each.seconds_to_first, 1) for each in columns], 0
    graded = [each.graded for each in columns if each.graded is not None]
    for grade in GRADES if graded else ():
        yield f"graded {grade}", [f"{each.counts[grade]:,}" for each in graded], 0
    if graded:
        yield "not graded", [f"{each.ungraded:,}" for each in graded], 0
        yield "mean grade", [_number(each.mean, 2) for each in graded], 0


def _share(many: int, of: int) -> str:
    return f"{many:,} {many / of:4.0%}" if many else "0"


def _number(number: float | None, digits: int) -> str:
    return "-" if number is None else f"{number:,.{digits}f}"


def _letter(number: int) -> str:
    return ascii_uppercase[number % 26] * (number // 26 + 1)
