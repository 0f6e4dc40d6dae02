"""What the README shows is what one gets."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SESSION = re.compile(r"```console\n(.*?)```", re.DOTALL)
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


def sessions(page: str) -> list[tuple[str, str]]:
    """
    The commands of a page's console blocks, and what it says they print.
    """
    blocks = SESSION.findall((ROOT / page).read_text("utf-8"))
    return [(block.split("\n", 1)[0].removeprefix("$ "), block.split("\n", 1)[1]) for block in blocks]


def run(command: str) -> str:
    """
    Run a command of the README as a reader would, with pages of 80 columns.
    """
    program, *arguments = shlex.split(command)
    assert program == "narrator"
    done = subprocess.run(
        [sys.executable, "-m", "narrator", *arguments],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "80", "NO_COLOR": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize(("command", "shown"), sessions("README.md"), ids=lambda value: value.split("\n")[0][:60])
def test_readme_shows_what_the_command_prints(command: str, shown: str) -> None:
    """The output in the README is the command's own, to the letter."""
    assert run(command).rstrip() == shown.rstrip()


@pytest.mark.parametrize("code", PYTHON.findall((ROOT / "README.md").read_text("utf-8")))
def test_python_of_the_readme_runs(code: str) -> None:
    """The Python in the README runs, and gives an answer rather than an error."""
    names: dict[str, dict[str, object]] = {}
    exec(code, names)

    assert "error" not in names["answer"]


if __name__ == "__main__":
    text = (ROOT / "README.md").read_text("utf-8")
    for command, shown in sessions("README.md"):
        text = text.replace(f"$ {command}\n{shown}```", f"$ {command}\n{run(command)}```")
    (ROOT / "README.md").write_text(text, "utf-8")
