"""What was found, a line for each thing: how it stands, and the cure; a check that fails ends no other."""

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from narrator.errors import NarratorError
from narrator.rules.model import Model

State = Literal["ok", "wrong", "warning", "not used"]
Check = Iterator[tuple[State, str, *tuple[str, ...]]]
"""What a check says of each thing: how it stands, in a few words, and the cure where there is one."""


class Finding(Model):
    """What was found of one thing, and what there is to read of it."""

    check: str
    state: State
    text: str
    cure: str | None = None
    more: tuple[str, ...] = ()


class Findings(Model):
    """All that was found."""

    items: tuple[Finding, ...]


_CURES = {"bad_campaign": "if somebody writes there, wait for them, or end that program; else go on from a backup"}


def findings(checks: Mapping[str, Callable[[], Check]]) -> Iterator[Finding]:
    """Make the checks, one after another."""
    for name, check in checks.items():
        try:
            for state, text, *cure in check():
                yield Finding(check=name, state=state, text=text, cure="".join(cure) or None)
        except NarratorError as error:
            yield Finding(check=name, state="wrong", text=str(error), cure=_CURES.get(error.code, "mend what is named"))
        except Exception as error:  # its message may hold anything
            text = f"the check itself failed ({type(error).__name__})"
            yield Finding(check=name, state="wrong", text=text, cure="tell narrator's makers: it should not")
