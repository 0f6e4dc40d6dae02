"""The command `suggest`."""

import json
from typing import Annotated

from typer import Option

from narrator.api import asking
from narrator.errors import visible_lines
from narrator.interfaces.answering import refusals, write
from narrator.interfaces.asked import Asked, asked_for
from narrator.interfaces.asking import found, manner_of
from narrator.interfaces.kept import check_page, keep
from narrator.interfaces.options import Deal, Format, RulesetName, Seed, What, Writer, switch
from narrator.interfaces.shaking import shaken
from narrator.interfaces.typed import TypedAction
from narrator.interfaces.usage import UsageError


def command(
    typed: TypedAction,
    writer: Writer,
    how: Format,
    what: What = "-",
    seed: Seed = None,
    deal: Deal = None,
    ruleset: RulesetName = None,
    save: Annotated[str | None, Option(metavar="FILE", help="Keep request and answer here, for `settle`.")] = None,
    prepare: Annotated[bool, switch("--prepare", "Find words while the dice are shaken, then type the faces.")] = False,
    show_prompt: Annotated[bool, switch("--show-prompt", "Print what would be sent, and send nothing.")] = False,
) -> None:
    """Resolve an action, and have it worded."""
    with refusals(how, writer):
        if show_prompt and (prepare or save is not None):
            other = "--prepare does" if prepare else "there is no answer to --save"
            raise UsageError(f"--show-prompt sends nothing, and {other}: give one of them")
        if save is not None:
            check_page(save)
        if prepare:
            asked, suggested = shaken(what, typed, writer, ruleset=ruleset, seed=seed, deal=deal)
        else:
            asked = asked_for("suggest", what, typed, ruleset=ruleset, seed=seed, deal=deal)
            if show_prompt:
                _show_prompt(asked, writer)
                return
            suggested = found(asked, writer)
        try:
            if save is not None:
                keep(save, asked.page(suggested.as_json()))
        finally:
            write(suggested, asked, how)


def _show_prompt(asked: Asked, writer: Writer) -> None:
    brief = asking.brief(asked.request, rulesets=asked.rulesets, manner=manner_of(writer, asked.payload))
    if brief is None:
        print("No words are wanted: nothing would be sent.")
        return
    for role, content in brief.messages:
        print(f"--- {role} ---\n{visible_lines(content)}\n")
    print(f"--- schema ---\n{json.dumps(brief.schema, indent=2)}")
