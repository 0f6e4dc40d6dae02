"""Calls over HTTP beside a bare FastAPI route that reads the same model and answers a constant, each in a process of
its own; the next call while streams are open, and while a model writes; and how soon a terminal's note is on a stream.
`python -m benchmarks.serve`.
"""

import json
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory

import narrator
from benchmarks.staging import slowly
from tests.scripted_server import ScriptedServer
from tests.server.running import Serving

ROUNDS, CALLS, STREAMS, NOTES = 8, 150, 100, 40
AIM = 0.6

REQUEST = json.loads(Path("examples/cynere.json").read_text("utf-8"))


def main() -> None:
    """Measure, and print the table."""
    with TemporaryDirectory() as made, ScriptedServer(*[slowly] * 20) as model, ExitStack() as held:
        folder = Path(made)
        scene = REQUEST["scene"]
        campaign = narrator.open_campaign(folder / "harbour.narrator", scene=scene)
        model_of = {"NARRATOR_MODEL": "tiny", "NARRATOR_BASE_URL": model.base_url}
        ours = held.enter_context(Serving(folder, "harbour", environment=model_of))
        bare = held.enter_context(_Bare())
        token = {"Authorization": f"Bearer {ours.token}"}
        resolve = json.dumps({"call": "resolve", "request": REQUEST}).encode()
        suggest = json.dumps({"call": "suggest", "request": REQUEST, "source": "deck"}).encode()
        asked = {
            "/v1/resolve": (ours.port, "/v1/resolve", resolve, token),
            "bare, the same model": (bare.port, "/resolve", resolve, {}),
            "/v1/suggest of the deck": (ours.port, "/v1/suggest", suggest, token),
            "bare, its model": (bare.port, "/suggest", suggest, {}),
        }
        rates: dict[str, list[float]] = {name: [] for name in asked}
        for _ in range(ROUNDS):
            for name, told in asked.items():
                rates[name].append(CALLS / sum(_seconds(*told, calls=CALLS)))
        print(f"{'calls a second, one after the other':<40}{'median':>8}")
        medians = {name: statistics.median(each) for name, each in rates.items()}
        for name, rate in medians.items():
            print(f"{name:<40}{rate:>8.0f}")
        first, beside, *words = medians.values()
        print(f"resolve beside bare: {first / beside:.2f} (aim {AIM}); suggest beside bare: {words[0] / words[1]:.2f}")

        alone = _seconds(*asked["/v1/resolve"], calls=CALLS)
        for _ in range(STREAMS):
            held.enter_context(ours.events("/v1/campaigns/harbour/entries"))
        beside_streams = _seconds(*asked["/v1/resolve"], calls=CALLS)
        with ours.events("/v1/suggest", {"request": REQUEST}) as events:
            next(events)
            beside_model = _seconds(*asked["/v1/resolve"], calls=CALLS)
        waits = []
        with ours.events("/v1/campaigns/harbour/entries?after=1") as events:
            for number in range(NOTES):
                campaign.note(f"note {number}")
                started = time.perf_counter()
                next(events)
                waits.append(time.perf_counter() - started)
        print(f"{'ms':<40}{'median':>8}{'p99':>8}")
        for name, each in (
            ("/v1/resolve, alone", alone),
            (f"with {STREAMS} streams open", beside_streams),
            ("while a model writes, too", beside_model),
            ("a terminal's note on a stream", waits),
        ):
            print(f"{name:<40}{statistics.median(each) * 1e3:>8.1f}{statistics.quantiles(each, n=100)[98] * 1e3:>8.1f}")


def _seconds(port: int, path: str, body: bytes, headers: dict[str, str], calls: int) -> list[float]:
    connection = HTTPConnection("127.0.0.1", port)
    seconds = []
    for _ in range(calls):
        started = time.perf_counter()
        connection.request("POST", path, body, {"Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        answer.read()
        seconds.append(time.perf_counter() - started)
        assert answer.status == 200
    connection.close()
    return seconds


class _Bare:
    """A FastAPI application in a process of its own, on a free port."""

    def __enter__(self) -> "_Bare":
        command = [sys.executable, "-m", "benchmarks._bare_server"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()


if __name__ == "__main__":
    main()
