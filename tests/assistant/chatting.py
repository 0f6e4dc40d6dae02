"""A chat at a table: the SDK's own client, in a process of its own as a program starts it, or in this one."""

import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.session import ClientRequestContext
from mcp.types import ElicitRequestParams, ElicitResult, TextContent, TextResourceContents

import narrator
from narrator import Campaign
from narrator.assistant.server import server_of
from narrator.rules.json_text import Json

T = TypeVar("T")
Mode = Literal["auto", "legacy"]

SCENE = json.loads((Path(__file__).parents[2] / "examples" / "south-gate.json").read_text("utf-8"))["scene"]
NEVER: Json = {
    "type": "overcome",
    "actor": "Cynere",
    "skill": "Stealth",
    "intent": "slip past the guards",
    "opposition": {"kind": "passive", "rating": 20},
}
"""A roll that fails, however the dice fall."""


class RefusedError(Exception):
    """A tool that said no, with the error's object."""

    def __init__(self, error: Json) -> None:
        super().__init__(error)
        self.error = error
        self.code: str = error["code"]


class Chat:
    """What a chat does at a table, and what the person there was asked meanwhile."""

    def __init__(self, client: Client, asked: list[str]) -> None:
        self.client, self.asked = client, asked

    async def use(self, tool: str, **arguments: Any) -> Json:
        """Use a tool; what it refuses is raised."""
        told = await self.client.call_tool(tool, arguments)
        [content] = told.content
        assert isinstance(content, TextContent)
        found: Json = json.loads(content.text)
        if told.is_error:
            raise RefusedError(found["error"])
        return found

    async def refused(self, tool: str, **arguments: Any) -> RefusedError:
        """Use a tool that has to say no."""
        try:
            told = await self.use(tool, **arguments)
        except RefusedError as error:
            return error
        raise AssertionError(f"{tool} was to refuse {arguments}, and said {told}")

    async def read(self, uri: str) -> str:
        """Read a resource."""
        [content] = (await self.client.read_resource(uri)).contents
        assert isinstance(content, TextResourceContents)
        return content.text

    async def prompt(self, name: str, **arguments: str) -> str:
        """Read a prompt."""
        [message] = (await self.client.get_prompt(name, arguments)).messages
        assert isinstance(message.content, TextContent)
        return message.content.text


@asynccontextmanager
async def _chatting(server: Any, says: str | None, mode: Mode) -> AsyncIterator[Chat]:
    asked: list[str] = []

    async def person(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action="accept", content={"answer": says or ""})

    async with Client(server, mode=mode, elicitation_callback=None if says is None else person) as client:
        yield Chat(client, asked)


async def _done(server: Any, does: Callable[[Chat], Awaitable[T]], says: str | None, mode: Mode) -> T:
    async with _chatting(server, says, mode) as there:
        try:
            return await does(there)
        except Exception as error:
            failure = error  # the client would wrap it in groups
    raise failure


def chat(campaign: Campaign, does: Callable[[Chat], Awaitable[T]], says: str | None = None, mode: Mode = "auto") -> T:
    """Let a chat do something at the table of a campaign, in this process.

    Args:
        says: What the person at the table says whenever they are asked; None: their program cannot ask them.
    """
    server = server_of(campaign, narrator.__version__)
    return anyio.run(_done, server, does, says, mode)


def chat_over_stdio(
    folder: Path, does: Callable[[Chat], Awaitable[T]], *words: str, says: str | None = None, mode: Mode = "auto"
) -> T:
    """The same over standard input and output, with campaigns in a folder."""
    ours = {"NARRATOR_DATA": str(folder), "NARRATOR_CONFIG": str(folder)}
    command = ["-m", "narrator", "mcp", *words]
    process = StdioServerParameters(command=sys.executable, args=command, env={**os.environ, **ours})
    return anyio.run(_done, process, does, says, mode)
