"""A real OpenAI-compatible server on 127.0.0.1 that answers, request by request, as a test scripts it.

A script is a row of steps, one for each `POST /v1/chat/completions` or `POST /v1/responses` in order of arrival. A
step is anything that can be called with a `Wire`: a `Reply`, what `error` returns, `Wire.hang` itself, a test's own
function. A `Reply` has the shape of the endpoint that was asked; what goes wrong does so in that of chat completions.

    with ScriptedServer(Reply("Hello"), Reply("Hello", after=2, then=Wire.reset)) as server:
        ...  # talk to server.base_url, then look at server.requests
"""

from __future__ import annotations

import http.client
import json
import socket
import socketserver
import struct
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any, BinaryIO, NoReturn, Self, TypeAlias

from narrator.rules.json_text import Json
from tests import response_shapes

Step: TypeAlias = "Callable[[Wire], None]"
SSE, JSON = "text/event-stream", "application/json"
CHAT, RESPONSES = "chat/completions", "responses"  # the endpoints


@dataclass(eq=False)
class Received:
    """One request as it came in, and how its answer went."""

    method: str
    path: str
    headers: dict[str, str]  # names in lower case
    body: Any  # the parsed JSON, None when there was none
    address: str  # host:port of the server that got it
    scripted: bool = True  # False: no step was left, or this is no place to ask
    sent: int = 0  # bytes given to the socket, heads included
    hung_up: bool = False  # the client left before the answer was complete
    done: threading.Event = field(default_factory=threading.Event)  # set when the step is over

    @property
    def wants_response(self) -> bool:
        """Whether it is the endpoint for responses that was asked."""
        return self.path == f"/v1/{RESPONSES}"

    @property
    def model(self) -> str | None:
        """The model that was asked for."""
        return self.body.get("model") if isinstance(self.body, dict) else None

    def asks(self, path: str) -> bool:
        """Whether the body holds something true there, as in `stream_options.include_usage`."""
        value = self.body
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        return bool(value)


class _Over(Exception):  # noqa: N818 - it ends a step and is no error
    """Nothing more can or shall be said on this connection."""


class Wire:
    """The server's end of one request, and what a step may do there."""

    def __init__(self, sock: socket.socket, received: Received, stopping: threading.Event) -> None:
        self.received = received
        self.reusable = False  # the answer is complete and another request may follow
        self._sock, self._stopping, self._headed = sock, stopping, False
        self._owed: int | None = None  # bytes missing from a whole body; None means chunked

    def head(self, status: int = 200, kind: str = SSE, length: int | None = None, **more: str) -> None:
        """Send the status line and the headers; without a *length* the body is chunked."""
        framing = {"Transfer-Encoding": "chunked"} if length is None else {"Content-Length": str(length)}
        fields = {"Content-Type": kind} | framing | more
        phrase = http.client.responses.get(status, "Scripted")
        lines = [f"HTTP/1.1 {status} {phrase}", *(f"{name}: {value}" for name, value in fields.items())]
        self._headed, self._owed = True, length
        self._send("\r\n".join([*lines, "", ""]).encode())

    def raw(self, data: bytes) -> None:
        """Send bytes of the body, after a head for a stream if there was none."""
        if not self._headed:
            self.head()
        if self._owed is not None:
            self._send(data)
            self._owed -= len(data)
        elif data:
            self._send(b"%x\r\n%b\r\n" % (len(data), data))

    def event(self, data: Json) -> None:
        """Send one SSE event, by its name where it has one."""
        if "type" in data:
            self.raw(b"event: %b\n" % data["type"].encode())
        self.raw(b"data: " + json.dumps(data, ensure_ascii=False).encode() + b"\n\n")

    def done(self) -> None:
        """End a stream with `[DONE]`, where the endpoint has that, and a whole body as it is."""
        if self._owed is None and not self.received.wants_response:
            self.raw(b"data: [DONE]\n\n")
        self.end()

    def end(self) -> None:
        """End the body in order; the server does so when a step returns."""
        if self._headed and self._owed is None and not self.reusable:
            self._send(b"0\r\n\r\n")
        self.reusable = self._headed and not self._owed

    def wait(self, seconds: float) -> None:
        """Pause, but not beyond the server's stop."""
        if self._stopping.wait(seconds):
            self._leave()

    def hang(self) -> NoReturn:
        """Say nothing more until the client hangs up or the server stops."""
        with suppress(OSError):
            while self._sock.recv(65536):
                pass
        self._leave(hung_up=True)

    def reset(self) -> NoReturn:
        """Break the connection with a TCP reset."""
        self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        socket.close(self._sock.detach())  # at once: an orderly shutdown would send a FIN first
        self._leave()

    def close(self) -> NoReturn:
        """Close the connection in order (FIN), whatever is still owed."""
        self._leave()

    def chunk(self, *deltas: Json, finish_reason: str | None = None) -> Json:
        """One chunk of a streamed completion, a choice for each delta."""
        choices = [{"index": 0, "delta": delta, "finish_reason": finish_reason} for delta in deltas]
        return self._envelope("chat.completion.chunk", choices)

    def completion(self, *messages: Json, finish_reason: str = "stop") -> Json:
        """A whole completion, a choice for each message."""
        choices = [{"index": 0, "message": message, "finish_reason": finish_reason} for message in messages]
        return self._envelope("chat.completion", choices)

    def _envelope(self, kind: str, choices: list[Json]) -> Json:
        stable = {"id": "chatcmpl-1", "object": kind, "created": 1_700_000_000}  # for recordings
        return stable | {"model": self.received.model, "choices": choices}

    def piece(self, words: str, kind: str = "content") -> Json:
        """One event with a few more words, of the content or of a refusal."""
        return response_shapes.piece(words) if self.received.wants_response else self.chunk({kind: words})

    def whole(
        self, words: str, kind: str = "content", finish_reason: str = "stop", usage: tuple[int, int, int] | None = None
    ) -> Json:
        """A whole answer."""
        if self.received.wants_response:
            return response_shapes.response(
                self.received.model, "completed", response_shapes.message(words), usage=usage
            )
        message: Json = {"role": "assistant", "content": None, "refusal": None} | {kind: words}
        return self.completion(message, finish_reason=finish_reason) | ({"usage": _usage(*usage)} if usage else {})

    def _send(self, data: bytes) -> None:
        try:
            self._sock.sendall(data)
        except OSError:
            self._leave(hung_up=True)
        self.received.sent += len(data)

    def _leave(self, *, hung_up: bool = False) -> NoReturn:
        self.reusable = False
        self.received.hung_up = hung_up and not self._stopping.is_set()
        raise _Over


