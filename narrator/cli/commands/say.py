"""The command `say`: read one line as people type it, say what was read, and make the call that it is."""

from dataclasses import replace
from typing import Annotated

import typer
from typer import Option

from narrator.api import saying
from narrator.campaign.campaign import Campaign
from narrator.cli import call_views
from narrator.cli.option_groups import TypedChoice
from narrator.cli.options import Format, RulesetName, Writer, switch
from narrator.cli.output import refusals, write
from narrator.cli.save_file import SaveData, scene_of
from narrator.cli.typed_call import TypedCall
from narrator.cli.typed_campaign import CampaignName, in_use
from narrator.cli.typed_choice import entered
from narrator.cli.typed_names import played_by
from narrator.cli.usage import UsageError
from narrator.cli.word_source import answer_of
from narrator.errors import NarratorError, RequestError
from narrator.line.complete import completions
from narrator.line.reading import ReadLine
from narrator.render.view import View
from narrator.rules.json_text import Json
from narrator.suggestions.pipeline.answer import Answer

SETTINGS = {"ignore_unknown_options": True}
"""Dice such as -0+0 are words of the line."""

ASKED = 2
"""The exit code where something has to be asked back."""


def _completed(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete a word of the line, out of the scene of the campaign: a shell takes only what begins as was typed."""
    try:
        table = in_use(ctx.params.get("campaign"))
        before = " ".join([*(ctx.params.get("text") or ()), incomplete])
        words = () if table is None else completions(before, table.scene, table.played)
        begun = [(word, f" {word}".casefold().find(f" {incomplete.casefold()}")) for word in words]
        return [incomplete + word[at + len(incomplete) :] for word, at in begun if at >= 0]
    except NarratorError:
        return []


def command(
    text: Annotated[
        list[str],
        typer.Argument(metavar="TEXT...", help="The line, with or without quotes.", autocompletion=_completed),
    ],
    writer: Writer,
    how: Format,
    read: Annotated[bool, switch("--read", "Only show how the line is read. Write nothing.")] = False,
    scene: Annotated[str | None, Option(metavar="FILE", help="A file with the scene.")] = None,
    ruleset: RulesetName = None,
    campaign: CampaignName = None,
    page: Annotated[
        str | None, Option(metavar="ID", help="The page for +ASPECT or letters, by default the newest open page.")
    ] = None,
) -> None:
    with refusals(how, writer):
        table = in_use(campaign, scene)
        line = " ".join(text)
        if table is not None:
            if ruleset is not None or scene is not None:
                raise UsageError(
                    "the campaign has its own scene and ruleset: leave out --scene and --ruleset",
                    "--campaign",
                )
            try:
                found = table.say(line, page)
            except NarratorError as error:
                raise _by_text(error) from None
            around: Json = {"scene": table.scene.as_json(), "ruleset": table.ruleset}
            asked = TypedCall({"call": "say", "request": {"text": line, **around}}, (table.played,), campaign=table)
        elif scene is not None:
            around, kept = scene_of(scene)
            played, _ = played_by(ruleset, around, kept.ruleset_file)
            try:
                found = saying.say(line, around["scene"], None, played)
            except NarratorError as error:
                raise _by_text(error) from None
            asked = TypedCall({"call": "say", "request": {"text": line, **around}}, (played,))
        else:
            raise UsageError("no campaign is in use. Choose one with narrator use NAME, or give --scene FILE")
        if read or found.ask is not None:
            write(found, asked, how)
            if not read:
                raise typer.Exit(ASKED)
        elif found.request is not None:
            _roll(found, asked, writer, how, page)
        elif table is None:
            raise UsageError("moves and choices need a campaign. Choose one with narrator use NAME", "TEXT")
        elif found.move is not None:
            move = {"call": "move", "request": {**around, "move": found.move}}
            write(table.move(found.move), replace(asked, payload=move), how, _said(found, asked))
        else:
            choice = TypedChoice(campaign=campaign, page=page)
            asked, entry = entered("settle", "-", line.strip(), choice, campaign=table)
            write(entry, asked, how, _said(found, asked))


def _by_text(error: NarratorError) -> NarratorError:
    """Name the line itself where that is wrong."""
    if error.field != "request.text":
        return error
    return RequestError("bad_request", "TEXT", error.message)


def _said(found: ReadLine, asked: TypedCall) -> View:
    return call_views.view_of(found, asked)


def _roll(found: ReadLine, asked: TypedCall, writer: Writer, how: Format, page: str | None) -> None:
    """Find words for a roll, and keep it as a page of the campaign, where there is one."""
    assert found.request is not None, "a roll was read"
    table: Campaign | None = asked.campaign
    said = _said(found, asked)
    old = None
    if table is not None and found.is_of_page:
        old = table.page(page) if page is not None else table.pages[-1]
    asked = replace(asked, payload={"call": "suggest", "request": found.request.as_json()})
    answer = answer_of(asked, writer)
    assert isinstance(answer, Answer), "words were asked for"
    if table is not None:
        kept = table.keep(asked.request, answer, None if old is None else old.over, None if old is None else old.id)
        asked = replace(asked, kept=SaveData(page=kept.id))
    write(answer, asked, how, said)
