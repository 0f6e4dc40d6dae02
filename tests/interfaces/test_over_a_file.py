"""Options over a file: each stands over what the file says of it, and what was not typed stays as it is."""

import json
import os
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator.cli import options
from narrator.cli.option_groups import TypedAction
from narrator.rules.json_text import Json
from narrator.suggestions.prompt import brief
from tests.interfaces.running import CYNERE, kept, made, page, refusal, run, usage

REQUEST: Json = json.loads(CYNERE.read_text("utf-8"))
FILE = str(CYNERE)

LISTED: Json = {
    "ruleset": "war-of-ashes",
    "scene": {
        "frame": "conflict",
        "aspects": [{"name": "Fog", "free_invocations": {"Iva": 1, "GM": 1}}, {"name": "Old Feud"}],
        "characters": [
            {"name": "Iva", "side": "pc", "importance": "pc", "zone": "Ford", "fate_points": 1, "skills": {"quick": 2}},
            {"name": "Orm", "side": "pc", "importance": "pc", "zone": "Ford"},
            {"name": "Pack", "side": "kuld", "zone": "Ford", "skills": {"Quick": 1}},
            {"name": "Shaman", "side": "kuld", "zone": "Gate", "skills": {"Clever": 3}},
        ],
        "zones": [{"name": "Ford", "adjacent": ["Gate"]}, {"name": "Gate", "adjacent": ["Ford"]}],
    },
    "action": {
        "type": "overcome",
        "actor": "Iva",
        "skill": "Quick",
        "roll": {"dice": [0, 0, 0, 0]},
        "opposition": {"kind": "active", "by": "Pack", "skill": "Quick", "roll": {"dice": [1, 0, 0, 0]}},
    },
    "seed": 4,
}
"""Iva against the Pack, 2 against 2: a tie, in which everything has been told."""


@pytest.fixture
def listed(tmp_path: Path) -> str:
    """The file of it."""
    return kept(tmp_path, "listed.json", LISTED)


OVER: dict[str, tuple[tuple[str, ...], tuple[str | int, ...], Any]] = {
    "actor": (("--actor", "Orm"), ("action", "actor"), "Orm"),
    "skill": (("--skill", "Flashy"), ("action", "skill"), "Flashy"),
    "dice": (("--dice", "++00"), ("roll", "dice"), [1, 1, 0, 0]),
    "total": (("--total", "0"), ("roll", "total"), 0),
    "fail": (("--fail",), ("outcome",), "fail"),
    "tie": (("--tie", "--shifts", "0"), ("outcome",), "tie"),
    "succeed": (("--succeed",), ("outcome",), "succeed"),
    "style": (("--style",), ("outcome",), "succeed_with_style"),
    "outcome": (("--outcome", "fail"), ("outcome",), "fail"),
    "shifts": (("--fail", "--shifts", "2"), ("shifts",), -2),
    "against": (("--against", "5"), ("opposition", "total"), 5),
    "by": (("--by", "Shaman"), ("opposition", "by"), "Shaman"),
    "with_": (("--with", "Quick=5"), ("opposition", "skill"), 5),
    "bonus": (("--bonus", "3"), ("roll", "bonus"), 3),
    "helper": (("--helper", "Orm"), ("roll", "bonus"), 1),
    "maneuver": (("--maneuver", "push"), ("action", "maneuver"), "push"),
    "target": (("--target", "Shaman"), ("action", "target"), "Shaman"),
    "aspect": (("--aspect", "Old Feud"), ("action", "aspect"), "Old Feud"),
    "invoke": (("--invoke", "Fog"), ("roll", "invoked"), 2),
    "invoke_against": (("--invoke-against", "Fog"), ("opposition", "invoked"), 2),
}


@pytest.mark.parametrize("name", OVER)
def test_an_option_stands_over_the_file(listed: str, name: str) -> None:
    """What was typed is in the resolution, in place of what the file says or beside it."""
    options, place, expected = OVER[name]
    found = made("resolve", listed, *options)
    for part in place:
        found = found[part]

    assert found == expected


def test_every_option_that_a_hand_reads_is_tried_over_a_file() -> None:
    """Above, or, where it is not in the resolution or wants another action, below."""
    by_hand = {each.name for each in fields(TypedAction) if each.metadata["writes"] is None}
    untried = by_hand - OVER.keys() - {"hindering", "scene", "campaign", "page"}

    assert untried == set(), f"OVER, {__file__}, wants each: typed, its place in a resolution, what stands there"


