"""A complete ruleset, including everything that it extends. It finds outcomes, rows, actions and variants."""

from functools import cached_property

from narrator.errors import RequestError, quoted
from narrator.rules.model import Count, Name
from narrator.rules.ruleset.between_rolls import (
    ConflictsSpec,
    ContestsSpec,
    FatePointsSpec,
    MilestoneSpec,
    RecoverySpec,
    ScenesSpec,
)
from narrator.rules.ruleset.declarations import ActionSpec, ManeuverSpec, Sheet, Teamwork
from narrator.rules.ruleset.row import FAIL, Citation, RowKey, RowSpec
from narrator.rules.ruleset.ruleset_file import RulesetFile
from narrator.rules.typo import meant


class Ruleset(RulesetFile):
    """A complete ruleset: a file combined with everything that it extends."""

    inflicted_consequence_invocations: Count = 0
    skills: tuple[Name, ...] = ()
    sheet: Sheet
    teamwork: Teamwork
    fate_points: FatePointsSpec
    recovery: RecoverySpec
    contests: ContestsSpec
    conflicts: ConflictsSpec
    milestones: dict[Name, MilestoneSpec]
    scenes: ScenesSpec

    @cached_property
    def by_key(self) -> dict[RowKey, RowSpec]:
        """Its rows by action, variant, maneuver and outcome."""
        return {row.key: row for row in self.rows}

    def outcome(self, shifts: int) -> str:
        """Return the outcome for a number of shifts ("The Four Outcomes")."""
        return max((name for name in self.outcomes if shifts >= self.least(name)), key=self.least, default=FAIL)

    def least(self, outcome: str) -> int:
        """Return the fewest shifts of an outcome other than a failure."""
        return self.outcomes[outcome].least

    def track(self, named: str | None) -> str | None:
        """Return the named stress track, or else the first on the sheet, if any."""
        return named or next(iter(self.sheet.stress), None)

    def row(self, action: str, variant: str | None, outcome: str, maneuver: str | None = None) -> RowSpec:
        """Find the row of an outcome."""
        if outcome in self.outcomes:
            outcome = self.outcomes[outcome].rows_of or outcome
        variant = self.actions[action].variant(variant).rows_of or variant
        of_variant = self.by_key.get((action, variant, None, outcome))
        row = self.by_key.get((action, None, maneuver, outcome), of_variant) if maneuver else of_variant
        assert row is not None, "a complete ruleset has a row for every variant and outcome"
        return row

    def about_slot(self, slot: str) -> str | None:
        """Return the description of a slot with its own id, or None if it has none."""
        of_riders = (each for rider in self.riders for each in rider.slots)
        of_rows = (each for row in self.rows for branch in row.branches for each in branch.slots)
        return next((each.brief for each in (*of_riders, *of_rows) if each.id == slot and each.brief), None)

    def source(self, row: RowSpec) -> Citation:
        """Return the document and section of a row."""
        return Citation(document=row.document or self.title, section=row.section or row.action)

    def action(self, name: str, field: str = "action.type") -> ActionSpec:
        """Find an action, or raise `unsupported_action`."""
        if name not in self.actions:
            message = f"{self.name} has no action {quoted(name)}{meant(name, self.actions)}"
            raise RequestError("unsupported_action", field, message, sorted(self.actions))
        return self.actions[name]

    def variant(self, action: str, named: str | None, field: str = "action.variant") -> str | None:
        """Return the named variant or else the default, which may be None. Raise `unknown_variant` if there is none."""
        variants = self.action(action).all_variants
        if named is None:
            return variants[0]
        if named not in variants:
            known = [each for each in variants if each]
            message = f"{action} has no variant {quoted(named)}{meant(named, known)}"
            raise RequestError("unknown_variant", field, message, known)
        return named

    def maneuver(self, action: str, variant: str | None, named: str | None) -> ManeuverSpec | None:
        """Find the named maneuver, if any. Raise `unknown_variant` if this action does not have it."""
        if named is None:
            return None
        is_plain = variant == self.actions[action].all_variants[0]
        known = [name for name, spec in self.maneuvers.items() if spec.action == action and is_plain]
        if named not in known:
            message = f"there is no maneuver {quoted(named)} for this action{meant(named, known)}"
            raise RequestError("unknown_variant", "action.maneuver", message, known)
        return self.maneuvers[named]
