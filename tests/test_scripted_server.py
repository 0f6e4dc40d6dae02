"""Proof that the scripted server says what it is told to, and really commits its faults on the wire."""

from __future__ import annotations

import http.client
import json
import os
import re
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
from tests.scripted_server import (
    BAD_JSON,
    BAD_UTF8,
    CHAT,
    COMMENT,
    NO_DATA,
    PROSE,
    RESPONSES,
    Received,
    Reply,
    ScriptedServer,
    Step,
    Wire,
    answer,
    drip,
    empty_choices,
    error,
    faults,
    fenced,
    flood,
    rate_limited,
    refuses,
    stream_error,
    suggestions,
    thinking,
    unauthorized,
)

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
    with httpx2.Client(trust_env=False, follow_redirects=True, timeout=DEADLINE) as transport:
        yield openai.OpenAI(
            api_key="sk-secret",
            base_url=server.base_url,
            max_retries=0,
            http_client=transport,
            timeout=DEADLINE,
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


def first_request(server: ScriptedServer) -> Received:
    """The first request, waited for."""
    end = time.monotonic() + DEADLINE
    while not server.requests and time.monotonic() < end:
        time.sleep(0.001)
    return server.requests[0]


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
            event = json.loads(line.removeprefix(b"data: "))
            for choice in event.get("choices", ()):
                words += choice["delta"].get("content") or ""
            if event.get("type") == "response.output_text.delta":
                words += event["delta"]
    return words


def refused(server: ScriptedServer) -> tuple[int, dict[str, str], str]:
    """Status, headers and body of an answer to a plain request."""
    response, body = ask(server, ASK)
    return response.status, {k.lower(): v for k, v in response.getheaders()}, body.decode()


# Plain answers


def test_the_sdk_gets_a_whole_answer() -> None:
    """The SDK reads text, model, finish reason and usage, and the request is on record."""
    with ScriptedServer(Reply(TEXT, usage=(10, 4, 3))) as server, sdk(server) as client:
        got = client.chat.completions.create(model="tiny", messages=[HI])

    assert (got.choices[0].message.content, got.model, got.choices[0].finish_reason) == (TEXT, "tiny", "stop")
    assert got.usage is not None
    assert got.usage.prompt_tokens_details is not None
    assert (got.usage.prompt_tokens, got.usage.completion_tokens, got.usage.total_tokens) == (10, 4, 14)
    assert got.usage.prompt_tokens_details.cached_tokens == 3
    seen = server.requests[0]
    assert (seen.method, seen.path, seen.body) == ("POST", "/v1/chat/completions", ASK)
    assert (seen.headers["authorization"], seen.headers["host"]) == ("Bearer sk-secret", server.address)
    assert seen.address == server.address


@pytest.mark.parametrize("told", [True, False])
def test_the_sdk_gets_a_stream(told: bool) -> None:
    """The SDK reads role, pieces, finish and, only when it asked for it, a last chunk with the usage."""
    with ScriptedServer(Reply(TEXT, pieces=5)) as server, sdk(server) as client:
        chunks = list(
            client.chat.completions.create(
                model="tiny",
                messages=[HI],
                stream=True,
                stream_options={"include_usage": told},
            )
        )

    deltas = [choice for chunk in chunks for choice in chunk.choices]
    assert deltas[0].delta.role == "assistant"
    assert [d.delta.content for d in deltas[1:-1]] == [TEXT[i : i + 5] for i in range(0, len(TEXT), 5)]
    assert deltas[-1].finish_reason == "stop"
    assert [bool(chunk.usage) for chunk in chunks] == [False] * len(deltas) + [True] * told


def test_a_refusal_is_said_in_its_own_field() -> None:
    """A refusal goes into `refusal`, streamed and whole, and the content stays empty."""
    step = Reply(TEXT, refusal="I won't.")
    with ScriptedServer(step, step) as server:
        whole = json.loads(ask(server, ASK)[1])["choices"][0]["message"]
        stream = ask(server)[1]

    assert (whole["content"], whole["refusal"]) == (None, "I won't.")
    assert (said(stream), b'"refusal": "I won\'t' in stream) == ("", True)


def test_the_script_is_taken_in_order_and_runs_out() -> None:
    """Each request takes one step; beyond the last the server says so, and records it."""
    with ScriptedServer(Reply("one"), Reply("two"), Reply("three")) as server:
        assert [said(ask(server)[1]), said(ask(server)[1]), len(server.script)] == ["one", "two", 1]
        ask(server)
        status, headers, body = refused(server)

    assert (status, headers["x-should-retry"]) == (500, "false")
    assert "script used up: no step for request 4" in body
    assert [r.scripted for r in server.requests] == [True, True, True, False]


def test_another_path_takes_no_step() -> None:
    """A request for something else gets a 404, is recorded, and leaves the script alone."""
    with ScriptedServer(Reply(TEXT)) as server:
        conn = http.client.HTTPConnection(server.address, timeout=DEADLINE)
        with closing(conn):
            conn.request("GET", "/v1/models")
            status = conn.getresponse().status

    seen = server.requests[0]
    assert (status, seen.method, seen.path, seen.body, seen.scripted) == (
        404,
        "GET",
        "/v1/models",
        None,
        False,
    )
    assert len(server.script) == 1


def test_a_connection_is_used_again() -> None:
    """Whole answers, streams and refusals all leave the connection open for the next request."""
    steps: list[Step] = [Reply(TEXT), error(503), Reply(TEXT, then=Wire.end), empty_choices, Reply(TEXT)]
    with ScriptedServer(*steps) as server:
        conn = http.client.HTTPConnection(server.address, timeout=DEADLINE)
        with closing(conn):
            for number in range(len(steps)):
                conn.request("POST", "/v1/chat/completions", json.dumps(STREAM if number % 2 == 0 else ASK))
                conn.getresponse().read()

    assert (server.connections, len(server.requests)) == (1, 5)


# Responses


def test_the_sdk_gets_a_whole_response() -> None:
    """The SDK reads text, status and usage of the other endpoint, from the same step."""
    with ScriptedServer(Reply(TEXT, usage=(10, 4, 3))) as server, sdk(server) as client:
        got = client.responses.create(model="tiny", input="hi")

    assert (got.output_text, got.model, got.status) == (TEXT, "tiny", "completed")
    assert got.usage is not None
    assert (got.usage.input_tokens, got.usage.output_tokens, got.usage.total_tokens) == (10, 4, 14)
    assert got.usage.input_tokens_details.cached_tokens == 3
    assert server.requests[0].path == "/v1/responses"


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


@pytest.mark.parametrize(("said_why", "reason"), [("length", "max_output_tokens"), ("content_filter",) * 2])
def test_a_response_is_incomplete_as_a_choice_is_unfinished(said_why: str, reason: str) -> None:
    """What cut an answer short has the endpoint's own name, streamed and whole."""
    step = Reply(TEXT, finish_reason=said_why)
    with ScriptedServer(step, step) as server:
        whole, stream = json.loads(ask(server, CREATE)[1]), ask(server, CREATE_STREAM)[1]
    last = json.loads(stream.strip().rpartition(b"data: ")[2])

    assert (last["type"], last["response"]) == ("response.incomplete", whole)
    assert (whole["status"], whole["incomplete_details"]) == ("incomplete", {"reason": reason})


def test_a_refusal_is_a_part_of_its_own() -> None:
    """A refusal has its own events and its own part, and no text stands beside it."""
    step = Reply(TEXT, refusal="I won't.")
    with ScriptedServer(step, step) as server:
        whole, stream = json.loads(ask(server, CREATE)[1]), ask(server, CREATE_STREAM)[1]

    assert whole["output"][0]["content"] == [{"type": "refusal", "refusal": "I won't."}]
    assert (said(stream), b"event: response.refusal.delta" in stream) == ("", True)


def test_a_response_without_output() -> None:
    """Neither the stream nor the whole response holds an item."""
    with ScriptedServer(empty_choices, empty_choices) as server:
        stream, whole = ask(server, CREATE_STREAM)[1], ask(server, CREATE)[1]

    assert json.loads(whole)["output"] == []
    assert json.loads(stream.partition(b"data: ")[2])["response"]["output"] == []


def test_an_error_in_a_streamed_response() -> None:
    """The SDK meets the error event after the text, and nothing after it."""
    with ScriptedServer(Reply(TEXT, after=7, then=stream_error("too hot"))) as server, sdk(server) as client:
        *_, words, last = client.responses.create(model="tiny", input="hi", stream=True)

    assert words.type == "response.output_text.delta"
    assert last.type == "error"
    assert (words.delta, last.message) == (TEXT[:7], "too hot")


@pytest.mark.parametrize(("only", "body", "other"), [(RESPONSES, CREATE, ASK), (CHAT, ASK, CREATE)])
def test_a_server_may_have_one_endpoint(only: str, body: dict[str, Any], other: dict[str, Any]) -> None:
    """What goes to the other endpoint gets a 404, is recorded, and takes no step."""
    with ScriptedServer(Reply(TEXT), only=only) as server:
        statuses = [ask(server, each)[0].status for each in (other, body, other)]

    assert (statuses, [request.scripted for request in server.requests]) == ([404, 200, 404], [False, True, False])


# Hanging, breaking, closing


def test_a_hang_before_the_headers_blocks_nobody_else() -> None:
    """A hanging request gets no byte, and another connection is answered meanwhile."""
    with ScriptedServer(Wire.hang, Reply(TEXT)) as server, closing(connect(server)) as hanging:
        first_request(server)
        meanwhile = said(ask(server)[1])
        hanging.settimeout(0.05)

        assert (meanwhile, read(hanging)) == (TEXT, (b"", TimeoutError))
        assert not server.requests[0].done.is_set()


@pytest.mark.parametrize(
    ("step", "words", "last"),
    [
        (Reply("abcdef", pieces=2, after=4, then=Wire.hang), "abcd", b'"cd"'),
        (Reply("abcdef", pieces=2, after=6, then=Wire.hang), "abcdef", b'"ef"'),
        (Reply("abcdef", pieces=2, then=Wire.hang), "abcdef", b'"usage": {'),
    ],
)
def test_a_hang_in_the_stream_comes_where_it_was_scripted(step: Reply, words: str, last: bytes) -> None:
    """So many characters arrive, the finish chunk only where wanted, `[DONE]` never, and then silence."""
    with ScriptedServer(step) as server, closing(connect(server)) as sock:
        got, _ = read(sock, last)
        sock.settimeout(0.05)
        rest, ended = read(sock)

    assert (said(got + rest), ended) == (words, TimeoutError)
    assert (b'"stop"' in got + rest, b"[DONE]" in got + rest) == (step.after is None, False)


def test_a_hang_ends_when_the_client_leaves() -> None:
    """The server notices that the client of a hanging request hung up, and says so."""
    with ScriptedServer(Wire.hang) as server:
        connect(server).close()

        assert first_request(server).done.wait(DEADLINE)
        assert server.requests[0].hung_up


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (Wire.reset, ""),
        (Reply(TEXT, after=12, then=Wire.reset), TEXT[:12]),
    ],
)
def test_a_reset_breaks_the_connection(step: Step, words: str) -> None:
    """So many characters arrive, or not even a header, then comes a TCP reset."""
    with ScriptedServer(step) as server, closing(connect(server)) as sock:
        got, ended = read(sock)

    assert (said(got), ended) == (words, ConnectionResetError)
    assert bool(got) == bool(words)


