"""Findings: each says what was checked, its state and a cure. A check that fails doesn't stop the others."""

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from narrator.errors import NarratorError
from narrator.rules.model import Model

State = Literal["ok", "wrong", "warning", "not used"]
Check = Iterator[tuple[State, str, *tuple[str, ...]]]
"""What a check says about each thing: its state, a short text and perhaps a cure."""


class Finding(Model):
    """The result of checking one thing. `more` has further lines to print."""

    check: str
    state: State
    text: str
    cure: str | None = None
    more: tuple[str, ...] = ()


class Findings(Model):
    """All findings."""

    items: tuple[Finding, ...]


_CURES = {"bad_campaign": "if another program is writing there, wait for it or end it; otherwise go on from a backup"}


def findings(checks: Mapping[str, Callable[[], Check]]) -> Iterator[Finding]:
    """Run the checks, one after another."""
    for name, check in checks.items():
        try:
            for state, text, *cure in check():
                yield Finding(check=name, state=state, text=text, cure="".join(cure) or None)
        except NarratorError as error:
            yield Finding(check=name, state="wrong", text=str(error), cure=_CURES.get(error.code, "correct that"))
        except Exception as error:  # its message may contain anything
            text = f"the check itself failed ({type(error).__name__})"
            yield Finding(check=name, state="wrong", text=text, cure="please report this: it is a fault in narrator")
