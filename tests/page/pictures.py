"""Makes the pictures of the page that the docs show: `python -m tests.page.pictures`."""

import re
import shutil
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import narrator
from tests.page.tapping import CHROMIUM, FIGHT, opened

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
HEIGHTS = {1280: 800, 768: 1024, 360: 740}
ATTACK = {"type": "attack", "actor": "Watch Captain", "target": "Landon", "skill": "Fight", "roll": {"sum": 3}}
DEFENCE = {"kind": "defend", "skill": "Fight", "roll": {"sum": -1}}
SNEAK = {
    "type": "overcome",
    "actor": "Cynere",
    "skill": "Stealth",
    "roll": {"sum": -3},
    "intent": "sneak past the watch",
}
GATE = {"kind": "passive", "rating": 3}


SHOWN = re.compile(r"pictures/([a-z]+)-(\d+)-(light|dark)\.png")


def shown() -> set[tuple[str, int, str]]:
    """The pictures that README and docs show: each a view, a width and a scheme."""
    pages = (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
    found = (each for page in pages for each in SHOWN.findall(page.read_text("utf-8")))
    return {(view, int(width), scheme) for view, width, scheme in found}


def take(browser: Any, made: Path) -> None:
    """Take every picture that the docs show, at a table in an empty folder, and put them there."""
    with opened(browser, made) as opening:
        gm = opening(moves=[FIGHT])
        taken = partial(_take, browser, made, f"http://127.0.0.1:{gm.serving.port}", gm.page.context.storage_state())
        taken({"roll": "/"})
        campaign = narrator.open_campaign(made / "gate.narrator")
        hit = campaign.suggest({**ATTACK, "opposition": DEFENCE}, source="deck", per_slot=9, deal=3)
        miss = campaign.suggest({**SNEAK, "opposition": GATE}, source="deck", deal=4)
        words = next(each for each in miss.answer.suggestions if each.form == "opposition_advantage")
        taken({"answer": f"/{miss.id}", "hit": f"/{hit.id}", "table": "/table"})
        campaign.settle(miss.id, {"branch": "serious_cost", "suggestions": [words.as_json()]})
        taken({"players": "/players"})


def _take(browser: Any, made: Path, server: str, session: Any, views: dict[str, str]) -> None:
    for view, width, scheme in shown():
        if view in views:
            size = {"width": width, "height": HEIGHTS[width]}
            context = browser.new_context(viewport=size, color_scheme=scheme, storage_state=session)
            page = context.new_page()
            page.goto(f"{server}{views[view]}")
            page.wait_for_timeout(200)
            page.screenshot(path=made / f"{view}-{width}-{scheme}.png")
            context.close()


def main() -> None:
    """Take the pictures anew, in the place of those that are there."""
    with TemporaryDirectory() as made, import_module("playwright.sync_api").sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        take(browser, Path(made))
        browser.close()
        shutil.rmtree(PICTURES, ignore_errors=True)
        PICTURES.mkdir()
        for picture in Path(made).glob("*.png"):
            shutil.copy(picture, PICTURES)


if __name__ == "__main__":
    main()