def test_what_was_not_typed_stays(listed: str) -> None:
    """One option changes one thing: the rest of the resolution is that of the file."""
    was, now = made("resolve", listed), made("resolve", listed, "--dice", "+000")

    assert (was["outcome"], now["outcome"]) == ("tie", "succeed")
    assert [name for name in ("action", "opposition", "ruleset", "seed") if now[name] != was[name]] == []


def test_the_skill_of_who_rolls_may_be_typed_alone(listed: str) -> None:
    """Then whoever the file names rolls with it, and anew."""
    found = made("resolve", listed, "--with", "Clever=4")["opposition"]

    assert (found["kind"], found["by"], found["skill"]) == ("active", "Pack", 4)


def test_a_rating_that_was_typed_goes_onto_the_sheet(listed: str) -> None:
    """However the sheet spells the skill, and on the sheet of whoever it is of; others stay as they are."""
    found = made("resolve", listed, "--skill", "QUICK=5")

    assert (found["action"]["skill"], found["roll"]["skill"], found["opposition"]["skill"]) == ("Quick", 5, 1)


def test_whom_a_file_names_stays_known_where_it_lists_nobody(tmp_path: Path) -> None:
    """A skill that is typed makes a sheet for it, and leaves no helper and no opponent behind."""
    against = {"kind": "active", "by": "Wolf", "helpers": ["Pup"], "roll": {"total": 1}}
    action = {"type": "overcome", "actor": "Ann", "helpers": ["Bea"], "roll": {"total": 2}, "opposition": against}

    found = made("resolve", kept(tmp_path, "bare.json", {"action": action}), "--skill", "Lore=2")
    assert (found["action"]["skill"], found["opposition"]["by"]) == ("Lore", "Wolf")


def test_intent_and_tone_reach_whoever_finds_words(listed: str) -> None:
    """They are in what would be sent, in place of the file's."""
    sent = page("suggest", listed, "--intent", "vault the parapet", "--tone", "noir", "--show-prompt")

    assert [words in sent for words in ("vault the parapet", "noir")] == [True, True]


