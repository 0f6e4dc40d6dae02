"""A ruling: a request, its ruleset, its cast and its resolution. It is made once and then passed on."""

from dataclasses import dataclass
from functools import cached_property

from narrator.rules.request.action import Request
from narrator.rules.request.scene import Character
from narrator.rules.resolve.cast import Cast
from narrator.rules.resolve.resolution import Branch, Resolution, Slot
from narrator.rules.ruleset.ruleset import Ruleset


@dataclass(frozen=True, eq=False)
class Ruling:
    """A completed request with everything that the rules found."""

    request: Request
    ruleset: Ruleset
    cast: Cast
    resolution: Resolution

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The slots of the requested branch, or of all branches."""
        return self.resolution.slots(self.request.branch)

    @property
    def actor(self) -> Character:
        """The acting character."""
        return self.cast[self.request.action.actor]

    @property
    def track(self) -> str | None:
        """The stress track of an attack."""
        return self.ruleset.track(self.request.action.attack.track)

    def carriers(self, slot: Slot) -> tuple[Branch, ...]:
        """List the requested branches that have a slot."""
        asked = self.request.branch
        branches = (each for each in self.resolution.branches if asked in (None, each.id))
        return tuple(each for each in branches if slot.id in [carried.id for carried in each.slots])

    def attained(self, slot: Slot) -> bool | None:
        """Return whether the goal is attained on every branch with a slot, or on none. None if they differ."""
        goals = {branch.goal for branch in self.carriers(slot)}
        return goals == {"attained"} if goals in ({"attained"}, {"not_attained"}) else None
