"""The calls over HTTP: the payloads of `vtt`, each at its own address, answered as JSON or as events."""

from collections.abc import Awaitable, Callable

from fastapi import APIRouter, Request
from fastapi.responses import Response

from narrator.api.registry import CALLS, model_of, payload_object
from narrator.errors import RequestError
from narrator.rules.json_text import Json
from narrator.rules.model import Model
from narrator.server.answers import Making, made, refused
from narrator.server.guard import body_of

routes = APIRouter()

_SHORT = 8_000
"""Shorter payloads in bytes are answered faster by the rules than a thread could start."""


def _answering(call: str) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        body = await body_of(request)
        payload = payload_in(body, call)
        try:
            read = model_of(call).read(payload)

            async def quickly() -> Model:
                return read.make()

            is_quick = len(body) < _SHORT and read.is_quick
            ends = request.app.state.ends if call == "stage" else None
            return await made(
                request, payload, Making(quickly if is_quick else read.amake, getattr(read, "astream", None), ends)
            )
        except Exception as error:
            return refused(error, payload)

    return answer


for _name in CALLS:
    routes.post(f"/v1/{_name}")(_answering(_name))


def payload_in(body: bytes, call: str) -> Json:
    """Read the payload of a call. It need not name the call, but must not name another one."""
    told = dict(payload_object(body or b"{}"))
    if str(told.get("call") or call).replace("-", "_") != call:
        raise RequestError("bad_request", "call", "this address is for another call", [call])
    return {**told, "call": call}
