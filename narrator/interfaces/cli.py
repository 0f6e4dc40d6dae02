"""The command line: makes the call that a macro would make, and prints a page or the JSON."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from io import TextIOWrapper
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

import narrator
from narrator import api, calls, house, vtt
from narrator.api import Chosen
from narrator.calls import AtHand
from narrator.deck.cards import DeckFile
from narrator.errors import NarratorError
from narrator.interfaces import pages, schemas
from narrator.interfaces.asked import (
    Asked,
    as_named,
    asked_for,
    read_text,
    ruleset_of,
    turns_typed,
)
from narrator.interfaces.blame import by_option, by_option_of_choice
from narrator.interfaces.kept import check_revision, keep, page_of
from narrator.interfaces.line import Line, takes_line
from narrator.interfaces.options import (
    Absorb,
    Approach,
    AsJson,
    BaseUrl,
    Deal,
    Decks,
    Everything,
    File,
    First,
    Follow,
    Holder,
    Letters,
    MaxTokens,
    ModelName,
    OwnDetail,
    OwnForm,
    OwnName,
    Revision,
    RulesetName,
    Save,
    SaveScene,
    Seed,
    ShowPrompt,
    TableAction,
    TableVariant,
    TakenOut,
    Ties,
    To,
    Together,
    ToZone,
    Track,
    What,
    known_rulesets,
)
from narrator.interfaces.settling import Told, choice_of, labels_of
from narrator.render.lines import Answered
from narrator.render.plain import visible, visible_lines
from narrator.render.surfaces import page
from narrator.rules.action import USUAL
from narrator.rules.model import Model
from narrator.shipped import shipped
from narrator.sources.budget import Budget, Budgeted
from narrator.sources.settings import from_environment
from narrator.suggestions.source import Source

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Words for Fate: the rules decide each action, a language model only words, a validator checks every word.",
)


def main() -> None:
    """
    Run the command line; a request that is refused ends it with 1, wrong usage with 2.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Not every terminal knows every letter: better a question mark than no page.
            stream.reconfigure(errors="replace")
    app()


def _print_version(asked: bool) -> None:
    if asked:
        print(f"narrator {narrator.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", callback=_print_version)] = False,
) -> None:
    """
    What holds for the whole command line.
    """


@app.command()
@takes_line
def suggest(
    line: Line,
    what: What = "-",
    as_json: AsJson = False,
    seed: Seed = None,
    deal: Deal = None,
    deck: Decks = None,
    ruleset: RulesetName = None,
    save: Save = None,
    model: ModelName = None,
    base_url: BaseUrl = None,
    max_tokens: MaxTokens = None,
    show_prompt: ShowPrompt = False,
) -> None:
    """
    Resolve an action and suggest words: costs, boosts, aspects.
    """
    with _refusals(as_json):
        asked = asked_for("suggest", what, seed, ruleset, line)
        if deal is not None:
            asked = asked.with_deal(deal)
        decks = tuple(house.load_deck(path) for path in deck or ())
        if show_prompt:
            _show_prompt(asked)
            return
        settings = from_environment(os.environ, model=model, base_url=base_url)
        source: Source | None = api.source_of(settings)
        if source is not None and max_tokens is not None:
            source = Budgeted(source, Budget(max_tokens))
        asking = f"asking {visible(settings.model)} ..." if settings else "drawing from the deck ..."
        with Console(stderr=True).status(Text(asking)):
            answer = _made(asked, source or "deck", decks)
        _print(answer, asked, as_json)
        if save is not None:
            keep(save, page_of(asked, answer.as_json()))


@app.command()
@takes_line
def resolve(
    line: Line, what: What = "-", as_json: AsJson = False, seed: Seed = None, ruleset: RulesetName = None
) -> None:
    """
    Resolve an action: its outcome, and what the table allows.
    """
    _call("resolve", what, as_json, seed, ruleset, line)


@app.command()
@takes_line
def odds(line: Line, what: What = "-", as_json: AsJson = False, ruleset: RulesetName = None) -> None:
    """
    Count the chances before a roll, exactly, and with each invocation on offer.
    """
    _call("odds", what, as_json, None, ruleset, line)


@app.command()
@takes_line
def reach(
    line: Line, what: What = "-", as_json: AsJson = False, seed: Seed = None, ruleset: RulesetName = None
) -> None:
    """
    Say what each invocation still on offer would make of a roll.
    """
    _call("reach", what, as_json, seed, ruleset, line)


@app.command()
def check(
    file: File = "-",
    everything: Everything = False,
    as_json: AsJson = False,
    seed: Seed = None,
    ruleset: RulesetName = None,
) -> None:
    """
    Judge a suggestion: a file with "request" and "candidate".
    """
    with _refusals(as_json):
        asked = asked_for("check", file, seed, ruleset)
        call = asked.call.model_copy(update={"call": "violations"}) if everything else asked.call
        _print(calls.dispatch(call, AtHand(rulesets=asked.rulesets)), asked, as_json)


@app.command()
def apply(file: File = "-", as_json: AsJson = False, seed: Seed = None, ruleset: RulesetName = None) -> None:
    """
    Give the scene that a choice leads to: a file with "request" and "choice".
    """
    _call("apply", file, as_json, seed, ruleset)


