"""Finds texts that only repeat the prompt, the request, or narrator's own instructions.

Small models answer with the words of the prompt. A text only repeats if no word is its own, apart from function words.
A word in any form is not its own in three cases. It belongs to a character's name. It is a word of the prompt: a label,
id or description of a branch, slot or form. Or it stands next to the same word in the request ("Cynere bribed the
guards"). One own word is usually enough ("She bribes the guards with a ring"). It is not if nine other words are
copied, or if two others are a phrase of the prompt ("The harm, worded as an injury"). Words from different places of
the request may be combined. A form's example counts as a phrase of the prompt, but its single words are free. A detail
that says the same three words three times repeats itself.

A name may repeat more, since an aspect is often a word or two of the scene ("Curfew Bell"). It only repeats if it is a
whole fact or intent, three words in a row of one, or only words of the prompt ("The New Obstacle"). The player's own
wording is allowed. Pure, and linear in the length of the request.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from typing import Final

from narrator.language.lexicon import load
from narrator.language.spelling import fold
from narrator.language.text import Text, bare_words
from narrator.resources import prompt_notes, prompt_part
from narrator.rules.request.language_tag import primary
from narrator.rules.request.scene import GM
from narrator.rules.resolve.invocations import aspects_in_play
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.ruleset.row import FormSpec
from narrator.rules.ruleset.ruleset import Ruleset

Roots = tuple[str, ...]
Pair = tuple[str, str]

_QUESTION: Final = (
    "Suggestions: slot, form, detail, severity, goal, choice, action, actor, variant, skill, intent, aspect, outcome, "
    "what happened, shifts, scene, summary, facts, characters, opposition, success, failure"
)
"""The names of fields in every prompt's data. They are not fiction."""

EXAMPLES: Final = (
    "a new problem, or an old one grown",
    "make the next scene better",
    "a stumble, a glance away, the sun in somebody's eyes",
)
"""Phrases that models copied from the prompt."""

_TAKEN_UP: Final = 2
"""The most words in a row of the request that a name may consist of."""

_A_TURN_OF_PHRASE: Final = 3
"""The most words in a row of an example that a name may reuse."""

_RAMBLES: Final = 3
"""A text that repeats three words in a row so often repeats itself."""

_COPIED: Final = 1 / 10
_ASKED: Final = 1 / 3
"""A text with at most this share of own words copies the request, or copies the prompt."""

_PAGES: Final = (
    *("system", "one_by_one", "cards", "roll", "prepare", "word", "repair", "serious_cost", "minor_cost", "boost"),
    *("aspect", "consequence", "situation_aspect", "zone_aspect", "compel", "high_concept", "trouble", "opening"),
    *("twist", "beat", "stage"),
)
_RUN: Final = 3
"""Words in a row that count as narrator's own. Its sentences and their parts have at least as many."""

_SAID_BACK: Final = 2 / 3
"""The share of a text's words that such rows may cover."""

_Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Said:
    """The words of one or several texts."""

    roots: frozenset[str]
    pairs: frozenset[Pair]
    """Words that stand side by side."""
    wholes: frozenset[Roots]
    """Each whole text."""


