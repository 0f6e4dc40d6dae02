"""What a ruleset file declares beside its rows: actions, riders, outcomes and the sheet, as TOML has them."""

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from narrator.rules.model import LARGEST, LIST, SHORT_LIST, Model, Name, Whole
from narrator.rules.request.scene import Character, Frame, Importance
from narrator.rules.ruleset.row import GrantSpec, Need, RowKind, RowSpec, SlotSpec

OpposedBy = Literal["passive", "aspects", "active", "defend", "movement", "unseen_zone", "roar"]
FEW = Field(max_length=12)
"""For the tracks and levels of a sheet: every way to combine them is tried."""
Box = Annotated[int, Field(ge=1, le=LARGEST)]
"""What a box or a consequence absorbs, in shifts; or what else is counted from 1."""

RollSide = Literal["actor", "opposition"]
"""A side of a roll. That of a character is whatever word the scene has."""


class FirstForm(Model):
    """A form that a rider puts first in the slots of a kind, also where the row does not have it."""

    kind: RowKind
    """The kind of slot."""
    form: Name
    """The form's name."""


class Naming(Model):
    """What names parts of a ruleset, each sort in a list."""

    def without(self, **gone: Collection[str]) -> Self:
        """The same, without these names in these lists."""
        lists = ((name, getattr(self, name), names) for name, names in gone.items())
        kept = {name: told and tuple(each for each in told if each not in names) for name, told, names in lists}
        return self.model_copy(update=kept)


class Rider(Naming):
    """What holds beside the rows: when (all that is told must fit), and what it changes in every branch."""

    id: Name
    """Its name."""
    section: Name
    """Where it stands in the ruleset's document."""
    actions: Annotated[tuple[Name, ...], LIST] | None = None
    """The actions that it is for; left out: all."""
    maneuvers: Annotated[tuple[Name, ...], LIST] | None = None
    """The maneuvers that it is for; left out: with any and with none."""
    outcomes: Annotated[tuple[Name, ...], LIST] | None = None
    """The outcomes that it is for; left out: all."""
    frames: Annotated[tuple[Frame, ...], LIST] | None = None
    """The kinds of scene that it is for; left out: all."""
    opposition: Annotated[tuple[OpposedBy, ...], LIST] | None = None
    """The kinds of opposition that it is for; left out: all."""
    defended: bool | None = None
    """True: only where somebody defends; false: only where nobody does; left out: either way."""
    shifts_to: Whole | None = None
    """Only at so many shifts or fewer; left out: at any."""
    slots: Annotated[tuple[SlotSpec, ...], LIST] = ()
    """What it adds to every branch for words."""
    grants: Annotated[tuple[GrantSpec, ...], LIST] = ()
    """What it adds to every branch."""
    first_form: FirstForm | None = None
    """The form that it puts first; left out: none."""
    drops_branches: Annotated[tuple[Name, ...], LIST] = ()
    """The ids of branches that it takes away."""
    drops_slots: Annotated[tuple[RowKind, ...], LIST] = ()
    """The kinds of slots that it takes away."""
    drops_forms: Annotated[tuple[Name, ...], LIST] = ()
    """The forms that it takes away."""
    notice: Name | None = None
    """What it has the resolution say."""

    def meets(
        self, row: RowSpec, outcomes: Collection[str], shifts: int | None, maneuvers: Mapping[str, "ManeuverSpec"]
    ) -> bool:
        """Whether it may ever change a row, to which these outcomes lead, from so many shifts on (None: a failure)."""
        named = self.maneuvers or ()
        is_named = row.maneuver in named if row.maneuver else row.action in [maneuvers[each].action for each in named]
        return (
            (self.actions is None or row.action in self.actions)
            and (self.maneuvers is None or is_named)
            and (self.outcomes is None or not set(self.outcomes).isdisjoint(outcomes))
            and (self.shifts_to is None or shifts is None or shifts <= self.shifts_to)
        )

    def goes_with(self, other: "Rider") -> bool:
        """Whether both may hold at once."""
        sets = (
            (getattr(self, name), getattr(other, name)) for name in ("maneuvers", "outcomes", "frames", "opposition")
        )
        apart = any(None not in pair and set(pair[0]).isdisjoint(pair[1]) for pair in sets)
        return not apart and {self.defended, other.defended} != {True, False}

    def empties(self, slot: SlotSpec) -> bool:
        """Whether it takes every form from a slot that it leaves there."""
        is_filled = self.first_form is not None and self.first_form.kind == slot.kind
        is_empty = {use.form for use in slot.forms} <= set(self.drops_forms)
        return is_empty and not is_filled and slot.kind not in self.drops_slots


class VariantSpec(Model):
    """A variant of an action, with what is its own. A name alone is one that has nothing of its own but its rows."""

    name: Name
    brief: Name | None = None
    """What one does or is after by it, for whoever words what comes of it."""
    special: bool = False
    """Whether it is meant only where it is named."""
    needs: Annotated[tuple[Need, ...], LIST] = ()
    """What it has to be told: the aspect in play that it is about, or the path that it moves along."""
    rows_of: Name | None = None
    """The variant whose rows it has; left out: its own."""
    opposition: Annotated[tuple[OpposedBy, ...], LIST] | None = None
    """What opposes it; left out: what opposes the action."""

    @model_validator(mode="before")
    @classmethod
    def _as_named(cls, data: Any) -> Any:
        return {"name": data} if isinstance(data, str) else data


