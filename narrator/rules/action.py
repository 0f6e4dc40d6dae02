"""The request: an action, how it was rolled, what opposes it, and how many words are wanted."""

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, field_validator, model_validator

from narrator.rules.model import LIST, UNION_TAGS, Given, Name, Text, Whole, complaint
from narrator.rules.scene import Scene

Seed = Annotated[int, Field(ge=-(2**63), lt=2**63)]
Version = Literal["narrator/v1"]

Face = Annotated[int, Field(ge=-1, le=1)]
DiceFaces = Annotated[tuple[Face, Face, Face, Face], Field(strict=False)]


class Roll(Given):
    """
    What the table rolled: four faces, or the total it told, skill and bonuses in it.
    """

    dice: DiceFaces | None = None
    total: Whole | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> "Roll":
        if self.dice is not None and self.total is not None:
            raise complaint("bad_dice", "give four dice or a total, not both")
        if self.dice is None and self.total is None:
            raise complaint("bad_dice", "give four dice, each -1, 0 or 1, or a total, or leave the roll out")
        return self


class Invocation(Given):
    """
    An aspect used on a roll: +2 or a reroll, for a free invocation or a fate point.
    """

    aspect: Name
    use: Literal["bonus", "reroll"] = "bonus"
    pay: Literal["free", "fate_point"] = "free"
    by: Name | None = None
    on: Name | None = None
    dice: DiceFaces | None = None

    @model_validator(mode="after")
    def _dice_are_for_rerolls(self) -> "Invocation":
        if self.dice is not None and self.use != "reroll":
            raise complaint("bad_invocation", "dice belong to a reroll; a bonus has none")
        return self


class Rolled(Given):
    """
    What actor and rolling opposition have alike: skill, roll, and all that is added to it.
    """

    skill: Name | None = None
    attribute: Name | None = None
    roll: Roll | None = None
    bonus: Whole = 0
    helpers: Annotated[tuple[Name, ...], LIST] = ()
    full_defense: bool = False
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()


class Untold(Given):
    """
    Nothing is said of what opposes, or only who: enough where the action's outcome is told.
    """

    kind: None = None
    by: Name | None = None
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()


class Passive(Given):
    """
    A rating on the ladder, set by the GM.
    """

    kind: Literal["passive"]
    rating: Whole | None = None
    """In steps of the ladder; may be left out only where the action's outcome is told."""
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()


class Aspects(Given):
    """
    Two for each aspect of the scene that hinders.
    """

    kind: Literal["aspects"]
    hindering: Annotated[tuple[Name, ...], LIST] = ()
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()


class Movement(Given):
    """
    Passive opposition to moving: by the zones moved and the adverse aspects on the path.
    """

    kind: Literal["movement"]
    hindering: Annotated[tuple[Name, ...], LIST] = ()
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()


class UnseenZone(Given):
    """
    Passive opposition to seeing what a zone holds: by what hides it and how many zones off it is.
    """

    kind: Literal["unseen_zone"]
    base: Annotated[Whole, Field(ge=1, le=2)] = 1
    distance: Annotated[Whole, Field(ge=1)] = 1
    hindering: Annotated[tuple[Name, ...], LIST] = ()
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()


class Roar(Given):
    """
    The base difficulty of a roar, or the higher one that the GM sets.
    """

    kind: Literal["roar"]
    rating: Annotated[Whole, Field(ge=2)] = 2
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()


class Active(Rolled):
    """
    Somebody who rolls against the actor: in the way (`active`), or defending (`defend`).
    """

    kind: Literal["active", "defend"]
    by: Name | None = None


def _tag(value: Any) -> str:
    kind = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)
    return f"{UNION_TAGS}{'' if kind is None else kind if isinstance(kind, str) else 'none'}"


Opposition = Annotated[
    Annotated[Untold, Tag("oneof:")]
    | Annotated[Passive, Tag("oneof:passive")]
    | Annotated[Aspects, Tag("oneof:aspects")]
    | Annotated[Active, Tag("oneof:active")]
    | Annotated[Active, Tag("oneof:defend")]
    | Annotated[Movement, Tag("oneof:movement")]
    | Annotated[UnseenZone, Tag("oneof:unseen_zone")]
    | Annotated[Roar, Tag("oneof:roar")],
    Discriminator(_tag),
]


class Attack(Given):
    """
    How an attack strikes.
    """

    track: Name | None = None
    """The stress track that it is on; left out: the first of the ruleset's sheet."""
    melee: bool = True
    heavy_weapon: bool = False
    whole_zone: bool = False
    lethal: bool = False


def spelt_out(action: str) -> str:
    """
    Return an action's whole name for the short one that is also taken.
    """
    return "create_advantage" if action == "caa" else action


class Action(Rolled):
    """
    What somebody does, and what opposes it.
    """

    type: Name
    variant: Name | None = None
    actor: Name
    target: Name | None = None
    aspect: Name | None = None
    intent: Text = ""
    weight_matters: bool | None = None
    maneuver: Name | None = None
    path: Annotated[tuple[Name, ...], LIST] | None = None
    attack: Attack = Attack()
    outcome: Name | None = None
    """The outcome, where the table tells it in place of a roll."""
    shifts: Whole | None = None
    """By how many shifts, where the outcome is told and they are known."""
    opposition: Opposition = Untold()

    @field_validator("type")
    @classmethod
    def _spelt_out(cls, value: str) -> str:
        return spelt_out(value)


class Request(Given):
    """
    What is asked of narrator, as the contract has it.
    """

    version: Version = "narrator/v1"
    ruleset: Name = "five-actions"
    scene: Scene = Scene()
    action: Action
    branch: Name | None = None
    per_slot: Annotated[int, Field(ge=1, le=10)] = 3
    seed: Seed | None = None
