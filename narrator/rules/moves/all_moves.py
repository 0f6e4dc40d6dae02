"""All moves, by type."""

from collections.abc import Mapping
from typing import Annotated, Any, get_args

from pydantic import Discriminator, Tag

from narrator.rules.moves.aspects import AspectMove, DropMove, PassMove
from narrator.rules.moves.conflicts import ConcedeMove, ConflictMove, EndConflictMove, TurnMove
from narrator.rules.moves.contests import ChallengeMove, ClockMove, ContestMove, ExchangeMove, TaskMove
from narrator.rules.moves.ends import EndScenarioMove, EndSceneMove, EndSessionMove, SceneMove
from narrator.rules.moves.harm import ClearMove, HitMove, RecoverMove
from narrator.rules.moves.milestones import MilestoneMove
from narrator.rules.moves.move import Move
from narrator.rules.moves.people import ChangeMove, EnterMove, LeaveMove
from narrator.rules.moves.points import CompelMove, PayMove


def _type(value: Any) -> str:
    told = value.get("type") if isinstance(value, Mapping) else getattr(value, "type", None)
    return told if isinstance(told, str) else ""


AnyMove = Annotated[
    Annotated[EnterMove, Tag("enter")]
    | Annotated[LeaveMove, Tag("leave")]
    | Annotated[ChangeMove, Tag("change")]
    | Annotated[AspectMove, Tag("aspect")]
    | Annotated[DropMove, Tag("drop")]
    | Annotated[PassMove, Tag("pass")]
    | Annotated[CompelMove, Tag("compel")]
    | Annotated[PayMove, Tag("pay")]
    | Annotated[HitMove, Tag("hit")]
    | Annotated[ConcedeMove, Tag("concede")]
    | Annotated[RecoverMove, Tag("recover")]
    | Annotated[ClearMove, Tag("clear")]
    | Annotated[ClockMove, Tag("clock")]
    | Annotated[ContestMove, Tag("contest")]
    | Annotated[ExchangeMove, Tag("exchange")]
    | Annotated[ChallengeMove, Tag("challenge")]
    | Annotated[TaskMove, Tag("task")]
    | Annotated[ConflictMove, Tag("conflict")]
    | Annotated[TurnMove, Tag("turn")]
    | Annotated[EndConflictMove, Tag("end_conflict")]
    | Annotated[EndSceneMove, Tag("end_scene")]
    | Annotated[SceneMove, Tag("scene")]
    | Annotated[EndSessionMove, Tag("end_session")]
    | Annotated[EndScenarioMove, Tag("end_scenario")]
    | Annotated[MilestoneMove, Tag("milestone")],
    Discriminator(_type),
]
"""A move of any type."""

MOVES: dict[str, type[Move]] = {get_args(each)[1].tag: get_args(each)[0] for each in get_args(get_args(AnyMove)[0])}
"""The model of each move, by type."""