@dataclass(frozen=True)
class Reply:
    """A step that says a text, streamed or whole as the request asks.

    With *after*, so many characters of the text are streamed (of a whole answer: bytes of the body), then
    *then* takes over. Without, it comes after finish and usage chunks: `then=Wire.end` leaves out `[DONE]`.
    """

    text: str = ""
    pieces: int = 7  # characters a chunk
    pause: float = 0.0  # seconds before each chunk of text but the first
    finish_reason: str = "stop"
    usage: tuple[int, int, int] | None = (210, 42, 0)  # prompt, completion, cached; None: never told
    refusal: str | None = None  # said in place of the text
    after: int | None = None
    then: Step = Wire.done
    stream: bool | None = None  # None: as the request asks
    content_type: str | None = None  # None: the right one

    def __call__(self, wire: Wire) -> None:
        """Answer the request."""
        streamed = wire.received.asks("stream") if self.stream is None else self.stream
        (self._stream if streamed else self._whole)(wire)
        self.then(wire)

    def _stream(self, wire: Wire) -> None:
        kind, words = self._said
        words = words[: self.after]
        told = self.usage if wire.received.asks("stream_options.include_usage") else None
        every: Json = {"usage": None} if told else {}  # as OpenAI has it in every chunk but the last
        if wire.received.wants_response:
            first, last = response_shapes.opening(wire.received.model), response_shapes.closing(self._all(wire))
        else:
            first = [wire.chunk({"role": "assistant", kind: ""})]
            last = [wire.chunk({}, finish_reason=self.finish_reason)]
            last += [wire.chunk() | {"usage": _usage(*told)}] if told else []
        wire.head(kind=self.content_type or SSE)
        for event in first:
            wire.event(every | event)
        for start in range(0, len(words), self.pieces):
            if start and self.pause:
                wire.wait(self.pause)
            wire.event(every | wire.piece(words[start : start + self.pieces], kind))
        for event in last if self.after is None else ():
            wire.event(every | event)

    def _whole(self, wire: Wire) -> None:
        body = json.dumps(self._all(wire), ensure_ascii=False).encode()
        wire.head(kind=self.content_type or JSON, length=len(body))
        wire.raw(body[: self.after])

    def _all(self, wire: Wire) -> Json:
        kind, words = self._said
        return wire.whole(words, kind, self.finish_reason, self.usage)

    @property
    def _said(self) -> tuple[str, str]:
        return ("content", self.text) if self.refusal is None else ("refusal", self.refusal)


def _usage(prompt: int, completion: int, cached: int) -> Json:
    counts = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    return counts | {"prompt_tokens_details": {"cached_tokens": cached}}


