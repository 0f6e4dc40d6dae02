"""The command `resolve`."""

from narrator.interfaces.answering import answer, refusals
from narrator.interfaces.asked import asked_for
from narrator.interfaces.options import Format, RulesetName, Seed, What
from narrator.interfaces.typed import TypedAction


def command(typed: TypedAction, how: Format, what: What = "-", seed: Seed = None, ruleset: RulesetName = None) -> None:
    """Resolve an action, and word nothing."""
    with refusals(how):
        answer(asked_for("resolve", what, typed, ruleset=ruleset, seed=seed), how)
