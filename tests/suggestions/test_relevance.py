"""A long campaign's scene stays under a bound by what matters to the action, never by cutting the end."""

import json
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from narrator.api import pipeline_run
from narrator.rules.json_text import Json
from narrator.suggestions.prompt.messages import MOST
from narrator.suggestions.prompt.relevance import clipped, fitting, json_line
from tests.campaign import HEROES, PLACES, TOWN, evening, facts
from tests.fake_sources import data_of

AROUND = 400
"""Characters of a scene's field names, and of what is short in it."""
BOUND = sum(MOST.values()) + AROUND


def told(request: Json) -> Json:
    """The scene as the prompt tells it."""
    brief = pipeline_run.first_brief(request)
    assert brief is not None
    scene: Json = data_of(brief)["scene"]
    return scene


def about(intent: str, *, actor: str = "Ysolde Marr", **scene: object) -> Json:
    """A request for an action with this intent, in a scene with this in it."""
    action = {"type": "overcome", "actor": actor, "intent": intent, "outcome": "fail"}
    return {"scene": scene, "action": action, "deal": 1}


KNOWN = facts(400)
WORDS = st.text(max_size=80) | st.sampled_from(KNOWN)
PEOPLE = st.lists(st.sampled_from([*HEROES, *TOWN]), unique=True, max_size=16)


@st.composite
def crowded(draw: st.DrawFn) -> Json:
    """A request with a scene that may be anything, and large."""
    listed = draw(PEOPLE)
    chance = Random(draw(st.integers(0, 99)))
    names = [*listed, *(f"Somebody {number}" for number in range(draw(st.integers(0, 300))))] if listed else []
    aspects = draw(st.lists(st.text(min_size=1, max_size=60), max_size=12))
    scene: Json = {
        "summary": draw(st.text(max_size=60)) * draw(st.integers(1, 60)),
        "tone": draw(st.text(max_size=60)) * 9,
        "facts": [*draw(st.lists(WORDS, max_size=12)), *KNOWN[: draw(st.integers(0, 400))]],
        "recent": draw(st.lists(WORDS, max_size=30)),
        "lines": draw(st.lists(st.text(min_size=1, max_size=50), max_size=200)),
        "veils": draw(st.lists(st.text(min_size=1, max_size=50), max_size=5)),
        "aspects": [{"name": name} for name in aspects],
        "zones": [{"name": place, "aspects": aspects} for place in PLACES],
        "characters": [
            {
                "name": each,
                "side": "pc" if each in HEROES else "town",
                "aspects": aspects,
                "zone": chance.choice(PLACES),
            }
            for each in names
        ],
    }
    actor, target = (chance.choice(listed) for _ in range(2)) if listed else ("Ysolde Marr", "Old Maren")
    intent = draw(st.text(max_size=60)) * 30
    action = {"type": "overcome", "actor": actor, "outcome": "fail", "intent": intent}
    return {"scene": scene, "action": action | {"opposition": {"by": target}}, "deal": 1}


@settings(max_examples=25)
@given(crowded())
def test_a_scene_is_never_over_the_bound(request: Json) -> None:
    """Whatever is in it: lines and veils come on top, told whole, those involved are told before all others, nothing
    is told that is not so, and the same request is told the same.
    """
    told_of, action, scene = request["scene"], request["action"], told(request)
    assert json_line(scene) == json_line(told(json.loads(json.dumps(request))))
    assert scene.pop("never_touch", []) == [*told_of["lines"], *told_of["veils"]]
    assert len(json_line(scene)) <= BOUND
    assert {*scene.get("facts", [])} <= {*told_of["facts"]}
    assert {*scene.get("said_lately", [])} <= {*told_of["recent"]}
    wanted = [*dict.fromkeys((action["actor"], action["opposition"]["by"]))] if told_of["characters"] else []
    assert [each["name"] for each in scene.get("characters", [])][: len(wanted)] == wanted


