"""Judges cards by the check, wherever they can be dealt, and finds twins. Judges whole decks, with line numbers."""

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
"""Two cards are twins if this share of the shorter detail's weighty words is in the other."""

FEWEST = 4
"""The fewest weighty words that twins share. Shorter details must have the same words."""

OURS = "a card that comes with narrator"

_ONE_OF: Final = {"severity": "severities", "track": "tracks", "opponent": "foes"}
"""Fields of which a model gives one value, and the fields of a card, which may have several."""

_WORDS: Final = re.compile(r"""[\w"']\s*=\s*"((?:\\.|[^"\\\n])*)"(?!")""")


class Flaw(Model):
    """An error in a card."""

    code: str
    """A code of the check, or `bad_card` (not a card), `never_dealt` (no rules deal it) or `twin` (it says the same as
    another)."""
    field: str
    """The wrong field of the card. Empty: the whole card."""
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
    """Read a card in the shape that models write, with at most one `severity`, `track` and `opponent`."""
    if isinstance(given, dict):
        told = {name: value for name, value in given.items() if value is not None and name not in _ONE_OF}
        of = {more: given.get(one) for one, more in _ONE_OF.items()}
        given = told | {name: [value] for name, value in of.items() if value not in (None, "none")}
    return read_card(given)


def side_of(card: Card) -> RollSide | None:
    """Return the side that a written card must serve: the actor, if the opposition has another form for its cards."""
    return "actor" if card.form in FOR_THE_OPPOSITION else None


def called_as(given: object) -> str:
    """Return the name or the detail of a card, which may be anything. Empty if it has neither."""
    texts = [given.get("name"), given.get("detail")] if isinstance(given, dict) else []
    return next((text for text in texts if isinstance(text, str)), "")


class Places(Protocol):
    """The places to deal and judge cards: sample scenes, or the likely rolls of one scene."""

    @property
    def forms(self) -> Mapping[str, FormSpec]:
        """All forms, by name."""

    def dealt(self, card: Card) -> Iterator[tuple[Match, Judge]]:
        """Deal a card in these places."""


def flaws(card: Card, sample: Places) -> Iterator[Flaw]:
    """Find the first error in each field of a card."""
    form = sample.forms.get(card.form)
    if form is None:
        message = f"no ruleset has a form {quoted(card.form)}{meant(card.form, sample.forms)}"
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
        message = f"no row of the rules can use this card ({wants}, side {card.side or 'any'})"
        yield Flaw(code="never_dealt", field="", message=message)


class Twins:
    """Finds twins among the cards of one language. It always knows narrator's own cards of the form."""

    def __init__(self, language: str) -> None:
        self._language = primary(language)
        self._names: dict[Roots, str] = {}
        self._details: list[tuple[frozenset[str], str]] = []

    def add_example(self, given: Any) -> None:
        """Add the card that a prompt shows, so that copies of it are twins."""
        if isinstance(card := written_card(given), OwnCard):
            self.add(card, "the example")

    def add(self, card: Card, called: str) -> None:
        """Add a card. Messages call it `called`."""
        name, detail = self._words(card)
        if name:
            self._names.setdefault(name, called)
        self._details.append((detail, called))

    def of(self, card: Card) -> Iterator[Flaw]:
        """Find the card of which this is a twin, and whether in name or detail."""
        found = self._twin(card) or (_ours(card.form)._twin(card) if self._language == LANGUAGE else None)
        if found is not None:
            field, other = found
            yield Flaw(code="twin", field=field, message=f"The {field} is nearly the same as that of {other}.")

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
        """The weighty words of a card's name and detail."""
        name, detail = (
            roots_of(Text(PLACEHOLDER.sub(" ", text).replace("|", " "), load(self._language)).key, self._language)
            for text in (card.name or "", card.detail)
        )
        return name, frozenset(detail)


@cache
def _ours(form: str) -> Twins:
    known = Twins(LANGUAGE)
    for card in packaged_cards(form):
        if "draft" not in card.wants:  # then the name is mostly the player's
            known.add(card, OURS)
    return known


class Wrong(Flaw):
    """An error in a card of a deck, and its place."""

    number: int
    """The number of the card in the deck, from 1."""
    line: int | None = None
    """The line of the file, from 1, where the card ends. Omitted if unknown."""
    card: str
    """The card's name, or its detail if it has no name. Empty if it has neither."""


class DeckReview(Model):
    """The errors and contents of a deck."""

    cards: int
    """The number of cards."""
    forms: dict[str, int]
    """The number of cards of each form."""
    wrong: tuple[Wrong, ...]
    """All errors, card by card. Empty: none."""


class _Deck(DeckFile):
    """A deck with unread cards."""

    cards: Annotated[tuple[Any, ...], MANY]


def review(text: str, place: str, sample: Callable[[str], Sample], tell: Callable[[int], None]) -> DeckReview:
    """Judge the text of a deck with the sample scenes of its language. `bad_deck` if it is not a deck. `tell` is called
    after each card, with the number judged.
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
    """Find the line with the last words of each card. None if another card may have the same words."""
    values = ([*each.values()] if isinstance(each, dict) else [] for each in cards)
    words = [next((value for value in reversed(each) if isinstance(value, str)), "") for each in values]
    many, found = Counter(words), defaultdict[str, list[int]](list)
    for number, row in enumerate(text.split("\n"), 1):
        for each in _WORDS.findall(row):
            found[each].append(number)
    certain = {each: iter(lines) for each, lines in found.items() if len(lines) == many[each]}
    return [next(certain[each]) if each in certain else None for each in words]


def review_view(found: DeckReview) -> Iterator[Line]:
    """Print the errors and contents of a deck."""
    number, wrong = count(found.cards, "card"), len({each.number for each in found.wrong})
    yield line((f"{wrong} OF {number} WRONG", "bad")) if wrong else line((f"{number}, NOTHING WRONG", "good"))
    for each in found.wrong:
        place = f"card {each.number}" if each.line is None else f"line {each.line}"
        yield line((place, "key"), f"  {each.code}: {each.message}", indent=2)
        if each.card:
            yield line((quoted(each.card), "dim"), indent=4)
    forms = ", ".join(f"{form} {number}" for form, number in found.forms.items())
    yield line(("forms: ", "dim"), forms or "none")
