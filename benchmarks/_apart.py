"""What is measured apart: the scripted server, with what it says, and functions, in processes of their own."""

import json
import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from tests.scripted_server import Reply, ScriptedServer, Step, Wire, suggestions

T = TypeVar("T")

REQUEST: dict[str, Any] = json.loads((Path(__file__).parents[1] / "examples" / "cynere.json").read_text("utf-8"))

PIECES = 16
"""Characters of an event: what providers send for three or four tokens."""

WORDS: tuple[dict[str, str | None], ...] = (
    {
        "slot": "serious_cost",
        "form": "opposition_advantage",
        "to": "Gate Guards",
        "name": "Seen Her Face",
        "detail": "The older guard holds the torch a moment too long and knows her from the posters on the wall, "
        "where the ink has run but the sword on her back has not.",
    },
    {
        "slot": "serious_cost",
        "form": "new_opposition",
        "to": None,
        "name": "Spy of the Harbour Watch",
        "detail": "A beggar under the arch counts the coins as they change hands, one by one, then limps off toward "
        "the barracks a good deal faster than he limped up here.",
    },
    {
        "slot": "serious_cost",
        "form": "consequence",
        "to": "Cynere",
        "name": "Twisted Ankle",
        "detail": "The rusty gate drops too early, and she rolls under it with one foot a moment late; the boot holds, "
        "and what is inside the boot swells before the first corner.",
    },
)
"""Three suggestions that are accepted, about equally long."""

TEXT = suggestions(*WORDS)


@dataclass
class Varied:
    """A reply that never says quite the same: what was judged before must not be known already."""

    reply: Reply
    count: int = 0

    def __call__(self, wire: Wire) -> None:
        """Answer the request."""
        self.count += 1
        word = "".join("abdegiklmnoprstu"[self.count >> shift & 15] for shift in (0, 4, 8, 12))
        replace(self.reply, text=self.reply.text.replace('."}', f' by the {word}."}}'))(wire)


ANSWER = Varied(Reply(TEXT, pieces=PIECES))
"""At once, and all of it."""

STUCK = Varied(Reply(TEXT, pieces=PIECES, after=2 * len(TEXT) // 3, then=Wire.hang))
"""One suggestion and a half, and then nothing more."""


SURPLUS = Reply(suggestions(*[WORDS[0]] * 1_000), pieces=2_000)
"""One suggestion, over and over: others stay wanted, so that each is judged."""


def dripping(wire: Wire) -> None:
    """Send a byte at a time that means nothing, without end."""
    while True:
        wire.raw(b":")
        wire.wait(0.01)


@contextmanager
def served(step: Step) -> Iterator[str]:
    """Answer each request with the same step, and give the address. The work is not counted as the client's."""
    ours, theirs = multiprocessing.Pipe()
    child = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs, step), daemon=True)
    child.start()
    try:
        yield ours.recv()
    finally:
        ours.send("end")
        child.join(10)


def apart(function: Callable[..., T], *given: Any) -> T:
    """Call a function in a new process."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *given).result()


class _Always(list[Callable[[Wire], None]]):
    """A script that never ends."""

    def pop(self, index: Any = -1) -> Callable[[Wire], None]:
        return self[0]


def _serve(pipe: Connection, step: Step) -> None:
    with ScriptedServer() as server:
        server.script = _Always([step])
        pipe.send(server.base_url)
        pipe.recv()
