"""The command `word`."""

from typing import Annotated

from typer import Argument

from narrator.interfaces.answering import refusals, write
from narrator.interfaces.asked import Asked
from narrator.interfaces.asking import found
from narrator.interfaces.kept import Kept, scene_of
from narrator.interfaces.naming import played_by
from narrator.interfaces.options import WORDS, Deal, Format, RulesetName, Writer, one_of
from narrator.interfaces.typed import TypedWords, written


def command(
    kind: Annotated[str, Argument(metavar="KIND", help=f"Which: {', '.join(WORDS)}.", **one_of(WORDS))],
    writer: Writer,
    how: Format,
    typed: TypedWords,
    deal: Deal = None,
    ruleset: RulesetName = None,
) -> None:
    """Put what was typed over the scene of the file, if there is one."""
    with refusals(how, writer):
        around, beside = ({}, Kept()) if typed.scene is None else scene_of(typed.scene)
        rules, file = played_by(ruleset, around, beside.ruleset_file)
        request = written(typed, {"scene": around.get("scene") or {}, "ruleset": rules.name})
        payload = {"call": "word", "request": {**request, "kind": kind, "deal": deal}}
        asked = Asked(payload, (rules,), typed=typed, kept=Kept(ruleset_file=file))
        write(found(asked, writer), asked, how)
