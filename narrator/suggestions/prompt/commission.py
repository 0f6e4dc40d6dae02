"""A commission: the slots to fill, what they have already, what was refused, and the manner of the source."""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, get_args

from narrator.rules.request.action import Request
from narrator.rules.resolve.resolution import Branch, Resolution, Slot
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.validation.verdict import Rejection

Purpose: TypeAlias = Literal["roll", "prepare", "word"]
"""What the suggestions are for: a roll, the rows that a coming roll may lead to, or a scene without a roll."""

Manner: TypeAlias = Literal["together", "one_by_one"]
"""How suggestions are asked for. `together`: all in one call. `one_by_one`, for small models: one suggestion a call,
and narrator chooses all but its wording."""
MANNERS: tuple[Manner, ...] = get_args(Manner)


class Wanted(NamedTuple):
    """What one slot still needs."""

    slot: Slot
    """The slot, with only the forms still allowed. A form's `to` lists who may gain or suffer it."""
    how_many: int
    """How many suggestions, 1 or more. They have different forms if there are enough."""


@dataclass(frozen=True)
class Commission:
    """The suggestions to write for some rows."""

    rulings: tuple[Ruling, ...]
    """The row of the table; before a roll, every row that it may lead to."""
    wanted: tuple[Wanted, ...]
    """What is still needed, slot by slot. Never empty."""
    already_said: tuple[str, ...] = ()
    """The suggestions that the answer already has: their names, or the details of those without a name."""
    refused: tuple[Rejection, ...] = ()
    """What the check refused in the source's last answer, and why. If there is any, this is a repair."""
    purpose: Purpose = "roll"
    """What the suggestions are for. Before a roll, a slot's id begins with the outcome: `fail.serious_cost`."""
    manner: Manner = "together"
    """How they are asked for. `one_by_one`: a single suggestion, of one form, for one recipient or none."""

    @property
    def request(self) -> Request:
        """The request: the scene and the action."""
        return self.rulings[0].request

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset. Its `forms` say what each form is, and whether it has a name."""
        return self.rulings[0].ruleset

    @property
    def rows(self) -> tuple[Resolution, ...]:
        """The resolutions: one, or before a roll one for each row that it may lead to."""
        return tuple(each.resolution for each in self.rulings)

    @property
    def resolution(self) -> Resolution:
        """The resolution; before a roll, the first one."""
        return self.rulings[0].resolution

    def ruling(self, slot: Slot) -> Ruling:
        """Find the row of a slot."""
        return next(each for each in self.rulings if slot.id in [known.id for known in each.slots])

    def carriers(self, slot: Slot) -> tuple[Branch, ...]:
        """List the branches of the request that have this slot. Empty if there was no roll."""
        return self.ruling(slot).carriers(slot) if self.purpose != "word" else ()

    @property
    def language(self) -> str:
        """The language to write in: the scene's, such as `en` or `de-CH`."""
        return self.request.scene.language
