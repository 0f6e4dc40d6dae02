"""Moves of contests and challenges, and of the clocks that count down to something."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from narrator.errors import quoted
from narrator.rules.model import LIST, TABLE, Name, Whole
from narrator.rules.moves.move import Book, Move, Names, one_of, refuse
from narrator.rules.request.scene import CONTESTS
from narrator.rules.request.trackers import AtLeastOne, Challenge, Clock, Contest as ContestTracker, Task
from narrator.rules.ruleset.row import FAIL
from narrator.rules.settle.changes import Difference
from narrator.rules.typo import meant

_STYLE = 3
"""How many shifts are a success with style ("The Four Outcomes")."""

Results = Annotated[dict[Name, Whole | None], TABLE]
"""By side, what it rolled; null where it forfeits."""


class Contest(Move):
    """A contest begins: sides that want what only one can have, and do not harm each other."""

    source: ClassVar = "Fate Core SRD, Contests; Fate Condensed, Contests"

    type: Literal["contest"]
    sides: Annotated[dict[Name, Names], TABLE]
    """Who is on each side, by any word for the side."""
    to: AtLeastOne = 3
    """How many victories win it."""
    under_fire: bool = False
    """Whether somebody attacks the sides meanwhile."""

    def make(self, book: Book) -> None:
        most = book.ruleset.contests.most
        if most is not None and self.to > most:
            refuse("to", f"a contest is to {most} victories at the most ({book.ruleset.contests.source})")
        if len(self.sides) < 2 or not all(self.sides.values()):
            refuse("sides", "a contest wants two sides or more, with somebody on each")
        for side, names in self.sides.items():
            others = {name for other, told in self.sides.items() if other != side for name in told}
            for place, name in enumerate(book.people(names, f"sides.{side}")):
                if name in others:
                    refuse(f"sides.{side}.{place}", f"{name} is on two sides")
        frame = "contest_under_fire" if self.under_fire else "contest"
        book.open_frame(frame, ContestTracker(sides=self.sides, to=self.to))


class Exchange(Move):
    """An exchange of a contest was rolled."""

    source: ClassVar = "Fate Core SRD, Contests; Fate Accelerated, Contests"

    type: Literal["exchange"]
    totals: Results | None = None
    """What each side's roll came to, where they roll against each other."""
    shifts: Results | None = None
    """By how many shifts each side succeeded, where they roll against something else; below 0 for a failure."""

    def make(self, book: Book) -> None:
        contest = book.now("contest")
        if contest is None or book.now("frame") not in CONTESTS:
            refuse("type", "there is no contest: begin one first", ["contest"], code="not_in_frame")
        if contest.winner is not None:
            refuse("type", f"{contest.winner} has won the contest", code="not_in_frame")
        one_of({"totals": self.totals, "shifts": self.shifts}, "what was rolled")
        field, told = ("totals", self.totals) if self.totals is not None else ("shifts", self.shifts or {})
        sides = list(contest.sides)
        for side in told:
            if side not in sides:
                refuse(f"{field}.{side}", f"there is no side {quoted(side)}{meant(side, sides)}", sides)
        if missing := [side for side in sides if side not in told]:
            refuse(field, f"every side is wanted, null for one that forfeits: {', '.join(missing)}")
        rolled = {side: result for side, result in told.items() if result is not None}
        first = [side for side in rolled if rolled[side] == max(rolled.values())]
        update: dict[str, object] = {"exchange": contest.exchange + 1}
        if len(first) == 1:
            victories = dict(contest.victories)
            victories[first[0]] = victories.get(first[0], 0) + self._marked(first[0], rolled, book)
            winner = first[0] if victories[first[0]] >= contest.to else None
            update |= {"victories": victories, "winner": winner}
        elif first:
            book.more.append(Difference(type="twist", on="contest"))
        book.fields["contest"] = contest.model_copy(update=update)
        for side in sides:
            for name in contest.sides[side] if told[side] is None else ():
                book.change(name, forfeits_next_contest_roll=False)

    def _marked(self, first: str, rolled: dict[str, int], book: Book) -> int:
        """How many victories the highest marks: two for a success with style."""
        others = [result for side, result in rolled.items() if side != first]
        if self.totals is not None:
            return 2 if others and rolled[first] - max(others) >= _STYLE else 1
        is_alone = book.ruleset.contests.style == "always" or max(others, default=0) < _STYLE
        return 2 if rolled[first] >= _STYLE and is_alone else 1


