"""Judges cards: each as ours are, wherever it can be dealt; for twins; and a whole deck, with the line of each."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Final, Protocol

from pydantic import ValidationError

from narrator.deck.deck import FOR_THE_OPPOSITION, Match
from narrator.deck.deck_file import LANGUAGE, MANY, DeckFile, OwnCard, packaged_cards
from narrator.deck_maker.sample_scenes import Sample
from narrator.errors import quoted
from narrator.language.lexicon import load
from narrator.language.text import Text
from narrator.render.phrases import count
from narrator.render.view import Line, line
from narrator.rules.model import Model, refusal
from narrator.rules.request.language_tag import primary
from narrator.rules.ruleset.card import PLACEHOLDER, Card
from narrator.rules.ruleset.declarations import RollSide
from narrator.rules.ruleset.row import FormSpec
from narrator.rules.toml_file import read_toml
from narrator.rules.typo import meant
from narrator.validation.checker import check
from narrator.validation.judge import Judge
from narrator.validation.repetition import Roots, roots_of

ALIKE = 0.7
"""Of the shorter detail's weighty words, how many another has where the two are twins."""

FEWEST = 4
"""Weighty words that near twins share; of shorter details all words must be the same."""

OURS = "a card that comes with narrator"

_ONE_OF: Final = {"severity": "severities", "track": "tracks", "opponent": "foes"}
"""What a model is asked for one of, and what a card calls it, which may have several."""

_WORDS: Final = re.compile(r"""[\w"']\s*=\s*"((?:\\.|[^"\\\n])*)"(?!")""")


class Flaw(Model):
    """What is wrong with a card."""

    code: str
    """A code of the check; or `bad_card` for what is no card, `never_dealt` for one that no rules deal, `twin` for one
    that says what another says."""
    field: str
    """The field of the card that is wrong; empty: the whole."""
    message: str
    """What is wrong, for people and for models."""


def read_card(given: object) -> OwnCard | Flaw:
    """Read a card, which may be anything."""
    try:
        return OwnCard.model_validate(given)
    except ValidationError as error:
        found = refusal(error, OwnCard)
        return Flaw(code="bad_card", field=found.field, message=f"{found.field or 'a card'}: {found.message}")


def written_card(given: object) -> OwnCard | Flaw:
    """Read a card as a prompt asks a model for it, with one `severity`, `track` and `opponent`, or none."""
    if isinstance(given, dict):
        told = {name: value for name, value in given.items() if value is not None and name not in _ONE_OF}
        of = {more: given.get(one) for one, more in _ONE_OF.items()}
        given = told | {name: [value] for name, value in of.items() if value not in (None, "none")}
    return read_card(given)


def side_of(card: Card) -> RollSide | None:
    """Say whom a card must serve that was asked for in favour of whoever acts: for the opposition there are others."""
    return "actor" if card.form in FOR_THE_OPPOSITION else None


def called_as(given: object) -> str:
    """Say what a card, which may be anything, is called: its name, or its detail; empty: it has neither."""
    texts = [given.get("name"), given.get("detail")] if isinstance(given, dict) else []
    return next((text for text in texts if isinstance(text, str)), "")


class Places(Protocol):
    """Where cards may be dealt, and are judged: sample scenes, or the likely rolls of one scene."""

    @property
    def forms(self) -> Mapping[str, FormSpec]:
        """The forms that there are."""

    def dealt(self, card: Card) -> Iterator[tuple[Match, Judge]]:
        """Deal a card there."""


def flaws(card: Card, sample: Places) -> Iterator[Flaw]:
    """Find what is wrong with a card: with each field the first thing that is."""
    form = sample.forms.get(card.form)
    if form is None:
        message = f"no ruleset here has a form {quoted(card.form)}{meant(card.form, sample.forms)}"
        yield Flaw(code="never_dealt", field="form", message=message)
        return
    if misfit := card.misfit(form):
        yield Flaw(code="never_dealt", field="name" if card.kind is None else "kind", message=misfit)
        return
    told, is_dealt = set[str](), False
    for match, judge in sample.dealt(card):
        is_dealt = True
        rejected = check(match.candidate, judge).rejected
        if rejected is not None and rejected.field not in told:
            told.add(rejected.field)
            yield Flaw(code=rejected.code, field=rejected.field, message=match.as_written(rejected.message))
    if not is_dealt:
        wants = ", ".join(f"{{{each}}}" for each in sorted(card.wants)) or "no placeholder"
        message = f"no row of the rules deals such a card ({wants}, side {card.side or 'any'})"
        yield Flaw(code="never_dealt", field="", message=message)