def test_closing_in_the_stream_owes_the_end_of_the_body() -> None:
    """The connection closes in order but the body has no end, which HTTP clients report."""
    step = Reply(TEXT, after=12, then=Wire.close)
    with ScriptedServer(step, step, step, Wire.close) as server:
        with closing(connect(server)) as sock:
            got, ended = read(sock)
        with pytest.raises(http.client.IncompleteRead):
            ask(server)
        with pytest.raises(http.client.IncompleteRead):
            ask(server, ASK)
        with pytest.raises(http.client.RemoteDisconnected):
            ask(server)

    assert (said(got), ended) == (TEXT[:12], None)
    assert not got.endswith(b"0\r\n\r\n")


def test_an_ordered_end_in_the_stream_looks_complete_to_http() -> None:
    """The body ends as HTTP wants it, with half the text and neither finish nor `[DONE]`."""
    with ScriptedServer(Reply(TEXT, after=12, then=Wire.end)) as server:
        body = ask(server)[1]

    assert said(body) == TEXT[:12]
    assert (b'"stop"' in body, b"[DONE]" in body) == (False, False)


# Broken streams


@pytest.mark.parametrize("noise", [COMMENT, NO_DATA, BAD_JSON, BAD_UTF8])
def test_noise_stands_before_each_piece_of_text(noise: bytes) -> None:
    """The noise is on the wire as it is, once a piece, and the text around it is whole."""
    with ScriptedServer(Reply("abcdef", pieces=2, noise=noise)) as server:
        body = ask(server)[1]

    assert body.count(noise) == 3
    assert body.replace(noise, b"").endswith(b"data: [DONE]\n\n")
    assert said(body.replace(noise, b"")) == "abcdef"


