"""The brief: what a source is asked for, as data, as chat messages, and as the schema of an answer."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from narrator.rules.action import Request
from narrator.rules.resolution import Resolution, Slot
from narrator.rules.ruleset import Ruleset
from narrator.rules.ruling import Ruling
from narrator.suggestions import one_by_one, prompt
from narrator.suggestions.schema import compile_schema, words_alone
from narrator.validation.verdict import Rejection

Purpose: TypeAlias = Literal["roll", "prepare", "word"]
"""
What words are for: a roll that stands, the rows that a roll may lead to, or a scene without a roll.
"""

Manner: TypeAlias = Literal["together", "one_by_one"]
"""
How words are asked for: all that is wanted in one call, or one suggestion a call, with its slot, form and recipient
chosen beforehand, which is surer with a small model.
"""
MANNERS: tuple[Manner, ...] = get_args(Manner)


class Wanted(NamedTuple):
    """What is still wanted for one slot."""

    slot: Slot
    """The slot, with no forms but those that may still be given; a form's `to` says who may gain or suffer it."""
    how_many: int
    """How many suggestions, 1 or more; each of another form where there are enough of them."""


@dataclass(frozen=True)
class Brief:
    """What a source is asked for.

    An answer is text with a JSON object for each suggestion: `slot`, `form`, `to` (one of the form's, or null),
    `name` (or null) and `detail`, and where the form has `severities` one of them as `severity`; one by one name and
    detail are enough. A source without a prompt goes by `wanted`; a model is sent `messages`, and `schema` where it can
    be held to one. Both are worked out when they are first asked for.
    """

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

    @property
    def language(self) -> str:
        """The language to write in, as the scene names it, such as `en` or `de-CH`."""
        return self.request.scene.language

    @cached_property
    def messages(self) -> tuple[tuple[str, str], ...]:
        """The same as chat messages, each its role (`system` or `user`) and its content."""
        return one_by_one.messages(self) if self.manner == "one_by_one" else prompt.messages(self)

    @property
    def prompts(self) -> tuple[str, ...]:
        """The pages that the messages are made of, each with its version, such as `system/2`."""
        pages = one_by_one.pages() if self.manner == "one_by_one" else prompt.pages(self)
        return tuple(each.named for each in pages)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of an answer: what is wanted, and nothing else."""
        return self._schema(lengths=False)

    @property
    def schema_with_lengths(self) -> dict[str, Any]:
        """The same with the lengths of names and details, which not every server takes."""
        return self._schema(lengths=True)

    def _schema(self, *, lengths: bool) -> dict[str, Any]:
        slots = tuple(each.slot for each in self.wanted)
        if self.manner == "one_by_one":
            return words_alone(self.ruleset.forms[slots[0].forms[0].form], self.language, lengths=lengths)
        return compile_schema(slots, self.ruleset.forms, lengths=lengths)

    def whole(self, found: object) -> object:
        """Return what was found in an answer as a suggestion. One by one, slot, form and recipient are as they were
        chosen, whatever the answer says.
        """
        if self.manner == "together" or not isinstance(found, dict):
            return found
        slot = self.wanted[0].slot
        offer = slot.forms[0]
        severity = {"severity": offer.severities[0]} if offer.severities else {}
        return {**found, "slot": slot.id, "form": offer.form, "to": offer.to[0] if offer.to else None, **severity}
