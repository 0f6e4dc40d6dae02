"""Reading from a campaign, and its rolls. Each roll is kept as a page until somebody settles it."""

from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, Unpack, cast

from narrator import config
from narrator.api import rolls, saying, staging, words
from narrator.api.options import StageOptions, SuggestOptions
from narrator.api.requests import find_ruleset
from narrator.campaign import store, tables, transfer
from narrator.campaign.database import Database
from narrator.campaign.players import Role, seen_by
from narrator.campaign.records import CampaignEvent, Entry, Page, PageEvent
from narrator.campaign.store import State
from narrator.campaign.tables import ENTRIES
from narrator.errors import RequestError, visible
from narrator.line.reading import ReadLine
from narrator.rules.json_text import Json
from narrator.rules.model import LARGEST, data_of
from narrator.rules.request.action import Action, Request
from narrator.rules.request.overlay import Overlay, laid
from narrator.rules.request.scene import Scene
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.suggestions.pipeline.answer import (
    Answer,
    CardEvent,
    DoneEvent,
    Staged,
    StagedEvent,
    StageEvent,
    StagingEvent,
    Words,
)
from narrator.suggestions.time.threads import aside

ActionLike: TypeAlias = Mapping[str, Any] | Action
"""An action, as a mapping or the model."""

OverlayLike: TypeAlias = Mapping[str, Any] | Overlay | None
"""Additions to a scene, as a mapping or the model."""

_LATELY = 1_000
"""Players see this many of the last entries."""


class PageOptions(SuggestOptions, total=False):
    """Options of a roll in a campaign."""

    branch: str | None
    """The branch that needs words, by default all."""
    per_slot: int
    """The number of suggestions for each slot, 1 to 10, by default 3."""
    seed: int | None
    """The seed for narrator's dice, by default a random one."""
    deal: int | None
    """The deal of the deck's cards, by default a random one."""
    page: str | None
    """An open page to replace, for example after an invocation. The new page keeps its id."""
    over: OverlayLike
    """Additions to the scene for this roll, such as `{"people": [...]}` for a new character. They become part of the
    scene when the page is settled."""


_OF_REQUEST = ("branch", "per_slot", "seed", "deal")


