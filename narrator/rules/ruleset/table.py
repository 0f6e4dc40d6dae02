"""The table of an action, like the page in the book."""

from narrator.rules.model import Model
from narrator.rules.ruleset.declarations import OpposedBy, Rider
from narrator.rules.ruleset.row import FAIL, BranchSpec, Citation
from narrator.rules.ruleset.ruleset import Ruleset


class TableRow(Model):
    """One outcome and its branches."""

    variant: str | None = None
    """The variant of the action. Omitted if the action has none or the row is for a maneuver."""
    maneuver: str | None = None
    """The maneuver that the row is for, if any."""
    outcome: str
    """The outcome that leads to this row."""
    source: Citation
    """Where the rule is printed."""
    branches: tuple[BranchSpec, ...]
    """The branches to choose from after the roll."""


class Table(Model):
    """An action's possible opposition and its rows."""

    ruleset: str
    """The ruleset's name."""
    action: str
    """The action's full name."""
    opposition: tuple[OpposedBy, ...] | None = None
    """What may oppose it. Omitted if it always has a target."""
    opposition_on_target: tuple[OpposedBy, ...] | None = None
    """What may oppose it if its target is a character, who then defends. If omitted, the same as without a
    target."""
    rows: tuple[TableRow, ...]
    """A row for each variant and outcome, plus the maneuvers' own rows."""
    riders: tuple[Rider, ...]
    """The riders: rules that change rows."""
    treatment: dict[str, int] | None = None
    """For `overcome`: the passive opposition to treating a consequence, by level. Omitted if consequences are not
    treated."""
    alone: int | None = None
    """How much harder it is to treat yourself."""


def table(ruleset: Ruleset, action: str, variant: str | None = None) -> Table:
    """Show the rows of an action, for one variant or for all."""
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
    """Whether a rider may change an action's rows."""
    maneuvers = rider.maneuvers
    of_action = maneuvers is None or any(ruleset.maneuvers[name].action == action for name in maneuvers)
    if not of_action or (rider.actions is not None and action not in rider.actions):
        return False
    spec = ruleset.actions[action]
    own = [spec.opposition, spec.opposition_on_target, *(each.opposition for each in spec.variants)]
    of_maneuvers = [each.opposition for each in ruleset.maneuvers.values() if each.action == action]
    kinds = {kind for opposed_by in (*own, *of_maneuvers) for kind in opposed_by or ()}
    is_met = rider.opposition is None or not kinds.isdisjoint(rider.opposition)
    # If the action says what opposes it on a target, the target defends, whatever the kind.
    is_defended = "defend" in kinds or spec.opposition_on_target is not None
    return is_met and (is_defended or not rider.defended)
