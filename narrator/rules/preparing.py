"""The rows that a roll may lead to, before it is made: each as if its outcome had been told."""

from narrator.rules.action import Request
from narrator.rules.chances import Fraction, likeliest
from narrator.rules.model import Model
from narrator.rules.resolution import Resolution
from narrator.rules.resolving import resolve
from narrator.rules.ruleset import Ruleset


class LikelyRow(Model):
    """An outcome that a roll may have: how likely it is, and what it would come to."""

    outcome: str
    chance: Fraction
    request: Request
    """The same with this outcome told, and its likeliest shifts."""
    resolution: Resolution
    """What that resolves to; the id of each slot names the outcome first: `fail.serious_cost`."""


def likely_rows(request: Request, ruleset: Ruleset, threshold: float) -> tuple[LikelyRow, ...]:
    """Resolve each outcome that is likely enough.

    Args:
        request: `completed`. The actor's dice do not count; a total that is told does, and what is told of the
            opposition.
        threshold: The least chance, from 0 to 1.

    Raises:
        NarratorError: As `resolve`, and `bad_request` where the outcome is told already.
    """
    return tuple(
        _row(request, ruleset, outcome, shifts, chance)
        for outcome, (shifts, chance) in likeliest(request, ruleset, threshold).items()
    )


def own_slot(outcome: str, slot_id: str) -> str:
    """The id of a slot in the row of its outcome.

    >>> own_slot("fail", "fail.serious_cost")
    'serious_cost'
    """
    return slot_id.removeprefix(f"{outcome}.")


def _row(request: Request, ruleset: Ruleset, outcome: str, shifts: int, chance: Fraction) -> LikelyRow:
    action = request.action.model_copy(update={"roll": None, "outcome": outcome, "shifts": shifts})
    told = request.model_copy(update={"action": action, "branch": None})
    resolution = resolve(told, ruleset)
    branches = tuple(
        branch.model_copy(
            update={"slots": tuple(each.model_copy(update={"id": f"{outcome}.{each.id}"}) for each in branch.slots)}
        )
        for branch in resolution.branches
    )
    named = resolution.model_copy(update={"branches": branches})
    return LikelyRow(outcome=outcome, chance=chance, request=told, resolution=named)
