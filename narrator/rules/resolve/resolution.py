"""The resolution: the rolls, the outcome, and the branches, grants and slots of its table row."""

from pydantic import Field

from narrator.rules.model import Model
from narrator.rules.resolve.dice import Faces
from narrator.rules.ruleset.row import Citation, Goal, Kind


class ActionTaken(Model):
    """The action, as the rules understood it."""

    type: str
    """The full name of the action."""
    variant: str | None = None
    """The variant, if the action has any: the requested one or else the usual one."""
    actor: str
    """Who acts."""
    skill: str | None = None
    """The skill or approach, spelt as the sheet has it."""
    attribute: str | None = None
    """The second entry of the sheet that was added."""
    target: str | None = None
    """Who it is aimed at."""
    aspect: str | None = None
    """The aspect that it is about."""
    maneuver: str | None = None
    """The maneuver."""
    path: tuple[str, ...] | None = None
    """The zones of a movement, in order."""


class Parts(Model):
    """The parts of a total."""

    dice: Faces | None = None
    """The faces that count, after rerolls and weight."""
    rolled: Faces | None = None
    """The faces of the first throw. Send them as `roll.dice` to repeat the roll."""
    sum: int | None = None
    """The sum of the dice, if the request gave it instead of faces."""
    weight: int | None = None
    """How many dice weight turned to +1."""
    skill: int | None = None
    """The skill plus the attribute."""

    @property
    def fell(self) -> int | None:
        """The sum of the dice that count, or None if there are none."""
        return self.sum if self.dice is None else sum(self.dice)


class RollResult(Parts):
    """The actor's total and its parts. A total given in the request has no dice or skill."""

    bonus: int
    """The request's bonus plus help and full defence."""
    invoked: int
    """The sum of the invocations used as a bonus, 2 each."""
    total: int
    """The total."""
    ladder: str
    """The ladder's name for the total, such as `Fair`. Beyond the ends, it is `Legendary+1` or `Terrible-1`."""


class OppositionResult(Parts):
    """What opposed the action. Opposition without a roll has no dice or skill. If the request gave the outcome, there
    is no total.
    """

    kind: str
    """The kind, as in the request's opposition."""
    by: str | None = None
    """Who rolled, if anybody in particular did."""
    bonus: int | None = None
    """The request's bonus plus help and full defence."""
    invoked: int | None = None
    """The sum of the invocations used as a bonus, 2 each."""
    total: int | None = None
    """The total."""
    ladder: str | None = None
    """The ladder's name for the total."""


class Absorption(Model):
    """One way to absorb a hit: shifts of stress, levels of consequences, or both."""

    stress: int | None = None
    """The value of the marked box, or the sum of several. If omitted, none is marked."""
    boxes: tuple[int, ...] | None = None
    """The values of the boxes, if there are several."""
    consequences: tuple[str, ...] = ()
    """The levels of the consequences, the mildest first."""

    @property
    def text(self) -> str:
        """Describe it in words.

        >>> Absorption(stress=2, consequences=("mild",)).text, Absorption(stress=3, boxes=(1, 1, 1)).text
        ('box 2 + mild', 'boxes 1, 1 and 1')
        """
        *most, last = map(str, self.boxes or (self.stress,))
        boxes = f"boxes {', '.join(most)} and {last}" if most else f"box {last}"
        return " + ".join([*([boxes] if self.stress else []), *self.consequences])


class Grant(Model):
    """Something that a branch gives without needing words."""

    type: str
    """`hit`, `free_invocations`, `stress`, `legend_points`, `move`, `may_move`, `lethal_next_attack`,
    `free_invocation_each_attack`, `forfeit_next_contest_roll`, `roar` or `loses_roar`."""
    to: tuple[str, ...]
    """Who is eligible, sorted. If several are, one of them gets it."""
    amount: int | None = None
    """The number of shifts, free invocations, stress, points or zones. Omitted if nothing is counted."""
    on: str | None = None
    """The aspect of the free invocations, or the zone where a move ends."""
    track: str | None = None
    """The stress track of a hit. Omitted if stress can't absorb it."""
    absorb: tuple[Absorption, ...] | None = None
    """The ways to absorb a hit. If there are none, the character is taken out. Omitted if the sheet is not known: the
    table then decides."""
    free_invocations: int | None = None
    """How many free invocations each consequence from the hit gives."""
    holders: tuple[str, ...] | None = None
    """Who gets these free invocations."""
    approaches: tuple[str, ...] | None = None
    """The approaches that a roar allows."""

    @property
    def wounds(self) -> bool:
        """Whether it is a hit that consequences can absorb."""
        return any(way.consequences for way in self.absorb or ())


