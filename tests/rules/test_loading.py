"""Ruleset files: a good one is taken in, and a broken one is refused with the place where it is broken."""

from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator import NarratorError
from narrator.rules.ruleset.loader import packaged_file, packaged_files
from tests.documents import DEEDS
from tests.rules.build import ask, loaded, resolved, shown

HEAD = """\
name = "house"
title = "House Rules"
extends = "five-actions"
"""
WAR = HEAD.replace("five-actions", "war-of-ashes")

KINDER_TIE = """
[[rows]]
action = "overcome"
outcome = "tie"
branches = [
  { id = "fail", label = "Fail", goal = "not_attained" },
  { id = "minor_cost", label = "At a cost", goal = "attained", slots = [
    { kind = "minor_cost", forms = ["twist", { form = "opposition_boost", free_invocations = 2 }] },
  ] },
]

[forms.twist]
kinds = ["minor_cost"]
label = "A twist"
brief = "something that nobody expected"
"""

SING = """
[actions.sing]
label = "Sing"
section = "Singing"
opposition = ["passive"]
"""


ONE_RIDER = """
[[riders]]
id = "ours"
section = "Ours"
"""


def marked(text: str, start: str) -> str:
    """The same text, with the line that starts so marked."""
    return "\n".join(f"{line} # <-" if line.startswith(start) else line for line in text.splitlines()) + "\n"


def row(action: str, outcome: str, variant: str = "", branches: str = "") -> str:
    """A row in the fewest lines."""
    lines = [
        "",
        "[[rows]]",
        f'action = "{action}"',
        *([f'variant = "{variant}"'] if variant else []),
        f'outcome = "{outcome}"',
        branches or 'branches = [{ id = "so", label = "So", goal = "attained" }]',
        "",
    ]
    return "\n".join(lines)


def rows(action: str, *outcomes: str, variant: str = "") -> str:
    """Rows for these outcomes, or for all."""
    all_four = ("fail", "tie", "succeed", "succeed_with_style")
    return "".join(row(action, outcome, variant) for outcome in outcomes or all_four)


def one_branch(inside: str) -> str:
    """Overcome's tie with one branch, as told."""
    return row("overcome", "tie", branches=f"branches = [\n  {{ {inside} }}, # <-\n]")


def one_slot(inside: str) -> str:
    """Overcome's tie with one slot, as told."""
    return one_branch(f'id = "so", label = "So", goal = "attained", slots = [{{ {inside} }}]')


def refusal_of(folder: Path, text: str) -> NarratorError:
    """What a house ruleset of this text is refused with."""
    with pytest.raises(NarratorError) as caught:
        loaded(folder, text)
    assert caught.value.code == "bad_ruleset"
    return caught.value


def ruled(house: narrator.Ruleset, **action: Any) -> narrator.Resolution:
    """What a house makes of a request."""
    return narrator.resolve(ask(request={"ruleset": "house"}, **action), rulesets=[house])


def test_a_house_rule_changes_its_row_and_no_other(tmp_path: Path) -> None:
    """What the file says holds, with forms of its own; what it does not say stays as the ruleset it extends."""
    house = loaded(tmp_path, HEAD + KINDER_TIE)

    assert shown(ruled(house, roll={"total": 0}).as_json()) == [
        "[fail] ✗",
        "[minor_cost] ✓ → *minor_cost: twist, opposition_boost(Xan,Yve 2 free)",
    ]
    for total in (-3, -1, 1, 3):
        ours = shown(ruled(house, roll={"total": total}).as_json())
        assert ours == shown(resolved(ask(roll={"total": total}))), total


def test_a_house_action_is_an_action(tmp_path: Path) -> None:
    """An action that a file declares with all its rows is taken, and the others are there still."""
    house = loaded(tmp_path, HEAD + SING + rows("sing"))

    for action in ("sing", "overcome"):
        assert action == ruled(house, type=action).action.type


