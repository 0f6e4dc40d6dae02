"""What the documents have that are packaged as rulesets, as the test of each in tests/rulesets types it."""

from importlib import import_module
from typing import Any, Literal

from narrator.rules.loading import packaged
from tests.deeds import Deed


def told(ruleset: str, what: Literal["DEEDS", "SKILLS"]) -> Any:
    """
    What a packaged ruleset's test, tests/rulesets/test_NAME.py, says that the document has.
    """
    module = f"tests.rulesets.test_{ruleset.replace('-', '_')}"
    try:
        return getattr(import_module(module), what)
    except (ModuleNotFoundError, AttributeError) as error:
        raise AssertionError(f"the ruleset {ruleset} has no {what} in a test of its own: {module}") from error


DEEDS: dict[str, tuple[Deed, ...]] = {ruleset: told(ruleset, "DEEDS") for ruleset in packaged()}
SKILLS: dict[str, tuple[str, ...]] = {ruleset: tuple(told(ruleset, "SKILLS").split()) for ruleset in packaged()}
