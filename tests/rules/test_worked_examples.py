"""The worked examples of the documents, by the numbers that stand there."""

import pytest

from narrator.rules.json_text import Json
from tests.rules.build import resolved, shown

CYNERE: Json = {
    "name": "Cynere",
    "side": "pc",
    "importance": "pc",
    "skills": {"Resources": 1},
    "aspects": ["Infamous Girl with Sword"],
    "fate_points": 3,
    "stress": {"physical": {"boxes": [1, 2], "marked": [1]}, "mental": {"boxes": [1, 2], "marked": []}},
    "consequences": [
        {"severity": "mild", "name": None},
        {"severity": "moderate", "name": "Cracked Ribs"},
        {"severity": "severe", "name": None},
    ],
    "weight": 1,
    "zone": None,
    "bad_at": [],
    "roar": None,
}

BRIBE: Json = {
    "version": "narrator/v1",
    "ruleset": "five-actions",
    "scene": {
        "summary": "Night at the south gate of Thaalor.",
        "frame": None,
        "facts": ["The city shuts its gates at dusk."],
        "recent": ["Rain Since Noon"],
        "aspects": [{"name": "Torchlit Gate", "on": None, "free_invocations": {"Cynere": 1}, "boost": False}],
        "characters": [
            CYNERE,
            {"name": "Gate Guards", "side": "opposition", "importance": "nameless", "skills": {"Will": 0}},
        ],
        "zones": [{"name": "Gatehouse", "adjacent": ["South Road"], "aspects": ["Narrow Arch"]}],
        "tone": "sword and sorcery",
        "language": "en",
        "lines": ["harm to children"],
        "veils": ["torture"],
    },
    "action": {
        "type": "overcome",
        "variant": None,
        "actor": "Cynere",
        "skill": "Resources",
        "attribute": None,
        "target": None,
        "aspect": None,
        "intent": "bribe the guards to be let in after curfew",
        "roll": {"dice": [1, 0, 0, 0]},
        "bonus": 0,
        "helpers": [],
        "full_defense": False,
        "weight_matters": None,
        "invocations": [],
        "maneuver": None,
        "path": None,
        "attack": {"track": "physical", "melee": True, "heavy_weapon": False, "whole_zone": False, "lethal": False},
        "opposition": {"kind": "active", "by": "Gate Guards", "skill": "Will", "roll": {"dice": [1, 1, 1, 0]}},
    },
    "branch": None,
    "per_slot": 3,
    "seed": None,
}
"""The bribe at the gate, as the contract writes it, with every field."""


def alone(name: str, roll: int, against: int, **action: object) -> Json:
    """One player's character, told a roll against a rating, with nobody on another side."""
    scene = {"characters": [{"name": name, "side": "pc", "importance": "pc"}], "aspects": [{"name": "Quick to Anger"}]}
    opposition = {"kind": "passive", "rating": against}
    return {"scene": scene, "action": {"actor": name, "roll": {"total": roll}, "opposition": opposition, **action}}


EXAMPLES = {
    # Totals and outcome, and the branches in the notation of the tables. Of the costs that a row offers a document
    # tells the one that is taken; the others, for which … stands, are the row's.
    "000: Cynere bribes the guards, and is beaten by one": (
        BRIBE,
        (2, 3, "fail"),
        ["[fail] ✗", "[serious_cost] ✓ → *serious_cost: … opposition_advantage(Gate Guards 1 free)"],
    ),
    "000: the magistrate's secret is learned, and the authorities are a new aspect that the GM invokes for free": (
        alone("Malcolm", 0, 1, type="discover", aspect="The Magistrate's Dark Secret", variant="aspect"),
        (0, 1, "fail"),
        ["[fail] ✗", "[serious_cost] ✓ → *serious_cost: … troubling_aspect(GM 1 free)"],
    ),
    "000: the thief's part of town is known, and the guild's contract is an aspect without a free invocation": (
        alone("Reggie", 0, 2, type="discover", variant="new_information"),
        (0, 2, "fail"),
        ["[fail] ✗", "[serious_cost] ✓ → *serious_cost: … troubling_aspect(nobody 0 free)"],
    ),
    "000: rough terrain becomes rocks on the path, a boost": (
        alone("Reggie", 1, 1, type="create_advantage", aspect="Rough Terrain"),
        (1, 1, "tie"),
        ['[boost] ◐ → *boost "Rough Terrain": boost(Reggie 1 free)'],
    ),
    "000: the Administrator, quick to anger, is riled up for one free invocation": (
        alone("Malcolm", 3, 1, type="create_advantage", variant="existing_aspect", aspect="Quick to Anger"),
        (3, 1, "succeed"),
        ["[invocation] ✓ → +free_invocations(Malcolm 1 on Quick to Anger)"],
    ),
}


@pytest.mark.parametrize(("request_", "told", "branches"), EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_comes_out_as_its_document_tells_it(
    request_: Json, told: tuple[int, int, str], branches: list[str]
) -> None:
    """Totals, shifts, outcome and what there is to choose are those of the document."""
    answer = resolved(request_)

    assert (answer["roll"]["total"], answer["opposition"]["total"], answer["outcome"]) == told
    assert answer["shifts"] == told[0] - told[1]
    for line, found in zip(branches, shown(answer), strict=True):
        parts = line.split("…")
        assert [part for part in parts if part not in found] == []
        assert len(parts) > 1 or line == found


def test_cyneres_roll_is_made_of_what_the_document_adds_up() -> None:
    """One from the dice and one from Resources are Fair; three from the dice and no Will are Good."""
    answer = resolved(BRIBE)

    plain, ours, theirs = {"bonus": 0, "invoked": 0}, [1, 0, 0, 0], [1, 1, 1, 0]
    fair = {"dice": ours, "rolled": ours, "skill": 1, "total": 2, "ladder": "Fair"}
    good = {"dice": theirs, "rolled": theirs, "skill": 0, "total": 3, "ladder": "Good"}
    assert answer["roll"] == plain | fair
    assert answer["opposition"] == plain | good | {"kind": "active", "by": "Gate Guards"}


def test_the_answer_says_what_was_asked() -> None:
    """Ruleset, source and action are told as the contract has them, and what does not apply is left out."""
    answer = resolved(BRIBE)

    assert (answer["ruleset"], answer["notices"]) == ("five-actions", [])
    assert answer["action"] == {"type": "overcome", "actor": "Cynere", "skill": "Resources"}
    assert answer["source"] == {"document": "Fate Core with Discover", "section": "Overcome"}


def test_an_invoked_aspect_would_have_let_cynere_in() -> None:
    """The torchlight, invoked for free, is 4 against 3: she succeeds by one."""
    action = BRIBE["action"] | {"invocations": [{"aspect": "Torchlit Gate", "use": "bonus", "pay": "free"}]}

    answer = resolved(BRIBE | {"action": action})

    assert (answer["roll"]["total"], answer["roll"]["ladder"], answer["shifts"]) == (4, "Great", 1)
    assert shown(answer) == ["[succeed] ✓"]


def test_little_sent_is_the_same_as_much_sent() -> None:
    """A macro that knows the names and the dice alone gets the same row."""
    against = {"kind": "active", "by": "Gate Guards", "roll": {"dice": [1, 1, 1, 0]}}
    little = {"type": "overcome", "actor": "Cynere", "bonus": 1, "roll": {"dice": [1, 0, 0, 0]}, "opposition": against}

    assert shown(resolved(BRIBE)) == shown(resolved({"action": little}))
