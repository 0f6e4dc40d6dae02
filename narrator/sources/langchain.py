"""Any LangChain runnable that takes messages, as a source. narrator's scanner reads its output."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import aclosing, contextmanager
from typing import Any

from langchain_core.language_models import BaseLanguageModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable, RunnableConfig, RunnableSequence, RunnableWithFallbacks
from langchain_core.runnables.base import RunnableBindingBase
from langchain_core.runnables.configurable import DynamicRunnable
from langchain_core.runnables.retry import RunnableRetry
from langsmith import tracing_context

from narrator.errors import RequestError
from narrator.sources.response import failure, inside, lasts
from narrator.suggestions.prompt.brief import Prompt
from narrator.suggestions.source.protocol import SourceError, Tokens

_END: Any = object()


class LangChainSource:
    """A chat model, a plain model, or a runnable around one. It streams if it can. If not, the answer comes in one
    piece.

    Tracing in other parts of a program does not trace the players' words. In a traced chain, the chain's callbacks see
    the model like any other.
    """

    def __init__(self, runnable: Runnable[Any, Any], config: RunnableConfig | None = None) -> None:
        # The config that a chain passes to its parts: callbacks, tags, metadata.
        self._runnable = runnable
        self._config = config
        self.label = f"langchain:{type(_model(runnable)).__name__}"

    def within(self, config: RunnableConfig) -> "LangChainSource":
        """Return this source as a part of a chain."""
        return LangChainSource(self._runnable, config)

    def stream(self, brief: Prompt, seconds: float) -> Iterator[str | Tokens]:
        """Ask, and give the text as it comes. The driver limits the time."""
        with _hearing() as heard:
            chunks = self._chunks(_messages(brief))
            while (chunk := _untraced_next(chunks)) is not _END:
                yield from heard.pieces_of(chunk)

    async def astream(self, brief: Prompt, seconds: float) -> AsyncGenerator[str | Tokens, None]:
        """As `stream`, without blocking."""
        with _hearing() as heard:
            async with aclosing(self._achunks(_messages(brief))) as chunks:
                while (chunk := await _untraced_anext(chunks)) is not _END:
                    for piece in heard.pieces_of(chunk):
                        yield piece

    def _chunks(self, messages: list[BaseMessage]) -> Iterator[Any]:
        # LangChain retries `invoke`, but not streams.
        if _retries(self._runnable):
            yield self._runnable.invoke(messages, self._config)
        else:
            yield from self._runnable.stream(messages, self._config)

    async def _achunks(self, messages: list[BaseMessage]) -> AsyncGenerator[Any, None]:
        if _retries(self._runnable):
            yield await self._runnable.ainvoke(messages, self._config)
        else:
            async for chunk in self._runnable.astream(messages, self._config):
                yield chunk


def from_langchain(runnable: Runnable[Any, Any]) -> LangChainSource:
    """Make a source of a LangChain runnable that takes messages and gives messages or text. Pass it as `source`.

    Raises:
        NarratorError: `bad_request` if it is not a runnable.
    """
    if not isinstance(runnable, Runnable):
        wanted = "a LangChain runnable, or a source that has a label and `stream` or `astream`"
        raise RequestError("bad_request", "source", f"this must be {wanted}, not {type(runnable).__name__}")
    return LangChainSource(runnable)


class _Heard:
    """Collects what a model's chunks say besides the text."""

    def __init__(self) -> None:
        self._tokens = Tokens()
        self.failure: SourceError | None = None

    def pieces_of(self, chunk: object) -> Iterator[str | Tokens]:
        """Give a chunk's text and the tokens used so far, and note why the model stopped."""
        if isinstance(chunk, str):
            yield chunk
            return
        if not isinstance(chunk, BaseMessage):
            raise SourceError(f"the runnable gives {type(chunk).__name__}, not text or messages")
        if isinstance(chunk, AIMessage) and chunk.usage_metadata is not None:
            # LangChain's rule: the usage of all chunks adds up.
            before, more = self._tokens, _told(chunk.usage_metadata)
            self._tokens = Tokens.told(
                input=before.input + more.input, cached=before.cached + more.cached, output=before.output + more.output
            )
            yield self._tokens
        told = chunk.response_metadata
        reason = told.get("finish_reason") or told.get("stop_reason") or told.get("done_reason")
        # The providers' words for why a model stopped.
        match reason:
            case _ if chunk.additional_kwargs.get("refusal"):
                self.failure = failure("refused")
            case "length" | "max_tokens" | "MAX_TOKENS" | "model_length":
                self.failure = failure("cut_off")
            case "content_filter" | "SAFETY" | "refusal" | "content_filtered" | "guardrail_intervened":
                self.failure = SourceError("the answer was withheld")
        yield str(chunk.text)


@contextmanager
def _hearing() -> Iterator[_Heard]:
    """Read a model's answer, and raise its failure. Only the class is named: a message may contain prompt or key."""
    heard = _Heard()
    try:
        yield heard
    except SourceError:
        raise
    except Exception as error:
        # Where the providers' SDKs keep the server's status, if there is one.
        status = getattr(error, "status_code", None)
        raise SourceError(f"the model failed ({type(error).__name__})", lasts=lasts(status)) from None
    if heard.failure is not None:
        raise heard.failure


def _inner(runnable: Runnable[Any, Any]) -> Sequence[Runnable[Any, Any]]:
    """Return the parts of a composed runnable; empty for a simple one."""
    match runnable:
        case RunnableBindingBase():
            return [runnable.bound]
        case DynamicRunnable():
            return [runnable.default]
        case RunnableWithFallbacks():
            return [*runnable.runnables]
        case RunnableSequence():
            return runnable.steps
        case _:
            return []


def _model(runnable: Runnable[Any, Any]) -> Runnable[Any, Any]:
    """Find the model inside: the first of fallbacks, or the only one of a sequence, else the sequence itself."""
    inner = [_model(each) for each in _inner(runnable)]
    if isinstance(runnable, RunnableSequence):
        models = [each for each in inner if isinstance(each, BaseLanguageModel)]
        return models[0] if len(models) == 1 else runnable
    return inner[0] if inner else runnable


def _retries(runnable: Runnable[Any, Any]) -> bool:
    return isinstance(runnable, RunnableRetry) or any(_retries(each) for each in _inner(runnable))


def _messages(brief: Prompt) -> list[BaseMessage]:
    """Make messages, not templates: users' text may be full of braces."""
    return [SystemMessage(text) if role == "system" else HumanMessage(text) for role, text in brief.messages]


def _told(usage: Any) -> Tokens:
    cached = inside(inside(usage, "input_token_details"), "cache_read")
    return Tokens.told(input=inside(usage, "input_tokens"), cached=cached, output=inside(usage, "output_tokens"))


def _untraced_next(chunks: Iterator[Any]) -> Any:
    # Around each step only, so that other work between the steps is still traced.
    with tracing_context(enabled=False):
        return next(chunks, _END)


async def _untraced_anext(chunks: AsyncIterator[Any]) -> Any:
    with tracing_context(enabled=False):
        return await anext(chunks, _END)
