"""Windows, as far as it can be tried on another system: its files, its letters, and what its Python does not have."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from narrator.campaign.folder import file_of
from narrator.errors import NarratorError
from tests.interfaces import running
from tests.leaping import DEADLINE

ROOT = Path(__file__).parents[1]

MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")
CALLS = (
    *("chown", "fchmod", "fchown", "fork", "forkpty", "getpgid", "getuid", "killpg", "mkfifo", "openpty", "setsid"),
    *("sysconf", "uname", "O_NONBLOCK", "O_CLOEXEC"),
)
"""Of the module `os`."""

LIKE_WINDOWS = f"""
import os, sys
for name in {MODULES!r}:
    sys.modules[name] = None
for name in {CALLS!r}:
    # The libraries for this system ask who the user is.
    if name != "getuid":
        delattr(os, name) if hasattr(os, name) else None
"""

REQUEST = {"action": {"type": "overcome", "actor": "Zoë", "outcome": "fail"}, "deal": 1}


def test_a_campaign_is_played_without_what_windows_lacks(tmp_path: Path) -> None:
    """Begin, roll, settle, look back and take back, with the letters of a Western Windows, in a path with blanks."""
    (tmp_path / "sitecustomize.py").write_text(LIKE_WINDOWS)
    place = {"NARRATOR_DATA": str(tmp_path / "My Games"), "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    environment = {**os.environ, **place, "PYTHONIOENCODING": "cp1252"}

    def typed(words: str, given: str = "") -> str:
        command = [sys.executable, "-m", "narrator", *words.split()]
        ran = subprocess.run(
            command, input=given.encode(), env=environment, capture_output=True, check=False, timeout=DEADLINE
        )
        assert (ran.returncode, ran.stderr) == (0, b""), words
        return ran.stdout.decode("cp1252")

    typed("use harbour --new")
    typed("move enter --name Zoë")
    assert "ZOË" in typed("suggest overcome --actor Zoë --fail --deal 1")
    typed("settle f")
    assert "Zoë" in typed("log")
    typed("undo")
    assert json.loads(typed("vtt", json.dumps({"call": "suggest", "request": REQUEST})))["suggestions"]


def test_nothing_is_imported_that_windows_lacks() -> None:
    """Neither a module nor a call of `os` that only other systems have, but where the code asks whether it is there."""
    found = []
    for path in sorted((ROOT / "narrator").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
                names += [node.attr] if node.attr in CALLS else []
            found += [(path.name, name) for name in names if name in (*MODULES, *CALLS)]

    assert found == []


@pytest.mark.parametrize("name", ["con", "NUL", "aux", "com1", "LPT9", "a:b", "a/b", "a\\b", "end.", "end "])
def test_a_campaign_has_a_name_that_every_system_takes(name: str) -> None:
    """So that its file can be carried from one machine to another."""
    with pytest.raises(NarratorError) as refused:
        file_of(name, {})

    assert refused.value.field == "name"


@pytest.mark.parametrize("name", ["console", "Nulltown", "harbour", "com10"])
def test_a_name_that_only_begins_like_a_device_is_one(name: str) -> None:
    """What Windows keeps for itself is the whole name."""
    assert file_of(name, {}).stem == name


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-8-sig"])
def test_a_file_that_powershell_wrote_is_read(encoding: str, tmp_path: Path) -> None:
    """Its older versions write UTF-16 with a mark, its newer ones UTF-8, some with a mark."""
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    (tmp_path / "scene.json").write_bytes(
        f"{mark}{json.dumps({'request': REQUEST}, ensure_ascii=False)}".encode(encoding)
    )

    assert "ZOË" in running.run("suggest", str(tmp_path / "scene.json")).out
