"""A campaign: its newest scene, its pages, and whatever is written into it, each entry whole or not at all."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import aclosing
from dataclasses import replace
from functools import partial, wraps
from hashlib import sha256
from pathlib import Path
from typing import Any, ParamSpec, TypeAlias, TypedDict, TypeVar, Unpack, cast

from sqlalchemy import Connection

from narrator import config
from narrator.api import moves, rolls, settlement, words
from narrator.api.options import SuggestOptions, WordOptions
from narrator.api.requests import find_ruleset
from narrator.campaign import store, story, striking, tables, transfer
from narrator.campaign.database import Database
from narrator.campaign.players import Role, seen_by
from narrator.campaign.records import CampaignEvent, Entry, Page, PageEvent
from narrator.campaign.store import State, Written
from narrator.campaign.tables import STANDS, TAKEN_BACK
from narrator.errors import NarratorError, RequestError, visible
from narrator.rules.json_text import Json
from narrator.rules.model import LARGEST, Count, Given, Name, Prose, data_of
from narrator.rules.moves.move import Move
from narrator.rules.request.action import Action, Request
from narrator.rules.request.overlay import Overlay, laid
from narrator.rules.request.scene import Scene
from narrator.rules.resolve.without_roll import WordKind
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.settle.choice import Choice
from narrator.suggestions.pipeline.answer import Answer, DoneEvent, Words
from narrator.suggestions.time.threads import aside

P = ParamSpec("P")
T = TypeVar("T")

ActionLike: TypeAlias = Mapping[str, Any] | Action
"""An action, however it comes."""

OverlayLike: TypeAlias = Mapping[str, Any] | Overlay | None
"""What is told over a scene, however it comes."""

MOST_ENTRIES = 1_000
"""How many entries are read at once at the most."""


class PageOptions(SuggestOptions, total=False):
    """Options of a roll in a campaign."""

    branch: str | None
    """The branch that words are wanted for, usually all."""
    per_slot: int
    """How many suggestions are wanted for each slot, 1 to 10, usually 3."""
    seed: int | None
    """What dice that nobody told are thrown by; usually one is drawn."""
    deal: int | None
    """Which deal of the deck's cards is wanted; usually one is drawn."""
    over: OverlayLike
    """What is told over the scene with this roll, such as `{"people": [...]}` for somebody new: it becomes part of the
    scene once the page is settled."""


class Write(TypedDict, total=False):
    """What every write may say."""

    key: str | None
    """What it is known by: written again with the same key, it is entered once."""
    expect_revision: int | None
    """The revision that the scene has to be of."""


class _Write(Given):
    key: Name | None = None
    expect_revision: Count | None = None


class _Note(Given):
    text: Prose


_OF_REQUEST = ("branch", "per_slot", "seed", "deal")


