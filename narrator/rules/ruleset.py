"""A whole ruleset, all that it extends taken in: finds outcomes, rows, actions and variants."""

from collections.abc import Mapping
from dataclasses import dataclass

from narrator.errors import NarratorError, quoted
from narrator.rules.card import Card
from narrator.rules.declared import (
    FAIL,
    ActionSpec,
    FormSpec,
    FrameSpec,
    ManeuverSpec,
    OutcomeSpec,
    Rider,
    RoarSpec,
    RowSpec,
    Sheet,
    Teamwork,
    WeightSpec,
)
from narrator.rules.near import meant

RowKey = tuple[str, str | None, str | None, str]
"""Action, variant (or None), maneuver (or None), outcome."""


@dataclass(frozen=True)
class Row:
    """
    A row and where its rule stands: the title of a document and a section of it.
    """

    spec: RowSpec
    document: str
    section: str


@dataclass(frozen=True)
class Ruleset:
    """
    A whole ruleset, all that it extends taken in.
    """

    name: str
    title: str
    outcomes: Mapping[str, OutcomeSpec | int]
    skills: tuple[str, ...]
    inflicted_consequence_invocations: int
    sheet: Sheet
    teamwork: Teamwork
    weight: WeightSpec | None
    roar: RoarSpec | None
    maneuvers: Mapping[str, ManeuverSpec]
    frames: Mapping[str, FrameSpec]
    forms: Mapping[str, FormSpec]
    actions: Mapping[str, ActionSpec]
    rows: Mapping[RowKey, Row]
    riders: Mapping[str, Rider]
    cards: tuple[Card, ...]

    def outcome(self, shifts: int) -> str:
        """
        Name the outcome that so many shifts are ("The Four Outcomes").
        """
        return max((name for name in self.outcomes if shifts >= self.least(name)), key=self.least, default=FAIL)

    def least(self, outcome: str) -> int:
        """
        Return the fewest shifts of an outcome that is no failure.
        """
        spec = self.outcomes[outcome]
        return spec if isinstance(spec, int) else spec.least

    def track(self, named: str | None) -> str | None:
        """
        Name the stress track that is meant: the one named, else the first of the sheet, where it has any.
        """
        return named or next(iter(self.sheet.stress), None)

    def row(self, action: str, variant: str | None, outcome: str, maneuver: str | None = None) -> Row:
        """
        Find the row of an outcome.
        """
        spec = self.outcomes.get(outcome)
        outcome = spec.rows_of if isinstance(spec, OutcomeSpec) else outcome
        variant = self.actions[action].rows_of.get(variant or "", variant)
        of_maneuver = (action, None, maneuver, outcome)
        if maneuver is not None and of_maneuver in self.rows:
            return self.rows[of_maneuver]
        return self.rows[action, variant, None, outcome]

    def action(self, name: str, field: str = "action.type") -> ActionSpec:
        """
        Find an action.

        Raises:
            NarratorError: `unsupported_action` where the ruleset has none of this name.
        """
        if name not in self.actions:
            message = f"{self.name} has no action {quoted(name)}{meant(name, self.actions)}"
            raise NarratorError("unsupported_action", field, message, sorted(self.actions))
        return self.actions[name]

    def variant(self, action: str, named: str | None) -> str | None:
        """
        Find the variant that is meant: the one named, else the action's first, else None.

        Raises:
            NarratorError: `unknown_variant` where the action has none of this name.
        """
        variants = self.action(action).all_variants
        if named is None:
            return variants[0]
        if named not in variants:
            known = [each for each in variants if each]
            message = f"{action} has no variant {quoted(named)}{meant(named, known)}"
            raise NarratorError("unknown_variant", "action.variant", message, known)
        return named

    def maneuver(self, action: str, variant: str | None, named: str | None) -> ManeuverSpec | None:
        """
        Find the maneuver that is named, or None.

        Raises:
            NarratorError: `unknown_variant` where there is none of this name, or it is no such action.
        """
        if named is None:
            return None
        is_plain = variant == self.actions[action].all_variants[0]
        known = [name for name, spec in self.maneuvers.items() if spec.action == action and is_plain]
        if named not in known:
            message = f"there is no maneuver {quoted(named)} here{meant(named, known)}"
            raise NarratorError("unknown_variant", "action.maneuver", message, known)
        return self.maneuvers[named]
