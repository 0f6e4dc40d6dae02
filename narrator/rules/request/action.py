"""The request: an action, its roll, its opposition, and how many suggestions you want."""

from typing import Annotated, Any, Literal

from pydantic import (
    Discriminator,
    Field,
    Tag,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    field_validator,
    model_validator,
)
from pydantic_core import InitErrorDetails

from narrator.rules.json_text import LARGEST_EXACT
from narrator.rules.model import LIST, Given, Name, Prose, Whole, complaint
from narrator.rules.request.scene import Scene

USUAL_RULESET = "five-actions"
"""The ruleset of a request that names none."""

Seed = Annotated[int, Field(ge=-LARGEST_EXACT, le=LARGEST_EXACT)]
Deal = Annotated[int, Field(ge=0, le=LARGEST_EXACT)]
"""It has the same upper limit as a seed because it may be taken from one."""
Version = Literal["narrator/v1"]


def _as_dice(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
    try:
        return read(value)
    except ValidationError as error:
        wrong = complaint("bad_dice", "this must be four Fate dice, each -1, 0 or 1")
        complaints = [InitErrorDetails(type=wrong, loc=each["loc"], input=each["input"]) for each in error.errors()]
        raise ValidationError.from_exception_data("dice", complaints) from None


Face = Annotated[int, Field(ge=-1, le=1)]
DiceFaces = Annotated[tuple[Face, Face, Face, Face], Field(strict=False), WrapValidator(_as_dice)]


class Roll(Given):
    """What the table rolled: four faces, their sum, or a total that includes skill and bonuses."""

    dice: DiceFaces | None = None
    """The faces of the first throw, each -1, 0 or 1. A reroll's faces go with its invocation."""
    sum: Annotated[int, Field(ge=-4, le=4)] | None = None
    """The sum of the four dice, -4 to 4, if you don't give the faces. Weight needs the faces."""
    total: Whole | None = None
    """The table's own total, including skill and bonuses. Only invocations are added to it."""

    @model_validator(mode="after")
    def _one_of_them(self) -> "Roll":
        told = [each for each in (self.dice, self.sum, self.total) if each is not None]
        if len(told) > 1:
            raise complaint("bad_dice", "give only one of these: four dice, their sum or a total")
        if not told:
            raise complaint("bad_dice", "give four dice, each -1, 0 or 1, or their sum or a total, or omit the roll")
        return self


class Invocation(Given):
    """An aspect used on a roll: +2 or a reroll, for a free invocation or a fate point."""

    aspect: Name
    """The name of an aspect of the scene, a zone or a character, or of a consequence."""
    use: Literal["bonus", "reroll"] = "bonus"
    """`bonus` adds 2 to the invoking side's total. `reroll` throws all four of its dice again."""
    pay: Literal["free", "fate_point"] = "free"
    """`free` uses a free invocation. `fate_point` costs a fate point and is not allowed for a boost."""
    by: Name | None = None
    """Who pays. If omitted, whoever acts, rolls or defends on this side, or else `GM`."""
    on: Name | None = None
    """The character or zone that has the aspect, if several aspects share the name. If omitted, the scene's own or the
    only one."""
    dice: DiceFaces | None = None
    """The faces of a reroll at the table. If omitted, narrator rolls them from the request's `seed`."""

    @model_validator(mode="after")
    def _dice_are_for_rerolls(self) -> "Invocation":
        if self.dice is not None and self.use != "reroll":
            raise complaint("bad_invocation", "only a reroll has dice: omit them or set use to reroll")
        return self


class Rolled(Given):
    """One side's roll: its skill, its dice and everything added to them."""

    skill: Name | None = None
    """The skill or approach, as in the character's `skills`. Case does not matter. It counts as 0 if omitted or not
    on the sheet."""
    attribute: Name | None = None
    """A second entry of `skills`, added to the first."""
    roll: Roll | None = None
    """What was rolled. If omitted, narrator rolls from the request's `seed`."""
    bonus: Whole = 0
    """Any other bonus, such as 2 from a stunt."""
    helpers: Annotated[tuple[Name, ...], LIST] = ()
    """Who helps. The best rating in the team counts, and each other member adds 1. Some rulesets require a rating of
    1, or let the helpers add at most the best rating."""
    full_defense: bool = False
    """Whether full defence was declared. It adds 2 to a defend and nothing to other rolls."""
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()
    """This side's invocations, in order."""


class Untold(Given):
    """Opposition without a kind. It is enough if you give the action's outcome."""

    kind: None = None
    """Always omitted."""
    by: Name | None = None
    """Who defends or is in the way. If omitted, the action's target, if any."""
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()
    """Invocations against the actor. They are paid for but don't change the outcome."""


class Passive(Given):
    """A rating on the ladder, set by the GM."""

    kind: Literal["passive"]
    """The kind of opposition."""
    rating: Whole | None = None
    """The total to beat, on the ladder: 0 is Mediocre, 2 is Fair. Required unless you give the outcome."""
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()
    """Invocations against the actor, in order. Nothing is rolled here, so each is a bonus."""


class Aspects(Given):
    """Opposition of 2 for each hindering aspect in play."""

    kind: Literal["aspects"]
    """The kind of opposition."""
    hindering: Annotated[tuple[Name, ...], LIST] = ()
    """The names of hindering aspects in play. Each adds 2 and counts once."""
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()
    """Invocations against the actor, in order. Nothing is rolled here, so each is a bonus."""


class Movement(Given):
    """Passive opposition to moving, from the distance and the hindering aspects on the path."""

    kind: Literal["movement"]
    """The kind of opposition. Each step of `action.path` beyond the first adds 2."""
    hindering: Annotated[tuple[Name, ...], LIST] = ()
    """The names of hindering aspects of zones on the path. Each adds 2."""
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()
    """Invocations against the actor, in order. Nothing is rolled here, so each is a bonus."""


class UnseenZone(Given):
    """Passive opposition to seeing into a zone, from its distance and what hides it."""

    kind: Literal["unseen_zone"]
    """The kind of opposition."""
    base: Annotated[Whole, Field(ge=1, le=2)] = 1
    """The total to beat before anything is added: 1 or 2."""
    distance: Annotated[Whole, Field(ge=1)] = 1
    """How many zones away it is. Each beyond the first adds 2."""
    hindering: Annotated[tuple[Name, ...], LIST] = ()
    """The names of aspects in play that hide it. Each adds 2 and counts once."""
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()
    """Invocations against the actor, in order. Nothing is rolled here, so each is a bonus."""


class Roar(Given):
    """The difficulty of a roar: 2, or more if the GM says so."""

    kind: Literal["roar"]
    """The kind of opposition."""
    rating: Annotated[Whole, Field(ge=2)] = 2
    """The total to beat, 2 or more."""
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()
    """Invocations against the actor, in order. Nothing is rolled here, so each is a bonus."""


class Active(Rolled):
    """Somebody who rolls against the actor."""

    kind: Literal["active", "defend"]
    """`active` if somebody is in the way, `defend` if somebody defends. The call `table` shows which one applies."""
    by: Name | None = None
    """Who rolls. If omitted, the action's target, or else `GM`."""


_TOLD = {name for each in (Passive, Aspects, Active, Movement, UnseenZone, Roar) for name in each.model_fields}


def _kind(value: Any) -> str:
    kind = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)
    if kind is None and isinstance(value, dict) and value.keys() <= _TOLD and value.keys() - Untold.model_fields:
        return "none"
    return "" if kind is None else kind if isinstance(kind, str) else "none"


