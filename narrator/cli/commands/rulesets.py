"""The command `rulesets`: list the rulesets; people are told of those that cannot be read."""

from narrator.api.requests import known_rulesets
from narrator.cli.options import Format
from narrator.cli.output import complain, refusals, write_answer
from narrator.cli.typed_call import TypedCall
from narrator.render import surfaces


def command(how: Format) -> None:
    with refusals(how):
        found, broken = ([], []) if surfaces.is_for_programs(how.surface) else known_rulesets()
        write_answer(TypedCall({"call": "rulesets"}, tuple(found)), how)
        for error in broken:
            complain(error)
