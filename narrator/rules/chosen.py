"""Looks at a choice before any word of it is read: whether there are its branch, its slots and its grants."""

from collections.abc import Mapping, Sequence
from typing import NoReturn

from narrator.errors import NarratorError, quoted
from narrator.rules.choice import Choice
from narrator.rules.resolution import Branch, Resolution


def branch_of(resolution: Resolution, choice: Choice) -> Branch:
    """Find the branch that was chosen, and see that the choice has one suggestion for each of its slots that want
    words, and fits its grants.

    Raises:
        NarratorError: `bad_choice` with the field and what would have fitted.
    """
    found = next((branch for branch in resolution.branches if branch.id == choice.branch), None)
    if found is None:
        refuse("branch", "the resolution has no such branch", [branch.id for branch in resolution.branches])
    _check_slots(found, choice)
    _check_grants(found, choice)
    return found


def refuse(field: str, message: str, allowed: Sequence[str]) -> NoReturn:
    """Raise what a choice that does not fit is refused with."""
    raise NarratorError("bad_choice", field, message, allowed)


def _check_slots(branch: Branch, choice: Choice) -> None:
    wanted = [slot.id for slot in branch.slots if slot.forms]
    needed = {slot.id for slot in branch.slots if slot.forms and not slot.may_stay_empty}
    given = [
        each.get("slot") if isinstance(each, Mapping) else getattr(each, "slot", None) for each in choice.suggestions
    ]
    # What is no name at all, whoever judges the suggestion says.
    named = [(place, slot) for place, slot in enumerate(given) if isinstance(slot, str)]
    for place, slot in named:
        if slot not in wanted:
            refuse(f"suggestions.{place}.slot", f"{branch.id} has no slot {quoted(slot)} that wants words", wanted)
    names = {slot for _, slot in named}
    is_missing = len(needed - names) > len(given) - len(named)
    if is_missing or len(given) > len(wanted) or len(names) < len(named):
        refuse("suggestions", f"{branch.id} wants one suggestion for each slot", wanted)


def _check_grants(branch: Branch, choice: Choice) -> None:
    grants, seen = branch.grants, set()
    for place, chosen in enumerate(choice.grants):
        field = f"grants.{place}"
        if chosen.index >= len(grants) or chosen.index in seen:
            known = [str(index) for index in range(len(grants)) if index not in seen]
            refuse(f"{field}.index", f"{branch.id} has no such grant, or it was chosen before", known)
        seen.add(chosen.index)
        grant = grants[chosen.index]
        if chosen.to is not None and chosen.to not in grant.to:
            refuse(f"{field}.to", "nobody else is eligible", grant.to)
        if chosen.on is not None and grant.type not in ("move", "may_move"):
            refuse(f"{field}.on", f"a grant of {grant.type} goes to no zone", ())
        if chosen.on is not None and grant.on not in (None, chosen.on):
            refuse(f"{field}.on", "the path says where this moves", [grant.on])
    moves = [place for place, each in enumerate(choice.grants) if each.on is not None]
    told = {choice.grants[place].on or "" for place in moves}
    if len(told) > 1:
        refuse(f"grants.{moves[-1]}.on", "all who move here go to the same zone", sorted(told))
