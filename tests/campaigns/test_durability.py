"""What a campaign keeps through kills, full disks and others who write, what it refuses, and what it forgets."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random
from threading import Timer
from typing import Any

import pytest

from narrator import Campaign, NarratorError, import_campaign, open_campaign
from narrator.campaign import store
from narrator.campaign.records import Entry
from narrator.rules.json_text import Json
from tests.campaigns.writer import ACTION, SCENE, digest, settled, turn
from tests.leaping import DEADLINE
from tests.test_files import full_after

AFTER = {"settled": "settled", "undone": "open", "redone": "settled", "struck": "struck"}
"""How a page stands after the newest entry that names it."""


class Writers:
    """Others who write, each in a process of its own, as `tests.campaigns.writer` has it."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def tell(self, **told: Any) -> None:
        """Have something done."""
        assert self._process.stdin is not None
        print(json.dumps(told), file=self._process.stdin, flush=True)

    def hear(self) -> Json:
        """Wait for the next that is told."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "whoever forks the writers has ended"
        told: Json = json.loads(line)
        assert "failed" not in told, told["failed"]
        return told

    def all_of(self, *deeds: Json) -> list[Json]:
        """Have all of this done at once, and give what was told of it once all are done."""
        for deed in deeds:
            self.tell(**deed)
        for _ in deeds:
            self.tell(do="reap")
        told, codes = list[Json](), list[int]()
        while len(codes) < len(deeds):
            heard = self.hear()
            codes += [heard["code"]] if "ended" in heard else []
            told += [] if heard.keys() & {"pid", "ended"} else [heard]
        assert set(codes) == {0}, "none of them fails"
        return told

    def killed(self, file: Path, seed: int, after: int, wait: float) -> list[Json]:
        """Have somebody write, and kill them so long after so many acknowledgements; give what they told."""
        self.tell(do="play", file=str(file), seed=seed)
        told, pid = list[Json](), None
        while pid is None or sum("at" not in each for each in told) < after or not told:
            heard = self.hear()
            pid = heard.get("pid", pid)
            told += [] if "pid" in heard else [heard]
        time.sleep(wait)
        os.kill(pid, 9)
        self.tell(do="reap")
        while "ended" not in (heard := self.hear()):
            told.append(heard)
        assert heard["code"] == -9, "it wrote until it was killed"
        return told


@pytest.fixture
def writers() -> Iterator[Writers]:
    """Start the process that others are forked from."""
    command = [sys.executable, "-m", "tests.campaigns.writer"]
    root = Path(__file__).parent.parent.parent
    with subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        timer = Timer(DEADLINE, process.kill)
        timer.start()
        try:
            yield Writers(process)
        finally:
            timer.cancel()
            process.kill()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign of some entries of every kind and a page that is open; it is only copied."""
    file = tmp_path_factory.mktemp("made") / "made.narrator"
    campaign, chance = open_campaign(file, scene=SCENE), Random(4)
    for _ in range(30):
        turn(campaign, chance)
    campaign.suggest(ACTION, source="deck")
    card = {"form": "boost", "name": "Rope End", "detail": "A rope end swings within reach."}
    with campaign._database.writing() as db:
        store.keep_stage(db, campaign.scene.stage_id(campaign.ruleset), {"cards": [card]})
    return file


@pytest.fixture
def file(tmp_path: Path, made: Path) -> Path:
    """A copy of that campaign, alone in its folder."""
    return Path(shutil.copy(made, tmp_path / "ours.narrator"))


def files(folder: Path) -> dict[str, bytes]:
    """All that is in a folder, to the last byte; an empty file is a place where a campaign can begin."""
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file() and each.stat().st_size}


