"""What the tests of the rules share: requests in few words, and resolutions in the notation of the spec's tables.

A table is typed as cells; a cell has one line for each branch: `[id] goal → grant or slot → …`. The goal is ✓ attained,
✗ not attained, ◐ lesser or ? for the opponent to decide. A grant is `+type(who amount on what)`, a slot
`*id "draft": form, form`, with `id/kind` where they differ; beside a form stands in brackets what goes with it. In an
expectation `@opp` is everyone on another side, `@defender` who defends, `@opponent` who rolls against the actor, else
`@opp`; `@shifts` and `@shifts-1` are numbers, and ` @draft` is what the player called an aspect, in quotes, or nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator import NarratorError
from narrator.rules.json_text import Json

GOALS = {"attained": "✓", "not_attained": "✗", "lesser": "◐", "opponent_decides": "?"}

FRAMES = (None, "challenge", "contest", "contest_under_fire", "conflict")

LEVELS = {"mild": 2, "moderate": 4, "severe": 6}
"""Consequences, and what each absorbs of a hit (Fate Core SRD, "Resolving Attacks")."""

ANN = {"name": "Ann", "side": "pc", "importance": "pc"}
BEA = {"name": "Bea", "side": "pc", "importance": "pc"}
XAN = {"name": "Xan", "side": "opposition"}
YVE = {"name": "Yve", "side": "opposition"}

SCENE: Json = {"aspects": [{"name": "Rough Terrain"}], "characters": [YVE, ANN, XAN, BEA]}
"""Ann acts, Bea is her ally; Xan and Yve oppose them, and stand there out of order."""


def ask(scene: Json | None = None, /, *, request: Mapping[str, Any] | None = None, **action: Any) -> Json:
    """Make a request: Ann overcomes, told a total of 1, against a passive 0, but for what is given."""
    plain = {"type": "overcome", "actor": "Ann", "roll": {"total": 1}, "opposition": {"kind": "passive", "rating": 0}}
    return {"scene": SCENE if scene is None else scene, "action": {**plain, **action}, **(request or {})}


def resolved(request: Mapping[str, Any]) -> Json:
    """Resolve a request, as the JSON of the contract."""
    return narrator.resolve(request).as_json()


def refused(request: Mapping[str, Any]) -> tuple[str, str, list[str] | None]:
    """Resolve a request that must be refused: code, field, and what would have been accepted."""
    with pytest.raises(NarratorError) as caught:
        narrator.resolve(request)
    error = caught.value.as_json()["error"]
    return error["code"], error["field"].removeprefix("request.").removeprefix("choice."), error.get("allowed")


def loaded(folder: Path, text: str) -> narrator.Ruleset:
    """A house ruleset of this text."""
    path = folder / "house.toml"
    path.write_text(text, "utf-8")
    return narrator.load_ruleset(path)


def shown(answer: Json) -> list[str]:
    """Write the branches of a resolution in the notation of the tables."""
    return [_branch(branch) for branch in answer["branches"]]


def forms_of(answer: Json, slot: str) -> list[Json]:
    """The forms of a slot, in whatever branch it stands."""
    return next(each["forms"] for branch in answer["branches"] for each in branch["slots"] if each["id"] == slot)


def _branch(branch: Json) -> str:
    effects = [*map(_grant, branch["grants"]), *map(_slot, branch["slots"])]
    return _line(f"[{branch['id']}] {GOALS[branch['goal']]}", effects)


def _line(head: str, effects: Iterable[str]) -> str:
    """Put a branch together; the order of its grants and slots means nothing."""
    return " → ".join([head, *sorted(effects)])


def _grant(grant: Json) -> str:
    return f"+{grant['type']}{_beside(grant)}"


def _slot(slot: Json) -> str:
    name = slot["id"] if slot["id"] == slot["kind"] else f"{slot['id']}/{slot['kind']}"
    draft = f' "{slot["draft"]}"' if "draft" in slot else ""
    return f"*{name}{draft}: " + ", ".join(form["form"] + _beside(form) for form in slot["forms"])


def _beside(given: Json) -> str:
    """What goes with a form or grant, always in this order."""
    words = [
        *([",".join(given["to"]) or "nobody"] if "to" in given else []),
        *([given["severity"]] if "severity" in given else []),
        *(["/".join(given["severities"])] if "severities" in given else []),
        *([str(given["amount"])] if "amount" in given else []),
        *([",".join(given["tracks"])] if "tracks" in given else []),
        *([f"{given['free_invocations']} free"] if "free_invocations" in given else []),
        *([f"for {','.join(given['holders'])}"] if "holders" in given else []),
        *([f"on {given['on']}"] if "on" in given else []),
        *([GOALS[given["goal"]]] if "goal" in given else []),
        *(["secret"] if given.get("secret") else []),
        *([" ".join(given["approaches"])] if "approaches" in given else []),
    ]
    return f"({' '.join(words)})" if words else ""


@dataclass(frozen=True)
class Landing:
    """An outcome, and the shifts with which a cell is tried."""

    outcome: str
    shifts: tuple[int, ...]


FAIL = Landing("fail", (-1, -2, -3, -7))
FAIL_BY_LESS_THAN_3 = Landing("fail", (-1, -2))
FAIL_BY_3_OR_MORE = Landing("fail", (-3, -7))
TIE = Landing("tie", (0,))
SUCCEED = Landing("succeed", (1, 2))
STYLE = Landing("succeed_with_style", (3, 4, 8))


@dataclass(frozen=True)
class Way:
    """A way to be opposed, with its total or one that can be told; who then defends, and who is the opponent."""

    name: str
    opposition: Json
    defender: str = "?"
    opponent: str = "Xan,Yve"
    total: int | None = None

    def at(self, total: int) -> Json:
        """The opposition with its total told, unless it has one."""
        told = {"rating": total} if self.opposition["kind"] == "passive" else {"roll": {"total": total}}
        return self.opposition | (told if self.total is None else {})


PASSIVE = Way("passive", {"kind": "passive"}, defender="Xan")
ACTIVE = Way("active", {"kind": "active", "by": "Xan"}, opponent="Xan")
DEFEND = Way("defend", {"kind": "defend"}, defender="Xan", opponent="Xan")
STANDS_IN = Way("defend by another", {"kind": "defend", "by": "Yve"}, defender="Yve", opponent="Yve")

UNDEFENDED = (PASSIVE, ACTIVE)
DEFENDS = (DEFEND, STANDS_IN)
DEFENDED = (PASSIVE, *DEFENDS)


@dataclass(frozen=True)
class Cell:
    """One cell of a table: how something comes out, its branches, where this holds, and what is done."""

    reach: Landing
    branches: list[str]
    ways: Iterable[Way]
    frames: tuple[str | None, ...]
    action: Json

    @property
    def name(self) -> str:
        """What is done, in the words of the request."""
        return " ".join(str(each) for each in self.action.values() if each)


@dataclass(frozen=True)
class Case:
    """A cell with one way to be opposed, in one frame, at one number of shifts."""

    id: str
    request: Json
    outcome: str
    branches: list[str]


BASE = 1
"""The total to beat in every case of a table in which it can be told."""


def cases(ruleset: str, cells: Iterable[Cell]) -> list[Case]:
    """Spell out each cell of a ruleset's table: in every frame, and with every number of shifts."""
    return [
        Case(
            id=f"{cell.name}, {cell.reach.outcome} by {shifts:+d}, {way.name} in {frame or 'no frame'}",
            request=ask(
                SCENE | {"frame": frame},
                request={"ruleset": ruleset},
                roll={"total": (BASE if way.total is None else way.total) + shifts},
                opposition=way.at(BASE),
                **cell.action,
            ),
            outcome=cell.reach.outcome,
            branches=[_spelt_out(line, way, shifts, cell.action.get("aspect")) for line in cell.branches],
        )
        for cell in cells
        for way in cell.ways
        for frame in cell.frames
        for shifts in cell.reach.shifts
        if frame == cell.frames[0] or shifts == cell.reach.shifts[0]
    ]


def wrong(ruleset: str, cells: Iterable[Cell]) -> list[tuple[Case, Json]]:
    """The cases of a table in which it comes out otherwise than it says, each with what came."""
    answers = [(case, resolved(case.request)) for case in cases(ruleset, cells)]
    return [each for each in answers if (each[0].outcome, each[0].branches) != (each[1]["outcome"], shown(each[1]))]


def _spelt_out(line: str, way: Way, shifts: int, aspect: str | None) -> str:
    words = {
        " @draft": f' "{aspect}"' if aspect else "",
        "@shifts-1": str(shifts - 1),
        "@shifts": str(shifts),
        "@opponent": way.opponent,
        "@opp": "Xan,Yve",
        "@defender": way.defender,
    }
    for word, meaning in words.items():
        line = line.replace(word, meaning)
    head, *effects = line.split(" → ")
    return _line(head, effects)
