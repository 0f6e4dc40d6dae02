"""Rulesets that would load and break in play: refused when they are loaded, by the line that the user wrote."""

from pathlib import Path

import pytest

import narrator
from tests.rules.build import Json, ask, resolved
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


def marked(text: str, start: str) -> str:
    """The same text, with the line that starts so marked."""
    return "\n".join(f"{line} # <-" if line.startswith(start) else line for line in text.splitlines()) + "\n"


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

UNSOUND = [
    pytest.param(granting(ON_ASPECT), ["aspect"], id="on an aspect that nobody has to name"),
    pytest.param(granting(BY_PATH), ["path"], id="by a path that nobody has to name"),
    pytest.param(granting('type = "move", to = "actor", amount = "path"'), ["path"], id="as far as a path"),
    pytest.param(granting('type = "move", to = "actor", amount = 1, on = "path"'), ["path"], id="to the end of a path"),
    pytest.param(
        HEAD + NEEDY, ["existing_aspect"], id="an aspect that need not be named any more, under a row of ours"
    ),
    pytest.param(granting(ON_ASPECT.replace(', on = "aspect"', "")), ["aspect"], id="free invocations of nothing"),
    pytest.param(granting(ON_ASPECT.replace('"aspect"', '"path"')), ["aspect"], id="free invocations of a path"),
    pytest.param(granting(ON_ASPECT.replace("amount = 1", "amount = -1")), ["amount"], id="fewer than none"),
    pytest.param(
        granting(ON_ASPECT.replace("amount = 1", "amount = 0xffffffffffffffff")), ["amount"], id="more than can be held"
    ),
    pytest.param(granting(ON_ASPECT.replace("amount = 1, ", "")), ["amount"], id="free invocations of no number"),
    pytest.param(rider(ON_ASPECT), ["aspect"], id="a rider on an aspect"),
    pytest.param(rider(BY_PATH), ["path"], id="a rider by a path"),
    pytest.param(
        HEAD + SING + 'variants = ["high", { name = "low", rows_of = "deep" }] # <-\n' + rows("sing", variant="high"),
        ["deep", "high"],
        id="the rows of a variant that there is not",
    ),
    pytest.param(
        HEAD + SING + 'variants = [{ name = "high", needs = ["luck"] }] # <-\n' + rows("sing", variant="high"),
        ["aspect", "path"],
        id="a need of something else",
    ),
    pytest.param(marked(sheet("{ physical = [1, 1000000001] }"), "stress"), ["stress"], id="a box too large"),
    pytest.param(marked(sheet("{ physical = [0] }"), "stress"), ["stress"], id="a box of nothing"),
    pytest.param(
        marked(sheet("{ physical = [0xffffffffffffffff] }"), "stress"), ["stress"], id="a box that no number counts"
    ),
    pytest.param(marked(sheet(f"{{ physical = {[1] * 13} }}"), "stress"), ["stress"], id="13 boxes"),
    pytest.param(marked(sheet(f"{{ physical = {[1] * 22} }}"), "stress"), ["stress"], id="22 boxes"),
    pytest.param(marked(sheet(consequences=numbered(13)), "consequences"), ["consequences"], id="13 levels"),
    pytest.param(marked(sheet(consequences=numbered(22)), "consequences"), ["consequences"], id="22 levels"),
    pytest.param(
        marked(sheet(consequences="{ mild = -2 }"), "consequences"), ["mild"], id="a level that adds to a hit"
    ),
    pytest.param(marked(sheet(consequences="{ mild = 1000000001 }"), "consequences"), ["mild"], id="a level too large"),
    pytest.param(
        marked(HEAD + "inflicted_consequence_invocations = -1\n", "inflicted"),
        ["inflicted"],
        id="consequences that take",
    ),
    pytest.param(
        marked(HEAD + "inflicted_consequence_invocations = 0xffffffffffffffff\n", "inflicted"),
        ["inflicted"],
        id="consequences that give too much",
    ),
]


@pytest.mark.parametrize(("text", "words"), UNSOUND)
def test_what_would_break_in_play_is_refused_with_its_line(tmp_path: Path, text: str, words: list[str]) -> None:
    """Not in the middle of a game, and never by a line of a file that is not the user's."""
    line = next(number for number, each in enumerate(text.splitlines(), 1) if "# <-" in each)

    message = str(refusal_of(tmp_path, text))

    assert f"house.toml:{line}:" in message, message
    assert all(word in message for word in words), message


def loaded(folder: Path, text: str) -> narrator.Ruleset:
    """A house ruleset of this text."""
    path = folder / "house.toml"
    path.write_text(text, "utf-8")
    return narrator.load_ruleset(path)


