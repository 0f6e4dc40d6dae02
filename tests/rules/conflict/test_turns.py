"""Turn order: who goes first, what breaks ties, who acts together ("Determine Turn Order" of document 003)."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

import narrator
from narrator import NarratorError
from narrator.rules import cast
from tests.rules.build import Json


def person(name: str, side: str = "pc", quick: int = 0, forceful: int = 0, **more: Any) -> Json:
    """Somebody who is so Quick and so Forceful; Careful the other way round."""
    return {
        "name": name,
        "side": side,
        "skills": {"Quick": quick, "Forceful": forceful, "Careful": 4 - quick},
        **more,
    }


PARTY = [
    person("Olivia", quick=2, forceful=0),
    person("Rolf", quick=1, forceful=3),
    person("Bandit", "foes", quick=1, forceful=1),
    person("Chief", "foes", quick=3, forceful=1),
    person("Deliah", quick=2, forceful=1),
    person("Wolf", "wild", quick=4),
    {"name": "Peasant", "side": "pc"},
]


@pytest.mark.parametrize(
    ("told", "names"),
    [
        pytest.param(
            {"approach": "Quick"},
            ["Wolf", "Chief", "Olivia", "Deliah", "Rolf", "Bandit", "Peasant"],
            id="the quickest first, ties in the order given",
        ),
        pytest.param(
            {"approach": "Careful"},
            ["Rolf", "Bandit", "Olivia", "Deliah", "Chief", "Wolf", "Peasant"],
            id="the most careful first",
        ),
        pytest.param(
            {"approach": "Quick", "ties": ["Forceful"]},
            ["Wolf", "Chief", "Deliah", "Olivia", "Rolf", "Bandit", "Peasant"],
            id="Forceful breaks ties",
        ),
        pytest.param(
            {"approach": "Forceful", "ties": ["Careful", "Quick"]},
            ["Rolf", "Bandit", "Deliah", "Chief", "Olivia", "Wolf", "Peasant"],
            id="a second approach breaks them, and so on",
        ),
        pytest.param(
            {"approach": "Quick", "together": ["foes"]},
            ["Wolf", "Chief", "Bandit", "Olivia", "Deliah", "Rolf", "Peasant"],
            id="a side acts on its best",
        ),
        pytest.param(
            {"approach": "Forceful", "together": ["foes", "pc"]},
            ["Rolf", "Deliah", "Olivia", "Peasant", "Bandit", "Chief", "Wolf"],
            id="two sides, each on its best, by rating within",
        ),
        pytest.param(
            {"approach": "Quick", "first": ["Peasant", "Bandit"]},
            ["Peasant", "Bandit", "Wolf", "Chief", "Olivia", "Deliah", "Rolf"],
            id="an ambush overrides all",
        ),
        pytest.param(
            {"approach": "Quick", "first": ["Rolf"], "together": ["foes"], "ties": ["Forceful"]},
            ["Rolf", "Wolf", "Chief", "Bandit", "Deliah", "Olivia", "Peasant"],
            id="all of it",
        ),
        pytest.param(
            {"approach": "quick", "ties": ["FORCEFUL"]},
            ["Wolf", "Chief", "Deliah", "Olivia", "Rolf", "Bandit", "Peasant"],
            id="whatever the case",
        ),
    ],
)
def test_the_highest_rating_goes_first(told: Json, names: list[str]) -> None:
    """In Python and for a macro alike; what is not rated is Mediocre."""
    scene = {"characters": PARTY}
    approach = told["approach"]
    rest = {key: value for key, value in told.items() if key != "approach"}

    assert names == list(narrator.turn_order(scene, approach, **rest))
    assert {"turn_order": names} == narrator.vtt.run({"call": "turn_order", "request": {"scene": scene, **told}})


def test_a_bad_rating_goes_after_none() -> None:
    """Who is Poor at it goes after those who are not rated."""
    assert narrator.turn_order(
        {"characters": [person("A", quick=-1), {"name": "B", "side": "x"}, person("C", quick=0)]}, "Quick"
    ) == ("B", "C", "A")


def test_two_of_one_name_go_each_in_their_turn() -> None:
    """A scene that lists two guards by one word has both, and neither goes by the other's rating."""
    people = [person("Guard", quick=0), person("Ann", quick=1), person("Guard", "foes", quick=3)]

    assert narrator.turn_order({"characters": people}, "Quick") == ("Guard", "Ann", "Guard")


def test_who_is_taken_out_has_no_turn() -> None:
    """And does not lend their rating to their side."""
    people = [
        person("Ann", quick=1),
        person("Chief", "foes", quick=3, taken_out=True),
        person("Bandit", "foes", quick=0),
    ]

    assert narrator.turn_order({"characters": people}, "Quick", together=["foes"]) == ("Ann", "Bandit")


def test_a_side_that_acts_together_stays_together() -> None:
    """Nobody who is tied with its best comes between."""
    people = [person("Best", "foes", quick=2), person("Ann", quick=2), person("Worst", "foes", quick=0)]

    assert narrator.turn_order({"characters": people}, "Quick", together=["foes"]) == ("Best", "Worst", "Ann")
    assert narrator.turn_order({"characters": [people[1], people[0], people[2]]}, "Quick", together=["foes"]) == (
        "Ann",
        "Best",
        "Worst",
    )


