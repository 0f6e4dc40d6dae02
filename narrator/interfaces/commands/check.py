"""The command `check`."""

from typing import Annotated

from narrator.interfaces.answering import answer, refusals
from narrator.interfaces.asked import asked_for
from narrator.interfaces.options import File, Format, RulesetName, Seed, switch


def command(
    how: Format,
    file: File = "-",
    everything: Annotated[bool, switch("--all", "Tell all that is wrong, not only the first.")] = False,
    seed: Seed = None,
    ruleset: RulesetName = None,
) -> None:
    """Judge a suggestion: the first thing that is wrong with it, or all."""
    with refusals(how):
        asked = asked_for("check", file, ruleset=ruleset, seed=seed)
        if everything:
            asked = asked.but(call="violations")
        answer(asked, how)
