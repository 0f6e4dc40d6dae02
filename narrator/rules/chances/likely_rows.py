"""The rows that a roll may lead to, ruled as if each outcome had been told."""

from dataclasses import replace

from narrator.rules.chances.chances import Chance, likeliest
from narrator.rules.request.action import Request
from narrator.rules.resolve.resolution import Branch
from narrator.rules.resolve.resolver import rule
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.ruleset.ruleset import Ruleset


def likely_rows(request: Request, ruleset: Ruleset, threshold: float) -> tuple[tuple[Ruling, Chance], ...]:
    """Rule on each outcome that is likely enough, at its likeliest shifts, and give its chance. The id of each slot
    begins with the outcome: `fail.serious_cost`.

    Args:
        request: The actor's dice are ignored. A told total and the opposition's roll are used.
        threshold: The least chance, from 0 to 1.
    """
    return tuple(
        (_told(request, ruleset, outcome, shifts), chance)
        for outcome, (shifts, chance) in likeliest(request, ruleset, threshold).items()
    )


def own_slot(outcome: str, slot_id: str) -> str:
    """Return the id of a slot without its outcome.

    >>> own_slot("fail", "fail.serious_cost")
    'serious_cost'
    """
    return slot_id.removeprefix(f"{outcome}.")


def _told(request: Request, ruleset: Ruleset, outcome: str, shifts: int) -> Ruling:
    action = request.action.model_copy(update={"roll": None, "outcome": outcome, "shifts": shifts})
    ruling = rule(request.model_copy(update={"action": action, "branch": None}), ruleset)
    branches = tuple(_named(branch, outcome) for branch in ruling.resolution.branches)
    return replace(ruling, resolution=ruling.resolution.model_copy(update={"branches": branches}))


def _named(branch: Branch, outcome: str) -> Branch:
    slots = (each.model_copy(update={"id": f"{outcome}.{each.id}"}) for each in branch.slots)
    return branch.model_copy(update={"slots": tuple(slots)})