class Rolls:
    """The part of a campaign that reads and rolls. It caches nothing: each call sees what others wrote."""

    def __init__(self, database: Database, rulesets: Iterable[Ruleset] = ()) -> None:
        self._database = database
        with database.reading() as db:
            found = tables.found_version(db)
        if found is None:
            raise RequestError("bad_campaign", visible(str(database.path)), "there is no campaign in this file")
        if found != tables.version():
            with database.writing() as db:
                tables.migrate(db)
        told = self._now().told
        self.name = told.name
        """The campaign's name."""
        self.ruleset = told.ruleset
        """The name of its ruleset."""
        self.rulesets = tuple(rulesets)
        """House rulesets, including its own if that is one."""
        file = told.ruleset_file or ""
        if file.endswith(".toml") and all(each.name != self.ruleset for each in self.rulesets):
            self.rulesets = (*self.rulesets, config.load_ruleset(file))
        self.played = find_ruleset(self.ruleset, self.rulesets)
        """Its ruleset."""

    @property
    def file(self) -> Path:
        """Its file."""
        return self._database.path

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
        """The open pages, the newest last, at most the last hundred."""
        with self._database.reading() as db:
            return store.pages(db, state="open")

    def lately(self, limit: int = 1) -> tuple[Page, ...]:
        """The last pages, open or not, the newest last."""
        with self._database.reading() as db:
            return store.pages(db, limit)

    def page(self, page: str) -> Page:
        """Find a page by its id, open or not. `unknown_page` if there is none."""
        with self._database.reading() as db:
            return store.page(db, page)

    def entries(self, after: int = 0, limit: int = 100) -> tuple[Entry, ...]:
        """Read entries, oldest first.

        Args:
            after: The number of the last entry that you know.
            limit: The largest number of entries.
        """
        for field, value in (("after", after), ("limit", limit)):
            if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= LARGEST:
                raise RequestError("bad_request", field, f"this must be a whole number from 0 to {LARGEST:,}")
        with self._database.reading() as db:
            return store.entries(db, ENTRIES.c.seq > after, limit=limit)

    def request(self, action: ActionLike, **options: Unpack[PageOptions]) -> Request:
        """Make the request of an action in the newest scene, for calls such as `odds`, `reach` or `check`."""
        at, over = self._now(), Overlay.read(options.get("over") or {}, "over")
        scene = laid(over, at.scene.as_json())[0] if over != Overlay() else at.scene
        asked: Json = {name: value for name, value in options.items() if name in _OF_REQUEST}
        return Request.read({"ruleset": self.ruleset, "scene": scene, "action": data_of(action), **asked}, "request")

    def say(self, text: str, page: str | None = None) -> ReadLine:
        """Read one typed line in the newest scene, as `narrator.say`. It rolls nothing and writes nothing.

        Args:
            page: The open page for an invocation or a choice. If omitted, the newest open page.
        """
        kept = self.page(page) if page is not None else next(iter(self.pages[-1:]), None)
        scene = self._now().scene
        if kept is not None and kept.over is not None and isinstance(text, str) and text.lstrip().startswith("+"):
            scene = Scene.read(laid(kept.over, scene.as_json())[0])
        return saying.say(text, scene, kept, self.played)

    def suggest(self, action: ActionLike, **options: Unpack[PageOptions]) -> Page:
        """Resolve an action in the newest scene, find words, and keep the result as a page. This writes no entry and
        leaves the scene as it is.

        Raises:
            NarratorError: As `narrator.suggest`.
        """
        asked = self.request(action, **options)
        return self._kept(options, asked, words.suggest(asked, **self._for_call(options)))

    def stream(self, action: ActionLike, **options: Unpack[PageOptions]) -> Iterator[CampaignEvent]:
        """The same as events, each as soon as it is known. The last one has the page."""
        asked = self.request(action, **options)
        for event in words.stream(asked, **self._for_call(options)):
            if isinstance(event, DoneEvent):
                yield PageEvent(done=self._kept(options, asked, event.done))
            else:
                yield event

    async def asuggest(self, action: ActionLike, **options: Unpack[PageOptions]) -> Page:
        """The same as `suggest`, without blocking."""
        asked = await aside(partial(self.request, action, **options))
        answer = await words.asuggest(asked, **self._for_call(options))
        return await aside(partial(self._kept, options, asked, answer))

    async def astream(self, action: ActionLike, **options: Unpack[PageOptions]) -> AsyncGenerator[CampaignEvent, None]:
        """The same as `stream`, without blocking."""
        asked = await aside(partial(self.request, action, **options))
        async with aclosing(words.astream(asked, **self._for_call(options))) as events:
            async for event in events:
                if isinstance(event, DoneEvent):
                    yield PageEvent(done=await aside(partial(self._kept, options, asked, event.done)))
                else:
                    yield event

    def again(self, page: str, **options: Unpack[SuggestOptions]) -> Page:
        """Replace an open page: the same action with the same dice, in the newest scene."""
        old = self.page(page)
        asked: Any = {name: getattr(old.request, name) for name in ("branch", "per_slot", "seed")}
        return self.suggest(old.request.action, **{**options, **asked, "over": old.over, "page": page})

    def keep(self, request: Request, answer: Answer, over: OverlayLike = None, page: str | None = None) -> Page:
        """Keep an answer to a request of this campaign as a page, or replace an open page. `over` contains the
        request's additions to the scene.
        """
        if (
            not isinstance(answer, Answer)
            or rolls.resolve(request.model_copy(update={"seed": answer.resolution.seed}), rulesets=self.rulesets)
            != answer.resolution
        ):
            raise RequestError("bad_request", "answer", "this must be the answer to this request")
        told = None if over is None else Overlay.read(over, "over")
        with self._database.writing() as db:
            kept = store.keep_page(db, request, told, answer, page)
        return kept.model_copy(update={"answer": answer})

    def stage(self, cards: int = staging.CARDS, **options: Unpack[StageOptions]) -> Staged:
        """Ask a model to write cards for the newest scene, as `narrator.stage`, and keep each card. Rolls and words in
        this scene then use them first. This writes no entry. A second call asks only for missing cards.
        """
        *_, last = self.stage_stream(cards, **options)
        assert isinstance(last, StagedEvent), "the last event has all"
        return last.done

    def stage_stream(self, cards: int = staging.CARDS, **options: Unpack[StageOptions]) -> Iterator[StageEvent]:
        """The same as events, each as soon as it is known."""
        scene, called = self._now().scene, self._for_stage(options)
        for event in staging.stage_stream(scene, cards, self.ruleset, **called):
            self._keep_staged(scene, event)
            yield event

    async def astage(self, cards: int = staging.CARDS, **options: Unpack[StageOptions]) -> Staged:
        """The same as `stage`, without blocking."""
        found = [event async for event in self.astage_stream(cards, **options)]
        assert isinstance(found[-1], StagedEvent), "the last event has all"
        return found[-1].done

    async def astage_stream(
        self, cards: int = staging.CARDS, **options: Unpack[StageOptions]
    ) -> AsyncGenerator[StageEvent, None]:
        """The same as `stage_stream`, without blocking."""
        scene, called = (await aside(self._now)).scene, await aside(partial(self._for_stage, options))
        async with aclosing(staging.astage_stream(scene, cards, self.ruleset, **called)) as events:
            async for event in events:
                await aside(partial(self._keep_staged, scene, event))
                yield event

    @property
    def staged(self) -> Json | None:
        """The cards that were written for the newest scene, as `suggest` takes them, or None."""
        with self._database.reading() as db:
            return store.stage(db, store.state(db).scene.stage_id(self.ruleset))

    def _for_stage(self, options: StageOptions) -> StageOptions:
        return {"staged": self.staged, **options, "rulesets": self.rulesets}

    def _keep_staged(self, scene: Scene, event: StageEvent) -> None:
        if isinstance(event, StagingEvent):
            return
        more = {"cards": [event.card.as_json()]} if isinstance(event, CardEvent) else {"for": event.done.made_for}
        with self._database.writing() as db:
            store.keep_stage(db, scene.stage_id(self.ruleset), more)

    def saw(self, found: Words) -> Words:
        """Mark the cards of words as seen, and return the words."""
        with self._database.writing() as db:
            store.keep(db, store.state(db), dealt=(each.card for each in found.suggestions if each.card))
        return found

    def seen_by(self, role: Role) -> Json:
        """Return what players or the GM may see as JSON: the scene, open pages and entries."""
        at = self._now()
        return seen_by(role, at.scene, self.pages, self.entries(max(0, at.seq - _LATELY), _LATELY))

    def seen_entries(self, role: Role, after: int = 0, limit: int = 100) -> list[Json]:
        """Read entries as `entries` does, and return what a role may see of them, as JSON."""
        seen: list[Json] = seen_by(role, self.scene, (), self.entries(after, limit))["entries"]
        return seen

    def changes(self) -> Iterator[bool]:
        """Check four times a second, without end, whether somebody wrote since the last check. This blocks."""
        return self._database.changes()

    def export(self) -> Iterator[str]:
        """Return the whole campaign as lines of JSON, for `import_campaign`."""
        return transfer.exported(self._database)

    def backup(self, path: str | Path) -> None:
        """Write a consistent copy into a new file, even while others write."""
        if not isinstance(path, str | Path):
            raise RequestError("bad_request", "path", "this must be the path of a new file")
        transfer.backup(self._database, Path(path))

    def _now(self) -> State:
        with self._database.reading() as db:
            return store.state(db)

    def _kept(self, options: PageOptions, request: Request, answer: Answer) -> Page:
        return self.keep(request, answer, options.get("over"), options.get("page"))

    def _for_call(self, options: PageOptions) -> SuggestOptions:
        """The options for the call."""
        found: Any = {name: value for name, value in options.items() if name not in (*_OF_REQUEST, "over", "page")}
        return cast("SuggestOptions", {"staged": self.staged, **found, "rulesets": self.rulesets})
