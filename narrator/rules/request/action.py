"""The request: an action, how it was rolled, what opposes it, and how many words are wanted."""

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
"""The ruleset that is meant where none is named."""

Seed = Annotated[int, Field(ge=-LARGEST_EXACT, le=LARGEST_EXACT)]
Deal = Annotated[int, Field(ge=0, le=LARGEST_EXACT)]
"""As large as any seed, which it may be drawn from."""
Version = Literal["narrator/v1"]


def _as_dice(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
    try:
        return read(value)
    except ValidationError as error:
        wrong = complaint("bad_dice", "four Fate dice are wanted, each -1, 0 or 1")
        complaints = [InitErrorDetails(type=wrong, loc=each["loc"], input=each["input"]) for each in error.errors()]
        raise ValidationError.from_exception_data("dice", complaints) from None


Face = Annotated[int, Field(ge=-1, le=1)]
DiceFaces = Annotated[tuple[Face, Face, Face, Face], Field(strict=False), WrapValidator(_as_dice)]


class Roll(Given):
    """What the table rolled: four faces, their sum, or the total it told, skill and bonuses in it."""

    dice: DiceFaces | None = None
    """The four dice as they first fell, each -1, 0 or 1; those of a reroll stand with its invocation."""
    sum: Annotated[int, Field(ge=-4, le=4)] | None = None
    """What the four dice came to, where nobody tells the faces, -4 to 4; all but weight can use it."""
    total: Whole | None = None
    """The sum that the table made, skill and bonuses in it; only invocations are added to it."""

    @model_validator(mode="after")
    def _one_of_them(self) -> "Roll":
        told = [each for each in (self.dice, self.sum, self.total) if each is not None]
        if len(told) > 1:
            raise complaint("bad_dice", "give four dice, their sum or a total: one of them")
        if not told:
            raise complaint("bad_dice", "give four dice, each -1, 0 or 1, their sum or a total, or leave the roll out")
        return self


class Invocation(Given):
    """An aspect used on a roll: +2 or a reroll, for a free invocation or a fate point."""

    aspect: Name
    """The aspect that is used, by its name: one of the scene's, a zone's or a character's, or a consequence."""
    use: Literal["bonus", "reroll"] = "bonus"
    """`bonus`: 2 more for the side that invokes; `reroll`: all four of its dice again."""
    pay: Literal["free", "fate_point"] = "free"
    """`free`: with a free invocation; `fate_point`: with a fate point, which no boost takes."""
    by: Name | None = None
    """Who pays; left out: whoever the side's total is of, and where nobody rolls or defends, `GM`."""
    on: Name | None = None
    """The aspect's bearer, where two bear the same name; left out: the scene's own, or the only one there is."""
    dice: DiceFaces | None = None
    """What a reroll showed at the table; left out: thrown from the request's `seed`."""

    @model_validator(mode="after")
    def _dice_are_for_rerolls(self) -> "Invocation":
        if self.dice is not None and self.use != "reroll":
            raise complaint("bad_invocation", "dice belong to a reroll; a bonus has none")
        return self


class Rolled(Given):
    """What actor and rolling opposition have alike: skill, roll, and all that is added to it."""

    skill: Name | None = None
    """The skill or approach of the roll, as the sheet has it in `skills`, in capitals or not; left out, or on no
    sheet: 0."""
    attribute: Name | None = None
    """A second rating from `skills`, added to the first; left out: none."""
    roll: Roll | None = None
    """What was rolled; left out: thrown from the request's `seed`."""
    bonus: Whole = 0
    """What else is added to the dice, such as a stunt's 2."""
    helpers: Annotated[tuple[Name, ...], LIST] = ()
    """Who helps. Whoever is best at it counts, each of the others adds 1; some rulesets ask them for a rating of 1, or
    let all of them add no more than the best one's."""
    full_defense: bool = False
    """That full defence was declared: 2 more on a defend, and nothing on any other roll."""
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()
    """The aspects used for this side, in order."""


class Untold(Given):
    """Nothing is said of what opposes, or only who: enough where the action's outcome is told."""

    kind: None = None
    """Left out."""
    by: Name | None = None
    """Who defends or is in the way; left out: the target of the action, or nobody."""
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()
    """The aspects used against the actor: they are paid for, and change nothing of what was told."""


class Passive(Given):
    """A rating on the ladder, set by the GM."""

    kind: Literal["passive"]
    """Which kind it is."""
    rating: Whole | None = None
    """The total to beat, in steps of the ladder: 0 is Mediocre, 2 Fair. May be left out only where the outcome is
    told."""
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()
    """The aspects used against the actor, in order: as a bonus, for nothing is rolled here."""


class Aspects(Given):
    """Two for each aspect of the scene that hinders."""

    kind: Literal["aspects"]
    """Which kind it is."""
    hindering: Annotated[tuple[Name, ...], LIST] = ()
    """The names of aspects in play that make it hard: each adds 2, and counts once."""
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()
    """The aspects used against the actor, in order: as a bonus, for nothing is rolled here."""


class Movement(Given):
    """Passive opposition to moving: by the zones moved and the adverse aspects on the path."""

    kind: Literal["movement"]
    """Which kind it is. Each zone moved through beyond the first adds 2, counted by `action.path`."""
    hindering: Annotated[tuple[Name, ...], LIST] = ()
    """The names of adverse aspects of zones on the path: each adds 2."""
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()
    """The aspects used against the actor, in order: as a bonus, for nothing is rolled here."""


class UnseenZone(Given):
    """Passive opposition to seeing what a zone holds: by what hides it and how many zones off it is."""

    kind: Literal["unseen_zone"]
    """Which kind it is."""
    base: Annotated[Whole, Field(ge=1, le=2)] = 1
    """What the total to beat starts from: 1 or 2."""
    distance: Annotated[Whole, Field(ge=1)] = 1
    """How many zones off it is: each beyond the first adds 2."""
    hindering: Annotated[tuple[Name, ...], LIST] = ()
    """The names of aspects in play that hide it: each adds 2, and counts once."""
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()
    """The aspects used against the actor, in order: as a bonus, for nothing is rolled here."""


class Roar(Given):
    """The base difficulty of a roar, or the higher one that the GM sets."""

    kind: Literal["roar"]
    """Which kind it is."""
    rating: Annotated[Whole, Field(ge=2)] = 2
    """The total to beat, 2 or more."""
    invocations: Annotated[tuple[Invocation, ...], LIST] = ()
    """The aspects used against the actor, in order: as a bonus, for nothing is rolled here."""


class Active(Rolled):
    """Somebody who rolls against the actor: in the way (`active`), or defending (`defend`)."""

    kind: Literal["active", "defend"]
    """`active`: somebody is in the way; `defend`: somebody defends. The action's table says which it takes."""
    by: Name | None = None
    """Who rolls; left out: the action's target, else `GM`."""


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
    """How an attack strikes."""

    track: Name | None = None
    """The stress track that it is on; left out: the first of the ruleset's sheet."""
    melee: bool = True
    """Whether it is struck at arm's length; some rulesets then offer forms such as a disarm."""
    heavy_weapon: bool = False
    """Whether the weapon is a heavy one; some rulesets then offer a knockback."""
    whole_zone: bool = False
    """Whether it strikes everyone in a zone: that alone hurts a swarm that outweighs its foes."""
    lethal: bool = False
    """Whether no stress absorbs it, so that only consequences do."""


def spelt_out(action: str) -> str:
    """Return an action's whole name for the short one that is also taken."""
    return "create_advantage" if action == "caa" else action


class Action(Rolled):
    """What somebody does, and what opposes it."""

    type: Name
    """`overcome`, `discover`, `create_advantage` (or `caa`), `attack` or `defend`, as far as the ruleset has them,
    or one of a house ruleset's own."""
    variant: Name | None = None
    """Which way of the action it is, such as `existing_aspect`; left out: the usual one. The call `table` lists
    them."""
    actor: Name
    """Who acts, by name."""
    target: Name | None = None
    """Whom it is aimed at, by name; an attack wants it, or `opposition.by`."""
    aspect: Name | None = None
    """The aspect that it is about: the one in play that is used, the one that is revealed, or a draft of a new one."""
    intent: Prose = ""
    """What the actor is after, in plain words: for the page and for whoever writes."""
    weight_matters: bool | None = None
    """Whether weight turns dice here. True: yes; false: no, nor is a swarm immune to anything; left out: as the
    ruleset usually has it."""
    maneuver: Name | None = None
    """A maneuver declared before the roll, such as `charge`, where the ruleset has any; left out: none."""
    path: Annotated[tuple[Name, ...], LIST] | None = None
    """For a movement, its zones: the one left, those passed, the last."""
    attack: Attack = Attack()
    """How an attack strikes; left out: an ordinary blow, hand to hand."""
    outcome: Name | None = None
    """The outcome, such as `fail`, where the table tells it in place of a roll. The call `odds` names those of a
    ruleset."""
    shifts: Whole | None = None
    """By how many shifts it is that outcome, where that is told and known: below 0 for a failure. Wanted where
    somebody is hit."""
    opposition: Opposition = Untold()
    """What opposes the action; may be left out only where its outcome is told."""

    @property
    def tells_dice(self) -> bool:
        """Whether the outcome or any dice are told: the actor's, the opposition's, or those of a reroll."""
        against = self.opposition
        rolls = (self.roll, against.roll if isinstance(against, Active) else None)
        rerolled = (each.dice for each in (*self.invocations, *against.invocations))
        return self.outcome is not None or any(each is not None for each in (*rolls, *rerolled))

    @field_validator("type")
    @classmethod
    def _spelt_out(cls, value: str) -> str:
        return spelt_out(value)


class Request(Given):
    """What is asked of narrator, as the contract has it."""

    version: Version = "narrator/v1"
    """The contract that this is written to."""
    ruleset: Name = USUAL_RULESET
    """Whose rules decide: a name that the call `rulesets` lists, or a house ruleset's."""
    scene: Scene = Scene()
    """Who and what is there; left out: nothing is told, and any name is taken."""
    action: Action
    """What is done, how it was rolled, and what opposes it."""
    branch: Name | None = None
    """The id of the branch that words are wanted for; left out: for every branch."""
    per_slot: Annotated[int, Field(ge=1, le=10)] = 3
    """How many suggestions are wanted for each slot, 1 to 10."""
    deal: Deal | None = None
    """Which deal of the deck's cards is wanted, a whole number from 0: the same one has the same words, the next one
    others. Left out: the `seed` where that is not negative, else drawn, and named in the answer."""
    seed: Seed | None = None
    """Throws the dice that nobody told, always the same ones. Left out: drawn, and named in the resolution;
    `check`, `violations`, `reach`, `settle` and `apply` want the dice or the seed."""