def is_whole(file: Path) -> None:
    """See that SQLite finds nothing wrong, and that there is one file."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert os.listdir(file.parent) == [file.name]


def writes(campaign: Campaign) -> list[Callable[[], object]]:
    """Some of all that writes."""
    return [lambda: campaign.note("x" * 4_000), campaign.undo, campaign.strike]


def numbers(entries: Any) -> list[int]:
    """The numbers of entries."""
    return [each.seq for each in entries]


@contextmanager
def refused(path: Path, says: str = "") -> Iterator[None]:
    """See that one clear line refuses what is done here, and that nothing in the folder is any different."""
    before = files(path.parent) if path.parent.is_dir() else {}
    with pytest.raises(NarratorError) as caught:
        yield
    error = caught.value
    assert error.code in ("bad_campaign", "bad_request")
    assert error.field == str(path)
    assert says in error.message
    assert len(str(error).splitlines()) == 1
    assert not any(each in str(error).casefold() for each in ("traceback", "sqlite", "sqlalchemy", "(background"))
    assert not path.parent.is_dir() or files(path.parent) == before


@pytest.mark.full
def test_whoever_is_killed_loses_nothing_that_was_acknowledged(tmp_path: Path, writers: Writers) -> None:
    """Of 230 who are killed at any moment of a long campaign, at most one entry more is there, and nothing half."""
    file, chance, hot, more = tmp_path / "long.narrator", Random(5), 0, 0
    known = open_campaign(file, scene=SCENE).entries()[-1].seq
    for number in range(230):
        told = writers.killed(file, number, chance.choice((0, 1, 1, 2, 3, 8)), chance.uniform(0, 0.03))
        hot += len(os.listdir(tmp_path)) > 1
        acknowledged = [each for each in told if "seq" in each]
        campaign = open_campaign(file)
        new = campaign.entries(known)
        sure = [(each.seq, each.revision) for each in new[: len(acknowledged)]]
        assert sure == [(each["seq"], each["revision"]) for each in acknowledged]
        assert [each.seq for each in new] == list(range(known + 1, known + 1 + len(new)))
        assert len(new) - len(acknowledged) in (0, 1)
        more += len(new) - len(acknowledged)
        if acknowledged and len(new) == len(acknowledged):
            assert digest(campaign) == acknowledged[-1]["digest"]
        if new and new[-1].page:
            assert campaign.page(new[-1].page).state == AFTER[new[-1].kind]
        known += len(new) + 1
        assert campaign.note("Still here").seq == known
        is_whole(file)
        if number % 40 == 0:
            other = import_campaign(campaign.export(), tmp_path / "other.narrator")
            assert [*other.export()] == [*campaign.export()]
            (tmp_path / "other.narrator").unlink()

    assert hot, "some were killed amid a write"
    assert more, "some were killed before they could acknowledge"


@pytest.mark.full
def test_whoever_is_killed_while_a_campaign_begins_leaves_a_place_to_begin(tmp_path: Path, writers: Writers) -> None:
    """Of 70 who are killed while they make the file, each leaves a campaign or room for one, and nothing else."""
    begun, chance = 0, Random(6)
    for number in range(70):
        file = tmp_path / str(number) / "new.narrator"
        file.parent.mkdir()
        told = writers.killed(file, number, 0, chance.uniform(0, 0.06))
        campaign = open_campaign(file, scene=SCENE)
        seqs = numbers(campaign.entries())
        sure = [each["seq"] for each in told if "seq" in each]
        assert seqs[1 : 1 + len(sure)] == sure
        assert 1 <= len(seqs) <= len(sure) + 2
        assert len(campaign.scene.facts) == len(SCENE["facts"])
        assert campaign.note("Here").seq == seqs[-1] + 1
        begun += {"at": "open"} not in told
        is_whole(file)

    assert begun, "some were killed before it was open"


def race(writers: Writers, file: Path, rounds: int) -> None:
    """Have two write on one revision, again and again."""
    campaign = open_campaign(file, scene=SCENE)
    for number in range(rounds):
        one = {"do": "write", "file": str(file), "revision": campaign.revision}
        told = writers.all_of(*({**one, "text": f"{name} {number}"} for name in ("first", "second")))
        newest = campaign.entries()[-1]
        assert {"seq": newest.seq} in told
        assert {"refused": "stale_scene", "missed": [newest.seq]} in told
        assert newest.seq == number + 2


def test_of_two_who_read_one_revision_exactly_one_writes(tmp_path: Path, writers: Writers) -> None:
    """The other is told `stale_scene`, and the entry that they missed."""
    race(writers, tmp_path / "race.narrator", 6)


@pytest.mark.parametrize(("people", "writes"), [(2, 25), pytest.param(8, 150, marks=pytest.mark.full)])
def test_of_all_who_write_at_once_nobody_is_lost(tmp_path: Path, writers: Writers, people: int, writes: int) -> None:
    """They begin it at once, too: all that was acknowledged is there, what was sent twice by its key is there once, and
    numbers have no gap.
    """
    file = tmp_path / "all.narrator"
    told = writers.all_of(*({"do": "flood", "file": str(file), "by": by, "number": writes} for by in range(people)))
    campaign, entries = open_campaign(file), list[Entry]()
    while more := campaign.entries(len(entries), 1000):
        entries += more
    kinds = {(each.seq, each.kind) for each in entries[1:]}

    assert len(told) == people * writes == len(entries) - 1
    assert numbers(entries) == list(range(1, len(entries) + 1))
    assert len({each.revision for each in entries}) == len(entries)
    assert all(len(set(each["seqs"])) == 1 for each in told)
    assert {(each["seqs"][0], each["kind"]) for each in told} == kinds
    notes = {each["key"]: each["seqs"][0] for each in told if each["kind"] == "noted"}
    assert {each.text: each.seq for each in entries if each.kind == "noted"} == notes
    is_whole(file)


@pytest.mark.parametrize("room", [0, 600, 5_000, 17_000])
def test_on_a_full_disk_a_campaign_stays_as_it_was(tmp_path: Path, file: Path, room: int) -> None:
    """To the last byte; of one that would begin there, no half file is left; and once there is room, all goes on."""
    campaign = open_campaign(file)
    before, page = campaign.scene, campaign.pages[-1].id
    deeds: list[Callable[[], object]] = [*writes(campaign), lambda: settled(campaign, page)]
    for write in deeds:
        with full_after(room), refused(file):
            write()
    assert campaign.scene == before
    for name, make in MAKERS.items():
        lines = [*campaign.export()]
        with full_after(room), refused(tmp_path / name):
            make(campaign, lines, tmp_path / name)
        make(campaign, lines, tmp_path / name)
        (tmp_path / name).unlink()
    assert settled(campaign, page).seq == campaign.entries(0, 1000)[-1].seq
    is_whole(file)


MAKERS: dict[str, Callable[[Campaign, list[str], Path], object]] = {
    "begun": lambda _, __, path: open_campaign(path, scene=SCENE),
    "import": lambda _, lines, path: import_campaign(lines, path),
    "backup": lambda campaign, _, path: campaign.backup(path),
}
"""All that makes a file."""


@contextmanager
def as_nobody() -> Iterator[Path]:
    """Somebody who has no more rights than others, and a folder that they may do anything in."""
    with tempfile.TemporaryDirectory() as name:
        is_root = os.geteuid() == 0
        if is_root:
            os.chown(name, 65534, 65534)
            os.seteuid(65534)
        try:
            if not os.access(name, os.W_OK, effective_ids=True):
                pytest.skip("nobody cannot reach the folder for what is temporary")
            yield Path(name)
        finally:
            if is_root:
                os.seteuid(0)


@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_may_only_be_read_is_read(made: Path, what: str) -> None:
    """A campaign in such a file, or such a folder, is read, and a write is refused."""
    data = made.read_bytes()
    with as_nobody() as folder:
        file = folder / "ours.narrator"
        file.write_bytes(data)
        place = folder if what == "folder" else file
        place.chmod(0o555)
        try:
            campaign = open_campaign(file)
            scene = campaign.scene
            assert len(campaign.entries()) > 10
            for write in writes(campaign):
                with refused(file, says="read"):
                    write()
            if what == "folder":
                for name, make in MAKERS.items():
                    with refused(folder / name):
                        make(campaign, [*campaign.export()], folder / name)
            assert campaign.scene == scene
        finally:
            folder.chmod(0o755)


def test_what_nobody_may_read_is_refused(made: Path) -> None:
    """In one line, with the path."""
    with as_nobody() as folder:
        file = folder / "ours.narrator"
        file.write_bytes(b"")
        file.chmod(0)
        with pytest.raises(NarratorError) as caught:
            open_campaign(file)
    assert (caught.value.code, caught.value.field) == ("bad_campaign", str(file))


@pytest.mark.parametrize("lock", ["IMMEDIATE", "EXCLUSIVE"])
def test_whoever_waits_for_too_long_is_told_so(file: Path, lock: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another process writes one may read, but not while it puts down what it wrote; afterwards all goes on."""
    monkeypatch.setattr("narrator.campaign.database.PATIENCE", 0.05)
    campaign = open_campaign(file)
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute(f"BEGIN {lock}")
        reads: list[Callable[[], object]] = [lambda: open_campaign(file), lambda: campaign.scene, campaign.entries]
        for call in (*writes(campaign), *(reads if lock == "EXCLUSIVE" else ())):
            with refused(file, says="somebody else"):
                call()
        if lock == "IMMEDIATE":
            assert [bool(read()) for read in reads] == [True] * 3
        db.execute("ROLLBACK")

    assert campaign.note("x").kind == "noted"


