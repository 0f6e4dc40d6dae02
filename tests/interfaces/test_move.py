"""Moves on the command line: every kind of option, what is refused, where it is kept, and what a page says stands."""

import json
from pathlib import Path
from shlex import split
from typing import Any

import pytest

from narrator.api.schemas import descriptions
from narrator.rules.json_text import Json
from narrator.rules.moves.all_moves import MOVES
from tests.interfaces.running import kept, made, page, refusal, run, said, usage

SCENE: Json = {
    "gm_fate_points": 2,
    "aspects": [{"name": "An Honest Man, When He Can", "on": "Landon"}, {"name": "Fog"}],
    "characters": [
        {"name": "Cynere", "side": "pc", "importance": "pc", "fate_points": 1},
        {"name": "Landon", "side": "pc", "importance": "pc", "fate_points": 2},
        {"name": "Watch Captain", "side": "watch", "importance": "named"},
    ],
}
CONTEST = {"contest": {"sides": {"us": ["Cynere"], "them": ["Watch Captain"]}}, "frame": "contest"}


def scene(folder: Path, **more: Any) -> str:
    """The file of the scene, with more in it."""
    return kept(folder, "scene.json", {"scene": {**SCENE, **more}})


def change(settled: Json, kind: str) -> Json:
    """The only change of a type."""
    (found,) = [each for each in settled["changes"] if each["type"] == kind]
    return found  # type: ignore[no-any-return]


TOLD: dict[str, tuple[str, Json]] = {
    "text, and part of a name": ("leave --who captain", {"type": "left", "who": "Watch Captain"}),
    "names, a flag": ("compel --who cynere --who landon --aspect fog --accepted", {"who": "Landon", "after": 3}),
    "its opposite": ("compel --who cynere --aspect Fog --refused", {"who": "Cynere", "after": 0}),
    "a number": ("pay --who Landon --points +2", {"after": 4}),
    "any minus": ("pay --who Landon --points −2", {"after": 0}),
    "JSON in a table": ("change --who cynere --set fate-points=4", {"on": "fate_points", "after": 4}),
    "text in a table": ("change --set 'tone=grim = good'", {"on": "tone", "after": "grim = good"}),
    "null in a table": ("change --set gm_fate_points=null", {"before": 2}),
    "numbers in a table": ("aspect --name Ice --free-invocations captain=+2", {"type": "aspect", "on": "Ice"}),
    "lists in a table": ("contest --sides us=cynere,Landon --sides them=captain --to 2", {"type": "frame"}),
    "objects by their names": ('challenge --tasks Climb --tasks \'{"name": "Jump"}\'', {"type": "frame"}),
    "an object by its fields": (
        "enter --character Bo --character side=watch --nameless fair",
        {"type": "entered", "who": "Bo"},
    ),
    "a hit": ("hit --who cynere --shifts 3 --absorb 1 --absorb 'mild=Cut Lip'", {"type": "stress"}),
    "an opposite in so many words": ("end-scene --keep fog --no-rest", {"on": "ended", "after": "scene"}),
}


@pytest.mark.parametrize("typed", TOLD)
def test_a_move_is_typed_by_its_fields(typed: str, tmp_path: Path) -> None:
    """Each kind of field in a way of its own; names as they are said."""
    words, told = TOLD[typed]

    changes = made("move", scene(tmp_path), *split(words))["changes"]

    assert any(told.items() <= each.items() for each in changes), changes


def test_a_side_that_forfeits_is_a_dash(tmp_path: Path) -> None:
    """And a tie says where words for the twist are."""
    file = scene(tmp_path, **CONTEST)

    told = change(made("move", file, *split("exchange --totals us=+3 --totals them=-")), "exchange")

    assert told["after"] == {"us": 1}
    assert "narrator word twist" in page("move", file, *split("exchange --totals us=3 --totals them=3"))


