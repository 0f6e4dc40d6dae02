"""The commands and programs that README and docs show: finds and runs them.

With `-m` it writes their output anew, the list of rulesets and the reference (`make pages`).
"""

import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill

import pytest
from typer.testing import CliRunner

from docs.reference import reference
from narrator.cli.commands import app
from narrator.rules.ruleset.loader import packaged, packaged_ruleset

ROOT = Path(__file__).parent.parent
PAGES = ("README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md")))
COMMAND = ".venv/bin/narrator"

_BLOCK = re.compile(r"^```(console|python|json|text)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_RULESETS = re.compile(r"^(<!-- rulesets -->\n).*?^(<!-- end of rulesets -->)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Shown:
    """A command as a page shows it, and what it says that it prints."""

    command: str
    output: str

    @property
    def text(self) -> str:
        """The two as they stand on the page."""
        return f"$ {self.command}\n{self.output}"


def blocks(page: str, language: str) -> list[str]:
    """The blocks of a page that are written in a language."""
    found = _BLOCK.findall((ROOT / page).read_text("utf-8"))
    return [text for kind, text in found if kind == language]


def sessions(page: str) -> Iterator[Shown]:
    """Every command of a page, in order."""
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield Shown(command, output)


def run(command: str, folder: Path) -> str:
    """Run a command of a page in a folder, with pages of 80 columns; narrator's own in this process, as its script
    would. To one that `printf` types for, all is shown that a terminal would show.
    """
    program, *words = shlex.split(command)
    typed = None
    with chdir(folder):
        if program == "printf":
            typed, bar, program, *words = words
            assert (bar, program) == ("|", COMMAND), f"a page shows the command {command}"
            typed = typed.replace("\\n", "\n")
        if program != COMMAND:
            assert program in ("cat", "cp"), f"a page shows the command {program}"
            return subprocess.run([program, *words], capture_output=True, encoding="utf-8", check=True).stdout
        env = {"COLUMNS": "80", "NO_COLOR": "1", "NARRATOR_DATA": str(folder / "data")}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("narrator.campaign.store.now", lambda: "2027-03-05T20:15:00+00:00")
            done = CliRunner().invoke(app, words, typed, prog_name="narrator", env=env)
    assert done.exit_code == 0, f"{command}\n{done.output}"
    assert typed or not done.stderr, f"{command}\n{done.stderr}"
    return done.output


def checkout(folder: Path) -> Path:
    """Copy into a folder what the commands of the pages use of a checkout: they may write files there."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    return folder


def with_rulesets(text: str) -> str:
    """The text of a page, with all rulesets where it lists them."""
    told = [f"`{name}` ({packaged_ruleset(name).title})" for name in packaged()]
    listed = fill(f"{', '.join(told[:-1])}, and {told[-1]}.", 120, break_on_hyphens=False)
    return _RULESETS.sub(lambda found: f"{found[1]}{listed}\n{found[2]}", text)


def rewrite(page: str) -> None:
    """Write the output of a page's commands anew, and the list of rulesets where it has one."""
    text = with_rulesets((ROOT / page).read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        place = checkout(Path(folder))
        for shown in sessions(page):
            printed = run(shown.command, place).rstrip()
            text = text.replace(shown.text, Shown(shown.command, f"{printed}\n" if printed else "").text)
    write(page, text)


def write(page: str, text: str) -> None:
    """Put a whole page in the place of what is there."""
    made = ROOT / f"{page}.new"
    made.write_text(text, "utf-8")
    made.replace(ROOT / page)


if __name__ == "__main__":
    write("docs/reference.md", f"{reference()}\n")
    for each in PAGES:
        rewrite(each)
