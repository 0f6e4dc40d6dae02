"""A campaign and everything that writes into it. Each entry is written completely or not at all."""

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
    """The options of every write."""

    key: str | None
    """An id of yours. If you send the same write twice with the same key, it is written once."""
    expect_revision: int | None
    """The revision that the scene must have."""


class _Write(Given):
    key: Name | None = None
    expect_revision: Count | None = None


class _Note(Given):
    text: Annotated[Prose, Field(min_length=1)]


def _without_blocking(call: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """The same call for an event loop, in a thread, because it waits for the disk and for other writers."""

    @wraps(call)
    async def run(*given: P.args, **named: P.kwargs) -> T:
        return await aside(partial(call, *given, **named))

    return run


class Campaign(Rolls):
    """A campaign in its file.

    Every write takes a `key` and `expect_revision`. With the same `key`, a write that is sent twice is written once.
    If the scene does not have the expected revision, the error is `stale_scene`, with the `missed` entries.
    """

    def settle(self, page: str, choice: Mapping[str, Any] | Choice, **write: Unpack[Write]) -> Entry:
        """Write the choice for a page. A page can be settled once. If the scene has changed since the roll, the page is
        resolved again with the same dice.

        Raises:
            NarratorError: `unknown_page`, `page_closed`. `stale_scene` if the page now has another result. Also as
                `narrator.settle`.
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
        """Close a page without a choice, as the GM may decide. The scene stays as it is.

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
        """Record that the GM allows a roll to be repeated. You make the new roll yourself.

        Raises:
            NarratorError: `unknown_page`. `page_closed` if the page was struck out.
        """

        def allowed(db: Connection, at: State) -> tuple[Entry, Scene]:
            roll = store.page(db, page)
            if roll.state == "struck":
                raise RequestError("page_closed", "page", f"the page {roll.id} is struck out")
            text = f"{story.tried(roll.request.action, roll.answer.resolution)} It is thrown again: the GM says so."
            return at.entry("again", text, dice=roll.dice), at.scene

        return self._write(allowed, ["again", page], write)

    def _check_same(self, db: Connection, roll: Page, request: Request, chosen: Choice) -> None:
        """Raise `stale_scene` if an older page now has another result."""
        was = roll.answer.resolution
        branch = next((each for each in was.branches if each.id == chosen.branch), None)
        try:
            now = rolls.resolve(request, rulesets=self.rulesets)
            if now.outcome == was.outcome and branch in (None, *now.branches):
                return
            same = now.outcome == was.outcome
            why = f"now gives something else for {chosen.branch}" if same else f"now comes to {now.outcome}"
        except NarratorError as error:
            why = f"can no longer be made: {error.message}"
        raise _stale(db, roll.revision, "page", f"the scene has changed, and the page {roll.id} {why}; make it again")

    def move(
        self, move: Mapping[str, Any] | Move | Sequence[Mapping[str, Any] | Move], **write: Unpack[Write]
    ) -> Entry:
        """Make a move, as `narrator.move`, or several as one entry: all of them or none. A character can't concede
        while a page against them is open, because the dice are already rolled.
        """
        told = move if isinstance(move, list | tuple) else (move,)
        if not told:
            raise RequestError("bad_request", "move", "the list of moves is empty: give at least one move")
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
        """Write down a note for later. The scene stays as it is."""
        noted = _Note.read({"text": text.strip() if isinstance(text, str) else text}).text
        return self._write(lambda _, at: (at.entry("noted", noted), at.scene), ["note", noted], write)

    def undo(self, **write: Unpack[Write]) -> Entry:
        """Take back the newest entry that is not taken back yet, whoever wrote it. If it settled a page, the page is
        open again.

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
        """Redo the entry that was taken back last. This works until something new is written.

        Raises:
            NarratorError: `nothing_to_undo`.
        """

        def redone(db: Connection, at: State) -> tuple[Entry, int]:
            row = store.entry_row(db, ENTRIES.c.undone == TAKEN_BACK)
            if row is None:
                raise RequestError("nothing_to_undo", "", "there is nothing to redo")
            was = store.entry_of(row)
            store.mark(db, row, STANDS, "settled")
            told = {"page": was.page, "said": was.said, "changes": was.changes, "of": was.seq}
            return at.entry("redone", f"Done again: {story.again(was)}", **told), was.seq

        return self._write(redone, ["redo"], write)

    def strike(self, what: int | str | None = None, **write: Unpack[Write]) -> Entry:
        """Strike out an entry by its number, a page by its id, or, without an argument, the newest of both. Its words
        are removed from the whole campaign and never come again. If it is the newest entry, it is also undone for good.

        Raises:
            NarratorError: `bad_request` if the entry has no words of its own, `unknown_page`, `page_closed`.
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
        """Write the entry that `make` returns for the newest scene, once for each key."""
        told = _Write.read(write)
        # Only digests are stored, because the words may be struck out later.
        digest, key = _digest(body), None if told.key is None else _digest(told.key)
        with self._database.writing() as db:
            first = None if key is None else store.entry_row(db, ENTRIES.c.key == key)
            if first is not None:
                if first.body != digest:
                    message = "this key was already used for another write: use a new one"
                    raise RequestError("bad_request", "key", message)
                return store.entry_of(first)
            at = store.state(db)
            if told.expect_revision not in (None, at.revision):
                message = f"the scene has revision {at.revision}, not {told.expect_revision}: somebody wrote meanwhile"
                raise _stale(db, told.expect_revision or 0, "expect_revision", message)
            return store.write(db, at, *make(db, at), key, digest)


def _secrets(*scenes: Scene) -> set[str]:
    """Names that players do not know: absent characters of the GM, and secret clocks."""
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
            message = f"{who} can't concede after the roll {each.id}: settle it first, or strike it out"
            raise RequestError("bad_request", "request.move.who", message)
