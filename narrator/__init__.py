"""
Words for Fate: the rules decide each action, a language model only words, a validator checks every word.

The public names load what they need when they are first used; `narrator.vtt.run` is the entry for macros.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from narrator.errors import NarratorError

if TYPE_CHECKING:
    from narrator import vtt
    from narrator.api import (
        apply,
        astream,
        check,
        odds,
        reach,
        resolve,
        rulesets,
        stream,
        suggest,
        table,
        turn_order,
        violations,
    )
    from narrator.chain import runnable
    from narrator.house import load_ruleset
    from narrator.rules.action import Request
    from narrator.rules.choice import Suggestion
    from narrator.rules.resolution import Resolution
    from narrator.rules.ruleset import Ruleset
    from narrator.rules.scene import Scene
    from narrator.sources.budget import Budget, Budgeted
    from narrator.sources.langchain import from_langchain
    from narrator.suggestions.answer import Answer, Event
    from narrator.validation.checking import Verdict

__version__ = "0.1.0"

_LAZY = {
    "Answer": "narrator.suggestions.answer",
    "Event": "narrator.suggestions.answer",
    "Request": "narrator.rules.action",
    "Resolution": "narrator.rules.resolution",
    "Ruleset": "narrator.rules.ruleset",
    "Suggestion": "narrator.rules.choice",
    "Verdict": "narrator.validation.checking",
    "Scene": "narrator.rules.scene",
    "Budget": "narrator.sources.budget",
    "Budgeted": "narrator.sources.budget",
    "apply": "narrator.api",
    "astream": "narrator.api",
    "check": "narrator.api",
    "from_langchain": "narrator.sources.langchain",
    "load_ruleset": "narrator.house",
    "odds": "narrator.api",
    "reach": "narrator.api",
    "resolve": "narrator.api",
    "runnable": "narrator.chain",
    "rulesets": "narrator.api",
    "stream": "narrator.api",
    "suggest": "narrator.api",
    "table": "narrator.api",
    "turn_order": "narrator.api",
    "violations": "narrator.api",
}

__all__ = [
    "Answer",
    "Budget",
    "Budgeted",
    "Event",
    "NarratorError",
    "Request",
    "Resolution",
    "Ruleset",
    "Scene",
    "Suggestion",
    "Verdict",
    "__version__",
    "apply",
    "astream",
    "check",
    "from_langchain",
    "load_ruleset",
    "odds",
    "reach",
    "resolve",
    "rulesets",
    "runnable",
    "stream",
    "suggest",
    "table",
    "turn_order",
    "violations",
    "vtt",
]


def __getattr__(name: str) -> Any:
    if name == "vtt":
        return import_module("narrator.vtt")
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_LAZY[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