@pytest.mark.every_case
@pytest.mark.parametrize("kind", MOVES)
def test_the_help_of_a_move_says_what_its_model_says(kind: str, tmp_path: Path) -> None:
    """Of the move and of each field; and the help of the command names every move."""
    shown = said(run("move", scene(tmp_path), kind, "--help").out.replace("│", " "))

    assert said(MOVES[kind].__doc__ or "") in shown
    for name, field in MOVES[kind].model_fields.items():
        assert name == "type" or f"--{(field.alias or name).replace('_', '-')}" in shown
        assert name == "type" or descriptions(MOVES[kind])[name].split()[0] in shown
    assert f"{kind}: {(MOVES[kind].__doc__ or '').partition(' (')[0]}." in said(run("move", "--help").out)


REFUSED = {
    "compel --who Cynere --aspect Fgo --accepted": "--aspect: this is not in play; did you mean Fog",
    "leave": "--who: this is required",
    "leave --who Cynera": "did you mean Cynere",
    "turn": "not_in_frame: turn: there is no conflict",
    "change --set tnoe=1": "--set tnoe: no such field",
    "contest --sides us=Cynere --sides them=Bo": "--sides them: 'Bo' is not in this scene",
    "contest --sides us": "--sides: 'us' must be NAME=VALUE",
    "conflict --kind phisical": "--kind: 'phisical' is not one of the words known here; did you mean 'physical'",
    "enter --character '{'": "--character: ",
    "enter --suggestion s2": "--suggestion: 's2' needs a page",
    "hit --who Cynere --shifts 2 --absorb mild": "--absorb: ",
    "pay --who Cynere --points -2": "no_fate_point: --",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_refused_is_said_of_its_option(words: str, tmp_path: Path) -> None:
    """In one line, with what was meant where that is near."""
    assert REFUSED[words] in refusal("move", scene(tmp_path), *split(words))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "give the move after the file"),
        ("cmpel --who Cynere", "did you mean compel; the moves are enter: Somebody enters the scene."),
        ("leave --whom Cynere", "--who"),
        ("pay --who Cynere --points two", "'two' is not a whole number"),
    ],
)
def test_what_is_typed_wrongly_is_told_with_what_to_type(words: str, told: str, tmp_path: Path) -> None:
    """A type by the list of all, an option by those that are near."""
    assert told in usage("move", scene(tmp_path), *split(words))


def test_a_scene_is_kept_where_it_is_asked_for(tmp_path: Path) -> None:
    """Without, nothing is written, and that is said; what is beside the scene stays; of another revision it stays."""
    file = kept(tmp_path, "scene.json", {"ruleset": "war-of-ashes", "pages": ["one"], "scene": SCENE})
    words = ("move", file, "leave", "--who", "Landon")
    before = Path(file).read_bytes()

    assert "nothing is written" in page(*words)
    assert "stale_scene" in refusal(*words, "--save", file, "--expect-revision", "3")
    assert Path(file).read_bytes() == before
    page(*words, "--save", file, "--expect-revision", "0")
    now = json.loads(Path(file).read_text("utf-8"))
    assert (now["ruleset"], now["pages"], now["scene"]["revision"]) == ("war-of-ashes", ["one"], 1)
    assert [each["name"] for each in now["scene"]["away"]] == ["Landon"]


def test_a_payload_says_the_move_itself(tmp_path: Path) -> None:
    """As a macro sends it, on standard input too; what is typed stands over it."""
    payload = {"call": "move", "request": {"scene": SCENE, "move": {"type": "leave", "who": "Cynere"}}}

    assert change(made("move", kept(tmp_path, "payload.json", payload)), "left")["who"] == "Cynere"
    assert change(made("move", "-", given=json.dumps(payload)), "left")["who"] == "Cynere"
    assert change(made("move", "-", *split("leave --who Landon"), given=json.dumps(payload)), "left")["who"] == "Landon"


