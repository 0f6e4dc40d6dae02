"""Recovery: how many ends of its period a consequence still needs, and what such an end does."""

from typing import Literal

from narrator.rules.request.scene import Consequence, Ended
from narrator.rules.ruleset.between_rolls import Period, RecoverySpec

PERIODS: tuple[Ended, ...] = ("scene", "session", "scenario")
"""Shortest first. The end of a period also ends those before it."""


def runs(period: Ended, ended: Ended | None) -> bool:
    """Whether a period is running: neither it nor a longer one has ended."""
    return ended is None or PERIODS.index(ended) < PERIODS.index(period)


def starting(
    severity: str, ended: Ended | None, recovery: RecoverySpec, *, when: Literal["treated", "hit"]
) -> int | None:
    """Count the ends of its period that a consequence needs if it begins to recover now. None if it does not begin.

    A treated consequence lasts one whole period. In Fate Accelerated, recovery begins with the hit and lasts until the
    end of this scene, the next session or this scenario ("Recovering from Stress and Consequences").
    """
    period = recovery.periods.get(severity)
    if period is None or recovery.starts != when:
        return None
    is_whole = when == "treated" or period == "session"
    return 2 if is_whole and period != "milestone" and runs(period, ended) else 1


def after_end(
    level: Consequence, ends: Period, ended: Ended | None, recovery: RecoverySpec, *, rest: bool = True
) -> Consequence:
    """Return a level after a scene, session or scenario ended: one step further in its recovery, or free."""
    left = level.recovering
    if left is None and level.name is not None:
        left = starting(level.severity, ended, recovery, when="hit")
    is_counted = recovery.periods.get(level.severity) == ends and (rest or recovery.starts != "hit")
    if left is None or level.name is None or not is_counted:
        return level
    return level.model_copy(update={"recovering": left - 1}) if left > 1 else Consequence(severity=level.severity)
