"""How long a campaign takes, short and long, and how large it is: `python -m benchmarks.campaign [ENTRIES]`.

A campaign of 10,000 entries is played with words of the deck; its file is copied while it is short. Measured in turn on
each copy: opening, a roll, what is written, what is read, and what goes through the whole file. Beside a roll stands
the same roll on a scene without a campaign; beside an entry a transaction of SQLite alone that writes as many bytes.
The disk is part of all times but the computing; the ratios are what to compare between machines. Last comes how large
a scene is after a long evening: as it is handed out, and as the file keeps it.
"""

import gc
import json
import os
import shutil
import sqlite3
import statistics
import sys
import time
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import narrator
from narrator import Campaign
from tests.campaign import ACTIONS, DEEDS, HEROES, PLACES, THINGS, TOWN
from tests.rolls_of_an_evening import choose

ENTRIES, SHORT = 10_000, (100, 1_000)
ROUNDS, FEW = 25, 3
TURNS, SCENE = 120, 40
"""Turns of the evening, and how many of them a scene lasts."""
WHOLE, KEPT = 12.5, 5.0
"""The aims of a scene's size after it, in KB."""

PEOPLE = (*HEROES, *TOWN[:6])
STEPS = {"note": 20, "clock": 15, "compel": 10, "turn": 15, "roll": 25, "undo": 6}
"""What is entered, and how often."""
ACTION: dict[str, Any] = {"type": "overcome", "outcome": "fail", "actor": HEROES[0], "opposition": {"by": TOWN[0]}}

SUGGEST, SETTLE, NOTE, MOVE, BARE = "suggest", "settle", "note", "move", ", bare"

T = TypeVar("T")
Times = dict[str, list[tuple[float, float]]]
"""By name: the seconds of each call, and those of them that it computed."""


