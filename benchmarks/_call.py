"""Calls in a process of their own, each timed together with the imports it needs. What to do is told as JSON."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from typing import Any


def seconds_of(base_url: str, **told: Any) -> list[float]:
    """Have a new process make calls, one after the other, and return the seconds of each.

    Args:
        base_url: The server that the environment of the process names.
        told: The `way` (`suggest`, `astream`, or `sdk` with its `body`), the `request`, and how many `calls`; also
            `source` (`deck`, or `own`, which blocks), `timeout`, and `warm`: whether all is warmed up before.
    """
    environment = os.environ | {"NARRATOR_MODEL": "tiny", "NARRATOR_BASE_URL": base_url, "NARRATOR_API_KEY": ""}
    command = [sys.executable, "-m", "benchmarks._call"]
    done = subprocess.run(command, input=json.dumps(told), env=environment, stdout=-1, check=True, text=True)  # noqa: S603
    seconds: list[float] = json.loads(done.stdout)
    return seconds


def main() -> None:
    """Make the calls."""
    told = json.load(sys.stdin)
    print(json.dumps(asyncio.run(_on_a_loop(told)) if told["way"].startswith("a") else _blocking(told)))


def _blocking(told: dict[str, Any]) -> list[float]:
    if told.get("warm"):
        import narrator

        narrator.warm()
    seconds = []
    for _ in range(told["calls"]):
        started = time.perf_counter()
        if told["way"] == "sdk":
            for _chunk in _client().chat.completions.create(**told["body"]):
                pass
        else:
            import narrator

            narrator.suggest(told["request"], **_options(told))
        seconds.append(time.perf_counter() - started)
    return seconds


async def _on_a_loop(told: dict[str, Any]) -> list[float]:
    if told.get("warm"):
        import narrator

        await narrator.awarm()
    seconds = []
    for _ in range(told["calls"]):
        started = time.perf_counter()
        import narrator

        async for _event in narrator.astream(told["request"], **_options(told)):
            pass
        seconds.append(time.perf_counter() - started)
    return seconds


def _options(told: dict[str, Any]) -> dict[str, Any]:
    source = {"deck": "deck", "own": _Blocks(), None: None}[told.get("source")]
    return {"source": source, "timeout": told.get("timeout", 20.0)}


@cache
def _client() -> Any:
    import httpx2
    import openai

    http_client, base_url = httpx2.Client(trust_env=False), os.environ["NARRATOR_BASE_URL"]
    return openai.OpenAI(api_key="none", base_url=base_url, max_retries=0, http_client=http_client)


class _Blocks:
    """A caller's source that does not come back in time."""

    label = "own:blocks"

    def stream(self, brief: object, seconds: float) -> Iterator[str]:
        """Block."""
        time.sleep(60)
        yield ""


if __name__ == "__main__":
    main()
