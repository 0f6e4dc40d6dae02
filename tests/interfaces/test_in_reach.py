"""What is in reach, as the pages say it: what is at hand, what an ally could pass on, and how much more there is."""

import json
from pathlib import Path

import pytest

from narrator.rules.json_text import Json
from tests.interfaces.running import kept, made, page, refusal, run, said

REQUEST: Json = {
    "scene": {
        "aspects": [
            {"name": "Fog", "free_invocations": {"Landon": 1}},
            {"name": "Off Balance", "boost": True, "free_invocations": {"Landon": 1}},
        ],
        "characters": [
            {"name": "Cynere", "side": "pc", "importance": "pc", "fate_points": 1, "aspects": ["Infamous Girl"]},
            {"name": "Landon", "side": "pc", "importance": "pc", "aspects": ["Honest Man"]},
            {"name": "Guest", "side": "guests", "aspects": ["Rumour 1", "Rumour 2"]},
        ],
    },
    "action": {
        "type": "overcome",
        "actor": "Cynere",
        "roll": {"dice": [0, 0, 0, 0]},
        "opposition": {"kind": "passive", "rating": 1},
    },
}
AT_HAND = ("Fog", "Off Balance", "Infamous Girl")
OF_OTHERS = ("Honest Man", "Rumour 1", "Rumour 2")


@pytest.fixture
def file(tmp_path: Path) -> str:
    """The request in a file."""
    return kept(tmp_path, "request.json", REQUEST)


@pytest.fixture
def unrolled(tmp_path: Path) -> str:
    """The same before the dice have fallen."""
    action = {key: value for key, value in REQUEST["action"].items() if key != "roll"}
    return kept(tmp_path, "unrolled.json", {**REQUEST, "action": action, "deal": 1})


@pytest.mark.parametrize("call", ["reach", "resolve"])
def test_what_others_bear_is_counted(call: str, file: str) -> None:
    """The scene's aspects, one's own and what is free are listed; so many more are not."""
    shown = said(page(call, file))

    assert [name for name in (*AT_HAND, *OF_OTHERS) if name in shown] == [*AT_HAND]
    assert "and 3 more on others" in shown
    assert "--all" in shown


def test_all_lists_it(file: str) -> None:
    """And counts nothing any more."""
    shown = said(page("reach", file, "--all"))

    assert all(name in shown for name in (*AT_HAND, *OF_OTHERS))
    assert "more on others" not in shown


def test_a_program_gets_all_of_it(file: str) -> None:
    """With `--all` or without."""
    assert made("reach", file) == made("reach", file, "--all")
    assert {each["aspect"] for each in made("reach", file)["reach"]} == {*AT_HAND, *OF_OTHERS}


@pytest.mark.parametrize("call", ["reach", "resolve"])
def test_what_an_ally_could_pass_on_says_whose_it_is(call: str, file: str) -> None:
    """It is free, if they do."""
    assert "free if Landon passes it on: succeed by 1, with Fog / Off Balance" in said(page(call, file))


def test_a_file_may_say_whose_and_how_many(tmp_path: Path) -> None:
    """As the call has it, beside the request."""
    payload = {"request": REQUEST, "by": "Landon", "limit": 3}
    found = made("reach", kept(tmp_path, "payload.json", payload))["reach"]

    assert [each["held_by"] for each in found] == ["Landon"] * 3


def test_somebody_elses_boost_is_not_paid_for(file: str) -> None:
    """`--invoke` says whose it is, and spends nothing; so does a price that was typed."""
    for typed in ("Off Balance", "Off Balance=fate_point"):
        error = refusal("resolve", file, "--invoke", typed)
        assert "bad_invocation: --invoke: " in error
        assert "belongs to Landon" in error


def test_before_the_roll_all_is_typed_to_choose_from_it(unrolled: str) -> None:
    """By a number that is shown: what is not is none to choose."""
    typed = ("0 0 0 0", "5", "all", "5", "")
    ended = run("suggest", unrolled, "--prepare", "--json", given="".join(f"{each}\n" for each in typed))
    counted, listed = ended.err.split("more on others", 1)

    assert ended.code == 0
    assert "and 3 " in counted
    assert "a number from 1 to 4" in listed
    assert "5 Honest Man" in listed
    assert json.loads(ended.out)["resolution"]["outcome"] == "succeed"


def test_before_the_roll_an_ally_may_pass_something_on(unrolled: str, tmp_path: Path) -> None:
    """It is taken from them once the page is settled."""
    saved = str(tmp_path / "page.json")
    ended = run("suggest", unrolled, "--prepare", "--save", saved, given="0 0 0 0\n3\n\n")
    scene = made("settle", saved, "s")["scene"]

    assert "3 Off Balance, free if Landon passes it on" in said(ended.err)
    assert [each["name"] for each in scene["aspects"]] == ["Fog"]
    assert scene["characters"][0]["fate_points"] == 1
