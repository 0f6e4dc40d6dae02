"""Ruleset files: a good one is taken in, and a broken one is refused with the place where it is broken."""

from pathlib import Path

import pytest

import narrator
from narrator import NarratorError
from narrator.rules.loading import packaged_file, packaged_files
from tests.rules.build import ask, shown

HEAD = """\
name = "house"
title = "House Rules"
extends = "five-actions"
"""

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
    path = folder / "house.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(NarratorError) as caught:
        narrator.load_ruleset(path)
    assert caught.value.code == "bad_ruleset"
    return caught.value


def test_a_house_rule_changes_its_row_and_no_other(tmp_path: Path) -> None:
    """What the file says holds, with forms of its own; what it does not say stays as the ruleset it extends."""
    path = tmp_path / "house.toml"
    path.write_text(HEAD + KINDER_TIE, "utf-8")
    house = narrator.load_ruleset(path)

    def branches(total: int, ruleset: str) -> list[str]:
        request = ask(roll={"total": total}, request={"ruleset": ruleset})
        return shown(narrator.resolve(request, rulesets=[house]).as_json())

    assert branches(0, "house") == ["[fail] ✗", "[minor_cost] ✓ → *minor_cost: twist, opposition_boost(Xan,Yve 2 free)"]
    for total in (-3, -1, 1, 3):
        assert branches(total, "five-actions") == branches(total, "house")


def test_a_house_action_is_an_action(tmp_path: Path) -> None:
    """An action that a file declares with all its rows is taken, and the others are there still."""
    path = tmp_path / "house.toml"
    path.write_text(HEAD + SING + rows("sing"), "utf-8")
    house = narrator.load_ruleset(path)

    for action in ("sing", "overcome"):
        answer = narrator.resolve(ask(type=action, request={"ruleset": "house"}), rulesets=[house])
        assert action == answer.action.type


WITHOUT_A_VARIANT = """
[removes]
variants = { discover = ["aspect", "new_information"] }
"""

WITHOUT_A_ROW = """
[removes]
rows = [{ action = "create_advantage", maneuver = "full_defense", outcome = "succeed" }]
"""


def test_a_removed_variant_is_gone_with_its_rows(tmp_path: Path) -> None:
    """Nobody declares an action anew to be rid of one way of it; the others stay what they are."""
    path = tmp_path / "house.toml"
    path.write_text(HEAD + WITHOUT_A_VARIANT, "utf-8")
    house = narrator.load_ruleset(path)

    assert {row.variant for row in narrator.table(house, "discover").rows} == {"information"}
    assert narrator.table(house, "discover").rows == narrator.table("five-actions", "discover", "information").rows


def test_a_removed_row_of_a_maneuver_gives_way_to_that_of_its_variant(tmp_path: Path) -> None:
    """What is removed is that row alone."""
    path = tmp_path / "house.toml"
    path.write_text(HEAD.replace("five-actions", "war-of-ashes") + WITHOUT_A_ROW, "utf-8")
    house = narrator.load_ruleset(path)

    def branches(total: int) -> list[str]:
        request = ask(type="create_advantage", maneuver="full_defense", roll={"total": total})
        return [each.id for each in narrator.resolve(request | {"ruleset": "house"}, rulesets=[house]).branches]

    assert (branches(1), branches(3)) == (["aspect"], ["full_defense"])


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('[removes]\nvariants = { discover = ["gossip"] } # <-\n', "gossip"),
        ('[removes]\nvariants = { discovr = ["aspect"] } # <-\n', "did you mean discover"),
        ('[removes]\nrows = [{ action = "overcome", maneuver = "push", outcome = "fail" }] # <-\n', "push fail"),
        ('[removes]\nrows = [{ action = "overcome", outcome = "fail" }]\n', "overcome fail has no row"),
    ],
    ids=["no such variant", "no such action", "no such row", "a row that is needed"],
)
def test_what_cannot_be_removed_is_named(tmp_path: Path, text: str, word: str) -> None:
    """What was never there, by its line; a row that nothing takes the place of, by its name."""
    message = str(refusal_of(tmp_path, HEAD + text))

    assert word in message
    assert "# <-" not in text or "house.toml:5:" in message


