"""Who and what opposes an action, as it is typed: --by, --with, --against and --hindering."""

from typing import Any

import pytest

from tests.interfaces.running import lines, made, page, refusal, run, said

ACTS = ("--actor", "Cynere", "--skill", "Lore=3", "--dice", "+000")

OPPOSED: dict[str, dict[str, Any]] = {
    "overcome": {"kind": "passive", "total": 1},
    "overcome --against 3": {"kind": "passive", "total": 3},
    "overcome --by Watch": {"kind": "active", "by": "Watch", "skill": 0},
    "overcome --by Watch --with Notice=2": {"kind": "active", "by": "Watch", "skill": 2},
    "overcome --by Watch --against 3": {"kind": "active", "by": "Watch", "total": 3},
    "overcome --with Notice=2 --against Good": {"kind": "active", "total": 3},
    "caa --target Watch --with Will=2": {"kind": "defend", "by": "Watch", "skill": 2},
    "caa --by Watch --with Will=2": {"kind": "active", "by": "Watch", "skill": 2},
    "caa --target Watch --against 2": {"kind": "passive", "total": 2},
    "attack --target Watch --with Fight=1": {"kind": "defend", "by": "Watch", "skill": 1},
    "attack --by Watch --with Fight=1": {"kind": "defend", "by": "Watch", "skill": 1},
    "attack --target Watch --against 2": {"kind": "passive", "total": 2},
    "defend --by Watch --against 5": {"kind": "active", "by": "Watch", "total": 5},
}


@pytest.mark.parametrize("typed", OPPOSED)
def test_what_opposes_is_what_was_typed(typed: str) -> None:
    """A rating alone is passive; somebody rolls, in the way or, on a target and in an attack, defending; with a rating
    beside it that is what they rolled in all, and their skill is in it.
    """
    opposed = OPPOSED[typed]
    found = made("resolve", *typed.split(), *ACTS, "--seed", "1")["opposition"]

    assert {name: found.get(name) for name in opposed} == opposed
    assert ("dice" in found) == (opposed["kind"] != "passive" and "--against" not in typed)


OTHERS: dict[str, dict[str, Any]] = {
    "overcome --ruleset aspect-difficulty": {"kind": "aspects", "total": 0},
    "overcome --ruleset aspect-difficulty --hindering Fog --hindering Mud": {"kind": "aspects", "total": 4},
    "overcome --ruleset aspect-difficulty --by Watch": {"kind": "active", "by": "Watch"},
    "caa --ruleset war-of-ashes --variant roar": {"kind": "roar", "total": 2},
    "caa --ruleset war-of-ashes --variant roar --against 4": {"kind": "roar", "total": 4},
    "caa --ruleset war-of-ashes --variant unseen_zone": {"kind": "unseen_zone", "total": 1},
    "overcome --ruleset war-of-ashes --variant movement --path Ford --path Gate": {"kind": "movement", "total": 0},
}


@pytest.mark.parametrize("typed", OTHERS)
def test_each_ruleset_is_opposed_by_what_it_has(typed: str) -> None:
    """Aspects that hinder, a roar's own difficulty, the way, or what hides a zone: nobody needs a file for it."""
    found = made("resolve", *typed.split(), "--dice", "0000", "--seed", "1")["opposition"]

    assert {name: found.get(name) for name in OTHERS[typed]} == OTHERS[typed]


@pytest.mark.parametrize(("rating", "option"), [(("--against", "1"), "--against"), ((), "--by")])
def test_where_somebody_always_rolls_it_is_told_how_that_is_typed(rating: tuple[str, ...], option: str) -> None:
    """An attack in Fate Condensed is defended against: what stands for whoever defends is the refusal's to say."""
    attack = ("resolve", "attack", "--ruleset", "fate-condensed", "--target", "Holt", *ACTS)
    line = refusal(*attack, *rating)

    assert line.startswith(f"narrator: bad_opposition: {option}: ")
    assert ("--with SKILL" in line, "--by NAME" in line, "--against is their total" in line) == (True, True, True)
    assert run(*attack, "--with", "Fight", *rating).code == 0


@pytest.mark.parametrize("call", ["resolve", "suggest", "odds", "reach"])
def test_a_page_says_where_nobody_said_what_opposes(call: str) -> None:
    """Average is taken, as the book has it, and told, with the option that says else."""
    told = said(page(call, "overcome", *ACTS))

    assert "You didn't say what opposes this: Average (+1)" in told
    assert "--against" in told


