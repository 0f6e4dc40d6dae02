"""The commands: what each takes, and the call that it makes. What does the work is loaded for the one that is made."""

import json
import os
import sys
from contextlib import nullcontext
from dataclasses import replace
from io import TextIOWrapper
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

import narrator
from narrator.errors import NarratorError
from narrator.interfaces.decks import app as decks_app
from narrator.interfaces.evaluating import evaluate
from narrator.interfaces.options import (
    SCHEMAS,
    WORDS,
    Commands,
    File,
    Format,
    Letters,
    RulesetName,
    Seed,
    What,
    Writer,
    actions,
    one_of,
    takes_groups,
)
from narrator.interfaces.typed import TypedAction, TypedChoice, TypedTurns, flag
from narrator.render import surfaces
from narrator.render.plain import visible_lines
from narrator.shipped import shipped

if TYPE_CHECKING:
    from narrator.interfaces.asked import Asked

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Words for Fate: the rules decide each action, a language model only words, a validator checks every word.",
)
app.add_typer(decks_app, name="deck")


def main() -> None:
    """Run the command line; a request that is refused ends it with 1, wrong usage with 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Not every terminal knows every letter: better a question mark than no page.
            stream.reconfigure(errors="replace")
    try:
        try:
            app()
        finally:
            print(end="", flush=True)
    except OSError as error:
        # What is left to be written has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            print(f"narrator: standard output: {error.strerror}", file=sys.stderr)
        sys.exit(1)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"narrator {narrator.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, flag("--version", help="Print the version.", callback=_print_version)] = False,
) -> None:
    """What holds for the whole command line."""


@app.command()
@takes_groups
def suggest(
    typed: TypedAction,
    writer: Writer,
    how: Format,
    what: What = "-",
    seed: Seed = None,
    deal: Annotated[int | None, Option(min=0, help="Deal these words again, as the last line named them.")] = None,
    ruleset: RulesetName = None,
    save: Annotated[str | None, Option(metavar="FILE", help="Keep request and answer here, for `settle`.")] = None,
    prepare: Annotated[
        bool, flag("--prepare", help="Find words while the dice are shaken, then type the faces.")
    ] = False,
    show_prompt: Annotated[bool, flag("--show-prompt", help="Print what would be sent, and send nothing.")] = False,
) -> None:
    """Resolve an action and suggest words: costs, boosts, aspects."""
    from narrator.interfaces.answering import refusals, write
    from narrator.interfaces.asked import asked_for
    from narrator.interfaces.asking import found
    from narrator.interfaces.kept import check_page, keep, kept_of

    with refusals(how):
        if show_prompt and (prepare or save is not None):
            other = "--prepare does" if prepare else "there is no answer to --save"
            raise typer.BadParameter(f"--show-prompt sends nothing, and {other}: give one of them")
        if save is not None:
            check_page(save)
        if prepare:
            from narrator.interfaces.shaking import shaken

            asked, suggested = shaken(what, typed, writer, ruleset=ruleset, seed=seed, deal=deal)
        else:
            asked = asked_for("suggest", what, typed, ruleset=ruleset, seed=seed, deal=deal)
            if show_prompt:
                _show_prompt(asked, writer)
                return
            suggested = found(asked, writer)
        try:
            if save is not None:
                keep(save, kept_of(asked, suggested.as_json()))
        finally:
            write(suggested, asked, how)


@app.command()
@takes_groups
def word(
    kind: Annotated[str, Argument(metavar="KIND", help=f"Which: {', '.join(WORDS)}.", **one_of(WORDS))],
    writer: Writer,
    how: Format,
    scene: Annotated[str | None, Option(metavar="FILE", help="The scene: a file that has one.")] = None,
    about: Annotated[
        str | None, Option(help="Whom or what: a character, an aspect in play, or in a few words.")
    ] = None,
    tone: Annotated[str | None, Option(help='The kind of story, such as "noir".')] = None,
    per_slot: Annotated[int, Option("--number", min=1, max=10, help="How many.")] = 3,
    deal: Annotated[int | None, Option(min=0, help="Deal these words again, as the last line named them.")] = None,
    ruleset: RulesetName = None,
) -> None:
    """Suggest words without a roll: aspects, compels, consequences, somebody's high concept, openings, twists."""
    from narrator.interfaces.answering import refusals, write
    from narrator.interfaces.asked import words_asked_for
    from narrator.interfaces.asking import found

    with refusals(how):
        asked = words_asked_for(kind, scene, about, tone, per_slot=per_slot, deal=deal, ruleset=ruleset)
        write(found(asked, writer), asked, how)


