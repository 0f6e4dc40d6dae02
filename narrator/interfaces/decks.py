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
from narrator.interfaces.options import Format, RulesetName, takes_groups
from narrator.interfaces.typed import flag
from narrator.render.plain import visible

if TYPE_CHECKING:
    from rich.progress import Progress

    from narrator.deck_making.checked import DeckJudged
    from narrator.deck_making.journal import Journal
    from narrator.deck_making.making import Making
    from narrator.deck_making.plan import Plan
    from narrator.render.lines import Page
    from narrator.rules.ruleset import Ruleset
    from narrator.sources.settings import Settings

MOST_CARDS = 2_000

app = typer.Typer(no_args_is_help=True, help="Decks of your own: make one of your notes, check one written by hand.")


@app.command()
def make(
    notes: Annotated[str, Argument(metavar="NOTES.md", help="Your notes of the setting: Markdown, or plain text.")],
    cards: Annotated[int, Option(min=1, max=MOST_CARDS, help="How many cards.")] = 200,
    out: Annotated[str | None, Option(metavar="FILE", help="The deck; left out: NOTES.deck.toml.")] = None,
    language: Annotated[str, Option(metavar="TAG", help="The language of the cards, such as de.")] = "en",
    model: Annotated[str | None, Option(help="Ask this model.  [env: NARRATOR_MODEL]")] = None,
    base_url: Annotated[str | None, Option(help="An OpenAI-compatible address.  [env: NARRATOR_BASE_URL]")] = None,
    max_tokens: Annotated[int | None, Option(min=1, help="Spend so many tokens at the most, then write.")] = None,
    yes: Annotated[bool, flag("--yes", help="Ask nothing, and begin.")] = False,
) -> None:
    """
    Ask a model for cards about your setting, check each, and write a deck. Stopped, it goes on where it was.
    """
    from narrator import house
    from narrator.api.asking import source_of
    from narrator.deck_making.making import Making
    from narrator.interfaces.answering import refusals
    from narrator.sources.budget import Budget, Budgeted

    with refusals(Format()):
        settings = _settings(model, base_url)
        plan = _plan(notes, cards, language)
        deck = _free(Path(out) if out is not None else Path(notes).with_suffix(".deck.toml"))
        source = source_of(settings)
        journal = _journal(deck, plan, source.label)
        making = Making(plan, source, house.decks(os.environ), journal)
        if making.ended is None:
            _agree(making, settings, notes, yes=yes)
        if max_tokens is not None:
            spent = making.tokens
            making.source = Budgeted(source, Budget(max(0, max_tokens - spent.input - spent.output)))
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
    """
    Judge a deck, such as one written by hand: what is wrong with which card, twins, and what is never dealt.
    """
    from narrator.deck_making.checked import judged
    from narrator.deck_making.sample import sample_of
    from narrator.interfaces.answering import refusals
    from narrator.render import surfaces
    from narrator.render.lines import Answered

    with refusals(how):
        rulesets = _rulesets(ruleset)
        place = "standard input" if file == "-" else visible(file)
        with _progress("checking") as progress:
            task = progress.add_task("cards", total=None)
            found = judged(
                _text(file, "bad_deck"),
                place,
                lambda language: sample_of(language, rulesets),
                lambda number: progress.update(task, completed=number),
            )
        surfaces.write(how.surface, Answered(found, lambda: _page(found)), sys.stdout)
        if found.wrong:
            raise typer.Exit(1)


def _settings(model: str | None, base_url: str | None) -> "Settings":
    from narrator.sources.settings import from_environment

    settings = from_environment(os.environ, model=model, base_url=base_url)
    if settings is None:
        message = "name a model that is to write, here, as NARRATOR_MODEL or in config.toml: the deck can make no deck"
        raise NarratorError("bad_request", "--model", message)
    return settings


def _free(deck: Path) -> Path:
    """
    Refuse, before anything is spent, a file that is there already or cannot be written.
    """
    place = visible(str(deck))
    if os.path.lexists(deck):
        raise NarratorError("bad_request", "--out", f"{place} is there already: move it, or name another file")
    if not deck.name or "\0" in deck.name or not os.access(deck.parent, os.W_OK):
        raise NarratorError("bad_request", "--out", f"{place} is no file that can be written: name one with --out")
    return deck


def _plan(notes: str, cards: int, language: str) -> "Plan":
    from narrator.deck_making.plan import Plan
    from narrator.deck_making.sample import sample_of

    text = _text(notes, "bad_request")
    try:
        return Plan(text, cards, sample_of(language), language)
    except NarratorError as error:
        field = {"notes": visible(notes), "scene.language": "--language"}.get(error.field, error.field)
        raise NarratorError(error.code, field, error.message, error.allowed) from None


