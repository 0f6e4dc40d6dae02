"""Campaigns on the command line: no file need be named, and each page says where it is."""

import json
from pathlib import Path

import pytest

from tests.interfaces.running import ROOT, Ended, run

TABLE = str(ROOT / "examples" / "table.json")


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with no campaign, and a folder of one's own to be in."""
    monkeypatch.setenv("NARRATOR_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


def ok(*words: str) -> str:
    """The page of a command that goes well."""
    ended = run(*words)
    assert (ended.code, ended.err) == (0, ""), f"{words}: {ended.err}{ended.out}"
    return ended.out


def refused(*words: str) -> str:
    """The one line of a command that is refused."""
    ended = run(*words)
    assert ended.code == 1, ended
    assert len(ended.err.splitlines()) == 1, ended.err
    return ended.err


def misses(*more: str) -> str:
    """A roll that failed, as it is typed."""
    return ok("suggest", "overcome", "--actor", "Cynere", "--fail", "--intent", "slip past the watch", *more)


@pytest.fixture
def harbour() -> None:
    """A campaign that is in use, with the scene of the example."""
    ok("use", "harbour", "--scene", TABLE)


@pytest.mark.usefixtures("harbour")
def test_an_evening_names_no_file(tmp_path: Path) -> None:
    """A roll, its choice, a move, a note, back and forth: each page says in its first line which campaign it is in."""
    pages = [
        misses("--deal", "1"),
        ok("settle", "s2"),
        ok("move", "compel", "--who", "landon", "--aspect", "An Honest Man, When He Can", "--accepted"),
        ok("note", "The", "innkeeper", "lies."),
        ok("undo"),
        ok("redo"),
        ok("word", "trouble", "--deal", "1"),
        ok("odds", "overcome", "--actor", "Cynere", "--against", "2"),
        ok("lines"),
        ok("turn-order", "--approach", "Notice"),
    ]
    log = ok("log")

    assert [page.splitlines()[0].partition(",")[0] for page in pages] == ["in harbour"] * len(pages)
    assert "slip past the watch: fail. Succeed at a serious cost." in log
    assert "The innkeeper lies." in log
    assert [each.name for each in tmp_path.iterdir()] == ["data"], "nothing is written but the campaign"


def test_without_a_campaign_nothing_is_kept(data: Path) -> None:
    """A roll stays without a scene, and what only a campaign has is refused with how to have one."""
    assert "in " not in misses().splitlines()[0]
    for words in (["undo"], ["log"], ["settle", "s1"], ["move", "turn"]):
        ended = run(*words)
        assert ended.code == 2
        assert "narrator use NAME" in " ".join(ended.err.replace("│", " ").split())
    assert not data.exists()


@pytest.mark.usefixtures("harbour")
def test_use_chooses_until_none_is_used() -> None:
    """Another is begun beside it; a name with --campaign is for once; with --none a roll has no scene again."""
    assert "did you mean harbour" in refused("use", "harbuor")
    ok("use", "moor", "--new")
    assert misses().startswith("in moor, page p1")
    assert misses("--campaign", "harbour").startswith("in harbour, page p1")
    assert misses().startswith("in moor, page p2")
    ok("use", "--none")
    assert misses().startswith("CYNERE")
    assert "did you mean harbour" in refused("log", "--campaign", "harbuor")


@pytest.mark.usefixtures("harbour")
def test_a_file_that_is_typed_is_not_about_the_campaign(tmp_path: Path) -> None:
    """Where a file is named it is that file's, as it is without a campaign; one in both places is refused."""
    page = str(tmp_path / "page.json")
    assert ok("suggest", str(ROOT / "examples" / "cynere.json")).startswith("CYNERE")
    assert ok("suggest", "overcome", "--scene", TABLE, "--actor", "Cynere", "--fail", "--save", page).startswith(
        "CYNERE"
    )
    assert "nothing is written" in ok("settle", page, "f")
    ended = run("settle", page, "f", "--campaign", "harbour")
    assert ended.code == 2
    assert len(json.loads(ok("log", "--json"))) == 1


@pytest.mark.usefixtures("harbour")
def test_an_invocation_takes_the_place_of_its_page() -> None:
    """What is in reach of the open page needs no roll typed again; the page keeps its id, and its dice."""
    first = ok("suggest", "overcome", "--actor", "Cynere", "--dice", "0 0 0 +", "--against", "3")
    assert ok("suggest").splitlines()[:20] == first.splitlines()[:20], "it is shown again as it was"
    assert "with Torchlit Gate" in ok("reach", "--all")
    again = ok("suggest", "--invoke", "Torchlit Gate")

    assert again.startswith("in harbour, page p1")
    assert "TIE" in again
    assert "no free invocation of Torchlit Gate is left" in ok("settle", "m1")


@pytest.mark.usefixtures("harbour")
def test_a_reroll_takes_the_faces_that_are_typed_beside_it() -> None:
    """Those that fell first stay; a roll that was mistyped is typed again in its place."""
    ok("suggest", "overcome", "--actor", "Cynere", "--dice", "- - 0 0", "--against", "1")
    again = ok("suggest", "--invoke", "Torchlit Gate=reroll", "--dice", "+ + + 0")
    mended = ok("suggest", "overcome", "--actor", "Landon", "--dice", "0 0 0 0", "--against", "1", "--page", "p1")

    assert "+ + + 0" in again
    assert "rolled again" in again
    assert mended.startswith("in harbour, page p1\nLANDON")
    assert "Landon" in ok("settle", "f")
    assert "unknown_page" in refused("settle", "f"), "there is no page but that"


@pytest.mark.usefixtures("harbour")
def test_of_several_open_pages_any_is_settled() -> None:
    """The newest, or the one that is named; a page of before is judged in the scene of now."""
    misses("--deal", "1")
    hit = ("suggest", "attack", "--actor", "Hask", "--skill", "Fight=3", "--target", "Landon", "--against", "1")
    ok(*hit, "--dice", "+ + 0 0")
    assert "no page 'p9'" in refused("settle", "f", "--page", "p9")
    assert "Hask, attack" in ok("settle", "h", "--absorb", "moderate=Split Lip")
    assert "page p1" in ok("settle", "f", "--page", "p1")
    assert "page_closed" in refused("settle", "f", "--page", "p1")
    assert "unknown_page" in refused("settle", "f")
    assert json.loads(ok("use", "--json"))["scene"]["characters"][-1]["name"] == "Hask"


@pytest.mark.usefixtures("harbour")
def test_on_opening_one_reads_what_was_before() -> None:
    """The last session, who is hurt, what counts down, what is owed and who is away; nothing of the one before it."""
    ok("note", "They met the fence.")
    ok("move", "end-session")
    ok("note", "Hask sold them out.")
    ok("move", "scene", "--summary", "A cellar.", "--people", "Landon")
    ok("move", "clock", "--name", "The Tide", "--boxes", "4", "--tick", "1", "--secret")
    ok("move", "hit", "--who", "Landon", "--shifts", "2", "--absorb", "2")
    page = ok("use")

    assert "Hask sold them out." in page
    assert "They met the fence." not in page
    assert "Landon   pc   physical stress 2" in page
    assert "The Tide 1 of 4" in page
    assert "away: " in page
    assert "Cynere" in page.partition("away: ")[2]


@pytest.mark.usefixtures("harbour")
def test_the_log_is_a_story_or_all_of_it() -> None:
    """In Markdown nobody's words become markup; as JSON it is every entry, with what was taken back."""
    ok("note", "*Bold* [link](x) @everyone")
    ok("undo")
    story = ok("log", "--all", "--format", "markdown")
    entries = json.loads(ok("log", "--json"))

    assert r"\*Bold\*" in story
    assert "@everyone" not in story
    assert "Bold" not in ok("log"), "a story has nothing of what was taken back"
    assert [(each["kind"], each["undone"]) for each in entries] == [
        ("begun", False),
        ("noted", True),
        ("undone", False),
    ]
    assert [each["seq"] for each in json.loads(ok("log", "--last", "1", "--json"))] == [3]


@pytest.mark.usefixtures("harbour")
def test_a_campaign_goes_elsewhere_and_comes_back(tmp_path: Path) -> None:
    """Exported and imported it is the same; a backup is used by its path; no file that is there is written over."""
    ok("note", "Remember the key.")
    ok("export", "out.jsonl")
    ok("import", "out.jsonl", "second")
    ok("backup", "copy.narrator")
    listed = ok("campaigns")

    assert "in second" in ok("undo")
    assert "Remember the key." in ok("log", "--campaign", str(tmp_path / "copy.narrator"))
    assert "* second" in listed
    assert "harbour" in listed
    for words in (["export", "out.jsonl"], ["backup", "copy.narrator"], ["import", "out.jsonl", "second"]):
        assert "bad_request" in refused(*words)
    Path("out.jsonl").write_text("{}\n", "utf-8")
    assert "bad_campaign" in refused("import", "out.jsonl", "third")


@pytest.mark.usefixtures("harbour")
def test_the_x_card_needs_no_number() -> None:
    """What was last is struck, be it a page or an entry; of an entry by its number the words go."""
    ok("note", "Spiders everywhere.")
    ok("note", "Rain.")
    ok("strike", "2")
    misses("--deal", "1")
    ok("strike")
    ok("strike")
    log = ok("log")

    assert "Spiders" not in log
    assert "Rain." not in log
    assert "page_closed" in refused("settle", "f", "--page", "p1")


def test_a_house_ruleset_goes_with_its_campaign(tmp_path: Path) -> None:
    """Its file is found again; where it has gone, that is said."""
    rules = tmp_path / "harbour-nights.toml"
    rules.write_text((ROOT / "examples" / "harbour-nights.toml").read_text("utf-8"), "utf-8")
    ok("use", "quay", "--ruleset", str(rules))
    assert "PARLEY" in ok("odds", "parley", "--actor", "Mirelle", "--skill", "Rapport=2", "--against", "3").upper()
    assert "another ruleset" in refused("use", "quay", "--ruleset", "fate-core")
    rules.unlink()
    assert "harbour-nights.toml" in refused("log")


@pytest.mark.parametrize("name", ["a/b", "..", "", " x", "a\x1b[31m", "-x" * 40])
def test_a_name_is_a_name(name: str) -> None:
    """What can be no name of a file is refused, and said."""
    ended: Ended = run("use", "--new", "--", name)
    assert ended.code == 1
    assert "letters, digits" in ended.err
    assert "\x1b" not in ended.err
