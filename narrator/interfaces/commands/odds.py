"""The command `odds`."""

from narrator.interfaces.answering import answer, refusals
from narrator.interfaces.asked import asked_for
from narrator.interfaces.options import Format, RulesetName, What
from narrator.interfaces.typed import TypedAction


def command(typed: TypedAction, how: Format, what: What = "-", ruleset: RulesetName = None) -> None:
    """Count what may come of an action."""
    with refusals(how):
        answer(asked_for("odds", what, typed, ruleset=ruleset), how)
