"""One line as people type it: what it is read as, and what is asked back and never guessed."""

import json
import re
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st

import narrator
from narrator import NarratorError, ReadLine
from narrator.rules.json_text import Json
from tests.campaigns.playing import refusal
from tests.line.saying import SCENES


def read(scene: str, text: str, page: Any = None) -> ReadLine:
    """What a line is in one of the scenes."""
    return narrator.say(text, SCENES[scene]["scene"], page, SCENES[scene]["ruleset"])


def action(scene: str, text: str) -> Json:
    """The action that a line is read as."""
    found = read(scene, text)
    assert found.request is not None, f"{text!r} is asked about: {found.ask}"
    told: Json = found.request.as_json()["action"]
    return told


def asked(scene: str, text: str) -> list[str]:
    """The lines that would do, of one that is asked about."""
    found = read(scene, text)
    assert found.ask is not None, f"{text!r} is read as {[each.as_ for each in found.read]}"
    assert (found.request, found.move, found.choice) == (None, None, None)
    return [each.text for each in found.readings or ()]


@pytest.mark.parametrize("who", ["cyn", "Cynere", "CYNERE", "the cynere", "cyn's", "ok cyn,"])
def test_names_are_known_by_their_beginnings(who: str) -> None:
    """In capitals or not, with an article or not; skills and aspects too."""
    found = action("gate", f"{who} ste vs the guards' noti, slip past +shiny")

    assert (found["actor"], found["skill"], found["intent"]) == ("Cynere", "Stealth", "slip past")
    assert (found["opposition"]["by"], found["opposition"]["skill"]) == ("Gate Guards", "Notice")
    assert [each["aspect"] for each in found["invocations"]] == ["Tempted by Shiny Things"]


def test_a_whole_name_is_nobody_else() -> None:
    """Og is Og where his friend stands beside him."""
    assert action("warehouse", "og phys vs 2")["actor"] == "Og"
    assert action("warehouse", "og's friend shoot vs 2")["actor"] == "Og's Friend"
    assert asked("manor", "vell deceive vs 2") == ["Lady Vell deceive vs 2", "Lord Vell deceive vs 2"]


@pytest.mark.parametrize("typed", ["+0-0", "+0−0", "+ 0 - 0", "(+0-0)"])
def test_dice_are_four_signs(typed: str) -> None:
    """Together or apart, in any of the ways one types a minus."""
    assert action("gate", f"cyn stealth {typed} vs 2")["roll"] == {"dice": [1, 0, -1, 0]}
    assert read("gate", f"cyn stealth {typed}+ vs 2").ask


@pytest.mark.parametrize(
    ("line", "against"),
    [
        ("cyn stealth vs 2", {"kind": "passive", "rating": 2}),
        ("cyn stealth vs fair", {"kind": "passive", "rating": 2}),
        ("cyn stealth vs guards will", {"kind": "active", "by": "Gate Guards", "skill": "Will"}),
        ("cyn stealth vs guards total 3", {"kind": "active", "by": "Gate Guards", "roll": {"total": 3}}),
        ("cyn attacks orsolo fight vs 3", {"kind": "defend", "by": "Captain Orsolo", "roll": {"total": 3}}),
        ("cyn attacks orsolo fight vs will", {"kind": "defend", "by": "Captain Orsolo", "skill": "Will"}),
    ],
)
def test_what_opposes_is_of_the_kind_that_the_rules_have(line: str, against: Json) -> None:
    """A rating, or somebody; of an attack a number is what the other rolled in all."""
    found = action("gate", line)["opposition"]

    assert {name: found.get(name) for name in against} == against


def test_dice_are_of_the_side_behind_which_they_stand() -> None:
    """Of the other's only where the actor's are told."""
    found = action("gate", "cyn stealth +0-0 vs guards will 00-+ slip by")

    assert (found["roll"], found["opposition"]["roll"]) == ({"dice": [1, 0, -1, 0]}, {"dice": [0, 0, -1, 1]})
    assert action("gate", "cyn stealth vs 2 slip by +0-0")["roll"] == {"dice": [1, 0, -1, 0]}


