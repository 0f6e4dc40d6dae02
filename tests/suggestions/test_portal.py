"""The loop on which blocking calls wait: what blocks it holds up nobody for longer than their own time."""

import threading
from collections.abc import AsyncGenerator

import pytest

import narrator
from narrator import Brief, Event, NarratorError
from narrator.suggestions.time import portal
from tests.asking import CLERK, CYNERE, GUARD, INK, answer_of, blocking
from tests.leaping import DEADLINE, leap
from tests.scripted_server import suggestions

pytestmark = pytest.mark.usefixtures("small")


class Words:
    """A source that says all that is wanted."""

    label = "test:words"

    async def astream(self, brief: Brief, seconds: float) -> AsyncGenerator[str, None]:
        yield suggestions(GUARD, INK, CLERK)


class Blocks(Words):
    """A source that blocks where it must not, after its first suggestion."""

    label = "test:blocks"

    def __init__(self) -> None:
        self.has_begun, self.go_on = threading.Event(), threading.Event()

    async def astream(self, brief: Brief, seconds: float) -> AsyncGenerator[str, None]:
        yield suggestions(GUARD)[:-2]
        self.has_begun.set()
        self.go_on.wait()
        yield "]}"


class Asks(Words):
    """A source that asks narrator itself, in the way that blocks."""

    async def astream(self, brief: Brief, seconds: float) -> AsyncGenerator[str, None]:
        yield narrator.suggest(CYNERE, source=Words()).suggestions[0].detail


def test_a_source_that_blocks_the_loop_is_left_with_it() -> None:
    """Its own call and that of another are whole while it blocks, a call to come is answered too, and the loop ends."""
    answer_of(blocking(Words()))
    stuck = portal._portal._thread
    assert stuck is not None
    source, own, has_asked = Blocks(), list[narrator.Answer](), threading.Event()

    def watch(event: Event) -> None:
        if event.event == "accepted" and not has_asked.is_set():
            assert source.has_begun.wait(DEADLINE)
            has_asked.set()
            leap()

    thread = threading.Thread(target=lambda: own.append(answer_of(blocking(source, timeout=DEADLINE, watch=watch))))
    thread.start()
    assert has_asked.wait(DEADLINE)
    other = answer_of(blocking(Words(), timeout=0.3))
    thread.join(DEADLINE)
    later = answer_of(blocking(Words()))
    source.go_on.set()
    assert [each.source for each in own[0].suggestions].count("test:blocks") == 1
    assert any("no complete answer" in notice for notice in own[0].notices)
    assert [len(each.suggestions) for each in (*own, other, later)] == [3, 3, 3]
    assert {each.source for each in later.suggestions} == {"test:words"}
    stuck.join(DEADLINE)
    assert not stuck.is_alive()


def test_nobody_blocks_the_loop_with_a_call_of_their_own() -> None:
    """A source that asks narrator in the way that blocks is told of the other, and not left hanging."""
    with pytest.raises(NarratorError, match="astream"):
        blocking(Asks(), timeout=DEADLINE)


def test_a_process_without_room_for_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no loop can be made, the deck answers, and a later call has one again."""

    def nothing_left() -> None:
        raise OSError(24, "Too many open files")

    with monkeypatch.context() as patch:
        patch.setattr(portal, "_portal", portal._Portal())
        patch.setattr(portal, "_Loop", nothing_left)
        assert {each.source for each in answer_of(blocking(Words(), timeout=DEADLINE)).suggestions} == {"deck"}
    assert {each.source for each in answer_of(blocking(Words())).suggestions} == {"test:words"}
