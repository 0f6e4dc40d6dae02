"""The command `rulesets`."""

from narrator.api.reading import known_rulesets
from narrator.interfaces.answering import answer, complain, refusals
from narrator.interfaces.asked import Asked
from narrator.interfaces.options import Format
from narrator.render import surfaces


def command(how: Format) -> None:
    """List the rulesets; people are told of those that cannot be read."""
    with refusals(how):
        found, broken = ([], []) if surfaces.is_for_programs(how.surface) else known_rulesets()
        answer(Asked({"call": "rulesets"}, tuple(found)), how)
        for error in broken:
            complain(error)
