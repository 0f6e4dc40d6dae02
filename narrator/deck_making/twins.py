"""Finds twins: cards that say what another card says already, in the same words or in nearly the same."""

from collections import Counter, defaultdict
from functools import cache

from narrator.deck.cards import LANGUAGE, packaged
from narrator.language.lexicon import load
from narrator.language.text import Text
from narrator.rules.card import PLACEHOLDER, Card
from narrator.rules.language_tag import primary
from narrator.validation.repeating import Roots, roots_of

ALIKE = 0.7
"""Of the shorter detail's weighty words, how many another has where the two are twins."""

FEWEST = 4
"""Weighty words that near twins share; of shorter details all words must be the same."""

OURS = "a card that comes with narrator"


class Twins:
    """The cards of one language that are known so far, each by what it is called in a message. Those that come with
    narrator are known unasked; one for another form is no twin.
    """

    def __init__(self, language: str) -> None:
        self._language = primary(language)
        self._known = _Known()

    def add(self, card: Card, called: str) -> None:
        """Know a card from now on."""
        self._known.add(_words(card, self._language), called)

    def of(self, card: Card) -> tuple[str, str] | None:
        """Find a twin: the field that is alike, `name` or `detail`, and what the twin is called; None where there is
        none.
        """
        words = _words(card, self._language)
        found = self._known.twin(words)
        return found or (_ours(card.form).twin(words) if self._language == LANGUAGE else None)


class _Known:
    """Some cards, by the weighty words of their names and details."""

    def __init__(self) -> None:
        self._names: dict[Roots, str] = {}
        self._details: list[tuple[frozenset[str], str]] = []
        self._having: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, words: tuple[Roots, Roots], called: str) -> None:
        name, detail = words
        if name:
            self._names.setdefault(name, called)
        for word in set(detail):
            self._having[word].append(len(self._details))
        self._details.append((frozenset(detail), called))

    def twin(self, words: tuple[Roots, Roots]) -> tuple[str, str] | None:
        name, detail = words
        if name in self._names:
            return "name", self._names[name]
        ours = frozenset(detail)
        shared = Counter(place for word in ours for place in self._having.get(word, ()))
        for place, number in sorted(shared.items()):
            theirs, called = self._details[place]
            if ours == theirs or number >= max(FEWEST, ALIKE * min(len(ours), len(theirs))):
                return "detail", called
        return None


@cache
def _ours(form: str) -> _Known:
    known = _Known()
    for card in packaged(form):
        if "draft" not in card.wants:  # such a name is for the most part the player's
            known.add(_words(card, LANGUAGE), OURS)
    return known


def _words(card: Card, language: str) -> tuple[Roots, Roots]:
    """The weighty words of its name and of its detail."""
    name, detail = (PLACEHOLDER.sub(" ", text).replace("|", " ") for text in (card.name or "", card.detail))
    lexicon = load(language)
    return roots_of(Text(name, lexicon).key, language), roots_of(Text(detail, lexicon).key, language)