def _without_blocking(call: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """The same call for a loop: in a thread, for it waits for the disk, and for others who write."""

    @wraps(call)
    async def run(*given: P.args, **named: P.kwargs) -> T:
        return await aside(partial(call, *given, **named))

    return run


class Campaign:
    """A campaign in its file. It holds nothing itself: what somebody else writes there is seen at the next look.

    Every write takes a `key`, by which what is sent twice is entered once, and `expect_revision`, for whoever writes
    only on what they have seen: on another revision it is `stale_scene`, with the entries that they `missed`.
    """

    def __init__(self, database: Database, rulesets: Iterable[Ruleset] = ()) -> None:
        self._database = database
        with database.reading() as db:
            found = tables.found_version(db)
        if found is None:
            raise RequestError("bad_campaign", database.place, "there is no campaign in this file")
        if found != tables.version():
            with database.writing() as db:
                tables.migrate(db)
        at = self._now()
        self.name = at.name
        """What it is called."""
        self.ruleset = at.ruleset
        """The name of the ruleset that it is played by."""
        self.rulesets = tuple(rulesets)
        """House rulesets that it may be played by, and is."""
        if at.ruleset_file is not None and all(each.name != at.ruleset for each in self.rulesets):
            self.rulesets = (*self.rulesets, config.load_ruleset(at.ruleset_file))
        self.played = find_ruleset(at.ruleset, self.rulesets)
        """That ruleset itself."""

    @property
    def scene(self) -> Scene:
        """The newest scene."""
        return self._now().scene

    @property
    def revision(self) -> int:
        """The revision of the newest scene."""
        return self._now().revision

    @property
    def last(self) -> int:
        """The number of the newest entry."""
        return self._now().seq

    @property
    def pages(self) -> tuple[Page, ...]:
        """The pages that are open, the newest last; of more than a hundred the last ones."""
        with self._database.reading() as db:
            return store.open_pages(db)

    @property
    def newest_page(self) -> Page | None:
        """The newest page, open or not."""
        number = self._now().page
        return self.page(store.page_id(number)) if number else None

    def page(self, page: str) -> Page:
        """Find a page by its id, open or not; `unknown_page` where there is none."""
        with self._database.reading() as db:
            return store.page(db, page)

    def entries(self, after: int = 0, limit: int = 100) -> tuple[Entry, ...]:
        """Read entries, oldest first.

        Args:
            after: The number of the last one that is known.
            limit: How many at the most, up to 1,000.
        """
        for field, value, most in (("after", after, LARGEST), ("limit", limit, MOST_ENTRIES)):
            if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
                raise RequestError("bad_request", field, f"this must be a whole number from 0 to {most:,}")
        with self._database.reading() as db:
            return store.entries(db, after, limit)

    def request(self, action: ActionLike, **options: Unpack[PageOptions]) -> Request:
        """Make the request of an action in the newest scene, for calls such as `odds`, `reach` or `check`."""
        at, over = self._now(), Overlay.read(options.get("over") or {}, "over")
        scene = laid(over, at.scene.as_json())[0] if over != Overlay() else at.scene
        asked: Json = {name: value for name, value in options.items() if name in _OF_REQUEST}
        return Request.read({"ruleset": self.ruleset, "scene": scene, "action": data_of(action), **asked}, "request")

    def suggest(self, action: ActionLike, **options: Unpack[PageOptions]) -> Page:
        """Resolve an action in the newest scene, find words, and keep it all as a page until it is settled. No entry is
        written, and the scene stays as it is.

        Raises:
            NarratorError: As `narrator.suggest`.
        """
        asked = self.request(action, **options)
        return self.keep(asked, words.suggest(asked, **self._for_call(options)), options.get("over"))

    def stream(self, action: ActionLike, **options: Unpack[PageOptions]) -> Iterator[CampaignEvent]:
        """The same as events, each the moment it is known; the last one has the page."""
        asked = self.request(action, **options)
        for event in words.stream(asked, **self._for_call(options)):
            if isinstance(event, DoneEvent):
                yield PageEvent(done=self.keep(asked, event.done, options.get("over")))
            else:
                yield event

    async def asuggest(self, action: ActionLike, **options: Unpack[PageOptions]) -> Page:
        """The same as `suggest`, without blocking."""
        asked = await aside(partial(self.request, action, **options))
        answer = await words.asuggest(asked, **self._for_call(options))
        return await aside(partial(self.keep, asked, answer, options.get("over")))

    async def astream(self, action: ActionLike, **options: Unpack[PageOptions]) -> AsyncGenerator[CampaignEvent, None]:
        """The same as `stream`, without blocking."""
        asked = await aside(partial(self.request, action, **options))
        async with aclosing(words.astream(asked, **self._for_call(options))) as events:
            async for event in events:
                if isinstance(event, DoneEvent):
                    yield PageEvent(done=await aside(partial(self.keep, asked, event.done, options.get("over"))))
                else:
                    yield event

    def keep(self, request: Request, answer: Answer, over: OverlayLike = None) -> Page:
        """Keep an answer to a request of this campaign as a page; `over` is what the request has over its scene."""
        is_told = request.seed is not None or request.action.roll is not None or request.action.outcome is not None
        with self._database.writing() as db:
            name = store.add_page(
                db, request, Overlay.read(over or {}, "over"), answer, "told" if is_told else "thrown"
            )
            return store.page(db, name).model_copy(update={"answer": answer})

    def word(self, kind: WordKind, about: str | None = None, **options: Unpack[WordOptions]) -> Words:
        """Find words of the newest scene that no roll has led to, as `narrator.word`; their cards count as seen."""
        told: WordOptions = {"ruleset": self.ruleset, "rulesets": self.rulesets, **options}
        return self.saw(words.word(self.scene, kind, about, **told))

    def saw(self, found: Words) -> Words:
        """Take the cards of words as seen, and return the words."""
        with self._database.writing() as db:
            store.deal_out(db, [each.card for each in found.suggestions if each.card])
        return found

    def settle(self, page: str, choice: Mapping[str, Any] | Choice, **write: Unpack[Write]) -> Entry:
        """Enter what was chosen of a page, once. A page that was made before is judged again, with its faces, on the
        newest scene.

        Raises:
            NarratorError: `unknown_page`, `page_closed`; `stale_scene` where the page comes to something else by now;
                and as `narrator.settle`.
        """
        chosen = Choice.read(choice, "choice")

        def settled(db: Connection, at: State) -> Written:
            roll = store.page(db, page)
            if roll.state != "open":
                raise RequestError("page_closed", "page", f"the page {roll.id} is {roll.state}")
            scene = Scene.read(laid(roll.over or Overlay(), at.scene.as_json())[0])
            request = roll.request.model_copy(update={"scene": scene})
            if roll.revision != at.revision:
                self._check_same(db, roll, request, chosen)
            found = settlement.settle(request, chosen, rulesets=self.rulesets)
            store.set_page(db, roll.id, "settled")
            branch = next(each for each in roll.answer.resolution.branches if each.id == chosen.branch)
            said = story.said(chosen.suggestions, self.played.forms)
            text = story.settled(request.action, roll.answer.resolution, branch, said)
            return Written("settled", text, found.scene, page=roll.id, said=said, changes=found.changes)

        return self._write(settled, ["settle", page, chosen.as_json()], write)

    def _check_same(self, db: Connection, roll: Page, request: Request, chosen: Choice) -> None:
        """Raise `stale_scene` where a page that was made before comes to something else by now."""
        was = roll.answer.resolution
        try:
            now = rolls.resolve(request, rulesets=self.rulesets)
            why = None if now.outcome == was.outcome else f"comes to {now.outcome} by now, and was {was.outcome}"
            of_before = [each for each in was.branches if each.id == chosen.branch]
            if of_before and not why and of_before[0] not in now.branches:
                why = f"gives something else for {chosen.branch} by now"
        except NarratorError as error:
            why = f"cannot be made any more: {error.message}"
        if why:
            raise _stale(db, roll.revision, "page", f"the page {roll.id} {why}: roll or ask for it anew")

    def move(self, move: Mapping[str, Any] | Move, **write: Unpack[Write]) -> Entry:
        """Make a move, as `narrator.move`. Nobody concedes once there are dice: while a page against them is open."""
        told = data_of(move)

        def moved(db: Connection, at: State) -> Written:
            found = moves.move(at.scene, told, self.played)
            if told["type"] == "concede":
                _check_no_dice(told["who"], store.open_pages(db))
            return Written("moved", story.moved(told, found.changes), found.scene, changes=found.changes)

        return self._write(moved, ["move", told], write)

    def note(self, text: str, **write: Unpack[Write]) -> Entry:
        """Write down whatever the table wants to know later; the scene stays as it is."""
        noted = _Note.read({"text": text}).text
        return self._write(lambda _, at: Written("noted", visible(noted), at.scene), ["note", noted], write)

    def undo(self, **write: Unpack[Write]) -> Entry:
        """Take back the newest entry that stands, whoever wrote it; the page of one that was settled is open again.

        Raises:
            NarratorError: `nothing_to_undo`.
        """

        def undone(db: Connection, at: State) -> Written:
            row = store.entry_row(db, at.head)
            if row.before is None:
                raise RequestError("nothing_to_undo", "", "there is nothing to take back")
            entry = store.entry_of(row)
            store.mark(db, entry.seq, TAKEN_BACK)
            if entry.page is not None:
                store.set_page(db, entry.page, "open")
            text, back = f"Taken back: {story.again(entry)}", story.taken_back(entry.changes)
            return Written("undone", text, head=row.before, page=entry.page, changes=back, of=entry.seq)

        return self._write(undone, ["undo"], write)

    def redo(self, **write: Unpack[Write]) -> Entry:
        """Do again what was taken back last, as long as nothing was written since.

        Raises:
            NarratorError: `nothing_to_undo`.
        """

        def redone(db: Connection, _: State) -> Written:
            row = store.to_redo(db)
            if row is None:
                raise RequestError("nothing_to_undo", "", "there is nothing to do again")
            entry = store.entry_of(row)
            store.mark(db, entry.seq, STANDS)
            if entry.page is not None:
                store.set_page(db, entry.page, "settled")
            again = replace(Written("redone", f"Done again: {story.again(entry)}"), head=entry.seq, of=entry.seq)
            return replace(again, page=entry.page, said=entry.said, changes=entry.changes)

        return self._write(redone, ["redo"], write)

    def strike(self, what: int | str | None = None, **write: Unpack[Write]) -> Entry:
        """Strike out an entry by its number, a page by its id, or what was last: the words are nowhere in the campaign
        any more, and never come again. The newest entry is undone as well, for good; of an older one the words go.

        Raises:
            NarratorError: `bad_request` for an entry that has no words of its own, `unknown_page`.
        """
        return self._write(lambda db, at: striking.strike(db, at, what), ["strike", what], write)

    asettle = _without_blocking(settle)
    amove = _without_blocking(move)
    anote = _without_blocking(note)
    aundo = _without_blocking(undo)
    aredo = _without_blocking(redo)
    astrike = _without_blocking(strike)

    def seen_by(self, role: Role) -> Json:
        """What players may see, or all that the GM may: the scene, open pages and entries, as JSON."""
        at = self._now()
        return seen_by(role, at.scene, self.pages, self.entries(max(0, at.seq - MOST_ENTRIES), MOST_ENTRIES))

    def export(self) -> Iterator[str]:
        """Give the whole campaign as lines of JSON, for `import_campaign`."""
        return transfer.exported(self._database)

    def backup(self, path: str | Path) -> None:
        """Write a copy into a new file, as all stands at one moment, whoever writes meanwhile."""
        transfer.backup(self._database, Path(path))

    def _now(self) -> State:
        with self._database.reading() as db:
            return store.state(db)

    def _for_call(self, options: PageOptions) -> SuggestOptions:
        """The options that the call takes."""
        found: Any = {name: value for name, value in options.items() if name not in (*_OF_REQUEST, "over")}
        return cast("SuggestOptions", {**found, "rulesets": self.rulesets})

    def _write(self, make: Callable[[Connection, State], Written], body: list[Any], write: Write) -> Entry:
        """Write what is made of the newest scene, once for a key."""
        told = _Write.read(write)
        digest = sha256(json.dumps(body, sort_keys=True, default=str).encode()).hexdigest()
        with self._database.writing() as db:
            first = None if told.key is None else store.by_key(db, told.key)
            if first is not None:
                if first.body != digest:
                    raise RequestError("bad_request", "key", "something else was written with this key")
                return store.entry_of(first)
            at = store.state(db)
            if told.expect_revision not in (None, at.revision):
                message = (
                    f"the scene is of revision {at.revision}, not {told.expect_revision}: somebody wrote meanwhile"
                )
                raise _stale(db, told.expect_revision or 0, "expect_revision", message)
            return store.write(db, at, make(db, at), told.key, digest)


def _stale(db: Connection, revision: int, field: str, message: str) -> NarratorError:
    return RequestError("stale_scene", field, message, missed=store.missed(db, revision))


def _check_no_dice(who: object, pages: Iterable[Page]) -> None:
    for each in pages:
        action, resolution = each.request.action, each.answer.resolution
        if who in (action.target, resolution.opposition.by):
            message = f"{who} concedes before the dice, and {each.id} is rolled and open: settle it first"
            raise RequestError("bad_request", "request.move.who", message)
