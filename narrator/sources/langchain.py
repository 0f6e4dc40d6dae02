"""Any LangChain chat model as a source of words: its stream, read by our own scan."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from typing import Any, TypeVar

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langsmith import tracing_context

from narrator.sources.reading import inside
from narrator.suggestions.brief import Brief
from narrator.suggestions.source import SourceError, Tokens

CUT_OFF = frozenset(("length", "max_tokens", "MAX_TOKENS", "model_length"))
WITHHELD = frozenset(("content_filter", "SAFETY", "refusal", "content_filtered", "guardrail_intervened"))
"""How the providers' models say why they stopped."""

_T = TypeVar("_T")


class LangChainSource:
    """
    A chat model as LangChain has it. It streams where it can; where it cannot, the answer comes in one piece.

    The words of the players are not traced because some other part of a program is; in a chain that is traced,
    the chain's own callbacks see the model, as they see any other.
    """

    def __init__(self, model: BaseChatModel, config: RunnableConfig | None = None) -> None:
        """
        Args:
            config: What a chain hands on to its parts: callbacks, tags, metadata.
        """
        self._model = model
        self._config = config

    @property
    def label(self) -> str:
        """
        The model's class, as suggestions name it.
        """
        return f"langchain:{type(self._model).__name__}"

    def within(self, config: RunnableConfig) -> "LangChainSource":
        """
        Return the same model, as a part of a chain.
        """
        return LangChainSource(self._model, config)

    def stream(self, brief: Brief, seconds: float) -> Iterator[str | Tokens]:
        """
        Ask, and give the text as it comes. The time is the driver's to hold: a model has its own time limits.

        Raises:
            SourceError: When the model fails, refuses, or stops short.
        """
        heard, failure = _Heard(), None
        try:
            chunks = self._model.stream(_messages(brief), self._config)
            while (chunk := _untraced_next(chunks)) is not None:
                yield heard.text_of(chunk)
        except Exception as error:
            failure = _failed(error)
        yield from heard.ended(failure)

    async def astream(self, brief: Brief, seconds: float) -> AsyncGenerator[str | Tokens, None]:
        """
        The same, without blocking.
        """
        heard, failure = _Heard(), None
        try:
            chunks = self._model.astream(_messages(brief), self._config)
            while (chunk := await _untraced_anext(chunks)) is not None:
                yield heard.text_of(chunk)
        except Exception as error:
            failure = _failed(error)
        for piece in heard.ended(failure):
            yield piece


def from_langchain(model: BaseChatModel) -> LangChainSource:
    """
    Make a source of a LangChain chat model, to be passed as `source`.
    """
    return LangChainSource(model)


class _Heard:
    """
    What a model's chunks have told beside the text.
    """

    def __init__(self) -> None:
        self._tokens = Tokens()
        self._failure: SourceError | None = None

    def text_of(self, chunk: BaseMessage) -> str:
        """
        Give the text of a chunk, and keep the rest in mind.
        """
        if isinstance(chunk, AIMessageChunk) and chunk.usage_metadata is not None:
            # LangChain's own rule: the usage of the chunks adds up.
            before, more = self._tokens, _told(chunk.usage_metadata)
            self._tokens = Tokens(before.input + more.input, before.cached + more.cached, before.output + more.output)
        told = chunk.response_metadata
        reason = told.get("finish_reason") or told.get("stop_reason") or told.get("done_reason")
        if chunk.additional_kwargs.get("refusal"):
            self._failure = SourceError("the model refused to answer")
        elif isinstance(reason, str) and reason in CUT_OFF:
            self._failure = SourceError("the answer was cut off", again=True)
        elif isinstance(reason, str) and reason in WITHHELD:
            self._failure = SourceError("the answer was withheld")
        return str(chunk.text)

    def ended(self, failure: SourceError | None) -> Iterator[Tokens]:
        """
        Tell the usage, where there was any, and then what went wrong.
        """
        if self._tokens != Tokens():
            yield self._tokens
        if (failure := failure or self._failure) is not None:
            raise failure


def _messages(brief: Brief) -> list[BaseMessage]:
    """
    Messages of a kind each, never templates: what users wrote may be full of braces.
    """
    return [SystemMessage(text) if role == "system" else HumanMessage(text) for role, text in brief.messages]


def _told(usage: Any) -> Tokens:
    cached = inside(inside(usage, "input_token_details"), "cache_read")
    return Tokens.told(input=inside(usage, "input_tokens"), cached=cached, output=inside(usage, "output_tokens"))


def _failed(error: Exception) -> SourceError:
    """
    Name what a model raised by its class alone: its message may hold the prompt, an address or a key.
    """
    return SourceError(f"the model failed ({type(error).__name__})")


def _untraced_next(chunks: Iterator[_T]) -> _T | None:
    # Around each step and not around them all, so that nothing else is left untraced between them.
    with tracing_context(enabled=False):
        return next(chunks, None)


async def _untraced_anext(chunks: AsyncIterator[_T]) -> _T | None:
    with tracing_context(enabled=False):
        return await anext(chunks, None)
