"""A ruling: what was asked, by which rules, who is there, and what it comes to. Made once, and handed on."""

from dataclasses import dataclass
from functools import cached_property

from narrator.rules.request.action import Request
from narrator.rules.request.scene import Character
from narrator.rules.resolve.cast import Cast
from narrator.rules.resolve.resolution import Branch, Resolution, Slot
from narrator.rules.ruleset.ruleset import Ruleset


@dataclass(frozen=True, eq=False)
class Ruling:
    """A request, completed, with all that was found out of it."""

    request: Request
    ruleset: Ruleset
    cast: Cast
    resolution: Resolution

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """What wants words, on the branch asked for."""
        return self.resolution.slots(self.request.branch)

    @property
    def actor(self) -> Character:
        """Who acts."""
        return self.cast[self.request.action.actor]

    @property
    def track(self) -> str | None:
        """The stress track that an attack is on."""
        return self.ruleset.track(self.request.action.attack.track)

    def carriers(self, slot: Slot) -> tuple[Branch, ...]:
        """List the branches that carry a slot, of those that were asked for."""
        asked = self.request.branch
        branches = (each for each in self.resolution.branches if asked in (None, each.id))
        return tuple(each for each in branches if slot.id in [carried.id for carried in each.slots])

    def attained(self, slot: Slot) -> bool | None:
        """Tell whether the goal is attained on every branch that carries a slot, or on none; else None."""
        goals = {branch.goal for branch in self.carriers(slot)}
        return goals == {"attained"} if goals in ({"attained"}, {"not_attained"}) else None