@app.command()
@takes_groups
def resolve(typed: TypedAction, how: Format, what: What = "-", seed: Seed = None, ruleset: RulesetName = None) -> None:
    """Resolve an action: its outcome, and what the table allows."""
    _call(how, "resolve", what, typed, ruleset, seed)


@app.command()
@takes_groups
def odds(typed: TypedAction, how: Format, what: What = "-", ruleset: RulesetName = None) -> None:
    """Count the chances before a roll, exactly, and with each invocation on offer."""
    _call(how, "odds", what, typed, ruleset)


@app.command()
@takes_groups
def reach(
    typed: TypedAction,
    how: Format,
    what: What = "-",
    everything: Annotated[bool, flag("--all", help="List too what others bear, for a fate point.")] = False,
    seed: Seed = None,
    ruleset: RulesetName = None,
) -> None:
    """Say what each invocation still on offer would make of a roll."""
    _call(how, "reach", what, typed, ruleset, seed, everything=everything)


@app.command()
@takes_groups
def check(
    how: Format,
    file: File = "-",
    everything: Annotated[bool, flag("--all", help="Tell all that is wrong, not only the first.")] = False,
    seed: Seed = None,
    ruleset: RulesetName = None,
) -> None:
    """Judge a suggestion: a file with "request" and "candidate"."""
    from narrator.interfaces.answering import answer, refusals
    from narrator.interfaces.asked import asked_for

    with refusals(how):
        asked = asked_for("check", file, ruleset=ruleset, seed=seed)
        call = asked.call.model_copy(update={"call": "violations"}) if everything else asked.call
        answer(replace(asked, call=call), how)


@app.command()
@takes_groups
def apply(
    typed: TypedChoice,
    how: Format,
    file: File = "-",
    letters: Letters = None,
    seed: Seed = None,
    ruleset: RulesetName = None,
) -> None:
    """Give the scene that a choice leads to: of a page and its letters, or of a file with "request" and "choice"."""
    from narrator.interfaces.answering import refusals, write
    from narrator.interfaces.entry import entered

    with refusals(how):
        asked, scene = entered("apply", file, letters, typed, ruleset=ruleset, seed=seed)
        write(scene, asked, how)


@app.command()
@takes_groups
def settle(
    typed: TypedChoice,
    how: Format,
    file: File = "-",
    letters: Letters = None,
    ruleset: RulesetName = None,
    save: Annotated[str | None, Option(metavar="FILE", help="Keep the next scene here, for --scene.")] = None,
    expect_revision: Annotated[int | None, Option(min=0, help="Refuse a scene of another revision.")] = None,
) -> None:
    """Enter what was chosen, and say what changed: a file kept by `suggest --save` and its page's letters, or one with
    "request" and "choice".
    """
    from narrator.files import locked
    from narrator.interfaces.answering import refusals, write
    from narrator.interfaces.entry import entered

    with refusals(how):
        with nullcontext() if save is None else locked(save, *(() if file == "-" else (file,))):
            asked, settled = entered(
                "settle", file, letters, typed, ruleset=ruleset, save=save, expect_revision=expect_revision
            )
        write(settled, asked, how)


app.command(name="eval")(takes_groups(evaluate))