def test_a_removed_variant_is_gone_with_its_rows(tmp_path: Path) -> None:
    """Nobody declares an action anew to be rid of one way of it; the others stay what they are."""
    house = loaded(tmp_path, HEAD + 'removes.variants = { discover = ["aspect", "new_information"] }\n')
    left = narrator.table(house, "discover").rows

    assert {row.variant for row in left} == {"information"}
    assert left == narrator.table("five-actions", "discover", "information").rows


WAR = HEAD.replace("five-actions", "war-of-ashes")


def test_a_removed_row_of_a_maneuver_gives_way_to_that_of_its_variant(tmp_path: Path) -> None:
    """What is removed is that row alone."""
    full = '{ action = "create_advantage", maneuver = "full_defense", outcome = "succeed" }'
    house = loaded(tmp_path, WAR + f"removes.rows = [{full}]\n")
    defends = {"type": "create_advantage", "maneuver": "full_defense"}
    found = [ruled(house, **defends, roll={"total": total}).branches[0].id for total in (1, 3)]

    assert found == ["aspect", "full_defense"]


@pytest.mark.parametrize("action", sorted({deed.type for deed in DEEDS["war-of-ashes"]}))
def test_any_action_of_a_book_can_be_removed(tmp_path: Path, action: str) -> None:
    """What hangs on it, maneuvers, weight, riders and frames, goes with it."""
    house = loaded(tmp_path, WAR + f'removes.actions = ["{action}"]\n')

    assert {deed.type for deed in DEEDS["war-of-ashes"]} - {action} == set(house.actions)


def test_an_outcome_may_stand_between_two_others(tmp_path: Path) -> None:
    """Outcomes go by their shifts, in whatever file and order they are written."""
    house = loaded(tmp_path, HEAD + '[outcomes]\nneat = { from = 2, rows_of = "succeed" }\n')
    found = [ruled(house, roll={"total": shifts}).outcome for shifts in range(4)]

    assert found == ["tie", "succeed", "neat", "succeed_with_style"]


def test_a_rider_for_one_outcome_may_drop_a_branch_of_another(tmp_path: Path) -> None:
    """It never meets the rows of the other."""
    drops = 'outcomes = ["succeed"]\ndrops_branches = ["fail", "serious_cost"]\n'

    assert loaded(tmp_path, HEAD + ONE_RIDER + drops).name == "house"


def test_a_row_may_name_the_document_that_it_is_from(tmp_path: Path) -> None:
    """A house that collects rules of others says whose they are; what it does not say is its own."""
    quoted = row("overcome", "tie").replace("outcome", 'document = "Another Book"\nsection = "Ties"\noutcome', 1)
    house = loaded(tmp_path, HEAD + quoted + row("overcome", "fail"))
    sources = {each.outcome: each.source for each in narrator.table(house, "overcome").rows}

    assert (sources["tie"].document, sources["tie"].section) == ("Another Book", "Ties")
    assert (sources["fail"].document, sources["fail"].section) == ("House Rules", "Overcome")


# A broken file. Where a line bears `# <-` it is that line which must be named.

OVERCOME_FAIL = '{ action = "overcome", outcome = "fail" }'
NEAT = 'neat = { from = 2, rows_of = "succeed" }'
ALL_OF_DISCOVER = '["information", "aspect", "new_information"]'
HIGH = rows("sing", variant="high")


def alone(frame: str) -> str:
    """A branch that stands in scenes of one kind."""
    return f'{{ id = "x", label = "X", goal = "attained", frames = ["{frame}"] }}'


