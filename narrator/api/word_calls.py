"""The payloads of `suggest`, `prepare` and `word`, as macros send them; the functions stand in `words`."""

from typing import Annotated, Any, ClassVar, Literal, Unpack

from pydantic import Field

from narrator.api import words
from narrator.api.call import Call, RequestCall
from narrator.api.occasion import WordRequest
from narrator.api.options import Options
from narrator.rules.model import Name, Object
from narrator.rules.request.action import Request
from narrator.suggestions.pipeline.answer import Answer, Prepared, Words
from narrator.suggestions.time.clock import LONGEST_TIMEOUT, MOST_REPAIRS, REPAIRS, TIMEOUT


class FindingCall(Call):
    """A call that finds words."""

    source: Name | None = None
    """Who writes: `deck`, or a name under `[sources.NAME]` of the config file; left out: the model that the
    environment names, else the deck."""
    timeout: Annotated[float, Field(ge=0, le=LONGEST_TIMEOUT)] = TIMEOUT
    """Seconds for the whole call, 0 to 3,600."""
    repairs: Annotated[int, Field(ge=0, le=MOST_REPAIRS)] = REPAIRS
    """How often a model is asked again for what is missing, 0 to 10."""
    strict: bool = False
    """Whether the deck stays out: fewer suggestions than asked for are then the error `no_words`."""

    def options(self, given: Options) -> Options:
        """Return what the payload says, and over it what the caller gives."""
        told = {name: getattr(self, name) for name in ("source", "timeout", "repairs", "strict")}
        found: Any = {name: value for name, value in told.items() if name in self.model_fields_set}
        return {**found, **given}


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
