"""What a test in tests/rulesets says that its ruleset lets one do."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Deed:
    """Something that a ruleset lets one do, and the kinds of opposition it takes: alone, and on a character.

    The variants stand in the order of the page; None is what may be left unnamed, or has no name.
    """

    type: str
    variants: tuple[str | None, ...]
    alone: tuple[str, ...]
    on_target: tuple[str, ...] = ()
    maneuvers: tuple[str | None, ...] = (None,)
