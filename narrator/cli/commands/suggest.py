"""The command `suggest`: resolve an action, and have it worded."""

import json
from dataclasses import replace
from typing import Annotated

from typer import Option

from narrator.api import pipeline_run
from narrator.api.requests import ruled
from narrator.cli.option_groups import TypedAction, given_options
from narrator.cli.options import DealOption, Format, RulesetName, SeedOption, What, Writer, switch
from narrator.cli.output import refusals, write
from narrator.cli.prepare_dialog import shaken
from narrator.cli.save_file import SaveData, check_page, keep
from narrator.cli.typed_call import TypedCall, typed_call
from narrator.cli.usage import UsageError
from narrator.cli.word_source import answer_of, manner_of
from narrator.errors import visible_lines
from narrator.suggestions.pipeline.answer import Answer


def command(
    typed: TypedAction,
    writer: Writer,
    how: Format,
    what: What = "",
    seed: SeedOption = None,
    deal: DealOption = None,
    ruleset: RulesetName = None,
    save: Annotated[str | None, Option(metavar="FILE", help="Save the page here, for `settle`.")] = None,
    prepare: Annotated[bool, switch("--prepare", "Find words before the roll. Then type the dice.")] = False,
    show_prompt: Annotated[bool, switch("--show-prompt", "Print what a model would get, and send nothing.")] = False,
) -> None:
    with refusals(how, writer):
        if show_prompt and (prepare or save is not None):
            other = "--prepare" if prepare else "--save"
            raise UsageError(f"--show-prompt sends nothing, so it can't be used with {other}")
        if save is not None:
            check_page(save)
        is_shown = False
        if prepare:
            asked, suggested = shaken(what, typed, writer, ruleset=ruleset, seed=seed, deal=deal)
        else:
            asked = typed_call("suggest", what, typed, ruleset=ruleset, seed=seed, deal=deal)
            if show_prompt:
                _show_prompt(asked, writer)
                return
            is_shown = (
                asked.campaign is not None
                and not what
                and deal is None
                and given_options(typed).keys() <= {"campaign", "page"}
            )
            suggested = _as_it_was(asked) if is_shown else answer_of(asked, writer)
        try:
            if save is not None:
                keep(save, asked.page(suggested.as_json()))
            if asked.campaign is not None and not is_shown:
                assert isinstance(suggested, Answer), "words were asked for"
                place = typed.page if what else asked.kept.page
                page = asked.campaign.keep(asked.request, suggested, asked.overlay, place)
                asked = replace(asked, kept=SaveData(page=page.id))
        finally:
            write(suggested, asked, how)


def _as_it_was(asked: TypedCall) -> Answer:
    """Answer with what a page of the campaign has already."""
    assert asked.campaign is not None, "a campaign has the page"
    page = asked.campaign.page(asked.kept.page or "")
    return page.answer.by(ruled(page.request, asked.rulesets))


def _show_prompt(asked: TypedCall, writer: Writer) -> None:
    brief = pipeline_run.first_brief(asked.request, rulesets=asked.rulesets, manner=manner_of(writer, asked.payload))
    if brief is None:
        print("No words are needed, so nothing would be sent.")
        return
    for role, content in brief.messages:
        print(f"--- {role} ---\n{visible_lines(content)}\n")
    print(f"--- schema ---\n{json.dumps(brief.schema, indent=2)}")
