"""Rulesets that would load and break in play: refused when they are loaded, by the line that the user wrote."""

from pathlib import Path

import pytest

import narrator
from narrator.rules.json_text import Json
from tests.rules.build import ask, loaded, resolved
from tests.rules.test_loading import HEAD, SING, one_branch, refusal_of, row, rows


def granting(grant: str) -> str:
    """Overcome's tie with one grant, as told."""
    return HEAD + one_branch(f'id = "so", label = "So", goal = "attained", grants = [{{ {grant} }}]')


def rider(grant: str) -> str:
    """A rider with one grant, as told."""
    return HEAD + f'\n[[riders]]\nid = "ours"\nsection = "Ours"\ngrants = [{{ {grant} }}] # <-\n'


def sheet(stress: str = "{ physical = [1, 2] }", consequences: str = "{ mild = 2 }") -> str:
    """A sheet, as told."""
    return HEAD + f'\n[sheet]\nimportance = ["pc"]\nstress = {stress}\nconsequences = {consequences}\n'


def numbered(number: int) -> str:
    """So many consequence levels or tracks."""
    return "{ " + ", ".join(f"level{place} = 1" for place in range(number)) + " }"


ON_ASPECT = 'type = "free_invocations", to = "actor", amount = 1, on = "aspect"'
BY_PATH = 'type = "move", to = "actor", amount = "path", on = "path"'

NEEDY = """
[actions.create_advantage] # <-
label = "Create an Advantage"
section = "Create an Advantage"
variants = ["new_aspect", "existing_aspect"]
opposition = ["passive", "active"]
opposition_on_target = ["defend", "passive"]
"""
"""The action of five actions, in which an existing aspect need not be named any more."""

GIVES = "inflicted_consequence_invocations"

UNSOUND = {
    # the text, with the line that is to be named marked, and words of the message
    "on an aspect that nobody has to name": (granting(ON_ASPECT), ["aspect"]),
    "by a path that nobody has to name": (granting(BY_PATH), ["path"]),
    "as far as a path": (granting('type = "move", to = "actor", amount = "path"'), ["path"]),
    "to the end of a path": (granting('type = "move", to = "actor", amount = 1, on = "path"'), ["path"]),
    "an aspect that need not be named any more, under a row of ours": (HEAD + NEEDY, ["existing_aspect"]),
    "free invocations of nothing": (granting(ON_ASPECT.replace(', on = "aspect"', "")), ["aspect"]),
    "free invocations of a path": (granting(ON_ASPECT.replace('"aspect"', '"path"')), ["aspect"]),
    "fewer than none": (granting(ON_ASPECT.replace("amount = 1", "amount = -1")), ["amount"]),
    "more than can be held": (granting(ON_ASPECT.replace("= 1", "= 0xffffffffffffffff")), ["amount"]),
    "free invocations of no number": (granting(ON_ASPECT.replace("amount = 1, ", "")), ["amount"]),
    "a rider on an aspect": (rider(ON_ASPECT), ["aspect"]),
    "a rider by a path": (rider(BY_PATH), ["path"]),
    "the rows of a variant that there is not": (
        HEAD + SING + 'variants = ["high", { name = "low", rows_of = "deep" }] # <-\n' + rows("sing", variant="high"),
        ["deep", "high"],
    ),
    "a need of something else": (
        HEAD + SING + 'variants = [{ name = "high", needs = ["luck"] }] # <-\n' + rows("sing", variant="high"),
        ["aspect", "path"],
    ),
    "a box too large": (sheet("{ physical = [1, 1000000001] } # <-"), ["stress"]),
    "a box of nothing": (sheet("{ physical = [0] } # <-"), ["stress"]),
    "a box that no number counts": (sheet("{ physical = [0xffffffffffffffff] } # <-"), ["stress"]),
    "13 boxes": (sheet(f"{{ physical = {[1] * 13} }} # <-"), ["stress"]),
    "13 levels": (sheet(consequences=numbered(13) + " # <-"), ["consequences"]),
    "a level that adds to a hit": (sheet(consequences="{ mild = -2 } # <-"), ["mild"]),
    "a level too large": (sheet(consequences="{ mild = 1000000001 } # <-"), ["mild"]),
    "consequences that take": (HEAD + f"{GIVES} = -1 # <-\n", ["inflicted"]),
    "consequences that give too much": (HEAD + f"{GIVES} = 0xffffffffffffffff # <-\n", ["inflicted"]),
}


@pytest.mark.parametrize(("text", "words"), UNSOUND.values(), ids=UNSOUND)
def test_what_would_break_in_play_is_refused_with_its_line(tmp_path: Path, text: str, words: list[str]) -> None:
    """Not in the middle of a game, and never by a line of a file that is not the user's."""
    line = next(number for number, each in enumerate(text.splitlines(), 1) if "# <-" in each)

    message = str(refusal_of(tmp_path, text))

    assert f"house.toml:{line}:" in message, message
    assert all(word in message for word in words), message


@pytest.mark.parametrize("number", [1, 12])
def test_a_sheet_of_twelve_is_not_too_much(tmp_path: Path, number: int) -> None:
    """Twelve boxes of a thousand million, and twelve levels, load and resolve."""
    ours = loaded(tmp_path, sheet(f"{{ hull = {[10**9] * number} }}", numbered(number)))
    grant = narrator.resolve(broadside(hit=1), rulesets=[ours]).as_json()["branches"][0]["grants"][0]

    assert {"stress": 10**9, "consequences": []} in grant["absorb"]