BROKEN: dict[str, tuple[str, list[str]]] = {
    # what the file says, and words of the message
    "missing row": (marked(SING, "[actions") + rows("sing", "fail", "succeed", "tie"), ["sing", "succeed_with_style"]),
    "missing variant": (marked(SING, "[actions") + 'variants = ["high", "low"]\n' + HIGH, ["sing", "low"]),
    "row of no action": (marked(row("sing", "tie"), "[[rows"), ["sing", "tie"]),
    "row of no outcome": (marked(row("overcome", "draw"), "[[rows"), ["overcome", "draw"]),
    "row of no variant": (marked(row("discover", "tie", "gossip"), "[[rows"), ["discover", "gossip"]),
    "unknown form": (one_slot('kind = "minor_cost", forms = ["curse"]'), ["curse"]),
    "unknown form with numbers": (
        one_slot('kind = "minor_cost", forms = [{ form = "curse", free_invocations = 1 }]'),
        ["curse"],
    ),
    "form of the wrong kind": (one_slot('kind = "minor_cost", forms = ["consequence"]'), ["consequence", "minor_cost"]),
    "boost where an aspect belongs": (one_slot('kind = "aspect", forms = ["boost"]'), ["boost", "aspect"]),
    "unknown kind of slot": (one_slot('kind = "minor", forms = ["boost"]'), ["minor_cost"]),
    "slot without a form": (one_slot('kind = "boost", forms = []'), ["form"]),
    "row without a branch": (row("overcome", "tie", branches="branches = [] # <-"), ["branch"]),
    "typo in an action": (SING + 'varients = ["high"] # <-\n' + rows("sing"), ["varients"]),
    "typo in a row": (row("overcome", "tie") + 'sektion = "Overcome" # <-\n', ["sektion"]),
    "typo in a branch": (one_branch('id = "so", label = "So", goal = "attained", slotz = []'), ["slotz"]),
    "typo beside a form": (
        one_slot('kind = "boost", forms = [{ form = "boost", fre_invocations = 1 }]'),
        ["fre_invocations"],
    ),
    "unknown goal": (one_branch('id = "so", label = "So", goal = "atained"'), ["goal", "attained"]),
    "branch without a goal": (one_branch('id = "so", label = "So"').replace("# <-", ""), ["branches.0.goal"]),
    "unknown grant": (
        one_branch('id = "so", label = "So", goal = "attained", grants = [{ type = "gold", to = "actor" }]'),
        ["type", "hit"],
    ),
    "action that nothing opposes": (
        '[actions.sing] # <-\nlabel = "Sing"\nsection = "Singing"\n' + rows("sing"),
        ["sing", "oppos"],
    ),
    "unknown opposition": (SING.replace('["passive"]', '["luck"] # <-') + rows("sing"), ["passive"]),
    "an outcome of one's own without rows": ("[outcomes]\nepic_success = 7 # <-\n", ["epic_success has no row"]),
    "an outcome with its own rows of itself": (
        '[outcomes]\nepic = { from = 5, rows_of = "epic" } # <-\n',
        ["epic", "rows of its own"],
    ),
    "an outcome with the rows of one that has none": (
        '[outcomes]\nepic = { from = 5, rows_of = "succeed" }\nmore = { from = 6, rows_of = "epic" } # <-\n',
        ["epic", "rows of its own"],
    ),
    "a variant with its own rows of itself": (
        SING + 'variants = [{ name = "high", rows_of = "high" }] # <-\n' + HIGH,
        ["high"],
    ),
    "shifts for a failure": ("[outcomes]\nfail = 9 # <-\n", ["fail"]),
    "the shifts of another outcome": ("[outcomes]\nneat = 1 # <-\n", ["neat", "succeed"]),
    "a hit of nothing": (
        row(
            "attack",
            "succeed",
            branches='branches = [{ id = "hit", label = "Hit", goal = "attained", grants = ['
            '{ type = "hit", to = "defender", amount = "shifts - 1" }] }] # <-',
        ),
        ["shifts"],
    ),
    "a form twice": (one_slot('kind = "boost", forms = ["boost", "boost"]'), ["twice"]),
    "free invocations for nobody": (
        '[forms.rumour] # <-\nkinds = ["boost"]\nlabel = "R"\nbrief = "b"\nfree_invocations = 1\n',
        ["to"],
    ),
    "a label with what is not put in": (
        '[forms.rumour] # <-\nkinds = ["boost"]\nlabel = "On {foe}"\nbrief = "b"\n',
        ["actor"],
    ),
    "a rider with a form first that is for another slot": (
        ONE_RIDER + 'first_form = { kind = "boost", form = "loss" } # <-\n',
        ["loss", "boost"],
    ),
    "a rider with a slot that is there already": (
        ONE_RIDER + 'slots = [{ kind = "boost", forms = ["boost"] }] # <-\n',
        ["two slots", "boost"],
    ),
    "a rider that empties a slot": (ONE_RIDER + 'drops_forms = ["boost", "story_detail"] # <-\n', ["no form"]),
    "two riders that drop all branches together": (
        ONE_RIDER
        + 'actions = ["overcome"]\ndrops_branches = ["fail"]\n'
        + ONE_RIDER.replace("ours", "two")
        + 'outcomes = ["fail"]\ndrops_branches = ["serious_cost"] # <-\n',
        ["no branch"],
    ),
    "a row whose branches are of some scenes alone": (
        row("overcome", "succeed", branches=f"branches = [{alone('contest')}] # <-"),
        ["at least one branch"],
    ),
    "a rider that leaves a branch of some scenes alone": (
        row(
            "overcome",
            "succeed",
            branches=f'branches = [{alone("contest")}, {{ id = "y", label = "Y", goal = "attained" }}]',
        )
        + ONE_RIDER
        + 'drops_branches = ["y"] # <-\n',
        ["no branch"],
    ),
    "rider of no action": (ONE_RIDER + 'actions = ["sing"] # <-\n', ["sing"]),
    "rider with an unknown form": (ONE_RIDER + 'slots = [{ kind = "boost", forms = ["curse"] }] # <-\n', ["curse"]),
    "a number for a word": ("[actions.overcome]\nlabel = 1 # <-\n", ["label"]),
    "no such variant to remove": ('removes.variants = { discover = ["gossip"] } # <-\n', ["gossip"]),
    "no such action to remove of": ('removes.variants = { discovr = ["aspect"] } # <-\n', ["did you mean discover"]),
    "no such row to remove": (
        '[removes]\nrows = [{ action = "overcome", maneuver = "push", outcome = "fail" }] # <-\n',
        ["push fail"],
    ),
    "a removed row that is needed": (f"removes.rows = [{OVERCOME_FAIL}]\n", ["overcome fail has no row"]),
    "every variant removed": (f"removes.variants = {{ discover = {ALL_OF_DISCOVER} }}\n", ["discover fail has no"]),
    "a removed outcome that another has the rows of": (
        f'removes.outcomes = ["succeed"]\n[outcomes]\n{NEAT}\n',
        ["succeed"],
    ),
    "TOML: not closed": ("outcomes = [ # not closed\n", []),
    "TOML: no key": ("this is no TOML # <-\n", []),
    "TOML: a key twice": ('name = "again" # <-\n', []),
}

