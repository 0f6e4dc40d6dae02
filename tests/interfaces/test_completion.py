"""Completion: what a shell offers while a command is typed."""

from pathlib import Path
from shutil import copy

import pytest
from typer.testing import CliRunner

from narrator.cli.commands import app
from tests.interfaces.running import HARBOUR


def completions(words: str, config: Path) -> list[str]:
    """What a shell would offer for the last word."""
    typed = words.split(" ")
    shell = {"_NARRATOR_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(typed) - 1)}
    ended = CliRunner().invoke(app, prog_name="narrator", env={**shell, "NARRATOR_CONFIG": str(config)})
    assert ended.stderr == ""
    return ended.stdout.split()


COMPLETED = {
    "suggest ov": ["overcome"],
    "table d": ["defend", "discover"],
    "odds par": ["parley"],
    "table overcome --ruleset harb": ["harbour-nights"],
    "res": ["resolve"],
    "settle --format ma": ["markdown"],
}


@pytest.mark.parametrize("typed", COMPLETED)
def test_a_shell_completes_actions_rulesets_and_formats(typed: str, tmp_path: Path) -> None:
    """Those of the user's own rulesets too, and every surface there is."""
    (tmp_path / "rulesets").mkdir()
    copy(HARBOUR, tmp_path / "rulesets")

    assert completions(f"narrator {typed}", tmp_path) == COMPLETED[typed]


def test_a_broken_ruleset_does_not_break_completion(tmp_path: Path) -> None:
    """No shell prints a traceback into the line that is being typed."""
    folder = tmp_path / "rulesets"
    folder.mkdir()
    (folder / "broken.toml").write_text("name = \n", "utf-8")

    assert completions("narrator suggest over", tmp_path) == ["overcome"]
