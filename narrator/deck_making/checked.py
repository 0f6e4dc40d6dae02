"""Judges a whole deck that somebody wrote: each card by itself, and all of them for twins, with the line of each."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Final

from pydantic import Field

from narrator.deck.cards import LANGUAGE, OwnCard
from narrator.deck_making.judging import Flaw, called_as, flaws, read
from narrator.deck_making.sample import Sample
from narrator.deck_making.twins import Twins
from narrator.rules.language_tag import LanguageTag
from narrator.rules.model import Given, Model, Name
from narrator.rules.toml_file import read_toml

_TOKEN: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\''  # strings
    r"|#[^\n]*|[][{},=]|[^][{},=#\"'\s]+",
    re.DOTALL,
)
_HEADER: Final = re.compile(r"\[\[[ \t]*(?:cards|\"cards\"|'cards')[ \t]*\]\]")


class Wrong(Flaw):
    """What is wrong with a card of a deck, and where it stands."""

    number: int
    """Which card of the deck, from 1."""
    line: int | None = None
    """The line of the file, from 1, in which it begins; left out: it was not found."""
    card: str
    """Its name, or its detail where it has none; empty where it has neither."""


class DeckJudged(Model):
    """What is wrong with a deck, and what is in it."""

    cards: int
    """How many cards it has."""
    forms: dict[str, int]
    """How many of each form."""
    wrong: tuple[Wrong, ...]
    """All that is wrong, card by card; empty: nothing is."""


class _Deck(Given):
    """A deck whose cards are not read yet."""

    language: LanguageTag = LANGUAGE
    form: Name | None = None
    cards: Annotated[tuple[Any, ...], Field(strict=False, max_length=5_000)]


def judged(text: str, place: str, sample: Callable[[str], Sample], tell: Callable[[int], None]) -> DeckJudged:
    """Judge the text of a deck.

    Args:
        place: What the file is called in messages.
        sample: Gives the sample scenes in a language.
        tell: Called with the number of cards that are judged, after each.

    Raises:
        NarratorError: `bad_deck` for what is no deck at all, with the file and the line.
    """
    deck = read_toml(_Deck, text, place, "bad_deck")
    lines = _lines(text)
    is_found = len(lines) == len(deck.cards)
    scenes, twins = sample(deck.language), Twins(deck.language)
    wrong: list[Wrong] = []
    forms = Counter[str]()
    usual = {} if deck.form is None else {"form": deck.form}
    for number, written in enumerate(deck.cards, 1):
        given = {**usual, **written} if isinstance(written, dict) else written
        line = lines[number - 1] if is_found else None
        card = read(given)
        found = [card] if isinstance(card, Flaw) else [*flaws(card, scenes), *_twin(card, twins)]
        called = called_as(given)
        wrong += [Wrong(number=number, line=line, card=called, **flaw.as_json()) for flaw in found]
        if isinstance(card, OwnCard):
            forms[card.form] += 1
            twins.add(card, f"card {number}" if line is None else f"the card of line {line}")
        tell(number)
    return DeckJudged(cards=len(deck.cards), forms=dict(sorted(forms.items())), wrong=tuple(wrong))


def _twin(card: OwnCard, twins: Twins) -> Iterator[Flaw]:
    if (twin := twins.of(card)) is not None:
        field, other = twin
        yield Flaw(code="twin", field=field, message=f"The {field} is nearly that of {other}.")


def _lines(text: str) -> list[int]:
    """Find the line in which each card begins: whatever stands in the list, or a table that `[[cards]]` opens."""
    found: list[int] = []
    opened: list[str] = []
    line, counted, at, before = 1, 0, 0, ""
    is_listed = True
    while token := _TOKEN.search(text, at):
        sign, at = token[0], token.end()
        if sign.startswith("#"):
            continue
        is_header = sign == "[" and not opened and before != "="
        is_element = is_listed and opened == ["["] and before in ("[", ",") and sign not in ("]", ",")
        if is_element or (is_header and _HEADER.match(text, token.start())):
            line, counted = line + text.count("\n", counted, token.start()), token.start()
            found.append(line)
        if is_header:
            # What is a list from here on is a list of a card's own.
            is_listed, sign = False, ""
            at = end if (end := text.find("\n", at)) >= 0 else len(text)
        elif sign in ("[", "{"):
            opened.append(sign)
        elif sign in ("]", "}") and opened:
            opened.pop()
        before = sign
    return found
