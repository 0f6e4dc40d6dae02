"""The book's page of each action of each packaged ruleset, typed here; and that `resolve` keeps to it."""

import json

import pytest

import narrator
from narrator import NarratorError
from narrator.rules.loading import packaged_ruleset
from tests.rules.build import Json, ask

FOUR = ("fail", "tie", "succeed", "succeed_with_style")
FIVE = (*FOUR, "epic_success")
KINDS = ("passive", "aspects", "active", "defend", "movement", "unseen_zone", "roar")

# For each action: its variants, what opposes it, what opposes it on a character.
Page = tuple[tuple[str | None, ...], set[str] | None, set[str] | None]

PASSIVE_ACTIVE = {"passive", "active"}
ANY_OF_THREE = {"passive", "active", "defend"}
ON_SOMEBODY = {"defend", "passive"}

PAGES: dict[str, dict[str, Page]] = {
    "five-actions": {
        "overcome": ((None,), PASSIVE_ACTIVE, None),
        "discover": (("information", "aspect", "new_information"), PASSIVE_ACTIVE, None),
        "create_advantage": (("new_aspect", "existing_aspect"), PASSIVE_ACTIVE, ON_SOMEBODY),
        "attack": ((None,), None, ON_SOMEBODY),
        "defend": ((None,), PASSIVE_ACTIVE, None),
    },
    "coppermane": {
        "overcome": ((None,), ANY_OF_THREE, None),
        "create_advantage": (("new_aspect", "existing_aspect", "discover_aspect"), PASSIVE_ACTIVE, ON_SOMEBODY),
        "attack": ((None,), None, ON_SOMEBODY),
        "defend": ((None,), PASSIVE_ACTIVE, None),
    },
    "aspect-difficulty": {"overcome": ((None,), {"aspects", "active"}, None)},
    "base-actions": {
        "overcome": ((None,), ANY_OF_THREE, None),
        "create_advantage": (("new_aspect", "existing_aspect"), ANY_OF_THREE, ON_SOMEBODY),
        "attack": ((None,), None, ON_SOMEBODY),
        "defend": ((None,), PASSIVE_ACTIVE, None),
    },
    "war-of-ashes": {
        "overcome": ((None, "movement"), ANY_OF_THREE, None),
        "create_advantage": (
            ("new_aspect", "existing_aspect", "discover_aspect", "roar", "unseen_zone"),
            PASSIVE_ACTIVE,
            ON_SOMEBODY,
        ),
        "attack": ((None,), None, ON_SOMEBODY),
        "defend": ((None,), PASSIVE_ACTIVE, None),
    },
}

ONLY_OPPOSED_BY = {"movement": {"movement", "active"}, "roar": {"roar"}, "unseen_zone": {"unseen_zone"}}

EVERY_ACTION = [
    pytest.param(ruleset, action, page, id=f"{ruleset} {action}")
    for ruleset, pages in PAGES.items()
    for action, page in pages.items()
]

OPPOSITIONS: dict[str, Json] = {
    "passive": {"rating": 1},
    "aspects": {"hindering": []},
    "active": {"by": "Xan", "roll": {"total": 1}},
    "defend": {"by": "Xan", "roll": {"total": 1}},
    "movement": {},
    "unseen_zone": {},
    "roar": {},
}


def test_the_packaged_rulesets_are_these_five() -> None:
    """The file that is there to be extended is no ruleset."""
    assert sorted(PAGES) == sorted(set(narrator.rulesets()))


@pytest.mark.parametrize("ruleset", PAGES)
def test_a_ruleset_has_its_actions_and_no_others(ruleset: str) -> None:
    """An action of another ruleset is refused, and those there are, are listed."""
    with pytest.raises(NarratorError) as caught:
        narrator.table(ruleset, "parley")

    assert ("unsupported_action", sorted(PAGES[ruleset])) == (caught.value.code, sorted(caught.value.allowed or ()))


@pytest.mark.parametrize(("ruleset", "action", "page"), EVERY_ACTION)
def test_a_page_has_a_row_for_every_variant_and_outcome(ruleset: str, action: str, page: Page) -> None:
    """Variants stand in their order, the one that is meant unnamed first, and each has all outcomes, worst first."""
    outcomes = FIVE if ruleset == "coppermane" else FOUR

    table = narrator.table(ruleset, action)

    assert [(variant, outcome) for variant in page[0] for outcome in outcomes] == [
        (row.variant, row.outcome) for row in table.rows if row.maneuver is None
    ]
    assert (ruleset, action) == (table.ruleset, table.action)
    assert all(row.branches and row.source.document and row.source.section for row in table.rows)


@pytest.mark.parametrize(("ruleset", "action", "page"), EVERY_ACTION)
def test_a_page_says_what_may_oppose(ruleset: str, action: str, page: Page) -> None:
    """What opposes an action, and what opposes it on a character, is that of the spec."""
    table = narrator.table(ruleset, action)

    assert page[1:] == tuple(
        None if kinds is None else set(kinds) for kinds in (table.opposition, table.opposition_on_target)
    )