def test_a_hit_that_may_go_to_several_breaks_nothing(tmp_path: Path) -> None:
    """It is refused when it is loaded, or when it is settled by a way that is not open to who takes it."""
    people = [{"name": "Ann", "side": "pc"}, {"name": "Xan", "side": "x", "importance": "named"}]
    request = broadside(people=[*people, {"name": "Yve", "side": "x"}])
    choice = {"branch": "hit", "grants": [{"index": 0, "to": "Yve"}], "absorb": {"stress": 1}}

    with pytest.raises(narrator.NarratorError):
        narrator.apply(request, choice, rulesets=[loaded(tmp_path, HEAD + hitting("attack", "opposition"))])


def hitting(action: str, whom: str) -> str:
    """A row of an action whose success hits somebody."""
    grants = f'[{{ type = "hit", to = "{whom}", amount = "shifts" }}]'
    branches = f'branches = [{{ id = "hit", label = "All", goal = "attained", grants = {grants} }}]'
    return row(action, "succeed", branches=branches)


def test_nobody_holds_a_free_invocation_of_what_they_did_to_themself(tmp_path: Path) -> None:
    """A hit on whoever acts is absorbed as any other, and its consequences are nobody's to use for free."""
    ours = loaded(tmp_path, HEAD + hitting("overcome", "actor"))
    people = {"characters": [{"name": "Ann", "side": "pc", "importance": "pc"}]}

    hit = narrator.resolve(ask(people, request={"ruleset": "house"}), rulesets=[ours]).branches[0].grants[0]

    assert [way.consequences for way in hit.absorb or ()][-1] != ()
    assert (hit.to, hit.free_invocations, hit.holders) == (("Ann",), None, None)


# The track of an attack.

HULL = sheet("{ hull = [1, 2, 3], crew = [1] }")


def broadside(ruleset: str = "house", hit: int = 3, people: list[Json] | None = None, **attack: object) -> Json:
    """One ship hits another."""
    ships = [{"name": name, "side": name, "importance": "pc"} for name in ("Ann", "Xan")]
    against = {"kind": "defend", "roll": {"total": 0}}
    action = {"type": "attack", "target": "Xan", "roll": {"total": hit}, "opposition": against, "attack": attack}
    return ask({"characters": people or ships}, request={"ruleset": ruleset}, **action)


@pytest.mark.parametrize("attack", [{}, {"track": "hull"}], ids=["unnamed", "named"])
def test_an_attack_is_on_the_first_track_of_the_sheet(tmp_path: Path, attack: Json) -> None:
    """A ruleset need not know any `physical` stress: its own absorbs the hit, and is marked."""
    ours, request = loaded(tmp_path, HULL), broadside(**attack)
    answer = narrator.resolve(request, rulesets=[ours]).as_json()
    scene = narrator.apply(request, {"branch": "hit", "absorb": {"stress": 3}}, rulesets=[ours]).as_json()

    ways = answer["branches"][0]["grants"][0]["absorb"]
    assert [way["stress"] for way in ways if not way["consequences"]] == [3]
    assert scene["characters"][1]["stress"]["hull"]["marked"] == [3]
    assert answer["notices"] == []


def test_another_track_of_the_sheet_is_taken_too(tmp_path: Path) -> None:
    """Where the request names it."""
    grant = narrator.resolve(broadside(hit=1, track="crew"), rulesets=[loaded(tmp_path, HULL)]).branches[0].grants[0]

    assert {way.stress for way in grant.absorb or ()} == {1, None}


def test_stress_as_a_cost_is_on_the_rulesets_track(tmp_path: Path) -> None:
    """The lowest box of the first track."""
    words = {"slot": "minor_cost", "form": "stress", "detail": "A plank splinters."}
    request = broadside() | {"action": {**ask()["action"], "roll": {"total": 0}}}
    choice = {"branch": "minor_cost", "suggestions": [words]}
    scene = narrator.apply(request, choice, rulesets=[loaded(tmp_path, HULL)]).as_json()

    marked = {track: each["marked"] for track, each in scene["characters"][0]["stress"].items()}
    assert marked == {"hull": [1], "crew": []}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("Physical", "physical"), ("phisical", "physical"), ("PHYSCIAL", "physical"), ("metnal", "mental")],
)
def test_a_mistyped_track_is_refused_with_the_one_meant(typed: str, meant: str) -> None:
    """It would absorb nothing, and nobody would know why."""
    with pytest.raises(narrator.NarratorError, match=f"mean {meant}") as caught:
        narrator.resolve(broadside("five-actions", track=typed))

    assert (caught.value.code, caught.value.field) == ("bad_request", "request.action.attack.track")
    assert meant in (caught.value.allowed or ())


def test_a_track_that_nobody_has_is_taken_with_a_notice() -> None:
    """No stress absorbs it; consequences do."""
    answer = resolved(broadside("five-actions", hit=2, track="wealth"))

    assert ["wealth" in notice for notice in answer["notices"]] == [True]
    assert not [way for way in answer["branches"][0]["grants"][0]["absorb"] if way.get("stress")]


def test_a_track_that_somebody_has_is_no_mistake() -> None:
    """Sheets may have tracks that the ruleset does not."""
    rich: Json = {"importance": "named", "stress": {"wealth": {"boxes": [2]}}}
    people: list[Json] = [{"name": "Ann", "side": "pc"}, {"name": "Xan", "side": "foes", **rich}]
    answer = resolved(broadside("five-actions", hit=2, people=people, track="wealth"))

    assert answer["notices"] == []
    assert {"stress": 2, "consequences": []} in answer["branches"][0]["grants"][0]["absorb"]
