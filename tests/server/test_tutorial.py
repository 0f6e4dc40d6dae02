"""The HTTP part of the tutorial works as it is typed: its server, its request, and what it shows of the answer."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.server.running import Serving

PAGE = Path(__file__).parents[2] / "docs/tutorials/write-macros.md"
HTTP = PAGE.read_text("utf-8").partition("## Ask over HTTP\n")[2].partition("\n## ")[0]


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.skipif(shutil.which("sh") is None, reason="there is no POSIX shell")
def test_the_request_over_http_gives_what_the_page_shows(tmp_path: Path) -> None:
    """The server starts with the page's words, on a free port, and keeps its token where the page reads it."""
    serve, ask = re.findall(r"^```sh\n(.*?)^```", HTTP, re.DOTALL | re.MULTILINE)
    (shown,) = re.findall(r"^```json\n(.*?)^```", HTTP, re.DOTALL | re.MULTILINE)
    program, command, *words = serve.split()
    assert (program, command) == (".venv/bin/narrator", "serve")
    assert "http://127.0.0.1:8717/" in ask

    data = tmp_path / ".local/share/narrator"
    data.mkdir(parents=True)
    with Serving(data, *words) as serving:
        typed = ask.replace(":8717/", f":{serving.port}/")
        outside = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
        environment = {**outside, "HOME": str(tmp_path)}
        done = subprocess.run(["sh", "-euc", typed], capture_output=True, env=environment, timeout=60, check=False)

    assert done.returncode == 0, done.stderr.decode()
    answer = json.loads(done.stdout)
    assert has(answer, json.loads(shown)), f"{PAGE.name} shows other words: replace its JSON by parts of {answer}"


def has(whole: Any, part: Any) -> bool:
    """Whether every field and item of a part is in the whole; of a list, its first items."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(name in whole and has(whole[name], part[name]) for name in part)
    if isinstance(part, list):
        return isinstance(whole, list) and len(whole) >= len(part) and all(map(has, whole, part))
    return bool(whole == part)
