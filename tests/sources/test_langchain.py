"""LangChain's own fake models, and what is built around them, as sources."""

import asyncio
import logging
from collections.abc import Iterator
from itertools import repeat
from typing import Any

import pytest
from langchain_core.language_models import FakeListLLM, FakeStreamingListLLM, GenericFakeChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.output_parsers import JsonOutputParser, StrOutputParser
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.runnables import ConfigurableField, Runnable, RunnableLambda
from langsmith import get_tracing_context, tracing_context

from narrator.errors import NarratorError
from narrator.sources.langchain import from_langchain
from narrator.suggestions.source.protocol import Tokens
from tests.asking import brief_of
from tests.sources.asking import TEXT, Ask, both_ways, by
from tests.sources.langchain_models import SECRET, Streaming, Whole, list_model, tokens


def _again(part: Runnable[Any, Any]) -> Runnable[Any, Any]:
    return part.with_retry(wait_exponential_jitter=False)


@both_ways
@pytest.mark.parametrize(
    ("runnable", "named"),
    [
        (list_model(TEXT), "FakeListChatModel"),
        (GenericFakeChatModel(messages=repeat(AIMessage(TEXT))), "GenericFakeChatModel"),
        (list_model(TEXT).bind(stop=["END"]), "FakeListChatModel"),
        (list_model(TEXT).with_config(tags=["gate"]), "FakeListChatModel"),
        (list_model(TEXT) | StrOutputParser(), "FakeListChatModel"),
        (list_model(TEXT).configurable_fields(sleep=ConfigurableField("sleep")), "FakeListChatModel"),
        (list_model("Go on.") | StrOutputParser() | list_model(TEXT), "RunnableSequence"),
        (RunnableLambda(lambda _: AIMessage(TEXT)), "RunnableLambda"),
        (FakeListLLM(responses=[TEXT]), "FakeListLLM"),
        (FakeStreamingListLLM(responses=[TEXT]), "FakeStreamingListLLM"),
        (Whole(answer=TEXT), "Whole"),
        (_again(_again(list_model(TEXT)).with_fallbacks([Whole(answer="")]) | StrOutputParser()), "FakeListChatModel"),
    ],
    ids=[
        *("letters", "words", "bind", "config", "parser", "fields", "two models", "no model", "llm", "streaming llm"),
        *("whole", "nested"),
    ],
)
def test_whatever_takes_messages(asking: Ask, runnable: Any, named: str) -> None:
    """Models and what LangChain's users build of them are sources as they are, named by the class of the model."""
    found = asking(runnable)
    assert {each.source for each in found.suggestions} == {f"langchain:{named}"}
    assert (found.notices, found.usage.calls) == ((), 1)


@both_ways
@pytest.mark.parametrize("failing", [Streaming(chunks=[], failure="no more"), Whole(answer="", failures=99)])
def test_fallbacks(asking: Ask, failing: Runnable[Any, Any]) -> None:
    """Where a model fails at once, the next one writes, under the name of the first."""
    source = from_langchain(failing.with_fallbacks([list_model(TEXT)]))
    found = asking(source)
    assert (by(found, source), found.notices, found.usage.calls) == (3, (), 1)
    assert source.label == f"langchain:{type(failing).__name__}"


@both_ways
@pytest.mark.parametrize(
    "built",
    [_again, lambda part: _again(part) | StrOutputParser(), lambda part: _again(part).with_fallbacks([list_model("")])],
    ids=["around", "in a sequence", "in fallbacks"],
)
def test_retry(asking: Ask, built: Any) -> None:
    """A retry acts, wherever it is: a model that fails twice is asked three times, within one call."""
    model = Whole(answer=TEXT, failures=2)
    source = from_langchain(built(model))
    found = asking(source)
    assert (by(found, source), found.notices, found.usage.calls) == (3, (), 1)
    assert model.asked == 3


@both_ways
@pytest.mark.parametrize(
    ("runnable", "gives"),
    [
        (list_model(TEXT) | JsonOutputParser(), "dict"),
        (RunnableLambda(lambda _: None), "NoneType"),
        (_again(RunnableLambda(len)), "int"),
    ],
    ids=["dict", "nothing", "number"],
)
def test_no_words(asking: Ask, runnable: Runnable[Any, Any], gives: str) -> None:
    """What gives neither messages nor text is told by the type of what it gives."""
    source = from_langchain(runnable)
    assert f"{source.label}: the runnable gives {gives}, not text or messages." in asking(source).notices


@pytest.mark.parametrize("given", [42, object, {"model": "tiny"}])
def test_no_runnable(given: Any) -> None:
    """What is no runnable is refused before anything is asked, and its type is named."""
    with pytest.raises(NarratorError, match=f"not {type(given).__name__}") as caught:
        from_langchain(given)
    assert (caught.value.code, caught.value.field) == ("bad_request", "source")