@pytest.mark.parametrize(("ruleset", "action", "page"), EVERY_ACTION)
def test_resolve_takes_the_opposition_of_the_page_and_no_other(ruleset: str, action: str, page: Page) -> None:
    """Each kind, for each variant, with a target and without: it resolves, or `bad_opposition` lists what would."""
    variants, alone, on_somebody = page
    for variant in variants:
        for target in (None, "Xan"):
            if action == "attack" and target is None:
                continue
            allowed = ONLY_OPPOSED_BY.get(variant or "") or (target and on_somebody) or alone or set()
            about = "Rough Terrain" if variant == "existing_aspect" else None
            path = ["Ford", "Wood"] if variant == "movement" else None
            found = {}
            for kind in KINDS:
                request = ask(
                    request={"ruleset": ruleset},
                    type=action,
                    variant=variant,
                    target=target,
                    aspect=about,
                    path=path,
                    opposition={"kind": kind, **OPPOSITIONS[kind]},
                )
                try:
                    narrator.resolve(request)
                except NarratorError as error:
                    found[kind] = (error.code, error.field, sorted(error.allowed or ()))
            refusal = ("bad_opposition", "action.opposition.kind", sorted(allowed))

            assert {kind: refusal for kind in KINDS if kind not in allowed} == found, (variant, target)


@pytest.mark.parametrize(
    ("ruleset", "action", "variant"),
    [
        pytest.param(ruleset, action, variant, id=f"{ruleset} {action} {variant or 'plain'}")
        for ruleset, pages in PAGES.items()
        for action, page in pages.items()
        for variant in page[0]
    ],
)
def test_the_page_shows_the_branches_that_resolve_gives(ruleset: str, action: str, variant: str | None) -> None:
    """For every row: the same branches with the same goals, for a roll told against the kind that is allowed first."""
    table = narrator.table(ruleset, action, variant)
    rows = [row for row in table.rows if row.variant == variant]
    shifts = {"fail": -1, "tie": 0, "succeed": 1, "succeed_with_style": 3, "epic_success": 7}
    difficulty = {"roar": 2, "movement": 0}.get(variant or "", 0 if ruleset == "aspect-difficulty" else 1)
    kind = {"movement": "movement", "roar": "roar", "unseen_zone": "unseen_zone"}.get(
        variant or "", "aspects" if ruleset == "aspect-difficulty" else "passive"
    )

    for row in rows:
        answer = narrator.resolve(
            ask(
                request={"ruleset": ruleset},
                type=action,
                variant=variant,
                target="Xan" if action == "attack" else None,
                aspect="Rough Terrain" if variant == "existing_aspect" else None,
                path=["Ford", "Wood"] if variant == "movement" else None,
                roll={"total": difficulty + shifts[row.outcome]},
                opposition={"kind": kind, **OPPOSITIONS[kind]},
            )
        )

        assert row.outcome == answer.outcome
        assert row.source == answer.source
        shown = [(branch.id, branch.label, branch.goal) for branch in row.branches if branch.unless_free is None]
        assert shown == [(branch.id, branch.label, branch.goal) for branch in answer.branches]


@pytest.mark.parametrize(
    ("ruleset", "action", "variants"),
    [(ruleset, action, page[0]) for ruleset, pages in PAGES.items() for action, page in pages.items()],
    ids=[f"{ruleset} {action}" for ruleset, pages in PAGES.items() for action in pages],
)
def test_a_page_of_one_variant_is_a_part_of_the_whole(
    ruleset: str, action: str, variants: tuple[str | None, ...]
) -> None:
    """Asked for one variant, the page has its rows alone; another is `unknown_variant`, with those there are."""
    whole = narrator.table(ruleset, action)
    for variant in filter(None, variants):
        part = narrator.table(ruleset, action, variant)

        assert [row for row in whole.rows if row.variant == variant] == list(part.rows)

    with pytest.raises(NarratorError) as caught:
        narrator.table(ruleset, action, "sideways")

    assert ("unknown_variant", [each for each in variants if each]) == (
        caught.value.code,
        list(caught.value.allowed or ()),
    )


def test_the_short_name_of_create_an_advantage_is_taken() -> None:
    """As in a request, `caa` is the action's short name."""
    assert narrator.table("five-actions", "create_advantage") == narrator.table("five-actions", "caa")


def test_a_ruleset_may_be_given_itself() -> None:
    """A ruleset that was loaded shows its page as one that is named does."""
    assert narrator.table("coppermane", "overcome") == narrator.table(packaged_ruleset("coppermane"), "overcome")


def test_an_unknown_ruleset_is_refused_with_those_that_are_known() -> None:
    """A slip of the pen is met with the names."""
    with pytest.raises(NarratorError) as caught:
        narrator.table("copermane", "overcome")

    assert ("unknown_ruleset", sorted(PAGES)) == (caught.value.code, sorted(caught.value.allowed or ()))


@pytest.mark.parametrize(
    ("ruleset", "action", "told"),
    [
        ("coppermane", "overcome", "legend_points"),
        ("coppermane", "attack", "defender_boost"),
        ("five-actions", "create_advantage", "forfeit_next_contest_roll"),
    ],
    ids=["legend points", "the defender's boost", "the forfeit in a contest"],
)
def test_a_page_tells_what_holds_beside_its_rows(ruleset: str, action: str, told: str) -> None:
    """The book's page of an action says too what an epic success, a stylish defence and a contest add."""
    page = json.dumps(narrator.table(ruleset, action).as_json())

    assert (told, True) == (told, told in page)


def test_a_maneuver_with_rows_of_its_own_stands_on_the_page_of_its_action_alone() -> None:
    """Full defence is a way to create an advantage, and nothing is said of it beside other actions."""
    rows = {
        (action, row.maneuver, row.outcome)
        for action in ("overcome", "create_advantage", "attack", "defend")
        for row in narrator.table("war-of-ashes", action).rows
        if row.maneuver is not None
    }
    riders = {rider.id for rider in narrator.table("war-of-ashes", "attack").riders}

    assert {
        ("create_advantage", "full_defense", "succeed"),
        ("create_advantage", "full_defense", "succeed_with_style"),
    } == rows
    assert {"charged_home", "charged_in_vain", "defended_with_style"} == riders