BROKEN_HEADS: dict[str, tuple[str, list[str]]] = {
    "extends itself": (HEAD.replace('"five-actions"', '"house" # <-'), ["house"]),
    "extends what is not there": (HEAD.replace('"five-actions"', '"nowhere" # <-'), ["nowhere", "five-actions"]),
    "typo at the top": (HEAD.replace('extends = "five-actions"', 'extend = "five-actions" # <-'), ["extend"]),
    "a file of its own without a sheet": (HEAD.replace("extends", "# extends"), ["common"]),
    "an empty file": ("", ["name"]),
}

ALL_BROKEN = {name: (HEAD + text, words) for name, (text, words) in BROKEN.items()} | BROKEN_HEADS


@pytest.mark.parametrize(("text", "words"), ALL_BROKEN.values(), ids=ALL_BROKEN)
def test_a_broken_ruleset_is_refused_with_its_place(tmp_path: Path, text: str, words: list[str]) -> None:
    """The message names the user's own file, the line and what is wrong there."""
    lines = [number for number, line in enumerate(text.splitlines(), 1) if "# <-" in line]

    message = str(refusal_of(tmp_path, text))

    assert all(word in message for word in words), message
    assert "house.toml:" in message
    assert all(f"house.toml:{number}:" in message for number in lines), message


