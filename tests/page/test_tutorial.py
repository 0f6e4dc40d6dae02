"""The tutorial for people who run games: its taps, made in a real browser as they are written."""

import re
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator.cli.typed_campaign import READY
from tests.page.tapping import Person
from tests.pages import ROOT
from tests.server.running import Serving

pytestmark = pytest.mark.full

STEP = re.compile(r"^\d+\. .*(?:\n {2,}.*)*", re.MULTILINE)
TAP = re.compile(r"\b[Tt]ap \*\*([^*]+)\*\*(?: under \*\*([^*]+)\*\*)?")
OPEN = re.compile(r"\bOpen `http://127\.0\.0\.1:8717(/\w+)` in a second tab")
UNSEEN = re.compile(r"\bdo not see \*\*([^*]+)\*\*")
SEEN = re.compile(r"\*\*([^*]+)\*\*")

TAPPED = "button, a, label, summary, .takes"
"""What a tap may be meant for; `Take` is printed on a card that is a button as a whole."""


def steps() -> list[str]:
    """The numbered steps of the tutorial, each in one line."""
    page = (ROOT / "docs" / "tutorials" / "run-games.md").read_text("utf-8")
    return [" ".join(step.split()) for step in STEP.findall(page)]


def tap(person: Person, name: str, under: str) -> None:
    """Tap what has this text, beside an icon or a mark; in the part with this heading if the tutorial names one."""
    place = person.page.get_by_role("form", name=under) if under else person.page
    alone = place.locator(TAPPED, has_text=re.compile(rf"^\s*{re.escape(name)}\s*$"))
    marked = place.locator(TAPPED, has=person.page.get_by_text(name, exact=True))
    # `Take` lies under the button that covers the card: whatever is there is tapped.
    alone.or_(marked).locator("visible=true").first.click(force=name == "Take")
    person.settle()


def shown(page: Any, text: str) -> Any:
    """What shows a text."""
    return page.get_by_text(text).locator("visible=true").first


def test_each_step_shows_what_the_tutorial_says(chromium: Any, tmp_path: Path) -> None:
    """On the ready scene: each step taps one thing or opens one page, and all other bold text is visible then."""
    with Serving(tmp_path, "--open", environment={"BROWSER": "true", "NARRATOR_MODEL": "deck"}) as serving:
        context = chromium.new_context(viewport={"width": 1280, "height": 800})
        gm = Person(context.new_page(), serving)
        gm.come_in()
        # Before that, a tap would come earlier than the page's script.
        gm.page.wait_for_load_state("load")
        for step in steps():
            page, left = gm.page, step
            if opened := OPEN.search(step):
                page = context.new_page()
                page.goto(f"http://127.0.0.1:{serving.port}{opened[1]}")
            else:
                [(name, under)] = TAP.findall(step)
                tap(gm, name, under)
                left = TAP.sub("", step)
            for text in UNSEEN.findall(left):
                assert shown(page, text).count() == 0, f"{text} is shown after: {step}"
            for text in SEEN.findall(UNSEEN.sub("", left)):
                shown(page, text).wait_for(timeout=5000)
        assert gm.complaints == []
        context.close()
    entries = narrator.open_campaign(tmp_path / f"{READY}.narrator").entries()
    assert [each.kind for each in entries] == ["begun", "settled", "undone", "settled", "struck", "moved"]
