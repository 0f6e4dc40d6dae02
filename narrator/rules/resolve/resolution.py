"""The resolution: what was rolled, the outcome, and the branches, grants and slots that the table row gives."""

from pydantic import Field

from narrator.rules.model import Model
from narrator.rules.resolve.dice import Faces
from narrator.rules.ruleset.row import Citation, Goal, Kind


class ActionTaken(Model):
    """What was done, as the rules understood it."""

    type: str
    """The action, by its whole name."""
    variant: str | None = None
    """The variant, where the action has any: the one named, else the usual one."""
    actor: str
    """Who acts."""
    skill: str | None = None
    """The skill or approach, spelt as the sheet has it."""
    attribute: str | None = None
    """The second rating that is added."""
    target: str | None = None
    """Whom it is aimed at."""
    aspect: str | None = None
    """The aspect that it is about."""
    maneuver: str | None = None
    """The maneuver."""
    path: tuple[str, ...] | None = None
    """The zones of a movement, in order."""


class Parts(Model):
    """What a total is made of, in ladder steps."""

    dice: Faces | None = None
    """The faces that count: after rerolls, then weight."""
    rolled: Faces | None = None
    """The faces first thrown: what to send as `roll.dice` for the same roll again."""
    sum: int | None = None
    """What the dice came to, where no faces are told."""
    weight: int | None = None
    """How many dice weight turned to +."""
    skill: int | None = None
    """Skill and attribute, in steps."""

    @property
    def fell(self) -> int | None:
        """What the dice that count came to; None: there are none."""
        return self.sum if self.dice is None else sum(self.dice)


class RollResult(Parts):
    """The actor's total and what it is made of. A told total has no dice and no skill."""

    bonus: int
    """What the request adds, each helper, and full defence."""
    invoked: int
    """The sum of the invocations used as a bonus, each 2."""
    total: int
    """What it comes to, in steps of the ladder."""
    ladder: str
    """The total by its name on the ladder, such as `Fair`; beyond its ends `Legendary+1` or `Terrible-1`."""


class OppositionResult(Parts):
    """What opposed the action. Where nothing was rolled there are no dice and no skill; where the outcome was told
    there is no total.
    """

    kind: str
    """What opposed, as in the request's opposition."""
    by: str | None = None
    """Who rolled; left out where nobody in particular did."""
    bonus: int | None = None
    """What the request adds, each helper, and full defence."""
    invoked: int | None = None
    """The sum of the invocations used as a bonus, each 2."""
    total: int | None = None
    """What it comes to, in steps of the ladder."""
    ladder: str | None = None
    """The total by its name on the ladder."""


class Absorption(Model):
    """One way to absorb a hit: stress, by the shifts that it absorbs, and consequences by their levels."""

    stress: int | None = None
    """The value of the box, or the sum of the boxes; left out: none is marked."""
    boxes: tuple[int, ...] | None = None
    """The boxes by their values, where it is more than one."""
    consequences: tuple[str, ...] = ()
    """The levels taken, the mildest first."""

    @property
    def text(self) -> str:
        """The same in words.

        >>> Absorption(stress=2, consequences=("mild",)).text, Absorption(stress=3, boxes=(1, 1, 1)).text
        ('box 2 + mild', 'boxes 1, 1 and 1')
        """
        *most, last = map(str, self.boxes or (self.stress,))
        boxes = f"boxes {', '.join(most)} and {last}" if most else f"box {last}"
        return " + ".join([*([boxes] if self.stress else []), *self.consequences])


class Grant(Model):
    """Something that a branch gives, and who is eligible, sorted."""

    type: str
    """`hit`, `free_invocations`, `stress`, `legend_points`, `move`, `may_move`, `lethal_next_attack`,
    `free_invocation_each_attack`, `forfeit_next_contest_roll`, `roar` or `loses_roar`."""
    to: tuple[str, ...]
    """Who is eligible, sorted; where there are several, one of them gets it."""
    amount: int | None = None
    """How many: the shifts of a hit, free invocations, stress, points, or zones; left out where nothing is counted."""
    on: str | None = None
    """The aspect that free invocations are of, or the zone that a move ends in."""
    track: str | None = None
    """The stress track that a hit is on; left out: no stress absorbs it, or it is no hit."""
    absorb: tuple[Absorption, ...] | None = None
    """Each way to buy a hit off; empty: taken out; left out: nobody told a sheet, and it is the table's to say."""
    free_invocations: int | None = None
    """What each consequence taken of a hit gives in free invocations of it."""
    holders: tuple[str, ...] | None = None
    """Who gets those."""
    approaches: tuple[str, ...] | None = None
    """The approaches that whoever roars is held to."""

    @property
    def wounds(self) -> bool:
        """Whether it is a hit that a consequence may absorb."""
        return any(way.consequences for way in self.absorb or ())


