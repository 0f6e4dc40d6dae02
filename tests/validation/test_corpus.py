"""The check, judged by suggestions that people have labelled."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import narrator

TESTS = Path(__file__).parents[1]


def labelled(name: str) -> list[dict[str, Any]]:
    """The lines of a corpus; where one names its request, it is read from the examples."""
    lines: list[dict[str, Any]] = []
    for text in (TESTS / "corpus" / name).read_text("utf-8").splitlines():
        line = json.loads(text)
        if isinstance(line["request"], str):
            line["request"] = json.loads((TESTS.parent / "examples" / line["request"]).read_text("utf-8"))
        lines.append(line)
    return lines


LINES = labelled("suggestions-dev.jsonl")
SMALL = labelled("small-models.jsonl")

MEANING = ("not_an_aspect", "mechanics_in_text", "contradicts_outcome", "over_the_line")
"""The codes that read meaning: these may err a little, the others may not."""

PRECISION, RECALL = 0.95, 0.90

PASSED, REFUSED = 31, 1
"""As measured: of 127 lines of a small model that are to be refused and no parrots, and of 67 that may pass."""


@dataclass(frozen=True)
class Score:
    """How often a code was given rightly, given wrongly, and not given."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


def verdict(line: dict[str, Any]) -> str | None:
    """The code that a line's candidate is rejected with, None where it is accepted."""
    rejected = narrator.check(line["request"], line["candidate"]).rejected
    return rejected.code if rejected is not None else None


def scores(lines: list[dict[str, Any]]) -> dict[str, Score]:
    """Score every code over labelled lines."""
    right, wrong, missed = Counter[str](), Counter[str](), Counter[str]()
    for line in lines:
        given = verdict(line)
        if given is not None and given in line["codes"]:
            right[given] += 1
            continue
        wrong.update([given] if given is not None else [])
        missed.update(line["codes"][:1])
    return {code: Score(right[code], wrong[code], missed[code]) for code in sorted({*right, *wrong, *missed})}


@pytest.mark.parametrize(
    "line", [line for line in LINES if not set(line["codes"]) & set(MEANING)], ids=lambda line: line["id"]
)
def test_structure_and_safety_are_always_right(line: dict[str, Any]) -> None:
    """What is structure or unsafe gets its code, and what is good passes."""
    assert verdict(line) in (line["codes"] or [None])


def test_meaning_is_judged_well(record_property: Callable[[str, str], None]) -> None:
    """The codes that read meaning keep their precision and recall."""
    found = scores(LINES)
    for code, score in found.items():
        counts = f"right {score.right:3} wrong {score.wrong:3} missed {score.missed:3}"
        rates = f"precision {score.precision:6.1%}  recall {score.recall:6.1%}"
        record_property("corpus", f"{code:20} {counts}  {rates}")

    for code in MEANING:
        score = found[code]
        assert score.precision >= PRECISION, f"{code} is given wrongly in tests/corpus/suggestions-dev.jsonl: {score}"
        assert score.recall >= RECALL, f"{code} is missed in tests/corpus/suggestions-dev.jsonl: {score}"


def test_no_parrot_passes() -> None:
    """What a real small model only repeated is refused, each for a reason that is right."""
    parrots = [line for line in SMALL if line["codes"][:1] == ["duplicate"]]

    wrong = {line["id"]: verdict(line) for line in parrots if verdict(line) not in line["codes"]}

    assert not wrong, f"tests/corpus/small-models.jsonl has parrots that pass, or have a code that is wrong: {wrong}"


def test_small_models_get_little_else_past_the_check() -> None:
    """Parrots aside, little passes that should not, and next to nothing is refused that should pass."""
    others = [line for line in SMALL if line["codes"][:1] != ["duplicate"]]
    passed = [line["id"] for line in others if line["codes"] and verdict(line) is None]
    refused = {line["id"]: verdict(line) for line in others if not line["codes"] and verdict(line) is not None}

    assert "duplicate" not in refused.values(), refused
    assert len(passed) <= PASSED, f"of tests/corpus/small-models.jsonl more pass than did ({PASSED}): {passed}"
    assert len(refused) <= REFUSED, f"of tests/corpus/small-models.jsonl these may pass, and are refused: {refused}"
