"""Servers that never answer: each is an address, for as long as its `with` block lasts."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial

_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
_SAME = {"slot": "serious_cost", "form": "consequence", "to": "Cynere"}
SURPLUS = "".join(
    json.dumps(_SAME | {"name": f"A Wound {n} Not to Be Forgotten", "detail": "So she says, and nobody asks. " * 8})
    for n in range(60)
)
"""Sixty suggestions, of which one is wanted at the most."""


def _event(words: str) -> bytes:
    chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    choice = {"index": 0, "delta": {"content": words}, "finish_reason": None}
    return b"data: " + json.dumps(chunk | {"choices": [choice]}).encode() + b"\n\n"


@contextmanager
def pouring(first: bytes, again: bytes, pause: float = 0.0) -> Iterator[str]:
    """Say something once to whoever connects, and then something else for ever."""
    over = threading.Event()
    threads: list[threading.Thread] = []

    def pour(sock: socket.socket) -> None:
        with sock, suppress(OSError):
            sock.recv(65536)
            sock.sendall(first)
            while not over.wait(pause):
                sock.sendall(again)

    def serve() -> None:
        with suppress(OSError):
            while not over.is_set():
                sock, _ = listening.accept()
                sock.settimeout(1)
                threads.append(threading.Thread(target=pour, args=(sock,)))
                threads[-1].start()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        serving = threading.Thread(target=serve)
        serving.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        finally:
            over.set()
            listening.shutdown(socket.SHUT_RDWR)
            for thread in [serving, *threads]:
                thread.join()


@contextmanager
def silent(scheme: str = "http") -> Iterator[str]:
    """Take connections, and never read or write."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"{scheme}://127.0.0.1:{listening.getsockname()[1]}/v1"


@contextmanager
def full() -> Iterator[str]:
    """Take no connection: others wait already, as many as may."""
    with ExitStack() as stack:
        listening = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(8):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listening.getsockname())
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"


BAD: dict[str, Callable[[], AbstractContextManager[str]]] = {
    "silent": silent,
    "no connection": full,
    "no handshake": partial(silent, "https"),
    "drips its head": partial(pouring, b"HTTP/1.1 200 OK\r\nX-Word: ", b"x", 0.02),
    "drips its body": partial(pouring, _HEAD + b"\r\n", b":", 0.02),
    "drips comments": partial(pouring, _HEAD + b"\r\n", b": wait\n\n", 0.02),
    "100 Continue": partial(pouring, b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "flood of 100 Continue": partial(pouring, b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1_000),
    "flood of headers": partial(pouring, b"HTTP/1.1 200 OK\r\n", b"X-Word: yes\r\n" * 1_000),
    "flood of lines": partial(pouring, _HEAD + b"\r\n", b": wait\n\n" * 10_000),
    "flood in one line": partial(pouring, _HEAD + b"\r\ndata: ", b"x" * 65_536),
    "flood of empty lines": partial(pouring, _HEAD + b"\r\n", b"\n" * 65_536),
    "flood of empty events": partial(pouring, _HEAD + b"\r\n", _event("") * 500),
    "flood of odd events": partial(pouring, _HEAD + b"\r\n", b"data: {}\n\n" * 5_000),
    "flood of words": partial(pouring, _HEAD + b"\r\n", _event("and so on ") * 500),
    "surplus": partial(pouring, _HEAD + b"\r\n", _event(SURPLUS)),
    "a bad status, and no end": partial(pouring, b"HTTP/1.1 500 No\r\n\r\n", b"x" * 65_536),
}
"""By what they do instead."""
