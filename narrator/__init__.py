"""
Words for Fate: the rules decide each action, a language model only words, a validator checks every word.

The public names load what they need when they are first used; `narrator.vtt.run` is the entry for macros.
"""

from importlib import import_module
from typing import TYPE_CHECKING

# Each public name stands here for type checkers, and below, with where it is, for Python.
if TYPE_CHECKING:
    from narrator import vtt as vtt
    from narrator.api import apply as apply
    from narrator.api import astream as astream
    from narrator.api import check as check
    from narrator.api import odds as odds
    from narrator.api import reach as reach
    from narrator.api import resolve as resolve
    from narrator.api import rulesets as rulesets
    from narrator.api import settle as settle
    from narrator.api import stream as stream
    from narrator.api import suggest as suggest
    from narrator.api import table as table
    from narrator.api import turn_order as turn_order
    from narrator.api import violations as violations
    from narrator.chain import runnable as runnable
    from narrator.deck.cards import DeckFile as DeckFile
    from narrator.errors import NarratorError as NarratorError
    from narrator.house import load_deck as load_deck
    from narrator.house import load_ruleset as load_ruleset
    from narrator.rules.action import Action as Action
    from narrator.rules.action import Active as Active
    from narrator.rules.action import Aspects as Aspects
    from narrator.rules.action import Attack as Attack
    from narrator.rules.action import Invocation as Invocation
    from narrator.rules.action import Movement as Movement
    from narrator.rules.action import Opposition as Opposition
    from narrator.rules.action import Passive as Passive
    from narrator.rules.action import Request as Request
    from narrator.rules.action import Roar as Roar
    from narrator.rules.action import Roll as Roll
    from narrator.rules.action import UnseenZone as UnseenZone
    from narrator.rules.action import Untold as Untold
    from narrator.rules.card import Card as Card
    from narrator.rules.chances import InvocationOdds as InvocationOdds
    from narrator.rules.chances import Odds as Odds
    from narrator.rules.chances import Reach as Reach
    from narrator.rules.changes import Change as Change
    from narrator.rules.changes import Settled as Settled
    from narrator.rules.choice import AbsorbChoice as AbsorbChoice
    from narrator.rules.choice import Choice as Choice
    from narrator.rules.choice import GrantChoice as GrantChoice
    from narrator.rules.choice import NamedConsequence as NamedConsequence
    from narrator.rules.choice import Suggestion as Suggestion
    from narrator.rules.resolution import Absorption as Absorption
    from narrator.rules.resolution import ActionTaken as ActionTaken
    from narrator.rules.resolution import Branch as Branch
    from narrator.rules.resolution import FormOffer as FormOffer
    from narrator.rules.resolution import Grant as Grant
    from narrator.rules.resolution import OppositionResult as OppositionResult
    from narrator.rules.resolution import Resolution as Resolution
    from narrator.rules.resolution import RollResult as RollResult
    from narrator.rules.resolution import Slot as Slot
    from narrator.rules.ruleset import Ruleset as Ruleset
    from narrator.rules.scene import Character as Character
    from narrator.rules.scene import Consequence as Consequence
    from narrator.rules.scene import Scene as Scene
    from narrator.rules.scene import SceneAspect as SceneAspect
    from narrator.rules.scene import StressTrack as StressTrack
    from narrator.rules.scene import Zone as Zone
    from narrator.rules.table import Table as Table
    from narrator.rules.table import TableRow as TableRow
    from narrator.sources.budget import Budget as Budget
    from narrator.sources.budget import Budgeted as Budgeted
    from narrator.sources.langchain import from_langchain as from_langchain
    from narrator.suggestions.answer import AcceptedEvent as AcceptedEvent
    from narrator.suggestions.answer import Answer as Answer
    from narrator.suggestions.answer import DoneEvent as DoneEvent
    from narrator.suggestions.answer import Event as Event
    from narrator.suggestions.answer import NoticeEvent as NoticeEvent
    from narrator.suggestions.answer import RejectedEvent as RejectedEvent
    from narrator.suggestions.answer import ResolutionEvent as ResolutionEvent
    from narrator.suggestions.answer import Usage as Usage
    from narrator.suggestions.answer import UsageEvent as UsageEvent
    from narrator.suggestions.source import Brief as Brief
    from narrator.suggestions.source import Source as Source
    from narrator.suggestions.source import SourceError as SourceError
    from narrator.suggestions.source import Tokens as Tokens
    from narrator.validation.verdict import Rejection as Rejection
    from narrator.validation.verdict import Verdict as Verdict
    from narrator.validation.verdict import Violation as Violation

