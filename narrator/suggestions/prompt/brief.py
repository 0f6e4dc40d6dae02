"""A brief: a commission with its prompt, as chat messages and as the schema of an answer."""

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
    """What is sent to a model: all that a source needs if it uses only a prompt."""

    @property
    def manner(self) -> Manner:
        """How the suggestions are asked for."""

    @property
    def messages(self) -> tuple[tuple[str, str], ...]:
        """Chat messages: pairs of role (`system`, `user` or `assistant`) and content."""

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of an answer."""

    @property
    def schema_with_lengths(self) -> dict[str, Any]:
        """The schema with the lengths of texts, which not every server accepts."""


@dataclass(frozen=True)
class Brief(Commission, Prompt):
    """What a source is asked for.

    The source answers with text that contains a JSON object for each suggestion. Its fields are `slot`, `form`, `to`
    (one of the form's, or null), `name` (or null) and `detail`. If the form has `severities`, `severity` is one of
    them. In the manner `one_by_one`, name and detail are enough.

    A source without a model uses `wanted`. A model gets `messages`, and also `schema` if it supports one. Both are made
    on first use.
    """

    @cached_property
    def messages(self) -> tuple[tuple[str, str], ...]:
        """The brief as chat messages: pairs of role (`system`, `user` or `assistant`) and content."""
        return one_by_one.messages(self) if self.manner == "one_by_one" else messages.messages(self)

    @property
    def prompts(self) -> tuple[str, ...]:
        """The parts of the messages, each with its version, such as `system/2`."""
        parts = (prompt_part("one_by_one"),) if self.manner == "one_by_one" else messages.parts(self)
        return tuple(each.named for each in parts)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of an answer. It allows exactly what is wanted."""
        return self._schema(lengths=False)

    @property
    def schema_with_lengths(self) -> dict[str, Any]:
        """The schema with the lengths of names and details, which not every server accepts."""
        return self._schema(lengths=True)

    def _schema(self, *, lengths: bool) -> dict[str, Any]:
        slots = tuple(each.slot for each in self.wanted)
        if self.manner == "one_by_one":
            return words_alone(self.ruleset.forms[slots[0].forms[0].form], self.language, lengths=lengths)
        return compile_schema(slots, self.ruleset.forms, lengths=lengths)

    def whole(self, found: object) -> object:
        """Complete an object of an answer: in the manner `one_by_one`, add the chosen slot, form, recipient and
        level."""
        if self.manner == "together" or not isinstance(found, dict):
            return found
        slot = self.wanted[0].slot
        offer = slot.forms[0]
        severity = {"severity": offer.severities[0]} if offer.severities else {}
        return {**found, "slot": slot.id, "form": offer.form, "to": offer.to[0] if offer.to else None, **severity}
