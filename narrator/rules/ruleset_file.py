"""A ruleset file, as TOML has it, and how it is laid over the one that it extends."""

from collections.abc import Iterator
from typing import Annotated, Self

from narrator.rules.card import Card
from narrator.rules.declared import (
    ActionSpec,
    FormSpec,
    FrameSpec,
    ManeuverSpec,
    OutcomeSpec,
    Rider,
    RoarSpec,
    RowName,
    RowSpec,
    Sheet,
    Teamwork,
    WeightSpec,
)
from narrator.rules.model import LIST, Count, Model, Name, Whole
from narrator.rules.scene import Frame

Part = tuple[str, object]
"""A part of a ruleset, by the table that it stands in and what names it there."""

Path = tuple[str | int, ...]
"""Where a part stands in its file: tables, numbers of repeated tables, keys."""

_TABLES = ("outcomes", "maneuvers", "frames", "forms", "actions")
"""What is taken over name by name."""

_SINGLES = ("inflicted_consequence_invocations", "skills", "sheet", "teamwork", "weight", "roar")
"""What is taken over whole."""


class Removed(Model):
    """
    What a ruleset does not take over of the one it extends.
    """

    actions: Annotated[tuple[Name, ...], LIST] = ()
    """Actions, with all their rows."""
    variants: dict[Name, Annotated[tuple[Name, ...], LIST]] = {}
    """Variants by their action, with their rows."""
    outcomes: Annotated[tuple[Name, ...], LIST] = ()
    """Outcomes, with their rows."""
    rows: Annotated[tuple[RowName, ...], LIST] = ()
    """Single rows, such as a maneuver's, in place of which the variant's then serves."""
    riders: Annotated[tuple[Name, ...], LIST] = ()
    """Riders, by their ids."""

    def takes(self, row: RowName) -> bool:
        """
        Whether a row goes with what is removed.
        """
        return (
            row.action in self.actions
            or row.variant in self.variants.get(row.action, ())
            or row.outcome in self.outcomes
            or row.key in {each.key for each in self.rows}
        )

    def missing(self, below: "RulesetFile") -> Iterator[tuple[str, str]]:
        """
        Name what is not there to be removed, by its table.
        """
        variants = {name: spec.all_variants for name, spec in below.actions.items()}
        yield from (("actions", each) for each in self.actions if each not in below.actions)
        for action, named in self.variants.items():
            yield from (("variants", each) for each in named if each not in variants.get(action, ()))
        yield from (("outcomes", each) for each in self.outcomes if each not in below.outcomes)
        keys = {row.key for row in below.rows}
        yield from (("rows", each.action) for each in self.rows if each.key not in keys)
        ids = {rider.id for rider in below.riders}
        yield from (("riders", each) for each in self.riders if each not in ids)


class RulesetFile(Model):
    """
    One TOML file, as written: `extends` starts from another, and what stands here changes or adds.
    """

    name: Name
    title: Name
    extends: Name | None = None
    removes: Removed = Removed()
    inflicted_consequence_invocations: Count | None = None
    """What a consequence that an attack inflicts gives the attacker, in free invocations; left out: none."""
    skills: Annotated[tuple[Name, ...], LIST] | None = None
    """Its skills or approaches: what is near to one of them, and none, is taken for mistyped."""
    outcomes: dict[Name, Whole | OutcomeSpec] = {}
    sheet: Sheet | None = None
    teamwork: Teamwork | None = None
    weight: WeightSpec | None = None
    roar: RoarSpec | None = None
    maneuvers: dict[Name, ManeuverSpec] = {}
    frames: dict[Frame, FrameSpec] = {}
    forms: dict[Name, FormSpec] = {}
    actions: dict[Name, ActionSpec] = {}
    rows: Annotated[tuple[RowSpec, ...], LIST] = ()
    riders: Annotated[tuple[Rider, ...], LIST] = ()
    cards: Annotated[tuple[Card, ...], LIST] = ()

    def over(self, base: "RulesetFile") -> "RulesetFile":
        """
        Lay this file over another: what it says stands beside what the other says, or in its place. What it removes
        is gone, and the other's rows keep their source.
        """
        kept = base.without(self.removes)
        below, above = kept.sourced, self.rows
        return self.model_copy(
            update={
                **{name: {**getattr(kept, name), **getattr(self, name)} for name in _TABLES},
                **{name: getattr(self if getattr(self, name) is not None else kept, name) for name in _SINGLES},
                "rows": tuple({row.key: row for row in (*below, *above)}.values()),
                "riders": tuple({rider.id: rider for rider in (*kept.riders, *self.riders)}.values()),
                "cards": (*kept.cards, *self.cards),
            }
        )

    def without(self, removed: Removed) -> Self:
        """
        The same, without what another file removes of it.
        """
        gone = set(removed.actions)
        actions = {name: spec for name, spec in self.actions.items() if name not in gone}
        frames = {
            frame: spec.model_copy(update={"refuses": tuple(each for each in spec.refuses if each not in gone)})
            for frame, spec in self.frames.items()
        }
        return self.model_copy(
            update={
                "outcomes": {name: each for name, each in self.outcomes.items() if name not in removed.outcomes},
                "actions": {name: spec.without(removed.variants.get(name, ())) for name, spec in actions.items()},
                "frames": frames,
                "rows": tuple(row for row in self.rows if not removed.takes(row)),
                "riders": tuple(rider for rider in self.riders if rider.id not in removed.riders),
            }
        )

    @property
    def sourced(self) -> tuple[RowSpec, ...]:
        """
        Its rows, each with the document and the section that it is from.
        """
        return tuple(
            row.model_copy(update={"document": row.document or self.title, "section": self._section(row)})
            for row in self.rows
        )

    def _section(self, row: RowSpec) -> str:
        # A row of no action is refused once all is laid together.
        action = self.actions.get(row.action)
        return row.section or (action.section if action else row.action)

    def parts(self) -> Iterator[tuple[Part, Path]]:
        """
        Name each part that is written here, and where it stands.
        """
        for table in _TABLES:
            yield from (((table, name), (table, name)) for name in getattr(self, table))
        yield from (((name, None), (name,)) for name in _SINGLES if getattr(self, name) is not None)
        yield from ((("rows", row.key), ("rows", number)) for number, row in enumerate(self.rows))
        yield from ((("riders", rider.id), ("riders", number)) for number, rider in enumerate(self.riders))
        yield from ((("cards", card.id), ("cards", number)) for number, card in enumerate(self.cards))
