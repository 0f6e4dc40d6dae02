"""Makes the pictures of the page that the docs show: `python -m tests.page.pictures`."""

from functools import partial
from importlib import import_module
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import narrator
from tests.page.tapping import CHROMIUM, FIGHT, opened

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
SIZES = {1280: 800, 768: 1024, 360: 740}
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


def main() -> None:
    """Take every view at every width, light and dark."""
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as made, import_module("playwright.sync_api").sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with opened(browser, Path(made)) as opening:
            gm = opening(moves=[FIGHT])
            taken = partial(_take, browser, f"http://127.0.0.1:{gm.serving.port}", gm.page.context.storage_state())
            taken({"roll": "/"})
            campaign = narrator.open_campaign(Path(made) / "gate.narrator")
            hit = campaign.suggest({**ATTACK, "opposition": DEFENCE}, source="deck", per_slot=9, deal=3)
            miss = campaign.suggest({**SNEAK, "opposition": GATE}, source="deck", deal=4)
            words = next(each for each in miss.answer.suggestions if each.form == "opposition_advantage")
            taken({"answer": f"/{miss.id}", "hit": f"/{hit.id}", "table": "/table"})
            campaign.settle(miss.id, {"branch": "serious_cost", "suggestions": [words.as_json()]})
            taken({"players": "/players"})
        browser.close()


def _take(browser: Any, server: str, session: Any, views: dict[str, str]) -> None:
    for (width, height), scheme in product(SIZES.items(), ("light", "dark")):
        size = {"width": width, "height": height}
        context = browser.new_context(viewport=size, color_scheme=scheme, storage_state=session)
        page = context.new_page()
        for name, path in views.items():
            page.goto(f"{server}{path}")
            page.wait_for_timeout(200)
            page.screenshot(path=PICTURES / f"{name}-{width}-{scheme}.png")
        context.close()


if __name__ == "__main__":
    main()
