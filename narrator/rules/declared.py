"""The parts of a ruleset file: actions, rows, forms, riders and sheet, as TOML has them."""

from collections.abc import Collection
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from narrator.rules.model import LARGEST, LIST, SHORT_LIST, Count, Model, Name, Whole, complaint
from narrator.rules.scene import Frame, Importance

Kind = Literal["serious_cost", "minor_cost", "boost", "aspect"]
Goal = Literal["attained", "not_attained", "lesser", "opponent_decides"]
Who = Literal["actor", "actor_or_ally", "opposition", "opponent", "defender", "target"]
OpposedBy = Literal["passive", "aspects", "active", "defend", "movement", "unseen_zone", "roar"]
GrantType = Literal[
    "free_invocations",
    "hit",
    "stress",
    "legend_points",
    "forfeit_next_contest_roll",
    "move",
    "may_move",
    "lethal_next_attack",
    "free_invocation_each_attack",
    "roar",
    "loses_roar",
]
Weapon = Literal["melee", "heavy_weapon"]
Harm = Literal["consequence", "stress"]
Need = Literal["aspect", "path"]
FEW = Field(max_length=12)
BRANCHES = Field(strict=False, max_length=26)
"""For the branches of a row: a page has a letter for each."""
Box = Annotated[int, Field(ge=1, le=LARGEST)]
"""What a box or a consequence absorbs, in shifts; or what else is counted from 1."""

RollSide = Literal["actor", "opposition"]
"""A side of a roll. That of a character is whatever word the scene has."""

FAIL = "fail"

AMOUNTS: dict[str, tuple[int | str | None, ...]] = {
    "hit": ("shifts", "shifts - 1"),
    "stress": (1,),
    "legend_points": (1,),
    "move": (1, "path"),
    "may_move": (1,),
    "free_invocation_each_attack": (1,),
}
"""What a grant may amount to; those not named here have no amount, free invocations any number."""


class FormSpec(Model):
    """
    A form that words may take, declared once for prompt, schema, check and deck.
    """

    kinds: Annotated[tuple[Kind, ...], LIST]
    label: Name
    brief: Name
    name: Name | None = None
    becomes: Literal["aspect", "boost", "fact"] = "aspect"
    """What the name becomes in the scene."""
    to: Who | None = None
    free_invocations: Count | None = None
    harm: Harm | None = None
    on: Literal["aspect"] | None = None
    goal: Goal | None = None
    secret: bool = False
    needs: Annotated[tuple[Weapon, ...], LIST] = ()
    """How the attack must strike for the form to be offered."""
    does: Literal["moves", "disarms"] | None = None
    """What becomes of whoever it goes to."""

    @model_validator(mode="after")
    def _harms_the_actor(self) -> "FormSpec":
        if self.harm is not None and self.to != "actor":
            raise complaint("bad_ruleset", 'harm is the actor\'s own: to = "actor"')
        return self


class FormUse(Model):
    """
    A form in a row, with what this row changes of its declaration.
    """

    form: Name
    """The form's name."""
    to: Who | None = None
    """Who gains or suffers it here; left out: as the form is declared."""
    free_invocations: Count | None = None
    """How many free invocations go with it here; left out: as the form is declared."""
    holders: Who | None = None
    """Of whom one gets the free invocations, where that is not whoever suffers it."""
    failed_by: Count | None = None
    """The free invocations go with it only where the roll failed by so many shifts or more."""

    @model_validator(mode="before")
    @classmethod
    def _as_declared(cls, data: Any) -> Any:
        return {"form": data} if isinstance(data, str) else data


class SlotSpec(Model):
    """
    A place that wants words.
    """

    kind: Kind
    """What its words are: a cost, serious or minor, a boost or an aspect."""
    id: Name | None = None
    """Its id, where that is not its kind."""
    forms: Annotated[tuple[FormUse, ...], LIST]
    """The forms that its words may take."""
    discovered: bool = False
    """Whether it is an aspect that is revealed: where the request names it, no words are wanted."""
    stands_in: bool = False
    """Whether it is a boost in place of the aspect that was meant."""


class GrantSpec(Model):
    """
    Something that a branch gives.
    """

    type: GrantType
    """What it is."""
    to: Who
    """Who gets it, by their part in the action."""
    amount: Literal["shifts", "shifts - 1", "path"] | Whole | None = None
    """A number; the shifts of the roll; or the zones that the path moves."""
    on: Literal["aspect", "path"] | None = None
    """The aspect that the action names; or the end of its path."""

    @model_validator(mode="after")
    def _amount_counts(self) -> "GrantSpec":
        allowed = AMOUNTS.get(self.type, (None,))
        is_count = isinstance(self.amount, int) and self.amount >= 0
        is_right = is_count if self.type == "free_invocations" else self.amount in allowed
        if not is_right:
            known = "a number from 0" if self.type == "free_invocations" else " or ".join(map(str, allowed))
            raise complaint("bad_ruleset", f"the amount of a grant of {self.type} is {known}")
        if self.type == "free_invocations" and self.on != "aspect":
            raise complaint("bad_ruleset", 'free invocations are granted on = "aspect"')
        return self

    @property
    def wants(self) -> Need | None:
        """
        What the action must name for it.
        """
        return self.on or ("path" if self.amount == "path" else None)