class Play:
    """Plays a campaign by chance, always the same."""

    def __init__(self, file: Path) -> None:
        people = [
            {"name": who, "side": "pc" if who in HEROES else "town", "importance": "pc" if who in HEROES else "named"}
            | {"skills": {"Will": 2, "Notice": 1}, "aspects": [f"{who.split()[-1]} Has Seen Worse"]}
            | ({"fate_points": 3, "refresh": 3} if who in HEROES else {})
            for who in PEOPLE
        ]
        scene = {"summary": "The fourth winter of the flood.", "characters": people, "lines": ["harm to children"]}
        self.chance = Random(27)  # noqa: S311
        self.campaign = narrator.open_campaign(file, scene={**scene, "tone": "low fantasy", "gm_fate_points": 4})
        self.new_scene()

    def until(self, entries: int, progress: Progress) -> None:
        """Play until there are so many entries, or a few more."""
        task = progress.add_task(f"playing {entries:,} entries", total=entries)
        begun = 0
        while (last := self.campaign.last) < entries:
            progress.update(task, completed=last)
            # The beginning of a scene may have been taken back.
            if last - begun > SCENE or self.campaign.scene.ended is not None:
                self.new_scene()
                begun = last
            [step] = self.chance.choices([*STEPS], [*STEPS.values()])
            getattr(self, step)()
        progress.update(task, completed=entries)

    def note(self) -> None:
        """Note a sentence."""
        self.campaign.note(self.sentence())

    def clock(self) -> None:
        """Make a clock, or tick it; once it is full it goes."""
        name = f"Flood at the {self.chance.choice(PLACES[:3])}"
        is_new = name not in [each.name for each in self.campaign.scene.clocks]
        self.campaign.move({"type": "clock", "name": name} | ({"boxes": 6} if is_new else {}))

    def compel(self) -> None:
        """Compel a hero; whoever has many fate points refuses."""
        who = self.chance.choice(self.campaign.scene.characters[: len(HEROES)])
        is_poor = (who.fate_points or 0) < 4
        self.campaign.move({"type": "compel", "who": who.name, "aspect": who.aspects[0], "accepted": is_poor})

    def turn(self) -> None:
        """Go on to whose turn it is, in a conflict that is begun where there is none."""
        goes_on = self.campaign.scene.conflict is not None
        told: dict[str, Any] = {"type": "turn"} if goes_on else {"type": "conflict", "order": list(PEOPLE)}
        self.campaign.move(told)

    def roll(self) -> bool:
        """Settle a roll whose outcome is told; False: there are no words for it."""
        action = self.chance.choice(ACTIONS)
        told = {**action, "actor": self.chance.choice(HEROES), "opposition": {"by": self.chance.choice(PEOPLE[4:])}}
        page = self.campaign.suggest(
            {**told, "intent": self.sentence()}, seed=self.chance.getrandbits(31), source="deck"
        )
        request = {"action": {"target": None}, "scene": {"zones": []}}
        if chosen := choose(self.chance, request, page.answer.as_json()):
            self.campaign.settle(page.id, {**chosen.choice, "dealt": None})
        return chosen is not None

    def undo(self) -> None:
        """Take something back, and mostly do it again."""
        self.campaign.undo()
        if self.chance.random() < 0.7:
            self.campaign.redo()

    def new_scene(self) -> None:
        """End scene or session, and begin a scene with the same people, in which old facts do not count any more."""
        scene = self.campaign.scene
        place = self.chance.choice(PLACES)
        if scene.ended is None:
            self.campaign.move({"type": self.chance.choice(["end_scene"] * 4 + ["end_session"])})
        aspects = [{"name": f"Fog over the {place}", "free_invocations": {self.chance.choice(HEROES): 1}}]
        begins = {"type": "scene", "summary": f"Night at the {place}.", "people": list(PEOPLE), "aspects": aspects}
        self.campaign.move(begins)
        self.campaign.move({"type": "change", "set": {"facts": scene.facts[-10:]}})

    def sentence(self) -> str:
        """Say something of the town."""
        who, other = self.chance.sample(TOWN, 2)
        parts = {"thing": self.chance.choice(THINGS), "place": self.chance.choice(PLACES)}
        return self.chance.choice(DEEDS).format(who=who, other=other, hero=self.chance.choice(HEROES), **parts)


class Bare:
    """Transactions as a campaign's, of SQLite alone: a row is written, and another one updated."""

    def __init__(self, file: Path, rows: int, size: int) -> None:
        self.file, self.data, self.number = file, os.urandom(size), rows
        with closing(self.connection()) as db:
            db.execute("CREATE TABLE row (number INTEGER PRIMARY KEY, data BLOB)")
            db.execute("CREATE TABLE now (id INTEGER PRIMARY KEY, number INTEGER)")
            db.execute("INSERT INTO now VALUES (1, 0)")
            db.execute("BEGIN")
            db.executemany("INSERT INTO row VALUES (?, ?)", ((each, self.data) for each in range(1, rows + 1)))
            db.execute("COMMIT")

    def connection(self) -> sqlite3.Connection:
        """Connect, as durably as a campaign is."""
        db = sqlite3.connect(self.file, isolation_level=None)
        for pragma in ("journal_mode = DELETE", "synchronous = EXTRA", "secure_delete = ON"):
            db.execute(f"PRAGMA {pragma}").close()
        return db

    def write(self) -> None:
        """Write a row."""
        self.number += 1
        with closing(self.connection()) as db:
            db.execute("BEGIN IMMEDIATE")
            db.execute("UPDATE now SET number = ?", (self.number,))
            db.execute("INSERT INTO row VALUES (?, ?)", (self.number, self.data))
            db.execute("COMMIT")


