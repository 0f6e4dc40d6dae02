"""The GM's free invocations: for everybody whom the GM plays, after their own and before anyone's."""

import pytest

import narrator
from narrator.rules.json_text import Json
from tests.rules.build import ask, refused, resolved

PEOPLE: list[Json] = [
    {"name": "Ann", "side": "pc", "importance": "pc"},
    {"name": "Squire", "side": "pc", "importance": "named"},
    {"name": "Xan", "side": "foes", "importance": "named"},
    {"name": "Wolf", "side": "wild"},
]


def invoked(by: str, held: Json, times: int = 1) -> Json:
    """Ann overcomes, and somebody invokes against her so often, or for her where it is her own side."""
    here = {"characters": PEOPLE, "aspects": [{"name": "Fog", "free_invocations": held}]}
    invocations = [{"aspect": "Fog", "by": by}] * times
    if by in ("Ann", "Squire"):
        return ask(here, invocations=invocations, roll={"total": 1})
    against = {"kind": "active", "by": "Xan", "roll": {"total": 0}, "invocations": invocations}
    return ask(here, roll={"total": 9}, opposition=against)


def left(request: Json) -> Json:
    """What is held once all is paid for."""
    branch = resolved(request)["branches"][0]["id"]
    words = {"slot": "boost", "form": "boost", "to": "Ann", "name": "Wide Open", "detail": "A gap shows."}
    scene = narrator.apply(request, {"branch": branch, "suggestions": [words] if branch == "boost" else []}).as_json()
    return dict(scene["aspects"][0]["free_invocations"])


@pytest.mark.parametrize("by", ["Xan", "Wolf", "GM"])
def test_whom_the_gm_plays_may_use_the_gms(by: str) -> None:
    """Everybody on a side without a player's character, whichever it is."""
    request = invoked(by, {"GM": 1})

    assert (resolved(request)["opposition"]["invoked"], left(request)) == (2, {})


@pytest.mark.parametrize("by", ["Ann", "Squire"])
def test_the_players_side_may_not(by: str) -> None:
    """Neither a player's character nor whoever stands with one."""
    assert refused(invoked(by, {"GM": 1}))[:2] == ("no_free_invocation", "action.invocations.0.aspect")


@pytest.mark.parametrize(
    ("times", "expected"), [(1, {"GM": 1, "*": 1, "Ann": 1}), (2, {"*": 1, "Ann": 1}), (3, {"Ann": 1})]
)
def test_ones_own_go_first_and_anyones_last(times: int, expected: Json) -> None:
    """Xan's, then the GM's, then those of whoever takes them; another's never."""
    assert left(invoked("Xan", {"*": 1, "GM": 1, "Ann": 1, "Xan": 1}, times)) == expected


def test_more_than_there_are_is_refused() -> None:
    """The fourth is Ann's."""
    request = invoked("Xan", {"*": 1, "GM": 1, "Ann": 1, "Xan": 1}, 4)

    assert refused(request)[:2] == ("no_free_invocation", "action.opposition.invocations.3.aspect")


def test_the_players_side_takes_anyones_and_leaves_the_gms() -> None:
    """Of what is left to take, the GM's is none of theirs."""
    assert left(invoked("Squire", {"GM": 1, "*": 1})) == {"GM": 1}


def test_where_no_player_acts_all_are_the_gms() -> None:
    """In a scene of the GM's own people each of them may."""
    here = {"characters": PEOPLE[2:], "aspects": [{"name": "Fog", "free_invocations": {"GM": 1}}]}

    assert resolved(ask(here, actor="Wolf", invocations=[{"aspect": "Fog"}]))["roll"]["invoked"] == 2


@pytest.mark.parametrize("importance", ["named", "nameless", "unknown"])
def test_it_goes_by_who_is_a_players_character_and_not_by_the_name_of_the_side(importance: str) -> None:
    """A side may be called anything."""
    people = [PEOPLE[0] | {"side": "red"}, PEOPLE[2] | {"side": "pc", "importance": importance}]
    here = {"characters": people, "aspects": [{"name": "Fog", "free_invocations": {"GM": 1}}]}
    against = {"kind": "active", "by": "Xan", "roll": {"total": 0}, "invocations": [{"aspect": "Fog"}]}

    assert resolved(ask(here, opposition=against))["opposition"]["invoked"] == 2


def test_where_nobody_is_listed_who_opposes_is_the_gms() -> None:
    """The actor and the helpers are the players'."""
    here = {"aspects": [{"name": "Fog", "free_invocations": {"GM": 1}}]}
    fog = [{"aspect": "Fog"}]
    against = {"kind": "active", "by": "Xan", "roll": {"total": 0}}

    assert resolved(ask(here, opposition=against | {"invocations": fog}))["opposition"]["invoked"] == 2
    for by in ("Ann", "Bea"):
        request = ask(here, opposition=against, helpers=["Bea"], invocations=[fog[0] | {"by": by}])
        assert refused(request)[0] == "no_free_invocation"
