"""The same call by every door: from a cold start to the first answer, and warm. `python -m benchmarks.doors`."""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
from mcp import Client, StdioServerParameters

import narrator
from tests.assistant.chatting import NEVER, SCENE
from tests.server.running import Serving

ROUNDS = 60
COLD = 5

_PAYLOAD = json.dumps({"call": "odds", "request": {"scene": SCENE, "action": NEVER}})
_LINE = f"{_PAYLOAD}\n".encode()
_VTT = [sys.executable, "-m", "narrator", "vtt"]
_PYTHON = f"import narrator; narrator.odds({json.dumps({'scene': SCENE, 'action': NEVER})!r})"


def main() -> None:
    """Measure, and print the table."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        narrator.open_campaign(folder / "gate.narrator", scene=SCENE)
        told = {"Python": _python(), "vtt": _vtt(), "vtt --jsonl": _lines(), "HTTP": _http(folder), "MCP": _mcp(folder)}
    alone = statistics.median(told["Python"][1])
    print(f"{'milliseconds':<16}{'cold':>8}{'warm':>8}{'p95':>8}{'beside Python':>16}")
    for door, (cold, warm) in told.items():
        median, late = statistics.median(warm), statistics.quantiles(warm, n=20)[-1]
        print(f"{door:<16}{statistics.median(cold):>8.0f}{median:>8.2f}{late:>8.2f}{median / alone:>16.1f}")


def _timed(what: Callable[[], object], rounds: int) -> list[float]:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        what()
        times.append((time.perf_counter() - start) * 1_000)
    return times


def _python() -> tuple[list[float], list[float]]:
    request = json.loads(_PAYLOAD)["request"]
    cold = _timed(lambda: subprocess.run([sys.executable, "-c", _PYTHON], check=True), COLD)  # noqa: S603
    return cold, _timed(lambda: narrator.odds(request), ROUNDS)


def _vtt() -> tuple[list[float], list[float]]:
    """A process for each call is as cold as the first."""
    cold = _timed(lambda: subprocess.run(_VTT, input=_LINE, capture_output=True, check=True), COLD * 2)  # noqa: S603
    return cold, cold


def _lines() -> tuple[list[float], list[float]]:
    cold, warm = list[float](), list[float]()
    pipe = subprocess.PIPE
    for _ in range(COLD):
        start = time.perf_counter()
        with subprocess.Popen([*_VTT, "--jsonl"], stdin=pipe, stdout=pipe) as process:  # noqa: S603
            cold += [(time.perf_counter() - start) * 1_000 + each for each in _timed(partial(_line, process), 1)]
            warm += _timed(partial(_line, process), ROUNDS // COLD)
            process.stdin.close()  # type: ignore[union-attr]
    return cold, warm


def _line(process: "subprocess.Popen[bytes]") -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(_LINE)
    process.stdin.flush()
    process.stdout.readline()


def _http(folder: Path) -> tuple[list[float], list[float]]:
    cold, warm = list[float](), list[float]()
    for _ in range(COLD):
        start = time.perf_counter()
        with Serving(folder, "gate") as server:
            server.ask("/v1/odds", json.loads(_PAYLOAD))
            cold.append((time.perf_counter() - start) * 1_000)
            warm += _timed(partial(server.ask, "/v1/odds", json.loads(_PAYLOAD)), ROUNDS // COLD)
    return cold, warm


def _mcp(folder: Path) -> tuple[list[float], list[float]]:
    cold, warm = list[float](), list[float]()
    env = {**os.environ, "NARRATOR_DATA": str(folder), "NARRATOR_CONFIG": str(folder)}
    process = StdioServerParameters(command=sys.executable, args=["-m", "narrator", "mcp", "gate"], env=env)

    async def run() -> None:
        start = time.perf_counter()
        async with Client(process) as client:
            await client.call_tool("odds", {"action": NEVER})
            cold.append((time.perf_counter() - start) * 1_000)
            for _ in range(ROUNDS // COLD):
                start = time.perf_counter()
                await client.call_tool("odds", {"action": NEVER})
                warm.append((time.perf_counter() - start) * 1_000)

    for _ in range(COLD):
        anyio.run(run)
    return cold, warm


if __name__ == "__main__":
    main()