class ScriptedServer(socketserver.ThreadingTCPServer):
    """The server: it answers inside `with`, and leaving that ends every hang, thread and socket.

    A step that raises fails its test: the error comes out of the `with` block. With *only*, `CHAT` or `RESPONSES`,
    it has one endpoint: what goes to the other gets a 404, and takes no step. With *anywhere*, whatever is asked of it,
    at whichever place, takes a step.
    """

    request_queue_size = 128

    def __init__(self, *script: Step, only: str | None = None, anywhere: bool = False) -> None:
        super().__init__(("127.0.0.1", 0), socketserver.BaseRequestHandler)
        self.address = f"127.0.0.1:{self.server_address[1]}"
        self.base_url = f"http://{self.address}/v1"
        self._places = {("POST", f"/v1/{each}") for each in (CHAT, RESPONSES) if only in (None, each)}
        self._anywhere = anywhere
        self.script = list(script)  # what no request has taken yet
        self.requests: list[Received] = []
        self.connections = 0  # accepted so far
        self._errors: list[BaseException] = []
        self._open: set[socket.socket] = set()
        self._stopping, self._lock = threading.Event(), threading.Lock()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.01,), name="scripted server")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *raised: Any) -> None:
        self._stopping.set()
        self.shutdown()  # from here on no connection is added
        for sock in tuple(self._open):
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)  # wakes the thread that reads or writes there
        self.server_close()  # joins the threads of the connections
        self._thread.join()
        if self._errors and raised[0] is None:
            raise self._errors[0]

    def get_request(self) -> tuple[socket.socket, Any]:
        sock, peer = super().get_request()
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._open.add(sock)
        self.connections += 1
        return sock, peer

    def close_request(self, request: Any) -> None:
        self._open.discard(request)
        request.close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        if (error := sys.exception()) is not None:
            self._errors.append(error)

    def finish_request(self, request: Any, client_address: Any) -> None:
        """Answer one connection, request after request."""
        with request.makefile("rb") as lines:
            while received := self._receive(lines):
                wire = Wire(request, received, self._stopping)
                try:
                    self._next_step(received)(wire)
                    wire.end()
                except _Over:
                    pass
                finally:
                    received.done.set()
                if not wire.reusable or received.headers.get("connection", "").lower() == "close":
                    return

    def _receive(self, lines: BinaryIO) -> Received | None:
        try:
            method, path, _ = lines.readline().decode("latin-1").split()
            headers = {name.lower(): value for name, value in http.client.parse_headers(lines).items()}
            raw = lines.read(int(headers.get("content-length", "0")))
        except (OSError, ValueError):  # the client left, or does not speak HTTP
            return None
        try:
            return Received(method, path, headers, json.loads(raw), self.address)
        except ValueError:
            return Received(method, path, headers, None, self.address)

    def _next_step(self, received: Received) -> Step:
        with self._lock:
            self.requests.append(received)
            received.scripted = self._anywhere or (received.method, received.path) in self._places
            if not received.scripted:
                return error(404, f"no {received.method} {received.path} here")
            if self.script:
                return self.script.pop(0)
            received.scripted = False
            spent = f"script used up: no step for request {len(self.requests)}"
            return error(500, spent, **{"x-should-retry": "false"})  # the openai SDK obeys that


def answer(body: str = "", status: int = 200, kind: str = JSON, **headers: str) -> Step:
    """Answer with this very body, streamed or not: HTML, other JSON; `Location=url` makes a redirect."""

    def step(wire: Wire) -> None:
        wire.head(status, kind, len(body.encode()), **headers)
        wire.raw(body.encode())

    return step


def error(status: int, message: str = "scripted", code: str | None = None, **headers: str) -> Step:
    """Refuse with a status and the JSON that OpenAI sends with it."""
    return answer(json.dumps({"error": {"message": message, "code": code}}), status, **headers)


def unauthorized(wire: Wire) -> None:
    """Refuse with a 401 whose message repeats the key that was sent."""
    key = wire.received.headers.get("authorization", "").removeprefix("Bearer ")
    error(401, f"Incorrect API key provided: {key}.", "invalid_api_key")(wire)


def rate_limited(retry_after: float | None = None) -> Step:
    """Refuse with a 429, and with `Retry-After` in seconds if given (fractions are sent as such)."""
    headers = {} if retry_after is None else {"Retry-After": f"{retry_after:g}"}
    return error(429, "Rate limit reached.", "rate_limit_exceeded", **headers)


def refuses(path: str, otherwise: Step) -> Step:
    """Refuse with a 400 while the body holds something at *path* (dots go deeper), or take the other step."""
    refusal = error(400, f"Unsupported parameter: '{path}'.", "unsupported_parameter")
    return lambda wire: (refusal if wire.received.asks(path) else otherwise)(wire)


