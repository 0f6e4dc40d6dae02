"""What goes into the check and what comes out of it: a candidate, and a verdict."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import StringConstraints

from narrator.rules.model import Given, Model
from narrator.rules.settle.suggestion import Suggestion

RejectionCode = Literal[
    "malformed", "unknown_slot", "wrong_kind", "form_not_allowed", "not_eligible", "wrong_mechanics", "unsafe_text",
    "too_long", "not_an_aspect", "mechanics_in_text", "contradicts_outcome", "over_the_line", "duplicate",
]  # fmt: skip
"""In the order in which they are judged."""

LONGEST_NAME = 60
LONGEST_DETAIL = 280
"""Characters of what a suggestion says."""

Filled = Annotated[str, StringConstraints(min_length=1)]


class Candidate(Given):
    """A suggestion before it is judged: what is free to choose, and what it may claim of the table."""

    slot: Filled
    """The id of the slot that it is for."""
    form: Filled
    """One of the slot's forms."""
    to: Filled | None = None
    """Who gains or suffers it, one of the form's `to`; may be left out where that has one name, or none."""
    name: Filled | None = None
    """The wording of the aspect, boost, consequence or new opposition, at most 60 characters; left out where the
    form takes none."""
    detail: Filled
    """One or two sentences of fiction, at most 280 characters, and no mechanic in them."""
    kind: Filled | None = None
    """A claim, best left out: the kind of the slot."""
    severity: Filled | None = None
    """The level of a consequence that a hit inflicts, one of the form's `severities`; left out: the mildest. In other
    forms a claim, best left out."""
    free_invocations: int | None = None
    """A claim, best left out: how many free invocations come with it."""
    holders: list[str] | None = None
    """A claim, best left out: who may get those."""
    amount: int | None = None
    """A claim, best left out: how much stress it is."""
    tracks: list[str] | None = None
    """A claim, best left out: the stress tracks that have a free box."""
    on: Filled | None = None
    """A claim, best left out: the aspect that it bears on."""
    goal: Filled | None = None
    """A claim, best left out: what becomes of the goal."""
    secret: bool | None = None
    """A claim, best left out: whether the words are for the GM alone."""
    card: Filled | None = None
    """Not read: the card that it was."""
    source: Filled | None = None
    """Not read: who wrote it."""

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield what it says, by the field."""
        if self.name is not None:
            yield "name", self.name
        if self.detail:
            yield "detail", self.detail


class Chosen(Candidate):
    """A suggestion that the table has chosen: a name of its own is enough."""

    detail: str = ""
    """The same; may be left out where there is a name."""


class Violation(Model):
    """One thing that is wrong with a candidate: the code, the field, and a message that tells how to mend it."""

    code: RejectionCode
    """Which of the rejection codes it is."""
    field: str
    """The field of the candidate that is wrong; empty: the whole."""
    message: str
    """How to mend it, for people and for models."""


class Rejection(Violation):
    """A candidate and why it is refused: the first code that applies."""

    candidate: Any
    """What was refused, as it came; very long or deep ones are cut. Left out: it was null."""


class Verdict(Model):
    """Either the suggestion, whole, or the rejection."""

    accepted: Suggestion | None = None
    """The suggestion, whole; there where it passed."""
    rejected: Rejection | None = None
    """Why not; there where it did not pass."""
    notices: tuple[str, ...] | None = None
    """What could not be judged; left out: everything was."""


class Violations(Model):
    """What the call `violations` gives."""

    violations: tuple[Violation, ...]
    """All that is wrong, in the order of the rejection codes; empty: nothing is."""
