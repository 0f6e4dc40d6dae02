"""The command `word`: put what was typed over the scene of the file, if there is one."""

from typing import Annotated

from typer import Argument

from narrator.cli.option_groups import TypedWords, call_options
from narrator.cli.options import WORDS, DealOption, Format, RulesetName, Writer, one_of
from narrator.cli.output import refusals, write
from narrator.cli.save_file import SaveData, scene_of
from narrator.cli.typed_call import TypedCall
from narrator.cli.typed_campaign import in_use, just_now
from narrator.cli.typed_names import played_by
from narrator.cli.word_source import answer_of
from narrator.suggestions.pipeline.answer import Words


def command(
    kind: Annotated[str, Argument(metavar="KIND", help=f"The kind of words: {', '.join(WORDS)}.", **one_of(WORDS))],
    writer: Writer,
    how: Format,
    typed: TypedWords,
    deal: DealOption = None,
    ruleset: RulesetName = None,
) -> None:
    with refusals(how, writer):
        table = in_use(typed.campaign, typed.scene)
        around, beside = ({}, SaveData()) if typed.scene is None else scene_of(typed.scene)
        if table is not None:
            around = {"scene": table.scene.as_json()}
        rules, file = (table.played, None) if table else played_by(ruleset, around, beside.ruleset_file)
        request = call_options(typed, {"scene": around.get("scene") or {}, "ruleset": rules.name})
        if kind == "beat" and table is not None and typed.about is None:
            request["about"] = just_now(table)
        payload = {"call": "word", "request": {**request, "kind": kind, "deal": deal}}
        asked = TypedCall(payload, (rules,), typed=typed, kept=SaveData(ruleset_file=file), campaign=table)
        found = answer_of(asked, writer)
        if table is not None and isinstance(found, Words):
            table.saw(found)
        write(found, asked, how)
