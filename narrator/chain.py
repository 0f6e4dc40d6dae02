"""The narrator as a LangChain runnable: a request goes in, an answer comes out as JSON data."""

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import aclosing
from typing import Any, Literal

from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda
from langchain_core.tools import BaseTool
from pydantic import BaseModel

from narrator.api import suggesting
from narrator.api.asking import rulesets_of, source_for
from narrator.api.reading import RequestLike
from narrator.rules.ruleset import Ruleset
from narrator.sources.langchain import LangChainSource, from_langchain
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
from narrator.tool_arguments import tool_arguments

Json = dict[str, Any]


TOOL = (
    "Resolves an action in tabletop Fate by the rules, and finds words for what comes of it. Call it whenever somebody "
    "in the game tries something that is rolled for, or whose outcome the table tells; never decide that yourself. "
    "It gives JSON: in `resolution` what the rules found, in `suggestions` the wordings to choose from."
)
"""What a model that may call tools is told of this one."""


class NarratorRunnable(RunnableLambda[RequestLike, Json]):
    """A request (a mapping, JSON text, or a `Request`) in; an answer, as the JSON-ready object of the contract, out.

    Data and not a model comes out, because what follows in a chain takes data: a prompt, an `itemgetter`, a
    tracer. `stream` gives the answer so far, again whenever it has grown; the last is the whole answer, which is
    also what the next part of a chain goes on with. A request that is refused raises `NarratorError`.
    """

    def get_input_schema(self, config: RunnableConfig | None = None) -> type[BaseModel]:
        """Return what a request looks like as an object, for tools, graphs and servers."""
        return tool_arguments()

    def as_tool(
        self,
        args_schema: type[BaseModel] | None = None,
        *,
        name: str | None = None,
        description: str | None = None,
        arg_types: dict[str, type] | None = None,
    ) -> BaseTool:
        """Return a tool that a model can call, as LangChain makes it; what is left out is narrator's own."""
        return super().as_tool(args_schema, name=name, description=description or TOOL, arg_types=arg_types)


def runnable(
    source: Source | Runnable[Any, Any] | Literal["deck"] | None = None,
    *,
    repairs: int = suggesting.REPAIRS,
    timeout: float = suggesting.TIMEOUT,
    strict: bool = False,
    rulesets: Iterable[Ruleset] = (),
) -> NarratorRunnable:
    """Make a runnable of the narrator.

    Args:
        source: Who writes: a source, a LangChain runnable that takes messages, the deck, or None for the model that
            the environment names, else the deck.
        repairs: How often the source is asked again for what is missing.
        timeout: Seconds for a whole call.
        strict: Whether the deck stays out: fewer suggestions than asked for then raise `no_words`, with the reason,
            and a stream gives the whole answer alone, so that `with_fallbacks` and `with_retry` act on it.
        rulesets: House rulesets that a request may name.
    """
    if source is not None:
        source_for(source)  # a mistake is told where it is made, and not to a fallback
    options: dict[str, Any] = {
        "repairs": repairs,
        "timeout": timeout,
        "strict": strict,
        "rulesets": rulesets_of(rulesets),
    }

    def answers(asked: RequestLike, config: RunnableConfig) -> Iterator[Json]:
        growing = _Growing(whole=strict)
        for event in suggesting.stream(asked, source=_within(source, config), **options):
            yield from growing.after(event)

    async def aanswers(asked: RequestLike, config: RunnableConfig) -> AsyncIterator[Json]:
        growing = _Growing(whole=strict)
        async with aclosing(suggesting.astream(asked, source=_within(source, config), **options)) as events:
            async for event in events:
                for answer in growing.after(event):
                    yield answer

    # LangChain hands the config to generators as well, but its types do not say so.
    return NarratorRunnable(answers, aanswers, name="narrator")  # type: ignore[arg-type]


def _within(source: Any, config: RunnableConfig) -> suggesting.Chosen:
    """Who writes; a LangChain model is told of the chain that it is in."""
    found = from_langchain(source) if isinstance(source, Runnable) else source
    return found.within(config) if isinstance(found, LangChainSource) else found


class _Growing:
    """The answer so far."""

    def __init__(self, *, whole: bool) -> None:
        """Args:
        whole: Whether only the whole is given: what has begun, LangChain's fallbacks do not take back.
        """
        self._answer: Answer | None = None
        self._whole = whole

    def after(self, event: Event) -> Iterator[Json]:
        """Give the answer again where the event made it grow."""
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
        if self._answer is not None and (event.event == "done" or not self._whole):
            yield self._answer.as_json()

    def _grow(self, field: str, one: object) -> None:
        assert self._answer is not None, "the resolution is the first event"
        self._answer = self._answer.model_copy(update={field: (*getattr(self._answer, field), one)})