WAR = HEAD.replace("five-actions", "war-of-ashes")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('removes.rows = [{ action = "overcome", outcome = "fail" }] # <-\n', "overcome fail has no row"),
        (
            'removes.variants = { discover = ["information", "aspect", "new_information"] } # <-\n',
            "discover fail has no",
        ),
        ('removes.outcomes = ["succeed"] # <-\n[outcomes]\nneat = { from = 2, rows_of = "succeed" }\n', "succeed"),
    ],
    ids=["a row", "every variant", "an outcome that another has the rows of"],
)
def test_what_lacks_something_that_was_removed_is_told_by_a_line_of_the_remover(
    tmp_path: Path, text: str, word: str
) -> None:
    """Whoever extends a book reads a line of their own file, never one of the book's."""
    message = str(refusal_of(tmp_path, HEAD + text))

    assert "house.toml:" in message
    assert word in message


@pytest.mark.parametrize("action", ["overcome", "create_advantage", "attack", "defend"])
def test_any_action_of_a_book_can_be_removed(tmp_path: Path, action: str) -> None:
    """What hangs on it, maneuvers, weight, riders and frames, goes with it."""
    path = tmp_path / "house.toml"
    path.write_text(WAR + f'removes.actions = ["{action}"]\n', "utf-8")

    assert sorted(narrator.load_ruleset(path).actions) == sorted(
        {"overcome", "create_advantage", "attack", "defend"} - {action}
    )


def test_an_outcome_may_stand_between_two_others(tmp_path: Path) -> None:
    """Outcomes go by their shifts, in whatever file and order they are written."""
    path = tmp_path / "house.toml"
    path.write_text(HEAD + '[outcomes]\nneat = { from = 2, rows_of = "succeed" }\n', "utf-8")
    house = narrator.load_ruleset(path)

    found = [
        narrator.resolve(ask(roll={"total": shifts}, request={"ruleset": "house"}), rulesets=[house]).outcome
        for shifts in range(4)
    ]
    assert found == ["tie", "succeed", "neat", "succeed_with_style"]


def test_a_rider_for_one_outcome_may_drop_a_branch_of_another(tmp_path: Path) -> None:
    """It never meets the rows of the other."""
    path = tmp_path / "house.toml"
    rider = 'id = "ours"\nsection = "Ours"\noutcomes = ["succeed"]\ndrops_branches = ["fail", "serious_cost"]\n'
    path.write_text(HEAD + "[[riders]]\n" + rider, "utf-8")

    assert narrator.load_ruleset(path).name == "house"


def test_an_outcome_of_ones_own_is_asked_for_its_rows_by_its_line(tmp_path: Path) -> None:
    """The line is that of the outcome just written, not that of a book's action that has no row for it."""
    message = str(refusal_of(tmp_path, HEAD + "[outcomes]\nepic_success = 7\n"))

    assert "house.toml:5:" in message
    assert "epic_success has no row" in message


def test_a_row_may_name_the_document_that_it_is_from(tmp_path: Path) -> None:
    """A house that collects rules of others says whose they are; what it does not say is its own."""
    path = tmp_path / "house.toml"
    quoted = row("overcome", "tie").replace("outcome", 'document = "Another Book"\nsection = "Ties"\noutcome', 1)
    path.write_text(HEAD + quoted + row("overcome", "fail"), "utf-8")
    sources = {each.outcome: each.source for each in narrator.table(narrator.load_ruleset(path), "overcome").rows}

    assert (sources["tie"].document, sources["tie"].section) == ("Another Book", "Ties")
    assert (sources["fail"].document, sources["fail"].section) == ("House Rules", "Overcome")


# A broken file. Where a line bears `# <-` it is that line which must be named.

