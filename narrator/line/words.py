"""The words of a line with their places in the text, and words with a special meaning."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files

_SIGNS = "[+0−–-]"
_WORDS = re.compile(rf"(?<!\S){_SIGNS}(?:[ \t]{_SIGNS})+(?![^\s,.;:)\]])|\S+")
_HYPHEN = re.compile(r"(?<=[^\W\d])-(?=[^\W\d])")
_AROUND = ' \t,.;:!?"“”()[]{}'
_PAUSE = (",", ";", ":", ".", "!", "?", ")", "]")

_TOLD = tomllib.loads(files(__package__).joinpath("words.toml").read_text("utf-8"))


def _listed(name: str) -> frozenset[str]:
    return frozenset(_TOLD[name].split())


ARTICLES, PRONOUNS, VERSUS, WITH = map(_listed, ("articles", "pronouns", "versus", "with"))
JOINS, DENIALS, LEADS, THANKS = map(_listed, ("joins", "denials", "leads", "thanks"))
INVOKING, HITS, TOLD, NAMED = map(_listed, ("invoking", "hits", "told", "named"))
VERBS, BEGUN, AFTER_WILL = map(_listed, ("verbs", "begun", "after_will"))
FIGHTING, APPROACHES, UNREAD, SELVES = map(_listed, ("fighting", "approaches", "unread", "selves"))
NO_NAMES = PRONOUNS | _listed("common")
OUTCOMES = {word: outcome for outcome, words in _TOLD["outcomes"].items() for word in words.split()}
ACTIONS: dict[str, list[str]] = {name: ways.split(", ") for name, ways in _TOLD["actions"].items()}
VIOLENT = _listed("violent_too").union(
    form
    for verb in _listed("violent")
    for form in (verb, f"{verb}s", f"{verb}es", f"{verb}ing", f"{verb.rstrip('e')}ing")
)
"""`words.toml` explains these."""


@dataclass(frozen=True)
class Word:
    """A word or the signs of dice, with its place in the text."""

    start: int
    end: int
    text: str
    plain: str
    """The word in lower case, without signs around it and without a possessive `'s`."""
    pause: bool
    """Whether it ends with punctuation."""

    @property
    def number(self) -> int | None:
        """Its value, if it is a whole number."""
        return int(self.plain) if re.fullmatch(r"[+-]?[0-9]{1,4}", self.plain) else None

    @property
    def is_signs(self) -> bool:
        """Whether it consists of signs of dice."""
        return len(self.plain) > 1 and not set(self.plain) - {"+", "-", "0", " "} and self.number is None

    @property
    def faces(self) -> str | None:
        """Its signs, if there are four."""
        signs = self.plain.replace(" ", "").replace("\t", "")
        return signs if re.fullmatch(r"[+0-]{4}", signs) else None

    @property
    def is_aspect(self) -> bool:
        """Whether an invoked aspect begins here."""
        return self.plain.startswith("+") and self.number is None and self.faces is None and not self.is_signs


def words_in(text: str) -> list[Word]:
    """Cut a line into its words; a dash between words is a pause."""
    found: list[Word] = []
    for each in _WORDS.finditer(text):
        bare = plain(each[0])
        if not bare or bare in ("-", "--", "—", "…"):
            found[-1:] = [Word(**{**vars(last), "pause": True}) for last in found[-1:]]
            continue
        is_pause = each[0].rstrip("\"”'").endswith(_PAUSE) and bare not in VERSUS  # "vs." ends nothing
        found.append(Word(each.start(), each.end(), each[0], bare, is_pause))
    return found


def plain(word: str) -> str:
    """Fold a word, and remove signs around it and a possessive ending."""
    folded = word.casefold().replace("’", "'").replace("−", "-").replace("–", "-").strip(_AROUND)
    return re.sub(r"(?<=\w)'s?$", "", folded.strip("'") if "'" in folded[:1] else folded)


def plains(name: str) -> list[str]:
    """The words of a name, without articles and hyphens."""
    return without_articles(part for word in name.split() for part in parted(plain(word)))


def parted(word: str) -> list[str]:
    """The parts of a word that has hyphens between letters."""
    return _HYPHEN.split(word)


def without_articles(words: Iterable[str]) -> list[str]:
    """The same words without articles."""
    return [each for each in words if each and each not in ARTICLES]
