"""Files that narrator writes: whole or not at all, on a full disk, under a kill, beside another who writes."""

import json
import os
import random
import resource
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from narrator import NarratorError
from narrator.files import atomic
from narrator.files.journal import Journal
from narrator.rules.model import Model
from tests.interfaces.running import run


class Noted(Model):
    """A line of a journal."""

    text: str


def add(file: Path, data: bytes) -> None:
    """Add a line to a journal."""
    Journal(file, Noted, Noted, "").add(Noted(text=data.decode()))


WRITES: dict[str, Callable[[Path, bytes], None]] = {"replace": atomic.replace, "create": atomic.create, "add": add}


@contextmanager
def full_after(size: int) -> Iterator[None]:
    """A disk that takes no file longer than so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("write", WRITES)
def test_on_a_full_disk_a_file_stays_as_it_was(tmp_path: Path, write: str) -> None:
    """To the last byte, and nothing else is left beside it; the error names it."""
    file = tmp_path / "scene.json"
    if write != "create":
        file.write_bytes(b'{"text": "a line"}\n')
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}

    with full_after(100), pytest.raises(NarratorError) as caught:
        WRITES[write](file, b"x" * 300)

    assert (caught.value.code, caught.value.field) == ("bad_request", str(file))
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


def test_what_a_file_was_it_is_still(tmp_path: Path) -> None:
    """Its mode is kept, and a link leads where it led."""
    file, link = tmp_path / "scene.json", tmp_path / "link.json"
    file.write_bytes(b"old")
    file.chmod(0o640)
    link.symlink_to(file.name)
    atomic.replace(link, b"new")

    assert (link.is_symlink(), file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (True, b"new", 0o640)


@pytest.mark.parametrize("lead", ["scene.json.new", ".scene.json", "scene.json.tmp", "scene.json~"])
def test_what_lies_beside_a_file_is_left_alone(tmp_path: Path, lead: str) -> None:
    """Whatever it is called: neither deleted nor, where it is a link, followed."""
    victim, beside = tmp_path / "victim", tmp_path / lead
    victim.write_bytes(b"mine")
    beside.symlink_to(victim)
    for write in (atomic.replace, atomic.create):
        (tmp_path / "scene.json").unlink(missing_ok=True)
        write(tmp_path / "scene.json", b"{}")

    assert (beside.is_symlink(), victim.read_bytes()) == (True, b"mine")


def test_what_is_made_is_made_over_nothing(tmp_path: Path) -> None:
    """A file that is there by then stays, and so does what a link leads to."""
    victim, link = tmp_path / "victim", tmp_path / "link"
    victim.write_bytes(b"mine")
    link.symlink_to(victim)
    for file in (victim, link):
        with pytest.raises(NarratorError, match="a file exists there now"):
            atomic.create(file, b"theirs")

    assert victim.read_bytes() == b"mine"


def test_standard_output_and_pipes_are_written_as_they_come(tmp_path: Path) -> None:
    """What is kept goes there too, whole, before the page is printed behind it."""
    words = [sys.executable, "-m", "narrator", "suggest", "overcome", "--fail", "--save", "/dev/stdout"]
    out = tmp_path / "out.txt"
    piped = subprocess.run(words, capture_output=True, check=True, text=True).stdout
    with out.open("w") as opened:
        subprocess.run(words, stdout=opened, check=True)

    for text in (piped, out.read_text("utf-8")):
        kept, end = json.JSONDecoder().raw_decode(text)
        assert (kept["request"]["action"]["outcome"], "serious cost" in text[end:]) == ("fail", True)


def test_who_waits_for_a_file_is_told_who_has_it(tmp_path: Path) -> None:
    """Where somebody else is at it for longer than one waits; a pipe has no lock."""
    file = tmp_path / "scene.json"
    os.mkfifo(tmp_path / "pipe")
    with atomic.locked(file, tmp_path / "pipe"):
        held = "import sys; from narrator.files import atomic\nwith atomic.locked(sys.argv[1], patience=0): pass"
        ended = subprocess.run([sys.executable, "-c", held, str(file)], capture_output=True, text=True, check=False)

    assert "somebody else is writing this" in ended.stderr
    with atomic.locked(file, patience=0):
        pass
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]


def table_of(folder: Path) -> tuple[Path, list[Path]]:
    """A scene, and the pages of ten people who each got an advantage in it."""
    table = folder / "table.json"
    people = [{"name": f"Hand {number}", "side": "pc", "importance": "pc"} for number in range(10)]
    ropes = [{"name": f"Rope {number}"} for number in range(10)]
    table.write_text(json.dumps({"scene": {"characters": people, "aspects": ropes}}), "utf-8")
    pages = [folder / f"page-{number}.json" for number in range(10)]
    for number, page in enumerate(pages):
        told = ("--actor", f"Hand {number}", "--variant", "existing_aspect", "--aspect", f"Rope {number}", "--succeed")
        assert run("suggest", "caa", *told, "--scene", str(table), "--save", str(page)).code == 0
    return table, pages


def settling(page: Path, table: Path) -> "subprocess.Popen[str]":
    """Somebody who settles a page, in a process of their own."""
    words = [sys.executable, "-m", "narrator", "settle", str(page), "i", "--save", str(table)]
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def ropes_held(table: Path) -> list[str]:
    """Whose free invocations the scene has."""
    aspects = json.loads(table.read_text("utf-8"))["scene"]["aspects"]
    return [holder for each in aspects for holder in each.get("free_invocations", {})]


@pytest.mark.full
def test_of_all_who_settle_at_once_nobody_is_lost(tmp_path: Path) -> None:
    """Ten people settle ten pages into one file, two at a time, ten times over: all they earned is in it."""
    for turn in range(10):
        folder = tmp_path / str(turn)
        folder.mkdir()
        table, pages = table_of(folder)
        for first, second in zip(pages[::2], pages[1::2], strict=True):
            both = [settling(first, table), settling(second, table), settling(second, table)]
            told = [each.communicate()[1] for each in both]
            assert [each.returncode for each in both].count(0) == 2, told
        assert sorted(ropes_held(table)) == [f"Hand {number}" for number in range(10)]
        assert json.loads(table.read_text("utf-8"))["scene"]["revision"] == 10


@pytest.mark.full
def test_whoever_is_killed_while_they_settle_loses_nothing(tmp_path: Path) -> None:
    """Sixty are killed at any moment: the scene is whole each time, and a page counts once, however often tried."""
    table, pages = table_of(tmp_path)
    moment = random.Random(5)
    for number in range(60):
        process = settling(pages[number % 10], table)
        time.sleep(moment.uniform(0.1, 1.2))
        process.kill()
        process.communicate()
        assert "scene" in json.loads(table.read_text("utf-8"))
    for page in pages:
        settling(page, table).communicate()

    assert sorted(ropes_held(table)) == [f"Hand {number}" for number in range(10)]


def test_a_page_is_kept_though_it_cannot_be_printed(tmp_path: Path) -> None:
    """Words may have been paid for; standard output that takes nothing is told in a line."""
    words = [sys.executable, "-m", "narrator", "suggest", "overcome", "--fail", "--save", str(tmp_path / "page.json")]
    with open("/dev/full", "w") as full:
        ended = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)

    assert (ended.returncode, ended.stderr) == (1, "narrator: standard output: No space left on device\n")
    assert "answer" in json.loads((tmp_path / "page.json").read_text("utf-8"))


def test_a_page_that_cannot_be_marked_is_settled_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its scene was written, and knows it: what changed is told, and that the page says nothing of it."""
    table, page, put = tmp_path / "table.json", tmp_path / "page.json", atomic.replace
    table.write_text('{"scene": {}}', "utf-8")
    run("suggest", "overcome", "--actor", "Ann", "--fail", "--deal", "0", "--scene", str(table), "--save", str(page))
    before = page.read_bytes()

    def full(path: Path, data: bytes) -> None:
        if path == page:
            raise NarratorError("bad_request", str(path), "No space left on device")
        put(path, data)

    monkeypatch.setattr("narrator.cli.save_file.replace", full)
    ended = run("settle", str(page), "s1", "--save", str(table))

    assert (ended.code, "could not be marked as settled" in " ".join(ended.out.split())) == (0, True)
    assert (page.read_bytes(), json.loads(table.read_text("utf-8"))["scene"]["revision"]) == (before, 1)
    assert run("settle", str(page), "s1", "--save", str(table)).err.startswith("narrator: page_closed: ")


@pytest.mark.parametrize(("facts", "aspects", "code"), [(70, 0, 0), (140, 0, 0), (144, 500, 2)])
def test_what_is_written_can_be_read_again(tmp_path: Path, facts: int, aspects: int, code: int) -> None:
    """In whatever letters: large scenes come out as large as they went in; what would be too large is not written."""
    scene = {"facts": ["слово " * 600 + str(number) for number in range(facts)]}
    asked = {
        "scene": scene | {"aspects": [{"name": f"Rope {number}"} for number in range(aspects)]},
        "action": {"type": "overcome", "actor": "Ann", "outcome": "fail"},
    }
    file, table = tmp_path / "choice.json", tmp_path / "table.json"
    file.write_text(json.dumps({"request": asked, "choice": {"branch": "fail"}}, ensure_ascii=False), "utf-8")
    ended = run("settle", str(file), "--save", str(table))

    assert (ended.code, table.exists()) == (code, code == 0), ended.err
    assert run("settle", str(file), "--save", str(table)).code == code
