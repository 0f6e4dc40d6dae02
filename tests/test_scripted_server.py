"""Proof that the scripted server says what it is told to, and really commits its faults on the wire."""

from __future__ import annotations

import http.client
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest
from openai.types.chat import ChatCompletionUserMessageParam

from tests.leaping import DEADLINE
from tests.scripted_server import CHAT, RESPONSES, Reply, ScriptedServer, Step, Wire, faults, stream_error, suggestions

pytestmark = pytest.mark.full

TEXT = suggestions({"slot": "boost", "name": "Nasenbär über Bord", "detail": "…"})
HI: ChatCompletionUserMessageParam = {"role": "user", "content": "hi"}
ASK: dict[str, Any] = {"model": "tiny", "messages": [HI]}
STREAM: dict[str, Any] = {**ASK, "stream": True, "stream_options": {"include_usage": True}}
CREATE: dict[str, Any] = {"model": "tiny", "input": "hi"}
CREATE_STREAM: dict[str, Any] = {**CREATE, "stream": True}


@contextmanager
def sdk(server: ScriptedServer) -> Iterator[openai.OpenAI]:
    """An SDK client that knows nothing of the environment and never tries twice."""
    with httpx2.Client(trust_env=False, timeout=DEADLINE) as transport:
        yield openai.OpenAI(
            api_key="sk-secret", base_url=server.base_url, max_retries=0, http_client=transport, timeout=DEADLINE
        )


def place(body: dict[str, Any]) -> str:
    """The endpoint that takes such a body."""
    return f"/v1/{RESPONSES if 'input' in body else CHAT}"


def connect(server: ScriptedServer, body: dict[str, Any] = STREAM) -> socket.socket:
    """A raw connection on which the request has been sent."""
    sock = socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=DEADLINE)
    data = json.dumps(body).encode()
    fields = f"Host: x\r\nContent-Length: {len(data)}\r\nConnection: close\r\n\r\n"
    sock.sendall(f"POST {place(body)} HTTP/1.1\r\n{fields}".encode() + data)
    return sock


def read(sock: socket.socket, until: bytes | None = None) -> tuple[bytes, type[OSError] | None]:
    """What arrives up to these bytes or the end, and the error that ended it, if one did."""
    got = b""
    try:
        while until is None or until not in got:
            piece = sock.recv(65536)
            if not piece:
                break
            got += piece
    except OSError as problem:
        return got, type(problem)
    return got, None


def ask(server: ScriptedServer, body: dict[str, Any] = STREAM) -> tuple[http.client.HTTPResponse, bytes]:
    """The response and its whole body, by http.client."""
    conn = http.client.HTTPConnection(server.address, timeout=DEADLINE)
    with closing(conn):
        conn.request("POST", place(body), json.dumps(body), {"Authorization": "Bearer sk-secret"})
        response = conn.getresponse()
        return response, response.read()


def said(stream: bytes) -> str:
    """The content in a stream of either endpoint, as far as its data lines are JSON."""
    words = ""
    for line in stream.split(b"\n"):
        with suppress(ValueError):
            event = json.loads(line.removeprefix(b"data: ")) if line.startswith(b"data: ") else {}
            for choice in event.get("choices", ()):
                words += choice["delta"].get("content") or ""
            if event.get("type") == "response.output_text.delta":
                words += event["delta"]
    return words


# Plain answers


def test_the_sdk_gets_a_whole_answer() -> None:
    """The SDK reads text, model, finish reason and usage of either endpoint, and the requests are on record."""
    step = Reply(TEXT, usage=(10, 4, 3))
    with ScriptedServer(step, step) as server, sdk(server) as client:
        chat = client.chat.completions.create(model="tiny", messages=[HI])
        response = client.responses.create(model="tiny", input="hi")

    assert (chat.choices[0].message.content, chat.model, chat.choices[0].finish_reason) == (TEXT, "tiny", "stop")
    assert chat.usage is not None
    assert chat.usage.prompt_tokens_details is not None
    assert (chat.usage.prompt_tokens, chat.usage.completion_tokens, chat.usage.total_tokens) == (10, 4, 14)
    assert chat.usage.prompt_tokens_details.cached_tokens == 3
    assert (response.output_text, response.model, response.status) == (TEXT, "tiny", "completed")
    assert response.usage is not None
    assert (response.usage.input_tokens, response.usage.output_tokens, response.usage.total_tokens) == (10, 4, 14)
    assert response.usage.input_tokens_details.cached_tokens == 3
    assert [(seen.method, seen.path) for seen in server.requests] == [("POST", place(ASK)), ("POST", place(CREATE))]
    seen = server.requests[0]
    assert (seen.body, seen.address) == (ASK, server.address)
    assert (seen.headers["authorization"], seen.headers["host"]) == ("Bearer sk-secret", server.address)


@pytest.mark.parametrize("told", [True, False])
def test_the_sdk_gets_a_stream(told: bool) -> None:
    """The SDK reads role, pieces, finish and, only when it asked for it, a last chunk with the usage."""
    with ScriptedServer(Reply(TEXT, pieces=5)) as server, sdk(server) as client:
        stream = client.chat.completions.create(
            model="tiny", messages=[HI], stream=True, stream_options={"include_usage": told}
        )
        chunks = [*stream]

    deltas = [choice for chunk in chunks for choice in chunk.choices]
    assert deltas[0].delta.role == "assistant"
    assert [d.delta.content for d in deltas[1:-1]] == [TEXT[i : i + 5] for i in range(0, len(TEXT), 5)]
    assert deltas[-1].finish_reason == "stop"
    assert [bool(chunk.usage) for chunk in chunks] == [False] * len(deltas) + [True] * told