def test_the_invalid_utf8_is_invalid() -> None:
    """A strict decoder stumbles over the noise that claims to be UTF-8."""
    with pytest.raises(UnicodeDecodeError):
        BAD_UTF8.decode()


@pytest.mark.parametrize("blank", [b"\n", b"\r\n\r\n"])
def test_events_are_closed_as_scripted(blank: bytes) -> None:
    """Blank lines between events can be left out or written with carriage returns."""
    with ScriptedServer(Reply(TEXT, blank=blank)) as server:
        body = ask(server)[1]

    assert (b"\n\n" in body, said(body), body.endswith(b"[DONE]" + blank)) == (False, TEXT, True)


def test_one_byte_at_a_time() -> None:
    """Every HTTP chunk of a dripping stream holds one byte, so characters and lines come apart."""
    with ScriptedServer(drip(Reply("ü"))) as server, closing(connect(server)) as sock:
        _, body = read(sock)[0].split(b"\r\n\r\n", 1)
    chunks = re.findall(rb"1\r\n(.)\r\n", body, re.DOTALL)

    assert body == b"".join(b"1\r\n%b\r\n" % chunk for chunk in chunks) + b"0\r\n\r\n"
    assert '"content": "ü"'.encode() in b"".join(chunks)


def test_an_error_object_in_the_stream() -> None:
    """The SDK meets an error object after the text and raises it."""
    with ScriptedServer(Reply(TEXT, after=7, then=stream_error("too hot"))) as server, sdk(server) as client:
        stream = client.chat.completions.create(model="tiny", messages=[HI], stream=True)
        words = [next(stream).choices[0].delta.content for _ in range(2)]
        with pytest.raises(openai.APIError, match="too hot"):
            next(stream)

    assert words == ["", TEXT[:7]]