RIDER = '[[riders]] # <{}\nid = "ours"\nsection = "Ours"\n'
FORM = '[forms.{}] # <{}\nkinds = ["minor_cost"]\nlabel = "A detail"\nbrief = "b"\n'
VARIANT = '[[actions.sing.variants]]\nname = "high" # <{}\n'
ALIKE = 'branches = [{ id = "a", label = "So", goal = "lesser" }, { id = "b", label = "so", goal = "lesser" }] # <-'
TWO_FORMS = one_slot('kind = "minor_cost", forms = ["story_detail", "rumour"]').replace("]]", "]] # <=", 1)

MEETING = {
    "a row twice": ("".join(row("overcome", "tie").replace("]]", f"]] # <{each}") for each in "=-"), ""),
    "a rider twice": (RIDER.format("=") + RIDER.format("-"), ""),
    "a variant twice": (SING + VARIANT.format("=") + VARIANT.format("-") + rows("sing", variant="high"), ""),
    "a form twice": (FORM.format("rumour", "=") + FORM.format("rumour", "-"), ""),
    "a form of another kind than a row has it": (FORM.format("new_opposition", "-"), "five-actions.toml:"),
    "the label of another form": (TWO_FORMS + FORM.format("rumour", "-"), "common.toml:"),
    "the label of another branch": (row("overcome", "tie", branches=ALIKE), ""),
    "the label of another action": (SING.replace('"Sing"', '"Attack" # <-') + rows("sing"), "five-actions.toml:"),
    "a blank label of a branch": (one_branch('id = "so", label = " ", goal = "attained"'), ""),
    "a blank label of a form": (FORM.format("rumour", "").replace('"A detail"', '" " # <-'), ""),
}


@pytest.mark.parametrize(("text", "below"), MEETING.values(), ids=MEETING)
def test_names_and_labels_that_meet_are_refused_with_both_places(tmp_path: Path, text: str, below: str) -> None:
    """The line that is marked with `# <-`, and that with `# <=`, or one of a file below."""
    lines = (HEAD + text).splitlines()
    here, other = ([n for n, line in enumerate(lines, 1) if mark in line] for mark in ("# <-", "# <="))

    message = str(refusal_of(tmp_path, HEAD + text))

    assert f"house.toml:{here[-1]}:" in message, message
    assert below in message, message
    assert all(f"house.toml:{number}" in message for number in other), message


def test_a_ring_that_a_file_only_leads_into_is_refused(tmp_path: Path) -> None:
    """Two files that extend each other are found by a third, which does not go round for ever."""
    for name, above in (("guest", "cousin"), ("cousin", "guest")):
        (tmp_path / f"{name}.toml").write_text(f'name = "{name}"\ntitle = "Theirs"\nextends = "{above}"\n', "utf-8")

    assert "extends" in refusal_of(tmp_path, HEAD.replace("five-actions", "guest")).message


def test_a_mistake_in_a_file_that_is_extended_names_that_file(tmp_path: Path) -> None:
    """The place is where the mistake was written, not where it was found."""
    theirs = HEAD.replace("house", "guest") + one_slot('kind = "boost", forms = ["curse"]')
    (tmp_path / "guest.toml").write_text(theirs, "utf-8")

    error = refusal_of(tmp_path, HEAD.replace("five-actions", "guest"))

    assert "guest.toml:" in str(error)
    assert "curse" in error.message


def test_a_packaged_file_bears_the_name_of_its_ruleset() -> None:
    """A ruleset is found by its name, and its file alone is read."""
    assert [name for name in packaged_files() if packaged_file(name).file.name != name] == []
    assert "five-actions" in packaged_files()
