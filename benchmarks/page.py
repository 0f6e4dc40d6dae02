"""From a tap to what it shows, in a real browser, beside the same roll asked of the server alone.
`python -m benchmarks.page`.
"""

import statistics
import time
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.page.tapping import CHROMIUM, FIGHT, opened

ROUNDS = 40
AIM = 60
"""Milliseconds, warm."""

SHOWN = """wanted => new Promise(done => {
    const start = performance.now();
    const seen = new MutationObserver(() => {
        if (!document.querySelector(wanted)) return;
        seen.disconnect();
        requestAnimationFrame(() => done(performance.now() - start));
    });
    seen.observe(document.body, {attributes: true, childList: true, subtree: true});
    document.querySelector("button[name=outcome], a.back").click();
})"""
"""Taps, and waits until something is on the page and painted."""


def main() -> None:
    """Measure, and print the table."""
    with TemporaryDirectory() as made, import_module("playwright.sync_api").sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with opened(browser, Path(made)) as opening:
            gm = opening(moves=[FIGHT])
            taps: dict[str, list[float]] = {"to outcome": [], "to first card": [], "back to the roll": []}
            for _ in range(ROUNDS):
                for name, wanted in (("to outcome", ".outcome"), ("to first card", ".card:not(.bare):not(.waiting)")):
                    taps[name].append(_shown(gm.page, wanted))
                    taps["back to the roll"].append(_shown(gm.page, "#roll"))
            action = {"type": "overcome", "actor": "Cynere", "outcome": "fail"}
            alone = [_asked(gm, action) for _ in range(ROUNDS)]
            print(f"{'milliseconds, warm':<28}{'median':>8}{'p95':>8}{'beside the call':>18}")
            call = statistics.median(alone)
            for name, all_ in {**taps, "the call alone": alone}.items():
                told = all_[len(all_) // 4 :]  # the first ones load what later ones have
                median, late = statistics.median(told), statistics.quantiles(told, n=20)[-1]
                print(f"{name:<28}{median:>8.0f}{late:>8.0f}{median / call:>18.1f}")
            print(f"(aim: under {AIM} from a tap to outcome and first card)")
        browser.close()


def _shown(page: Any, wanted: str) -> float:
    found: float = page.evaluate(SHOWN, wanted)
    page.wait_for_timeout(50)
    return found


def _asked(gm: Any, action: Any) -> float:
    start = time.perf_counter()
    gm.serving.ask("/v1/campaigns/gate/suggest", {"request": {"action": action}, "source": "deck"})
    return 1_000 * (time.perf_counter() - start)


if __name__ == "__main__":
    main()