BROKEN = [
    pytest.param(
        HEAD + SING.replace("[actions.sing]", "[actions.sing] # <-") + rows("sing", "fail", "succeed", "tie"),
        ["sing", "succeed_with_style"],
        id="missing row",
    ),
    pytest.param(
        HEAD + SING.replace("sing]", "sing] # <-") + 'variants = ["high", "low"]\n' + rows("sing", variant="high"),
        ["sing", "low"],
        id="missing variant",
    ),
    pytest.param(
        HEAD + row("overcome", "tie") + row("overcome", "tie").replace("[[rows]]", "[[rows]] # <-"),
        ["overcome", "tie"],
        id="row twice",
    ),
    pytest.param(
        HEAD + row("sing", "tie").replace("[[rows]]", "[[rows]] # <-"), ["sing", "tie"], id="row of no action"
    ),
    pytest.param(
        HEAD + row("overcome", "draw").replace("[[rows]]", "[[rows]] # <-"),
        ["overcome", "draw"],
        id="row of no outcome",
    ),
    pytest.param(
        HEAD + row("discover", "tie", "gossip").replace("[[rows]]", "[[rows]] # <-"),
        ["discover", "gossip"],
        id="row of no variant",
    ),
    pytest.param(HEAD + one_slot('kind = "minor_cost", forms = ["curse"]'), ["curse"], id="unknown form"),
    pytest.param(
        HEAD + one_slot('kind = "minor_cost", forms = [{ form = "curse", free_invocations = 1 }]'),
        ["curse"],
        id="unknown form with numbers",
    ),
    pytest.param(
        HEAD + one_slot('kind = "minor_cost", forms = ["consequence"]'),
        ["consequence", "minor_cost"],
        id="form of the wrong kind",
    ),
    pytest.param(
        HEAD + one_slot('kind = "aspect", forms = ["boost"]'), ["boost", "aspect"], id="boost where an aspect belongs"
    ),
    pytest.param(HEAD + one_slot('kind = "minor", forms = ["boost"]'), ["minor_cost"], id="unknown kind of slot"),
    pytest.param(HEAD + one_slot('kind = "boost", forms = []'), ["form"], id="slot without a form"),
    pytest.param(HEAD + row("overcome", "tie", branches="branches = [] # <-"), ["branch"], id="row without a branch"),
    pytest.param('name = "house"\ntitle = "House Rules"\nextends = "house" # <-\n', ["house"], id="extends itself"),
    pytest.param(
        'name = "house"\ntitle = "House Rules"\nextends = "nowhere" # <-\n',
        ["nowhere", "five-actions"],
        id="extends what is not there",
    ),
    pytest.param(
        HEAD.replace('extends = "five-actions"', 'extend = "five-actions" # <-'), ["extend"], id="typo at the top"
    ),
    pytest.param(HEAD + SING + 'varients = ["high"] # <-\n' + rows("sing"), ["varients"], id="typo in an action"),
    pytest.param(HEAD + row("overcome", "tie") + 'sektion = "Overcome" # <-\n', ["sektion"], id="typo in a row"),
    pytest.param(
        HEAD + one_branch('id = "so", label = "So", goal = "attained", slotz = []'), ["slotz"], id="typo in a branch"
    ),
    pytest.param(
        HEAD + one_slot('kind = "boost", forms = [{ form = "boost", fre_invocations = 1 }]'),
        ["fre_invocations"],
        id="typo beside a form",
    ),
    pytest.param(
        HEAD + one_branch('id = "so", label = "So", goal = "atained"'), ["goal", "attained"], id="unknown goal"
    ),
    pytest.param(
        HEAD + one_branch('id = "so", label = "So"').replace("# <-", ""),
        ["branches.0.goal"],
        id="branch without a goal",
    ),
    pytest.param(
        HEAD + one_branch('id = "so", label = "So", goal = "attained", grants = [{ type = "gold", to = "actor" }]'),
        ["type", "hit"],
        id="unknown grant",
    ),
    pytest.param(
        HEAD + "\n[actions.sing] # <-\n" + 'label = "Sing"\nsection = "Singing"\n' + rows("sing"),
        ["sing", "oppos"],
        id="action that nothing opposes",
    ),
    pytest.param(
        HEAD + SING.replace('["passive"]', '["luck"] # <-') + rows("sing"), ["passive"], id="unknown opposition"
    ),
    pytest.param(
        HEAD + '[outcomes]\nepic = { from = 5, rows_of = "epic" } # <-\n',
        ["epic", "rows of its own"],
        id="an outcome with its own rows of itself",
    ),
    pytest.param(
        HEAD + '[outcomes]\nepic = { from = 5, rows_of = "succeed" }\nmore = { from = 6, rows_of = "epic" } # <-\n',
        ["epic", "rows of its own"],
        id="an outcome with the rows of one that has none",
    ),
    pytest.param(
        HEAD + SING + 'variants = [{ name = "high", rows_of = "high" }] # <-\n' + rows("sing", variant="high"),
        ["high"],
        id="a variant with its own rows of itself",
    ),
    pytest.param(
        HEAD + SING + 'variants = ["high", "high"] # <-\n' + rows("sing", variant="high"),
        ["high"],
        id="a variant twice",
    ),
    pytest.param(HEAD + "[outcomes]\nfail = 9 # <-\n", ["fail"], id="shifts for a failure"),
    pytest.param(HEAD + "[outcomes]\nneat = 1 # <-\n", ["neat", "succeed"], id="the shifts of another outcome"),
    pytest.param(
        HEAD
        + row(
            "attack",
            "succeed",
            branches='branches = [{ id = "hit", label = "Hit", goal = "attained", grants = ['
            '{ type = "hit", to = "defender", amount = "shifts - 1" }] }] # <-',
        ),
        ["shifts"],
        id="a hit of nothing",
    ),
    pytest.param(HEAD + one_slot('kind = "boost", forms = ["boost", "boost"]'), ["twice"], id="a form twice"),
    pytest.param(
        HEAD + '[forms.rumour] # <-\nkinds = ["boost"]\nlabel = "R"\nbrief = "b"\nfree_invocations = 1\n',
        ["to"],
        id="free invocations for nobody",
    ),
    pytest.param(
        HEAD + '[forms.rumour] # <-\nkinds = ["boost"]\nlabel = "On {foe}"\nbrief = "b"\n',
        ["actor"],
        id="a label with what is not put in",
    ),
    pytest.param(
        HEAD + '[[riders]]\nid = "ours"\nsection = "Ours"\nfirst_form = { kind = "boost", form = "loss" } # <-\n',
        ["loss", "boost"],
        id="a rider with a form first that is for another slot",
    ),
    pytest.param(
        HEAD + '[[riders]]\nid = "ours"\nsection = "Ours"\nslots = [{ kind = "boost", forms = ["boost"] }] # <-\n',
        ["two slots", "boost"],
        id="a rider with a slot that is there already",
    ),
    pytest.param(
        HEAD + '[[riders]]\nid = "ours"\nsection = "Ours"\ndrops_forms = ["boost", "story_detail"] # <-\n',
        ["no form"],
        id="a rider that empties a slot",
    ),
    pytest.param(
        HEAD
        + '[[riders]]\nid = "one"\nsection = "S"\nactions = ["overcome"]\ndrops_branches = ["fail"]\n'
        + '[[riders]]\nid = "two"\nsection = "S"\noutcomes = ["fail"]\ndrops_branches = ["serious_cost"] # <-\n',
        ["no branch"],
        id="two riders that drop all branches together",
    ),
    pytest.param(
        HEAD
        + '[[rows]]\naction = "overcome"\noutcome = "succeed"\n'
        + 'branches = [{ id = "x", label = "X", goal = "attained", frames = ["contest"] }] # <-\n',
        ["at least one branch"],
        id="a row whose branches are of some scenes alone",
    ),
    pytest.param(
        HEAD
        + '[[rows]]\naction = "overcome"\noutcome = "succeed"\nbranches = [\n'
        + '{ id = "x", label = "X", goal = "attained", frames = ["contest"] },\n'
        + '{ id = "y", label = "Y", goal = "attained" }]\n'
        + '[[riders]]\nid = "ours"\nsection = "Ours"\ndrops_branches = ["y"] # <-\n',
        ["no branch"],
        id="a rider that leaves a branch of some scenes alone",
    ),
    pytest.param(
        HEAD + '\n[[riders]]\nid = "ours"\nsection = "Ours"\nactions = ["sing"] # <-\n',
        ["sing"],
        id="rider of no action",
    ),
    pytest.param(
        HEAD
        + '\n[[riders]]\nid = "ours"\nsection = "Ours"\n'
        + 'slots = [{ kind = "boost", forms = ["curse"] }] # <-\n',
        ["curse"],
        id="rider with an unknown form",
    ),
    pytest.param(HEAD.replace("extends", "# extends"), ["common"], id="a file of its own without a sheet"),
    pytest.param(HEAD + "outcomes = [ # not closed\n", [], id="TOML: not closed"),
    pytest.param(HEAD + "this is no TOML # <-\n", [], id="TOML: no key"),
    pytest.param(HEAD + 'name = "again" # <-\n', [], id="TOML: a key twice"),
    pytest.param(HEAD + "\n[actions.overcome]\nlabel = 1 # <-\n", ["label"], id="a number for a word"),
    pytest.param("", ["name"], id="an empty file"),
]


