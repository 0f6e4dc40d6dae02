"""The book's page of each action of each packaged ruleset, as its test types it; and that `resolve` keeps to it."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest

import narrator
from narrator import NarratorError
from narrator.rules.json_text import Json
from narrator.rules.ruleset.loader import packaged_ruleset
from tests.deeds import Deed
from tests.documents import DEEDS, OUTCOMES, told
from tests.rules.build import ask


@dataclass(frozen=True)
class Page:
    """An action of a ruleset, and what its test says of it: the plain deeds, in the order of their variants."""

    ruleset: str
    action: str
    deeds: tuple[Deed, ...]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.action}"

    @property
    def variants(self) -> dict[str | None, Deed]:
        """Each variant; one that can be left unnamed stands under its name alone."""
        return {
            variant: deed for deed in self.deeds for variant in deed.variants if variant or deed.variants == (None,)
        }


def pages() -> Iterator[Page]:
    """The page of each action of each packaged ruleset."""
    for ruleset, deeds in DEEDS.items():
        for action in dict.fromkeys(deed.type for deed in deeds):
            yield Page(ruleset, action, tuple(deed for deed in deeds if deed.type == action and None in deed.maneuvers))


every_page = pytest.mark.parametrize("page", list(pages()), ids=str)

OPPOSITIONS: dict[str, Json] = {
    "passive": {"rating": 1},
    "aspects": {"hindering": []},
    "active": {"by": "Xan", "roll": {"total": 1}},
    "defend": {"by": "Xan", "roll": {"total": 1}},
    "movement": {},
    "unseen_zone": {},
    "roar": {},
}
DIFFICULTIES = {"passive": 1, "aspects": 0, "active": 1, "defend": 1, "movement": 0, "unseen_zone": 1, "roar": 2}


def asked(page: Page, variant: str | None, kind: str, **action: Any) -> Json:
    """A request for a page's action, with all that one of its variants needs."""
    spec = packaged_ruleset(page.ruleset).actions[page.action]
    needs = spec.variant(variant or spec.all_variants[0]).needs
    return ask(
        request={"ruleset": page.ruleset},
        type=page.action,
        variant=variant,
        aspect="Rough Terrain" if "aspect" in needs else None,
        path=["Ford", "Wood"] if "path" in needs else None,
        opposition={"kind": kind, **OPPOSITIONS[kind]},
        **action,
    )


