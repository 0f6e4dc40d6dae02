"""LangChain's own fake models, as the tests of its sources and of its chains want them."""

from collections.abc import Iterator
from typing import Any

from langchain_core.language_models import FakeListChatModel, GenericFakeChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk

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
