"""The payloads of the calls that find words. Their functions are in `words` and `staging`."""

from collections.abc import AsyncGenerator
from typing import Annotated, Any, ClassVar, Literal, Unpack, cast

from pydantic import Field

from narrator.api import staging, words
from narrator.api.call import Call, RequestCall
from narrator.api.occasion import WordRequest
from narrator.api.options import Options, StageOptions
from narrator.deck.staged import MOST_STAGED
from narrator.rules.model import Given, Name, Object
from narrator.rules.request.action import USUAL_RULESET, Request
from narrator.rules.request.scene import Scene
from narrator.suggestions.pipeline.answer import Answer, Event, Prepared, Staged, StageEvent, Words
from narrator.suggestions.time.clock import LONGEST_TIMEOUT, MOST_REPAIRS, REPAIRS, TIMEOUT


class WritingCall(Call):
    """A call that takes a source."""

    is_quick: ClassVar = False

    source: Name | None = None
    """Who writes: `deck`, or a name under `[sources.NAME]` in the config file. If omitted, the model that the
    environment names, else the deck."""
    timeout: Annotated[float, Field(ge=0, le=LONGEST_TIMEOUT)] = TIMEOUT
    """Seconds for the whole call, 0 to 3,600."""
    staged: Object | None = None
    """The result of `stage` for this scene. Its cards come first. `stage` itself then asks only for missing cards."""

    def options(self, given: Any) -> Any:
        """Return the payload's options, overridden by the caller's."""
        told = ("source", "timeout", "repairs", "strict", "staged")
        return {**{name: getattr(self, name) for name in told if name in self.model_fields_set}, **given}


class FindingCall(WritingCall):
    """A call that finds words."""

    repairs: Annotated[int, Field(ge=0, le=MOST_REPAIRS)] = REPAIRS
    """How often a model is asked again for missing words, 0 to 10."""
    strict: bool = False
    """If true, the deck fills in nothing, and too few suggestions are the error `no_words`."""


class SuggestCall(FindingCall, RequestCall):
    """A call that finds words for a roll."""

    gives: ClassVar = Answer

    call: Literal["suggest"]
    prepared: Object | None = None
    """The result of `prepare` for this roll. Its words are judged again; the source is asked only for missing ones."""

    def make(self, **options: Unpack[Options]) -> Answer:
        return words.suggest(self.request, prepared=self.prepared, **self.options(options))

    async def amake(self, **options: Unpack[Options]) -> Answer:
        return await words.asuggest(self.request, prepared=self.prepared, **self.options(options))

    def astream(self, **options: Unpack[Options]) -> AsyncGenerator[Event, None]:
        """The same as events, each as soon as it is known."""
        return words.astream(self.request, prepared=self.prepared, **self.options(options))


class PrepareCall(FindingCall, RequestCall):
    """A call that finds words before the roll."""

    gives: ClassVar = Prepared

    call: Literal["prepare"]
    request: Request
    """The action, its opposition and the scene. Its dice are ignored."""
    threshold: Annotated[float, Field(ge=0, le=1)] = words.THRESHOLD
    """Words are found for rows with at least this chance, from 0 to 1."""

    def make(self, **options: Unpack[Options]) -> Prepared:
        return words.prepare(self.request, self.threshold, **self.options(options))

    async def amake(self, **options: Unpack[Options]) -> Prepared:
        return await words.aprepare(self.request, self.threshold, **self.options(options))


class WordCall(FindingCall):
    """A call that finds words without a roll."""

    gives: ClassVar = Words

    call: Literal["word"]
    request: WordRequest
    """The words that you want, and the scene."""

    def make(self, **options: Unpack[Options]) -> Words:
        return words.word(**dict(self.request), **self.options(options))

    async def amake(self, **options: Unpack[Options]) -> Words:
        return await words.aword(**dict(self.request), **self.options(options))


class StageRequest(Given):
    """A scene that needs cards."""

    scene: Scene
    """The scene, as it is now."""
    cards: Annotated[int, Field(ge=1, le=MOST_STAGED)] = staging.CARDS
    """The total number of cards, 1 to 200."""
    ruleset: Name = USUAL_RULESET
    """The ruleset whose tables are used."""


class StageCall(WritingCall):
    """A call that asks a model to write cards for a scene, before anybody rolls."""

    gives: ClassVar = Staged

    call: Literal["stage"]
    request: StageRequest
    """The scene and the number of cards."""
    timeout: Annotated[float, Field(ge=0, le=LONGEST_TIMEOUT)] = staging.PATIENCE
    """Seconds for the whole call, 0 to 3,600."""

    def make(self, **options: Unpack[Options]) -> Staged:
        return staging.stage(**dict(self.request), **self._of_stage(options))

    async def amake(self, **options: Unpack[Options]) -> Staged:
        return await staging.astage(**dict(self.request), **self._of_stage(options))

    def astream(self, **options: Unpack[Options]) -> AsyncGenerator[StageEvent, None]:
        """The same as events, each as soon as it is known."""
        return staging.astage_stream(**dict(self.request), **self._of_stage(options))

    def _of_stage(self, options: Options) -> StageOptions:
        found = self.options(options)
        return cast("StageOptions", {name: found[name] for name in StageOptions.__annotations__ if name in found})