@app.command(name="turn-order")
@takes_groups
def turn_order(typed: TypedTurns, how: Format, file: File = "-") -> None:
    """Order everyone for an exchange: a file with a scene, and the skill or approach that decides."""
    from narrator.interfaces.answering import answer, refusals
    from narrator.interfaces.asked import turns_asked_for

    with refusals(how):
        answer(turns_asked_for(file, typed), how)


@app.command()
@takes_groups
def lines(how: Format, file: File = "-") -> None:
    """Say what each line and veil of a scene will catch: a file with a scene."""
    from narrator.interfaces.answering import answer, refusals
    from narrator.interfaces.asked import lines_asked_for

    with refusals(how):
        answer(lines_asked_for(file), how)


@app.command()
@takes_groups
def table(
    how: Format,
    action: Annotated[str, Argument(autocompletion=actions, help="Such as overcome.")],
    variant: Annotated[str | None, Argument(help="Such as existing_aspect; left out: all.")] = None,
    ruleset: RulesetName = None,
) -> None:
    """Show the table of an action, as the book's page would."""
    from narrator.interfaces.answering import answer, refusals
    from narrator.interfaces.asked import table_asked_for

    with refusals(how):
        answer(table_asked_for(action, variant, ruleset), how)


@app.command()
@takes_groups
def rulesets(how: Format) -> None:
    """List the rulesets: those that come with narrator, and yours."""
    from narrator import calls
    from narrator.interfaces.answering import answer, complain, refusals
    from narrator.interfaces.asked import Asked, known_rulesets

    with refusals(how):
        found, broken = ([], []) if surfaces.is_for_programs(how.surface) else known_rulesets()
        answer(Asked(calls.Call(call="rulesets"), tuple(found)), how)
        for error in broken:
            complain(error)


@app.command()
def schema(
    of: Annotated[
        str,
        Argument(metavar="[WHAT]", help=f"Of what: {', '.join(SCHEMAS)}.", **one_of(SCHEMAS)),
    ] = "request",
) -> None:
    """Print the JSON Schema of what goes in or what comes out."""
    from narrator import schemas

    print(json.dumps(schemas.schema(of), indent=2))


@app.command(name="vtt")
def macro(file: File = "-") -> None:
    """Answer a macro: a payload with "call" in, JSON out."""
    from narrator import vtt
    from narrator.interfaces.asked import read_text

    try:
        result = vtt.run(read_text(file))
    except typer.BadParameter as error:
        # A program reads what comes out, whatever went in.
        result = NarratorError("bad_request", "", error.message).as_json()
    except NarratorError as error:
        result = error.as_json()
    print(json.dumps(result))
    raise typer.Exit(1 if "error" in result else 0)


@app.command()
def demo() -> None:
    """Show the main job, with no key and no network: costs for a roll that failed, and a suggestion refused."""
    from narrator import calls
    from narrator.interfaces.answering import made, write
    from narrator.interfaces.asked import Asked

    for name, call in (("cynere.json", "suggest"), ("refused.json", "check")):
        asked = Asked(calls.read(shipped("examples", name).read_text("utf-8"), call=call))
        print(f"$ narrator {call} examples/{name}\n")
        write(made(asked, "deck"), asked, Format())
        print()


def _show_prompt(asked: "Asked", writer: Writer) -> None:
    from narrator.api import asking
    from narrator.interfaces.asking import manner_of

    brief = asking.brief(asked.call.request, rulesets=asked.rulesets, manner=manner_of(writer))
    if brief is None:
        print("No words are wanted: nothing would be sent.")
        return
    for role, content in brief.messages:
        print(f"--- {role} ---\n{visible_lines(content)}\n")
    print(f"--- schema ---\n{json.dumps(brief.schema, indent=2)}")


def _call(
    how: Format,
    call: str,
    what: str,
    typed: TypedAction,
    ruleset: str | None,
    seed: int | None = None,
    *,
    everything: bool = False,
) -> None:
    from narrator.interfaces.answering import answer, refusals
    from narrator.interfaces.asked import asked_for

    with refusals(how):
        answer(replace(asked_for(call, what, typed, ruleset=ruleset, seed=seed), everything=everything), how)
