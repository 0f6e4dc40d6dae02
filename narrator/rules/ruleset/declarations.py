"""What a ruleset file declares besides its rows: actions, riders, outcomes and the sheet."""

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from narrator.rules.model import LARGEST, LIST, SHORT_LIST, Model, Name, Whole
from narrator.rules.request.scene import Character, Frame, Importance
from narrator.rules.ruleset.row import GrantSpec, Need, RowKind, RowSpec, SlotSpec

OpposedBy = Literal["passive", "aspects", "active", "defend", "movement", "unseen_zone", "roar"]
FEW = Field(max_length=12)
"""The limit on tracks and levels of a sheet, because every combination is tried."""
Box = Annotated[int, Field(ge=1, le=LARGEST)]
"""A count from 1, such as the shifts that a box or consequence absorbs."""

RollSide = Literal["actor", "opposition"]
"""A side of a roll. A character's side is a word from the scene instead."""


class FirstForm(Model):
    """A form that a rider puts first in slots of a kind, even if the row does not have it."""

    kind: RowKind
    """The kind of slot."""
    form: Name
    """The form's name."""


class Naming(Model):
    """A declaration that lists names of other parts of the ruleset."""

    def without(self, **gone: Collection[str]) -> Self:
        """Return a copy without these names in these lists."""
        lists = ((name, getattr(self, name), names) for name, names in gone.items())
        kept = {name: told and tuple(each for each in told if each not in names) for name, told, names in lists}
        return self.model_copy(update=kept)


class Rider(Naming):
    """A rule that changes rows. It applies if all its conditions are met, and it changes every branch of the row."""

    id: Name
    """Its id."""
    section: Name
    """Its section in the ruleset's document."""
    actions: Annotated[tuple[Name, ...], LIST] | None = None
    """The actions that it applies to. If omitted, all."""
    maneuvers: Annotated[tuple[Name, ...], LIST] | None = None
    """The maneuvers that it applies to. If omitted, any or none."""
    outcomes: Annotated[tuple[Name, ...], LIST] | None = None
    """The outcomes that it applies to. If omitted, all."""
    frames: Annotated[tuple[Frame, ...], LIST] | None = None
    """The kinds of scene that it applies to. If omitted, all."""
    opposition: Annotated[tuple[OpposedBy, ...], LIST] | None = None
    """The kinds of opposition that it applies to. If omitted, all."""
    defended: bool | None = None
    """`true` if somebody must defend, `false` if nobody may. If omitted, either."""
    shifts_to: Whole | None = None
    """The most shifts at which it applies. If omitted, any."""
    slots: Annotated[tuple[SlotSpec, ...], LIST] = ()
    """The slots that it adds to every branch."""
    grants: Annotated[tuple[GrantSpec, ...], LIST] = ()
    """The grants that it adds to every branch."""
    first_form: FirstForm | None = None
    """The form that it puts first, if any."""
    drops_branches: Annotated[tuple[Name, ...], LIST] = ()
    """The ids of branches that it removes."""
    drops_slots: Annotated[tuple[RowKind, ...], LIST] = ()
    """The kinds of slots that it removes."""
    drops_forms: Annotated[tuple[Name, ...], LIST] = ()
    """The forms that it removes."""
    notice: Name | None = None
    """A notice that it adds to the resolution."""

    def meets(
        self, row: RowSpec, outcomes: Collection[str], shifts: int | None, maneuvers: Mapping[str, "ManeuverSpec"]
    ) -> bool:
        """Whether it can ever change a row. The row has these outcomes and at least `shifts` (None for a failure)."""
        named = self.maneuvers or ()
        is_named = row.maneuver in named if row.maneuver else row.action in [maneuvers[each].action for each in named]
        return (
            (self.actions is None or row.action in self.actions)
            and (self.maneuvers is None or is_named)
            and (self.outcomes is None or not set(self.outcomes).isdisjoint(outcomes))
            and (self.shifts_to is None or shifts is None or shifts <= self.shifts_to)
        )

    def goes_with(self, other: "Rider") -> bool:
        """Whether both riders can apply at once."""
        sets = (
            (getattr(self, name), getattr(other, name)) for name in ("maneuvers", "outcomes", "frames", "opposition")
        )
        apart = any(None not in pair and set(pair[0]).isdisjoint(pair[1]) for pair in sets)
        return not apart and {self.defended, other.defended} != {True, False}

    def empties(self, slot: SlotSpec) -> bool:
        """Whether it keeps a slot but removes all its forms."""
        is_filled = self.first_form is not None and self.first_form.kind == slot.kind
        is_empty = {use.form for use in slot.forms} <= set(self.drops_forms)
        return is_empty and not is_filled and slot.kind not in self.drops_slots