class Repeated:
    """Finds texts that only repeat a request. Each part of the request is read on first use."""

    def __init__(self, ruling: Ruling) -> None:
        self._request = ruling.request
        self._resolution = ruling.resolution
        self._ruleset = ruling.ruleset
        self._language = primary(ruling.request.scene.language)

    def by_name(self, words: Sequence[str]) -> str | None:
        """Say what a name only repeats, such as "the intent". None if it says something of its own.

        `words` are folded, without articles.
        """
        roots = roots_of(words, self._language)
        repeats = self._may_repeat(roots) and self._is_repeated_name(roots)
        return self._what(roots) if repeats else None

    def _is_repeated_name(self, roots: Roots) -> bool:
        if self._drafts.roots.issuperset(roots):
            return False
        if any(roots in said.wholes for said in (self._told, self._asked, self._names)) or self._is_shown(
            roots, _A_TURN_OF_PHRASE
        ):
            return True
        own = tuple(root for root in roots if root not in self._names.roots)
        if not own:
            return self._names.pairs.issuperset(pairwise(roots))
        if not _new(own, [self._wanted.roots], [self._asked.pairs]):
            return len(own) > 1 or own == roots or own in self._asked.wholes
        if len(_new(own, [], [self._wanted.pairs])) <= len(own) * _ASKED:
            return True
        light, told = (self._wanted.roots, self._names.roots), (self._told.pairs, self._drafts.pairs)
        return len(roots) - len(_new(roots, [], told)) > _TAKEN_UP and not _new(roots, light, told)

    def by_detail(self, words: Sequence[str], name: Sequence[str] = ()) -> str | None:
        """Say what a detail only repeats. None if it says something of its own.

        `words` and `name`, the words of its name, are folded, without articles.
        """
        roots, of_name = roots_of(words, self._language), roots_of(name, self._language)
        if roots and roots == of_name:
            return "its own name"
        if any(count >= _RAMBLES for count in Counter(zip(words, words[1:], words[2:], strict=False)).values()):
            return "itself"
        repeats = self._may_repeat(roots, of_name) and self._is_repeated_detail(roots, frozenset(pairwise(of_name)))
        return self._what(roots) if repeats else None

    def _is_repeated_detail(self, roots: Roots, of_name: frozenset[Pair]) -> bool:
        own = [root for root in roots if root not in self._names.roots]
        if len(own) == 1 and own[0] in self._told.roots:
            return True
        if len(_new(roots, [self._wanted.roots], [self._asked.pairs])) <= len(roots) * _ASKED:
            return True
        if self._is_shown(roots):
            return True
        light = self._asked.roots, self._names.roots
        return len(_new(roots, light, [self._told.pairs, self._drafts.pairs, of_name])) <= len(roots) * _COPIED

    def _may_repeat(self, roots: Roots, of_name: Roots = ()) -> bool:
        """Exclude, at little cost, texts with too many own words."""
        said = (*(each.roots for each in (self._asked, self._shown, self._told, self._names, self._drafts)), of_name)
        return sum(not any(root in words for words in said) for root in roots) <= len(roots) * _ASKED

    def _is_shown(self, roots: Roots, free: int = 0) -> bool:
        """Whether the words are an example, or most of one with more than `free` words of it."""
        new = len(_new(roots, [], [self._shown.pairs]))
        return roots in self._shown.wholes or (new < len(roots) * _ASKED and len(roots) - new > free)

    def _what(self, roots: Roots) -> str:
        """Name the text that contains most of the words."""
        if self._names.roots.issuperset(roots):
            return "a name"
        texts = [*self._texts, ("an example", self._shown), ("the prompt", self._asked)]
        return max(texts, key=lambda text: len(text[1].roots.intersection(roots)))[0]

    @cached_property
    def _asked(self) -> _Said:
        """The words of the prompt."""
        action, branches = self._resolution.action, self._resolution.branches
        slots = self._resolution.slots()
        offers = {offer.form: offer for slot in slots for offer in slot.forms}.values()
        return self._said(
            [
                *(_QUESTION, *EXAMPLES, self._resolution.outcome, self._request.scene.frame),
                *(action.type, action.variant, action.skill, action.attribute, action.maneuver),
                *(text for branch in branches for text in (branch.id, branch.label, branch.goal)),
                *(text for slot in slots for text in (slot.id, slot.kind)),
                *(text for offer in offers for text in (offer.form, offer.label, offer.severity)),
                *(text for form in self._forms for text in (form.brief, form.name)),
            ]
        )

    @cached_property
    def _wanted(self) -> _Said:
        """The prompt's descriptions of names. A word of these alone is not a name."""
        return self._said([_QUESTION, *(form.name for form in self._forms)])

    @cached_property
    def _shown(self) -> _Said:
        """The examples of all forms, since a prompt may show those of other forms."""
        shown = [form.example for form in self._ruleset.forms.values() if form.example is not None]
        return self._said(text for each in shown for text in (each.name, each.detail))

    @cached_property
    def _forms(self) -> list[FormSpec]:
        names = dict.fromkeys(offer.form for slot in self._resolution.slots() for offer in slot.forms)
        return [self._ruleset.forms[name] for name in names]

    @cached_property
    def _told(self) -> _Said:
        """The texts of the scene and the action."""
        return _joined([said for _, said in self._texts])

    @cached_property
    def _texts(self) -> list[tuple[str, _Said]]:
        scene = self._request.scene
        texts = [
            ("the intent", self._request.action.intent),
            ("the summary", scene.summary),
            ("the tone", scene.tone),
            *(("a fact", fact) for fact in scene.facts),
            *(("a recent text", text) for text in scene.recent),
            *(("an aspect in play", name) for name, _ in aspects_in_play(scene)),
            *(("a zone", zone.name) for zone in scene.zones),
        ]
        return [(what, _read(text, self._language)) for what, text in texts if text]

    @cached_property
    def _names(self) -> _Said:
        """The characters' names."""
        action, scene = self._request.action, self._request.scene
        names = [name for each in scene.characters for name in (each.name, each.called)]
        return self._said([*names, action.actor, action.target, self._resolution.opposition.by, GM])

    @cached_property
    def _drafts(self) -> _Said:
        """The player's own wordings."""
        return self._said(slot.draft for slot in self._resolution.slots())

    def _said(self, texts: Iterable[str | None]) -> _Said:
        return _joined([_read(text, self._language) for text in texts if text])


