"""One line in a campaign: it knows scene and open page, and the command makes the call that it is."""

import json
from pathlib import Path
from typing import Any

import pytest

import narrator
from tests.interfaces.running import ROOT, Ended, run
from tests.interfaces.test_completion import completions

TABLE = ROOT / "examples" / "table.json"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with no campaign, and a folder of one's own to be in."""
    monkeypatch.setenv("NARRATOR_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


@pytest.fixture
def harbour() -> None:
    """A campaign that is in use, with the scene of the example."""
    assert run("use", "harbour", "--scene", str(TABLE)).code == 0


def says(*words: str) -> Ended:
    """What a line came to that is read."""
    ended = run("say", *words)
    assert (ended.code, ended.err) == (0, ""), f"{words}: {ended.err}{ended.out}"
    return ended


def entries() -> Any:
    """The log of the campaign in use."""
    return run("log", "--json").json


@pytest.mark.usefixtures("harbour")
def test_an_evening_is_typed_in_lines() -> None:
    """A roll with or without quotes, one more aspect on the same page, what is chosen of it, and a move."""
    first = says("cyn", "stealth", "-0+0", "vs", "4", "slip", "past").out.splitlines()
    more = says("+girl").out.splitlines()
    says("s")
    says("drop cobbles")
    log = run("log").out

    assert first[0] == "in harbour, page p1"
    assert first[1].startswith("read: actor Cynere; skill Stealth; dice -0+0; opposition rating 4")
    assert more[0] == "in harbour, page p1", "it stays the same page"
    assert "Cynere, slip past" in log
    assert "Rain-Slick Cobbles" in log


@pytest.mark.usefixtures("harbour")
def test_what_is_asked_back_makes_nothing() -> None:
    """It is told with lines that would do, and ends with 2; what is only to be read ends with 0."""
    before = entries()
    ended = run("say", "cyn stealth +2 vs 3")
    told = run("say", "cyn stealth +2 vs 3", "--json")

    assert (ended.code, told.code) == (2, 2)
    assert "cyn stealth total 2 vs 3" in ended.out
    assert [each["text"] for each in told.json["readings"]] == ["cyn stealth total 2 vs 3", "cyn stealth sum 2 vs 3"]
    assert says("--read", "drop cobbles", "--json").json["move"] == {"type": "drop", "name": "Rain-Slick Cobbles"}
    assert says("cyn stealth vs guards", "--read").out.count("cyn stealth vs guards ") == 3
    assert says("cyn stealth vs 2", "--read").out.startswith("in harbour")
    assert (entries(), "open:" in run("use").out) == (before, False)


def test_without_a_campaign_a_line_rolls_alone() -> None:
    """In the scene of a file; without one, and for a move, how to have a campaign is said."""
    assert says("--scene", str(TABLE), "cyn missed slip past", "--json").json["resolution"]["outcome"] == "fail"
    for words in (["--scene", str(TABLE), "drop cobbles"], ["cyn stealth vs 2"]):
        ended = run("say", *words)
        assert ended.code == 2
        assert "narrator use NAME" in " ".join(ended.err.replace("│", " ").split())
    assert run("say", "--scene", str(TABLE), "x" * 501).err.startswith("narrator: bad_request: TEXT: ")


@pytest.mark.usefixtures("harbour")
def test_a_shell_completes_the_line(data: Path) -> None:
    """Out of the scene of the campaign."""
    assert completions("narrator say cyn ste", data) == ["stealth"]
    assert completions("narrator say cyn stealth vs capt", data) == ["captain"]


def test_a_campaign_reads_a_line_in_its_newest_scene(tmp_path: Path) -> None:
    """By its own ruleset, on the page that is named, or the newest that is open."""
    scene = json.loads(TABLE.read_text("utf-8"))["scene"]
    table = narrator.open_campaign(tmp_path / "one.narrator", scene=scene, ruleset="fate-core")
    asked = table.say("+girl")
    rolled = table.say("cyn stealth 0000 vs 4 slip past").request
    assert rolled is not None
    page = table.suggest(rolled.action, source="deck")
    more = table.say("+girl").request

    assert asked.ask, "no page is open"
    assert (rolled.ruleset, rolled.scene.revision) == ("fate-core", table.revision)
    assert more is not None
    assert [each.aspect for each in more.action.invocations] == ["Infamous Girl with Sword"]
    assert table.suggest(more.action, page=page.id, source="deck").id == page.id
