"""Rules for between rolls that differ by ruleset: fate points, recovery, contests, turn order, milestones."""

from typing import Annotated, Literal

from narrator.rules.model import LIST, Count, Model, Name, Whole
from narrator.rules.ruleset.declarations import FEW, Box

Period = Literal["scene", "session", "scenario", "milestone"]
Names = Annotated[tuple[Name, ...], LIST]


class Sourced(Model):
    """A part of a ruleset that is not a table."""

    source: Name
    """The document and sections that it comes from."""


class FatePointsSpec(Sourced):
    """Who gets fate points, and when."""

    hostile: Literal["player", "anyone", "between_players"]
    """Who is owed the fate point if another side pays to invoke their aspect. `player`: players' characters. `anyone`:
    also the GM, in the next scene. `between_players`: a player's character, for an aspect on the sheet, if another
    player's character pays."""
    compel: Literal["paid", "offered"] = "paid"
    """When a player who compels pays a fate point: `paid` is always, `offered` is only if it is accepted."""
    scenario: Literal["rise", "set"] = "rise"
    """Whether a scenario's end only raises fate points to the refresh or sets them to it."""


class RecoverySpec(Sourced):
    """How stress and consequences clear."""

    stress: Literal["conflict", "scene"]
    """Whether stress clears when a conflict ends and there is time to rest, or when any scene ends."""
    starts: Literal["treated", "hit"]
    """Whether a consequence recovers after treatment or by itself."""
    periods: Annotated[dict[Name, Period], FEW]
    """For each level, what must end before it is gone, or `milestone` if a milestone clears it."""
    difficulties: Annotated[dict[Name, Whole], FEW] = {}
    """For each level, the passive opposition to treatment, as a rating on the ladder."""
    alone: Whole = 0
    """How much harder it is to treat yourself."""


class ContestsSpec(Sourced):
    """How contests are won."""

    most: Box | None = None
    """The most victories that a contest may need. If omitted, any number."""
    style: Literal["alone", "always"] = "alone"
    """Whether a success with style always marks two victories, or only if no other side has one (`alone`)."""


class ConflictsSpec(Sourced):
    """The order of turns."""

    order: Annotated[dict[Literal["physical", "mental"], Names], FEW] = {}
    """For each kind of conflict, the skill for turn order, then those that break ties. If omitted, whoever has acted
    chooses who is next."""


class MilestoneSpec(Sourced):
    """What a milestone does to consequences, in addition to what lower ones do."""

    starts: Names = ()
    """The levels that start to recover without a roll."""
    clears: Names = ()
    """The levels that it clears."""
    clears_recovering: bool = False
    """Whether it clears consequences that were already recovering."""


class ScenesSpec(Sourced):
    """What happens when scenes begin and end."""

    keeps_boosts: bool = False
    """Whether a boost may be kept for the next scene."""
    zone_aspects: Count = 0
    """How many free invocations, for anyone to use, each zone aspect has when a scene begins."""
