"""The command `suggest`: resolve an action, and have it worded."""

import json
from dataclasses import replace
from typing import Annotated

from typer import Option

from narrator.api import pipeline_run
from narrator.cli.option_groups import TypedAction
from narrator.cli.options import DealOption, Format, RulesetName, SeedOption, What, Writer, switch
from narrator.cli.output import refusals, write
from narrator.cli.prepare_dialog import shaken
from narrator.cli.save_file import check_page, keep
from narrator.cli.typed_call import TypedCall, heading
from narrator.cli.typed_campaign import CampaignName, PageOption, file_in, in_use, typed_roll
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
    campaign: CampaignName = None,
    page: PageOption = None,
    save: Annotated[str | None, Option(metavar="FILE", help="Keep request and answer here, for `settle`.")] = None,
    prepare: Annotated[bool, switch("--prepare", "Find words while the dice are shaken, then type the faces.")] = False,
    show_prompt: Annotated[bool, switch("--show-prompt", "Print what would be sent, and send nothing.")] = False,
) -> None:
    with refusals(how, writer):
        if show_prompt and (prepare or save is not None):
            other = "--prepare does" if prepare else "there is no answer to --save"
            raise UsageError(f"--show-prompt sends nothing, and {other}: give one of them")
        table = in_use(campaign, typed.scene, file_in(what))
        if save is not None:
            if table is not None:
                raise UsageError(f"{table.name} keeps the page: leave --save out, or narrator use --none", "--save")
            check_page(save)
        if prepare:
            asked, suggested = shaken(what, typed, writer, ruleset=ruleset, seed=seed, deal=deal, campaign=table)
        else:
            asked = typed_roll("suggest", what, typed, table, page, ruleset=ruleset, seed=seed, deal=deal)
            if show_prompt:
                _show_prompt(asked, writer)
                return
            suggested = answer_of(asked, writer)
        try:
            if save is not None:
                keep(save, asked.page(suggested.as_json()))
            if table is not None:
                assert isinstance(suggested, Answer), "words were asked for"
                made = table.keep(asked.request, suggested, asked.overlay, None if what else asked.kept.page)
                asked = replace(asked, heading=heading(table, made.id))
        finally:
            write(suggested, asked, how)


def _show_prompt(asked: TypedCall, writer: Writer) -> None:
    brief = pipeline_run.first_brief(asked.request, rulesets=asked.rulesets, manner=manner_of(writer, asked.payload))
    if brief is None:
        print("No words are wanted: nothing would be sent.")
        return
    for role, content in brief.messages:
        print(f"--- {role} ---\n{visible_lines(content)}\n")
    print(f"--- schema ---\n{json.dumps(brief.schema, indent=2)}")