@pytest.mark.parametrize("ruleset", ["six-actions", "untold"])
def test_a_ruleset_without_a_test_of_its_own_fails(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """None is dropped in silence: neither where there is no such test, nor where it does not say what can be done."""
    monkeypatch.setitem(sys.modules, "tests.rulesets.test_untold", ModuleType("test_untold"))

    with pytest.raises(AssertionError, match=ruleset):
        told(ruleset, "DEEDS")


def refused(*page: str) -> tuple[str, list[str]]:
    """Ask for a page that there is not: the code, and what there is in its place."""
    with pytest.raises(NarratorError) as caught:
        narrator.table(*page)
    return caught.value.code, sorted(caught.value.allowed or ())


@pytest.mark.parametrize("ruleset", DEEDS)
def test_a_ruleset_has_its_actions_and_no_others(ruleset: str) -> None:
    """An action of another ruleset is refused, and those there are, are listed."""
    assert refused(ruleset, "parley") == ("unsupported_action", sorted({deed.type for deed in DEEDS[ruleset]}))


@every_page
def test_a_page_has_a_row_for_every_variant_and_outcome(page: Page) -> None:
    """Variants stand in their order, the one that is meant unnamed first, and each has all outcomes, worst first."""
    outcomes = ["fail", *OUTCOMES[page.ruleset]]

    table = narrator.table(page.ruleset, page.action)

    assert [(variant, outcome) for variant in page.variants for outcome in outcomes] == [
        (row.variant, row.outcome) for row in table.rows if row.maneuver is None
    ]
    assert (page.ruleset, page.action) == (table.ruleset, table.action)
    assert all(row.branches and row.source.document and row.source.section for row in table.rows)


@every_page
def test_a_page_says_what_may_oppose(page: Page) -> None:
    """What opposes an action, and what opposes it on a character, is that of the spec."""
    table = narrator.table(page.ruleset, page.action)

    told = set(table.opposition or ()), set(table.opposition_on_target or ())
    assert told == (set(page.deeds[0].alone), set(page.deeds[0].on_target))


@every_page
def test_resolve_takes_the_opposition_of_the_page_and_no_other(page: Page) -> None:
    """Each kind, for each variant, with a target and without: it resolves, or `bad_opposition` lists what would."""
    for variant, deed in page.variants.items():
        for target in (None, "Xan")[not deed.alone :]:
            allowed = (target and deed.on_target) or deed.alone
            found = {}
            for kind in OPPOSITIONS:
                try:
                    narrator.resolve(asked(page, variant, kind, target=target))
                except NarratorError as error:
                    found[kind] = (error.code, error.field, sorted(error.allowed or ()))
            refusal = ("bad_opposition", "request.action.opposition.kind", sorted(allowed))

            assert {kind: refusal for kind in OPPOSITIONS if kind not in allowed} == found, (variant, target)


@every_page
def test_the_page_shows_the_branches_that_resolve_gives(page: Page) -> None:
    """For every row: the same branches with the same goals, for a roll told against the kind that is allowed first."""
    for variant, deed in page.variants.items():
        kind = (deed.alone or deed.on_target)[0]
        target = None if deed.alone else "Xan"
        for row in narrator.table(page.ruleset, page.action, variant).rows:
            if row.variant != variant or row.maneuver is not None:
                continue
            total = DIFFICULTIES[kind] + {"fail": -1, **OUTCOMES[page.ruleset]}[row.outcome]
            answer = narrator.resolve(asked(page, variant, kind, target=target, roll={"total": total}))

            assert row.outcome == answer.outcome
            assert row.source == answer.source
            there = [each for each in row.branches if each.unless_free is None and each.frames is None]
            shown = [(branch.id, branch.label, branch.goal) for branch in there]
            assert shown == [(branch.id, branch.label, branch.goal) for branch in answer.branches]


@every_page
def test_a_page_of_one_variant_is_a_part_of_the_whole(page: Page) -> None:
    """Asked for one variant, the page has its rows alone; another is `unknown_variant`, with those there are."""
    whole = narrator.table(page.ruleset, page.action)
    for variant in filter(None, page.variants):
        part = narrator.table(page.ruleset, page.action, variant)

        assert [row for row in whole.rows if row.variant == variant] == list(part.rows)

    variants = sorted(filter(None, page.variants))
    assert refused(page.ruleset, page.action, "sideways") == ("unknown_variant", variants)


def test_the_short_name_of_create_an_advantage_is_taken() -> None:
    """As in a request, `caa` is the action's short name."""
    assert narrator.table("five-actions", "create_advantage") == narrator.table("five-actions", "caa")


def test_a_ruleset_may_be_given_itself() -> None:
    """A ruleset that was loaded shows its page as one that is named does."""
    assert narrator.table("coppermane", "overcome") == narrator.table(packaged_ruleset("coppermane"), "overcome")


def test_an_unknown_ruleset_is_refused_with_those_that_are_known() -> None:
    """A slip of the pen is met with the names."""
    assert refused("copermane", "overcome") == ("unknown_ruleset", sorted(DEEDS))


@pytest.mark.parametrize(
    ("ruleset", "action", "told"),
    [
        ("coppermane", "overcome", "legend_points"),
        ("coppermane", "attack", "defender_boost"),
        ("five-actions", "create_advantage", "forfeit_next_contest_roll"),
        ("war-of-ashes", "attack", "charged_home"),
    ],
)
def test_a_page_tells_what_holds_beside_its_rows(ruleset: str, action: str, told: str) -> None:
    """The book's page of an action says too what an epic success, a stylish defence, a contest and a charge add."""
    assert f'"{told}"' in json.dumps(narrator.table(ruleset, action).as_json())


@every_page
def test_a_page_tells_of_a_stylish_defence_only_where_somebody_can_defend(page: Page) -> None:
    """In Fate Core nobody defends against an overcome action, and nowhere does anybody against a defence."""
    riders = {rider.id for rider in narrator.table(page.ruleset, page.action).riders}

    assert "defended_with_style" not in riders or any("defend" in deed.alone + deed.on_target for deed in page.deeds)


def test_a_maneuver_with_rows_of_its_own_stands_on_the_page_of_its_action_alone() -> None:
    """Full defence is a way to create an advantage, and nothing is said of it beside other actions."""
    pages = {action: narrator.table("war-of-ashes", action) for action in packaged_ruleset("war-of-ashes").actions}
    told = {action for action, page in pages.items() if "full_defense" in json.dumps(page.as_json())}

    assert told == {"create_advantage"}
    assert {row.outcome for row in pages["create_advantage"].rows if row.maneuver} == {"succeed", "succeed_with_style"}