def _new(roots: Roots, light: Iterable[frozenset[str]], known: Sequence[frozenset[Pair]]) -> list[str]:
    """List the words that are neither light nor in a known pair. One word may stand between those of a pair."""
    stand: set[int] = set()
    for gap in (1, 2):
        for place, pair in enumerate(zip(roots, roots[gap:], strict=False)):
            if any(pair in pairs for pairs in known):
                stand.update((place, place + gap))
    weighty = (root for place, root in enumerate(roots) if place not in stand)
    return [root for root in weighty if not any(root in words for words in light)]


def _joined(texts: Sequence[_Said]) -> _Said:
    return _Said(
        frozenset[str]().union(*(text.roots for text in texts)),
        frozenset[Pair]().union(*(text.pairs for text in texts)),
        frozenset[Roots]().union(*(text.wholes for text in texts)),
    )


@lru_cache(maxsize=256)
def _read(text: str, language: str) -> _Said:
    roots = roots_of(Text(text, load(language)).key, language)
    return _Said(frozenset(roots), frozenset(pairwise(roots)), frozenset({roots}))


def roots_of(words: Sequence[str], language: str) -> Roots:
    """Reduce words to their stems, without weightless words unless there are no others."""
    weightless = _weightless(language)
    roots = [_root(word, language) for word in words]
    return tuple([root for root in roots if root not in weightless] or roots)


@cache
def _weightless(language: str) -> frozenset[str]:
    lexicon = load(language)
    words = lexicon.told.stop_words | lexicon.told.clause_words | lexicon.told.numbers
    return frozenset(_root(word, language) for word in words)


@lru_cache(maxsize=16_384)
def _root(word: str, language: str) -> str:
    """Give the same stem for all forms of a word."""
    lexicon = load(language)
    return min(lexicon.stems(lexicon.lemmas.get(word, (word,))[0]))


class Instructions:
    """narrator's own sentences, which a model may have read in a prompt for this ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        asked = (text for form in ruleset.forms.values() for text in (form.brief, form.name) if text)
        self._wholes, self._rows = _ours(tuple(asked))

    def are_said_in(self, folded: str) -> bool:
        """Tell whether a folded text repeats them: one whole, or mostly rows of their words."""
        words = tuple(bare_words(folded))
        held = {at + more for at, row in enumerate(_rows(words)) if row in self._rows for more in range(_RUN)}
        return words in self._wholes or len(held) > max(_RUN, len(words) * _SAID_BACK)


@cache
def _ours(asked: tuple[str, ...]) -> tuple[frozenset[_Row], frozenset[_Row]]:
    """Give the whole sentences and their parts, and every row of words in them."""
    told = [*(prompt_part(name).text for name in _PAGES), *prompt_notes().lines.values(), *asked]
    told = [re.sub(r"^\{.*\}$", "", text, flags=re.MULTILINE) for text in told]  # an example is not an instruction
    paragraphs = (bare_words(fold(text)) for each in told for text in re.split(r"\n\n|\n- ", each))
    parts = (tuple(bare_words(fold(part))) for text in told for part in re.split(r"[.:;()]", text))
    wholes = (*(part for part in parts if len(part) >= _RUN), *(tuple(bare_words(fold(text))) for text in asked))
    return frozenset(wholes), frozenset(row for words in paragraphs for row in _rows(words))


def _rows(words: Sequence[str]) -> Iterator[_Row]:
    return zip(*(words[start:] for start in range(_RUN)), strict=False)
