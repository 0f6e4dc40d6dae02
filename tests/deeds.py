"""What each packaged ruleset lets one do, as its own test in tests/rulesets types it from the document."""

from dataclasses import dataclass
from importlib import import_module

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


def deeds_of(ruleset: str) -> tuple[Deed, ...]:
    """
    The DEEDS in the test that a packaged ruleset has to have: tests/rulesets/test_NAME.py.
    """
    module = f"tests.rulesets.test_{ruleset.replace('-', '_')}"
    try:
        deeds: tuple[Deed, ...] = import_module(module).DEEDS
    except (ModuleNotFoundError, AttributeError) as error:
        raise AssertionError(f"the ruleset {ruleset} has no test with DEEDS: {module}") from error
    return deeds


DEEDS = {ruleset: deeds_of(ruleset) for ruleset in packaged()}
