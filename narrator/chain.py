"""The narrator as a LangChain runnable: a request goes in, an answer comes out as JSON data."""

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any, Literal, cast

from langchain_core.callbacks import AsyncCallbackManagerForChainRun, CallbackManagerForChainRun
from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableConfig, RunnableSerializable
from langchain_core.runnables.config import patch_config
from pydantic import Field

from narrator.api import suggesting
from narrator.api.reading import RequestLike
from narrator.errors import NarratorError
from narrator.rules.ruleset import Ruleset
from narrator.sources.langchain import LangChainSource
from narrator.suggestions.answer import (
    AcceptedEvent,
    Answer,
    DoneEvent,
    Event,
    NoticeEvent,
    RejectedEvent,
    ResolutionEvent,
    Usage,
    UsageEvent,
)
from narrator.suggestions.source import Source

Json = dict[str, Any]


class NarratorRunnable(RunnableSerializable[RequestLike, Json]):
    """
    A request (a mapping, JSON text, or a `Request`) in; an answer, as the JSON-ready object of the contract, out.

    Data and not a model comes out, because what follows in a chain takes data: a prompt, an `itemgetter`, a
    tracer. `stream` gives the answer so far, again whenever it has grown; the last is the whole answer, which is
    also what the next part of a chain goes on with. A request that is refused raises `NarratorError`.
    """

    source: Any = Field(default=None, repr=False)
    repairs: int = suggesting.REPAIRS
    timeout: float = suggesting.TIMEOUT
    rulesets: tuple[Any, ...] = Field(default=(), repr=False)
    name: str | None = "narrator"

    def invoke(self, input: RequestLike, config: RunnableConfig | None = None, **kwargs: Any) -> Json:
        """
        Answer one request.
        """
        return self._call_with_config(self._invoke, input, config, **kwargs)

    async def ainvoke(
        self,
        input: RequestLike,
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> Json:
        """
        The same, without blocking.
        """
        return await self._acall_with_config(self._ainvoke, input, config, **kwargs)

    def stream(
        self,
        input: RequestLike,
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> Iterator[Json]:
        """
        Give the answer as it grows.
        """
        yield from self._transform_stream_with_config(iter([input]), self._stream, config, **kwargs)

    async def astream(
        self,
        input: RequestLike,
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[Json]:
        """
        The same, without blocking.
        """

        async def inputs() -> AsyncIterator[RequestLike]:
            yield input

        async for answer in self._atransform_stream_with_config(inputs(), self._astream, config, **kwargs):
            yield answer

    def transform(
        self,
        input: Iterator[RequestLike],
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> Iterator[Json]:
        """
        Give the answer as it grows, to what comes in from a chain before: the last of it is the request.
        """
        yield from self._transform_stream_with_config(input, self._stream, config, **kwargs)

    async def atransform(
        self,
        input: AsyncIterator[RequestLike],
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[Json]:
        """
        The same, without blocking.
        """
        async for answer in self._atransform_stream_with_config(input, self._astream, config, **kwargs):
            yield answer

    def _invoke(self, asked: RequestLike, run_manager: CallbackManagerForChainRun, config: RunnableConfig) -> Json:
        source = self._source(patch_config(config, callbacks=run_manager.get_child()))
        return suggesting.suggest(asked, source=source, **self._options).as_json()

    async def _ainvoke(
        self, asked: RequestLike, run_manager: AsyncCallbackManagerForChainRun, config: RunnableConfig
    ) -> Json:
        source = self._source(patch_config(config, callbacks=run_manager.get_child()))
        answer: Json = {}
        async for event in suggesting.astream(asked, source=source, **self._options):
            if event.event == "done":
                answer = event.done.as_json()
        return answer

    def _stream(
        self, requests: Iterator[RequestLike], run_manager: CallbackManagerForChainRun, config: RunnableConfig
    ) -> Iterator[Json]:
        source = self._source(patch_config(config, callbacks=run_manager.get_child()))
        growing = _Growing()
        asked = _only(list(requests))
        for event in suggesting.stream(asked, source=source, **self._options):
            yield from growing.after(event)

    async def _astream(
        self,
        requests: AsyncIterator[RequestLike],
        run_manager: AsyncCallbackManagerForChainRun,
        config: RunnableConfig,
    ) -> AsyncIterator[Json]:
        source = self._source(patch_config(config, callbacks=run_manager.get_child()))
        growing = _Growing()
        asked = _only([each async for each in requests])
        async for event in suggesting.astream(asked, source=source, **self._options):
            for answer in growing.after(event):
                yield answer

    @property
    def _options(self) -> dict[str, Any]:
        return {"repairs": self.repairs, "timeout": self.timeout, "rulesets": self.rulesets}

    def _source(self, config: RunnableConfig) -> suggesting.Chosen:
        """
        Who writes; a LangChain model is told of the chain that it is in.
        """
        source = LangChainSource(self.source) if isinstance(self.source, BaseChatModel) else self.source
        return source.within(config) if isinstance(source, LangChainSource) else source


def runnable(
    source: Source | BaseChatModel | Literal["deck"] | None = None,
    *,
    repairs: int = suggesting.REPAIRS,
    timeout: float = suggesting.TIMEOUT,
    rulesets: Iterable[Ruleset] = (),
) -> NarratorRunnable:
    """
    Make a runnable of the narrator.

    Args:
        source: Who writes: a source, a LangChain chat model, the deck, or None for the model that the
            environment names, else the deck.

        repairs: How often the source is asked again for what is missing.

        timeout: Seconds for a whole call.

        rulesets: House rulesets that a request may name.
    """
    return NarratorRunnable(source=source, repairs=repairs, timeout=timeout, rulesets=tuple(rulesets))


class _Growing:
    """
    The answer so far.
    """

    def __init__(self) -> None:
        self._answer: Answer | None = None

    def after(self, event: Event) -> Iterator[Json]:
        """
        Give the answer again where the event made it grow.
        """
        match event:
            case ResolutionEvent():
                found = event.resolution
                self._answer = Answer(resolution=found, suggestions=(), rejected=(), usage=Usage(), notices=())
            case AcceptedEvent():
                self._grow("suggestions", event.accepted)
            case RejectedEvent():
                self._grow("rejected", event.rejected)
            case NoticeEvent():
                self._grow("notices", event.notice)
            case UsageEvent():
                return
            case DoneEvent():
                self._answer = event.done
        if self._answer is not None:
            yield self._answer.as_json()

    def _grow(self, field: str, one: object) -> None:
        assert self._answer is not None, "the resolution is the first event"
        self._answer = self._answer.model_copy(update={field: (*getattr(self._answer, field), one)})


def _only(pieces: list[Any]) -> RequestLike:
    """
    Put together what a chain hands over in pieces, as LangChain does: what adds up is added, else the last counts.
    """
    if not pieces:
        raise NarratorError("bad_request", "", "there is no request")
    whole = pieces[0]
    for piece in pieces[1:]:
        try:
            whole = whole + piece
        except TypeError:
            whole = piece
    return cast("RequestLike", whole)
