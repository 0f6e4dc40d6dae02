"""The command `vtt`: answer a macro, which `cli.main` does before it comes here; or stay, and answer line by line."""

import json
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial
from typing import Annotated, Any, BinaryIO

import anyio
import typer

from narrator import vtt
from narrator.api.registry import payload_object, read_payload
from narrator.cli.main import answer_macro
from narrator.cli.options import File, switch
from narrator.cli.usage import UsageError
from narrator.errors import RequestError
from narrator.rules.json_text import Json
from narrator.rules.model import MOST_BYTES
from narrator.suggestions.time.threads import aside

_MOST_AT_ONCE = 64
"""Calls that go on; a line more is read once one of them is done."""


def command(
    file: File = "-",
    jsonl: Annotated[
        bool, switch("--jsonl", "Keep running: one payload a line in, one answer or event a line out.")
    ] = False,
) -> None:
    """Answer a macro."""
    if not jsonl:
        raise typer.Exit(answer_macro(file))
    if file != "-":
        raise UsageError("--jsonl reads standard input: leave out the file", "FILE")
    # Not sys.stdin itself: at its end Python waits for that, and a line may still be waited for there.
    coming = open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115
    anyio.run(_serve, coming, sys.stdout.buffer)


async def _serve(coming: BinaryIO, going: BinaryIO) -> None:
    """Answer payloads until no more come, and those that are under way then.

    A payload with `"stream": true` gets its events, of which the last is `done`; any other gets its answer. Each line
    that goes out begins with the payload's `id`, and they go in the order in which they are done.
    """
    places, turn = anyio.Semaphore(_MOST_AT_ONCE), anyio.Lock()

    async def answer(line: bytes) -> None:
        try:
            async with aclosing(_answers(line)) as answers:
                async for each in answers:
                    async with turn:
                        await aside(partial(_write, going, json.dumps(each).encode() + b"\n"))
        except OSError:
            calls.cancel_scope.cancel()  # nobody reads any more
        finally:
            places.release()

    async with anyio.create_task_group() as calls:
        while line := await aside(partial(_line, coming)):
            if line.strip():
                await places.acquire()
                calls.start_soon(answer, line)


async def _answers(line: bytes) -> AsyncGenerator[Json, None]:
    told: Any = line
    try:
        told = dict(payload_object(line if len(line) > MOST_BYTES else line.decode("utf-8-sig")))
        wants_events = told.pop("stream", False)
        if not isinstance(wants_events, bool):
            raise RequestError("bad_request", "stream", "this must be true or false")
        call = read_payload(told)
        if not wants_events:
            yield vtt.marked(told, (await call.amake()).as_json())
            return
        if not hasattr(call, "astream"):
            raise RequestError("bad_request", "stream", f"{call.call} has an answer and no events")
        async with aclosing(call.astream()) as events:
            async for event in events:
                yield vtt.marked(told, event.as_json())
    except UnicodeDecodeError:
        yield RequestError("bad_request", "", "this is not UTF-8").as_json()
    except Exception as error:
        yield vtt.marked(told, vtt.refusal(error).as_json())


def _write(going: BinaryIO, text: bytes) -> None:
    going.write(text)
    going.flush()


def _line(coming: BinaryIO) -> bytes:
    """Read a line; of one that is too long for any payload, enough for it to be refused."""
    line = piece = coming.readline(MOST_BYTES + 2)
    while piece and not piece.endswith(b"\n"):
        piece = coming.readline(MOST_BYTES)
    return line