class BranchSpec(Model):
    """
    A choice that someone at the table makes after the roll.
    """

    id: Name
    """Its name in requests and choices."""
    label: Name
    """Its name for people."""
    bare_label: Name | None = None
    """That where a rider drops one of its slots; left out: the same."""
    goal: Goal
    """What becomes of the actor's goal."""
    grants: Annotated[tuple[GrantSpec, ...], LIST] = ()
    """What it gives."""
    slots: Annotated[tuple[SlotSpec, ...], LIST] = ()
    """What in it wants words."""
    if_free: Harm | None = None
    """There only where the actor still can take this."""
    unless_free: Harm | None = None
    """There only where the actor can take no more of this."""


RowKey = tuple[str, str | None, str | None, str]
"""Action, variant (or None), maneuver (or None), outcome."""


class RowName(Model):
    """
    What names a row: one outcome of one action, in one variant.
    """

    action: Name
    variant: Name | None = None
    maneuver: Name | None = None
    """A row in place of the variant's, for this maneuver."""
    outcome: Name

    @property
    def key(self) -> RowKey:
        """
        The same as a key, to find it by.
        """
        return (self.action, self.variant, self.maneuver, self.outcome)


class RowSpec(RowName):
    """
    What one outcome of one action, in one variant, leads to.
    """

    document: Name | None = None
    """The document that it is from; left out: the file's `title`."""
    section: Name | None = None
    """Where it stands there; left out: where its action does."""
    branches: Annotated[tuple[BranchSpec, ...], BRANCHES]


class FirstForm(Model):
    """
    A form that a rider puts first in the slots of a kind, also where the row does not have it.
    """

    kind: Kind
    """The kind of slot."""
    form: Name
    """The form's name."""


class Rider(Model):
    """
    What holds beside the rows: when (all that is told must fit), and what it changes in every branch.
    """

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
    drops_slots: Annotated[tuple[Kind, ...], LIST] = ()
    """The kinds of slots that it takes away."""
    drops_forms: Annotated[tuple[Name, ...], LIST] = ()
    """The forms that it takes away."""
    notice: Name | None = None
    """What it has the resolution say."""


class VariantSpec(Model):
    """
    A variant of an action, with what is its own. A name alone is one that has nothing of its own but its rows.
    """

    name: Name
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
    """
    An action: its variants (the first is meant where none is named) and what may oppose it.
    """

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
        """
        Whether it is always on somebody, who then defends.
        """
        return self.opposition is None

    @property
    def all_variants(self) -> tuple[str | None, ...]:
        """
        Every variant by name; first None, for the plain action, where no variant is meant in its place.
        """
        usual = tuple(each.name for each in self.variants if not each.special)
        return (*(usual or (None,)), *(each.name for each in self.variants if each.special))

    def variant(self, name: str | None) -> VariantSpec:
        """
        Find what a variant has of its own; the plain action has nothing.
        """
        return next((each for each in self.variants if each.name == name), _PLAIN)

    def without(self, variants: Collection[str]) -> "ActionSpec":
        """
        The same, without these variants.
        """
        return self.model_copy(update={"variants": tuple(each for each in self.variants if each.name not in variants)})


class ManeuverSpec(Model):
    """
    A maneuver that is declared before the roll: the action that it is.
    """

    action: Name
    opposition: Annotated[tuple[OpposedBy, ...], LIST] | None = None
    rating: Whole | None = None
    """What opposes it, in steps of the ladder, where the document says so."""
    own_weight: Box = 1
    """What the actor's own weight is multiplied by."""


class WeightSpec(Model):
    """
    When weight counts unasked, and how many times the foe's weight turns dice.
    """

    actions: Annotated[tuple[Name, ...], LIST]
    one_die: Box
    two_dice: Box


class RoarSpec(Model):
    """
    The wheel of approaches: who roars is held to one and its neighbours.
    """

    ring: Annotated[tuple[Name, ...], LIST]


class FrameSpec(Model):
    """
    What a frame does not let anyone do.
    """

    refuses: Annotated[tuple[Name, ...], LIST] = ()


class Sheet(Model):
    """
    The sheet of characters whose request tells none: boxes in shifts, and what each consequence absorbs.
    """

    importance: Annotated[tuple[Importance, ...], LIST]
    stress: Annotated[dict[Name, Annotated[tuple[Box, ...], SHORT_LIST]], FEW]
    """Its tracks; the first is the one that an attack is on where it names none."""
    boxes_per_hit: Box | Literal["any"] = 1
    """How many boxes of a track a hit may mark."""
    consequences: Annotated[dict[Name, Box], FEW]


class Teamwork(Model):
    """
    Who adds 1 by helping: those with at least this rating in the skill; left out: everyone.
    """

    least: Whole | None = Field(default=None, alias="from")


class OutcomeSpec(Model):
    """
    An outcome that has the rows of another.
    """

    least: Whole = Field(alias="from")
    rows_of: Name