def test_empty_choices() -> None:
    """Neither the stream nor the whole answer holds a choice."""
    with ScriptedServer(empty_choices, empty_choices) as server:
        stream, whole = ask(server)[1], ask(server, ASK)[1]

    assert json.loads(whole)["choices"] == []
    assert [json.loads(line[6:])["choices"] for line in stream.splitlines() if b"{" in line] == [[]]


# Floods


@pytest.mark.parametrize(
    ("body", "one_line"),
    [(ASK, False), (STREAM, False), (STREAM, True), (CREATE, False), (CREATE_STREAM, False), (CREATE_STREAM, True)],
)
def test_a_flood_is_one_long_string(body: dict[str, Any], one_line: bool) -> None:
    """Read to the end, the flood is an answer whose name has all the junk; one line is one line."""
    with ScriptedServer(flood(1, one_line=one_line)) as server:
        got = ask(server, body)[1]
    if "stream" in body:
        text = said(got)
    elif body is ASK:
        text = json.loads(got)["choices"][0]["message"]["content"]
    else:
        text = json.loads(got)["output"][0]["content"][0]["text"]

    assert json.loads(text) == {"suggestions": [{"name": "x" * 2**20}]}
    assert max(map(len, got.splitlines())) > 2**20 or not (one_line or "stream" not in body)


@pytest.mark.parametrize("one_line", [True, False])
def test_a_flood_stops_when_the_client_leaves(one_line: bool) -> None:
    """Of 50 MB not all is sent to a client that hangs up after the first bytes."""
    with ScriptedServer(flood(one_line=one_line)) as server:
        with closing(connect(server)) as sock:
            read(sock, b"xxxx")

        assert server.requests[0].done.wait(DEADLINE)
        assert server.requests[0].hung_up
        assert server.requests[0].sent < 50 * 2**20


# Refusals and odd answers


def test_a_parameter_is_refused_while_it_is_there() -> None:
    """A request with the parameter gets a 400 that names it; without it, or with another form, an answer."""
    strict = {**ASK, "response_format": {"type": "json_schema", "json_schema": {"name": "x"}}}
    loose = {**ASK, "response_format": {"type": "json_object"}}
    every, schema = (
        refuses("response_format", Reply(TEXT)),
        refuses("response_format.json_schema", Reply(TEXT)),
    )
    with ScriptedServer(every, every, every, schema, schema) as server:
        statuses = [ask(server, body)[0].status for body in (strict, loose, ASK, strict, loose)]

    assert statuses == [400, 400, 200, 400, 200]


def test_a_401_repeats_the_key() -> None:
    """The message of the 401 holds the key that was sent."""
    with ScriptedServer(unauthorized) as server:
        status, _, body = refused(server)

    assert (status, json.loads(body)["error"]["message"]) == (401, "Incorrect API key provided: sk-secret.")


