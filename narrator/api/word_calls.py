"""The payloads of the calls that find words, as macros send them; the functions stand in `words` and `staging`."""

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
    """A call that somebody writes for."""

    is_quick: ClassVar = False

    source: Name | None = None
    """Who writes: `deck`, or a name under `[sources.NAME]` of the config file; left out: the model that the
    environment names, else the deck."""
    timeout: Annotated[float, Field(ge=0, le=LONGEST_TIMEOUT)] = TIMEOUT
    """Seconds for the whole call, 0 to 3,600."""
    staged: Object | None = None
    """What `stage` gave for this scene: its cards come first; of `stage` itself: only what is missing is asked for."""

    def options(self, given: Any) -> Any:
        """Return what the payload says, and over it what the caller gives."""
        told = ("source", "timeout", "repairs", "strict", "staged")
        return {**{name: getattr(self, name) for name in told if name in self.model_fields_set}, **given}


class FindingCall(WritingCall):
    """A call that finds words."""

    repairs: Annotated[int, Field(ge=0, le=MOST_REPAIRS)] = REPAIRS
    """How often a model is asked again for what is missing, 0 to 10."""
    strict: bool = False
    """Whether the deck stays out: fewer suggestions than asked for are then the error `no_words`."""


class SuggestCall(FindingCall, RequestCall):
    """A call that wants words for a roll."""

    gives: ClassVar = Answer

    call: Literal["suggest"]
    prepared: Object | None = None
    """What `prepare` gave for this roll: its words are judged again, and only what is missing is asked for."""

    def make(self, **options: Unpack[Options]) -> Answer:
        return words.suggest(self.request, prepared=self.prepared, **self.options(options))

    async def amake(self, **options: Unpack[Options]) -> Answer:
        return await words.asuggest(self.request, prepared=self.prepared, **self.options(options))

    def astream(self, **options: Unpack[Options]) -> AsyncGenerator[Event, None]:
        """The same as events, each the moment it is known."""
        return words.astream(self.request, prepared=self.prepared, **self.options(options))


class PrepareCall(FindingCall, RequestCall):
    """A call that wants words before the dice have fallen."""

    gives: ClassVar = Prepared

    call: Literal["prepare"]
    request: Request
    """The action, what opposes it, and who is there; dice that it has do not count."""
    threshold: Annotated[float, Field(ge=0, le=1)] = words.THRESHOLD
    """The least chance of a row, from 0 to 1, that words are found for."""

    def make(self, **options: Unpack[Options]) -> Prepared:
        return words.prepare(self.request, self.threshold, **self.options(options))

    async def amake(self, **options: Unpack[Options]) -> Prepared:
        return await words.aprepare(self.request, self.threshold, **self.options(options))


class WordCall(FindingCall):
    """A call that wants words without a roll."""

    gives: ClassVar = Words

    call: Literal["word"]
    request: WordRequest
    """Which words, of which scene."""

    def make(self, **options: Unpack[Options]) -> Words:
        return words.word(**dict(self.request), **self.options(options))

    async def amake(self, **options: Unpack[Options]) -> Words:
        return await words.aword(**dict(self.request), **self.options(options))


class StageRequest(Given):
    """A scene that cards are to be written for."""

    scene: Scene
    """The scene, as it is now."""
    cards: Annotated[int, Field(ge=1, le=MOST_STAGED)] = staging.CARDS
    """How many there are to be, 1 to 200."""
    ruleset: Name = USUAL_RULESET
    """By whose tables."""


class StageCall(WritingCall):
    """A call that has cards written for a scene, before anybody rolls."""

    gives: ClassVar = Staged

    call: Literal["stage"]
    request: StageRequest
    """Which scene, and how many cards."""
    timeout: Annotated[float, Field(ge=0, le=LONGEST_TIMEOUT)] = staging.PATIENCE
    """Seconds for the whole call, 0 to 3,600."""

    def make(self, **options: Unpack[Options]) -> Staged:
        return staging.stage(**dict(self.request), **self._of_stage(options))

    async def amake(self, **options: Unpack[Options]) -> Staged:
        return await staging.astage(**dict(self.request), **self._of_stage(options))

    def astream(self, **options: Unpack[Options]) -> AsyncGenerator[StageEvent, None]:
        """The same as events, each the moment it is known."""
        return staging.astage_stream(**dict(self.request), **self._of_stage(options))

    def _of_stage(self, options: Options) -> StageOptions:
        found = self.options(options)
        return cast("StageOptions", {name: found[name] for name in StageOptions.__annotations__ if name in found})
