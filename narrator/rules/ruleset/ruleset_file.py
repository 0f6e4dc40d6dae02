"""A ruleset file in TOML, how it changes the file that it extends, and where each part was written."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, NoReturn, Self

from pydantic import Field

from narrator.errors import RequestError, quoted
from narrator.rules.model import LIST, Count, Model, Name
from narrator.rules.request.scene import Frame
from narrator.rules.ruleset.between_rolls import (
    ConflictsSpec,
    ContestsSpec,
    FatePointsSpec,
    MilestoneSpec,
    RecoverySpec,
    ScenesSpec,
)
from narrator.rules.ruleset.card import Card
from narrator.rules.ruleset.declarations import (
    ActionSpec,
    FrameSpec,
    ManeuverSpec,
    OutcomeSpec,
    Rider,
    RoarSpec,
    Sheet,
    Teamwork,
    WeightSpec,
)
from narrator.rules.ruleset.row import FormSpec, RowName, RowSpec
from narrator.rules.toml_file import line_of
from narrator.rules.typo import meant

Part = tuple[str, object]
"""A part of a ruleset: its table and its key in that table."""

Where = tuple[str | int, ...]
"""A place in a file: tables, numbers of repeated tables, keys."""

_TABLES = ("outcomes", "maneuvers", "frames", "forms", "actions")
"""Tables that are inherited entry by entry."""

_SINGLES = (
    "inflicted_consequence_invocations", "skills", "sheet", "teamwork", "weight", "roar", "fate_points", "recovery",
    "contests", "conflicts", "milestones", "scenes",
)  # fmt: skip
"""Parts that are inherited as a whole."""


class Removed(Model):
    """What a ruleset does not inherit from the one that it extends."""

    actions: Annotated[tuple[Name, ...], LIST] = ()
    """Actions, with all their rows."""
    variants: dict[Name, Annotated[tuple[Name, ...], LIST]] = {}
    """Variants by their action, with their rows."""
    outcomes: Annotated[tuple[Name, ...], LIST] = ()
    """Outcomes, with their rows."""
    rows: Annotated[tuple[RowName, ...], LIST] = ()
    """Single rows, such as a maneuver's, which the variant's row then replaces."""
    riders: Annotated[tuple[Name, ...], LIST] = ()
    """Riders, by their ids."""

    def takes(self, row: RowName) -> bool:
        """Whether a row is removed."""
        return (
            row.action in self.actions
            or row.variant in self.variants.get(row.action, ())
            or row.outcome in self.outcomes
            or row.key in {each.key for each in self.rows}
        )

    def missing(self, below: "RulesetFile") -> Iterator[tuple[str, Where]]:
        """Yield each removed name that does not exist, and where it is written."""
        keys = {row.key for row in below.rows}
        tables: list[tuple[str, Where, Iterable[str], Iterable[str | None]]] = [
            ("action", ("actions",), self.actions, below.actions),
            ("action", ("variants",), self.variants, below.actions),
            ("outcome", ("outcomes",), self.outcomes, below.outcomes),
            ("rider", ("riders",), self.riders, [rider.id for rider in below.riders]),
        ]
        for action in below.actions.keys() & self.variants.keys():
            variants = below.actions[action].all_variants
            tables.append(("variant", ("variants", action), self.variants[action], variants))
        for what, where, named, there in tables:
            known = [each for each in there if each]
            for name in (each for each in named if each not in known):
                yield f"{what} {quoted(name)} to be removed{meant(name, known)}", (*where, name)
        for number, row in enumerate(self.rows):
            if row.key not in keys:
                yield f"row {row.named} to be removed", ("rows", number)


class RulesetFile(Model):
    """One TOML file as written. It adds to or changes the file that it `extends`."""

    name: Name
    title: Name = Field(default_factory=lambda told: told["name"].replace("-", " ").title())
    extends: Name | None = None
    removes: Removed = Removed()
    inflicted_consequence_invocations: Count | None = None
    """How many free invocations the attacker gets for a consequence. If omitted, none."""
    skills: Annotated[tuple[Name, ...], LIST] | None = None
    """Its skills or approaches. A similar but unknown name is treated as a typing error."""
    outcomes: dict[Name, OutcomeSpec] = {}
    sheet: Sheet | None = None
    teamwork: Teamwork | None = None
    weight: WeightSpec | None = None
    roar: RoarSpec | None = None
    fate_points: FatePointsSpec | None = None
    recovery: RecoverySpec | None = None
    contests: ContestsSpec | None = None
    conflicts: ConflictsSpec | None = None
    milestones: dict[Name, MilestoneSpec] | None = None
    """The lowest first."""
    scenes: ScenesSpec | None = None
    maneuvers: dict[Name, ManeuverSpec] = {}
    frames: dict[Frame, FrameSpec] = {}
    forms: dict[Name, FormSpec] = {}
    actions: dict[Name, ActionSpec] = {}
    rows: Annotated[tuple[RowSpec, ...], LIST] = ()
    riders: Annotated[tuple[Rider, ...], LIST] = ()
    cards: Annotated[tuple[Card, ...], LIST] = ()

    def over(self, base: "RulesetFile") -> "RulesetFile":
        """Apply this file to another: add and replace what it declares, and drop what it removes."""
        kept = base.without(self.removes)
        tables = {name: {**getattr(kept, name), **getattr(self, name)} for name in _TABLES}
        outcomes, actions = tables["outcomes"], tables["actions"]
        # Each row gets its document and section. A row without an action is refused once all files are combined.
        sections = {name: action.section for name, action in actions.items()}
        rows = (row.sourced(self.title, sections.get(row.action, row.action)) for row in self.rows)
        return self.model_copy(
            update={
                **tables,
                **{name: getattr(self if getattr(self, name) is not None else kept, name) for name in _SINGLES},
                "outcomes": dict(sorted(outcomes.items(), key=lambda each: each[1].least)),
                "rows": tuple({row.key: row for row in (*kept.rows, *rows)}.values()),
                "riders": tuple({rider.id: rider for rider in (*kept.riders, *self.riders)}.values()),
                "cards": (*kept.cards, *self.cards),
            }
        )

    def without(self, removed: Removed) -> Self:
        """Return a copy without the removed parts and whatever depends on them."""
        actions = {name: spec for name, spec in self.actions.items() if name not in removed.actions}
        maneuvers = {name: spec for name, spec in self.maneuvers.items() if spec.action in actions}
        lost = self.maneuvers.keys() - maneuvers
        riders = (
            rider.without(actions=removed.actions, outcomes=removed.outcomes, maneuvers=lost)
            for rider in self.riders
            if rider.id not in removed.riders
        )
        return self.model_copy(
            update={
                "outcomes": {name: each for name, each in self.outcomes.items() if name not in removed.outcomes},
                "weight": self.weight and self.weight.without(actions=removed.actions),
                "maneuvers": maneuvers,
                "frames": {frame: spec.without(refuses=removed.actions) for frame, spec in self.frames.items()},
                "actions": {name: spec.without(removed.variants.get(name, ())) for name, spec in actions.items()},
                "rows": tuple(row for row in self.rows if not removed.takes(row)),
                "riders": tuple(each for each in riders if () not in (each.actions, each.maneuvers, each.outcomes)),
            }
        )

    def parts(self) -> Iterator[tuple[Part, Where]]:
        """Yield each part in this file and its place."""
        for table in _TABLES:
            yield from (((table, name), (table, name)) for name in getattr(self, table))
        yield from (((name, None), (name,)) for name in _SINGLES if getattr(self, name) is not None)
        yield from ((("rows", row.key), ("rows", number)) for number, row in enumerate(self.rows))
        yield from ((("riders", rider.id), ("riders", number)) for number, rider in enumerate(self.riders))
        yield from ((("cards", card.id), ("cards", number)) for number, card in enumerate(self.cards))


@dataclass(frozen=True)
class Written:
    """A ruleset file as read: its declarations, its text, and its name in messages."""

    file: RulesetFile
    text: str
    place: str

    def at(self, *where: str | int) -> str:
        """Return the file and line of a place."""
        return f"{self.place}:{line_of(self.text, where)}"

    def refuse(self, problem: str, *where: str | int) -> NoReturn:
        """Raise `bad_ruleset` with the file and line of a place."""
        raise RequestError("bad_ruleset", self.at(*where), problem)


class Origins:
    """Maps the parts of a ruleset to its files, starting with the file that extends nothing."""

    def __init__(self, files: Sequence[Written]) -> None:
        self._files = files
        self._of: dict[Part, tuple[int, Where]] = {
            part: (layer, where) for layer, written in enumerate(files) for part, where in written.file.parts()
        }

    def place(self, part: Part) -> str:
        """Return the file and line where a part was last declared."""
        layer, where = self._of[part]
        return self._files[layer].at(*where)

    def refuse(self, problem: str, *parts: Part, at: Where = ()) -> NoReturn:
        """Raise `bad_ruleset` for parts that do not fit together. The error names the line of the part declared last,
        or of a later `removes`. The message adds the lines of the other parts.

        Args:
            at: The place in that part. The last word may be a value instead of a key.
        """
        last = max(parts, key=lambda part: self._of[part][0])
        layer, where = self._of[last]
        if others := ", ".join(self.place(part) for part in parts if part != last):
            problem = f"{problem} (see {others})"
        for above in self._files[layer + 1 :]:
            if above.file.removes != Removed():
                above.refuse(problem, "removes")
        self._files[layer].refuse(problem, *where, *at)