__version__ = "0.1.0"

_LAZY = {
    "AbsorbChoice": "narrator.rules.choice",
    "Absorption": "narrator.rules.resolution",
    "AcceptedEvent": "narrator.suggestions.answer",
    "Action": "narrator.rules.action",
    "ActionTaken": "narrator.rules.resolution",
    "Active": "narrator.rules.action",
    "Answer": "narrator.suggestions.answer",
    "Aspects": "narrator.rules.action",
    "Attack": "narrator.rules.action",
    "Branch": "narrator.rules.resolution",
    "Brief": "narrator.suggestions.source",
    "Budget": "narrator.sources.budget",
    "Budgeted": "narrator.sources.budget",
    "Card": "narrator.rules.card",
    "Change": "narrator.rules.changes",
    "Character": "narrator.rules.scene",
    "Choice": "narrator.rules.choice",
    "Consequence": "narrator.rules.scene",
    "DeckFile": "narrator.deck.cards",
    "DoneEvent": "narrator.suggestions.answer",
    "Event": "narrator.suggestions.answer",
    "FormOffer": "narrator.rules.resolution",
    "Grant": "narrator.rules.resolution",
    "GrantChoice": "narrator.rules.choice",
    "Invocation": "narrator.rules.action",
    "InvocationOdds": "narrator.rules.chances",
    "Movement": "narrator.rules.action",
    "NamedConsequence": "narrator.rules.choice",
    "NarratorError": "narrator.errors",
    "NoticeEvent": "narrator.suggestions.answer",
    "Odds": "narrator.rules.chances",
    "Opposition": "narrator.rules.action",
    "OppositionResult": "narrator.rules.resolution",
    "Passive": "narrator.rules.action",
    "Reach": "narrator.rules.chances",
    "RejectedEvent": "narrator.suggestions.answer",
    "Rejection": "narrator.validation.verdict",
    "Request": "narrator.rules.action",
    "Resolution": "narrator.rules.resolution",
    "ResolutionEvent": "narrator.suggestions.answer",
    "Roar": "narrator.rules.action",
    "Roll": "narrator.rules.action",
    "RollResult": "narrator.rules.resolution",
    "Ruleset": "narrator.rules.ruleset",
    "Scene": "narrator.rules.scene",
    "SceneAspect": "narrator.rules.scene",
    "Settled": "narrator.rules.changes",
    "Slot": "narrator.rules.resolution",
    "Source": "narrator.suggestions.source",
    "SourceError": "narrator.suggestions.source",
    "StressTrack": "narrator.rules.scene",
    "Suggestion": "narrator.rules.choice",
    "Table": "narrator.rules.table",
    "TableRow": "narrator.rules.table",
    "Tokens": "narrator.suggestions.source",
    "UnseenZone": "narrator.rules.action",
    "Untold": "narrator.rules.action",
    "Usage": "narrator.suggestions.answer",
    "UsageEvent": "narrator.suggestions.answer",
    "Verdict": "narrator.validation.verdict",
    "Violation": "narrator.validation.verdict",
    "Zone": "narrator.rules.scene",
    "apply": "narrator.api",
    "astream": "narrator.api",
    "check": "narrator.api",
    "from_langchain": "narrator.sources.langchain",
    "load_deck": "narrator.house",
    "load_ruleset": "narrator.house",
    "odds": "narrator.api",
    "reach": "narrator.api",
    "resolve": "narrator.api",
    "rulesets": "narrator.api",
    "runnable": "narrator.chain",
    "settle": "narrator.api",
    "stream": "narrator.api",
    "suggest": "narrator.api",
    "table": "narrator.api",
    "turn_order": "narrator.api",
    "violations": "narrator.api",
    "vtt": "narrator.vtt",
}

# Hidden from type checkers, who take the imports above for what is public; to them a module that has a
# `__getattr__` has every name that one may misspell.
if not TYPE_CHECKING:
    __all__ = list(_LAZY)

    def __getattr__(name: str) -> object:
        if name not in _LAZY:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = import_module(_LAZY[name])
        value = module if name == "vtt" else getattr(module, name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
