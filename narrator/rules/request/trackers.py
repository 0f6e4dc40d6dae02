"""Trackers: the state of contests, challenges, conflicts and clocks. They are part of the scene. Moves change them."""

from typing import Annotated

from pydantic import Field, model_validator

from narrator.rules.model import LARGEST, LIST, TABLE, Count, Given, Name, Whole, complaint

AtLeastOne = Annotated[int, Field(ge=1, le=LARGEST)]
Names = Annotated[tuple[Name, ...], LIST]


class Contest(Given):
    """A contest: its sides and their victories ("Contests")."""

    sides: Annotated[dict[Name, Names], TABLE]
    """The people on each side, by its name, which may be any word."""
    to: AtLeastOne = 3
    """How many victories win the contest."""
    victories: Annotated[dict[Name, Count], TABLE] = {}
    """How many victories each side has, by its name. A side that is not listed has none."""
    exchange: AtLeastOne = 1
    """The number of the exchange, from 1."""
    winner: Name | None = None
    """The side that won. If omitted, the contest continues."""


class Task(Given):
    """One task of a challenge."""

    name: Name
    """What has to be done. It is unique in the challenge."""
    skill: Name | None = None
    """The skill or approach for it."""
    difficulty: Whole | None = None
    """The passive opposition, as a rating on the ladder."""
    outcome: Name | None = None
    """The recorded outcome. If omitted, the task is still open."""


class Challenge(Given):
    """A challenge: tasks, each an action of its own ("Challenges")."""

    tasks: Annotated[tuple[Task, ...], LIST]
    """The tasks, in the order in which they were added."""


class Conflict(Given):
    """A conflict: whose turn it is ("Conflicts")."""

    order: Names | None = None
    """Everybody in turn order. If omitted, whoever has acted chooses who is next."""
    turn: Name | None = None
    """Whose turn it is, if it is anybody's yet."""
    exchange: AtLeastOne = 1
    """The number of the exchange, from 1."""
    acted: Names = ()
    """Those who have had their turn in this exchange."""


class Clock(Given):
    """A countdown: a row of boxes. Something happens when all are ticked."""

    name: Name
    """What it counts down to. It is unique in the scene."""
    boxes: AtLeastOne
    """How many boxes it has."""
    ticked: Count = 0
    """How many of them are ticked."""
    secret: bool = False
    """Whether only the GM sees it."""

    @model_validator(mode="after")
    def _ticks_are_boxes(self) -> "Clock":
        if self.ticked > self.boxes:
            raise complaint("bad_request", "ticked must not be more than boxes")
        return self
