"""Words for Fate: the rules decide each action, a language model only words, a validator checks every word.

The public names load what they need when they are first used; `narrator.vtt.run` is the entry for macros.
"""

from importlib import import_module
from typing import TYPE_CHECKING

# Each public name stands here for type checkers, and below, with where it is, for Python.
if TYPE_CHECKING:
    from narrator import vtt as vtt
    from narrator.api.judging import (
        apply as apply,
        check as check,
        lines as lines,
        settle as settle,
        violations as violations,
    )
    from narrator.api.reading import rulesets as rulesets
    from narrator.api.ruling import (
        odds as odds,
        reach as reach,
        resolve as resolve,
        table as table,
        turn_order as turn_order,
    )
    from narrator.api.suggesting import (
        astream as astream,
        awarm as awarm,
        stream as stream,
        suggest as suggest,
        warm as warm,
    )
    from narrator.api.wording import prepare as prepare, word as word
    from narrator.chain import runnable as runnable
    from narrator.deck.cards import DeckFile as DeckFile
    from narrator.errors import NarratorError as NarratorError
    from narrator.house import load_deck as load_deck, load_ruleset as load_ruleset
    from narrator.rules.action import (
        Action as Action,
        Active as Active,
        Aspects as Aspects,
        Attack as Attack,
        Invocation as Invocation,
        Movement as Movement,
        Opposition as Opposition,
        Passive as Passive,
        Request as Request,
        Roar as Roar,
        Roll as Roll,
        UnseenZone as UnseenZone,
        Untold as Untold,
    )
    from narrator.rules.card import Card as Card
    from narrator.rules.chances import InvocationOdds as InvocationOdds, Odds as Odds, Reach as Reach
    from narrator.rules.changes import Change as Change, Settled as Settled
    from narrator.rules.choice import (
        AbsorbChoice as AbsorbChoice,
        Choice as Choice,
        GrantChoice as GrantChoice,
        NamedConsequence as NamedConsequence,
        Suggestion as Suggestion,
    )
    from narrator.rules.resolution import (
        Absorption as Absorption,
        ActionTaken as ActionTaken,
        Branch as Branch,
        FormOffer as FormOffer,
        Grant as Grant,
        OppositionResult as OppositionResult,
        Resolution as Resolution,
        RollResult as RollResult,
        Slot as Slot,
    )
    from narrator.rules.ruleset import Ruleset as Ruleset
    from narrator.rules.scene import (
        Character as Character,
        Consequence as Consequence,
        Scene as Scene,
        SceneAspect as SceneAspect,
        StressTrack as StressTrack,
        Zone as Zone,
    )
    from narrator.rules.table import Table as Table, TableRow as TableRow
    from narrator.sources.budget import Budget as Budget, Budgeted as Budgeted
    from narrator.sources.langchain import from_langchain as from_langchain
    from narrator.suggestions.answer import (
        AcceptedEvent as AcceptedEvent,
        Answer as Answer,
        DoneEvent as DoneEvent,
        Event as Event,
        NoticeEvent as NoticeEvent,
        Prepared as Prepared,
        PreparedRow as PreparedRow,
        RejectedEvent as RejectedEvent,
        ResolutionEvent as ResolutionEvent,
        Usage as Usage,
        UsageEvent as UsageEvent,
        Word as Word,
        Words as Words,
    )
    from narrator.suggestions.brief import Brief as Brief, Wanted as Wanted
    from narrator.suggestions.source import (
        AsyncSource as AsyncSource,
        BlockingSource as BlockingSource,
        Source as Source,
        SourceError as SourceError,
        Tokens as Tokens,
    )
    from narrator.validation.barring import Barred as Barred, BarredLines as BarredLines
    from narrator.validation.verdict import Rejection as Rejection, Verdict as Verdict, Violation as Violation

__version__ = "0.1.0"

_PLACES = {
    "narrator.api.judging": "apply check lines settle violations",
    "narrator.api.reading": "rulesets",
    "narrator.api.ruling": "odds reach resolve table turn_order",
    "narrator.api.suggesting": "astream awarm stream suggest warm",
    "narrator.api.wording": "prepare word",
    "narrator.chain": "runnable",
    "narrator.deck.cards": "DeckFile",
    "narrator.errors": "NarratorError",
    "narrator.house": "load_deck load_ruleset",
    "narrator.rules.action": "Action Active Aspects Attack Invocation Movement Opposition Passive Request Roar Roll "
    "UnseenZone Untold",
    "narrator.rules.card": "Card",
    "narrator.rules.chances": "InvocationOdds Odds Reach",
    "narrator.rules.changes": "Change Settled",
    "narrator.rules.choice": "AbsorbChoice Choice GrantChoice NamedConsequence Suggestion",
    "narrator.rules.resolution": "Absorption ActionTaken Branch FormOffer Grant OppositionResult Resolution RollResult "
    "Slot",
    "narrator.rules.ruleset": "Ruleset",
    "narrator.rules.scene": "Character Consequence Scene SceneAspect StressTrack Zone",
    "narrator.rules.table": "Table TableRow",
    "narrator.sources.budget": "Budget Budgeted",
    "narrator.sources.langchain": "from_langchain",
    "narrator.suggestions.answer": "AcceptedEvent Answer DoneEvent Event NoticeEvent Prepared PreparedRow "
    "RejectedEvent ResolutionEvent Usage UsageEvent Word Words",
    "narrator.suggestions.brief": "Brief Wanted",
    "narrator.suggestions.source": "AsyncSource BlockingSource Source SourceError Tokens",
    "narrator.validation.barring": "Barred BarredLines",
    "narrator.validation.verdict": "Rejection Verdict Violation",
}
_LAZY = dict(sorted([("vtt", "narrator.vtt"), *((name, each) for each in _PLACES for name in _PLACES[each].split())]))

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
