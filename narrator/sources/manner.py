"""How a server wants to be asked: at which endpoint, with or without a schema."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from narrator.sources.completion import Completion
from narrator.sources.reading import Reader
from narrator.sources.responses import Response
from narrator.suggestions.brief import Brief

if TYPE_CHECKING:
    import openai

    Call = AbstractAsyncContextManager[openai.AsyncAPIResponse[Any]]

Endpoint: TypeAlias = Literal["chat", "responses"]


@dataclass(frozen=True)
class Manner:
    """
    How a server wants to be asked, as far as it was found out.
    """

    takes_schema: bool = True
    endpoint: Endpoint = "chat"

    def reader(self) -> Reader:
        """
        Make what reads an answer.
        """
        return Response() if self.endpoint == "responses" else Completion()

    def call(self, client: "openai.AsyncOpenAI", model: str, brief: Brief) -> "Call":
        """
        Make the call that asks. What is handed to the SDK as extra is sent as it is, in the place of what it requires;
        it would walk through all of a schema otherwise.
        """
        messages = [{"role": role, "content": content} for role, content in brief.messages]
        schema = {"type": "json_schema", "name": "suggestions", "strict": True, "schema": brief.schema}
        body: dict[str, Any]
        if self.endpoint == "responses":
            body = {"input": messages, "store": False}
            if self.takes_schema:
                body["text"] = {"format": schema}
            responses = client.responses.with_streaming_response
            return responses.create(model=model, input="", stream=True, timeout=None, extra_body=body)
        body = {"messages": messages}
        if self.takes_schema:
            body["response_format"] = {"type": schema.pop("type"), "json_schema": schema}
            body["stream_options"] = {"include_usage": True}
        chat = client.chat.completions.with_streaming_response
        return chat.create(model=model, messages=(), stream=True, timeout=None, extra_body=body)
