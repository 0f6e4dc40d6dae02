"""A commission: slots that want words, what there is already, what was refused, and of what manner of source."""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, get_args

from narrator.rules.request.action import Request
from narrator.rules.resolve.resolution import Branch, Resolution, Slot
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.validation.verdict import Rejection

Purpose: TypeAlias = Literal["roll", "prepare", "word"]
"""What words are for: a roll that stands, the rows that a roll may lead to, or a scene without a roll."""

Manner: TypeAlias = Literal["together", "one_by_one"]
"""How words are asked for: all in one call, or one suggestion a call, chosen but for its words, for a small model."""
MANNERS: tuple[Manner, ...] = get_args(Manner)


class Wanted(NamedTuple):
    """What is still wanted for one slot."""

    slot: Slot
    """The slot, with no forms but those that may still be given; a form's `to` says who may gain or suffer it."""
    how_many: int
    """How many suggestions, 1 or more; each of another form where there are enough of them."""


@dataclass(frozen=True)
class Commission:
    """Words that are wanted for rows: how many, what there is already, and what was refused."""

    rulings: tuple[Ruling, ...]
    """What words are for: one row of the table, or before a roll each that it may lead to."""
    wanted: tuple[Wanted, ...]
    """What is still wanted, slot by slot; never empty."""
    already_said: tuple[str, ...] = ()
    """What the answer has already, each by its name, or by its detail where it has none."""
    refused: tuple[Rejection, ...] = ()
    """What the check refused of the source's last answer, and why; where there is any, this is a repair."""
    purpose: Purpose = "roll"
    """What the words are for. Before a roll a slot's id names its outcome first: `fail.serious_cost`."""
    manner: Manner = "together"
    """How the words are asked for. One by one, one suggestion is wanted, of one form and for one recipient or none."""

    @property
    def request(self) -> Request:
        """What was asked of narrator: the scene and the action."""
        return self.rulings[0].request

    @property
    def ruleset(self) -> Ruleset:
        """Whose rules; its `forms` say what each form is, and whether it has a name."""
        return self.rulings[0].ruleset

    @property
    def rows(self) -> tuple[Resolution, ...]:
        """What the rules found: one row of the table, or before a roll each that it may lead to."""
        return tuple(each.resolution for each in self.rulings)

    @property
    def resolution(self) -> Resolution:
        """What the rules found; before a roll the first of the rows."""
        return self.rulings[0].resolution

    def ruling(self, slot: Slot) -> Ruling:
        """Find the row that a slot is of."""
        return next(each for each in self.rulings if slot.id in [known.id for known in each.slots])

    def carriers(self, slot: Slot) -> tuple[Branch, ...]:
        """List the branches that carry a slot, of those that words are asked for; none where there was no roll."""
        return self.ruling(slot).carriers(slot) if self.purpose != "word" else ()

    @property
    def language(self) -> str:
        """The language to write in, as the scene names it, such as `en` or `de-CH`."""
        return self.request.scene.language