def test_a_suggestion_of_a_page_comes_in(tmp_path: Path) -> None:
    """Into the scene of the page's file as it is by now; the page may still be settled."""
    file, last = scene(tmp_path), str(tmp_path / "last.json")
    page(*split("suggest overcome --actor Cynere --fail --seed 1"), "--scene", file, "--save", last)
    answer = json.loads(Path(last).read_text("utf-8"))["answer"]
    number, name = next(
        (number, each["name"])
        for number, each in enumerate(answer["suggestions"], 1)
        if each["form"] == "new_opposition" and each["name"]
    )
    page("move", file, *split("leave --who Landon"), "--save", file)

    page("move", last, "enter", "--suggestion", f"s{number}", "--nameless", "fair", "--save", file)

    now = json.loads(Path(file).read_text("utf-8"))["scene"]
    (new,) = [each for each in now["characters"] if each["name"] == name]
    assert (new["side"], new["skills"] != {}) == ("watch", True)
    assert [each["name"] for each in now["away"]] == ["Landon"]
    assert run("settle", last, "f", "--save", file).code == 0


STANDING: dict[str, tuple[Json, list[str]]] = {
    "nothing": ({"gm_fate_points": None, "characters": [], "aspects": []}, []),
    "points": ({}, ["fate points: Cynere 1, Landon 2, GM 2"]),
    "owed": ({"gm_carried": 1}, ["fate points: Cynere 1, Landon 2, GM 2; owed: GM 1"]),
    "a turn": (
        {"frame": "conflict", "conflict": {"turn": "Landon", "exchange": 2}},
        ["Landon's turn, exchange 2", "fate points: Cynere 1, Landon 2, GM 2"],
    ),
    "victories, clocks, boosts": (
        {
            **CONTEST,
            "clocks": [{"name": "Dawn", "boxes": 4}, {"name": "Doom", "boxes": 2, "secret": True}],
            "aspects": [
                {"name": "Reeling", "boost": True, "free_invocations": {"Cynere": 1}},
                {"name": "Used Up", "boost": True, "free_invocations": {"Cynere": 0}},
                {"name": "Dust", "boost": True},
            ],
        },
        [
            "us 0, them 0, to 3; clocks: Dawn 0 of 4",
            "fate points: Cynere 1, Landon 2, GM 2",
            "boosts: Reeling (Cynere); Dust (whoever takes it first)",
        ],
    ),
}


@pytest.mark.parametrize("what", STANDING)
def test_a_page_says_at_its_end_what_stands(what: str, tmp_path: Path) -> None:
    """What the table has to remember, where there is something, and no secret; a roll alone says nothing of it."""
    more, told = STANDING[what]
    words = (*split("overcome --actor Cynere --fail --scene"), scene(tmp_path, **more))

    shown = page("suggest", *words, "--deal", "1")

    assert shown.rstrip("\n").rpartition("nothing sent")[2].strip("\n").splitlines() == told
    assert "fate points:" not in page("resolve", *words)


def test_hostile_names_are_shown_as_what_they_are(tmp_path: Path) -> None:
    """In what changed and in what stands, on a terminal and in a chat."""
    hostile = "\x1b[31m@everyone\n**Bo**"
    bo: Json = {"name": hostile, "side": "pc", "importance": "pc", "fate_points": 1}
    file = scene(tmp_path, characters=[bo], aspects=[])
    shown = page("move", file, "pay", "--who", hostile, "--points", "1")
    chat = page(*split("suggest overcome --fail --format markdown --actor"), hostile, "--scene", file)

    assert "\x1b" not in shown
    assert "fate points 1 to 2" in said(shown)
    assert "fate points: " in chat.splitlines()[-1]
    assert "**Bo" not in chat
    assert "@e" not in chat


def test_a_move_that_cannot_be_made_is_never_taken_for_another(tmp_path: Path) -> None:
    """Whoever begins a conflict in one hears that it goes on, and does not end it."""
    file = scene(tmp_path, frame="conflict", conflict={"order": ["Cynere", "Landon", "Watch Captain"]})

    assert refusal("move", file, "conflict").startswith("narrator: bad_request: conflict: ")


def test_lists_may_be_typed_as_json(tmp_path: Path) -> None:
    """All zones at once, neighbours and all."""
    zones = '[{"name": "Stair", "adjacent": ["Loft"]}, {"name": "Loft"}]'
    settled = json.loads(run("move", scene(tmp_path), "scene", "--zones", zones, "--json").out)

    assert [(each["name"], each["adjacent"]) for each in settled["scene"]["zones"]] == [
        ("Stair", ["Loft"]),
        ("Loft", []),
    ]