@app.command()
def settle(
    file: File = "-",
    letters: Letters = None,
    as_json: AsJson = False,
    ruleset: RulesetName = None,
    save: SaveScene = None,
    absorb: Absorb = None,
    taken_out: TakenOut = False,
    to: To = None,
    holder: Holder = None,
    track: Track = None,
    zone: ToZone = None,
    follow: Follow = False,
    form: OwnForm = None,
    name: OwnName = None,
    detail: OwnDetail = None,
    expect_revision: Revision = None,
) -> None:
    """
    Enter what was chosen, and say what changed: a file kept by `suggest --save` and its page's letters, or one with
    "request" and "choice".
    """
    with _refusals(as_json):
        asked = asked_for("settle", file, None, ruleset)
        told = Told(tuple(absorb or ()), taken_out, to, holder, track, zone, follow, form, name, detail)
        call = asked.call
        if letters is None and asked.answer is not None:
            known = labels_of(call, asked.answer, asked.rulesets).branches
            raise NarratorError("bad_choice", "choice", "say what was chosen, by the page's letters", known)
        if letters is None and told != Told():
            raise typer.BadParameter("these options go with a CHOICE, such as s2")
        if expect_revision is not None:
            call = call.model_copy(update={"expect_revision": expect_revision})
        if save is not None:
            check_revision(save, call.request)
        try:
            if letters is not None:
                call = call.model_copy(update={"choice": choice_of(call, asked.answer, letters, told, asked.rulesets)})
            settled = calls.dispatch(call, AtHand(rulesets=asked.rulesets))
        except NarratorError as error:
            raise error if letters is None else by_option_of_choice(error) from None
        _print(settled, replace(asked, call=call), as_json)
        if save is not None:
            keep(save, {"ruleset": call.request.get("ruleset", USUAL), "scene": settled.as_json()["scene"]})


@app.command(name="turn-order")
def turn_order(
    file: File = "-",
    as_json: AsJson = False,
    approach: Approach = None,
    ties: Ties = None,
    together: Together = None,
    first: First = None,
) -> None:
    """
    Order everyone for an exchange: a file with a scene, and the skill or approach that decides.
    """
    with _refusals(as_json):
        asked = asked_for("turn_order", file, None, None)
        request = turns_typed(asked.call.request, approach, ties, together, first)
        asked = replace(asked, call=asked.call.model_copy(update={"request": request}))
        _print(calls.dispatch(asked.call), asked, as_json)


@app.command()
def table(
    action: TableAction,
    variant: TableVariant = None,
    ruleset: RulesetName = None,
    as_json: AsJson = False,
) -> None:
    """
    Show the table of an action, as the book's page would.
    """
    with _refusals(as_json):
        names, given = ruleset_of(ruleset)
        call = calls.Call(call="table", request={**names, "action": as_named(action), "variant": variant})
        asked = Asked(call, given)
        _print(calls.dispatch(call, AtHand(rulesets=given)), asked, as_json)


@app.command()
def rulesets(as_json: AsJson = False) -> None:
    """
    List the rulesets: those that come with narrator, and yours.
    """
    with _refusals(as_json):
        asked = Asked(calls.Call(call="rulesets"), ())
        _print(calls.dispatch(asked.call), asked, as_json)
        for error in [] if as_json else known_rulesets()[1]:
            print(f"narrator: {visible(str(error))}", file=sys.stderr)


@app.command()
def schema(of: Annotated[schemas.Subject, typer.Argument(help="Of what.")] = schemas.Subject.request) -> None:
    """
    Print the JSON Schema of what goes in or what comes out.
    """
    print(json.dumps(schemas.schema(of), indent=2))


@app.command(name="vtt")
def macro(file: File = "-") -> None:
    """
    Answer a macro: a payload with "call" in, JSON out.
    """
    try:
        result = vtt.run(read_text(file))
    except typer.BadParameter as error:
        # A program reads what comes out, whatever went in.
        result = NarratorError("bad_request", "", error.message).as_json()
    print(json.dumps(result))
    raise typer.Exit(1 if "error" in result else 0)


@app.command()
def demo() -> None:
    """
    Show the main job, with no key and no network: costs for a roll that failed, and a suggestion refused.
    """
    for name, call in (("cynere.json", "suggest"), ("refused.json", "check")):
        asked = Asked(calls.read(shipped("examples", name).read_text("utf-8"), call=call), ())
        print(f"$ narrator {call} examples/{name}\n")
        _print(calls.dispatch(asked.call, AtHand("deck")), asked, as_json=False)
        print()


def _show_prompt(asked: Asked) -> None:
    brief = api.brief(asked.call.request, rulesets=asked.rulesets)
    if brief is None:
        print("No words are wanted: nothing would be sent.")
        return
    for role, content in brief.messages:
        print(f"--- {role} ---\n{visible_lines(content)}\n")
    print(f"--- schema ---\n{json.dumps(brief.schema, indent=2)}")


def _call(call: str, what: str, as_json: bool, seed: int | None, ruleset: str | None, line: Line | None = None) -> None:
    with _refusals(as_json):
        asked = asked_for(call, what, seed, ruleset, line)
        _print(_made(asked), asked, as_json)


def _made(asked: Asked, source: Chosen = None, decks: tuple[DeckFile, ...] = ()) -> Model:
    """
    Make the call, and say of what is refused which option wrote it.
    """
    try:
        return calls.dispatch(asked.call, AtHand(source, asked.rulesets, decks))
    except NarratorError as error:
        raise by_option(error, asked.line, is_whole=asked.is_typed) from None


def _print(result: Model, asked: Asked, as_json: bool) -> None:
    if as_json:
        print(json.dumps(result.as_json()))
    else:
        page.write(Answered(result, partial(pages.page, result, asked)), sys.stdout)


@contextmanager
def _refusals(as_json: bool) -> Iterator[None]:
    """
    Tell a refused request in one line, or as the object, and end with 1.
    """
    try:
        yield
    except NarratorError as error:
        if as_json:
            print(json.dumps(error.as_json()))
        else:
            print(f"narrator: {visible(str(error))}", file=sys.stderr)
        raise typer.Exit(1) from None
