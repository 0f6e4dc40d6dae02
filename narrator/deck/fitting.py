"""How well a card fits: whom and what it may speak of here, what it takes up, and what it brings in."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from narrator.deck.cards import LANGUAGE
from narrator.deck.reading import Reading
from narrator.deck.setting import things_in
from narrator.deck.wording import fill
from narrator.rules.card import CROWDED, LOCAL, PLACEHOLDER, THINGS, Card, Thing
from narrator.rules.declared import RollSide
from narrator.rules.resolution import FormOffer, Slot
from narrator.rules.scene import GM
from narrator.validation.safety import sayable

FITS = {"activity": 4.0, "family": 2.0, "any": 1.0}
"""How well a card fits that is made for the activity, for its family, for anything."""

OWN = 1.0
"""How much better a card of the table's own fits, or of the ruleset's."""

CLOSER = 0.5
"""How much better a card fits for each of two things that it has from this very scene."""

TAKEN_UP = 3.0
"""How much better a card fits that takes up what the player said."""

MEANT = 10.0
"""How much better a card fits that takes up what the player called the aspect."""

TOLD_SO = 1.0
"""How much better a card fits without a roll that is made for this kind of story."""

RARE = 2.5
"""How much worse a card fits that suits few scenes."""

UNSAID = 1.5
"""How much worse a card fits for each of two things in it that one place has and another has not."""

STRANGERS = 1.5
"""How much worse a card fits that brings in people of whom the scene does not speak; twice so where it has nobody."""

OWN_CARD = "o-"
"""What the id of a card of the table's own begins with, or of the ruleset's."""

_ONE_LIMB = re.compile(
    r"\b(?:a|an|one|the|each|\{\w+'s\}|\{\w+ their\})(?: \w+)? "
    r"(?:arm|leg|foot|knee|hand|elbow|shoulder|wrist|ankle|neck|head|chin|ear|eye|boot|heel|jacket|coat|face|jaw|hip|"
    r"thumb|finger|palm|sleeve|belt|nose|tongue|voice|mouth|back)\b"
)
"""What one body has one or two of: a card that speaks of it is for nobody who is several."""


@dataclass(frozen=True)
class Opening:
    """
    A form of a slot, and whom and what cards for it may speak of.
    """

    reading: Reading
    slot: Slot
    offer: FormOffer
    severity: str | None
    """Of a consequence: the level."""
    to: str | None
    side: RollSide
    people: Mapping[str, str]
    """By placeholder: names."""
    words: Mapping[str, str]

    def match(self, card: Card, language: str, *, is_own: bool = False, is_wide: bool = False) -> "Match | None":
        """
        Say how well a card fits; None where it may not be said.

        Args:
            is_wide: That it may be made for another deed.
        """
        reading, wants = self.reading, card.wants
        fit = suits(card, reading, is_wide=is_wide)
        if fit is None or card.kind not in (None, self.slot.kind) or card.side not in (None, self.side):
            return None
        if card.severities and self.severity not in card.severities:
            return None
        if card.tracks and self.slot.kind == "consequence" and reading.track not in card.tracks:
            return None
        if not wants <= {*self.people, *self.words, *THINGS}:
            return None
        spoken_of = wants & self.people.keys()
        # Whoever acts is no foe to themself; what a wound is like hangs on who has it.
        spared = () if self.offer.levels != (None,) else (reading.request.action.actor,)
        others = {self.people[each] for each in spoken_of - {"object"}}.difference(spared)
        if any(reading.natures[each] not in card.foes for each in others):
            return None
        if any(self.people[each] in reading.several for each in spoken_of) and _ONE_LIMB.search(card.detail):
            return None
        closer = len(others) + len(card.needs) + len(wants & reading.setting.said.keys())
        if self.slot.kind == "word":
            # Nothing was done that a card could take up: what there is to go by is the kind of story.
            fit += TOLD_SO * bool(card.stories)
        fit += CLOSER * min(closer, 2) + TAKEN_UP * bool(wants & {"object", "sought"}) + MEANT * ("draft" in wants)
        return Match(card, self, language, is_own, fit + OWN * is_own - RARE * card.rare - _strangeness(card, reading))


@dataclass(frozen=True)
class Match:
    """
    A card for an opening: the language it is in, whether it is the table's own or the ruleset's, and how well it fits.
    """

    card: Card
    opening: Opening
    language: str
    is_own: bool
    fit: float

    @property
    def is_at_home(self) -> bool:
        """
        Whether the scene speaks of somebody or some place that it is about.
        """
        return any(self.opening.reading.setting.speaks_of(name) for name in self.card.about)

    @property
    def id(self) -> str:
        """
        What a suggestion and a scene call the card.
        """
        return f"{OWN_CARD if self.is_own else ''}{self.card.id}"

    @cached_property
    def candidate(self) -> dict[str, Any]:
        """
        What it says, filled in, as the check wants it.
        """
        card, opening, reading = self.card, self.opening, self.opening.reading
        chance, is_english = reading.chance(f"{card.form}-{card.id}"), self.language == LANGUAGE
        named = {word: name for word, name in opening.people.items() if word in card.wants}
        people = {word: reading.person(name, is_english=is_english) for word, name in named.items()}
        things: dict[str, str] = {thing: reading.setting.word(thing, chance) for thing in THINGS if thing in card.wants}
        words = {**things, **opening.words}
        return {
            "slot": opening.slot.id,
            "form": opening.offer.form,
            "to": opening.to,
            "severity": opening.severity,
            "name": card.name and fill(card.name, people, words, is_name=True),
            "detail": fill(card.detail, people, words),
        }


def opening(reading: Reading, slot: Slot, offer: FormOffer, severity: str | None) -> Opening:
    """
    Gather what cards for a form may speak of; of a consequence at this level.
    """
    actor, opponent = reading.request.action.actor, reading.opponent
    chance = reading.chance(f"{slot.id} {offer.form}")
    to = reading.recipient(offer.to or (), chance)
    side: RollSide = "opposition" if to in (GM, *reading.opposition) else "actor"
    foe = actor if side == "opposition" else opponent
    if slot.kind == "consequence" and offer.holders:
        # Whoever struck, on whatever side.
        foe = offer.holders[0]
    people = {"actor": actor, "to": to, "opponent": opponent, "foe": foe}
    people["object"] = reading.object
    in_play = reading.concerned(chance) if slot.kind == "word" else reading.aspect(chance)
    words = {"aspect": offer.on or in_play, "draft": slot.draft, "sought": reading.deed.sought}
    return Opening(
        reading=reading,
        slot=slot,
        offer=offer,
        severity=severity,
        to=to,
        side=side,
        people={word: name for word, name in people.items() if name not in (None, GM)},
        words={word: said for word, text in words.items() if text is not None and (said := sayable(text))},
    )


def suits(card: Card, reading: Reading, *, is_wide: bool = False) -> float | None:
    """
    Say how well a card suits what is done and where; None where it is made for others.
    """
    setting, deed = reading.setting, reading.deed
    if not setting.conditions.issuperset(card.needs) or (card.wants & CROWDED and "people" not in setting.conditions):
        return None
    if not reading.barred.isdisjoint(card.themes) or (card.stories and setting.story not in card.stories):
        return None
    if deed.activity in card.activities:
        return FITS["activity"]
    if not deed.families.isdisjoint(card.activities):
        return FITS["family"]
    return FITS["any"] if is_wide or not card.activities else None


def _strangeness(card: Card, reading: Reading) -> float:
    """
    Say how much a card brings in that this scene may not have.
    """
    setting = reading.setting
    unsaid = {thing for thing in LOCAL | CROWDED if thing in card.wants and thing not in setting.said}
    unsaid |= {thing for word, things in _named(card.text).items() if word not in setting.words for thing in things}
    brings_people = bool(unsaid & CROWDED) or (not setting.is_peopled and "people" in card.needs)
    return UNSAID * min(len(unsaid & LOCAL), 2) + STRANGERS * brings_people * (1 if setting.is_peopled else 2)


@lru_cache(maxsize=20_000)
def _named(text: str) -> Mapping[str, frozenset[Thing]]:
    """
    The things that a card's text names outright.
    """
    return things_in(PLACEHOLDER.sub(" ", text))
