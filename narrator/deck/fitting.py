"""How well a card fits: a request as the deck sees it, and what a card may speak of in it and brings in."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random
from typing import Any
from zlib import crc32

from narrator.deck.activity import Deed, deed_of
from narrator.deck.cards import LANGUAGE
from narrator.deck.people import Person, person, thing_spoken_of
from narrator.deck.setting import Setting, lexicon_of_scenes, nature_of, setting_of, things_in
from narrator.deck.wording import fill
from narrator.rules.action import Active, Request, Untold
from narrator.rules.card import ACTIVITIES, CROWDED, LOCAL, PEOPLE, PLACEHOLDER, THINGS, Card, Thing
from narrator.rules.cast import Cast, cast_of
from narrator.rules.declared import RollSide
from narrator.rules.resolution import FormOffer, Slot
from narrator.rules.ruleset import Ruleset
from narrator.rules.scene import GM, Character
from narrator.validation.stemming import base_code
from narrator.validation.themes import barred

FITS = {"activity": 4.0, "family": 2.0, "any": 1.0}
"""How well a card fits that is made for the activity, for its family, for anything."""

CLOSER = 0.5
"""How much better a card fits for each thing that it has from this very scene."""

STRANGERS = 1.5
"""How much worse a card fits that brings in people of whom the scene does not speak; twice so where it has nobody."""

UNSAID = 1.5
"""How much worse a card fits for each thing in it that one place has and another has not."""

_ONE_LIMB = re.compile(
    r"\b(?:a|an|one|the|each|\{\w+'s\}|\{\w+ their\})(?: \w+)? "
    r"(?:arm|leg|foot|knee|hand|elbow|shoulder|wrist|ankle|neck|head|chin|ear|eye|boot|heel|jacket|coat|face|jaw|hip|"
    r"thumb|finger|palm|sleeve|belt|nose|tongue|voice|mouth|back)\b"
)

RARE = 2.5
"""How much worse a card fits that suits few scenes."""

OWN = 1.0
"""How much better a card of the table's own fits, or of the ruleset's."""

OWN_CARD = "own-"
"""What the id of such a card begins with."""

TAKEN_UP = 3.0
"""How much better a card fits that takes up what the player said."""

MEANT = 10.0
"""How much better a card fits that takes up what the player called the aspect."""


@dataclass(frozen=True)
class Entry:
    """
    A card that may be said, for whom, and how well it fits.
    """

    card: Card
    place: "Offered"
    language: str
    fit: float
    is_own: bool = False

    @property
    def id(self) -> str:
        return f"{OWN_CARD if self.is_own else ''}{self.card.id}"


@dataclass(frozen=True)
class Offered:
    """
    A form of a slot, and what cards for it may speak of.
    """

    slot: Slot
    offer: FormOffer
    to: str | None
    side: RollSide
    people: Mapping[str, str]
    """By placeholder, the names of those whom a card may speak of."""
    words: Mapping[str, str]
    table: "Table"

    def entry(self, card: Card, language: str, *, is_own: bool = False) -> Entry | None:
        """
        Say how well a card fits; None where it may not be said.
        """
        fit = self._fit(card)
        return None if fit is None else Entry(card, self, language, fit + OWN * is_own, is_own)

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
        if _ONE_LIMB.search(card.detail) and any(table.are_several(self.people[each]) for each in spoken_of):
            return None
        closer = len(others) + len(card.needs) + sum(table.setting.has(thing) for thing in THINGS if thing in wants)
        fit += CLOSER * min(closer, 2) + TAKEN_UP * bool(wants & {"object", "sought"}) + MEANT * ("draft" in wants)
        return fit - table.strangeness(card) - RARE * card.rare


class Table:
    """
    One request as the deck sees it: who is there, what is done, and where.
    """

    def __init__(self, request: Request, ruleset: Ruleset, *, is_wide: bool = False) -> None:
        """
        Args:
            is_wide: That cards for other deeds may be said as well.
        """
        self.request = request
        self._is_wide = is_wide
        self._ruleset = ruleset
        self._cast: Cast = cast_of(request, ruleset.sheet)
        self.setting: Setting = setting_of(request)
        self.deed: Deed = deed_of(request, ruleset)
        self.language = base_code(request.scene.language)
        self.barred = barred((*request.scene.lines, *request.scene.veils))
        scene = {"recent", "dealt", "revision", "tone"}
        told = request.model_dump_json(exclude={"seed": True, "deal": True, "scene": scene}, exclude_none=True)
        self._key = crc32(told.encode())
        self._several: dict[str, bool] = {}
        self.natures = {name: nature_of(each) for name, each in self._cast.characters.items()}

    def chance(self, of: str) -> Random:
        """
        Chance that the request alone decides.
        """
        return Random(f"{self._key} {of}")  # noqa: S311

    @cached_property
    def deeds(self) -> frozenset[str]:
        """
        The activities and families that cards may be made for.
        """
        if self._is_wide:
            return frozenset(ACTIVITIES)
        known = {self.deed.activity, *self.deed.families}
        return frozenset(each for each in known if each is not None)

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
        return FITS["any"] if self._is_wide else None

    def strangeness(self, card: Card) -> float:
        """
        Say how much a card brings in that this scene may not have.
        """
        is_peopled = self.setting.is_peopled
        unsaid = {thing for thing in card.wants if thing in LOCAL | CROWDED and not self.setting.has(thing)}
        unsaid |= {
            thing for word, things in _named(card.text).items() if word not in self.setting.words for thing in things
        }
        brings_people = bool(unsaid & CROWDED) or (not is_peopled and "people" in card.needs)
        return UNSAID * min(len(unsaid & LOCAL), 2) + STRANGERS * brings_people * (1 if is_peopled else 2)

    def offered(self, slot: Slot, offer: FormOffer) -> Offered:
        """
        Gather what cards for a form may speak of.
        """
        actor = self.request.action.actor
        chance = self.chance(f"{slot.id} {offer.form}")
        to = self._recipient(offer.to or (), chance)
        side: RollSide = "opposition" if to in (GM, *self.opposition) else "actor"
        opponent = next((name for name in self.opposition if name != GM), None)
        foe = actor if side == "opposition" else opponent
        people = {"actor": actor, "to": None if to == GM else to, "opponent": opponent, "foe": foe}
        people["object"] = self._object(opponent)
        aspect = offer.on or _one_of(self._aspects, chance)
        words = {"aspect": aspect, "draft": slot.draft, "sought": self.deed.sought}
        return Offered(
            slot=slot,
            offer=offer,
            to=to,
            side=side,
            people={word: name for word, name in people.items() if name is not None},
            words={word: text for word, text in words.items() if text is not None},
            table=self,
        )

    def are_several(self, name: str) -> bool:
        """
        Say whether this is several people or beasts.
        """
        if name not in self._several:
            is_somebody = name in self._cast.characters
            self._several[name] = is_somebody and self._person(name, is_english=True).is_plural
        return self._several[name]

    def filled(self, entry: Entry) -> dict[str, Any]:
        """
        Fill a card in: the candidate that it makes.
        """
        card, place = entry.card, entry.place
        chance = self.chance(card.id)
        is_english = entry.language == LANGUAGE
        people = {
            word: self._person(name, is_english=is_english) for word, name in place.people.items() if word in card.wants
        }
        things: dict[str, str] = {thing: self.setting.word(thing, chance) for thing in THINGS if thing in card.wants}
        words: dict[str, str] = {**things, **place.words}
        return {
            "slot": place.slot.id,
            "form": place.offer.form,
            "to": place.to,
            "name": card.name and fill(card.name, people, words, is_name=True),
            "detail": fill(card.detail, people, words),
        }

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

    def _person(self, name: str, *, is_english: bool) -> Person:
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


@lru_cache(maxsize=20_000)
def _named(text: str) -> Mapping[str, frozenset[Thing]]:
    """
    The things that a card's text names outright.
    """
    return things_in(PLACEHOLDER.sub(" ", text))


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
