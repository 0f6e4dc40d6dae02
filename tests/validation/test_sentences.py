"""Meaning, judged by sentences that people wrote who had seen no pattern; some were held back until those were done."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.validation.judged import code_of

FOLDER = Path(__file__).parents[1] / "corpus" / "sentences"
LACKING: dict[str, Any] = {
    "language": "en", "goal": None, "actor": "Cynere", "others": [], "intent": "", "lines": [], "held": False,
}  # fmt: skip
FILES = {
    file.stem: [LACKING | json.loads(line) for line in file.read_text("utf-8").splitlines()]
    for file in sorted(FOLDER.glob("*.jsonl"))
}

PRECISION = 0.98

RECALL = {"mechanics": 0.80, "aspects": 0.85, "lines": 0.65, "outcomes": 0.45}
"""Of the held sentences; what no list of words can tell is among them (docs/check.md). What is judged by few: 0.75."""


def is_right(row: dict[str, Any], code: str | None) -> bool:
    """Whether a verdict is; what is wrong may be refused for a sign, or as no aspect, before its sense is read."""
    if row["codes"] and code in ("unsafe_text", "not_an_aspect"):
        return True
    return code in (row["codes"] or [None])


@pytest.mark.parametrize("name", FILES)
def test_sentences_are_judged_as_people_judge_them(name: str, record_property: Callable[[str, str], None]) -> None:
    """Few that are honest are refused, and of those that are not, and were held back, most are."""
    right, wrong, missed = Counter[bool](), Counter[bool](), Counter[bool]()
    for row in FILES[name]:
        code = code_of(row)
        if is_right(row, code):
            right[row["held"]] += code is not None
        else:
            wrong[row["held"]] += code is not None
            missed[row["held"]] += bool(row["codes"])
    found, refused = right[True] + missed[True], right.total() + wrong.total()
    recall, precision = right[True] / found if found else 1.0, right.total() / refused
    record_property("corpus", f"{name:14} held: {right[True]:3} of {found:3} found; refused rightly {precision:6.1%}")

    assert precision >= PRECISION
    assert recall >= RECALL.get(name, 0.75)