class VariantSpec(Model):
    """A variant of an action. A plain name declares a variant that differs only in its rows."""

    name: Name
    brief: Name | None = None
    """What the actor does or wants, for the source."""
    special: bool = False
    """Whether requests must name it. It is never the default."""
    needs: Annotated[tuple[Need, ...], LIST] = ()
    """What the request must give: the aspect in play that it is about, or the path of a movement."""
    rows_of: Name | None = None
    """The variant whose rows it uses. If omitted, its own."""
    opposition: Annotated[tuple[OpposedBy, ...], LIST] | None = None
    """What may oppose it. If omitted, what may oppose the action."""

    @model_validator(mode="before")
    @classmethod
    def _as_named(cls, data: Any) -> Any:
        return {"name": data} if isinstance(data, str) else data


_PLAIN = VariantSpec(name="plain")


class ActionSpec(Model):
    """An action: its variants, of which the first is the default, and what may oppose it."""

    label: Name
    section: Name
    variants: Annotated[tuple[VariantSpec, ...], LIST] = ()
    opposition: Annotated[tuple[OpposedBy, ...], LIST] | None = None
    """What may oppose it. If omitted, the action always has a target."""
    opposition_on_target: Annotated[tuple[OpposedBy, ...], LIST] | None = None
    """What may oppose it if its target is a character, who then defends. If omitted, a target makes no difference."""
    is_defense: bool = False
    """Whether full defence adds to it."""

    @property
    def is_attack(self) -> bool:
        """Whether it always has a target, who then defends."""
        return self.opposition is None

    @property
    def all_variants(self) -> tuple[str | None, ...]:
        """The names of all variants. The first is None if the plain action is the default."""
        usual = tuple(each.name for each in self.variants if not each.special)
        return (*(usual or (None,)), *(each.name for each in self.variants if each.special))

    def variant(self, name: str | None) -> VariantSpec:
        """Return the declaration of a variant. The plain action has an empty one."""
        return next((each for each in self.variants if each.name == name), _PLAIN)

    def without(self, variants: Collection[str]) -> "ActionSpec":
        """Return a copy without these variants."""
        return self.model_copy(update={"variants": tuple(each for each in self.variants if each.name not in variants)})


class ManeuverSpec(Model):
    """A maneuver, which is an action that is declared before the roll."""

    action: Name
    brief: Name | None = None
    """What the actor does or wants, for the source."""
    opposition: Annotated[tuple[OpposedBy, ...], LIST] | None = None
    rating: Whole | None = None
    """The passive opposition, as a rating on the ladder, if the document gives one."""
    own_weight: Box = 1
    """The factor for the actor's own weight."""


class WeightSpec(Naming):
    """The actions in which weight counts by default, and the multiples of the foe's weight that turn dice."""

    actions: Annotated[tuple[Name, ...], LIST]
    one_die: Box
    two_dice: Box

    def dice(self, weight: int, foes: int, attacks: bool) -> int:
        """Return how many dice a side turns. Only an attack can turn a second one."""
        if attacks and weight >= self.two_dice * foes:
            return 2
        return 1 if weight >= self.one_die * foes else 0


class RoarSpec(Model):
    """The wheel of approaches. A roar allows one approach and its neighbours ("Roar Phase")."""

    ring: Annotated[tuple[Name, ...], LIST]

    def held_to(self, approach: str) -> tuple[str, ...]:
        """List the approaches that a roar allows, sorted. One that is not on the ring has no neighbours."""
        ring = [each.casefold() for each in self.ring]
        if approach.casefold() not in ring:
            return (approach,)
        place = ring.index(approach.casefold())
        return tuple(sorted({self.ring[place - 1], self.ring[place], self.ring[(place + 1) % len(ring)]}))

    def ends(self, character: Character, skill: str | None) -> bool:
        """Whether using this skill ends a roar: another approach, or one that a minor NPC is bad at."""
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
    """The actions that a frame excludes."""

    refuses: Annotated[tuple[Name, ...], LIST] = ()


class Sheet(Model):
    """The default sheet: the shifts that each box and each consequence absorbs."""

    importance: Annotated[tuple[Importance, ...], LIST]
    stress: Annotated[dict[Name, Annotated[tuple[Box, ...], SHORT_LIST]], FEW]
    """The stress tracks. Attacks use the first by default."""
    boxes_per_hit: Box | Literal["any"] = 1
    """How many boxes of a track a hit may mark."""
    consequences: Annotated[dict[Name, Box], FEW]

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels of consequences, the mildest first."""
        return tuple(sorted(self.consequences, key=self.consequences.__getitem__))


class Teamwork(Model):
    """Who adds 1 by helping, and how much all helpers may add."""

    least: Whole | None = Field(default=None, alias="from")
    """The rating in the skill that a helper needs. If omitted, everyone may help."""
    most: Literal["leader"] | None = None
    """`leader` if all helpers add at most the leader's rating in the skill. If omitted, there is no limit."""


class OutcomeSpec(Model):
    """An outcome and its fewest shifts. A plain number declares an outcome with its own rows."""

    least: Whole = Field(alias="from")
    rows_of: Name | None = None
    """The outcome whose rows it uses. If omitted, its own."""

    @model_validator(mode="before")
    @classmethod
    def _as_number(cls, data: Any) -> Any:
        return {"from": data} if isinstance(data, int) else data