@pytest.mark.parametrize(
    ("step", "status", "header", "value", "words"),
    [
        (rate_limited(0.05), 429, "retry-after", "0.05", "Rate limit"),
        (rate_limited(86400), 429, "retry-after", "86400", "Rate limit"),
        (rate_limited(), 429, "retry-after", None, "Rate limit"),
        (
            error(404, "no model", "model_not_found"),
            404,
            "content-type",
            "application/json",
            "model_not_found",
        ),
        (error(503, "busy"), 503, "content-type", "application/json", "busy"),
        (answer("<h1>Oh</h1>", 500, "text/html"), 500, "content-type", "text/html", "<h1>Oh</h1>"),
        (Reply(PROSE, content_type="text/plain"), 200, "content-type", "text/plain", "moon"),
        (answer(), 200, "content-length", "0", ""),
    ],
)
def test_a_refusal_has_status_header_and_body(
    step: Step, status: int, header: str, value: str | None, words: str
) -> None:
    """Status, header and body are those of the step."""
    with ScriptedServer(step) as server:
        got, headers, body = refused(server)

    assert (got, headers.get(header)) == (status, value)
    assert words in body


@pytest.mark.parametrize(("status", "method"), [(307, "POST"), (302, "GET")])
def test_a_redirect_leads_to_another_server(status: int, method: str) -> None:
    """The SDK follows to the other host and port, and what it sends there is on record there."""
    with ScriptedServer(Reply(TEXT)) as other:
        step = answer(status=status, Location=f"{other.base_url}/chat/completions")
        with ScriptedServer(step) as server, sdk(server) as client, suppress(openai.NotFoundError):
            client.chat.completions.create(model="tiny", messages=[HI])

    assert (len(server.requests), len(other.requests)) == (1, 1)
    assert (other.requests[0].method, other.requests[0].address) == (method, other.address)
    assert other.requests[0].headers["host"] == other.address != server.address


def test_the_form_can_differ_from_what_was_asked() -> None:
    """A whole answer can come for a stream, and a stream for a whole answer."""
    with ScriptedServer(Reply(TEXT, stream=False), Reply(TEXT, stream=True)) as server:
        whole, stream = ask(server)[1], ask(server, ASK)[1]

    assert json.loads(whole)["choices"][0]["message"]["content"] == TEXT
    assert said(stream) == TEXT


def test_words_of_chatty_models_hold_the_answer() -> None:
    """Fences and thoughts surround the answer, prose is no JSON, and deep nesting breaks a naive parser."""
    nested = faults(TEXT)["deep nesting"]
    assert isinstance(nested, Reply)

    assert json.loads(fenced(TEXT).split("```")[1].removeprefix("json")) == json.loads(TEXT)
    assert thinking(TEXT).split("</think>")[1].strip() == TEXT
    with pytest.raises(ValueError, match="Expecting value"):
        json.loads(PROSE)
    with pytest.raises(RecursionError):
        json.loads(nested.text)


# Starting and stopping


def descriptors() -> int:
    """How many files and sockets this process has open, where the system tells."""
    return len(os.listdir("/dev/fd")) if Path("/dev/fd").exists() else 0


@pytest.mark.parametrize("body", [ASK, STREAM, CREATE_STREAM], ids=["whole", "stream", "responses"])
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


def test_a_stop_ends_a_pause_and_an_idle_connection() -> None:
    """Neither a long pause between chunks nor a client that keeps its connection open delays the stop."""
    before = threading.active_count()
    with ScriptedServer(Reply("abcd", pieces=2, pause=3600)) as server:
        sock, idle = connect(server), socket.create_connection(("127.0.0.1", server.server_address[1]))
        got, _ = read(sock, b'"ab"')
        stop = time.monotonic()
    took = time.monotonic() - stop
    rest, _ = read(sock)
    sock.close()
    idle.close()

    assert (said(got + rest), server.requests[0].hung_up) == ("ab", False)
    assert threading.active_count() <= before
    assert took < DEADLINE


def test_a_step_of_the_tests_own() -> None:
    """Any function of a wire is a step: here one that writes its body by hand."""

    def step(wire: Wire) -> None:
        wire.head(200, "text/plain", 5)
        wire.raw(wire.received.body["model"].encode())
        wire.wait(0.001)
        wire.raw(b"!")

    with ScriptedServer(step) as server:
        assert ask(server)[1] == b"tiny!"


def test_a_step_that_raises_fails_the_test() -> None:
    """An error in a step closes the connection and comes out of the `with` block."""

    def step(wire: Wire) -> None:
        assert wire.received.body["model"] == "large"

    def asking() -> None:
        with ScriptedServer(step) as server, suppress(http.client.RemoteDisconnected):
            ask(server)

    with pytest.raises(AssertionError):
        asking()
