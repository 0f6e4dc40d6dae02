"""The command `reach`."""

from dataclasses import replace
from typing import Annotated

from narrator.interfaces.answering import answer, refusals
from narrator.interfaces.asked import asked_for
from narrator.interfaces.options import Format, RulesetName, Seed, What, switch
from narrator.interfaces.typed import TypedAction


def command(
    typed: TypedAction,
    how: Format,
    what: What = "-",
    everything: Annotated[bool, switch("--all", "List too what others bear, for a fate point.")] = False,
    seed: Seed = None,
    ruleset: RulesetName = None,
) -> None:
    """Say what invocations would make of a roll."""
    with refusals(how):
        asked = asked_for("reach", what, typed, ruleset=ruleset, seed=seed)
        answer(replace(asked, everything=everything), how)