def stream_error(message: str = "The server is overloaded.", code: str | None = None) -> Step:
    """Send an error object as an SSE event and end: alone, or as the `then` of a `Reply`."""

    def step(wire: Wire) -> None:
        wire.event({"error": {"message": message, "code": code}})

    return step


def empty_choices(wire: Wire) -> None:
    """Answer in order, but with no choice."""
    if not wire.received.asks("stream"):
        answer(json.dumps(wire.completion()))(wire)
        return
    wire.event(wire.chunk())
    wire.done()


def flood(megabytes: int = 50, *, one_line: bool = False) -> Step:
    """Stream a suggestion whose name is endless, in many events or in a single line."""

    def step(wire: Wire) -> None:
        text, junk = suggestions({"name": "@"}), b"x" * 65536
        if one_line:
            first, last = (b"data: %b\n\n" % json.dumps(wire.piece(text)).encode()).split(b"@")
        else:
            chunks = (json.dumps(wire.piece(part)) for part in (*text.split("@"), junk.decode()))
            first, last, junk = (b"data: %b\n\n" % chunk.encode() for chunk in chunks)
        for each in chain([first], repeat(junk, megabytes * 16), [last]):
            wire.raw(each)
        wire.done()

    return step


PROSE = "Certainly! Here are three ideas: the rope frays, a dog barks, and {perhaps} the moon comes out."


def suggestions(*items: Any) -> str:
    """The JSON that narrator asks a model for."""
    return json.dumps({"suggestions": items}, ensure_ascii=False)


def fenced(text: str) -> str:
    """The text as a chatty model wraps it."""
    return f"Here you are:\n\n```json\n{text}\n```\n"


def thinking(text: str) -> str:
    """The text after a reasoning model's thoughts, which look like JSON themselves."""
    return f'<think>\nThey want {{"suggestions": [...]}}. A draft: {{"name": "Draft"}}.\n</think>\n\n{text}'


def faults(text: str) -> dict[str, Step]:
    """Every fault by name, around an answer of `suggestions`; only redirects need a second server."""
    half = len(text) // 2
    return {
        "hang before headers": Wire.hang,
        "hang mid-stream": Reply(text, after=half, then=Wire.hang),
        "hang after the last content": Reply(text, after=len(text), then=Wire.hang),
        "hang before [DONE]": Reply(text, then=Wire.hang),
        "reset before headers": Wire.reset,
        "reset mid-stream": Reply(text, after=half, then=Wire.reset),
        "close before headers": Wire.close,
        "close mid-stream": Reply(text, after=half, then=Wire.close),
        "ordered end mid-stream": Reply(text, after=half, then=Wire.end),
        "no [DONE]": Reply(text, then=Wire.end),
        "cut by length": Reply(text[:half], finish_reason="length"),
        "content filter": Reply(finish_reason="content_filter"),
        "refusal": Reply(refusal="I can't help with that."),
        "no words": Reply(),
        "prose": Reply(PROSE),
        "fence": Reply(fenced(text)),
        "thinking": Reply(thinking(text)),
        "bare array": Reply(json.dumps(json.loads(text)["suggestions"])),
        "wrong types": Reply(suggestions({"slot": 3, "name": ["x"], "detail": None}, [], None, 7, "x")),
        "not a list": Reply('{"suggestions": "none"}'),
        "null": Reply("null"),
        "deep nesting": Reply("[" * 100_000, pieces=5_000),
        "deep nesting inside": Reply('{"suggestions": ' + "[" * 100_000 + "]" * 100_000 + "}", pieces=5_000),
        "empty choices": empty_choices,
        "line separators in the words": Reply(text.replace('"}', '\u2028\x85"}')),
        "error in the stream": Reply(text, after=half, then=stream_error()),
        "flood": flood(),
        "flood in one line": flood(one_line=True),
        "400 for response_format": refuses("response_format", refuses("text.format", Reply(text))),
        "401": unauthorized,
        "307": error(307, Location="http://127.0.0.1:9/v1"),
        "404": error(404, "The model does not exist.", "model_not_found"),
        "429, short": rate_limited(0.05),
        "429, long": rate_limited(3600),
        "429": rate_limited(),
        "500, HTML": answer("<html><body><h1>Internal Server Error</h1></body></html>", 500, "text/html"),
        "503": error(503, "The engine is overloaded."),
        "wrong Content-Type": Reply(text, content_type="text/plain"),
        "whole though a stream was asked": Reply(text, stream=False),
        "stream though a whole was asked": Reply(text, stream=True),
        "200 and nothing": answer(),
    }