def test_the_manner_is_typed_or_set(listed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One by one, what would be sent is a story so far, and the answer is held to the words alone."""
    typed = page("suggest", listed, "--fail", "--show-prompt", "--manner", "one-by-one", "--model", "tiny")
    monkeypatch.setenv("NARRATOR_MODEL", "tiny")
    monkeypatch.setenv("NARRATOR_MANNER", "one_by_one")

    assert [words in typed for words in ('"story"', '"detail"', '"slot"')] == [True, True, False]
    assert ('"story"' in page("suggest", listed, "--fail", "--show-prompt")) is True
    assert ('"story"' in page("suggest", listed, "--fail", "--show-prompt", "--manner", "together")) is False


def test_the_command_line_names_every_manner() -> None:
    """Its help says what manners there are."""
    assert options.MANNERS == brief.MANNERS


def test_the_track_of_an_attack_is_typed(tmp_path: Path) -> None:
    """The hit is on it; the first of the ruleset's where the file says nothing."""
    attack = {"type": "attack", "actor": "Iva", "target": "Pack", "outcome": "succeed", "shifts": 2}
    file = kept(tmp_path, "attack.json", LISTED | {"action": attack})
    for typed, track in (((), "physical"), (("--track", "mental"), "mental")):
        assert made("resolve", file, *typed)["branches"][0]["grants"][0]["track"] == track


def test_aspects_that_hinder_are_typed(listed: str) -> None:
    """In place of whatever opposed; each counts two."""
    typed = ("--ruleset", "aspect-difficulty", "--hindering", "Fog", "--hindering", "Old Feud")
    found = made("resolve", listed, *typed)

    assert (found["opposition"]["kind"], found["opposition"]["total"]) == ("aspects", 4)


@pytest.mark.parametrize("call", ["resolve", "suggest", "odds", "reach"])
def test_every_call_takes_options_over_a_file(call: str) -> None:
    """And over a request on standard input."""
    options = ("--skill", "Deceive=3", "--dice", "0000")
    of_file = made(call, FILE, *options)

    assert of_file == made(call, "-", *options, given=json.dumps(REQUEST))
    assert of_file != made(call, FILE)


FREE, PAID, AGAIN = {"pay": "free"}, {"pay": "fate_point"}, {"use": "reroll"}

INVOKED: dict[tuple[str, ...], list[Json]] = {
    ("Fog",): [FREE],
    ("Old Feud",): [PAID],
    ("Fog=free",): [FREE],
    ("Fog=fate_point",): [PAID],
    ("Fog=reroll",): [FREE | AGAIN],
    ("Old Feud=reroll",): [PAID | AGAIN],
    ("Fog=fate_point,reroll",): [PAID | AGAIN],
    ("Fog", "Fog"): [FREE, PAID],
}


@pytest.mark.parametrize("typed", INVOKED, ids=" ".join)
def test_an_aspect_is_invoked_free_where_that_is_to_be_had(tmp_path: Path, listed: str, typed: tuple[str, ...]) -> None:
    """Else for a fate point; how may be typed, a reroll too. The request that is kept says what was meant."""
    file = str(tmp_path / "page.json")
    run("suggest", listed, *(word for text in typed for word in ("--invoke", text)), "--save", file)
    invocations = json.loads(Path(file).read_text("utf-8"))["request"]["action"]["invocations"]

    names = [text.partition("=")[0] for text in typed]
    assert invocations == [{"aspect": name, **each} for name, each in zip(names, INVOKED[typed], strict=True)]


def test_who_is_the_gms_invokes_what_is_the_gms(listed: str) -> None:
    """A free invocation of the GM's is there for the GM's characters, and is used before a fate point."""
    invoked = ("--actor", "Pack", "--by", "Iva", "--invoke", "Fog", "--invoke", "Fog=free")

    assert "no free invocation" in refusal("resolve", listed, *invoked)
    assert made("resolve", listed, *invoked[:-2])["roll"]["invoked"] == 2


def test_an_invocation_is_beside_those_of_the_file(tmp_path: Path) -> None:
    """And none is paid twice: what the file has used is used."""
    action = LISTED["action"] | {"invocations": [{"aspect": "Fog"}]}
    file = kept(tmp_path, "invoked.json", LISTED | {"action": action})

    assert made("resolve", file, "--invoke", "Fog")["roll"]["invoked"] == 4


def test_an_aspect_that_no_scene_has_is_in_play_because_it_was_typed() -> None:
    """On a line without a scene: invoked, hindering or used, whoever types it says that it is there."""
    assert made("resolve", "overcome", "--total", "1", "--invoke", "Fog")["roll"]["total"] == 3


@pytest.mark.parametrize("option", ["--invoke", "--invoke-against"])
@pytest.mark.parametrize("typed", ["Fogg", "frog=free", "Fog=twice"])
def test_an_aspect_that_the_scene_does_not_have_is_refused(listed: str, option: str, typed: str) -> None:
    """By the option as it is typed, with those there are that could be typed in its place."""
    told = refusal("resolve", listed, option, typed)

    assert told.startswith(f"narrator: unknown_aspect: {option}: ")
    assert ("(allowed: Fog)" if typed.endswith("=free") else "Fog, Old Feud") in told
    assert "did you mean Old Feud" in refusal("resolve", listed, option, "Old Feued")


@pytest.mark.parametrize("what", ["scene", "listed", "page", "next"])
def test_a_scene_comes_out_of_any_file_that_has_one(tmp_path: Path, what: str) -> None:
    """A bare scene, a request, what `suggest --save` kept, and what `settle --save` kept; the ruleset beside it too."""
    kept(tmp_path, "scene.json", LISTED["scene"])
    listed = kept(tmp_path, "listed.json", LISTED)
    page("suggest", listed, "--style", "--save", str(tmp_path / "page.json"))
    page("settle", str(tmp_path / "page.json"), "b1", "--save", str(tmp_path / "next.json"))
    typed = ("--scene", str(tmp_path / f"{what}.json"), "--actor", "Iva", "--skill", "Quick", "--dice", "0000")
    found = made("resolve", "overcome", *typed)

    assert (found["roll"]["skill"], found["opposition"]["total"]) == (2, 1)
    assert found["ruleset"] == ("five-actions" if what == "scene" else "war-of-ashes")


@pytest.mark.parametrize("content", [{"action": {"type": "overcome"}}, {"request": {"scene": None, "seed": 1}}])
def test_a_file_without_a_scene_is_none(tmp_path: Path, content: Json) -> None:
    """It is refused by its name, and not taken for an empty table."""
    file = kept(tmp_path, "no-scene.json", {"call": "resolve", **content})

    assert refusal("resolve", "overcome", "--scene", file) == f"narrator: bad_request: {file}: it has no scene"


@pytest.mark.parametrize("options", [(), ("--fail",)], ids=len)
def test_a_scene_in_place_of_a_request_is_told_how_it_is_used(tmp_path: Path, options: tuple[str, ...]) -> None:
    """With the line that takes it."""
    file = kept(tmp_path, "scene.json", {"ruleset": "war-of-ashes", "scene": LISTED["scene"]})

    said = refusal("suggest", file, *options)
    assert said.startswith("narrator: bad_request: request.action: this is required; ")
    assert f"narrator suggest overcome --scene {file}" in said


def test_what_can_be_read_is_a_file() -> None:
    """A pipe holds a request as a file does, and a folder is none, and said to be one."""
    ours, theirs = os.pipe()
    with open(theirs, "wb") as writing:
        writing.write(CYNERE.read_bytes())

    assert made("resolve", f"/dev/fd/{ours}") == made("resolve", FILE)
    assert "examples: Is a directory" in usage("resolve", "examples")
    os.close(ours)


def test_a_scene_that_was_typed_stands_over_that_of_the_file(tmp_path: Path) -> None:
    """A file of the action, and one of the table as it stands now."""
    scene = REQUEST["scene"] | {"aspects": [{"name": "Fog of Dawn"}]}
    file = kept(tmp_path, "scene.json", {"scene": scene})

    assert "Torchlit Gate" in page("reach", FILE)
    assert "Fog of Dawn" in page("reach", FILE, "--scene", file)
    assert "Torchlit Gate" not in page("reach", FILE, "--scene", file)


def test_what_suggest_keeps_is_a_file_of_its_request(tmp_path: Path) -> None:
    """It gives the same page again, the same resolution, chances and reach, though no seed was typed."""
    file = str(tmp_path / "page.json")
    first = made("suggest", FILE, "--save", file)
    rolled = made("suggest", "overcome", "--actor", "Ann", "--save", str(tmp_path / "rolled.json"))

    assert made("suggest", file) == first
    assert made("resolve", file) == first["resolution"] == narrator.resolve(REQUEST).as_json()
    assert made("reach", file) == made("reach", FILE)
    assert made("odds", file) == made("odds", FILE)
    assert made("suggest", str(tmp_path / "rolled.json")) == rolled


BROKEN = {
    "line 2": '{"action":\n {"type": "overcome",}}',
    "object": "[1, 2]",
    "action": '{"action": "jump"}',
    "scene": '{"scene": 5, "action": {"type": "overcome", "actor": "Ann"}}',
    "aspects": '{"scene": {"aspects": "Fog"}, "action": {"type": "overcome", "actor": "Ann"}}',
    "opposition": '{"action": {"type": "overcome", "actor": "Ann", "opposition": 3}}',
    "actor": '{"action": {"type": "overcome", "actor": 7}}',
}


@pytest.mark.parametrize("told", BROKEN)
@pytest.mark.parametrize("options", [(), ("--dice", "0000"), ("--skill", "Lore=2", "--invoke", "Fog")], ids=len)
def test_a_broken_file_is_one_line(tmp_path: Path, told: str, options: tuple[str, ...]) -> None:
    """With options over it as without: what is wrong with the file is said, and where."""
    file = tmp_path / "broken.json"
    file.write_text(BROKEN[told], "utf-8")

    assert told in refusal("resolve", str(file), *options)


@pytest.mark.parametrize("command", ["resolve", "settle", "turn-order", "lines", "check"])
def test_json_that_cannot_be_read_names_its_file_and_line(tmp_path: Path, command: str) -> None:
    """Whichever command reads it, and as a scene as well."""
    file = tmp_path / "broken.json"
    file.write_text('{"scene": {},\n "action" {}}', "utf-8")

    for said in (refusal(command, str(file)), refusal("resolve", "overcome", "--scene", str(file))):
        assert f"{file}: " in said
        assert "line 2" in said