@pytest.mark.parametrize(
    "line",
    [
        "cyn stealth +2 vs 3",
        "cyn stealth vs guards will 3",
        "cyn stealth vs guards will +0-0",
        "cyn fight 0000 vs guards fight",
        "cyn missed orsolo",
        "cyn attacks orsolo fight",
        "cyn hits orsolo",
        "cyn will not run vs 2",
        "cyn steal the keys vs 2",
        "cyn stealth or athletics vs 2",
        "cyn and zird stealth vs 2",
        "cyn doesn't sneak past with stealth vs 2",
        "cyn tied the rope",
        "cyn stealth 0000 0000 vs 2",
        "cyn stealth vs 2 vs guards",
        "cyn stealth vs 2 guards",
        "cyn stealth against great odds",
        "cyn stealth vs guards",
        "cyn stealth +0-0 vs guards 0+00 slip by",
        "cyn stealth +0-0 vs gu no 0+00 slip by",
        "cyn athletics vs 2 leaps at him and stabs orsolo",
        "cyn failed, then succeeded",
        "cyn stealth 0000 failed",
        "guard the door with fight vs 2",
        "i sneak past with stealth vs 2",
        "landon stealth vs 2",
        "cyn stelth vs 2",
        "stealth vs 2",
        "cyn stealth sneak past",
        "cyn rapport vs guards will let us in",
        "zird caa on orsolo lore vs 2",
        "cyn succeeded by two",
        "cyn missed vs guards and orsolo",
        "cyn stealth vs 2 slip by 2x +torch",
        "cyn stealth vs 2 slip by; guards +torch",
        "cyn attacks the captain's guards with fight vs 2",
        "cyn fight vs 2 throw orsolo off",
        "cyn stealth vs 2 invoke torch",
        "cyn stealth vs 2 +torch light",
        "cyn succeeded at stealth, by the wall",
        "cyn succeeded barely by 1 over the wall",
        "cyn caa on torch with stealth vs 2",
        "compel cyn girl",
        "cyn concedes the gate",
        "+torch",
        "f2",
    ],
)
def test_what_has_two_readings_is_asked_back(line: str) -> None:
    """Or lacks something that a roll wants."""
    asked("gate", line)


def test_a_word_counts_as_an_outcome_in_its_place_alone() -> None:
    """Right behind who acts, or their deed or skill; else it is a word of the sentence."""
    missed = action("docks", "tomas missed the jump by 2")

    assert (missed["outcome"], missed["shifts"], missed["intent"]) == ("fail", -2, "the jump")
    assert action("gate", "cyn hits orsolo for 3")["target"] == "Captain Orsolo"
    assert action("docks", "tomas quick vs 2 hit the deck")["intent"] == "hit the deck"


def test_w_is_with_and_begins_no_name() -> None:
    """Neither Will nor whoever of the watch is there."""
    assert action("gate", "cyn attacks orsolo w fight vs 2")["skill"] == "Fight"
    assert action("gate", "cyn w fight vs 2 hold the door")["skill"] == "Fight"


def test_an_advantage_is_made_of_an_aspect_in_play() -> None:
    """By its whole name; a beginning may be a place, and is asked about."""
    told = action("gate", "cyn caa on torchlit gate with stealth vs 2 keep to the shadow")

    assert (told["variant"], told["aspect"]) == ("existing_aspect", "Torchlit Gate")
    assert told["intent"] == "keep to the shadow"


def test_a_name_may_have_a_comma_and_a_hyphen() -> None:
    """As they stand in the scene."""
    aspects = [{"name": "Honest, When He Can"}, {"name": "Rain-Slick Cobbles"}]
    scene = SCENES["gate"]["scene"] | {"aspects": aspects}
    request = narrator.say("cyn stealth vs 2 slip by +honest, when he can +slick", scene).request
    assert request is not None
    assert [each.aspect for each in request.action.invocations] == [each["name"] for each in aspects]
    assert request.action.intent == "slip by"


def test_an_aspect_is_free_where_it_can_be() -> None:
    """Else it costs a point; whoever it is by stands on their own side."""
    free = action("gate", "cyn stealth vs 2 +torch")["invocations"]
    theirs = action("warehouse", "landon fight vs 2 lift it +hemmed by og")

    assert [each["pay"] for each in free] == ["free"]
    assert [each["pay"] for each in action("gate", "zird lore vs 2 +torch")["invocations"]] == ["fate_point"]
    assert not theirs.get("invocations")
    assert [(each["by"], each["pay"]) for each in theirs["opposition"]["invocations"]] == [("Og", "free")]
    assert len(asked("warehouse", "landon athletics vs 3 +hemmed")) == 2, "who invokes it?"


@pytest.mark.parametrize(
    ("scene", "line", "move"),
    [
        ("warehouse", "landon concedes", {"type": "concede", "who": "Landon"}),
        ("docks", "tomas leaves", {"type": "leave", "who": "Tomas"}),
        ("gate", "next", {"type": "turn"}),
        ("gate", "end the scene", {"type": "end_scene"}),
        ("gate", "drop crowd", {"type": "drop", "name": "Gathering Crowd"}),
    ],
)
def test_what_happens_between_rolls_is_a_move(scene: str, line: str, move: Json) -> None:
    """And one that the call takes."""
    assert read(scene, line).move == move
    narrator.MoveRequest.read({"scene": SCENES[scene]["scene"], "move": move})