def test_whoever_waits_in_vain_leaves_what_another_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file of one who has written nothing into it yet stays."""
    monkeypatch.setattr("narrator.campaign.database.PATIENCE", 0.05)
    file = tmp_path / "new.narrator"
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        with refused(file, says="somebody else"):
            open_campaign(file, scene=SCENE)


def _other_database() -> bytes:
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE TABLE recipes (name, text)")
        db.execute("INSERT INTO recipes VALUES ('Soup', 'Water')")
        db.commit()
        return db.serialize()


STRANGERS = {
    "a letter": b"x",
    "a text": b"It was a dark and stormy night.\n" * 90,
    "a picture": b"\x89PNG\r\n\x1a\n" + Random(1).randbytes(5_000),
    "a scene": b'{"scene": {}}',
    "another database": _other_database(),
    "the beginning of a database": _other_database()[:600],
    "zeros": bytes(8_192),
}


@pytest.mark.parametrize("name", STRANGERS)
def test_a_file_that_is_no_campaign_stays_as_it_is(tmp_path: Path, name: str) -> None:
    """Whatever it is: it is neither opened, nor begun in, nor imported over."""
    file = tmp_path / name
    file.write_bytes(STRANGERS[name])
    for _ in range(2):
        with refused(file):
            open_campaign(file, scene=SCENE)
    with refused(file):
        import_campaign((), file)


def test_a_campaign_begins_in_an_empty_file(tmp_path: Path) -> None:
    """That is what somebody leaves who is killed early."""
    file = tmp_path / "empty.narrator"
    file.touch()
    assert open_campaign(file, scene=SCENE).note("x").seq == 2
    is_whole(file)


def test_a_campaign_begins_where_one_was_cut_off_as_it_began(tmp_path: Path) -> None:
    """Half of it is in the file, and the journal beside it says that it is nothing yet."""
    other, file = tmp_path / "other", tmp_path / "new" / "new.narrator"
    file.parent.mkdir()
    with closing(sqlite3.connect(other, isolation_level=None)) as db:
        for statement in ("PRAGMA cache_size = 1", "BEGIN IMMEDIATE", "CREATE TABLE campaign (a)"):
            db.execute(statement)
        db.executemany("INSERT INTO campaign VALUES (randomblob(3000))", [()] * 300)
        for end in ("", "-journal"):
            shutil.copy(f"{other}{end}", f"{file}{end}")
    assert file.stat().st_size > 0
    assert open_campaign(file, scene=SCENE).note("x").seq == 2
    is_whole(file)


def test_a_place_that_cannot_have_a_file_is_refused(tmp_path: Path) -> None:
    """A folder, and what is in a folder that is not there."""
    with refused(tmp_path / "nowhere" / "new.narrator"):
        open_campaign(tmp_path / "nowhere" / "new.narrator")
    for path in (tmp_path, str(tmp_path), "", "a\0b"):
        with pytest.raises(NarratorError) as caught:
            open_campaign(path)
        assert (caught.value.code, caught.value.field) == ("bad_request", "where")
    assert os.listdir(tmp_path) == []


USUAL = {"bad_request", "stale_scene", "unknown_page", "page_closed", "nothing_to_undo"}
"""What a sound campaign may refuse as well."""

READS: list[Callable[[Campaign], object]] = [
    lambda campaign: campaign.scene,
    lambda campaign: campaign.entries(0, 1000),
    lambda campaign: campaign.pages,
    lambda campaign: [*campaign.export()],
    lambda campaign: campaign.seen_by("players"),
]

WRITES: list[Callable[[Campaign], object]] = [
    *(lambda campaign, page=f"p{number}": campaign.settle(page, {"branch": "fail"}) for number in range(1, 12, 3)),
    lambda campaign: campaign.undo(),
    lambda campaign: campaign.redo(),
    lambda campaign: campaign.suggest(ACTION, source="deck"),
    lambda campaign: campaign.strike(5),
    lambda campaign: campaign.note("x"),
]


def all_done(file: Path) -> list[str]:
    """Open, read and write whatever there is of a campaign; give what was refused, which is all that may go wrong."""
    found = list[NarratorError]()
    for call in (*READS, *WRITES):
        try:
            call(open_campaign(file))
        except NarratorError as error:
            if call in READS or error.code not in USUAL:
                found.append(error)
    assert {(each.code, each.field) for each in found} <= {("bad_campaign", str(file))}
    assert all(len(str(each).splitlines()) == 1 for each in found)
    return [each.code for each in found]


@pytest.mark.parametrize("places", [range(15), pytest.param(range(15, 215), marks=pytest.mark.full)], ids=len)
def test_a_damaged_campaign_is_read_or_refused(file: Path, places: range) -> None:
    """Wherever bytes were changed, or the end is missing: nothing but `bad_campaign` says so."""
    data, told = file.read_bytes(), list[str]()
    for place in places:
        chance, damaged = Random(place), bytearray(data)
        if place % 5 == 0:
            del damaged[chance.randrange(len(data)) :]
        for _ in range(chance.choice((1, 1, 40)) if damaged and place % 5 else 0):
            start = chance.choice((chance.randrange(200), chance.randrange(len(damaged))))
            damaged[start : start + 4] = chance.randbytes(4)
        file.write_bytes(damaged)
        file.with_name(f"{file.name}-journal").unlink(missing_ok=True)
        told += all_done(file)

    assert len(told) > len(places), "much of it was found out"


def tables(file: Path) -> dict[str, list[tuple[str, str]]]:
    """The tables of a database, each with its columns and their types."""
    with closing(sqlite3.connect(file)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: [(row[1], row[2]) for row in db.execute(f"PRAGMA table_info('{name}')")] for name in names}


def change(file: Path, *statements: str, value: object = None) -> bool:
    """Change a campaign behind its back; False where its tables refuse that."""
    with closing(sqlite3.connect(file)) as db:
        try:
            for each in statements:
                db.execute(each, {"value": value} if ":value" in each else {})
            db.commit()
        except sqlite3.IntegrityError:
            return False
        return True


def nested(deep: int) -> bytes:
    """JSON in JSON in JSON, packed."""
    return zlib.compress(b"[" * deep + b"]" * deep)


HOSTILE: dict[str, object] = {
    "nested": nested(100_000),
    "a bomb": zlib.compress(b'"' + b"x" * 20_000_000 + b'"', 1),
    "an unended number": zlib.compress(b"9" * 9_000),
    "a list": zlib.compress(b"[]"),
    "an object": zlib.compress(b"{}"),
    "text": "SELECT",
    "half": zlib.compress(b'{"a": 1}')[:9],
    "nothing": None,
    "large": 2**62,
    "below nothing": -1,
    "real": 1e300,
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.full) for name in HOSTILE])
def test_hostile_rows_are_read_or_refused(file: Path, name: str) -> None:
    """Whatever stands in a column of all rows, or of one: bombs, deep JSON, other types, a head that points nowhere."""
    data = file.read_bytes()
    for table, columns in tables(file).items():
        for column, _ in columns:
            if change(file, f"UPDATE {table} SET {column} = :value", value=HOSTILE[name]) or change(
                file, f"UPDATE {table} SET {column} = :value WHERE rowid = 3", value=HOSTILE[name]
            ):
                all_done(file)
            file.write_bytes(data)


@pytest.mark.parametrize("name", ["nested", "a bomb"])
def test_what_unpacks_to_too_much_is_refused(file: Path, name: str) -> None:
    """In whatever field it stands."""
    data = file.read_bytes()
    for table, columns in tables(file).items():
        for column in [column for column, kind in columns if kind == "BLOB"]:
            assert change(file, f"UPDATE {table} SET {column} = :value", value=HOSTILE[name])
            assert all_done(file)
            file.write_bytes(data)


def refuses_to_open(file: Path) -> bool:
    """Whether it is refused as a whole."""
    with refused(file):
        open_campaign(file)
    return True


def test_a_campaign_of_a_later_version_is_left_to_a_newer_narrator(file: Path) -> None:
    """It says so, and the file stays as it is, also for one who opened it before."""
    campaign = open_campaign(file)
    versioned = [table for table, columns in tables(file).items() if "version" in dict(columns)]
    assert [change(file, f"UPDATE {table} SET version = 99") for table in versioned] == [True]
    with refused(file, says="newer"):
        open_campaign(file)
    for call in (lambda: campaign.scene, lambda: campaign.note("x")):
        with refused(file, says="99"):
            call()


def test_a_view_in_place_of_a_table_is_refused(file: Path) -> None:
    """A query may take for ever: none that came with a file is asked."""
    data = file.read_bytes()
    for table in tables(file):
        view = f"CREATE VIEW {table} AS SELECT * FROM hidden"
        assert change(file, f"ALTER TABLE {table} RENAME TO hidden", view)
        assert refuses_to_open(file), table
        file.write_bytes(data)


@pytest.mark.parametrize("moment", ["BEFORE", "AFTER"])
@pytest.mark.parametrize("deed", ["INSERT", "UPDATE"])
def test_a_trigger_that_came_with_a_file_does_nothing(file: Path, moment: str, deed: str) -> None:
    """The campaign is refused, or writes as if there were none."""
    data = file.read_bytes()
    for table in tables(file):
        assert change(file, f"CREATE TRIGGER t {moment} {deed} ON {table} BEGIN DELETE FROM {table}; END")
        changed, told = file.read_bytes(), None
        try:
            seq = open_campaign(file).note("x").seq
        except NarratorError as error:
            told = (error.code, error.field)
        if told is None:
            assert numbers(open_campaign(file).entries(0, 1000)) == list(range(1, seq + 1)), table
        else:
            assert (told, file.read_bytes()) == (("bad_campaign", str(file)), changed), table
        file.write_bytes(data)


def everything_in(file: Path) -> str:
    """All that the bytes of a file may say to anybody: as they are, each blob unpacked, each packed piece anywhere."""
    data = file.read_bytes()
    pieces = [data]
    with closing(sqlite3.connect(file)) as db:
        for table, columns in tables(file).items():
            pieces += [str(row).encode() for row in db.execute(f"SELECT * FROM {table}")]
            for column, _ in columns:
                found = [value for (value,) in db.execute(f"SELECT {column} FROM {table}") if isinstance(value, bytes)]
                pieces += [zlib.decompress(value) for value in found]
    for start in range(len(data) - 1):
        if data[start] == 0x78 and data[start + 1] in (0x01, 0x5E, 0x9C, 0xDA):
            reader = zlib.decompressobj()
            with suppress(zlib.error):  # so far as it goes
                for at in range(start, len(data), 16):
                    pieces.append(reader.decompress(data[at : at + 16]))
    return b"\0".join(pieces).decode("utf-8", "replace").casefold()


def in_bytes(file: Path, words: list[str]) -> list[str]:
    """Which of these stand in a campaign's bytes, whoever looks, or in those of a backup that is made now."""
    backup = file.with_name("backup")
    open_campaign(file).backup(backup)
    told = everything_in(file) + everything_in(backup)
    backup.unlink()
    is_whole(file)
    return [word for word in words if word.casefold() in told]


