"""Notices writes into a campaign, from this process or another. One connection watches for all streams."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from narrator.campaign.campaign import Campaign
from narrator.suggestions.time.threads import each_aside


class _Watched:
    """A campaign that streams wait for."""

    def __init__(self, campaign: Campaign) -> None:
        self.streams = 0
        self.looked = asyncio.Event()
        self.changed = asyncio.Event()
        self.failure: Exception | None = None
        self.task = asyncio.create_task(self._look(campaign))

    async def _look(self, campaign: Campaign) -> None:
        try:
            async for is_new in each_aside(campaign.changes):
                self.looked.set()
                if is_new:
                    self._wake()
        except Exception as error:
            self.failure = error
            self.looked.set()
            self._wake()

    def _wake(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()


class Watch:
    """The watched campaigns. Each is watched while it has streams."""

    def __init__(self) -> None:
        self._watched: dict[Path, _Watched] = {}

    @asynccontextmanager
    async def of(self, campaign: Campaign) -> AsyncIterator[Callable[[], asyncio.Event]]:
        """Give a function that returns an event, which the next change sets.

        Watching has already started: every later write sets the event, and a replaced file ends the watch.
        """
        watched = self._watched.get(campaign.file)
        if watched is None:
            watched = self._watched[campaign.file] = _Watched(campaign)
        watched.streams += 1

        def next_change() -> asyncio.Event:
            if watched.failure is not None:
                raise watched.failure
            return watched.changed

        try:
            await watched.looked.wait()
            yield next_change
        finally:
            watched.streams -= 1
            if not watched.streams:
                watched.task.cancel()
                self._watched.pop(campaign.file, None)
