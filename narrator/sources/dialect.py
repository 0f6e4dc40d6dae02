"""How a server wants to be asked: at which endpoint, and by how much of a schema."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from narrator.sources.completion import Completion
from narrator.sources.reading import Reader
from narrator.sources.responses import Response
from narrator.suggestions.brief import Prompt

if TYPE_CHECKING:
    import openai

    Call = AbstractAsyncContextManager[openai.AsyncAPIResponse[Any]]

Endpoint: TypeAlias = Literal["chat", "responses"]
Holds: TypeAlias = Literal["lengths", "shape", "nothing"]
"""What a server is held to: a schema with lengths, one without, or none."""

STEADY = 0.5
"""The temperature for a small model, which at the usual one rambles until it is cut off."""


@dataclass(frozen=True)
class Dialect:
    """How a server wants to be asked, as far as it was found out."""

    holds: Holds = "lengths"
    endpoint: Endpoint = "chat"

    def with_less(self) -> "Dialect | None":
        """Return what to try where this was refused: without the lengths, then without a schema; None after that."""
        if self.holds == "nothing":
            return None
        return replace(self, holds="shape" if self.holds == "lengths" else "nothing")

    def reader(self) -> Reader:
        """Make what reads an answer."""
        return Response() if self.endpoint == "responses" else Completion()

    def call(self, client: "openai.AsyncOpenAI", model: str, brief: Prompt) -> "Call":
        """Make the call that asks. What is handed to the SDK as extra is sent as it is, in the place of what it
        requires; it would walk through all of a schema otherwise.
        """
        messages = [{"role": role, "content": content} for role, content in brief.messages]
        shape = brief.schema_with_lengths if self.holds == "lengths" else brief.schema
        schema = {"type": "json_schema", "name": "suggestions", "strict": True, "schema": shape}
        body: dict[str, Any] = {}
        if self.holds == "lengths" and brief.manner == "one_by_one":
            body["temperature"] = STEADY
        if self.endpoint == "responses":
            body |= {"input": messages, "store": False}
            if self.holds != "nothing":
                body["text"] = {"format": schema}
            responses = client.responses.with_streaming_response
            return responses.create(model=model, input="", stream=True, timeout=None, extra_body=body)
        body["messages"] = messages
        if self.holds != "nothing":
            body["response_format"] = {"type": schema.pop("type"), "json_schema": schema}
            body["stream_options"] = {"include_usage": True}
        chat = client.chat.completions.with_streaming_response
        return chat.create(model=model, messages=(), stream=True, timeout=None, extra_body=body)
