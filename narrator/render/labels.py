"""Labels: the letters and numbers for the choices on a page, and how a choice is read."""

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
"""The most digits of a number. No page has more."""


@dataclass(frozen=True)
class Labels:
    """A letter for each branch and a number for each suggestion. Every number on a page is different."""

    branches: dict[str, Branch]
    suggestions: dict[int, Suggestion]

    def of_slot(self, slot: str) -> dict[int, Suggestion]:
        """List the suggestions of a slot by their numbers."""
        return {number: each for number, each in self.suggestions.items() if each.slot == slot}


def labels(resolution: Resolution, suggestions: Sequence[Suggestion]) -> Labels:
    """Label what a page offers, in the order of the page."""
    branches: dict[str, Branch] = {}
    for branch in resolution.branches:
        # Names in a ruleset may have any letters. Labels use only those on every keyboard.
        letters = (letter for letter in branch.id.lower() + ascii_lowercase if letter in ascii_lowercase)
        branches[next(letter for letter in letters if letter not in branches)] = branch
    in_order = (each for slot in resolution.slots() for each in suggestions if each.slot == slot.id)
    return Labels(branches, dict(enumerate(in_order, 1)))


def what_is_wanted(labels: Labels, branch: Branch) -> str:
    """Say what a branch needs: a suggestion from each list; for a consequence, only if it is taken."""
    lists = [(slot, _span(sorted(labels.of_slot(slot.id)))) for slot in branch.slots if labels.of_slot(slot.id)]
    wants = " and ".join(f"one of {span}" for slot, span in lists if not slot.may_stay_empty)
    more = [f"for a {slot.kind} one of {span}" for slot, span in lists if slot.may_stay_empty]
    return ", and ".join([*([wants] if wants else []), *more])


def pick(text: str, labels: Labels, own_form: str | None = None) -> tuple[Branch, tuple[Suggestion, ...], Slot | None]:
    """Read a choice such as `f`, `s2`, or `r1,5` for a branch with two lists. Returns the branch, the suggestions, and
    the slot for the user's own words of `own_form`. Raises `bad_choice`, which says what is offered.
    """
    found = _PICK.fullmatch(text)
    letter = found[1].lower() if found else ""
    branch = labels.branches.get(letter)
    if branch is None:
        message = f"{quoted(text)} is not one of the page's letters: {', '.join(labels.branches)}"
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
        raise RequestError("bad_choice", "form", f"no slot that {text} leaves open takes this form", forms)
    needed = {slot.id for slot in slots if slot is not own and not slot.may_stay_empty}
    is_whole = needed <= {*filled} <= {slot.id for slot in slots if slot is not own}
    if not is_whole or len({*filled}) < len(filled) or len(chosen) != len(typed):
        wants = what_is_wanted(labels, branch) or ("words of your own" if slots else "no number")
        raise RequestError("bad_choice", "choice", f"{quoted(text)}: {letter} needs {wants}")
    return branch, tuple(chosen), own


def _span(numbers: Sequence[int]) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
