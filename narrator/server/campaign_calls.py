"""The calls of a campaign over HTTP: payloads like those of macros, but without the scene, which the campaign has."""

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
    """A call about a campaign."""

    async def ask(self, campaign: Campaign) -> Model:
        """Make the call."""


@runtime_checkable
class StreamingCall(CampaignCall, Protocol):
    """A call that can give events."""

    def events(self, campaign: Campaign) -> AsyncGenerator[Any, None]:
        """Make the call and give its events."""


class RollOf(Given):
    """A roll in the newest scene."""

    action: Object
    """The action with its roll and opposition, as in a request."""
    branch: Name | None = None
    """The branch that needs words. If omitted, all branches."""
    per_slot: Annotated[int, Field(ge=1, le=10)] | None = None
    """The number of suggestions for each slot, 1 to 10, by default 3."""
    deal: Deal | None = None
    """The deal of the deck's cards."""
    seed: Seed | None = None
    """The seed for narrator's dice."""


class Roll(FindingCall):
    """Roll, and keep the result as a page until it is settled."""

    gives: ClassVar = Page

    call: Literal["suggest"] = "suggest"
    request: RollOf
    """The roll."""
    page: Name | None = None
    """An open page to replace. If omitted, a new page is made."""
    over: Object | None = None
    """Additions to the scene for this roll, such as `{"people": [...]}` for a new character."""
    prepared: Object | None = None
    """The result of `prepare` for this roll."""

    async def ask(self, campaign: Campaign) -> Page:
        return await campaign.asuggest(self.request.action, **self._told())

    def events(self, campaign: Campaign) -> AsyncGenerator[Any, None]:
        return campaign.astream(self.request.action, **self._told())

    def _told(self) -> Any:
        asked = self.request.model_dump(exclude={"action"}, exclude_none=True)
        more = {name: getattr(self, name) for name in ("page", "over", "prepared") if getattr(self, name) is not None}
        return self.options({**asked, **more})


class CardsOf(Given):
    """The number of cards."""

    cards: Annotated[int, Field(ge=1, le=MOST_STAGED)] = staging.CARDS
    """The total number of cards, 1 to 200."""


class Cards(WritingCall):
    """Ask a model to write cards for the newest scene, and keep each card."""

    gives: ClassVar = Staged

    call: Literal["stage"] = "stage"
    request: CardsOf = CardsOf()
    """The number of cards."""
    timeout: Annotated[float, Field(ge=0, le=LONGEST_TIMEOUT)] = staging.PATIENCE
    """Seconds for the whole call, 0 to 3,600."""

    async def ask(self, campaign: Campaign) -> Staged:
        return await campaign.astage(self.request.cards, **self.options({}))

    def events(self, campaign: Campaign) -> AsyncGenerator[Any, None]:
        return campaign.astage_stream(self.request.cards, **self.options({}))


class LineOf(Given):
    """A typed line."""

    text: Prose
    """The line, such as `cynere stealth vs 3`."""
    page: Name | None = None
    """The open page that it is about. If omitted, the newest."""


class LineRead(ReadLine):
    """The meaning of a line in the newest scene, ready for `suggest`, `move` or `settle`."""

    request: RollOf | None = None  # type: ignore[assignment]
    """The roll, without the scene, which the campaign has."""
    page: Name | None = None
    """The open page that the line is about; pass it to `suggest` or `settle`. Missing for a new roll or a move."""


class Line(Call):
    """Read one short line in the newest scene. It rolls nothing and writes nothing."""

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
    """An id of yours. If you send the same write twice with the same key, it is written once."""
    expect_revision: Count | None = None
    """The revision that the scene must have. Otherwise the error is `stale_scene`, with the `missed` entries."""

    async def ask(self, campaign: Campaign) -> Entry:
        return await aside(partial(self.write, campaign, key=self.key, expect_revision=self.expect_revision))

    def write(self, campaign: Campaign, **write: Any) -> Entry:
        """Write the entry."""
        raise NotImplementedError


class Settle(Written):
    """Write the choice for a page."""

    call: Literal["settle"] = "settle"
    page: Name
    """The page, by its id."""
    choice: Object
    """The choice, as in the call `settle`."""

    def write(self, campaign: Campaign, **write: Any) -> Entry:
        return campaign.settle(self.page, self.choice, **write)


class MoveOf(Given):
    """A move."""

    move: Object
    """The move, as in the call `move`."""


class Move(Written):
    """Make a move in the newest scene."""

    call: Literal["move"] = "move"
    request: MoveOf
    """The move."""

    def write(self, campaign: Campaign, **write: Any) -> Entry:
        return campaign.move(self.request.move, **write)


class Note(Written):
    """Write down a note."""

    call: Literal["note"] = "note"
    text: Prose
    """A few sentences."""

    def write(self, campaign: Campaign, **write: Any) -> Entry:
        return campaign.note(self.text, **write)


class Undo(Written):
    """Take back the newest entry."""

    call: Literal["undo"] = "undo"

    def write(self, campaign: Campaign, **write: Any) -> Entry:
        return campaign.undo(**write)


class Redo(Written):
    """Redo the entry that was taken back last."""

    call: Literal["redo"] = "redo"

    def write(self, campaign: Campaign, **write: Any) -> Entry:
        return campaign.redo(**write)


class Strike(Written):
    """The X-card: remove words from the whole campaign, so that they never come again."""

    call: Literal["strike"] = "strike"
    what: Name | Count | None = None
    """An entry by its number, or a page by its id. If omitted, whichever is newest."""

    def write(self, campaign: Campaign, **write: Any) -> Entry:
        return campaign.strike(self.what, **write)


CAMPAIGN_CALLS: dict[str, Any] = {
    each.model_fields["call"].default: each for each in (Roll, Cards, Line, Settle, Move, Note, Undo, Redo, Strike)
}
"""The calls of a campaign, by name."""
