"""Labels: the letters and numbers by which a page offers choices, and what was chosen by them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from narrator.errors import RequestError, quoted
from narrator.rules.resolve.resolution import Branch, Resolution, Slot
from narrator.rules.settle.suggestion import Suggestion

_PICK = re.compile(r"\s*([A-Za-z])([\s,;+\d]*)")
_NUMBER = re.compile(r"\d+")
_DIGITS = 9
"""Of a number; no page has one that is longer."""


@dataclass(frozen=True)
class Labels:
    """A letter for each branch, and a number for each suggestion, in one count, so that a number means one thing."""

    branches: dict[str, Branch]
    suggestions: dict[int, Suggestion]

    def of_slot(self, slot: str) -> dict[int, Suggestion]:
        """List the suggestions of a slot by their numbers."""
        return {number: each for number, each in self.suggestions.items() if each.slot == slot}


def labels(resolution: Resolution, suggestions: Sequence[Suggestion]) -> Labels:
    """Label what a page offers, in the order of the page."""
    branches: dict[str, Branch] = {}
    for branch in resolution.branches:
        # Whatever letters a ruleset's names have, those that every keyboard has are to be typed.
        letters = (letter for letter in branch.id.lower() + ascii_lowercase if letter in ascii_lowercase)
        branches[next(letter for letter in letters if letter not in branches)] = branch
    in_order = (each for slot in resolution.slots() for each in suggestions if each.slot == slot.id)
    return Labels(branches, dict(enumerate(in_order, 1)))


def what_is_wanted(labels: Labels, branch: Branch) -> str:
    """Say what a branch wants: a suggestion of each list, but one for a consequence only where that is taken."""
    lists = [(slot, _span(sorted(labels.of_slot(slot.id)))) for slot in branch.slots if labels.of_slot(slot.id)]
    wants = " and ".join(f"one of {span}" for slot, span in lists if not slot.may_stay_empty)
    more = [f"for a {slot.kind} one of {span}" for slot, span in lists if slot.may_stay_empty]
    return ", and ".join([*([wants] if wants else []), *more])


def pick(text: str, labels: Labels, own_form: str | None = None) -> tuple[Branch, tuple[Suggestion, ...], Slot | None]:
    """Find what was chosen, such as `f`, `s2`, or `r1,5` where a branch has two lists: the branch, the suggestions, and
    the slot for words of `own_form`, which are somebody's own and have no number; `bad_choice` says what is offered.
    """
    found = _PICK.fullmatch(text)
    letter = found[1].lower() if found else ""
    branch = labels.branches.get(letter)
    if branch is None:
        message = f"{quoted(text)} is none of the page's letters: {', '.join(labels.branches)}"
        raise RequestError("bad_choice", "choice", message)
    typed = _NUMBER.findall(text)
    numbers = [int(number) for number in typed if len(number) <= _DIGITS]
    slots = [slot for slot in branch.slots if slot.forms]
    chosen = [labels.suggestions[number] for number in numbers if number in labels.suggestions]
    filled = [suggestion.slot for suggestion in chosen]
    open_slots = [slot for slot in slots if slot.id not in filled]
    own = next((slot for slot in open_slots if own_form is not None and slot.offer(own_form) is not None), None)
    if own is None and own_form is not None:
        forms = [offer.form for slot in open_slots for offer in slot.forms]
        raise RequestError("bad_choice", "form", f"nothing that {text} leaves open has such a form", forms)
    needed = {slot.id for slot in slots if slot is not own and not slot.may_stay_empty}
    is_whole = needed <= {*filled} <= {slot.id for slot in slots if slot is not own}
    if not is_whole or len({*filled}) < len(filled) or len(chosen) != len(typed):
        wants = what_is_wanted(labels, branch) or ("words of your own" if slots else "no number")
        raise RequestError("bad_choice", "choice", f"{quoted(text)}: {letter} wants {wants}")
    return branch, tuple(chosen), own


def _span(numbers: Sequence[int]) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
