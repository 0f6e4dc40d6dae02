"""The options that every call takes, such as who writes and for how long, and the clock that begins with a call."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

from narrator.errors import RequestError

if TYPE_CHECKING:
    from langchain_core.runnables import Runnable

    from narrator.api.occasion import PreparedLike, StagedLike
    from narrator.deck.deck_file import DeckFile
    from narrator.rules.ruleset.ruleset import Ruleset
    from narrator.suggestions.source.protocol import Source
    from narrator.suggestions.time.clock import Clock

SourceLike: TypeAlias = "Source | Runnable[Any, Any] | Literal['deck'] | str | None"
"""
Who writes: a source, the name of one in the user's config file, a LangChain runnable that takes messages, the deck, or
None for the model that the environment names, else the deck.
"""


class Options(TypedDict, total=False):
    """How words are found; what is left out is as usual."""

    source: SourceLike
    """Who writes; None, as usual: the model that the environment names, or the deck where it names none."""
    repairs: int
    """How often the source is asked again for what is missing, usually once. What then is missing, the deck has."""
    timeout: float
    """Seconds for the whole call, usually 20: when they are up, the deck has all that is missing, within half a
    second, or within one where the scene is as large as may be."""
    strict: bool
    """Whether the deck stays out: fewer suggestions than asked for are then the error `no_words`."""
    rulesets: Iterable[Ruleset]
    """House rulesets, as `load_ruleset` gives them, that the request may name."""
    decks: Iterable[DeckFile]
    """Cards of the table's own, as `load_deck` gives them, beside those of the config folder."""
    staged: StagedLike | None
    """What `stage` gave for this scene, whose `stage` is its `id`: its cards come before all others."""


class SuggestOptions(Options, total=False):
    """The same for a roll."""

    prepared: PreparedLike | None
    """What `prepare` gave for this roll: words for the row that fell are judged again and taken, and only what is
    missing is asked for."""


class StageOptions(TypedDict, total=False):
    """How cards for a scene are written."""

    source: SourceLike
    """Who writes; None, as usual: the model that the environment names."""
    timeout: float
    """Seconds for the whole call, usually 300: nobody waits for it."""
    rulesets: Iterable[Ruleset]
    """House rulesets, as `load_ruleset` gives them, that may be named."""
    staged: StagedLike | None
    """What there is already, as `stage` gave it: only what is missing is asked for."""


class WordOptions(Options, total=False):
    """The same without a roll."""

    per_slot: int
    """How many suggestions are wanted, 1 to 10, usually 3."""
    deal: int | None
    """Which deal of the deck's cards, a whole number from 0; left out: one is drawn, and named in the answer."""
    ruleset: str
    """Whose levels of consequences, and whose own cards, usually those of `five-actions`."""


def clock_of(options: Options | StageOptions, known: type[Options | StageOptions] = Options) -> Clock:
    """Begin the clock of a call: `bad_request` for what are no seconds, `TypeError` for an option that there is not."""
    taken = known.__annotations__
    if unknown := options.keys() - taken.keys():
        raise TypeError(f"there is no option {min(unknown)!r}; there is {', '.join(taken)}")
    # Calls that find no words know these options too.
    from narrator.suggestions.time.clock import LONGEST_TIMEOUT, TIMEOUT, Clock

    timeout = options.get("timeout", TIMEOUT)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 <= timeout <= LONGEST_TIMEOUT:
        raise RequestError("bad_request", "timeout", f"this must be a number of seconds from 0 to {LONGEST_TIMEOUT:,}")
    return Clock(timeout)