RARE = [f"qu{chr(97 + number // 26)}{chr(97 + number % 26)}xzol" for number in range(400)]
"""Words that nobody has."""

NAME, DETAIL = "Vexquill Oathbell", "Under the hraxwold bridge a zymnast counts the hours of whoever has no lantern."
CHOICE: Json = {"branch": "serious_cost", "suggestions": [{"slot": "serious_cost", "form": "opposition_advantage"}]}
CHOICE["suggestions"][0] |= {"name": NAME, "detail": DETAIL}
QUOTES = [{"aspect": NAME, "by": "Ann"}]


def noted(campaign: Campaign) -> tuple[int, list[str]]:
    """A long note, and others about something else."""
    entry = campaign.note(" ".join(RARE))
    campaign.undo()
    campaign.redo()
    campaign.note("Something else")
    return entry.seq, RARE


def moved(campaign: Campaign) -> tuple[int, list[str]]:
    """An aspect that was taken back, done again, passed on, and noted."""
    name = "Glorpvine Hatchet"
    entry = campaign.move({"type": "aspect", "name": name, "free_invocations": {"Ann": 2}})
    campaign.undo()
    campaign.redo()
    campaign.note(f"They spoke of {name.upper()} all night")
    campaign.suggest({**ACTION, "intent": f"break {name}"}, source="deck")
    return entry.seq, [name]


