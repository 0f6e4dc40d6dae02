"""narrator for LangChain: a runnable that takes a request and gives an answer, and tools for a model."""

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from functools import partial
from typing import Any, Unpack, cast

from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda
from langchain_core.tools import BaseTool, StructuredTool
from pydantic import BaseModel

from narrator.api import words
from narrator.api.options import Options, SourceLike, SuggestOptions, clock_of
from narrator.api.registry import read_payload
from narrator.api.requests import RequestLike
from narrator.api.schemas import schema, tool_arguments
from narrator.errors import TryAgainError
from narrator.sources.langchain import LangChainSource, from_langchain
from narrator.sources.selection import source_for
from narrator.suggestions.pipeline.answer import Answer, Event, Usage

Json = dict[str, Any]

TOOLS = {
    "suggest": (
        "Resolves an action in tabletop Fate by the rules, and suggests wordings for the outcome. Call it whenever "
        "somebody in the game tries something that needs a roll, or whose outcome the table has told you. Never decide "
        "the outcome yourself. Returns JSON: `resolution` has the result, `suggestions` the wordings to choose from."
    ),
    "reach": (
        "Says, after a roll in tabletop Fate, what each possible invocation would change. Call it before you ask "
        "whether somebody invokes an aspect. The request must name its dice or its seed."
    ),
    "settle": (
        "Writes the table's choice from an answer of `suggest` into the scene. Returns the new scene, which you use "
        "from then on, and its changes. The request must name its dice or its seed."
    ),
    "word": (
        "Suggests wordings for a scene of tabletop Fate without a roll: a situation aspect, a compel, a consequence, "
        "an opening, a twist. Never make up an aspect yourself."
    ),
}
"""The description of each tool, for models."""

ARGUMENTS = {"suggest": "Request", "reach": "ReachCall", "settle": "SettleCall", "word": "WordRequest"}
"""The model of each tool's arguments. `Request`: the tool needs only the request."""


class NarratorRunnable(RunnableLambda[RequestLike, Json]):
    """Takes a request (a mapping, JSON text, or a `Request`) and returns an answer as JSON data.

    It returns data, not a model, because the next part of a chain (a prompt, an `itemgetter`, a tracer) needs data.
    `stream` gives the answer so far each time it grows. The last one is the whole answer, which the next part of the
    chain gets. A refused request raises `NarratorError`.

    Put the options of one call into its config: `{"configurable": {"timeout": 5, "prepared": ...}}`.
    """

    def __init__(self, options: SuggestOptions) -> None:
        self._options = options
        # LangChain passes the config to generators too, but its types do not say so.
        super().__init__(self._answers, self._aanswers, name="narrator")  # type: ignore[arg-type]

    def __reduce__(self) -> tuple[Any, ...]:
        return NarratorRunnable, (self._options,)

    def get_input_schema(self, config: RunnableConfig | None = None) -> type[BaseModel]:
        """Return the model of a request, for tools, graphs and servers."""
        return tool_arguments("Request")

    def get_output_schema(self, config: RunnableConfig | None = None) -> type[BaseModel]:
        """Return the model of the answer."""
        return Answer

    def get_output_jsonschema(self, config: RunnableConfig | None = None, **_: Any) -> Json:
        """Return the schema of an answer."""
        return schema("answer")

    def as_tool(
        self, args_schema: type[BaseModel] | None = None, *, description: str | None = None, **more: Any
    ) -> BaseTool:
        """Return a LangChain tool that a model can call. narrator fills in what you omit."""
        return super().as_tool(args_schema, description=description or TOOLS["suggest"], **more)

    def with_retry(  # type: ignore[override]
        self, *, retry_if_exception_type: tuple[type[BaseException], ...] = (TryAgainError,), **more: Any
    ) -> Runnable[RequestLike, Json]:
        """Retry errors that may pass, in LangChain's way: a model was busy, too late, or wrote too little."""
        return super().with_retry(retry_if_exception_type=retry_if_exception_type, **more)

    def _answers(self, asked: RequestLike, config: RunnableConfig) -> Iterator[Json]:
        options = self._of(config)
        growing = _Growing(whole=options.get("strict", False))
        for event in words.stream(asked, **options):
            yield from growing.after(event)

    async def _aanswers(self, asked: RequestLike, config: RunnableConfig) -> AsyncIterator[Json]:
        options = self._of(config)
        growing = _Growing(whole=options.get("strict", False))
        async with aclosing(words.astream(asked, **options)) as events:
            async for event in events:
                for answer in growing.after(event):
                    yield answer

    def _of(self, config: RunnableConfig) -> SuggestOptions:
        """Combine the options of one call. Its config overrides the runnable."""
        configured = config.get("configurable", {})
        own = {name: configured[name] for name in SuggestOptions.__annotations__ if name in configured}
        options: Any = {**self._options, **own}
        source = options["source"]
        source = from_langchain(source) if isinstance(source, Runnable) else source
        # A LangChain model gets the config of the chain around it.
        options["source"] = source.within(config) if isinstance(source, LangChainSource) else source
        return cast("SuggestOptions", options)