@pytest.mark.parametrize("number", [1, 12])
def test_a_sheet_of_twelve_is_not_too_much(tmp_path: Path, number: int) -> None:
    """Twelve boxes of a thousand million, and twelve levels, load and resolve."""
    ours = loaded(tmp_path, sheet(f"{{ physical = {[10**9] * number} }}", numbered(number)))
    people = [{"name": "Ann", "side": "foes"}, {"name": "Xan", "side": "x", "importance": "pc"}]
    action = {"type": "attack", "target": "Xan", "opposition": {"kind": "defend", "roll": {"total": 0}}}
    request = ask({"characters": people}, request={"ruleset": "house"}, **action)
    grant = narrator.resolve(request, rulesets=[ours]).as_json()["branches"][0]["grants"][0]

    assert {"stress": 10**9, "consequences": []} in grant["absorb"]


def test_a_hit_that_may_go_to_several_breaks_nothing(tmp_path: Path) -> None:
    """It is refused when it is loaded, or when it is settled by a way that is not open to who takes it."""
    grants = '[{ type = "hit", to = "opposition", amount = "shifts" }]'
    branches = f'branches = [{{ id = "hit", label = "All", goal = "attained", grants = {grants} }}]'
    people = [
        {"name": "Ann", "side": "pc"},
        {"name": "Xan", "side": "foes", "importance": "named"},
        {"name": "Yve", "side": "foes"},
    ]
    request = ask({"characters": people}, request={"ruleset": "house"}, type="attack", target="Xan")
    choice = {"branch": "hit", "grants": [{"index": 0, "to": "Yve"}], "absorb": {"stress": 1}}

    with pytest.raises(narrator.NarratorError):
        narrator.apply(request, choice, rulesets=[loaded(tmp_path, HEAD + row("attack", "succeed", branches=branches))])


def test_nobody_holds_a_free_invocation_of_what_they_did_to_themself(tmp_path: Path) -> None:
    """A hit on whoever acts is absorbed as any other, and its consequences are nobody's to use for free."""
    grants = '[{ type = "hit", to = "actor", amount = "shifts" }]'
    branches = f'branches = [{{ id = "hit", label = "All", goal = "attained", grants = {grants} }}]'
    ours = loaded(tmp_path, HEAD + row("overcome", "succeed", branches=branches))
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


@pytest.mark.parametrize(("attack", "boxes", "track"), [({}, [3], "hull"), ({"track": "hull"}, [3], "hull")])
def test_an_attack_is_on_the_first_track_of_the_sheet(
    tmp_path: Path, attack: Json, boxes: list[int], track: str
) -> None:
    """A ruleset need not know any `physical` stress: its own absorbs the hit, and is marked."""
    ours = loaded(tmp_path, HULL)
    request = broadside(**attack)
    answer = narrator.resolve(request, rulesets=[ours]).as_json()
    scene = narrator.apply(request, {"branch": "hit", "absorb": {"stress": 3}}, rulesets=[ours]).as_json()

    ways = answer["branches"][0]["grants"][0]["absorb"]
    assert [way["stress"] for way in ways if not way["consequences"]] == boxes
    assert scene["characters"][1]["stress"][track]["marked"] == [3]
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

    assert {track: each["marked"] for track, each in scene["characters"][0]["stress"].items()} == {
        "hull": [1],
        "crew": [],
    }


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("Physical", "physical"), ("phisical", "physical"), ("PHYSCIAL", "physical"), ("metnal", "mental")],
)
def test_a_mistyped_track_is_refused_with_the_one_meant(typed: str, meant: str) -> None:
    """It would absorb nothing, and nobody would know why."""
    with pytest.raises(narrator.NarratorError) as caught:
        narrator.resolve(broadside("five-actions", track=typed))

    assert (caught.value.code, caught.value.field) == ("bad_request", "request.action.attack.track")
    assert f"mean {meant}" in caught.value.message
    assert meant in (caught.value.allowed or ())


def test_a_track_that_nobody_has_is_taken_with_a_notice() -> None:
    """No stress absorbs it; consequences do."""
    answer = resolved(broadside("five-actions", hit=2, track="wealth"))

    assert ["wealth" in notice for notice in answer["notices"]] == [True]
    assert not [way for way in answer["branches"][0]["grants"][0]["absorb"] if way.get("stress")]


def test_a_track_that_somebody_has_is_no_mistake() -> None:
    """Sheets may have tracks that the ruleset does not."""
    rich: Json = {"stress": {"wealth": {"boxes": [2]}}}
    people: list[Json] = [{"name": "Ann", "side": "pc"}, {"name": "Xan", "side": "foes", "importance": "named", **rich}]
    answer = resolved(broadside("five-actions", hit=2, people=people, track="wealth"))

    assert answer["notices"] == []
    assert {"stress": 2, "consequences": []} in answer["branches"][0]["grants"][0]["absorb"]
