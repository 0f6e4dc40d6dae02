"""Questions that only a person may answer. The program of the chat asks the person, never the chat itself."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from hashlib import sha256

import anyio
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolRequestParams, ElicitRequest, ElicitRequestFormParams, ElicitResult

from narrator.errors import RequestError, visible

AskPerson = Callable[[str, str], Awaitable[None]]
"""Asks a person to allow something by a word. Raises `not_allowed` if they don't."""

_ELSEWHERE = {
    "again": 'the roll as a line, such as: narrator say "cynere stealth vs 2"',
    "bonus": "narrator suggest, with --bonus",
    "none": "narrator settle none --page, with the roll's page",
    "undo": "narrator undo",
}
"""What a person types to do it."""
_LONGEST = 600
"""Limit for the characters of a question, because a person must see all of it."""
_PATIENCE = 300.0
"""Seconds to wait for an answer."""


class AskFirstError(Exception):
    """The client must ask the person first, and then repeat the call with the answer."""

    def __init__(self, key: str, request: ElicitRequest) -> None:
        super().__init__(key)
        self.requests = {key: request}


def asker(context: ServerRequestContext, params: CallToolRequestParams) -> AskPerson:
    """Make the function that asks the person during one call of a tool."""

    async def ask(question: str, word: str) -> None:
        told, question = context.session.client_capabilities, visible(question)
        if told is None or told.elicitation is None:
            where = _ELSEWHERE.get(word, f"narrator move {word.replace('_', '-')} (--help shows its options)")
            message = f"only the person at the table may allow this, and this program can't ask them; they type {where}"
            raise RequestError("not_allowed", word, message)
        if len(question) > _LONGEST:
            raise RequestError(
                "bad_request", word, "this changes too much for one question: split it into smaller steps"
            )
        answer = {"type": "string", "enum": [word, "no"], "title": question}
        schema = {"type": "object", "properties": {"answer": answer}, "required": ["answer"]}
        said = ElicitResult(action="cancel")
        if context.session.can_send_request:
            with anyio.move_on_after(_PATIENCE), suppress(MCPError, ValueError):
                said = await context.session.elicit_form(question, schema, context.request_id)
        else:
            key = sha256(question.encode()).hexdigest()[:16]
            found = (params.input_responses or {}).get(key)
            if not isinstance(found, ElicitResult):
                form = ElicitRequestFormParams(message=question, requested_schema=schema)
                raise AskFirstError(key, ElicitRequest(params=form))
            said = found
        if said.action != "accept" or (said.content or {}).get("answer") != word:
            raise RequestError("not_allowed", word, f"the person at the table was asked, and did not answer {word!r}")

    return ask
