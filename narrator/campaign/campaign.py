"""A campaign: whatever is written into it, each entry whole or not at all."""

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial, wraps
from hashlib import sha256
from typing import Annotated, Any, ParamSpec, TypedDict, TypeVar, Unpack

from pydantic import Field
from sqlalchemy import Connection

from narrator.api import moves, rolls, settlement
from narrator.campaign import store, story, striking
from narrator.campaign.records import Entry, Page
from narrator.campaign.rolls import Rolls
from narrator.campaign.store import State
from narrator.campaign.tables import ENTRIES, STANDS, TAKEN_BACK
from narrator.errors import NarratorError, RequestError
from narrator.rules.model import Count, Given, Model, Name, Prose
from narrator.rules.moves.conflicts import ConcedeMove
from narrator.rules.moves.move import Move
from narrator.rules.request.action import Request
from narrator.rules.request.overlay import Overlay, laid
from narrator.rules.request.scene import Scene
from narrator.rules.settle.changes import Change
from narrator.rules.settle.choice import Choice
from narrator.suggestions.time.threads import aside

P = ParamSpec("P")
T = TypeVar("T")


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
    text: Annotated[Prose, Field(min_length=1)]


def _without_blocking(call: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """The same call for a loop: in a thread, for it waits for the disk, and for others who write."""

    @wraps(call)
    async def run(*given: P.args, **named: P.kwargs) -> T:
        return await aside(partial(call, *given, **named))

    return run


class Campaign(Rolls):
    """A campaign in its file.

    Every write takes a `key`, by which what is sent twice is entered once, and `expect_revision`, for whoever writes
    only on what they have seen: on another revision it is `stale_scene`, with the entries that they `missed`.
    """

    def settle(self, page: str, choice: Mapping[str, Any] | Choice, **write: Unpack[Write]) -> Entry:
        """Enter what was chosen of a page, once. A page that was made before is judged again, with its faces, on the
        newest scene.

        Raises:
            NarratorError: `unknown_page`, `page_closed`; `stale_scene` where the page comes to something else by now;
                and as `narrator.settle`.
        """
        chosen = Choice.read(choice, "choice")

        def settled(db: Connection, at: State) -> tuple[Entry, Scene]:
            roll = store.open_page(db, page)
            scene = Scene.read(laid(roll.over or Overlay(), at.scene.as_json())[0])
            request = roll.request.model_copy(update={"scene": scene})
            if roll.revision != at.revision:
                self._check_same(db, roll, request, chosen)
            found = settlement.settle(request, chosen, rulesets=self.rulesets)
            store.set_page(db, roll.id, "settled")
            was = roll.answer.resolution
            branch = next(each for each in was.branches if each.id == chosen.branch)
            said = story.said(chosen.suggestions, self.played.forms)
            text = story.settled(request.action, was, branch, said)
            entry = at.entry("settled", text, page=roll.id, dice=roll.dice, said=said, changes=found.changes)
            return entry, found.scene

        return self._write(settled, ["settle", page, chosen], write)

    def waive(self, page: str, **write: Unpack[Write]) -> Entry:
        """Close a page of which nothing is taken, as the GM may say: the scene stays as it is.

        Raises:
            NarratorError: `unknown_page`, `page_closed`.
        """

        def waived(db: Connection, at: State) -> tuple[Entry, Scene]:
            roll = store.open_page(db, page)
            store.set_page(db, roll.id, "settled")
            text = f"{story.tried(roll.request.action, roll.answer.resolution)} Nothing is taken of it: the GM says so."
            return at.entry("settled", text, page=roll.id, dice=roll.dice), at.scene

        return self._write(waived, ["waive", page], write)

    def allow_again(self, page: str, **write: Unpack[Write]) -> Entry:
        """Write down that a roll may be thrown a second time, as the GM may say; whoever throws it does so then.

        Raises:
            NarratorError: `unknown_page`; `page_closed` where the page was struck out.
        """

        def allowed(db: Connection, at: State) -> tuple[Entry, Scene]:
            roll = store.page(db, page)
            if roll.state == "struck":
                raise RequestError("page_closed", "page", f"the page {roll.id} is struck")
            text = f"{story.tried(roll.request.action, roll.answer.resolution)} It is thrown again: the GM says so."
            return at.entry("again", text, dice=roll.dice), at.scene

        return self._write(allowed, ["again", page], write)

    def _check_same(self, db: Connection, roll: Page, request: Request, chosen: Choice) -> None:
        """Raise `stale_scene` where a page that was made before comes to something else by now."""
        was = roll.answer.resolution
        branch = next((each for each in was.branches if each.id == chosen.branch), None)
        try:
            now = rolls.resolve(request, rulesets=self.rulesets)
            if now.outcome == was.outcome and branch in (None, *now.branches):
                return
            same = now.outcome == was.outcome
            why = f"gives something else for {chosen.branch} by now" if same else f"comes to {now.outcome} by now"
        except NarratorError as error:
            why = f"cannot be made any more: {error.message}"
        raise _stale(db, roll.revision, "page", f"the page {roll.id} {why}: make it again")

    def move(
        self, move: Mapping[str, Any] | Move | Sequence[Mapping[str, Any] | Move], **write: Unpack[Write]
    ) -> Entry:
        """Make a move, as `narrator.move`, or several as one entry: all of them or none. Nobody concedes once there are
        dice: while a page against them is open.
        """
        told = move if isinstance(move, list | tuple) else (move,)
        if not told:
            raise RequestError("bad_request", "move", "say which move is made")
        several = [moves.MoveRequest.read({"scene": Scene(), "move": each}, "request").move for each in told]

        def moved(db: Connection, at: State) -> tuple[Entry, Scene]:
            scene, texts = at.scene, list[str]()
            changes: tuple[Change, ...] = ()
            for made in several:
                before, found = scene, moves.move(scene, made, self.played)
                if isinstance(made, ConcedeMove):
                    _check_no_dice(made.who, store.pages(db, state="open"))
                scene, changes = found.scene, (*changes, *found.changes)
                texts.append(story.moved(made.as_json(), _secrets(before, scene)))
            return at.entry("moved", ". ".join(texts), changes=changes), scene

        return self._write(moved, ["move", *several], write)

    def note(self, text: str, **write: Unpack[Write]) -> Entry:
        """Write down whatever the table wants to know later; the scene stays as it is."""
        noted = _Note.read({"text": text.strip() if isinstance(text, str) else text}).text
        return self._write(lambda _, at: (at.entry("noted", noted), at.scene), ["note", noted], write)

    def undo(self, **write: Unpack[Write]) -> Entry:
        """Take back the newest entry that stands, whoever wrote it; the page of one that was settled is open again.

        Raises:
            NarratorError: `nothing_to_undo`.
        """

        def undone(db: Connection, at: State) -> tuple[Entry, int]:
            row = store.entry_row(db, ENTRIES.c.seq == at.head, ENTRIES.c.before.is_not(None))
            if row is None:
                raise RequestError("nothing_to_undo", "", "there is nothing to take back")
            was = store.entry_of(row)
            store.mark(db, row, TAKEN_BACK, "open")
            told = {"page": was.page, "changes": story.taken_back(was.changes), "of": was.seq}
            return at.entry("undone", f"Taken back: {story.again(was)}", **told), row.before

        return self._write(undone, ["undo"], write)

    def redo(self, **write: Unpack[Write]) -> Entry:
        """Do again what was taken back last, as long as nothing was written since.

        Raises:
            NarratorError: `nothing_to_undo`.
        """

        def redone(db: Connection, at: State) -> tuple[Entry, int]:
            row = store.entry_row(db, ENTRIES.c.undone == TAKEN_BACK)
            if row is None:
                raise RequestError("nothing_to_undo", "", "there is nothing to do again")
            was = store.entry_of(row)
            store.mark(db, row, STANDS, "settled")
            told = {"page": was.page, "said": was.said, "changes": was.changes, "of": was.seq}
            return at.entry("redone", f"Done again: {story.again(was)}", **told), was.seq

        return self._write(redone, ["redo"], write)

    def strike(self, what: int | str | None = None, **write: Unpack[Write]) -> Entry:
        """Strike out an entry by its number, a page by its id, or what was last: the words are nowhere in the campaign
        any more, and never come again. The newest entry is undone as well, for good; of an older one the words go.

        Raises:
            NarratorError: `bad_request` for an entry that has no words of its own, `unknown_page`, `page_closed`.
        """
        return self._write(lambda db, at: striking.strike(db, at, what), ["strike", what], write)

    asettle = _without_blocking(settle)
    awaive = _without_blocking(waive)
    aallow_again = _without_blocking(allow_again)
    amove = _without_blocking(move)
    anote = _without_blocking(note)
    aundo = _without_blocking(undo)
    aredo = _without_blocking(redo)
    astrike = _without_blocking(strike)

    def _write(
        self, make: Callable[[Connection, State], tuple[Entry, Scene | int]], body: list[Any], write: Write
    ) -> Entry:
        """Write what is made of the newest scene, once for a key."""
        told = _Write.read(write)
        # Digests: neither may keep words that are struck out later.
        digest, key = _digest(body), None if told.key is None else _digest(told.key)
        with self._database.writing() as db:
            first = None if key is None else store.entry_row(db, ENTRIES.c.key == key)
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
            return store.write(db, at, *make(db, at), key, digest)


def _secrets(*scenes: Scene) -> set[str]:
    """Who and what in these players do not know of: those of others who were never there, and secret clocks."""
    away = {each.name for scene in scenes for each in scene.away if each.importance != "pc"}
    secrets = {each.name for scene in scenes for each in scene.clocks if each.secret}
    return secrets | away - {each.name for scene in scenes for each in scene.characters}


def _stale(db: Connection, revision: int, field: str, message: str) -> NarratorError:
    missed = (each.as_json() for each in store.entries(db, ENTRIES.c.revision > revision))
    return RequestError("stale_scene", field, message, missed=missed)


def _digest(value: Any) -> str:
    try:
        return sha256(json.dumps(value, sort_keys=True, default=_data).encode()).hexdigest()
    except (TypeError, ValueError, RecursionError):
        raise RequestError("bad_request", "", "this cannot be written as JSON") from None


def _data(value: object) -> Any:
    return dict(value) if isinstance(value, Model) else repr(value)


def _check_no_dice(who: object, pages: Iterable[Page]) -> None:
    for each in pages:
        action, resolution = each.request.action, each.answer.resolution
        if who in (action.target, resolution.opposition.by):
            message = f"{who} concedes before the dice, and {each.id} is rolled and open: settle it first, or strike it"
            raise RequestError("bad_request", "request.move.who", message)
