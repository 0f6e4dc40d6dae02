"""Turn order: who goes first, what breaks ties, who acts together ("Determine Turn Order" of document 003)."""

import time
from typing import Any

import pytest
from hypothesis import given, strategies as st

import narrator
from narrator import NarratorError
from narrator.rules.json_text import Json


def person(name: str, side: str = "pc", quick: int = 0, forceful: int = 0, **more: Any) -> Json:
    """Somebody who is so Quick and so Forceful; Careful the other way round."""
    skills = {"Quick": quick, "Forceful": forceful, "Careful": 4 - quick}
    return {"name": name, "side": side, "skills": skills, **more}


PARTY = [
    person("Olivia", quick=2, forceful=0),
    person("Rolf", quick=1, forceful=3),
    person("Bandit", "foes", quick=1, forceful=1),
    person("Chief", "foes", quick=3, forceful=1),
    person("Deliah", quick=2, forceful=1),
    person("Wolf", "wild", quick=4),
    {"name": "Peasant", "side": "pc"},
]


ORDERS: dict[str, tuple[Json, str]] = {
    # what is asked beside the scene, and who acts when
    "the quickest first, ties in the order given": (
        {"approach": "Quick"},
        "Wolf Chief Olivia Deliah Rolf Bandit Peasant",
    ),
    "the most careful first": ({"approach": "Careful"}, "Rolf Bandit Olivia Deliah Chief Wolf Peasant"),
    "Forceful breaks ties": (
        {"approach": "Quick", "ties": ["Forceful"]},
        "Wolf Chief Deliah Olivia Rolf Bandit Peasant",
    ),
    "a second approach breaks them, and so on": (
        {"approach": "Forceful", "ties": ["Careful", "Quick"]},
        "Rolf Bandit Deliah Chief Olivia Wolf Peasant",
    ),
    "a side acts on its best": (
        {"approach": "Quick", "together": ["foes"]},
        "Wolf Chief Bandit Olivia Deliah Rolf Peasant",
    ),
    "two sides, each on its best, by rating within": (
        {"approach": "Forceful", "together": ["foes", "pc"]},
        "Rolf Deliah Olivia Peasant Bandit Chief Wolf",
    ),
    "an ambush overrides all": (
        {"approach": "Quick", "first": ["Peasant", "Bandit"]},
        "Peasant Bandit Wolf Chief Olivia Deliah Rolf",
    ),
    "all of it": (
        {"approach": "Quick", "first": ["Rolf"], "together": ["foes"], "ties": ["Forceful"]},
        "Rolf Wolf Chief Bandit Deliah Olivia Peasant",
    ),
    "whatever the case": ({"approach": "quick", "ties": ["FORCEFUL"]}, "Wolf Chief Deliah Olivia Rolf Bandit Peasant"),
}


@pytest.mark.parametrize(("told", "names"), ORDERS.values(), ids=ORDERS)
def test_the_highest_rating_goes_first(told: Json, names: str) -> None:
    """What is not rated is Mediocre."""
    assert names.split() == list(narrator.turn_order({"characters": PARTY}, **told))


def test_a_macro_has_the_order_too() -> None:
    """As a list."""
    told, names = ORDERS["all of it"]
    payload = {"call": "turn_order", "request": {"scene": {"characters": PARTY}, **told}}

    assert {"turn_order": names.split()} == narrator.vtt.run(payload)


def test_a_bad_rating_goes_after_none() -> None:
    """Who is Poor at it goes after those who are not rated."""
    people = [person("A", quick=-1), {"name": "B", "side": "x"}, person("C", quick=0)]

    assert narrator.turn_order({"characters": people}, "Quick") == ("B", "C", "A")


def test_two_of_one_name_go_each_in_their_turn() -> None:
    """A scene that lists two guards by one word has both, and neither goes by the other's rating."""
    people = [person("Guard", quick=0), person("Ann", quick=1), person("Guard", "foes", quick=3)]

    assert narrator.turn_order({"characters": people}, "Quick") == ("Guard", "Ann", "Guard")


PEOPLE = st.lists(
    st.builds(
        lambda side, quick, forceful, out: person("?", side, quick, forceful, taken_out=out),
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


def test_a_crowd_has_its_order_at_once() -> None:
    """However many are there and on one side, nobody is compared with everybody."""
    crowd = narrator.Scene.read({"characters": [person(f"N{each}", quick=each % 5) for each in range(500)]})
    before = time.process_time()

    found = narrator.turn_order(crowd, "Quick", ties=["Forceful"], together=["pc"], first=["N3"])

    assert len(found) == 500
    assert time.process_time() - before < 0.1, "each should be looked at once: it takes thousandths of a second"


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