def chosen(campaign: Campaign) -> tuple[int, list[str]]:
    """Own words of a page that was settled, opened again and settled, which other pages quote."""
    page = campaign.suggest({**ACTION, "intent": "cross the smorgvale"}, source="deck")
    entry = campaign.settle(page.id, CHOICE)
    campaign.undo()
    campaign.redo()
    for number in range(3):
        campaign.suggest({**ACTION, "intent": f"look at {NAME} {number}"}, source="deck", seed=number)
    campaign.suggest({"type": "discover", "actor": "Ann", "outcome": "fail", "aspect": NAME}, source="deck")
    campaign.note(f"What of {NAME}?")
    campaign.move({"type": "scene", "summary": f"Far from {NAME}."})
    return entry.seq, [NAME, "Vexquill", DETAIL, "hraxwold", "smorgvale"]


def of_a_page(campaign: Campaign) -> tuple[str, list[str]]:
    """A page that is open, with all its suggestions, which somebody noted."""
    page = campaign.suggest({**ACTION, "intent": "cross the smorgvale"}, source="deck")
    words = [text for each in page.answer.suggestions for text in (each.name, each.detail) if text]
    campaign.note(f"Not that: {words[0]}")
    return page.id, [*words, "smorgvale"]


MADE = ("settled", "moved", "noted")
"""Entries that can be taken back."""