SAID = [
    "overcome --against 1",
    "overcome --by Watch --seed 1",
    "overcome --with Will=1 --seed 1",
    "overcome --ruleset aspect-difficulty",
    "examples/cynere.json",
]


@pytest.mark.parametrize("typed", SAID)
def test_a_page_says_nothing_where_it_was_said(typed: str) -> None:
    """Nor where no rating is taken."""
    assert "You didn't say" not in page("resolve", *typed.split(), "--actor", "Cynere", "--dice", "0000")


def test_the_defender_of_an_attack_has_no_sheet_but_one_that_was_told() -> None:
    """Whether the one who is hit was typed as the target or as who rolls, how it is absorbed is the table's to say."""
    told = ("attack", "--actor", "Cynere", "--total", "4", "--against", "2")
    hits = [made("resolve", *told, option, "Watch")["branches"][0]["grants"][0] for option in ("--target", "--by")]

    assert [("absorb" in hit, hit["amount"]) for hit in hits] == [(False, 2), (False, 2)]


@pytest.mark.parametrize(
    "typed", ["attack --against 9 --dice 0000", "caa --with Will=2 --dice 0000", "overcome --fail"]
)
def test_the_page_names_on_whom_it_was(typed: str) -> None:
    """Whoever the target is, beside what opposes, though it was passive and nothing comes of it."""
    assert "Watch" in " ".join(lines(page("resolve", *typed.split(), "--target", "Watch", "--seed", "1"))[1:3])


REFUSED = {
    "--hindering Fog --by Watch --ruleset aspect-difficulty": "--hindering",
    "--hindering Fog --against 2 --ruleset aspect-difficulty": "--against",
    "--against 2 --ruleset aspect-difficulty": "--against",
    "--hindering Fog": "--hindering",
    "--by Watch --with =2": "--with",
    "--by Watch --with 2": "--with",
    "--by Watch --with Will=very": "--with",
    "--by Watch --against hard": "--against",
    "--by Cynere": "--by",
}


@pytest.mark.parametrize("typed", REFUSED)
def test_opposition_that_cannot_be_is_refused_by_its_option(typed: str) -> None:
    """One line, which begins with the option that is wrong."""
    assert refusal("resolve", "overcome", *typed.split(), "--actor", "Cynere").split(": ")[2] == REFUSED[typed]


SPELT = {
    **dict.fromkeys(("Lore=4", "Lore 4", "Lore +4", "Lore = Great", "lore=4", "  LORE  4 "), ("Lore", 4)),
    **dict.fromkeys(("Lore+4", "Lore: 4", "Lore (+4)"), ("Lore", 4)),
    **dict.fromkeys(("Lore -1", "Lore −1"), ("Lore", -1)),
    "Lore": ("Lore", 0),
    "Basket Weaving 2": ("Basket Weaving", 2),
    "Sword of 1000 Truths=3": ("Sword of 1000 Truths", 3),
}


@pytest.mark.parametrize("typed", SPELT)
def test_a_skill_is_typed_as_people_write_it(typed: str) -> None:
    """With = or a blank before the rating, in any case, for the actor and for who rolls against it."""
    found = made("resolve", "overcome", "--skill", typed, "--by", "Watch", "--with", typed, "--seed", "1")
    name, rating = SPELT[typed]

    assert (found["action"]["skill"], found["roll"]["skill"], found["opposition"]["skill"]) == (name, rating, rating)


@pytest.mark.parametrize(("option", "typed"), [("--skill", "Loer"), ("--skill", "loree"), ("--with", "Lroe")])
def test_a_mistyped_skill_is_refused_with_the_one_meant(option: str, typed: str) -> None:
    """Where no rating was typed it would count 0, and nobody would know why."""
    told = refusal("resolve", "overcome", "--by", "Watch", option, typed, "--seed", "1")

    assert f"{option}: " in told
    assert "did you mean Lore" in told


def test_a_skill_that_nobody_knows_counts_and_is_told() -> None:
    """One that is near to none is the table's own: with a rating it counts that, without one 0, and so it is told."""
    rated = page("resolve", "overcome", "--skill", "Basket Weaving=2", "--dice", "0000")
    unrated = said(page("resolve", "overcome", "--skill", "Basket Weaving", "--dice", "0000"))

    assert "0 0 0 0   Basket Weaving +2" in " ".join(lines(rated))
    assert "'Basket Weaving' is on no sheet" in unrated
