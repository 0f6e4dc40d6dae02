"""Meaning, judged by sentences that people wrote who had seen no pattern; some were held back until those were done."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import narrator
from tests.validation.judged import code_of

FOLDER = Path(__file__).parents[1] / "corpus" / "sentences"
FRESH = Path(__file__).parents[2] / "examples" / "eval" / "fresh"
LACKING: dict[str, Any] = {
    "language": "en", "goal": None, "actor": "Cynere", "others": [], "intent": "", "lines": [], "held": False,
}  # fmt: skip
FILES = {
    file.stem: [LACKING | json.loads(line) for line in file.read_text("utf-8").splitlines()]
    for file in sorted(FOLDER.glob("*.jsonl"))
}

PRECISION = 0.98

HONEST_REFUSED = 0.015
STRONG_REFUSED = 0.005

RECALL = {"mechanics": 0.80, "aspects": 0.85, "lines": 0.65, "outcomes": 0.45, "outcomes3": 0.60}
"""Of the held sentences; what no list of words can tell is among them (docs/explanation/check.md).

What is judged by few: 0.75.
"""


def is_right(row: dict[str, Any], code: str | None) -> bool:
    """Whether a verdict is; what is wrong may be refused for a sign, or as no aspect, before its sense is read."""
    if row["codes"] and code in ("unsafe_text", "not_an_aspect"):
        return True
    return code in (row["codes"] or [None])


@pytest.mark.parametrize("name", FILES)
def test_sentences_are_judged_as_people_judge_them(name: str, record_property: Callable[[str, str], None]) -> None:
    """Few that are honest are refused, and of those that are not, and were held back, most are."""
    right, wrong, missed = Counter[bool](), Counter[bool](), Counter[bool]()
    misjudged = dict[str, str | None]()
    for row in FILES[name]:
        code = code_of(row)
        if is_right(row, code):
            right[row["held"]] += code is not None
        else:
            wrong[row["held"]] += code is not None
            missed[row["held"]] += bool(row["codes"])
            misjudged[row["id"]] = code
    found, refused = right[True] + missed[True], right.total() + wrong.total()
    recall, precision = right[True] / found if found else 1.0, right.total() / refused
    record_property("corpus", f"{name:14} held: {right[True]:3} of {found:3} found; refused rightly {precision:6.1%}")

    assert precision >= PRECISION, (
        f"of {name}.jsonl only {precision:.1%} are refused rightly; misjudged are {misjudged}"
    )
    assert recall >= RECALL.get(name, 0.75), f"of {name}.jsonl only {recall:.1%} are found; misjudged are {misjudged}"


def test_few_honest_sentences_are_refused_for_the_outcome() -> None:
    """They come as near to a contradiction as their writers could make them."""
    honest = [row for name in FILES if name.startswith("outcomes") for row in FILES[name] if not row["codes"]]
    refused = [row["id"] for row in honest if code_of(row) is not None]

    assert len(refused) <= HONEST_REFUSED * len(honest), f"honest sentences of tests/corpus are refused: {refused}"


def test_a_strong_writer_is_hardly_ever_refused() -> None:
    """What was written to real prompts, all of it good: the outcome, the lines and all else."""
    told = [json.loads(line) for line in (FOLDER.parent / "strong-writer.jsonl").read_text("utf-8").splitlines()]
    refused = [each["candidate"] for each in told if narrator.check(_asked(each), each["candidate"]).rejected]

    assert len(refused) <= STRONG_REFUSED * len(told), f"of strong-writer.jsonl these are refused: {refused}"


def _asked(told: dict[str, Any]) -> dict[str, Any]:
    """The request that a strong writer answered."""
    file = FRESH / told["set"] / "requests.jsonl"
    rolls = [line for line in map(json.loads, file.read_text("utf-8").splitlines()) if "action" in line]
    return {"seed": 7, **rolls[told["number"] - 1], "per_slot": 2}
