"""LangChain's own fake models, and what is built around them, as sources."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk
from langsmith import get_tracing_context, tracing_context

from narrator.sources.langchain import from_langchain
from narrator.suggestions.source import Brief
from tests.scripted_server import PROSE, fenced, thinking
from tests.sources.asking import TEXT, Ask, both_ways, by
from tests.sources.langchain_models import SECRET, Streaming, list_model, tokens


@both_ways
@pytest.mark.parametrize("words", [TEXT, fenced(TEXT), thinking(TEXT)], ids=["plain", "fenced", "thinking"])
def test_fake_list(asking: Ask, words: str) -> None:
    """A model that streams letter by letter is a source, named by its class."""
    source = from_langchain(list_model(words))
    found = asking(source)
    assert {each.source for each in found.suggestions} == {"langchain:FakeListChatModel"}
    assert (found.notices, found.usage.calls) == ((), 1)


@both_ways
def test_generic_fake(asking: Ask) -> None:
    """A model that streams word by word is one, too; the pieces need not be JSON."""
    source = from_langchain(GenericFakeChatModel(messages=iter([AIMessage(TEXT)])))
    assert by(asking(source), source) == 3


@both_ways
def test_repair(asking: Ask) -> None:
    """Prose is followed by one more question."""
    source = from_langchain(list_model(PROSE, TEXT))
    found = asking(source)
    assert (by(found, source), found.usage.calls) == (3, 2)


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
    source = from_langchain(Streaming(chunks=chunks, failure="no more"))
    usage = asking(source, repairs=0).usage
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
def test_a_model_without_an_end(asking: Ask) -> None:
    """A model that hangs does not outlast the time."""
    source = from_langchain(list_model(TEXT, sleep=0.01))
    found = asking(source, timeout=0.5)
    assert len(found.suggestions) == 3
    assert "no whole answer" in found.notices[0]


def test_tracing_is_not_switched_on() -> None:
    """The words of players go to no tracing service because some other part of a program is traced."""
    states: list[Any] = []

    class Traced(Streaming):
        """Looks whether it is traced."""

        def _stream(self, messages: list[BaseMessage], *_: Any, **__: Any) -> Iterator[ChatGenerationChunk]:
            for words in (TEXT[:9], TEXT[9:]):
                states.append(get_tracing_context()["enabled"])
                yield ChatGenerationChunk(message=AIMessageChunk(content=words))

    brief = Brief((("system", "Write."), ("user", "{}")), {})
    pieces: list[Any] = []
    with tracing_context(enabled=True):
        for piece in from_langchain(Traced(chunks=[])).stream(brief, 5):
            pieces.append(piece)
            assert get_tracing_context()["enabled"]
    assert "".join(pieces) == TEXT
    assert states == [False, False]
