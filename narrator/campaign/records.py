"""The records of a campaign: pages, each a roll with its answer, and entries, each one write."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from narrator.rules.model import Model
from narrator.rules.request.action import Request
from narrator.rules.request.overlay import Overlay
from narrator.rules.settle.changes import Change
from narrator.suggestions.pipeline.answer import (
    AcceptedEvent,
    Answer,
    NoticeEvent,
    RejectedEvent,
    ResolutionEvent,
    UsageEvent,
)

EntryKind = Literal["begun", "settled", "again", "moved", "noted", "undone", "redone", "struck"]
PageState = Literal["open", "settled", "struck"]
Dice = Literal["thrown", "told"]

STRUCK = "…"
"""Replaces struck words."""


class Page(Model):
    """A roll with its answer, kept until somebody settles it."""

    id: str
    """The page's id, such as `p12`."""
    request: Request
    """The request, with the scene of its revision and the seed of narrator's dice."""
    over: Overlay | None = None
    """Additions to the scene, such as a new character. They become part of the scene when the page is settled."""
    answer: Answer
    """The answer. When a page is read again, `rejected` and `dealt` are missing."""
    revision: int
    """The revision of the scene that the page was made from."""
    dice: Dice
    """`thrown` if narrator rolled all dice from its own seed. `told` if a die, a seed or an outcome was given."""
    state: PageState
    """Whether the page waits for a choice, was settled, or was struck out."""


class Said(Model):
    """Chosen words."""

    form: str
    """Their form."""
    name: str | None = None
    """Their name, if the form takes one."""
    detail: str | None = None
    """What happens, if somebody wrote it."""
    secret: bool | None = None
    """True if they are for the GM alone."""


class Entry(Model):
    """One write into a campaign."""

    seq: int
    """Its number, from 1, without gaps."""
    at: str
    """The time in UTC, in ISO 8601."""
    kind: EntryKind
    """The kind of write."""
    page: str | None = None
    """The page that was settled, reopened or struck out."""
    dice: Dice | None = None
    """For a roll: `thrown` if narrator rolled all dice, `told` if any were given."""
    text: str
    """A summary in one line of plain text, without secrets. Escape it before you show it."""
    said: tuple[Said, ...] = ()
    """The chosen words, including secret ones."""
    of: int | None = None
    """The entry that was taken back, redone or struck out."""
    changes: tuple[Change, ...] = ()
    """What changed in the scene. An entry that takes something back has the reverse changes."""
    revision: int
    """The revision of the scene after it."""
    undone: bool = False
    """Whether it was taken back."""


class PageEvent(Model):
    """The last event of a stream, with the complete page."""

    event: Literal["done"] = "done"
    """The event's name."""
    done: Page
    """The page."""


CampaignEvent: TypeAlias = Annotated[
    ResolutionEvent | AcceptedEvent | RejectedEvent | NoticeEvent | UsageEvent | PageEvent,
    Field(discriminator="event"),
]
"""A piece of a new page, sent as soon as it is known."""
