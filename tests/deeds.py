"""What each packaged ruleset lets one do, as its own test in tests/rulesets types it from the document."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from narrator.rules.loading import packaged


@dataclass(frozen=True)
class Deed:
    """
    Something that a ruleset lets one do, and the kinds of opposition it takes: alone, and on a character.

    The variants stand in the order of the page; None is what may be left unnamed, or has no name.
    """

    type: str
    variants: tuple[str | None, ...]
    alone: tuple[str, ...]
    on_target: tuple[str, ...] = ()
    maneuvers: tuple[str | None, ...] = (None,)


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
