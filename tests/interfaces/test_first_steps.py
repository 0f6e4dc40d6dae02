"""What somebody sees who types `narrator` and nothing more, or has just run the demo."""

import re
import sys

import pytest

from tests.interfaces.running import Ended, run

STEP = re.compile(r"^  [A-Z][\w ]+: +(\S+) (.+)$", re.MULTILINE)


def steps(ran: Ended) -> list[tuple[str, str]]:
    """The commands that it shows: the program, and the words behind it."""
    assert (ran.code, ran.err) == (0, "")
    return STEP.findall(ran.out)


def test_the_program_alone_says_in_five_lines_what_to_do() -> None:
    """One line on what it is, then a command for each way to use it, in lines that fit a terminal."""
    told = run().out.splitlines()

    assert len(told) == 5
    assert max(map(len, told)) <= 80
    assert len(steps(run())) == 4


@pytest.mark.parametrize("words", [words for _, words in steps(run())])
def test_each_step_is_a_command_that_is_there(words: str) -> None:
    """With options that it has."""
    name, *options = words.split()
    help_text = run(*([] if name.startswith("-") else [name]), "--help")

    assert help_text.code == 0
    assert all(option in help_text.out for option in options)


def test_the_demo_ends_with_the_same_steps() -> None:
    """So that nobody has to look for what comes next."""
    assert steps(run("demo")) == steps(run())


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        (".venv/bin/narrator", ".venv/bin/narrator"),
        ("/home/ann/.local/bin/narrator", "narrator"),
        ("narrator", "narrator"),
    ],
)
def test_the_steps_can_be_typed_as_they_stand(typed: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that was started by its path in a folder is shown by that path."""
    monkeypatch.setattr(sys, "argv", [typed])

    assert {program for program, _ in steps(run())} == {shown}