Opposition = Annotated[
    Annotated[Untold, Tag("")]
    | Annotated[Passive, Tag("passive")]
    | Annotated[Aspects, Tag("aspects")]
    | Annotated[Active, Tag("active")]
    | Annotated[Active, Tag("defend")]
    | Annotated[Movement, Tag("movement")]
    | Annotated[UnseenZone, Tag("unseen_zone")]
    | Annotated[Roar, Tag("roar")],
    Discriminator(_kind),
]


class Attack(Given):
    """Details of an attack."""

    track: Name | None = None
    """The stress track that it hits. If omitted, the first on the ruleset's sheet."""
    melee: bool = True
    """Whether it is hand to hand. Some rulesets then offer forms such as a disarm."""
    heavy_weapon: bool = False
    """Whether the weapon is heavy. Some rulesets then offer a knockback."""
    whole_zone: bool = False
    """Whether it hits everyone in a zone. Only such attacks hurt a swarm that outweighs its foes."""
    lethal: bool = False
    """Whether only consequences can absorb it, not stress."""


def spelt_out(action: str) -> str:
    """Return the full name of an action. The short name `caa` is accepted too."""
    return "create_advantage" if action == "caa" else action


class Action(Rolled):
    """What somebody does and what opposes it."""

    type: Name
    """An action of the ruleset: `overcome`, `discover`, `create_advantage` (or `caa`), `attack`, `defend` or a house
    ruleset's own."""
    variant: Name | None = None
    """The variant of the action, such as `existing_aspect`. If omitted, the usual one. The call `table` lists them."""
    actor: Name
    """The name of whoever acts."""
    target: Name | None = None
    """The name of whoever it is aimed at. An attack needs it or `opposition.by`."""
    aspect: Name | None = None
    """The aspect that it is about: one in play, one to reveal, or a draft of a new one."""
    intent: Prose = ""
    """What the actor wants to achieve, in plain words. The page shows it and the source reads it."""
    weight_matters: bool | None = None
    """Whether weight turns dice. `false` also removes a swarm's immunity. If omitted, the ruleset decides."""
    maneuver: Name | None = None
    """A maneuver declared before the roll, such as `charge`, if the ruleset has any."""
    path: Annotated[tuple[Name, ...], LIST] | None = None
    """The zones of a movement in order, including the first and the last."""
    attack: Attack = Attack()
    """Details of an attack. If omitted, it is an ordinary hand-to-hand attack."""
    outcome: Name | None = None
    """The outcome, such as `fail`, if you give it instead of a roll. The call `odds` names a ruleset's outcomes."""
    shifts: Whole | None = None
    """The shifts of the given `outcome`, if known: below 0 for a failure. Required if somebody is hit."""
    opposition: Opposition = Untold()
    """What opposes the action. Required unless you give the outcome."""

    @property
    def tells_dice(self) -> bool:
        """Whether the request gives the outcome, a roll of either side, or the dice of a reroll."""
        against = self.opposition
        rolls = (self.roll, against.roll if isinstance(against, Active) else None)
        rerolled = (each.dice for each in (*self.invocations, *against.invocations))
        return self.outcome is not None or any(each is not None for each in (*rolls, *rerolled))

    @field_validator("type")
    @classmethod
    def _spelt_out(cls, value: str) -> str:
        return spelt_out(value)


class Request(Given):
    """A request to narrator."""

    version: Version = "narrator/v1"
    """The version of the contract."""
    ruleset: Name = USUAL_RULESET
    """The ruleset: a name that the call `rulesets` lists, or a house ruleset's."""
    scene: Scene = Scene()
    """Who and what is there. An empty scene accepts any name."""
    action: Action
    """What is done, its roll and its opposition."""
    branch: Name | None = None
    """The id of the branch that needs words. If omitted, every branch gets words."""
    per_slot: Annotated[int, Field(ge=1, le=10)] = 3
    """How many suggestions you want for each slot, 1 to 10."""
    deal: Deal | None = None
    """The deal of the deck's cards. The same number gives the same words. If omitted, it is the `seed`. If that is
    omitted or negative, it is drawn at random, and the answer names it."""
    seed: Seed | None = None
    """The seed for dice that you don't give. If omitted, it is drawn at random, and the resolution names it. `check`,
    `violations`, `reach`, `settle` and `apply` need the dice or the seed."""
