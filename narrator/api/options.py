"""The options that every call accepts, such as the source and the timeout, and the clock that starts with a call."""

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
A source, the name of one in the user's config file, a LangChain runnable that takes messages, or `deck`. None means the
model that the environment names, or the deck if it names none.
"""


class Options(TypedDict, total=False):
    """How words are found. All options have defaults."""

    source: SourceLike
    """Who writes. By default, the model that the environment names, or the deck if it names none."""
    repairs: int
    """How often the source is asked again for missing words, by default once. The deck fills in the rest."""
    timeout: float
    """Seconds for the whole call, by default 20. After that, the deck fills in what is missing. This takes up to half a
    second, or up to one second for the largest scenes."""
    strict: bool
    """If true, the deck fills in nothing, and too few suggestions are the error `no_words`."""
    rulesets: Iterable[Ruleset]
    """House rulesets from `load_ruleset` that the request may name."""
    decks: Iterable[DeckFile]
    """Your own cards from `load_deck`, in addition to those of the config folder."""
    staged: StagedLike | None
    """The result of `stage` for this scene. Its cards come first. Set the scene's `stage` to its `id`."""


class SuggestOptions(Options, total=False):
    """The same for a roll."""

    prepared: PreparedLike | None
    """The result of `prepare` for this roll. Its words for the rolled row are judged again and used. The source is
    asked only for what is missing."""


class StageOptions(TypedDict, total=False):
    """How cards for a scene are written."""

    source: SourceLike
    """Who writes. By default, the model that the environment names."""
    timeout: float
    """Seconds for the whole call, by default 300, because nobody waits for it."""
    rulesets: Iterable[Ruleset]
    """House rulesets from `load_ruleset` that `ruleset` may name."""
    staged: StagedLike | None
    """An earlier result of `stage` for this scene. The source is asked only for the missing cards."""


class WordOptions(Options, total=False):
    """The same without a roll."""

    per_slot: int
    """The number of suggestions, 1 to 10, by default 3."""
    deal: int | None
    """The deal of the deck's cards, a whole number from 0. If omitted, one is drawn and named in the answer."""
    ruleset: str
    """The ruleset whose levels of consequences and cards are used, by default `five-actions`."""


def clock_of(options: Options | StageOptions, known: type[Options | StageOptions] = Options) -> Clock:
    """Start the clock of a call. Raises `bad_request` for a wrong timeout, `TypeError` for an unknown option."""
    taken = known.__annotations__
    if unknown := options.keys() - taken.keys():
        raise TypeError(f"there is no option {min(unknown)!r}; there is {', '.join(taken)}")
    # Calls that find no words know these options too.
    from narrator.suggestions.time.clock import LONGEST_TIMEOUT, TIMEOUT, Clock

    timeout = options.get("timeout", TIMEOUT)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 <= timeout <= LONGEST_TIMEOUT:
        raise RequestError("bad_request", "timeout", f"this must be a number of seconds from 0 to {LONGEST_TIMEOUT:,}")
    return Clock(timeout)