@pytest.mark.parametrize("place", [0, 57, 199])
def test_what_the_action_is_about_comes_first(place: int) -> None:
    """However long ago it was said, in whatever form of its words."""
    known = [f"The {number} mill stands by the river and grinds for the whole town." for number in range(199)]
    known.insert(place, "Quill forged three pardons for smugglers.")
    assert told(about("show the forged pardon to the smuggler", facts=known))["facts"][0] == known[place]


def test_of_what_has_nothing_to_do_with_it_the_newest_is_told() -> None:
    """As far as there is room."""
    known = [f"The {number} mill stands by the river and grinds for the whole town." for number in range(200)]
    said = told(about("sing", facts=known))["facts"]
    assert 5 < len(said) < 40
    assert said == known[: -len(said) - 1 : -1]


def test_a_rare_word_weighs_more_than_one_of_every_fact() -> None:
    """The actor's name is in all of them, the key in one."""
    known = ["Ysolde Marr hid the bronze key.", *(f"Ysolde Marr owes a debt to number {n}." for n in range(100))]
    assert told(about("find the bronze key", facts=known))["facts"][0] == known[0]


def test_people_and_aspects_are_told_by_what_they_have_to_do_with_it() -> None:
    """Who is named in the intent, and what is on the place where one is, before a crowd."""
    crowd = [{"name": f"Somebody {number}", "side": "town"} for number in range(200)]
    people = [*crowd, {"name": "Old Maren", "side": "town"}]
    people += [{"name": "Ysolde Marr", "side": "pc", "zone": "Bell Tower"}]
    zones = [{"name": place, "aspects": [f"Mud {number}"]} for number, place in enumerate(PLACES)]
    scene = told(about("ask Maren for the rope", characters=people, zones=zones))

    assert [each["name"] for each in scene["characters"]][:2] == ["Ysolde Marr", "Old Maren"]
    assert scene["aspects_in_play"][0] == {"name": f"Mud {PLACES.index('Bell Tower')}", "on": "Bell Tower"}


def test_of_a_crowd_to_choose_from_those_are_named_who_are_told() -> None:
    """In the prompt; the schema allows everybody whom the row does."""
    people = [{"name": "Ysolde Marr", "side": "pc"}, *({"name": f"Somebody {n}", "side": "x"} for n in range(300))]
    brief = pipeline_run.first_brief(about("ask Somebody 250", characters=people))
    assert brief is not None
    data = data_of(brief)
    known = {*(each["name"] for each in data["scene"]["characters"]), *data["scene"]["also_here"]}
    named = [form["to"] for form in data["wanted"][0]["forms"] if "to" in form]

    assert all({*names} <= known for names in named)
    assert any("Somebody 250" in names for names in named)
    assert "Somebody 1" in json.dumps(brief.schema)


def test_an_evening_stays_under_the_bound() -> None:
    """Forty rolls over a campaign of two hundred facts, and what was said lately."""
    for request in evening():
        scene = told(request)
        size = len(json_line(scene))
        assert size <= BOUND < len(json.dumps(request["scene"])) / 3


@given(st.text(max_size=600), st.integers(2, 300))
def test_a_text_is_cut_where_it_fits(text: str, most: int) -> None:
    """What is kept is its beginning, and all of it where there is room."""
    kept = clipped(text, most)
    assert text.startswith(kept)
    assert len(json_line(kept)) <= most
    assert kept == text or len(json_line(text)) > most


def test_a_text_is_cut_behind_a_sentence() -> None:
    """Else behind a word, else anywhere."""
    assert clipped("One is here. Two is there. Three is gone.", 30) == "One is here. Two is there."
    assert clipped("One is here and two is there", 14) == "One is here"
    assert clipped("Onetwothree", 6) == "Onet"


def test_what_is_too_long_leaves_its_room_to_others() -> None:
    """The rest is told in its order."""
    assert fitting(["aa", "b" * 50, "cc", "dd"], 10) == ["aa", "cc"]
