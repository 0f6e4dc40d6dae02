"""Deals: of the cards that fit an action and its scene, by chance, and none twice while there is another."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any
from zlib import crc32

from narrator.deck.activity import Deed, deed_of
from narrator.deck.cards import LANGUAGE, DeckFile, packaged
from narrator.deck.people import Person, person, thing_spoken_of
from narrator.deck.setting import Setting, lexicon_of_scenes, nature_of, setting_of
from narrator.deck.wording import fill
from narrator.rules.action import Active, Request, Untold
from narrator.rules.card import CROWDED, LOCAL, PEOPLE, THINGS, Card
from narrator.rules.cast import Cast, cast_of
from narrator.rules.declared import Side
from narrator.rules.resolution import FormOffer, Slot
from narrator.rules.ruleset import Ruleset
from narrator.rules.scene import GM, Character
from narrator.validation.stemming import base_code
from narrator.validation.themes import barred

ROUND = 39
"""How many cards a slot deals from before it begins again: thirteen times three."""

FITS = {"activity": 4.0, "family": 3.0, "beside": 2.0, "any": 1.0}
"""How well a card fits that is made for the activity, for its family, for one beside it, for anything."""

CLOSER = 0.5
"""How much better a card fits for each thing that it has from this very scene."""

STRANGERS = 1.0
"""How much worse a card fits that brings in people of whom the scene does not speak; twice so where it has nobody."""

UNSAID = 1.0
"""How much worse a card fits for each thing in it that one place has and another has not."""

OWN = 1.0
"""How much better a card of the table's own fits, or of the ruleset's."""

OWN_CARD = "own-"
"""What the id of such a card begins with."""

TAKEN_UP = 3.0
"""How much better a card fits that takes up what the player said."""

MEANT = 10.0
"""How much better a card fits that takes up what the player called the aspect."""


@dataclass(frozen=True)
class Dealt:
    """
    A card on the table: its id, the candidate that it makes, and the language it is in.
    """

    card: str
    candidate: dict[str, Any]
    language: str


class Deck:
    """
    The cards that come with narrator, and more beside them.
    """

    def __init__(self, more: Iterable[DeckFile] = ()) -> None:
        self._more = tuple(more)

    def cards(self, form: str, language: str = LANGUAGE) -> tuple[Card, ...]:
        """
        List the cards for a form, those of the table's own first.
        """
        ours = packaged(form).cards if language == LANGUAGE else ()
        return (*(card for card in self._own(language) if card.form == form), *ours)

    def deal(self, slots: Iterable[Slot], request: Request, ruleset: Ruleset, number: int) -> Iterator[Dealt]:
        """
        Deal candidates for each slot, in the order to be offered: first a hand of as many as are wanted, then what
        may take the place of each.

        Args:
            number: Which deal: each starts where the one before it ended, in an order that the request decides.
        """
        table = _Table(request, ruleset)
        for slot in slots:
            yield from (table.put(entry) for entry in self._in_turn(slot, table, number))

    def _in_turn(self, slot: Slot, table: "_Table", number: int) -> Iterator["_Entry"]:
        order, reserve = self._order(slot, table)
        wanted, start = table.request.per_slot, 0
        if order:
            start = number * wanted % len(order)
        hand = [order[(start + place) % len(order)] for place in range(min(wanted, len(order)))]
        far_end = [order[(start - place) % len(order)] for place in range(1, len(order) - len(hand) + 1)]
        dealt = {card: place for place, card in enumerate(table.request.scene.dealt)}
        found = list({entry.id: entry for entry in (*hand, *far_end, *reserve)}.values())
        yield from (entry for entry in found if entry.id not in dealt)
        # Everything has been said: what was said longest ago comes first.
        yield from sorted((each for each in found if each.id in dealt), key=lambda each: dealt[each.id])

    def _order(self, slot: Slot, table: "_Table") -> tuple[list["_Entry"], list["_Entry"]]:
        """
        The cyclic order of what fits a slot, forms in turn; and what fits less well, the best of it first.
        """
        chance = table.chance(slot.id)
        each_has = -(-ROUND // max(1, len(slot.forms)))
        hands, reserve = [], []
        for offer in sorted(slot.forms, key=lambda _: chance.random()):
            fitting = sorted(self._fitting(slot, offer, table), key=lambda each: (-each.fit, chance.random()))
            hands.append(_spread(fitting[:each_has], chance))
            reserve += fitting[each_has:]
        longest = max((len(hand) for hand in hands), default=0)
        order = [hand[place % len(hand)] for place in range(longest) for hand in hands if hand]
        return order, sorted(reserve, key=lambda each: -each.fit)

    def _fitting(self, slot: Slot, offer: FormOffer, table: "_Table") -> list["_Entry"]:
        """
        Every card that may be said for a form here, in the scene's language, or where there is none in English.
        """
        of_table = table.offered(slot, offer)
        for language in dict.fromkeys((table.language, LANGUAGE)):
            found = self._candidates(offer.form, of_table.side, language)
            fitting = [entry for card in found if (entry := of_table.entry(card, language)) is not None]
            if fitting:
                own = frozenset(card.id for card in self._own(language))
                return [each.of_table() if each.card.id in own else each for each in fitting]
        return []

    def _candidates(self, form: str, side: Side, language: str) -> Iterator[Card]:
        yield from self.cards(form, language)
        another = packaged(form).for_the_opposition
        if side == "opposition" and another is not None:
            yield from self.cards(another, language)

    def _own(self, language: str) -> Iterator[Card]:
        return (card for file in self._more if base_code(file.language) == language for card in file.cards)


@dataclass(frozen=True)
class _Entry:
    """
    A card that may be said, for whom, and how well it fits.
    """

    card: Card
    place: "_Offered"
    language: str
    fit: float
    is_own: bool = False

    @property
    def id(self) -> str:
        return f"{OWN_CARD if self.is_own else ''}{self.card.id}"

    def of_table(self) -> "_Entry":
        return replace(self, fit=self.fit + OWN, is_own=True)


@dataclass(frozen=True)
class _Offered:
    """
    A form of a slot, and what cards for it may speak of.
    """

    slot: Slot
    offer: FormOffer
    to: str | None
    side: Side
    people: Mapping[str, str]
    """By placeholder, the names of those whom a card may speak of."""
    words: Mapping[str, str]
    table: "_Table"

    def entry(self, card: Card, language: str) -> _Entry | None:
        """
        Say how well a card fits; None where it may not be said.
        """
        fit = self._fit(card)
        return None if fit is None else _Entry(card, self, language, fit)

    def _fit(self, card: Card) -> float | None:
        table, wants = self.table, card.wants
        fit = table.suits(card)
        if fit is None or card.kind not in (None, self.slot.kind) or card.side not in (None, self.side):
            return None
        spoken_of = wants & set(PEOPLE)
        if not spoken_of <= self.people.keys() or not wants - spoken_of - set(THINGS) <= self.words.keys():
            return None
        others = {self.people[each] for each in spoken_of - {"object"}} - {table.request.action.actor}
        if any(table.natures[each] not in card.foes for each in others):
            return None
        closer = len(others) + len(card.needs) + sum(table.setting.has(thing) for thing in THINGS if thing in wants)
        fit += CLOSER * min(closer, 2) + TAKEN_UP * ("object" in wants) + MEANT * ("draft" in wants)
        return fit - table.strangeness(card)


class _Table:
    """
    One request as the deck sees it: who is there, what is done, and where.
    """

    def __init__(self, request: Request, ruleset: Ruleset) -> None:
        self.request = request
        self._ruleset = ruleset
        self._cast: Cast = cast_of(request, ruleset.sheet)
        self.setting: Setting = setting_of(request)
        self.deed: Deed = deed_of(request, ruleset)
        self.language = base_code(request.scene.language)
        self.barred = barred((*request.scene.lines, *request.scene.veils))
        scene = {"recent", "dealt", "revision"}
        told = request.model_dump_json(exclude={"seed": True, "deal": True, "scene": scene}, exclude_none=True)
        self._key = crc32(told.encode())
        self.natures = {name: nature_of(each) for name, each in self._cast.characters.items()}

    def chance(self, of: str) -> Random:
        """
        Chance that the request alone decides.
        """
        return Random(f"{self._key} {of}")  # noqa: S311

    def suits(self, card: Card) -> float | None:
        """
        Say how well a card suits what is done and where; None where it is made for others.
        """
        conditions = self.setting.conditions
        if not set(card.needs) <= conditions or (card.wants & CROWDED and "people" not in conditions):
            return None
        if self.barred & set(card.themes) or (card.stories and self.setting.story not in card.stories):
            return None
        made_for, deed = set(card.activities), self.deed
        if not made_for:
            return FITS["any"]
        if deed.activity in made_for:
            return FITS["activity"]
        if made_for & deed.families:
            return FITS["family"]
        return FITS["beside"] if made_for & set(deed.also) else None

    def strangeness(self, card: Card) -> float:
        """
        Say how much a card brings in that this scene may not have.
        """
        is_peopled = self.setting.is_peopled
        unsaid = [thing for thing in LOCAL if thing in card.wants and not self.setting.has(thing)]
        strangers = [thing for thing in CROWDED if thing in card.wants and not self.setting.has(thing)]
        brings_people = bool(strangers) or (not is_peopled and "people" in card.needs)
        return UNSAID * min(len(unsaid), 2) + STRANGERS * brings_people * (1 if is_peopled else 2)

    def offered(self, slot: Slot, offer: FormOffer) -> _Offered:
        """
        Gather what cards for a form may speak of.
        """
        actor = self.request.action.actor
        chance = self.chance(f"{slot.id} {offer.form}")
        to = self._recipient(offer.to or (), chance)
        side: Side = "opposition" if to in (GM, *self.opposition) else "actor"
        opponent = next((name for name in self.opposition if name != GM), None)
        foe = actor if side == "opposition" else opponent
        people = {"actor": actor, "to": None if to == GM else to, "opponent": opponent, "foe": foe}
        people["object"] = self._object(opponent)
        aspect = offer.on or _one_of(self._aspects, chance)
        words = {"aspect": aspect, "draft": slot.draft}
        return _Offered(
            slot=slot,
            offer=offer,
            to=to,
            side=side,
            people={word: name for word, name in people.items() if name is not None},
            words={word: text for word, text in words.items() if text is not None},
            table=self,
        )

    def put(self, entry: _Entry) -> Dealt:
        """
        Fill a card in.
        """
        card, place = entry.card, entry.place
        chance = self.chance(card.id)
        is_english = entry.language == LANGUAGE
        people = {word: self._person(name, is_english) for word, name in place.people.items() if word in card.wants}
        things: dict[str, str] = {thing: self.setting.word(thing, chance) for thing in THINGS if thing in card.wants}
        words: dict[str, str] = {**things, **place.words}
        candidate: dict[str, Any] = {
            "slot": place.slot.id,
            "form": place.offer.form,
            "to": place.to,
            "name": card.name and fill(card.name, people, words, is_name=True),
            "detail": fill(card.detail, people, words),
        }
        return Dealt(entry.id, candidate, entry.language)

    @cached_property
    def opposition(self) -> tuple[str, ...]:
        """
        Those on the other side, who rolls against the actor or is aimed at first.
        """
        action = self.request.action
        side = self._cast[action.actor].side
        by = action.opposition.by if isinstance(action.opposition, Active | Untold) else None
        is_helped = self.deed.activity in ("heal", "lead") and not self._cast.is_told
        first = [name for name in (by, None if is_helped else action.target) if name]
        others = [name for name in self._cast.characters if not is_helped]
        here = (name for name in (*first, *others) if name == GM or self._cast[name].side != side)
        return tuple(name for name in dict.fromkeys(here) if name == GM or not self._cast[name].taken_out)

    def _recipient(self, names: tuple[str, ...], chance: Random) -> str | None:
        """
        Say whom words are for: the actor where they may be, else who opposes or is aimed at, else one of several.
        """
        action = self.request.action
        by = action.opposition.by if isinstance(action.opposition, Active | Untold) else None
        first = next((name for name in (action.actor, by, action.target) if name in names), None)
        return first or _one_of(names, chance)

    def _object(self, opponent: str | None) -> str | None:
        """
        Name what the deed is done to: in a fight or in talk whoever opposes it, else what the intent says.
        """
        is_on_them = bool(self.deed.families & {"fight", "talk"}) and self.deed.activity not in ("lead", "perform")
        if is_on_them and opponent is not None:
            return opponent
        said = self.deed.object
        meant = (name for name in self._cast.characters if said and _is_meant(said, self._cast[name]))
        return next(meant, said)

    def _person(self, name: str, is_english: bool) -> Person:
        if name not in self._cast.characters:
            return thing_spoken_of(name)
        return person(self._cast[name], lexicon_of_scenes().nouns, is_english=is_english)

    @cached_property
    def _aspects(self) -> tuple[str, ...]:
        """
        The aspects in play of the scene and its zones: what a card may speak of by name.
        """
        scene = self.request.scene
        people = {each.name for each in scene.characters}
        named = [each.name for each in scene.aspects if not each.boost and each.on not in people]
        return tuple(dict.fromkeys([*named, *(name for zone in scene.zones for name in zone.aspects)]))


def _spread(entries: list[_Entry], chance: Random) -> list[_Entry]:
    """
    Shuffle cards so that those that fit alike well lie evenly apart, and every hand has of the best.
    """
    alike: dict[float, list[_Entry]] = {}
    for entry in entries:
        alike.setdefault(entry.fit // 2, []).append(entry)
    placed = [
        ((place + chance.random()) / len(some), entry)
        for some in alike.values()
        for place, entry in enumerate(sorted(some, key=lambda _: chance.random()))
    ]
    return [entry for _, entry in sorted(placed, key=lambda each: each[0])]


def _is_meant(said: str, character: Character) -> bool:
    """
    Whether words of an intent are a character's name, or a part of it.
    """
    names = (character.name, character.called or character.name)
    words = said.casefold().removeprefix("the ").split()
    return any(words == name.casefold().removeprefix("the ").split()[: len(words)] for name in names)


def _one_of(names: tuple[str, ...], chance: Random) -> str | None:
    """
    Pick one of several names, or None of none.
    """
    return names[int(chance.random() * len(names))] if names else None