MECHANICS = ("severity", "free_invocations", "holders", "amount", "tracks", "on", "goal", "secret")
"""What the table says of a form: the same fields of an offer, of a suggestion, and of what a candidate may claim."""


class FormOffer(Model):
    """A form that a slot allows: what it gives, and to whom it may go."""

    form: str
    """Its name, for a suggestion's `form`."""
    label: str
    """Its name for people."""
    to: tuple[str, ...] | None = None
    """Who may gain or suffer it, sorted: a suggestion names one of them; empty or left out: nobody."""
    holders: tuple[str, ...] | None = None
    """Who may get the free invocations, where that is not whoever suffers it."""
    free_invocations: int | None = None
    """How many free invocations come with it."""
    severity: str | None = None
    """The level of the consequence that it is."""
    severities: tuple[str, ...] | None = None
    """The levels that it may be of, the mildest first: a suggestion names one."""
    amount: int | None = None
    """How much stress it is."""
    tracks: tuple[str, ...] | None = None
    """The stress tracks that have a free box for it."""
    on: str | None = None
    """The aspect that it bears on."""
    goal: Goal | None = None
    """What becomes of the goal, where the form says otherwise than its branch."""
    secret: bool | None = None
    """True where the words are for the GM alone."""

    @property
    def levels(self) -> tuple[str | None, ...]:
        """The levels that words for it are of, one each: those that it may be of, else its own, if any."""
        return self.severities or (self.severity,)


class Slot(Model):
    """A place that wants words, and the forms they may take."""

    id: str
    """Its name, for a suggestion's `slot`: its kind, or `defender_boost`, `charge_boost` or `exposed` for a boost
    beside another. In several branches it is the same slot."""
    kind: Kind
    """What its words are: a cost, serious or minor, a boost, an aspect, or a consequence that a hit inflicts."""
    draft: str | None = None
    """What the request calls the aspect, for whoever words it."""
    forms: tuple[FormOffer, ...]
    """The forms that its words may take; a suggestion picks one."""

    @property
    def may_stay_empty(self) -> bool:
        """Whether a choice may leave it without words: whoever is hit may take no consequence, or word it themself."""
        return self.kind == "consequence"

    def offer(self, form: str) -> FormOffer | None:
        """Find a form of this slot by its name."""
        return next((offer for offer in self.forms if offer.form == form), None)


class Branch(Model):
    """A choice that someone at the table makes."""

    id: str
    """Its name, for a request's or a choice's `branch`."""
    label: str
    """Its name for people."""
    goal: Goal
    """What becomes of the actor's goal."""
    grants: tuple[Grant, ...] = ()
    """What it gives, without a word being wanted."""
    falls_away: tuple[Grant, ...] | None = None
    """What the row grants and a swarm is proof against."""
    slots: tuple[Slot, ...] = ()
    """What in it wants words."""


class Resolution(Model):
    """What the rules found."""

    ruleset: str
    """The ruleset that decided."""
    source: Citation
    """Where the rule stands."""
    action: ActionTaken
    """What was done."""
    seed: int | None = None
    """What dice were thrown from, told or drawn; left out where neither."""
    roll: RollResult | None = None
    """The actor's roll; left out where the outcome was told."""
    opposition: OppositionResult
    """What opposed it."""
    shifts: int | None = None
    """The actor's total minus the opposition's; left out where the outcome was told without them."""
    outcome: str
    """`fail`, `tie`, `succeed` or `succeed_with_style`, or one more that the ruleset has."""
    branches: tuple[Branch, ...]
    """What may be chosen now: exactly one of these."""
    notices: tuple[str, ...] = Field(default=())
    """What to tell the table of the roll and the rules."""

    def slots(self, branch: str | None = None) -> tuple[Slot, ...]:
        """List the slots of one branch, or of all; one that several branches carry comes once."""
        found = {slot.id: slot for each in self.branches if branch in (None, each.id) for slot in each.slots}
        return tuple(found.values())
