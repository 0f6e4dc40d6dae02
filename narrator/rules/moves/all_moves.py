"""Every move there is, by its type."""

from collections.abc import Mapping
from typing import Annotated, Any, get_args

from pydantic import Discriminator, Tag

from narrator.rules.moves.aspects import Drop, Pass, PutAspect
from narrator.rules.moves.conflicts import BeginConflict, Concede, EndConflict, Turn
from narrator.rules.moves.contests import BeginChallenge, Contest, Exchange, NoteTask, TickClock
from narrator.rules.moves.ends import EndScenario, EndScene, EndSession, NextScene
from narrator.rules.moves.harm import Clear, Hit, Recover
from narrator.rules.moves.milestones import Milestone
from narrator.rules.moves.move import Move
from narrator.rules.moves.people import Change, Enter, Leave
from narrator.rules.moves.points import Compel, Pay


def _type(value: Any) -> str:
    told = value.get("type") if isinstance(value, Mapping) else getattr(value, "type", None)
    return told if isinstance(told, str) else ""


AnyMove = Annotated[
    Annotated[Enter, Tag("enter")]
    | Annotated[Leave, Tag("leave")]
    | Annotated[Change, Tag("change")]
    | Annotated[PutAspect, Tag("aspect")]
    | Annotated[Drop, Tag("drop")]
    | Annotated[Pass, Tag("pass")]
    | Annotated[Compel, Tag("compel")]
    | Annotated[Pay, Tag("pay")]
    | Annotated[Hit, Tag("hit")]
    | Annotated[Concede, Tag("concede")]
    | Annotated[Recover, Tag("recover")]
    | Annotated[Clear, Tag("clear")]
    | Annotated[TickClock, Tag("clock")]
    | Annotated[Contest, Tag("contest")]
    | Annotated[Exchange, Tag("exchange")]
    | Annotated[BeginChallenge, Tag("challenge")]
    | Annotated[NoteTask, Tag("task")]
    | Annotated[BeginConflict, Tag("conflict")]
    | Annotated[Turn, Tag("turn")]
    | Annotated[EndConflict, Tag("end_conflict")]
    | Annotated[EndScene, Tag("end_scene")]
    | Annotated[NextScene, Tag("scene")]
    | Annotated[EndSession, Tag("end_session")]
    | Annotated[EndScenario, Tag("end_scenario")]
    | Annotated[Milestone, Tag("milestone")],
    Discriminator(_type),
]
"""A move of any type."""

MOVES: dict[str, type[Move]] = {get_args(each)[1].tag: get_args(each)[0] for each in get_args(get_args(AnyMove)[0])}
"""The model of every move, by its type."""