def runnable(source: SourceLike = None, /, **options: Unpack[SuggestOptions]) -> NarratorRunnable:
    """Make a LangChain runnable of narrator.

    Args:
        source: A source or its name, a LangChain runnable that takes messages, or `deck`. None: the model that the
            environment names, else the deck.
        options: See `Options`. A strict runnable streams only the whole answer, so that `with_fallbacks` and
            `with_retry` work.

    Raises:
        NarratorError: `bad_request` for a wrong option. It is raised here, not later in a chain.
    """
    given: SuggestOptions = {"source": source, **options}
    clock_of(given, SuggestOptions)
    if given["source"] is not None:
        source_for(given["source"])  # raises here, where no fallback hides it
    return NarratorRunnable(given)


def tools(source: SourceLike = None, /, **options: Unpack[Options]) -> list[BaseTool]:
    """Make tools for an agent at a table: `suggest`, `reach`, `settle` and `word`.

    Args:
        source: As for `runnable`, like the options.

    Raises:
        NarratorError: As for `runnable`.
    """
    given: Options = {"source": source, **options}
    runnable(**given)  # raises for a wrong option
    return [
        StructuredTool(
            name=call,
            description=told,
            args_schema=tool_arguments(ARGUMENTS[call]),
            func=partial(_made, call, given),
            coroutine=partial(_amade, call, given),
        )
        for call, told in TOOLS.items()
    ]


def _made(call: str, options: Any, /, **arguments: Any) -> Json:
    return read_payload(arguments, call=call).make(**options).as_json()


async def _amade(call: str, options: Any, /, **arguments: Any) -> Json:
    return (await read_payload(arguments, call=call).amake(**options)).as_json()


class _Growing:
    """The answer so far."""

    def __init__(self, *, whole: bool) -> None:
        # LangChain's fallbacks can't take back a stream that has begun, so `whole` gives only the last answer.
        self._answer: Answer | None = None
        self._whole = whole

    def after(self, event: Event) -> Iterator[Json]:
        """Give the answer again if the event made it grow."""
        match event.event:
            case "resolution":
                found = event.resolution
                self._answer = Answer(resolution=found, suggestions=(), rejected=(), usage=Usage(), notices=())
            case "accepted":
                self._grow("suggestions", event.accepted)
            case "rejected":
                self._grow("rejected", event.rejected)
            case "notice":
                self._grow("notices", event.notice)
            case "usage":
                return
            case "done":
                self._answer = event.done
        if self._answer is not None and (event.event == "done" or not self._whole):
            yield self._answer.as_json()

    def _grow(self, field: str, one: object) -> None:
        assert self._answer is not None, "the resolution is the first event"
        self._answer = self._answer.model_copy(update={field: (*getattr(self._answer, field), one)})
