"""Somebody at the page in a real browser: finds what they tap by its role and visible name, and counts the taps."""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator.rules.json_text import Json
from tests.server.running import Serving

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MUST = "NARRATOR_REQUIRE_BROWSER" in os.environ
"""Whether a browser has to be there: then its tests are not skipped."""

WAIT = 10_000
"""Milliseconds for what a tap shows."""

Name = str | re.Pattern[str]


class Person:
    """Somebody in front of the page.

    Args:
        page: Playwright's page.
        serving: The server that it is of.
    """

    def __init__(self, page: Any, serving: Serving) -> None:
        self.page, self.serving, self.taps = page, serving, 0
        self.complaints: list[str] = []
        page.set_default_timeout(WAIT)
        page.on("console", lambda told: self._heard(told.type, told.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _heard(self, kind: str, text: str) -> None:
        # What is refused is said on the page; the browser notes its status as well.
        if kind in ("error", "warning") and "Failed to load resource" not in text:
            self.complaints.append(text)

    @property
    def path(self) -> str:
        """The address of the page, without the server's."""
        found: str = self.page.evaluate("location.pathname")
        return found

    def come_in(self, code: str | None = None) -> None:
        """Open the page by its code."""
        self.page.goto(f"http://127.0.0.1:{self.serving.port}/#{code or self.serving.code}")
        self.page.get_by_role("navigation").wait_for()

    def go(self, path: str) -> None:
        """Type an address."""
        self.page.goto(f"http://127.0.0.1:{self.serving.port}{path}")

    def find(self, role: str, name: Name, within: Name | None = None, nth: int = 0) -> Any:
        """Find something by its role and visible name, in a group where one is named."""
        place = self.page if within is None else self.page.get_by_role("group", name=within, exact=True).first
        exact = {} if isinstance(name, re.Pattern) else {"exact": True}
        return place.get_by_role(role, name=name, **exact).nth(nth)

    def tap(self, role: str, name: Name, within: Name | None = None, nth: int = 0) -> None:
        """Tap it, and wait until the page has answered."""
        found = self.find(role, name, within, nth)
        self.taps += 1
        if role in ("radio", "checkbox"):
            # The chip around it is what one taps.
            found.locator("xpath=ancestor::label").click()
        else:
            found.click()
        self.settle()

    def settle(self) -> None:
        """Wait until nothing is under way."""
        self.page.wait_for_timeout(30)
        self.page.locator("[aria-busy]").first.wait_for(state="detached")

    def sees(self, text: Name) -> None:
        """Wait until some text is shown."""
        self.page.get_by_text(text).locator("visible=true").first.wait_for()

    def heading(self) -> str:
        """The first heading."""
        found: str = self.page.get_by_role("heading", level=1).inner_text()
        return " ".join(found.split())


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Chromium, without a window. Playwright has a loop of its own, which no test beside these may find running."""
    if CHROMIUM is None:
        assert not MUST, "no Chromium is on this machine's PATH"
        pytest.skip("no Chromium is on this machine's PATH")
    if not MUST:
        pytest.importorskip("playwright", reason="Playwright, which drives a browser, is not installed")
    with import_module("playwright.sync_api").sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


Opening = Callable[..., Person]


@pytest.fixture
def opening(chromium: Any, tmp_path: Path) -> Iterator[Opening]:
    """Opens the page of a table: what the browser complained of is there at the end, and fails the test."""
    with opened(chromium, tmp_path) as found:
        yield found


@contextmanager
def opened(chromium: Any, folder: Path) -> Iterator[Opening]:
    people: list[Person] = []
    servers: list[Serving] = []
    contexts: list[Any] = []

    def start(
        scene: Json | None = None,
        moves: Sequence[Json] = (),
        *,
        beside: Person | None = None,
        words: Sequence[str] = (),
        environment: dict[str, str] | None = None,
        enters: bool = True,
        **context: Any,
    ) -> Person:
        """Begin a table with a scene, or sit down at the one of somebody else."""
        if beside is None:
            campaign = narrator.open_campaign(folder / "gate.narrator", scene=scene or SCENE)
            for each in moves:
                campaign.move(each)
            servers.append(Serving(folder, "gate", *words, environment=environment))
        seen = chromium.new_context(**{"viewport": {"width": 1280, "height": 800}, **context})
        contexts.append(seen)
        person = Person(seen.new_page(), beside.serving if beside else servers[-1])
        people.append(person)
        if enters:
            if beside is not None:
                person.serving.code = person.serving.read_until("The page, for one browser").strip().rpartition("#")[2]
            person.come_in()
        return person

    try:
        yield start
        heard = [told for each in people for told in each.complaints]
        assert not heard, heard
    finally:
        for each in contexts:
            each.close()
        for each in servers:
            if each.process.poll() is None:
                each.end()


SCENE: Json = json.loads((Path(__file__).parents[2] / "examples" / "south-gate.json").read_text("utf-8"))["scene"]
FIGHT: Json = {"type": "conflict", "kind": "physical"}