def test_somebody_away_comes_back() -> None:
    """Whoever is there does not; a clock ticks once, or as often as is said."""
    scene = SCENES["docks"]["scene"] | {
        "away": [{"name": "Jonas", "side": "pc"}],
        "clocks": [{"name": "Alarm", "boxes": 4}],
    }

    assert narrator.say("jonas enters", scene).move == {"type": "enter", "who": "Jonas"}
    assert narrator.say("jonas sneaky vs 2", scene).ask
    assert narrator.say("tick al 2", scene).move == {"type": "clock", "name": "Alarm", "tick": 2}


def test_an_open_page_takes_one_more_aspect_and_a_choice() -> None:
    """Its dice stay as they fell; letters that it has not are asked about, with those that it has."""
    roll = read("gate", "zird lore 0--0 vs 5 read the runes").request
    assert roll is not None
    answer = narrator.suggest(roll, source="deck")
    page = {"request": roll.as_json(), "answer": answer.as_json()}
    more, chosen = read("gate", "+collegia", page), read("gate", "s1", page).choice

    assert more.request is not None
    assert more.request.action.invocations[0].aspect == "Collegia Arcana Dropout"
    assert more.request.action.roll == roll.action.roll
    assert chosen is not None
    assert narrator.settle(roll.model_copy(update={"seed": answer.resolution.seed}), chosen).changes
    assert "s1" in [each.text for each in read("gate", "z9", page).readings or ()]


def test_a_consequence_is_chosen_with_how_the_hit_is_absorbed() -> None:
    """Where letters cannot tell that, it is asked about; what is offered then is taken by `settle`."""
    roll = read("warehouse", "og attacks landon fight ++++ vs 4").request
    assert roll is not None
    answer = narrator.suggest(roll, source="deck")
    roll = roll.model_copy(update={"seed": answer.resolution.seed})
    page = {"request": roll.as_json(), "answer": answer.as_json()}
    offered = read("warehouse", "h", page)

    assert offered.ask
    assert offered.readings
    for each in offered.readings:
        assert narrator.settle(roll, read("warehouse", each.text, page).choice or {}).changes


@pytest.mark.parametrize("text", ["", " ", "x" * 501, "cyn\nstealth", "cyn \x1b[31m", 3, None])
def test_what_is_no_line_is_refused(text: Any) -> None:
    """By its field."""
    assert refusal(narrator.say, text, SCENES["gate"]["scene"]).field == "request.text"


def test_every_word_is_accounted_for() -> None:
    """As some part, or of what the actor is after."""
    line = "zird creates an advantage with lore ++0- vs 3, draw a circle +dropout"
    read_as = " ".join(each.text for each in read("gate", line).read)

    assert {word.strip(",") for word in line.split()} <= {word.strip(",") for word in read_as.split()}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", {"Cynere", "next"}),
        ("cyn ste", {"Stealth"}),
        ("cyn stealth v", {"vs"}),
        ("cyn stealth vs f", {"fair"}),
        ("cyn stealth vs guards w", {"Will"}),
        ("cyn stealth vs 2 +t", {"+Torchlit Gate", "+Tempted by Shiny Things"}),
        ("turn o", {"Captain Orsolo"}),
    ],
)
def test_a_word_is_completed_by_its_place(line: str, words: set[str]) -> None:
    """Out of the scene, and each of them begins as was typed."""
    assert words <= {*narrator.complete(line, SCENES["gate"]["scene"])}


WORDS = re.findall(
    r"\S+",
    """
cyn zird orsolo guards gate will notice stealth fight lore ste fi w caa attacks defends discovers overcomes landon og
mara tomas brask ines lady vell vs vs against with by for on and or the a 2 -1 +2 sum total +0-0 00++ ---- +- + missed
tied tie hits hit failed succeeded style fair good +torch +not +x free fp reroll next turn end scene drop tick compel
leaves enters accepted s1 f , - concedes sneak past 0 İ ß ' +' please w/
""",
)


@pytest.mark.parametrize("scene", SCENES)
@settings(max_examples=150, deadline=None)
@given(text=st.one_of(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), st.text(max_size=60)))
@example(text="turn")
@example(text="+")
def test_any_line_is_read_or_asked_back(scene: str, text: str) -> None:
    """Or refused as no line. What is offered in its place is read without a question, as is said of it."""
    try:
        found = read(scene, text)
    except NarratorError:
        return
    told = (found.request, found.move, found.choice, found.ask)
    assert sum(each is not None for each in told) == 1, text
    json.dumps(found.as_json())
    for each in found.readings or ():
        again = read(scene, each.text)
        assert again.ask is None, f"{text!r} offers {each.text!r}: {again.ask}"
        assert each.as_ == "; ".join(part.as_ for part in again.read)