class Twins:
    """The cards of one language, by what messages call them; those of narrator for the same form are known unasked."""

    def __init__(self, language: str) -> None:
        self._language = primary(language)
        self._names: dict[Roots, str] = {}
        self._details: list[tuple[frozenset[str], str]] = []

    def add_example(self, given: Any) -> None:
        """Know the card that a prompt shows from now on: what is copied of it is no card."""
        if isinstance(card := written_card(given), OwnCard):
            self.add(card, "the example")

    def add(self, card: Card, called: str) -> None:
        """Know a card from now on."""
        name, detail = self._words(card)
        if name:
            self._names.setdefault(name, called)
        self._details.append((detail, called))

    def of(self, card: Card) -> Iterator[Flaw]:
        """Find that a card is a twin: of which, and in which field, name or detail."""
        found = self._twin(card) or (_ours(card.form)._twin(card) if self._language == LANGUAGE else None)
        if found is not None:
            field, other = found
            yield Flaw(code="twin", field=field, message=f"The {field} is nearly that of {other}.")

    def _twin(self, card: Card) -> tuple[str, str] | None:
        name, detail = self._words(card)
        if name in self._names:
            return "name", self._names[name]
        for theirs, called in self._details if detail else ():
            many = max(FEWEST, ALIKE * min(len(detail), len(theirs)))
            if detail == theirs or len(detail & theirs) >= many:
                return "detail", called
        return None

    def _words(self, card: Card) -> tuple[Roots, frozenset[str]]:
        """The weighty words of its name and of its detail."""
        name, detail = (
            roots_of(Text(PLACEHOLDER.sub(" ", text).replace("|", " "), load(self._language)).key, self._language)
            for text in (card.name or "", card.detail)
        )
        return name, frozenset(detail)


@cache
def _ours(form: str) -> Twins:
    known = Twins(LANGUAGE)
    for card in packaged_cards(form):
        if "draft" not in card.wants:  # such a name is for the most part the player's
            known.add(card, OURS)
    return known


class Wrong(Flaw):
    """What is wrong with a card of a deck, and where it stands."""

    number: int
    """Which card of the deck, from 1."""
    line: int | None = None
    """The line of the file, from 1, in which its last words stand; left out: it was not found."""
    card: str
    """Its name, or its detail where it has none; empty where it has neither."""


class DeckReview(Model):
    """What is wrong with a deck, and what is in it."""

    cards: int
    """How many cards it has."""
    forms: dict[str, int]
    """How many of each form."""
    wrong: tuple[Wrong, ...]
    """All that is wrong, card by card; empty: nothing is."""


class _Deck(DeckFile):
    """A deck whose cards are not read yet."""

    cards: Annotated[tuple[Any, ...], MANY]


def review(text: str, place: str, sample: Callable[[str], Sample], tell: Callable[[int], None]) -> DeckReview:
    """Judge the text of a deck by the sample scenes of its language; what is no deck at all is `bad_deck`. `tell` is
    called after each card, with how many are judged.
    """
    deck = read_toml(_Deck, text, place, "bad_deck")
    scenes, twins = sample(deck.language), Twins(deck.language)
    wrong: list[Wrong] = []
    forms = Counter[str]()
    for number, (given, at) in enumerate(zip(deck.cards, _lines(text, deck.cards), strict=True), 1):
        card = read_card(given)
        found = [card] if isinstance(card, Flaw) else [*flaws(card, scenes), *twins.of(card)]
        wrong += [Wrong(number=number, line=at, card=called_as(given), **flaw.as_json()) for flaw in found]
        if isinstance(card, OwnCard):
            forms[card.form] += 1
            twins.add(card, f"card {number}" if at is None else f"the card of line {at}")
        tell(number)
    return DeckReview(cards=len(deck.cards), forms=dict(sorted(forms.items())), wrong=tuple(wrong))


def _lines(text: str, cards: Sequence[object]) -> list[int | None]:
    """Find the line in which the last words of each card stand; None where they might be another card's."""
    values = ([*each.values()] if isinstance(each, dict) else [] for each in cards)
    words = [next((value for value in reversed(each) if isinstance(value, str)), "") for each in values]
    many, found = Counter(words), defaultdict[str, list[int]](list)
    for number, row in enumerate(text.split("\n"), 1):
        for each in _WORDS.findall(row):
            found[each].append(number)
    certain = {each: iter(lines) for each, lines in found.items() if len(lines) == many[each]}
    return [next(certain[each]) if each in certain else None for each in words]


def review_view(found: DeckReview) -> Iterator[Line]:
    """Say what is wrong with a deck, and what is in it."""
    number, wrong = count(found.cards, "card"), len({each.number for each in found.wrong})
    yield line((f"{wrong} OF {number} WRONG", "bad")) if wrong else line((f"{number}, NOTHING WRONG", "good"))
    for each in found.wrong:
        place = f"card {each.number}" if each.line is None else f"line {each.line}"
        yield line((place, "key"), f"  {each.code}: {each.message}", indent=2)
        if each.card:
            yield line((quoted(each.card), "dim"), indent=4)
    forms = ", ".join(f"{form} {number}" for form, number in found.forms.items())
    yield line(("forms: ", "dim"), forms or "none")
