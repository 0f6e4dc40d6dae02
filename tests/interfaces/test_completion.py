"""Completion: what a shell offers while a command is typed."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from narrator.interfaces.commands import app
from tests.interfaces.running import HARBOUR


def completions(words: str, config: Path) -> list[str]:
    """What a shell would offer for the last word."""
    typed = words.split(" ")
    shell = {"_NARRATOR_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(typed) - 1)}
    ended = CliRunner().invoke(app, prog_name="narrator", env={**shell, "NARRATOR_CONFIG": str(config)})
    assert ended.stderr == ""
    return ended.stdout.split()


COMPLETED = [
    ("narrator suggest ov", ["overcome"]),
    ("narrator table d", ["defend", "discover"]),
    ("narrator odds par", ["parley"]),
    ("narrator suggest overcome --ruleset base", ["base-actions"]),
    ("narrator table overcome --ruleset harb", ["harbour-nights"]),
    ("narrator res", ["resolve"]),
    ("narrator settle --format ma", ["markdown"]),
]


@pytest.mark.parametrize(("words", "offered"), COMPLETED, ids=[words for words, _ in COMPLETED])
def test_a_shell_completes_actions_rulesets_and_formats(words: str, offered: list[str], tmp_path: Path) -> None:
    """Those of the user's own rulesets too, and every surface there is."""
    folder = tmp_path / "rulesets"
    folder.mkdir()
    (folder / "harbour-nights.toml").write_text(HARBOUR.read_text("utf-8"), "utf-8")

    assert offered == completions(words, tmp_path)


def test_a_broken_ruleset_does_not_break_completion(tmp_path: Path) -> None:
    """No shell prints a traceback into the line that is being typed."""
    folder = tmp_path / "rulesets"
    folder.mkdir()
    (folder / "broken.toml").write_text("name = \n", "utf-8")

    assert completions("narrator suggest over", tmp_path) == ["overcome"]
