"""A brief: a commission with what a model is sent for it, as chat messages and as the schema of an answer."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from narrator.resources import prompt_part
from narrator.suggestions.prompt import messages, one_by_one
from narrator.suggestions.prompt.answer_schema import compile_schema, words_alone
from narrator.suggestions.prompt.commission import (
    MANNERS as MANNERS,
    Commission,
    Manner as Manner,
    Purpose as Purpose,
    Wanted as Wanted,
)


class Prompt(Protocol):
    """What a model is sent: all that a source needs that goes by no more than words."""

    @property
    def manner(self) -> Manner:
        """How the words are asked for."""

    @property
    def messages(self) -> tuple[tuple[str, str], ...]:
        """Chat messages, each its role (`system`, `user` or `assistant`) and its content."""

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of an answer."""

    @property
    def schema_with_lengths(self) -> dict[str, Any]:
        """The same with the lengths of texts, which not every server takes."""


@dataclass(frozen=True)
class Brief(Commission, Prompt):
    """What a source is asked for.

    An answer is text with a JSON object for each suggestion: `slot`, `form`, `to` (one of the form's, or null),
    `name` (or null) and `detail`, and where the form has `severities` one of them as `severity`; one by one name and
    detail are enough. A source without a prompt goes by `wanted`; a model is sent `messages`, and `schema` where it can
    be held to one. Both are worked out when they are first asked for.
    """

    @cached_property
    def messages(self) -> tuple[tuple[str, str], ...]:
        """The same as chat messages, each its role (`system` or `user`) and its content."""
        return one_by_one.messages(self) if self.manner == "one_by_one" else messages.messages(self)

    @property
    def prompts(self) -> tuple[str, ...]:
        """The parts that the messages are made of, each with its version, such as `system/2`."""
        parts = (prompt_part("one_by_one"),) if self.manner == "one_by_one" else messages.parts(self)
        return tuple(each.named for each in parts)

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
        """Return what was found in an answer as a suggestion; one by one, slot, form and recipient are as chosen."""
        if self.manner == "together" or not isinstance(found, dict):
            return found
        slot = self.wanted[0].slot
        offer = slot.forms[0]
        severity = {"severity": offer.severities[0]} if offer.severities else {}
        return {**found, "slot": slot.id, "form": offer.form, "to": offer.to[0] if offer.to else None, **severity}
