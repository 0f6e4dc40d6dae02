"""The table of an action as the book's page has it."""

from narrator.errors import NarratorError
from narrator.rules.declared import FAIL, BranchSpec, OpposedBy, Rider
from narrator.rules.model import Model
from narrator.rules.resolution import Source
from narrator.rules.ruleset import Ruleset


class TableRow(Model):
    """
    One outcome: where its rule stands, and its branches.
    """

    variant: str | None = None
    outcome: str
    source: Source
    branches: tuple[BranchSpec, ...]


class Table(Model):
    """
    What may oppose an action, and a row for each variant and outcome.
    """

    ruleset: str
    action: str
    opposition: tuple[OpposedBy, ...] | None = None
    opposition_on_target: tuple[OpposedBy, ...] | None = None
    rows: tuple[TableRow, ...]
    riders: tuple[Rider, ...]
    """What holds beside the rows."""


def table(ruleset: Ruleset, action: str, variant: str | None = None) -> Table:
    """
    Show the rows of an action: of one variant, or of all.

    Raises:
        NarratorError: `unsupported_action` or `unknown_variant`.
    """
    spec = ruleset.action(action)
    variants = spec.all_variants
    if variant is not None and variant not in variants:
        raise NarratorError(
            "unknown_variant", "variant", f"{action} has no such variant", [each for each in variants if each]
        )
    rows = (
        (each, outcome, ruleset.row(action, each, outcome))
        for each in ((variant,) if variant is not None else variants)
        for outcome in (FAIL, *ruleset.outcomes)
    )
    return Table(
        ruleset=ruleset.name,
        action=action,
        opposition=spec.opposition,
        opposition_on_target=spec.opposition_on_target,
        rows=tuple(
            TableRow(
                variant=each,
                outcome=outcome,
                source=Source(document=row.document, section=row.section),
                branches=row.spec.branches,
            )
            for each, outcome, row in rows
        ),
        riders=tuple(rider for rider in ruleset.riders.values() if rider.actions is None or action in rider.actions),
    )
