"""The letters and numbers by which a page offers what may be chosen, and what somebody chose by them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from narrator.errors import NarratorError, quoted
from narrator.rules.choice import Suggestion
from narrator.rules.resolution import Branch, Resolution

_PICK = re.compile(r"\s*([A-Za-z])([\s,;+]*\d+)*\s*")


@dataclass(frozen=True)
class Labels:
    """
    A letter for each branch, and a number for each suggestion: one count for the whole page, so that a number
    means one thing.
    """

    branches: dict[str, Branch]
    suggestions: dict[int, Suggestion]

    def of_slot(self, slot: str) -> dict[int, Suggestion]:
        """
        List the suggestions of a slot by their numbers.
        """
        return {number: each for number, each in self.suggestions.items() if each.slot == slot}


def labels(resolution: Resolution, suggestions: Sequence[Suggestion]) -> Labels:
    """
    Label what a page offers, in the order of the page.
    """
    branches: dict[str, Branch] = {}
    for branch in resolution.branches:
        letters = f"{branch.id}abcdefghijklmnopqrstuvwxyz"
        branches[next(letter for letter in letters if letter.isalpha() and letter not in branches)] = branch
    in_order = (each for slot in resolution.slots() for each in suggestions if each.slot == slot.id)
    return Labels(branches, dict(enumerate(in_order, 1)))


def wanted(labels: Labels, branch: Branch) -> str:
    """
    Say what a branch wants of its suggestions: one of each list.
    """
    lists = [_span(sorted(labels.of_slot(slot.id))) for slot in branch.slots if labels.of_slot(slot.id)]
    return " and ".join(f"one of {each}" for each in lists)


def pick(text: str, labels: Labels) -> tuple[Branch, tuple[Suggestion, ...]]:
    """
    Find what was chosen, such as `f`, `s2`, or `r1,5` where a branch has two lists.

    Raises:
        NarratorError: `bad_choice`, with what the page offers.
    """
    letters = list(labels.branches)
    found = _PICK.fullmatch(text)
    letter = found[1].lower() if found else ""
    branch = labels.branches.get(letter)
    if branch is None:
        raise NarratorError("bad_choice", "choice", f"{quoted(text)} is none of the page's letters", letters)
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    lists = [labels.of_slot(slot.id) for slot in branch.slots if slot.forms]
    chosen = [each[number] for each in lists for number in numbers if number in each]
    if len(chosen) != len(lists) or len(chosen) != len(numbers):
        wants = wanted(labels, branch) or "no number"
        raise NarratorError("bad_choice", "choice", f"{quoted(text)}: {letter} wants {wants}")
    return branch, tuple(chosen)


def _span(numbers: Sequence[int]) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