@pytest.mark.parametrize(
    ("write", "is_last"),
    [(noted, False), (noted, True), (moved, False), (moved, True), (chosen, False), (chosen, True), (of_a_page, False)],
)
def test_what_is_struck_is_nowhere_in_the_bytes(
    tmp_path: Path, write: Callable[[Campaign], tuple[int | str, list[str]]], is_last: bool
) -> None:
    """Neither in the file, packed or not, nor where rows were before, nor in a backup; before, it was."""
    file = tmp_path / "ours.narrator"
    campaign = open_campaign(file, scene=SCENE)
    campaign.note("The beginning")
    what, words = write(campaign)
    assert in_bytes(file, words) == words
    while is_last and [each.seq for each in campaign.entries() if each.kind in MADE and not each.undone][-1] != what:
        campaign.undo()
    campaign.strike(what)

    assert in_bytes(file, words) == []
    with pytest.raises(NarratorError, match="nothing_to_undo"):
        campaign.redo()
    for _ in range(4):
        with suppress(NarratorError):
            campaign.undo()
    assert in_bytes(file, words) == []


def test_a_campaign_is_one_file_and_may_be_copied(file: Path) -> None:
    """After each write there is nothing beside it, and a copy of it opens as it stands."""
    campaign, chance = open_campaign(file), Random(7)
    for number in range(15):
        entry = turn(campaign, chance)
        assert os.listdir(file.parent) == [file.name]
        if number % 5 == 0:
            folder = file.parent / "mailed"
            folder.mkdir()
            copy = open_campaign(shutil.copy(file, folder / "copy.narrator"))
            assert (digest(copy), copy.revision, copy.pages) == (digest(campaign), campaign.revision, campaign.pages)
            assert entry is None or copy.entries(entry.seq - 1)[0] == entry
            is_whole(folder / "copy.narrator")
            shutil.rmtree(folder)
