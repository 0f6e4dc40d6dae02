"""What the documents have that are packaged as rulesets, as the test of each in tests/rulesets types it."""

from importlib import import_module
from typing import Any, Literal

from narrator.rules.ruleset.loader import packaged
from tests.deeds import Deed

Told = Literal[
    "DEEDS",
    "SKILLS",
    "TABLE",
    "DOCUMENT",
    "SECTIONS",
    "OUTCOMES",
    "STRESS",
    "BOXES_PER_HIT",
    "CONSEQUENCES",
    "INFLICTED",
    "HITS",
    "HELPS",
]


def told(ruleset: str, what: Told, *otherwise: Any) -> Any:
    """What a packaged ruleset's test, tests/rulesets/test_NAME.py, says that the document has; of what it may leave
    out, otherwise this.
    """
    module = told_in(ruleset).removesuffix(".py").replace("/", ".")
    try:
        return getattr(import_module(module), what, *otherwise)
    except (ModuleNotFoundError, AttributeError) as error:
        cure = f"write {what} there as its document has it (docs/adding/ruleset.md)"
        raise AssertionError(f"{told_in(ruleset)} has no {what} of the ruleset {ruleset}: {cure}") from error


def told_in(ruleset: str) -> str:
    """The file in which what the document of a packaged ruleset says is typed."""
    return f"tests/rulesets/test_{ruleset.replace('-', '_')}.py"


DEEDS: dict[str, tuple[Deed, ...]] = {ruleset: told(ruleset, "DEEDS") for ruleset in packaged()}
SKILLS: dict[str, tuple[str, ...]] = {ruleset: tuple(told(ruleset, "SKILLS").split()) for ruleset in packaged()}

ATTACKS_IN: dict[str, set[str | None]] = {
    ruleset: {frame for cell in told(ruleset, "TABLE") if cell.action["type"] == "attack" for frame in cell.frames}
    for ruleset in packaged()
}
"""The kinds of scene that one may attack in; None: that is no kind."""

FOUR: dict[str, int] = {"tie": 0, "succeed": 1, "succeed_with_style": 3}

OUTCOMES: dict[str, dict[str, int]] = {ruleset: told(ruleset, "OUTCOMES", FOUR) for ruleset in packaged()}
"""The fewest shifts of each outcome but a failure, worst first."""

FATE_CORE = {"physical": [1, 2], "mental": [1, 2]}
"""The boxes of each stress track in Fate Core, for the documents that say nothing of their own."""

STRESS: dict[str, dict[str, list[int]]] = {ruleset: told(ruleset, "STRESS", FATE_CORE) for ruleset in packaged()}
"""The boxes of those whose sheet nobody told; the first track is that of an attack that names none."""

BOXES_PER_HIT: dict[str, int] = {ruleset: told(ruleset, "BOXES_PER_HIT", 1) for ruleset in packaged()}

LEVELS_OF_CONSEQUENCES = {"mild": 2, "moderate": 4, "severe": 6}

CONSEQUENCES: dict[str, dict[str, int]] = {
    ruleset: told(ruleset, "CONSEQUENCES", LEVELS_OF_CONSEQUENCES) for ruleset in packaged()
}
"""The levels of consequence, the mildest first, and the shifts that each absorbs."""

INFLICTED: dict[str, int] = {ruleset: told(ruleset, "INFLICTED", 1) for ruleset in packaged()}
"""The free invocations of a consequence that an attack inflicts."""


def stress_of(somebody: dict[str, Any], ruleset: str) -> dict[str, Any]:
    """The stress tracks of somebody in a scene: those told, else the ruleset's, or none for who has no sheet."""
    has_one = somebody.get("importance", "nameless") in ("pc", "named")
    boxes = STRESS[ruleset] if has_one else {}
    return dict(somebody.get("stress", {track: {"boxes": each} for track, each in boxes.items()}))


def track_of(request: dict[str, Any]) -> str:
    """The stress track that an attack is on."""
    return str(request["action"].get("attack", {}).get("track", next(iter(STRESS[request["ruleset"]]))))