_PLAIN = VariantSpec(name="plain")


class ActionSpec(Model):
    """An action: its variants (the first is meant where none is named) and what may oppose it."""

    label: Name
    section: Name
    variants: Annotated[tuple[VariantSpec, ...], LIST] = ()
    opposition: Annotated[tuple[OpposedBy, ...], LIST] | None = None
    """Left out: the action is always on a character."""
    opposition_on_target: Annotated[tuple[OpposedBy, ...], LIST] | None = None
    """On a character, who then is the defender; left out: as without a target, and nobody defends."""
    is_defense: bool = False
    """Full defence adds to it."""

    @property
    def is_attack(self) -> bool:
        """Whether it is always on somebody, who then defends."""
        return self.opposition is None

    @property
    def all_variants(self) -> tuple[str | None, ...]:
        """Every variant by name; first None, for the plain action, where no variant is meant in its place."""
        usual = tuple(each.name for each in self.variants if not each.special)
        return (*(usual or (None,)), *(each.name for each in self.variants if each.special))

    def variant(self, name: str | None) -> VariantSpec:
        """Find what a variant has of its own; the plain action has nothing."""
        return next((each for each in self.variants if each.name == name), _PLAIN)

    def without(self, variants: Collection[str]) -> "ActionSpec":
        """The same, without these variants."""
        return self.model_copy(update={"variants": tuple(each for each in self.variants if each.name not in variants)})


class ManeuverSpec(Model):
    """A maneuver that is declared before the roll: the action that it is."""

    action: Name
    brief: Name | None = None
    """What one does or is after by it, for whoever words what comes of it."""
    opposition: Annotated[tuple[OpposedBy, ...], LIST] | None = None
    rating: Whole | None = None
    """What opposes it, in steps of the ladder, where the document says so."""
    own_weight: Box = 1
    """What the actor's own weight is multiplied by."""


class WeightSpec(Naming):
    """When weight counts unasked, and how many times the foe's weight turns dice."""

    actions: Annotated[tuple[Name, ...], LIST]
    one_die: Box
    two_dice: Box

    def dice(self, weight: int, foes: int, attacks: bool) -> int:
        """Say how many dice a side turns: a second one only where it attacks."""
        if attacks and weight >= self.two_dice * foes:
            return 2
        return 1 if weight >= self.one_die * foes else 0


class RoarSpec(Model):
    """The wheel of approaches: who roars is held to one and its neighbours ("Roar Phase")."""

    ring: Annotated[tuple[Name, ...], LIST]

    def held_to(self, approach: str) -> tuple[str, ...]:
        """List the approaches that a roar allows, sorted: its own and its two neighbours, or itself off the ring."""
        ring = [each.casefold() for each in self.ring]
        if approach.casefold() not in ring:
            return (approach,)
        place = ring.index(approach.casefold())
        return tuple(sorted({self.ring[place - 1], self.ring[place], self.ring[(place + 1) % len(ring)]}))

    def ends(self, character: Character, skill: str | None) -> bool:
        """Whether using this skill ends a roar: another approach, or for a minor NPC what it is bad at."""
        if character.roar is None or skill is None:
            return False
        if character.importance in ("nameless", "swarm"):
            if _is_among(skill, character.bad_at):
                return True
            if not _is_among(character.roar, self.ring):
                return False
        return not _is_among(skill, self.held_to(character.roar))


def _is_among(approach: str, others: Iterable[str]) -> bool:
    return approach.casefold() in {each.casefold() for each in others}


class FrameSpec(Naming):
    """What a frame does not let anyone do."""

    refuses: Annotated[tuple[Name, ...], LIST] = ()


class Sheet(Model):
    """The sheet of characters whose request tells none: boxes in shifts, and what each consequence absorbs."""

    importance: Annotated[tuple[Importance, ...], LIST]
    stress: Annotated[dict[Name, Annotated[tuple[Box, ...], SHORT_LIST]], FEW]
    """Its tracks; the first is the one that an attack is on where it names none."""
    boxes_per_hit: Box | Literal["any"] = 1
    """How many boxes of a track a hit may mark."""
    consequences: Annotated[dict[Name, Box], FEW]

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels of consequences, the mildest first."""
        return tuple(sorted(self.consequences, key=self.consequences.__getitem__))


class Teamwork(Model):
    """Who adds 1 by helping, and how much all of them may add."""

    least: Whole | None = Field(default=None, alias="from")
    """Those with at least this rating in the skill; left out: everyone."""
    most: Literal["leader"] | None = None
    """`leader`: together no more than the leader's rating in it; left out: as many as help."""


class OutcomeSpec(Model):
    """An outcome, from so many shifts on. A number alone is one that has rows of its own."""

    least: Whole = Field(alias="from")
    rows_of: Name | None = None
    """The outcome whose rows it has; left out: its own."""

    @model_validator(mode="before")
    @classmethod
    def _as_number(cls, data: Any) -> Any:
        return {"from": data} if isinstance(data, int) else data
