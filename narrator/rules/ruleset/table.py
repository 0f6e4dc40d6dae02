"""The table of an action as the book's page has it."""

from narrator.rules.model import Model
from narrator.rules.ruleset.declarations import OpposedBy, Rider
from narrator.rules.ruleset.row import FAIL, BranchSpec, Citation
from narrator.rules.ruleset.ruleset import Ruleset


class TableRow(Model):
    """One outcome: where its rule stands, and its branches."""

    variant: str | None = None
    """The variant of the action; left out: the action has none, or the row is a maneuver's."""
    maneuver: str | None = None
    """The maneuver whose row it is; left out: none's."""
    outcome: str
    """The outcome that leads here."""
    source: Citation
    """Where the rule stands."""
    branches: tuple[BranchSpec, ...]
    """What may be chosen after the roll."""


class Table(Model):
    """What may oppose an action, and a row for each variant and outcome."""

    ruleset: str
    """The ruleset's name."""
    action: str
    """The action's whole name."""
    opposition: tuple[OpposedBy, ...] | None = None
    """What may oppose it; left out: it is always on somebody."""
    opposition_on_target: tuple[OpposedBy, ...] | None = None
    """What may oppose it on a character, who then defends; left out: the same as without one."""
    rows: tuple[TableRow, ...]
    """A row for each variant and outcome, and for each maneuver that has rows of its own."""
    riders: tuple[Rider, ...]
    """What holds beside the rows."""
    treatment: dict[str, int] | None = None
    """For overcoming: the passive opposition to treating a consequence, by its level; left out: nothing treats one."""
    alone: int | None = None
    """How much harder it is to treat oneself."""


def table(ruleset: Ruleset, action: str, variant: str | None = None) -> Table:
    """Show the rows of an action: of one variant, or of all."""
    spec = ruleset.action(action, "action")
    variants = spec.all_variants if variant is None else (ruleset.variant(action, variant, "variant"),)
    outcomes = (FAIL, *ruleset.outcomes)
    maneuvers = sorted(name for name, each in ruleset.maneuvers.items() if each.action == action and variant is None)
    of_maneuvers = ((action, None, name, outcome) for name in maneuvers for outcome in outcomes)
    rows = [
        *((each, None, outcome, ruleset.row(action, each, outcome)) for each in variants for outcome in outcomes),
        *((*key[1:], ruleset.by_key[key]) for key in of_maneuvers if key in ruleset.by_key),
    ]
    return Table(
        ruleset=ruleset.name,
        action=action,
        opposition=spec.opposition,
        opposition_on_target=spec.opposition_on_target,
        rows=tuple(
            TableRow(variant=each, maneuver=name, outcome=outcome, source=ruleset.source(row), branches=row.branches)
            for each, name, outcome, row in rows
        ),
        riders=tuple(rider for rider in ruleset.riders if _bears_on(rider, ruleset, action)),
        treatment=ruleset.recovery.difficulties or None if action == "overcome" else None,
        alone=ruleset.recovery.alone or None if action == "overcome" else None,
    )


def _bears_on(rider: Rider, ruleset: Ruleset, action: str) -> bool:
    """Whether a rider may change the rows of an action."""
    maneuvers = rider.maneuvers
    of_action = maneuvers is None or any(ruleset.maneuvers[name].action == action for name in maneuvers)
    if not of_action or (rider.actions is not None and action not in rider.actions):
        return False
    spec = ruleset.actions[action]
    own = [spec.opposition, spec.opposition_on_target, *(each.opposition for each in spec.variants)]
    of_maneuvers = [each.opposition for each in ruleset.maneuvers.values() if each.action == action]
    kinds = {kind for opposed_by in (*own, *of_maneuvers) for kind in opposed_by or ()}
    is_met = rider.opposition is None or not kinds.isdisjoint(rider.opposition)
    # Whoever something is done to defends, whatever the kind, where the action says what opposes it then.
    is_defended = "defend" in kinds or spec.opposition_on_target is not None
    return is_met and (is_defended or not rider.defended)