def _text(file: str, code: Code) -> str:
    from narrator.interfaces.asked import read_text
    from narrator.rules.model import MOST_BYTES

    data = read_text(file)
    if len(data) > MOST_BYTES:
        raise NarratorError(code, visible(file), f"this is larger than {MOST_BYTES} bytes")
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
    """
    Say what is to be asked and what it may cost, and ask whether to go on.
    """
    plan, done = making.plan, len(making.cards)
    cost = plan.cost(making.calls, done)
    read = min(plan.calls, len(plan.pieces))
    pieces = f"{read} of the {len(plan.pieces)} pieces" if read < len(plan.pieces) else "all"
    lines = [
        f"{done} of {plan.cards} cards are there, after {_calls(making.calls)}." if making.calls else "",
        f"{plan.cards - done} cards by {pieces} of {notes}, from {settings.model} at {settings.host}:",
        f"  {_calls(cost.calls)}, {cost.most_calls} at the most where many cards are refused;",
        f"  about {cost.input_tokens:,} tokens in and {cost.output_tokens:,} out for {_calls(cost.calls)}",
        "  (estimated: 4 characters a token, 80 tokens a card); what one costs, whoever runs the model says.",
    ]
    print("\n".join(visible(each) for each in lines if each), file=sys.stderr)
    if yes:
        return
    if not _is_somebody_here():
        raise NarratorError("bad_request", "--yes", "nobody is here to be asked whether to go on: give --yes")
    if not typer.confirm("Go on?", err=True):
        raise typer.Exit(1)


def _is_somebody_here() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _make(making: "Making", journal: "Journal") -> None:
    """
    Ask until there is nothing more to ask.

    Raises:
        NarratorError: `no_words` where the source has no answer, and where nothing came of all its answers.
    """
    from narrator.sources.budget import SPENT
    from narrator.suggestions.source import SourceError

    with _progress("making") as progress:
        task = progress.add_task("cards", total=making.plan.cards, completed=len(making.cards))
        try:
            for _ in making.go_on():
                progress.update(task, completed=len(making.cards), description=f"cards, {_calls(making.calls)}")
        except SourceError as error:
            if error.reason != SPENT:
                kept = f"{len(making.cards)} of {making.plan.cards} cards are kept in {journal.path}"
                message = f"{error.reason}; {kept}, and the same command goes on from there"
                raise NarratorError("no_words", "", message) from None
            making.stop(error.reason)
    if not making.cards:
        journal.remove()
        raise NarratorError("no_words", "", f"no card came of it: {making.ended} (refused: {_refused(making)})")


def _write(making: "Making", deck: Path, model: str, kept: Path) -> None:
    from narrator.deck_making.writing import deck_text, put

    number, wanted = len(making.cards), making.plan.cards
    heading = [
        f"{number} cards, written by {model}, judged by narrator. Read them, edit them, delete what you do not want.",
        f"Deal them with --deck, or from the folder `decks`; `narrator deck check {deck.name}` judges them again.",
    ]
    put(deck, deck_text(making.cards, making.plan.forms, making.plan.language, heading), kept)
    tokens = making.tokens
    print(f"{number} cards in {visible(str(deck))}, of {_calls(making.calls)}, {tokens.input} + {tokens.output} tokens")
    print(f"refused: {_refused(making)}")
    if number < wanted:
        print(f"{number} in place of {wanted}: {making.ended}")


def _calls(number: int) -> str:
    return f"{number} call{'s' if number != 1 else ''}"


def _refused(making: "Making") -> str:
    return ", ".join(f"{number} {code}" for code, number in making.refused.most_common()) or "none"


def _rulesets(named: str | None) -> "tuple[Ruleset, ...]":
    """
    Those of the user's: the one that is named, and those in the config folder that can be read.
    """
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


def _page(found: "DeckJudged") -> "Page":
    from narrator.errors import quoted
    from narrator.render.lines import line

    number = f"{found.cards} card{'s' if found.cards != 1 else ''}"
    wrong = len({each.number for each in found.wrong})
    lines = [line((f"{wrong} OF {number} WRONG", "bad")) if wrong else line((f"{number}, NOTHING WRONG", "good"))]
    for each in found.wrong:
        place = f"card {each.number}" if each.line is None else f"line {each.line}"
        lines.append(line((place, "key"), f"  {each.code}: {each.message}", indent=2))
        lines += [line((quoted(each.card), "dim"), indent=4)] if each.card else []
    forms = ", ".join(f"{form} {count}" for form, count in found.forms.items())
    return (*lines, line(("forms: ", "dim"), forms or "none"))