@pytest.mark.parametrize(("text", "words"), BROKEN)
def test_a_broken_ruleset_is_refused_with_its_place(tmp_path: Path, text: str, words: list[str]) -> None:
    """The message names the file, the line and what is wrong there."""
    marked = [number for number, line in enumerate(text.splitlines(), 1) if "# <-" in line]

    message = str(refusal_of(tmp_path, text))

    assert all(word in message for word in words), message
    assert "house.toml:" in message
    assert all(f"house.toml:{number}:" in message for number in marked), message


def test_files_that_extend_each_other_are_refused(tmp_path: Path) -> None:
    """A ring of files is found, and does not go round for ever."""
    (tmp_path / "guest.toml").write_text('name = "guest"\ntitle = "Guest Rules"\nextends = "house"\n', "utf-8")

    error = refusal_of(tmp_path, HEAD.replace("five-actions", "guest"))

    assert "extends" in error.message
    assert "house" in error.message


def test_a_ring_that_a_file_only_leads_into_is_refused_too(tmp_path: Path) -> None:
    """Two files that extend each other are as bad for a third."""
    for name, above in (("guest", "cousin"), ("cousin", "guest")):
        (tmp_path / f"{name}.toml").write_text(f'name = "{name}"\ntitle = "Theirs"\nextends = "{above}"\n', "utf-8")

    error = refusal_of(tmp_path, HEAD.replace("five-actions", "guest"))

    assert "extends" in error.message