@both_ways
def test_breaks_in_the_middle(asking: Ask) -> None:
    """What a model wrote before it failed is kept."""
    half = TEXT.index("}") + 20
    source = from_langchain(list_model(TEXT, error_on_chunk_number=half))
    found = asking(source)
    assert (by(found, source), len(found.suggestions)) == (1, 3)
    assert "langchain:FakeListChatModel: the model failed (FakeListChatModelError)." in found.notices


@both_ways
def test_usage(asking: Ask) -> None:
    """The usage that chunks tell adds up, that of a call that failed too."""
    chunks = [
        AIMessageChunk(content="", usage_metadata=tokens(100, 0, cached=40)),
        AIMessageChunk(content=TEXT[:40]),
        AIMessageChunk(content="", usage_metadata=tokens(0, 17)),
    ]
    usage = asking(from_langchain(Streaming(chunks=chunks, failure="no more")), repairs=0).usage
    assert (usage.calls, usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (1, 100, 40, 17)


def test_usage_as_it_comes() -> None:
    """Usage is told with the chunk that has it, each time the sum so far."""
    chunks = [AIMessageChunk(content="a", usage_metadata=tokens(100, 1)), AIMessageChunk(content="b")]
    chunks.append(AIMessageChunk(content="c", usage_metadata=tokens(0, 16, cached=40)))
    told = [*from_langchain(Streaming(chunks=chunks)).stream(brief_of(), 5)]
    assert [each for each in told if each] == [Tokens(100, 0, 1), "a", "b", Tokens(100, 40, 17), "c"]


@both_ways
@pytest.mark.parametrize("built", [lambda part: part, _again], ids=["stream", "invoke"])
def test_usage_of_a_whole_reply(asking: Ask, built: Any) -> None:
    """The usage of a model that replies whole counts as well."""
    usage = asking(from_langchain(built(Whole(answer=TEXT)))).usage
    assert (usage.calls, usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (1, 100, 40, 17)


@both_ways
def test_content_blocks(asking: Ask) -> None:
    """Of content in blocks the text counts, and the thoughts do not."""
    blocks: list[str | dict[str, Any]] = [
        {"type": "reasoning", "reasoning": '{"suggestions": [{"slot": "no"}]}'},
        {"type": "text", "text": TEXT},
    ]
    source = from_langchain(Streaming(chunks=[AIMessageChunk(content=blocks)]))
    found = asking(source)
    assert (by(found, source), found.rejected) == (3, ())


@both_ways
@pytest.mark.parametrize(
    ("told", "notice"),
    [
        ({"response_metadata": {"finish_reason": "length"}}, "the answer was cut off"),
        ({"response_metadata": {"stop_reason": "max_tokens"}}, "the answer was cut off"),
        ({"response_metadata": {"finish_reason": "content_filter"}}, "the answer was withheld"),
        ({"additional_kwargs": {"refusal": "No."}}, "the model refused to answer"),
    ],
    ids=["length", "max_tokens", "filter", "refusal"],
)
def test_stopped_short(asking: Ask, told: dict[str, Any], notice: str) -> None:
    """Why a model stopped is told, where it says so."""
    source = from_langchain(Streaming(chunks=[AIMessageChunk(content="", **told)]))
    assert f"langchain:Streaming: {notice}." in asking(source, repairs=0).notices


@both_ways
def test_no_secrets(asking: Ask, caplog: pytest.LogCaptureFixture) -> None:
    """What a model raises may hold a key, so its message goes nowhere."""
    caplog.set_level(logging.DEBUG)
    found = asking(from_langchain(Streaming(chunks=[], failure=SECRET)))
    assert SECRET not in found.model_dump_json() + caplog.text
    assert "the model failed (RuntimeError)" in found.notices[0]


@both_ways
@pytest.mark.parametrize("blocks", [True, False], ids=["a part that blocks", "a part that awaits"])
def test_something_in_a_model_is_cancelled(asking: Ask, blocks: bool) -> None:
    """Where a part of a model was cancelled, the model has failed, and the call goes on."""

    def call(_: object) -> str:
        raise asyncio.CancelledError

    async def acall(_: object) -> str:
        raise asyncio.CancelledError

    model = RunnableLambda(call) if blocks else RunnableLambda(call, acall)
    found = asking(from_langchain(model))
    assert "the source failed (CancelledError)" in found.notices[0]
    assert len(found.suggestions) == 3


def test_tracing_is_not_switched_on() -> None:
    """The words of players go to no tracing service because some other part of a program is traced."""
    states: list[Any] = []

    class Traced(Streaming):
        """Looks whether it is traced."""

        def _stream(self, messages: list[BaseMessage], *_: Any, **__: Any) -> Iterator[ChatGenerationChunk]:
            for words in (TEXT[:9], TEXT[9:]):
                states.append(get_tracing_context()["enabled"])
                yield ChatGenerationChunk(message=AIMessageChunk(content=words))

    pieces: list[Any] = []
    with tracing_context(enabled=True):
        for piece in from_langchain(Traced(chunks=[])).stream(brief_of(), 5):
            pieces.append(piece)
            assert get_tracing_context()["enabled"]
    assert "".join(pieces) == TEXT
    assert states == [False, False]
