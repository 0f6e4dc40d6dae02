"""LangChain's own fake models, as the tests of its sources and of its chains want them."""

from collections.abc import Iterator
from typing import Any

from langchain_core.language_models import BaseChatModel, FakeListChatModel, GenericFakeChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

SECRET = "sk-in-the-message"


class Streaming(GenericFakeChatModel):
    """A fake that streams just these chunks, and then may fail."""

    messages: Iterator[AIMessage | str] = iter(())
    chunks: list[AIMessageChunk]
    failure: str | None = None

    def _stream(self, messages: list[BaseMessage], *_: Any, **__: Any) -> Iterator[ChatGenerationChunk]:
        for chunk in self.chunks:
            yield ChatGenerationChunk(message=chunk)
        if self.failure is not None:
            raise RuntimeError(self.failure)


class Whole(BaseChatModel):
    """A fake that replies whole, after it has failed so many times."""

    answer: str
    failures: int = 0
    asked: int = 0

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        self.asked += 1
        if self.asked <= self.failures:
            raise ConnectionError("not now")
        message = AIMessage(self.answer, usage_metadata=tokens(100, 17, cached=40))
        return ChatResult(generations=[ChatGeneration(message=message)])

    @property
    def _llm_type(self) -> str:
        return "whole"


def list_model(*answers: str, **more: Any) -> FakeListChatModel:
    return FakeListChatModel(responses=list(answers), **more)


def tokens(input_tokens: int, output_tokens: int, cached: int = 0) -> Any:
    total = input_tokens + output_tokens
    details = {"cache_read": cached}
    return {
        "input_tokens": input_tokens,
        "output_tokens": output_tokens,
        "total_tokens": total,
        "input_token_details": details,
    }
