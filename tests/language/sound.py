"""Reads a lexicon as its writer meant it, and tells what in it can never find anything: a misspelt family, an unclosed
list, a word with a hyphen. A lexicon with such a fault loads, and is silent.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, cached_property
from importlib.resources import files
from typing import Final

import snowballstemmer  # type: ignore[import-untyped, unused-ignore]

from narrator.language.lexicon import Lexicon
from narrator.language.patterns import Patterns
from narrator.language.spelling import fold
from narrator.language.text import Text

WHO_AND_WHAT: Final = frozenset(
    ["@actor", "@whom", "@whose", "@name", "@start", "@other", "@foe", "@head", "@verb", "@feat", "@thing", "@place",
     "@told", "@along", "@shun", "@undone", "@aside", "@done"]
)  # fmt: skip
"""What only outcomes, goals and names ask for; the last table of docs/how-to/languages.md."""

LANGUAGES: Final = sorted(
    file.name.removesuffix(".toml") for file in (files("narrator.language") / "lexicons").iterdir()
)
"""Those that have a lexicon."""

_STEMMERS: Final = frozenset(snowballstemmer.algorithms())
_SIGNS: Final = frozenset("#$|:*+")
_GAP: Final = re.compile(r"\.\.\d?")
_NAMED: Final = re.compile(r"<([^<>/]+)>")
_ASKED_FOR: Final = re.compile(r'"<(\w+)>"|lists\.get\("(\w+)"|"(\w+)" in [\w.]*\.lists\b')
_OF_INTENTS: Final = re.compile(r'^ +\("(\w+)", "@?\w+"\),$', re.MULTILINE)
"""How `narrator/validation/intent.py` pairs the lists `<intent_…>` with what stands behind their words."""

Told = Sequence[tuple[str, str]]
"""Patterns, each behind the name of the part that it stands in."""


class Sound:
    """A lexicon that is asked what in it is no good."""

    def __init__(self, lexicon: Lexicon, families: Set[str], shields: Set[str]) -> None:
        """Args:
        families: Those of mechanics that are known.
        shields: Those of outcomes that are known, by where they stand.
        """
        self._lexicon = lexicon
        self._told = lexicon.told
        self._families, self._shields = families, shields
        self._lists = self._told.lists
        self._apart = self._told.lists.get("apart", ())

    @cached_property
    def _mechanics(self) -> Told:
        return [
            (f"mechanics.{family}.{part}", text)
            for family, told in self._told.mechanics.items()
            for part, texts in (("says", told.says), ("innocent", told.innocent))
            for text in texts
        ]

    @cached_property
    def _outcomes(self) -> Told:
        """What may ask who is meant."""
        outcome = self._told.outcome
        parts = {"outcome.missed": outcome.missed, "outcome.reached": outcome.reached}
        parts |= {"outcome.innocent": outcome.innocent, "aspect.narration": self._told.aspect.narration}
        parts |= {f"outcome.shields.{name}": texts for name, texts in outcome.shields.items()}
        for name, goal in self._told.goals.items():
            parts |= {f"goals.{name}.missed": goal.missed, f"goals.{name}.reached": goal.reached}
        return [(part, text) for part, texts in parts.items() for text in texts]

    def faults(self, themes: Told = ()) -> Iterator[str]:
        """Say what is wrong, with its part and pattern, and what would have been right.

        Args:
            themes: Patterns from elsewhere that name the lists of this language.
        """
        by_code = self._named_in(f"<{name}>" for name in read_by_code())
        telling = self._named_in(text for _, text in self._outcomes) | by_code
        used = telling | self._named_in(text for _, text in (*self._mechanics, *themes))
        if (stemmer := self._lexicon.stemmer) and stemmer not in _STEMMERS:
            yield f"stemmer: {stemmer!r} is none; there are {_listed(_STEMMERS)}"
            return  # nothing can be read then
        if not stemmer and "~" in str(self._told):
            yield f"stemmer: to have words by their stems, name one; there are {_listed(_STEMMERS)}"
        yield from self._parts()
        yield from self._words()
        for part, text in (*self._mechanics, *themes):
            yield from self._pattern(part, text, False)
        for part, text in self._outcomes:
            yield from self._pattern(part, text, True)
        for name, wordings in self._told.lists.items():
            if name not in used:
                yield f"lists.{name}: no pattern has <{name}>, and the check itself asks for no such list"
            for text in wordings:
                if " " not in text and text.startswith(("!", "..")):
                    yield f"lists.{name}: {text!r} finds nothing alone; write a row of items, such as 'word {text}'"
                yield from self._items(f"lists.{name}", text, name in telling)

    def _named_in(self, texts: Iterable[str]) -> set[str]:
        """Name the lists that patterns ask for, and those that stand in these."""
        used, waiting = set[str](), [name for text in texts for name in _NAMED.findall(text)]
        while waiting:
            if (name := waiting.pop()) not in used:
                used.add(name)
                waiting += [inner for text in self._lists.get(name, ()) for inner in _NAMED.findall(text)]
        return used

    def _parts(self) -> Iterator[str]:
        for family in self._told.mechanics.keys() - self._families:
            yield f"mechanics.{family}: no such family; there are {_listed(self._families)}"
        for shield in self._told.outcome.shields.keys() - self._shields:
            yield f"outcome.shields.{shield}: no such place; there are {_listed(self._shields)}"

    def _words(self) -> Iterator[str]:
        """Judge the words that are no patterns."""
        told = self._told
        rows: dict[str, Iterable[str]] = {
            name: getattr(told, name) for name in ("articles", "clause_words", "numbers", "stop_words", "abbreviations")
        }
        rows["aspect.links"] = told.aspect.links
        for name in ("forms", "kin", "apart_words"):
            table: Mapping[str, str] = getattr(told, name)
            rows |= {f"{name}.{word}": (word, *meant.split()) for word, meant in table.items()}
        rows |= {f"goals.{name}.verbs": goal.verbs for name, goal in told.goals.items()}
        rows["pronouns"] = tuple(word for one in told.pronouns for word in (*one.subject, *one.object, *one.owner))
        for part, words in rows.items():
            for word in words:
                yield from self._word(part, word, word)
        for word in self._apart:
            if word != fold(word):
                yield f"lists.apart: {word!r} has to be written as {fold(word)!r}"

    def _pattern(self, part: str, text: str, who: bool) -> Iterator[str]:
        """Judge a pattern by its items, and where these are well by whether it can be read."""
        faults = list(self._items(part, text, who))
        yield from faults
        if not faults:
            try:
                _lay_out(Patterns(self._lexicon.notation, {part: [text]}))
            except ValueError as error:
                yield f"{part}: {text!r}: {error}"

    def _items(self, part: str, text: str, who: bool) -> Iterator[str]:
        """Judge the items of a pattern.

        Args:
            who: Whether they may ask who is meant.
        """
        for item in text.split():
            if _GAP.fullmatch(item):
                continue
            if item[0] == "!" and item[-1] == "?":
                yield f"{part}: {text!r}: {item!r} is barred or may be missing, not both"
                continue
            bare = item.removeprefix("!") if item[0] == "!" else item.removesuffix("?")
            for each in bare.split("/"):
                yield from self._key(part, text, each.removeprefix("^"), who)

    def _key(self, part: str, text: str, key: str, who: bool) -> Iterator[str]:
        """Judge one alternative of an item."""
        where = f"{part}: {text!r}: {key!r}"
        named = _NAMED.fullmatch(key)
        if named is None and ("<" in key or ">" in key):
            yield f"{where}: a list is written <name>"
        elif named:
            if named[1] not in self._lists:
                yield f"{where}: no list is called so; there are {_listed(self._lists)}"
        elif key in _SIGNS or key in {"%signed", "%die"}:
            return
        elif key[:1] == "%":
            if key[1:] not in self._apart:
                yield f"{where} has to be %signed, %die, or % with a word of the list apart: {_listed(self._apart)}"
        elif key[:1] == "@":
            if key not in WHO_AND_WHAT:
                yield f"{where} means nobody and nothing; there are {_listed(WHO_AND_WHAT)}"
            elif not who:
                yield f"{where} is asked for only in outcome, goals and aspect, and in lists that they use"
        elif key[:1] == "*":
            if key[1:] not in self._told.endings:
                yield f"{where} has to be * alone, or * with one of the endings: {_listed(self._told.endings)}"
        else:
            yield from self._word(part, text, key.removeprefix("~"))

    def _word(self, part: str, text: str, word: str) -> Iterator[str]:
        """Judge a word: a text with it has to be cut so that it stands there alone, or a contraction to stand for
        it.
        """
        meant = [*self._told.clitics.values(), *self._told.words.values()]
        read = [one.text for one in Text(word, self._lexicon).words]
        if read != [fold(word)] and word not in {one for each in meant for one in each.split()}:
            cut = f"a text has {' '.join(read)!r} there" if read else "there is no word"
            yield f"{part}: {text!r}: {word!r} is no single word: {cut}"


def _lay_out(patterns: Patterns) -> None:
    """Go every way there is in patterns: what leads on from a place is laid when somebody gets there."""
    seen, waiting = set(), [patterns.root]
    while waiting:
        if (node := waiting.pop()) not in seen:
            seen.add(node)
            ways = node.ways
            waiting += [*ways.others, *ways.free, *(behind for _, behind in ways.bars)]
            waiting += [after for nodes in ways.edges.values() for after in nodes]


@cache
def read_by_code() -> Set[str]:
    """Name the lists that the check itself asks for."""
    rooms = (files(f"narrator.{room}").iterdir() for room in ("language", "validation"))
    code = "".join(file.read_text("utf-8") for room in rooms for file in room if file.name.endswith(".py"))
    found = {name for names in _ASKED_FOR.findall(code) for name in names if name}
    return found | {f"intent_{name}" for name in _OF_INTENTS.findall(code)}


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
