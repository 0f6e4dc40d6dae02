"""The input and output of the check: a candidate, and a verdict."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import StringConstraints

from narrator.rules.model import Given, Model
from narrator.rules.settle.suggestion import Suggestion

RejectionCode = Literal[
    "malformed", "unknown_slot", "wrong_kind", "form_not_allowed", "not_eligible", "wrong_mechanics", "unsafe_text",
    "too_long", "not_an_aspect", "mechanics_in_text", "contradicts_outcome", "over_the_line", "duplicate",
]  # fmt: skip
"""The codes, in the order in which the check judges them."""

LONGEST_NAME = 60
LONGEST_DETAIL = 280
"""The most characters of a name, and of a detail."""

Filled = Annotated[str, StringConstraints(min_length=1)]


class Candidate(Given):
    """A suggestion before the check. Some fields are free to choose. Others may only repeat the rules."""

    slot: Filled
    """The id of its slot."""
    form: Filled
    """One of the slot's forms."""
    to: Filled | None = None
    """Who gains or suffers it: one of the form's `to`. You may omit it if that list has one name, or none."""
    name: Filled | None = None
    """The wording of the aspect, boost, consequence or new opposition, at most 60 characters. Omit it if the form has
    none."""
    detail: Filled
    """One or two sentences of fiction without mechanics, at most 280 characters."""
    kind: Filled | None = None
    """Best omitted: the kind of the slot. A wrong one is refused."""
    severity: Filled | None = None
    """The level of a consequence that a hit inflicts: one of the form's `severities`, by default the mildest. For other
    forms best omitted: a wrong one is refused."""
    free_invocations: int | None = None
    """Best omitted: the number of free invocations. A wrong one is refused."""
    holders: list[str] | None = None
    """Best omitted: who may get the free invocations. Wrong ones are refused."""
    amount: int | None = None
    """Best omitted: the amount of stress. A wrong one is refused."""
    tracks: list[str] | None = None
    """Best omitted: the stress tracks with a free box. Wrong ones are refused."""
    on: Filled | None = None
    """Best omitted: the aspect concerned. A wrong one is refused."""
    goal: Filled | None = None
    """Best omitted: what becomes of the goal. A wrong one is refused."""
    secret: bool | None = None
    """Best omitted: whether it is only for the GM. A wrong value is refused."""
    card: Filled | None = None
    """Ignored: the id of the card."""
    source: Filled | None = None
    """Ignored: who wrote it."""

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield the field and text of name and detail."""
        if self.name is not None:
            yield "name", self.name
        if self.detail:
            yield "detail", self.detail


class Chosen(Candidate):
    """A suggestion that the table chose. A name is enough."""

    detail: str = ""
    """One or two sentences of fiction, at most 280 characters. You may omit it if there is a name."""


class Violation(Model):
    """One error in a candidate: its code, its field, and how to correct it."""

    code: RejectionCode
    """The rejection code."""
    field: str
    """The wrong field of the candidate. Empty: the whole candidate."""
    message: str
    """What is wrong and how to correct it, for people and for models."""


class Rejection(Violation):
    """A refused candidate and its first error."""

    candidate: Any
    """The refused candidate. Very long or deep ones are cut. Omitted if it was null."""


class Verdict(Model):
    """The accepted suggestion, or the rejection."""

    accepted: Suggestion | None = None
    """The complete suggestion, if it passed the check."""
    rejected: Rejection | None = None
    """The rejection, if it did not pass."""
    notices: tuple[str, ...] | None = None
    """What the check could not judge. Omitted if it judged everything."""


class Violations(Model):
    """The result of the call `violations`."""

    violations: tuple[Violation, ...]
    """All errors, in the order of the rejection codes. Empty: none."""
