"""Moves of contests, challenges and countdown clocks."""

from typing import Annotated, Literal

from pydantic import Field

from narrator.errors import quoted
from narrator.rules.model import LIST, TABLE, Name, Whole
from narrator.rules.moves.move import Book, Move, Names, one_of, refuse
from narrator.rules.request.trackers import AtLeastOne, Challenge, Clock, Contest, Task
from narrator.rules.ruleset.row import FAIL
from narrator.rules.settle.changes import Difference
from narrator.rules.typo import meant

_STYLE = 3
"""The shifts of a success with style ("The Four Outcomes")."""

Results = Annotated[dict[Name, Whole | None], TABLE]
"""What each side rolled, or null if it forfeits."""


class ContestMove(Move):
    """A contest begins: the sides want something that only one can have (Fate Core SRD, "Contests")."""

    type: Literal["contest"]
    sides: Annotated[dict[Name, Names], TABLE]
    """The people on each side. Call a side by any word, such as `us`."""
    to: AtLeastOne = 3
    """How many victories win it."""
    under_fire: bool = False
    """Whether somebody attacks the sides during the contest."""

    def make(self, book: Book) -> None:
        spec = book.ruleset.contests
        if spec.most is not None and self.to > spec.most:
            refuse("to", f"a contest goes to {spec.most} victories at most ({spec.source})")
        if len(self.sides) < 2 or not all(self.sides.values()):
            refuse("sides", "a contest needs two or more sides, with somebody on each")
        on_a_side: set[str] = set()
        for side, names in self.sides.items():
            if twice := on_a_side.intersection(book.people(names, f"sides.{side}")):
                refuse(f"sides.{side}", f"{min(twice)} is on two sides")
            on_a_side.update(names)
        frame = "contest_under_fire" if self.under_fire else "contest"
        book.open_frame(frame, contest=Contest(sides=self.sides, to=self.to))


class ExchangeMove(Move):
    """The sides of a contest rolled an exchange (Fate Core SRD, "Contests"; Fate Accelerated, "Contests")."""

    type: Literal["exchange"]
    totals: Results | None = None
    """The total of each side, if they roll against each other. Null for a side that forfeits."""
    shifts: Results | None = None
    """The shifts of each side, if they roll against something else. Below 0 for a failure, null for a forfeit."""

    def make(self, book: Book) -> None:
        contest: Contest = book.tracker("contest")
        if contest.winner is not None:
            refuse("type", f"{contest.winner} has already won the contest", code="not_in_frame")
        one_of({"totals": self.totals, "shifts": self.shifts}, "what was rolled")
        field, told = ("totals", self.totals) if self.totals is not None else ("shifts", self.shifts or {})
        for side in told:
            if side not in contest.sides:
                refuse(f"{field}.{side}", f"the contest has no such side{meant(side, contest.sides)}", contest.sides)
        if missing := [side for side in contest.sides if side not in told]:
            refuse(field, f"every side needs a result, or null if it forfeits; missing: {', '.join(missing)}")
        rolled = {side: result for side, result in told.items() if result is not None}
        first = [side for side in rolled if rolled[side] == max(rolled.values())]
        victories, winner = dict(contest.victories), None
        if len(first) > 1:
            book.more.append(Difference(type="twist", on="contest"))
        for side in first if len(first) == 1 else ():
            victories[side] = victories.get(side, 0) + self._marked(side, rolled, book)
            winner = side if victories[side] >= contest.to else None
        update = {"exchange": contest.exchange + 1, "victories": victories, "winner": winner}
        book.fields["contest"] = contest.model_copy(update=update)
        for name in (name for side, names in contest.sides.items() if told[side] is None for name in names):
            book.change(name, forfeits_next_contest_roll=False)

    def _marked(self, first: str, rolled: dict[str, int], book: Book) -> int:
        """How many victories the highest side marks: two for a success with style."""
        others = [result for side, result in rolled.items() if side != first]
        if self.totals is not None:
            return 2 if others and rolled[first] - max(others) >= _STYLE else 1
        is_alone = book.ruleset.contests.style == "always" or max(others, default=0) < _STYLE
        return 2 if rolled[first] >= _STYLE and is_alone else 1


class ChallengeMove(Move):
    """A challenge begins, or gets more tasks (Fate Core SRD, "Challenges")."""

    type: Literal["challenge"]
    tasks: Annotated[tuple[Task, ...], LIST, Field(min_length=1)]
    """The tasks. Each is an action of its own."""

    def make(self, book: Book) -> None:
        challenge: Challenge | None = book.now("challenge")
        tasks = challenge.tasks if challenge else ()
        for place, task in enumerate(self.tasks):
            if task.name in [each.name for each in tasks]:
                refuse(f"tasks.{place}.name", "a task already has this name")
            _check_outcome(task.outcome, f"tasks.{place}.outcome", book)
            tasks = (*tasks, task)
        if challenge is None:
            book.open_frame("challenge", challenge=Challenge(tasks=tasks))
        book.fields["challenge"] = Challenge(tasks=tasks)


class TaskMove(Move):
    """A task of the challenge gets its outcome (Fate Core SRD, "Challenges")."""

    type: Literal["task"]
    name: Name
    """The task."""
    outcome: Name
    """One of the ruleset's outcomes, such as `succeed`."""

    def make(self, book: Book) -> None:
        tasks = {each.name: each for each in book.tracker("challenge").tasks}
        if self.name not in tasks:
            refuse("name", f"the challenge has no such task{meant(self.name, tasks)}", tasks)
        _check_outcome(self.outcome, "outcome", book)
        tasks[self.name] = tasks[self.name].model_copy(update={"outcome": self.outcome})
        book.fields["challenge"] = Challenge(tasks=tuple(tasks.values()))


def _check_outcome(outcome: str | None, field: str, book: Book) -> None:
    known = (FAIL, *book.ruleset.outcomes)
    if outcome is not None and outcome not in known:
        refuse(field, f"{quoted(outcome)} is not an outcome here{meant(outcome, known)}", known)


class ClockMove(Move):
    """A countdown begins, is ticked, or goes away after it was full (Fate Condensed, "Countdowns")."""

    type: Literal["clock"]
    name: Name
    """What it counts down to. A new name makes a new countdown."""
    boxes: AtLeastOne | None = None
    """How many boxes it has. Required for a new countdown."""
    tick: Whole | None = None
    """How many boxes to tick. Below 0 frees boxes. If omitted: one, or none for a new countdown."""
    secret: bool | None = None
    """Whether it is for the GM alone. If omitted, this stays as it is; a new countdown is not secret."""

    def make(self, book: Book) -> None:
        clocks = {each.name: each for each in book.old.clocks}
        is_new = self.name not in clocks
        if is_new and self.boxes is None:
            refuse("boxes", f"there is no such clock; a new one needs `boxes`{meant(self.name, clocks)}")
        old = clocks.setdefault(self.name, Clock(name=self.name, boxes=self.boxes or 1))
        tick = self.tick if self.tick is not None else int(not is_new)
        if old.ticked == old.boxes and tick > 0 and self.boxes is None:
            del clocks[self.name]
        else:
            boxes = self.boxes or old.boxes
            ticked = min(max(0, old.ticked + tick), boxes)
            secret = old.secret if self.secret is None else self.secret
            clocks[self.name] = Clock(name=self.name, boxes=boxes, ticked=ticked, secret=secret)
        book.fields["clocks"] = tuple(clocks.values())
