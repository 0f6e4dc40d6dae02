"""How long a call for words takes beyond its `timeout` when something is wrong. `python -m benchmarks.faults`."""

import socket
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks._apart import REQUEST, SURPLUS, dripping, served
from benchmarks._call import seconds_of
from benchmarks.settling import crowd
from narrator import Request
from tests.scripted_server import Wire

ROUNDS, TIMEOUT, AIM = 3, 1.0, 0.5
NOWHERE = "http://127.0.0.1:9/v1"

LARGE = crowd(500)
LARGE["scene"]["recent"] = [
    f"Bystander {number} has told the whole market at {number} o'clock of the debt, and of who is to pay it, of when, "
    "and of what becomes of those who do not."
    for number in range(500)
]
KILOBYTES = len(Request.read(LARGE).model_dump_json(exclude_unset=True)) // 1_000


def main() -> None:
    """Measure, and print the table."""
    Console(width=110).print(_faults())


@contextmanager
def _silent() -> Iterator[str]:
    """Take connections, and never say a word, so that no handshake comes about."""
    with socket.create_server(("127.0.0.1", 0)) as taking:
        yield f"https://127.0.0.1:{taking.getsockname()[1]}/v1"


def _faults() -> Table:
    large = f"a request of {KILOBYTES} KB"
    faults: dict[str, tuple[AbstractContextManager[str], dict[str, Any]]] = {
        "a server that hangs": (served(Wire.hang), {}),
        "a server that drips": (served(dripping), {}),
        "a TLS handshake that never comes": (_silent(), {}),
        "a caller's source that blocks": (nullcontext(NOWHERE), {"source": "own"}),
        "surplus suggestions": (served(SURPLUS), {}),
        f"{large}, the deck": (nullcontext(NOWHERE), {"source": "deck", "request": LARGE}),
        f"{large}, a server that hangs": (served(Wire.hang), {"request": LARGE}),
        f"{large}, surplus suggestions": (served(SURPLUS), {"request": LARGE}),
    }
    ways = ("suggest", "astream")
    columns = [f"{way}, {which}" for way in ways for which in ("first", "second")]
    table = Table(
        f"worst of {ROUNDS} processes",
        *columns,
        title=f"seconds beyond timeout={TIMEOUT:g} (aim: {AIM})",
        caption="first: of a fresh process, imports and all; second: in the same process; below 0: answered before",
    )
    for name, (server, told) in faults.items():
        row = list[str]()
        with server as base_url:
            for way in ways:
                given = {"request": REQUEST, "way": way, "calls": 2, "timeout": TIMEOUT, **told}
                runs = [seconds_of(base_url, **given) for _ in range(ROUNDS)]
                row += [f"{max(each) - TIMEOUT:.2f}" for each in zip(*runs, strict=True)]
        table.add_row(name, *row)
    return table


if __name__ == "__main__":
    main()
