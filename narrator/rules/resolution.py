"""The resolution: what was rolled, the outcome, and the branches, grants and slots that the table row gives."""

from pydantic import Field

from narrator.rules.declared import Goal, Kind
from narrator.rules.dice import Faces
from narrator.rules.model import Model


class Source(Model):
    """
    Where a rule stands.
    """

    document: str
    section: str


class ActionTaken(Model):
    """
    What was done, as the rules understood it.
    """

    type: str
    variant: str | None = None
    actor: str
    skill: str | None = None
    attribute: str | None = None
    target: str | None = None
    aspect: str | None = None
    maneuver: str | None = None
    path: tuple[str, ...] | None = None


class Parts(Model):
    """
    What a total is made of, in ladder steps.
    """

    dice: Faces | None = None
    """The faces that count: after rerolls, then weight."""
    rolled: Faces | None = None
    """The faces first thrown."""
    weight: int | None = None
    """How many dice weight turned to +."""
    skill: int | None = None
    """Skill and attribute."""
    bonus: int | None = None
    """What the request adds, each helper, and full defence."""
    invoked: int | None = None
    """The sum of the invocations used as a bonus."""


class RollResult(Parts):
    """
    The actor's total and what it is made of. A told total has no dice and no skill.
    """

    total: int
    ladder: str
    """The total by its name on the ladder."""


class OppositionResult(Parts):
    """
    What opposed the action. Where nothing was rolled there are no dice and no skill; where the outcome was told
    there is no total.
    """

    kind: str
    by: str | None = None
    """Who rolled."""
    total: int | None = None
    ladder: str | None = None
    """The total by its name on the ladder."""


class Absorption(Model):
    """
    One way to buy off a hit: at most one stress box, by its value, and consequences by their levels.
    """

    stress: int | None = None
    consequences: tuple[str, ...] = ()


class Grant(Model):
    """
    Something that a branch gives, and who is eligible, sorted.
    """

    type: str
    to: tuple[str, ...]
    amount: int | None = None
    on: str | None = None
    absorb: tuple[Absorption, ...] | None = None
    """Each way to buy a hit off; empty: taken out; left out: nobody told a sheet, and it is the table's to say."""
    free_invocations: int | None = None
    """What each consequence taken of a hit gives in free invocations of it."""
    holders: tuple[str, ...] | None = None
    """Who gets those."""
    approaches: tuple[str, ...] | None = None


MECHANICS = ("severity", "free_invocations", "holders", "amount", "tracks", "on", "goal", "secret")
"""What the table says of a form: the same fields of an offer, of a suggestion, and of what a candidate may claim."""


class FormOffer(Model):
    """
    A form that a slot allows: what it gives, and to whom it may go.
    """

    form: str
    label: str
    to: tuple[str, ...] | None = None
    holders: tuple[str, ...] | None = None
    free_invocations: int | None = None
    severity: str | None = None
    amount: int | None = None
    tracks: tuple[str, ...] | None = None
    on: str | None = None
    goal: Goal | None = None
    secret: bool | None = None


class Slot(Model):
    """
    A place that wants words, and the forms they may take.
    """

    id: str
    kind: Kind
    draft: str | None = None
    forms: tuple[FormOffer, ...]

    def offer(self, form: str) -> FormOffer | None:
        """
        Find a form of this slot by its name.
        """
        return next((offer for offer in self.forms if offer.form == form), None)


class Branch(Model):
    """
    A choice that someone at the table makes.
    """

    id: str
    label: str
    goal: Goal
    grants: tuple[Grant, ...] = ()
    falls_away: tuple[Grant, ...] | None = None
    """What the row grants and a swarm is proof against."""
    slots: tuple[Slot, ...] = ()


class Resolution(Model):
    """
    What the rules found.
    """

    ruleset: str
    source: Source
    action: ActionTaken
    seed: int | None = None
    roll: RollResult | None = None
    """The actor's roll; left out where the outcome was told."""
    opposition: OppositionResult
    shifts: int | None = None
    """The actor's total minus the opposition's; left out where the outcome was told without them."""
    outcome: str
    branches: tuple[Branch, ...]
    notices: tuple[str, ...] = Field(default=())

    def slots(self, branch: str | None = None) -> tuple[Slot, ...]:
        """
        List the slots of one branch, or of all; one that several branches carry comes once.
        """
        found = {slot.id: slot for each in self.branches if branch in (None, each.id) for slot in each.slots}
        return tuple(found.values())
