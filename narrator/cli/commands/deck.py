"""The commands for decks of a table's own: `deck make` and `deck check`."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from typer import Argument, Option

from narrator import config
from narrator.api.requests import known_rulesets
from narrator.cli.inputs import file_name, read_text
from narrator.cli.long_run import free, going_on, stoppable
from narrator.cli.options import Format, RulesetName, ServerOptions, takes_groups
from narrator.cli.output import refusals
from narrator.cli.typed_names import ruleset_of
from narrator.cli.word_source import budgeted, settings_of
from narrator.deck_maker.maker import DeckMaker, deck_text
from narrator.deck_maker.plan import Plan
from narrator.deck_maker.review import review, review_view
from narrator.deck_maker.sample_scenes import sample_of
from narrator.errors import ErrorCode, GoWithoutError, NarratorError, RequestError, visible
from narrator.files.atomic import create, locked
from narrator.files.deck_journal import DeckJournal, DeckOrder
from narrator.render import surfaces
from narrator.render.phrases import count
from narrator.render.view import Answered
from narrator.rules.ruleset.loader import is_packaged
from narrator.sources.selection import source_of
from narrator.sources.settings import Settings
from narrator.suggestions.source.protocol import SourceError

MOST_CARDS = 2_000

command = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Make a deck of your own cards from notes, or check one that you wrote.",
)


@command.command()
@takes_groups
def make(
    *,
    notes: Annotated[
        str, Argument(metavar="NOTES.md", help="Your notes about the setting, as Markdown or plain text.")
    ],
    cards: Annotated[int, Option(min=1, max=MOST_CARDS, help="How many cards to make.")] = 200,
    out: Annotated[
        str | None, Option(metavar="FILE", help="The file for the deck, by default NOTES.deck.toml.")
    ] = None,
    language: Annotated[str, Option(metavar="TAG", help="The language of the cards, such as de.")] = "en",
    server: ServerOptions,
    yes: Annotated[bool, Option("--yes", metavar="", help="Begin without asking.")] = False,
) -> None:
    """Let a model write cards about your setting, check each, and save a deck. If you stop it, it continues later."""
    with refusals(Format()):
        settings = settings_of(server)
        if settings is None:
            message = "name the model that shall write the cards: here, as NARRATOR_MODEL, or in config.toml"
            raise RequestError("bad_request", "--model", message)
        plan = _plan(notes, cards, language)
        deck = free(out if out is not None else str(Path(notes).with_suffix(".deck.toml")), "--out")
        source = source_of(settings)
        with locked(deck, patience=0):
            asked = DeckOrder(notes=plan.digest, cards=cards, language=plan.language, model=source.label)
            journal = DeckJournal(deck.with_suffix(".part.jsonl"), asked)
            spent = journal.tokens.input + journal.tokens.output
            making = DeckMaker(plan, budgeted(server.max_tokens, source, spent), config.decks(os.environ), journal)
            if making.ended is None:
                _agree(making, settings, notes, yes=yes)
            with stoppable(lambda: _kept(making, journal)):
                _make(making, journal)
            _write(making, journal, deck, settings.model)
            journal.path.unlink(missing_ok=True)


@command.command()
@takes_groups
def check(
    how: Format,
    file: Annotated[str, Argument(metavar="FILE", help="The deck, or - for standard input.")],
    ruleset: RulesetName = None,
) -> None:
    """Check a deck that you wrote: wrong cards, cards that say the same, and cards that are never dealt."""
    with refusals(how):
        named = () if ruleset is None else (ruleset_of(ruleset),)
        rulesets = (*named, *(each for each in known_rulesets()[0] if not is_packaged(each.name)))
        with _progress("checking") as progress:
            task = progress.add_task("cards", total=None)
            found = review(
                _text(file, "bad_deck"),
                file_name(file),
                lambda language: sample_of(language, rulesets),
                lambda number: progress.update(task, completed=number),
            )
        surfaces.write(how.surface, Answered(found, lambda: tuple(review_view(found))), sys.stdout)
        if found.wrong:
            raise typer.Exit(1)


def _plan(notes: str, cards: int, language: str) -> Plan:
    if notes == "-":
        message = "name a file: a deck from standard input could not be continued later"
        raise RequestError("bad_request", "NOTES.md", message)
    text = _text(notes, "bad_request")
    try:
        return Plan(text, cards, sample_of(language), language)
    except NarratorError as error:
        field = {"notes": visible(notes), "scene.language": "--language"}.get(error.field, error.field)
        raise RequestError(error.code, field, error.message, error.allowed) from None


def _text(file: str, code: ErrorCode) -> str:
    data = read_text(file, code=code)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RequestError(code, f"{visible(file)}:{line}", "this is not UTF-8") from None


def _agree(making: DeckMaker, settings: Settings, notes: str, *, yes: bool) -> None:
    """Say what is to be asked and what it may cost, and ask whether to go on."""
    print("\n".join(map(visible, making.agreement(notes, settings.model, settings.host))), file=sys.stderr)
    if yes:
        return
    if not _is_somebody_here():
        raise RequestError(
            "bad_request", "--yes", "this would ask you whether to go on, but there is no terminal: give --yes"
        )
    if not typer.confirm("Go on?", err=True):
        raise typer.Exit(1)


def _is_somebody_here() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _make(making: DeckMaker, journal: DeckJournal) -> None:
    """Ask until nothing is left to ask; `no_words` where the source has no answer, and where no answer was of use."""
    with _progress("making") as progress:
        task = progress.add_task("cards", total=making.plan.cards, completed=len(making.cards))
        try:
            for _ in making.go_on():
                calls = count(making.calls, "call")
                progress.update(task, completed=len(making.cards), description=f"cards, {calls}")
        except SourceError as error:
            raise GoWithoutError("no_words", "", f"{error.reason}; {_kept(making, journal)}") from None
    if not making.cards:
        journal.path.unlink(missing_ok=True)
        raise GoWithoutError("no_words", "", f"no card was accepted: {making.ended} (refused: {making.refused})")


def _kept(making: DeckMaker, journal: DeckJournal) -> str:
    if not journal.entries:
        return "no card was made yet"
    return going_on(f"{len(making.cards)} of {making.plan.cards} cards are kept in {journal.path}")


def _write(making: DeckMaker, journal: DeckJournal, deck: Path, model: str) -> None:
    text = deck_text(making.cards, making.plan.forms, making.plan.language, making.heading(model, deck.name))
    try:
        create(deck, text.encode())
    except NarratorError as error:
        message = f"{error.message}; {_kept(making, journal)}"
        raise RequestError(error.code, error.field, visible(message)) from None
    print("\n".join(making.outcome(visible(str(deck)))))


@contextmanager
def _progress(doing: str) -> Iterator[Progress]:
    told = (MofNCompleteColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    console = Console(stderr=True)
    # Where nobody watches, the last line says all.
    is_off = not console.is_terminal
    with Progress(TextColumn(doing), BarColumn(), *told, console=console, transient=True, disable=is_off) as progress:
        yield progress
