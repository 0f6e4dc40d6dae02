"""What is asked of a campaign over HTTP: payloads as macros send them, but for the scene, which the campaign has."""

from collections.abc import AsyncGenerator
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, Protocol, runtime_checkable

from pydantic import Field

from narrator.api import staging
from narrator.api.call import Call
from narrator.api.word_calls import FindingCall, WritingCall
from narrator.campaign.campaign import Campaign
from narrator.campaign.records import Entry, Page
from narrator.deck.staged import MOST_STAGED
from narrator.line.reading import ReadLine
from narrator.rules.model import Count, Given, Model, Name, Object, Prose
from narrator.rules.request.action import Deal, Seed
from narrator.suggestions.pipeline.answer import Staged
from narrator.suggestions.time.clock import LONGEST_TIMEOUT
from narrator.suggestions.time.threads import aside


class CampaignCall(Protocol):
    """A call that is made of a campaign."""

    async def ask(self, campaign: Campaign) -> Model:
        """Make it."""


@runtime_checkable
class StreamingCall(CampaignCall, Protocol):
    """One that can tell each thing as it becomes known."""

    def events(self, campaign: Campaign) -> AsyncGenerator[Any, None]:
        """Make it, and give what becomes known."""


class RollOf(Given):
    """A roll in the newest scene."""

    action: Object
    """The action, how it was rolled, and what opposes it, as in a request."""
    branch: Name | None = None
    """The branch that words are wanted for; left out: all."""
    per_slot: Annotated[int, Field(ge=1, le=10)] | None = None
    """How many suggestions are wanted for each slot, 1 to 10, usually 3."""
    deal: Deal | None = None
    """Which deal of the deck's cards is wanted."""
    seed: Seed | None = None
    """What dice that nobody told are thrown by."""


class Roll(FindingCall):
    """A roll, which is kept as a page until it is settled."""

    gives: ClassVar = Page

    call: Literal["suggest"] = "suggest"
    request: RollOf
    """What is done."""
    page: Name | None = None
    """The open page that this takes the place of; left out: a new one."""
    over: Object | None = None
    """What is told over the scene with it, such as `{"people": [...]}` for somebody new."""
    prepared: Object | None = None
    """What `prepare` gave for this roll."""

    async def ask(self, campaign: Campaign) -> Page:
        return await campaign.asuggest(self.request.action, **self._told())

    def events(self, campaign: Campaign) -> AsyncGenerator[Any, None]:
        return campaign.astream(self.request.action, **self._told())

    def _told(self) -> Any:
        asked = self.request.model_dump(exclude={"action"}, exclude_none=True)
        more = {name: getattr(self, name) for name in ("page", "over", "prepared") if getattr(self, name) is not None}
        return self.options({**asked, **more})


class CardsOf(Given):
    """How many cards are wanted."""

    cards: Annotated[int, Field(ge=1, le=MOST_STAGED)] = staging.CARDS
    """How many there are to be, 1 to 200."""


class Cards(WritingCall):
    """Cards for the newest scene, kept as they come."""

    gives: ClassVar = Staged

    call: Literal["stage"] = "stage"
    request: CardsOf = CardsOf()
    """How many."""
    timeout: Annotated[float, Field(ge=0, le=LONGEST_TIMEOUT)] = staging.PATIENCE
    """Seconds for the whole call, 0 to 3,600."""

    async def ask(self, campaign: Campaign) -> Staged:
        return await campaign.astage(self.request.cards, **self.options({}))

    def events(self, campaign: Campaign) -> AsyncGenerator[Any, None]:
        return campaign.astage_stream(self.request.cards, **self.options({}))


class LineOf(Given):
    """A line as it is typed."""

    text: Prose
    """Who, what, and what stands against it."""
    page: Name | None = None
    """The open page that it is about; left out: the newest."""


class LineRead(ReadLine):
    """What a line is in the newest scene: what goes into `suggest`, `move` or `settle` here."""

    request: RollOf | None = None  # type: ignore[assignment]
    """The roll, without the scene, which the campaign has."""
    page: Name | None = None
    """The open page that it is of, which goes along into `suggest` and `settle`; none: it is a new roll, or a move."""


class Line(Call):
    """One short line, read in the newest scene. Nothing is rolled or written."""

    gives: ClassVar = LineRead

    call: Literal["say"] = "say"
    request: LineOf
    """The line."""

    async def ask(self, campaign: Campaign) -> LineRead:
        return await aside(partial(self._read, campaign))

    def _read(self, campaign: Campaign) -> LineRead:
        page = self.request.page or next((each.id for each in campaign.pages[-1:]), None)
        found = campaign.say(self.request.text, page)
        roll = None if found.request is None else RollOf(action=found.request.action.as_json())
        return LineRead(**{**dict(found), "request": roll, "page": page if found.is_of_page else None})


class Written(Call):
    """A call that writes an entry."""

    gives: ClassVar = Entry

    key: Name | None = None
    """What it is known by: sent again with the same key, it is entered once."""
    expect_revision: Count | None = None
    """The revision that the scene has to be of; of another it is `stale_scene`, with what was `missed`."""

    async def ask(self, campaign: Campaign) -> Entry:
        return await aside(partial(self.write, campaign, key=self.key, expect_revision=self.expect_revision))

    def write(self, campaign: Campaign, **write: Any) -> Entry:
        """Write it."""
        raise NotImplementedError


class Settle(Written):
    """What was chosen of a page."""

    call: Literal["settle"] = "settle"
    page: Name
    """The page, by its id."""
    choice: Object
    """What was chosen, as the call `settle` has it."""

    def write(self, campaign: Campaign, **write: Any) -> Entry:
        return campaign.settle(self.page, self.choice, **write)


class MoveOf(Given):
    """What happens between rolls."""

    move: Object
    """The move, as the call `move` has it."""


class Move(Written):
    """A move in the newest scene."""

    call: Literal["move"] = "move"
    request: MoveOf
    """What happens."""

    def write(self, campaign: Campaign, **write: Any) -> Entry:
        return campaign.move(self.request.move, **write)


class Note(Written):
    """What the table wants to know later."""

    call: Literal["note"] = "note"
    text: Prose
    """A few sentences."""

    def write(self, campaign: Campaign, **write: Any) -> Entry:
        return campaign.note(self.text, **write)


class Undo(Written):
    """The newest entry, taken back."""

    call: Literal["undo"] = "undo"

    def write(self, campaign: Campaign, **write: Any) -> Entry:
        return campaign.undo(**write)


class Redo(Written):
    """What was taken back last, done again."""

    call: Literal["redo"] = "redo"

    def write(self, campaign: Campaign, **write: Any) -> Entry:
        return campaign.redo(**write)


class Strike(Written):
    """The X-card: what is struck out is nowhere any more, and never comes again."""

    call: Literal["strike"] = "strike"
    what: Name | Count | None = None
    """An entry by its number, or a page by its id; left out: what was last."""

    def write(self, campaign: Campaign, **write: Any) -> Entry:
        return campaign.strike(self.what, **write)


CAMPAIGN_CALLS: dict[str, Any] = {
    each.model_fields["call"].default: each for each in (Roll, Cards, Line, Settle, Move, Note, Undo, Redo, Strike)
}
"""Each call of a campaign, by its name."""