def main() -> None:
    """Play, measure, and print the tables."""
    entries = max(SHORT[0], int(sys.argv[1])) if sys.argv[1:] else ENTRIES
    with TemporaryDirectory() as made, Progress(console=Console(stderr=True), transient=True) as progress:
        folder, copies, bytes_each = Path(made), dict[int, Path](), dict[int, float]()
        play = Play(folder / "played.narrator")
        for number in (*(each for each in SHORT if each < entries), entries):
            play.until(number, progress)
            copies[number] = Path(shutil.copy(folder / "played.narrator", folder / f"{number}.narrator"))
            bytes_each[number] = copies[number].stat().st_size / play.campaign.last
        gc.collect()
        gc.freeze()
        beside = _beside(copies[entries], folder, progress)
        found = {number: Times() for number in copies}
        for _ in progress.track(range(ROUNDS), description="measuring what is entered and read"):
            for number, file in copies.items():
                _enter(file, found[number])
        for each in progress.track(range(FEW), description="measuring what goes through the file"):
            for number, file in copies.items():
                _go_through(file, found[number], each)
        whole, kept = _evening(folder / "evening.narrator", progress)
    console = Console(width=110)
    console.print(_by_length(found, bytes_each))
    console.print(_ratios(beside))
    table = Table(f"a scene after {TURNS} turns", "KB", "aim")
    table.add_row("whole, as JSON", f"{whole / 1e3:.1f}", f"{WHOLE:g}")
    table.add_row("as it is kept, unpacked", f"{kept / 1e3:.1f}", f"{KEPT:g}")
    console.print(table)


def _timed(name: str, times: Times, call: Callable[[], T]) -> T:
    """Make a call, and keep how long it took."""
    gc.collect()
    started, computed = time.perf_counter(), time.process_time()
    answer = call()
    taken = time.perf_counter() - started, time.process_time() - computed
    times.setdefault(name, []).append(taken)
    return answer


def _note(campaign: Campaign) -> None:
    campaign.note("The bell rings twice, and nobody has touched the rope.")


def _move(campaign: Campaign) -> None:
    campaign.move({"type": "pay", "who": HEROES[0], "points": 1})


def _choice(answer: narrator.Answer) -> dict[str, Any]:
    return {"branch": "serious_cost", "suggestions": [answer.suggestions[0]]}


def _enter(file: Path, times: Times) -> None:
    """Roll, write and read a little, and leave the scene as it was."""
    _timed("open_campaign, and its scene", times, lambda: narrator.open_campaign(file).scene)
    campaign = narrator.open_campaign(file)
    page = _timed(SUGGEST, times, lambda: campaign.suggest(ACTION, source="deck"))
    _timed(SETTLE, times, lambda: campaign.settle(page.id, _choice(page.answer)))
    _timed("undo", times, campaign.undo)
    _timed("redo", times, campaign.redo)
    _timed(NOTE, times, lambda: _note(campaign))
    _timed(MOVE, times, lambda: _move(campaign))
    _timed("the newest 100 entries", times, lambda: campaign.entries(after=campaign.last - 100))
    for _ in range(3):
        campaign.undo()


def _go_through(file: Path, times: Times, round_: int) -> None:
    """Read all, write it elsewhere, and strike an old entry."""
    campaign, beside = narrator.open_campaign(file), file.with_suffix(".backup")

    def log() -> None:
        after = 0
        while found := campaign.entries(after, 1_000):
            after = found[-1].seq

    _timed("the whole log", times, log)
    _timed("export", times, lambda: sum(len(line) for line in campaign.export()))
    _timed("backup", times, lambda: campaign.backup(beside))
    beside.unlink()
    old = [each.seq for each in campaign.entries() if each.kind == "settled" and each.said and not each.undone][round_]
    _timed("strike one of the first entries", times, lambda: campaign.strike(old))


