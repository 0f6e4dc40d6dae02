"""The commands for decks of a table's own: `deck make` and `deck check`."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from narrator.errors import Code, NarratorError
from narrator.interfaces.options import Format, RulesetName, Server, takes_groups
from narrator.interfaces.typed import flag
from narrator.render.plain import visible

if TYPE_CHECKING:
    from rich.progress import Progress

    from narrator.deck_making.journal import Journal
    from narrator.deck_making.making import Making
    from narrator.deck_making.plan import Plan
    from narrator.rules.ruleset import Ruleset
    from narrator.sources.settings import Settings

MOST_CARDS = 2_000

app = typer.Typer(no_args_is_help=True, help="Decks of your own: make one of your notes, check one written by hand.")


@app.command()
@takes_groups
def make(
    *,
    notes: Annotated[str, Argument(metavar="NOTES.md", help="Your notes of the setting: Markdown, or plain text.")],
    cards: Annotated[int, Option(min=1, max=MOST_CARDS, help="How many cards.")] = 200,
    out: Annotated[str | None, Option(metavar="FILE", help="The deck; left out: NOTES.deck.toml.")] = None,
    language: Annotated[str, Option(metavar="TAG", help="The language of the cards, such as de.")] = "en",
    server: Server,
    yes: Annotated[bool, flag("--yes", help="Ask nothing, and begin.")] = False,
) -> None:
    """Ask a model for cards about your setting, check each, and write a deck. Stopped, it goes on where it was."""
    from narrator import house
    from narrator.api.asking import source_of
    from narrator.deck_making.making import Making
    from narrator.files import locked
    from narrator.interfaces.answering import refusals
    from narrator.interfaces.asking import within
    from narrator.interfaces.long_runs import free, stoppable

    with refusals(Format()):
        settings = _settings(server)
        plan = _plan(notes, cards, language)
        deck = free(out if out is not None else str(Path(notes).with_suffix(".deck.toml")), "--out")
        source = source_of(settings)
        with locked(deck, patience=0):
            journal = _journal(deck, plan, source.label)
            spent = journal.tokens.input + journal.tokens.output
            making = Making(plan, within(server.max_tokens, source, spent), house.decks(os.environ), journal)
            if making.ended is None:
                _agree(making, settings, notes, yes=yes)
            with stoppable(lambda: _kept(making, journal)):
                _make(making, journal)
            _write(making, deck, settings.model, journal.path)
            journal.remove()


@app.command()
@takes_groups
def check(
    how: Format,
    file: Annotated[str, Argument(metavar="FILE", help="A deck; - is standard input.")],
    ruleset: RulesetName = None,
) -> None:
    """Judge a deck, such as one written by hand: what is wrong with which card, twins, and what is never dealt."""
    from narrator.deck_making.checked import judged
    from narrator.deck_making.page import page
    from narrator.deck_making.sample import sample_of
    from narrator.interfaces.answering import refusals
    from narrator.interfaces.asked import place_of
    from narrator.render import surfaces
    from narrator.render.lines import Answered

    with refusals(how):
        rulesets = _rulesets(ruleset)
        place = place_of(file)
        with _progress("checking") as progress:
            task = progress.add_task("cards", total=None)
            found = judged(
                _text(file, "bad_deck"),
                place,
                lambda language: sample_of(language, rulesets),
                lambda number: progress.update(task, completed=number),
            )
        surfaces.write(how.surface, Answered(found, lambda: tuple(page(found))), sys.stdout)
        if found.wrong:
            raise typer.Exit(1)


def _settings(server: Server) -> "Settings":
    from narrator.interfaces.asking import settings_of

    settings = settings_of(server)
    if settings is None:
        message = "name a model that is to write, here, as NARRATOR_MODEL or in config.toml: the deck can make no deck"
        raise NarratorError("bad_request", "--model", message)
    return settings


def _plan(notes: str, cards: int, language: str) -> "Plan":
    from narrator.deck_making.plan import Plan
    from narrator.deck_making.sample import sample_of

    if notes == "-":
        raise NarratorError(
            "bad_request", "NOTES.md", "name a file: what is made of standard input cannot be gone on with"
        )
    text = _text(notes, "bad_request")
    try:
        return Plan(text, cards, sample_of(language), language)
    except NarratorError as error:
        field = {"notes": visible(notes), "scene.language": "--language"}.get(error.field, error.field)
        raise NarratorError(error.code, field, error.message, error.allowed) from None


def _text(file: str, code: Code) -> str:
    from narrator.interfaces.asked import read_text

    data = read_text(file, code=code)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NarratorError(code, f"{visible(file)}:{line}", "this is not UTF-8") from None


def _journal(deck: Path, plan: "Plan", model: str) -> "Journal":
    from narrator.deck_making.journal import Journal

    asked: dict[str, str | int] = {"notes": plan.digest, "cards": plan.cards, "language": plan.language, "model": model}
    return Journal(deck.with_suffix(".part.jsonl"), asked)


def _agree(making: "Making", settings: "Settings", notes: str, *, yes: bool) -> None:
    """Say what is to be asked and what it may cost, and ask whether to go on."""
    from narrator.deck_making.page import agreement

    print("\n".join(map(visible, agreement(making, notes, settings.model, settings.host))), file=sys.stderr)
    if yes:
        return
    if not _is_somebody_here():
        raise NarratorError("bad_request", "--yes", "nobody is here to be asked whether to go on: give --yes")
    if not typer.confirm("Go on?", err=True):
        raise typer.Exit(1)


def _is_somebody_here() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _make(making: "Making", journal: "Journal") -> None:
    """Ask until there is nothing more to ask.

    Raises:
        NarratorError: `no_words` where the source has no answer, and where nothing came of all its answers.
    """
    from narrator.deck_making.page import refused
    from narrator.render.words import count
    from narrator.suggestions.source import SourceError

    with _progress("making") as progress:
        task = progress.add_task("cards", total=making.plan.cards, completed=len(making.cards))
        try:
            for _ in making.go_on():
                calls = count(making.calls, "call")
                progress.update(task, completed=len(making.cards), description=f"cards, {calls}")
        except SourceError as error:
            raise NarratorError("no_words", "", f"{error.reason}; {_kept(making, journal)}") from None
    if not making.cards:
        journal.remove()
        raise NarratorError("no_words", "", f"no card came of it: {making.ended} (refused: {refused(making)})")


def _kept(making: "Making", journal: "Journal") -> str:
    from narrator.interfaces.long_runs import going_on

    if not journal.entries:
        return "nothing was made yet"
    return going_on(f"{len(making.cards)} of {making.plan.cards} cards are kept in {journal.path}")


def _write(making: "Making", deck: Path, model: str, kept: Path) -> None:
    from narrator.deck_making.page import heading, outcome
    from narrator.deck_making.writing import deck_text, put

    text = deck_text(making.cards, making.plan.forms, making.plan.language, heading(making, model, deck.name))
    put(deck, text, kept)
    print("\n".join(outcome(making, visible(str(deck)))))


def _rulesets(named: str | None) -> "tuple[Ruleset, ...]":
    """Those of the user's: the one that is named, and those in the config folder that can be read."""
    from narrator.interfaces.asked import known_rulesets, ruleset_of
    from narrator.rules.loading import is_packaged

    own = [each for each in known_rulesets()[0] if not is_packaged(each.name)]
    return (*((ruleset_of(named),) if named is not None else ()), *own)


@contextmanager
def _progress(doing: str) -> "Iterator[Progress]":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    told = (MofNCompleteColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    console = Console(stderr=True)
    # Where nobody watches, the last line says all.
    is_off = not console.is_terminal
    with Progress(TextColumn(doing), BarColumn(), *told, console=console, transient=True, disable=is_off) as progress:
        yield progress
