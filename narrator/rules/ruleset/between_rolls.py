"""What rulesets differ in between rolls: fate points, recovery, contests, the order of turns, milestones."""

from typing import Annotated, Literal

from narrator.rules.model import LIST, Count, Model, Name, Whole
from narrator.rules.ruleset.declarations import FEW, Box

Period = Literal["scene", "session", "scenario", "milestone"]
Names = Annotated[tuple[Name, ...], LIST]


class Sourced(Model):
    """A part of a ruleset that is no table."""

    source: Name
    """The document and the sections that it is from."""


class FatePointsSpec(Sourced):
    """Where fate points go."""

    hostile: Literal["player", "anyone", "between_players"]
    """Who is owed a fate point that was paid for an aspect of theirs by another side: players' characters; the GM as
    well, for the next scene; or only one player's character by another, for an aspect of the sheet."""
    compel: Literal["paid", "offered"] = "paid"
    """What a player pays who compels another: the point in any case, or only where it is taken."""
    scenario: Literal["rise", "set"] = "rise"
    """Whether a scenario's end only raises fate points to the refresh, or sets them to it."""


class RecoverySpec(Sourced):
    """How stress clears, and how consequences do."""

    stress: Literal["conflict", "scene"]
    """Whether stress is cleared when a conflict ends (where there is time to rest), or when any scene does."""
    starts: Literal["treated", "hit"]
    """Whether a consequence recovers once it was treated, or by itself once it was taken."""
    periods: Annotated[dict[Name, Period], FEW]
    """By level, what has to end: a scene, a session or a scenario, or a milestone that clears what recovers."""
    difficulties: Annotated[dict[Name, Whole], FEW] = {}
    """By level, the passive opposition to treating it, in steps of the ladder."""
    alone: Whole = 0
    """How much harder it is to treat oneself."""


class ContestsSpec(Sourced):
    """How contests are won."""

    most: Box | None = None
    """The most victories that one may be to; left out: any number."""
    style: Literal["alone", "always"] = "alone"
    """Whether a success with style marks two victories only where no other side has one."""


class ConflictsSpec(Sourced):
    """Whose turn it is."""

    order: Annotated[dict[Literal["physical", "mental"], Names], FEW] = {}
    """By the kind of conflict, the skill that orders turns, then those that break a tie; left out: whoever had a turn
    says who is next."""


class MilestoneSpec(Sourced):
    """What a milestone does to consequences, beside what the ones before it do."""

    starts: Names = ()
    """The levels that begin to recover without a roll."""
    clears: Names = ()
    """The levels that are cleared."""
    clears_recovering: bool = False
    """Whether what was recovering already is cleared."""


class ScenesSpec(Sourced):
    """What scenes begin and end with."""

    keeps_boosts: bool = False
    """Whether a boost may be kept for the scene that follows directly."""
    zone_aspects: Count = 0
    """How many free invocations each aspect of a zone begins a scene with, for whoever takes them first."""