def _beside(file: Path, folder: Path, progress: Progress) -> Times:
    """Measure what a campaign does, each time beside the same without one."""
    campaign, times = narrator.open_campaign(file), Times()
    request = {"ruleset": campaign.ruleset, "scene": campaign.scene, "action": ACTION}
    bare = {}
    for name, write in ((NOTE, _note), (MOVE, _move)):
        write(campaign)
        bare[name] = Bare(folder / f"{name}.sqlite", campaign.last, _newest(file, "*"))
        campaign.undo()
    for _ in progress.track(range(ROUNDS), description="measuring beside what is bare"):
        page = _timed(SUGGEST, times, lambda: campaign.suggest(ACTION, source="deck"))
        _timed(SETTLE, times, lambda: campaign.settle(page.id, _choice(page.answer)))  # noqa: B023
        answer = _timed(SUGGEST + BARE, times, lambda: narrator.suggest(request, source="deck"))
        _timed(SETTLE + BARE, times, lambda: narrator.settle(request, _choice(answer)))  # noqa: B023
        _timed(NOTE, times, lambda: _note(campaign))
        _timed(NOTE + BARE, times, bare[NOTE].write)
        _timed(MOVE, times, lambda: _move(campaign))
        _timed(MOVE + BARE, times, bare[MOVE].write)
        for _ in range(3):
            campaign.undo()
    return times


def _evening(file: Path, progress: Progress) -> tuple[int, int]:
    """Settle a roll a turn, with something else after each; return the bytes of the last scene, whole and kept."""
    play, others = Play(file), [each for each in STEPS if each not in ("roll", "undo")]
    for turn in progress.track(range(TURNS), description="playing an evening"):
        if turn and turn % SCENE == 0:
            play.new_scene()
        while not play.roll():
            pass
        getattr(play, play.chance.choice(others))()
    whole = json.dumps(play.campaign.scene.as_json(), ensure_ascii=False, separators=(",", ":"))
    return len(whole.encode()), _newest(file, "scene")


def _newest(file: Path, column: str) -> int:
    """The bytes of the newest entry that has a scene: of its columns, or of what one of them has packed."""
    with closing(sqlite3.connect(file)) as db:
        [row] = db.execute(f"SELECT {column} FROM entries WHERE scene IS NOT NULL ORDER BY seq DESC LIMIT 1")  # noqa: S608
    if column == "*":
        return sum(len(each if isinstance(each, bytes) else str(each).encode()) for each in row)
    return len(zlib.decompress(row[0]))


def _by_length(found: dict[int, Times], bytes_each: dict[int, float]) -> Table:
    first, last = min(found), max(found)
    table = Table("median ms", title="by the entries of a campaign")
    for number in found:
        table.add_column(f"{number:,}", justify="right")
    table.add_column(f"{last:,} to {first:,}", justify="right")
    for name in found[first]:
        medians = [_medians(times[name])[0] * 1e3 for times in found.values()]
        table.add_row(name, *(f"{each:.1f}" for each in medians), f"{medians[-1] / medians[0]:.2f}")
    sizes = [*bytes_each.values()]
    table.add_row("bytes of the file, an entry", *(f"{each:,.0f}" for each in sizes), f"{sizes[-1] / sizes[0]:.2f}")
    return table


def _ratios(times: Times) -> Table:
    table = Table("beside the same without a campaign", "median ms", "bare ms", "times", "computing", "bare", "times")
    medians = {name: _medians(each) for name, each in times.items()}
    for end in ("", BARE):
        both = zip(medians[SUGGEST + end], medians[SETTLE + end], strict=True)
        medians["the next roll" + end] = tuple(sum(each) for each in both)
    beside = {SUGGEST: "suggest", SETTLE: "settle", "the next roll": "both", NOTE: "a row", MOVE: "a row"}
    for name, of in beside.items():
        pairs = zip(medians[name], medians[name + BARE], strict=True)
        cells = (
            cell for ours, bare in pairs for cell in (f"{ours * 1e3:.1f}", f"{bare * 1e3:.1f}", f"{ours / bare:.1f}")
        )
        table.add_row(f"{name} beside {of}", *cells)
    return table


def _medians(taken: list[tuple[float, float]]) -> tuple[float, ...]:
    return tuple(statistics.median(each) for each in zip(*taken, strict=True))


if __name__ == "__main__":
    main()
