"""Has a deck made by a scripted model, as one does at the command line."""

from pathlib import Path

from tests.interfaces.running import Ended, run
from tests.scripted_server import ScriptedServer, Step

CARDS = 40
CALLS = 40
"""More than a run takes."""


def words_for(notes: Path, server: ScriptedServer, *more: str) -> tuple[str, ...]:
    """What is typed to have a deck made."""
    return ("deck", "make", str(notes), "--model", "tiny", "--base-url", server.base_url, "--cards", str(CARDS), *more)


def make(notes: Path, *steps: Step, more: tuple[str, ...] = ("--yes",)) -> tuple[Ended, ScriptedServer]:
    """Have a deck made by a model that answers so."""
    with ScriptedServer(*steps) as server:
        return run(*words_for(notes, server, *more)), server


def deck_of(notes: Path) -> Path:
    """Where the deck is written."""
    return notes.with_name("notes.deck.toml")


def journal_of(notes: Path) -> Path:
    """Where a run keeps what it has."""
    return notes.with_name("notes.deck.part.jsonl")