def test_the_sdk_gets_a_streamed_response() -> None:
    """The SDK puts the pieces together, and finds the same in the events that repeat them; there is no `[DONE]`."""
    step = Reply(TEXT, pieces=5)
    with ScriptedServer(step, step) as server, sdk(server) as client:
        with client.responses.stream(model="tiny", input="hi") as stream:
            pieces = [event.delta for event in stream if event.type == "response.output_text.delta"]
            whole = stream.get_final_response()
        body = ask(server, CREATE_STREAM)[1]

    assert pieces == [TEXT[i : i + 5] for i in range(0, len(TEXT), 5)]
    assert (whole.output_text, whole.status, whole.usage and whole.usage.input_tokens) == (TEXT, "completed", 210)
    assert (said(body), b"[DONE]" in body) == (TEXT, False)
    assert body.startswith(b"event: response.created\ndata: ")


def test_an_error_in_the_stream() -> None:
    """The SDK meets it after the text, and raises it."""
    with ScriptedServer(Reply(TEXT, after=7, then=stream_error("too hot"))) as server, sdk(server) as client:
        stream = client.chat.completions.create(model="tiny", messages=[HI], stream=True)
        assert [next(stream).choices[0].delta.content for _ in range(2)] == ["", TEXT[:7]]
        with pytest.raises(openai.APIError, match="too hot"):
            next(stream)


# The script


def test_the_script_is_taken_in_order_and_runs_out() -> None:
    """Each request takes one step; beyond the last the server says so, and records it."""
    with ScriptedServer(Reply("one"), Reply("two")) as server:
        assert [said(ask(server)[1]), len(server.script), said(ask(server)[1])] == ["one", 1, "two"]
        response, body = ask(server)
    assert (response.status, response.getheader("x-should-retry")) == (500, "false")
    assert b"script used up: no step for request 3" in body
    assert [each.scripted for each in server.requests] == [True, True, False]


# Hanging, breaking, closing


ENDS: dict[str, tuple[Step, bytes, str, type[OSError] | None]] = {
    # what arrives before it is looked at, the words, and how the connection ends
    "hang at once": (Wire.hang, b"", "", TimeoutError),
    "hang in the middle": (Reply("abcdef", pieces=2, after=4, then=Wire.hang), b'"cd"', "abcd", TimeoutError),
    "hang after the words": (Reply("abcdef", pieces=2, after=6, then=Wire.hang), b'"ef"', "abcdef", TimeoutError),
    "hang before [DONE]": (Reply("abcdef", then=Wire.hang), b'"usage": {', "abcdef", TimeoutError),
    "reset at once": (Wire.reset, b"nothing", "", ConnectionResetError),
    "reset in the middle": (Reply(TEXT, after=12, then=Wire.reset), b"nothing", TEXT[:12], ConnectionResetError),
    "close in the middle": (Reply(TEXT, after=12, then=Wire.close), b"nothing", TEXT[:12], None),
    "end in the middle": (Reply(TEXT, after=12, then=Wire.end), b"nothing", TEXT[:12], None),
}


@pytest.mark.parametrize(("step", "last", "words", "ended"), ENDS.values(), ids=ENDS)
def test_a_stream_ends_where_and_as_it_was_scripted(
    step: Step, last: bytes, words: str, ended: type[OSError] | None
) -> None:
    """So many characters arrive, `[DONE]` never, the finish chunk and the end of the body only where wanted."""
    with ScriptedServer(step) as server, closing(connect(server)) as sock:
        got, end = read(sock, last)
        if ended is TimeoutError:
            sock.settimeout(0.05)
            rest, end = read(sock)
            got += rest

    assert (said(got), end) == (words, ended)
    assert (b'"stop"' in got, b"[DONE]" in got) == (last == b'"usage": {', False)
    assert got.endswith(b"\r\n0\r\n\r\n") == (getattr(step, "then", None) is Wire.end)


# Refusals and odd answers


# Starting and stopping


def descriptors() -> int:
    """How many files and sockets this process has open, where the system tells."""
    return len(os.listdir("/dev/fd")) if Path("/dev/fd").exists() else 0


@pytest.mark.parametrize("body", [ASK, STREAM], ids=["whole", "stream"])
@pytest.mark.parametrize("fault", faults(TEXT))
def test_no_fault_leaves_a_thread_or_socket_behind(fault: str, body: dict[str, Any]) -> None:
    """Whatever a handler is doing, the stop ends it within the deadline while the client still holds on."""
    before = threading.active_count(), descriptors()
    with ScriptedServer(faults(TEXT)[fault]) as server:
        sock = connect(server, body)
        if fault != "hang before headers":
            with suppress(ConnectionResetError):
                sock.recv(1)
        stop = time.monotonic()
    took = time.monotonic() - stop
    sock.close()

    assert not any(request.hung_up for request in server.requests)
    assert threading.active_count() <= before[0]
    assert descriptors() <= before[1]
    assert took < DEADLINE


def test_a_step_that_raises_fails_the_test() -> None:
    """An error in a step closes the connection and comes out of the `with` block."""

    def step(wire: Wire) -> None:
        assert wire.received.body["model"] == "large"

    def asking() -> None:
        with ScriptedServer(step) as server, suppress(http.client.RemoteDisconnected):
            ask(server)

    with pytest.raises(AssertionError):
        asking()