def test_a_mistake_in_a_file_that_is_extended_names_that_file(tmp_path: Path) -> None:
    """The place is where the mistake was written, not where it was found."""
    (tmp_path / "guest.toml").write_text(
        HEAD.replace("house", "guest") + one_slot('kind = "boost", forms = ["curse"]'), "utf-8"
    )

    error = refusal_of(tmp_path, HEAD.replace("five-actions", "guest"))

    assert "guest.toml:" in str(error)
    assert "curse" in error.message


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """A path that leads nowhere, and bytes that are no text, are bad rulesets too."""
    with pytest.raises(NarratorError) as caught:
        narrator.load_ruleset(tmp_path / "nowhere.toml")
    assert (caught.value.code, True) == ("bad_ruleset", "nowhere.toml" in str(caught.value))

    (tmp_path / "bytes.toml").write_bytes(b'name = "\xff"')
    with pytest.raises(NarratorError) as caught:
        narrator.load_ruleset(tmp_path / "bytes.toml")
    assert (caught.value.code, True) == ("bad_ruleset", "bytes.toml" in str(caught.value))


def test_every_packaged_ruleset_loads() -> None:
    """What comes with narrator is whole: each has a table of overcome."""
    for name in narrator.rulesets():
        assert name == narrator.table(name, "overcome").ruleset


def test_a_packaged_file_bears_the_name_of_its_ruleset() -> None:
    """A ruleset is found by its name, and its file alone is read."""
    assert [name for name in packaged_files() if packaged_file(name).file.name != name] == []
    assert "five-actions" in packaged_files()
