"""What a campaign keeps, as it tells it: pages, each a roll with its answer, and entries, each something written."""

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
"""What stands in place of words that were struck."""


class Page(Model):
    """A roll that is kept, with its answer, until somebody settles it."""

    id: str
    """What it goes by, such as `p12`."""
    request: Request
    """What was asked, with the scene of its revision and the seed of what narrator threw."""
    over: Overlay | None = None
    """What was told over the scene with it, such as somebody new; it becomes part of the scene with the choice."""
    answer: Answer
    """What came of it. A page that is read again has neither what was refused nor what was dealt before it."""
    revision: int
    """The revision of the scene that it was made from."""
    dice: Dice
    """Whether narrator threw all dice, by a seed of its own, or was told any of them, a seed or an outcome."""
    state: PageState
    """Whether it waits for a choice, was settled, or was struck out."""


class Said(Model):
    """Words that were chosen."""

    form: str
    """What form they have."""
    name: str | None = None
    """Their name, where the form takes one."""
    detail: str | None = None
    """What happens; left out where nobody told it."""
    secret: bool | None = None
    """True where they are for the GM alone."""


class Entry(Model):
    """Something that was written into a campaign."""

    seq: int
    """Its number, from 1, without gaps."""
    at: str
    """When, in UTC as ISO 8601 has it."""
    kind: EntryKind
    """What was done."""
    page: str | None = None
    """The page that was settled, opened again or struck out."""
    dice: Dice | None = None
    """Of a roll: whether narrator threw all dice, or was told any."""
    text: str
    """What was done, in a line of plain text without secrets. Escape it where you show it."""
    said: tuple[Said, ...] = ()
    """The words that were chosen, secret ones too."""
    of: int | None = None
    """The entry that was taken back, done again or struck out."""
    changes: tuple[Change, ...] = ()
    """What is different in the scene; of an entry that takes something back, the other way round."""
    revision: int
    """The revision of the scene after it."""
    undone: bool = False
    """Whether it was taken back."""


class PageEvent(Model):
    """The last event of a stream: the page, whole."""

    event: Literal["done"] = "done"
    """Its name."""
    done: Page
    """The page."""


CampaignEvent: TypeAlias = Annotated[
    ResolutionEvent | AcceptedEvent | RejectedEvent | NoticeEvent | UsageEvent | PageEvent,
    Field(discriminator="event"),
]
"""One thing as it becomes known while a page comes about."""