PEOPLE = st.lists(
    st.builds(
        lambda side, quick, forceful, out: {
            **person("?", side, quick=quick, forceful=forceful, taken_out=out),
        },
        st.sampled_from(["pc", "foes", "wild"]),
        st.integers(-1, 2),
        st.integers(0, 1),
        st.sampled_from([False, False, True]),
    ),
    min_size=1,
    max_size=8,
).map(lambda people: [{**each, "name": f"N{number}"} for number, each in enumerate(people)])


@given(people=PEOPLE, data=st.data())
def test_whoever_is_best_of_those_left_goes_next(people: list[Json], data: st.DataObject) -> None:
    """Taken one by one: of whoever is left the best, or the best of a side that acts together, and then that side."""
    together = data.draw(st.sets(st.sampled_from(sorted({each["side"] for each in people}))))
    first = data.draw(st.lists(st.sampled_from([each["name"] for each in people]), max_size=3))
    present = {each["name"]: each for each in people if not each.get("taken_out")}

    def better(one: Json, other: Json) -> bool:
        for skill in ("Quick", "Forceful"):
            if one["skills"][skill] != other["skills"][skill]:
                return bool(one["skills"][skill] > other["skills"][skill])
        return people.index(one) < people.index(other)

    def best(group: list[Json]) -> Json:
        return next(each for each in group if not any(better(other, each) for other in group))

    def speaks_for(somebody: Json) -> Json:
        """Whose rating decides when they act: their own, or that of their side's best, whenever that one acts."""
        side = [each for each in present.values() if each["side"] == somebody["side"]]
        return best(side) if somebody["side"] in together else somebody

    expected = [name for number, name in enumerate(first) if name in present and name not in first[:number]]
    left = [each for name, each in present.items() if name not in expected]
    while left:
        leader = best([speaks_for(each) for each in left])
        group = [each for each in left if speaks_for(each) is leader]
        while group:
            after = best(group)
            group.remove(after)
            left.remove(after)
            expected.append(after["name"])

    found = narrator.turn_order({"characters": people}, "Quick", ties=["Forceful"], together=[*together], first=first)
    assert list(found) == expected


@pytest.mark.parametrize("number", [20, 500])
def test_everybody_is_looked_at_once(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many are there and on one side: each rating is looked up once, and nobody is compared with anybody."""
    looked_up, compared = [], []
    scene = narrator.Scene.read({"characters": [person(f"N{each}", quick=each % 5) for each in range(number)]})

    def counted(character: narrator.Character, skill: str | None) -> int:
        looked_up.append((character.name, skill))
        return character.skills.get(skill or "", 0)

    def equal(one: object, other: object) -> bool:
        compared.append((one, other))
        return one is other

    monkeypatch.setattr(cast, "rating", counted)
    monkeypatch.setattr(narrator.Character, "__eq__", equal)
    found = narrator.turn_order(scene, "Quick", ties=["Forceful"], together=["pc"], first=["N3"])

    assert len(found) == number
    assert (len(looked_up), len(set(looked_up)), len(compared)) == (2 * number, 2 * number, 0)


def test_nobody_has_no_order() -> None:
    """An empty scene is a scene."""
    assert narrator.turn_order({}, "Quick") == ()


@pytest.mark.parametrize(
    ("told", "code", "field", "allowed"),
    [
        ({"first": ["Rolf", "Nobody"]}, "unknown_character", "first.1", [each["name"] for each in PARTY]),
        ({"together": ["monsters"]}, "bad_request", "together.0", ["foes", "pc", "wild"]),
        ({"approach": "Flying"}, "bad_request", "approach", ["Careful", "Forceful", "Quick"]),
        ({"approach": "Quikc"}, "bad_request", "approach", ["Careful", "Forceful", "Quick"]),
        ({"ties": ["Careful", "Flying"]}, "bad_request", "ties.1", ["Careful", "Forceful", "Quick"]),
    ],
    ids=["a name", "a side", "an approach", "a mistyped approach", "an approach that breaks ties"],
)
def test_an_order_of_nobody_is_refused(told: Json, code: str, field: str, allowed: list[str]) -> None:
    """By a name, a side or an approach that nobody has; the error names those that there are."""
    with pytest.raises(NarratorError) as caught:
        narrator.turn_order({"characters": PARTY}, **{"approach": "Quick", **told})

    assert (code, f"request.{field}", allowed) == (
        caught.value.code,
        caught.value.field,
        list(caught.value.allowed or ()),
    )


@pytest.mark.parametrize(("told", "meant"), [({"first": ["Rofl"]}, "Rolf"), ({"together": ["Foes"]}, "foes")], ids=str)
def test_a_mistyped_name_or_side_is_met_with_the_one_meant(told: Json, meant: str) -> None:
    """As everywhere else."""
    with pytest.raises(NarratorError, match=f"did you mean {meant}"):
        narrator.turn_order({"characters": PARTY}, "Quick", **told)
