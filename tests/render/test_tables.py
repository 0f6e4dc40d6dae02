"""The page of a table: all that its rows give, in the words of the page of a roll."""

import pytest

from narrator.render.other_views import table
from narrator.rules.ruleset import table as tables
from narrator.rules.ruleset.declarations import Rider
from narrator.rules.ruleset.loader import packaged, packaged_ruleset
from narrator.rules.ruleset.ruleset import Ruleset

EVERY = [(name, action) for name in packaged() for action in packaged_ruleset(name).actions]


def shown(found: tables.Table, ruleset: Ruleset) -> list[str]:
    """The lines of its page."""
    return ["".join(span.text for span in line.spans) for line in table(found, ruleset.forms)]


@pytest.mark.parametrize(("name", "action"), EVERY, ids=[" ".join(each) for each in EVERY])
def test_a_table_is_told_in_words(name: str, action: str) -> None:
    """Each form by its label, and nothing by a name that the rules alone have for it."""
    ruleset = packaged_ruleset(name)
    found = tables.table(ruleset, action)
    told = shown(found, ruleset)
    slots = [slot for row in found.rows for branch in row.branches for slot in branch.slots]
    labels = {ruleset.forms[use.form].label.partition("{")[0] for slot in slots for use in slot.forms}

    odd = [line for line in told if "_" in line or "{" in line or "None" in line or line.startswith(":")]
    unsaid = [label for label in labels if not any(label in line for line in told)]

    assert not odd, f"render/sheets.py says this by the names of the rules: {odd}"
    assert not unsaid, f"render/sheets.py leaves these forms unsaid: {unsaid}"


def test_a_branch_of_some_scenes_says_of_which() -> None:
    """The page of a table is for every scene."""
    ruleset = packaged_ruleset("fate-condensed")
    told = shown(tables.table(ruleset, "create_advantage", "existing_aspect"), ruleset)

    assert any("Forfeit the contest roll (in a contest or contest under fire): " in each for each in told)


def test_a_rider_without_a_condition_holds_always() -> None:
    """Its line says so, and begins with no colon."""
    ruleset = packaged_ruleset("five-actions")
    rider = Rider(id="tide", section="Tides", notice="Mind the tide.")
    found = tables.table(ruleset, "overcome").model_copy(update={"riders": (rider,)})

    assert "always: Mind the tide." in shown(found, ruleset)
