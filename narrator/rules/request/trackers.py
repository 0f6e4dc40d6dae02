"""Trackers: how a contest, a challenge, a conflict or a clock stands. They are part of the scene; moves change them."""

from typing import Annotated

from pydantic import Field, model_validator

from narrator.rules.model import LARGEST, LIST, TABLE, Count, Given, Name, Whole, complaint

AtLeastOne = Annotated[int, Field(ge=1, le=LARGEST)]
Names = Annotated[tuple[Name, ...], LIST]


class Contest(Given):
    """A contest: its sides, and how many victories each has ("Contests")."""

    sides: Annotated[dict[Name, Names], TABLE]
    """Who is on each side, by the side's name, which is any word."""
    to: AtLeastOne = 3
    """How many victories win it."""
    victories: Annotated[dict[Name, Count], TABLE] = {}
    """How many victories each side has, by its name; a side that is left out has none."""
    exchange: AtLeastOne = 1
    """Which exchange it is, from 1."""
    winner: Name | None = None
    """The side that won; left out: it goes on."""


class Task(Given):
    """One task of a challenge."""

    name: Name
    """What is to be done; no two in a challenge have the same."""
    skill: Name | None = None
    """The skill or approach that it takes."""
    difficulty: Whole | None = None
    """What opposes it, in steps of the ladder."""
    outcome: Name | None = None
    """The outcome that was noted; left out: it is still to be done."""


class Challenge(Given):
    """A challenge: tasks, each an action of its own ("Challenges")."""

    tasks: Annotated[tuple[Task, ...], LIST]
    """The tasks, in the order that they were named."""


class Conflict(Given):
    """A conflict: whose turn it is ("Conflicts")."""

    order: Names | None = None
    """Everybody in the order of their turns; left out: whoever had a turn says who is next."""
    turn: Name | None = None
    """Whose turn it is; left out: nobody's yet."""
    exchange: AtLeastOne = 1
    """Which exchange it is, from 1."""
    acted: Names = ()
    """Those whose turn of this exchange is over."""


class Clock(Given):
    """A countdown: boxes that are ticked until something happens."""

    name: Name
    """What it counts to; no two in a scene have the same."""
    boxes: AtLeastOne
    """How many boxes it has."""
    ticked: Count = 0
    """How many of them are ticked."""
    secret: bool = False
    """Whether it is for the GM alone."""

    @model_validator(mode="after")
    def _ticks_are_boxes(self) -> "Clock":
        if self.ticked > self.boxes:
            raise complaint("bad_request", "no more boxes can be ticked than there are")
        return self
