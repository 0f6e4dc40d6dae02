"""What type checkers know of the public names, where narrator is installed as it is for its users."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.leaping import DEADLINE

ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".mypy_cache" / "of_users"

WRONG = """\
import narrator
from narrator import Sceen

print(narrator.Sceen, Sceen)
"""

Complaint = tuple[str, int, str]
"""File, line, message."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A user's project: every call written well, and a name misspelt."""
    shutil.copy(ROOT / "tests" / "typing" / "api.py", tmp_path)
    (tmp_path / "wrong.py").write_text(WRONG, "utf-8")
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}', "utf-8")
    return tmp_path


def _run(*arguments: str | Path, cwd: Path) -> str:
    without = {name: value for name, value in os.environ.items() if name not in ("MYPYPATH", "PYTHONPATH")}
    command = [sys.executable, "-m", *arguments, "api.py", "wrong.py"]
    ran = subprocess.run(command, cwd=cwd, env=without, capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    return ran.stdout


def _mypy(project: Path) -> list[Complaint]:
    said = _run("mypy", "--strict", "--config-file=", "--output=json", f"--cache-dir={CACHE}", cwd=project)
    each = [json.loads(line) for line in said.splitlines()]
    return [(one["file"], one["line"], one["message"]) for one in each if one["severity"] == "error"]


def _pyright(project: Path) -> list[Complaint]:
    said = _run("pyright", "--outputjson", f"--pythonpath={sys.executable}", cwd=project)
    each = json.loads(said)["generalDiagnostics"]
    return [
        (Path(one["file"]).name, one["range"]["start"]["line"] + 1, one["message"])
        for one in each
        if one["severity"] == "error"
    ]


NODE = pytest.mark.skipif(shutil.which("node") is None, reason="pyright runs on node, which is not installed")


@pytest.mark.full
@pytest.mark.parametrize("complaints_of", [_mypy, pytest.param(_pyright, marks=NODE)], ids=["mypy", "pyright"])
def test_type_checkers_know_the_public_names(complaints_of: Callable[[Path], list[Complaint]], project: Path) -> None:
    """Where strict, and with no plugin, they find the types that a user counts on, and a name that is misspelt."""
    complaints = complaints_of(project)

    assert [each for each in complaints if each[0] != "wrong.py"] == []
    assert {line for _, line, message in complaints if "Sceen" in message} == {2, 4}