class BeginChallenge(Move):
    """A challenge begins, or has further tasks."""

    source: ClassVar = "Fate Core SRD, Challenges; Fate Accelerated, Challenges"

    type: Literal["challenge"]
    tasks: Annotated[tuple[Task, ...], LIST, Field(min_length=1)]
    """What is to be done, each task an action of its own."""

    def make(self, book: Book) -> None:
        known = book.now("challenge").tasks if book.now("challenge") is not None else ()
        names = [each.name for each in known]
        for place, task in enumerate(self.tasks):
            if task.name in names:
                refuse(f"tasks.{place}.name", "there is a task of this name already")
            names.append(task.name)
            _check_outcome(task.outcome, f"tasks.{place}.outcome", book)
        tracker = Challenge(tasks=(*known, *self.tasks))
        if known:
            book.fields["challenge"] = tracker
        else:
            book.open_frame("challenge", tracker)


class NoteTask(Move):
    """What came of a task of the challenge."""

    source: ClassVar = "Fate Core SRD, Challenges"

    type: Literal["task"]
    name: Name
    """Which task."""
    outcome: Name
    """Its outcome, one of the ruleset's."""

    def make(self, book: Book) -> None:
        challenge = book.now("challenge")
        if challenge is None:
            refuse("type", "there is no challenge: begin one first", ["challenge"], code="not_in_frame")
        names = [each.name for each in challenge.tasks]
        if self.name not in names:
            refuse("name", f"the challenge has no task {quoted(self.name)}{meant(self.name, names)}", names)
        _check_outcome(self.outcome, "outcome", book)
        tasks = tuple(
            each.model_copy(update={"outcome": self.outcome}) if each.name == self.name else each
            for each in challenge.tasks
        )
        book.fields["challenge"] = Challenge(tasks=tasks)


def _check_outcome(outcome: str | None, field: str, book: Book) -> None:
    known = (FAIL, *book.ruleset.outcomes)
    if outcome not in (None, *known):
        refuse(field, f"{quoted(outcome or '')} is no outcome here{meant(outcome or '', known)}", known)


class TickClock(Move):
    """A countdown is made, ticked, or gone once it was full."""

    source: ClassVar = "Fate Condensed, Countdowns"

    type: Literal["clock"]
    name: Name
    """What it counts to; it is made when it is first named."""
    boxes: AtLeastOne | None = None
    """How many boxes it has; wanted where it is made."""
    tick: Whole | None = None
    """How many are ticked, below 0 freed; left out: one, and none where it is made."""
    secret: bool | None = None
    """Whether it is for the GM alone; left out: as it is, and where it is made no."""

    def make(self, book: Book) -> None:
        clocks = {each.name: each for each in book.old.clocks}
        old = clocks.get(self.name)
        if old is None and self.boxes is None:
            refuse("boxes", f"there is no clock of this name yet: say how many boxes it has{meant(self.name, clocks)}")
        tick = self.tick if self.tick is not None else 0 if old is None else 1
        if old is not None and old.ticked == old.boxes and tick > 0 and self.boxes is None:
            del clocks[self.name]
        else:
            boxes = self.boxes or (old.boxes if old else 1)
            ticked = min(max(0, (old.ticked if old else 0) + tick), boxes)
            secret = self.secret if self.secret is not None else old is not None and old.secret
            clocks[self.name] = Clock(name=self.name, boxes=boxes, ticked=ticked, secret=secret)
        book.fields["clocks"] = tuple(clocks.values())