MECHANICS = ("severity", "free_invocations", "holders", "amount", "tracks", "on", "goal", "secret")
"""The mechanics of a form. Offers, suggestions and candidates have the same fields for them."""


class FormOffer(Model):
    """A form that a slot allows: what it gives and who may get it."""

    form: str
    """Its name. A suggestion gives it as `form`."""
    label: str
    """Its name at the table."""
    to: tuple[str, ...] | None = None
    """Who may gain or suffer it, sorted. A suggestion names one of them. Nobody if empty or omitted."""
    holders: tuple[str, ...] | None = None
    """Who may get the free invocations, if not the characters in `to`."""
    free_invocations: int | None = None
    """How many free invocations it gives."""
    severity: str | None = None
    """The level of the consequence."""
    severities: tuple[str, ...] | None = None
    """The possible levels of the consequence, the mildest first. A suggestion names one."""
    amount: int | None = None
    """The amount of stress."""
    tracks: tuple[str, ...] | None = None
    """The stress tracks with a free box for it."""
    on: str | None = None
    """The aspect that it changes or affects."""
    goal: Goal | None = None
    """What happens to the goal, if the form differs from its branch."""
    secret: bool | None = None
    """True if only the GM may see the words."""

    @property
    def levels(self) -> tuple[str | None, ...]:
        """The levels that need words: the possible ones, or else its own level, if any."""
        return self.severities or (self.severity,)


class Slot(Model):
    """A place that needs words, and the forms that they may take."""

    id: str
    """Its name. A suggestion gives it as `slot`. It is the kind, or else `defender_boost`, `charge_boost` or
    `exposed`, for boosts that may occur next to another. Branches may share a slot."""
    kind: Kind
    """What the words are for: a serious or minor cost, a boost, an aspect, or a hit's consequence."""
    draft: str | None = None
    """The request's draft of the aspect. The source reads this."""
    forms: tuple[FormOffer, ...]
    """The forms that the words may take. A suggestion picks one."""

    @property
    def may_stay_empty(self) -> bool:
        """Whether a choice may leave it empty. Whoever is hit may take no consequence or word it themselves."""
        return self.kind == "consequence"

    def offer(self, form: str) -> FormOffer | None:
        """Find a form of this slot by its name."""
        return next((offer for offer in self.forms if offer.form == form), None)


class Branch(Model):
    """A choice that an outcome offers. Someone at the table chooses."""

    id: str
    """Its name. A request or choice gives it as `branch`."""
    label: str
    """Its name at the table."""
    goal: Goal
    """What happens to the actor's goal."""
    grants: tuple[Grant, ...] = ()
    """What it gives without needing words."""
    falls_away: tuple[Grant, ...] | None = None
    """Grants of the row that a swarm is immune to."""
    slots: tuple[Slot, ...] = ()
    """The places in it that need words."""


class Resolution(Model):
    """The result of the rules."""

    ruleset: str
    """The ruleset that decided."""
    source: Citation
    """Where the rule is printed."""
    action: ActionTaken
    """The action."""
    seed: int | None = None
    """The seed of the dice, given or drawn, if there was one."""
    roll: RollResult | None = None
    """The actor's roll. Omitted if the request gave the outcome."""
    opposition: OppositionResult
    """What opposed the action."""
    shifts: int | None = None
    """The actor's total minus the opposition's. Omitted if the request gave an outcome without shifts."""
    outcome: str
    """`fail`, `tie`, `succeed`, `succeed_with_style` or another outcome of the ruleset."""
    branches: tuple[Branch, ...]
    """The branches to choose from. The table chooses exactly one."""
    notices: tuple[str, ...] = Field(default=())
    """Messages for the table about the roll and the rules."""

    def slots(self, branch: str | None = None) -> tuple[Slot, ...]:
        """List the slots of one branch or of all. A shared slot is listed once."""
        found = {slot.id: slot for each in self.branches if branch in (None, each.id) for slot in each.slots}
        return tuple(found.values())
