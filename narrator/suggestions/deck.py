"""The deck: words that need no model, drawn by what the action is like and filled with the request's names."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from random import Random
from typing import Annotated, Any, get_args
from zlib import crc32

from narrator.rules.action import Active, Request
from narrator.rules.declared import Card, Kind, Tag
from narrator.rules.model import LIST, Model, Name
from narrator.rules.resolution import FormOffer, Slot
from narrator.rules.scene import GM

FITTING = 0.35
"""How far forward a card comes that is made for this kind of action."""

_PLACEHOLDER = re.compile(r"\{(actor|to|opponent|aspect|draft)\}")
_WORD = re.compile(r"[^\W\d_]+")


class Likeness(Model):
    """
    How to tell what an action is like: skills and approaches, and beginnings of words of the intent.
    """

    skills: Annotated[tuple[Name, ...], LIST]
    words: Annotated[tuple[Name, ...], LIST]


class Deck:
    """
    Cards, and how to tell which of them an action calls for.
    """

    def __init__(self, cards: tuple[Card, ...], likeness: Mapping[Tag, Likeness]) -> None:
        self._cards = cards
        self._likeness = likeness

    def with_cards(self, cards: tuple[Card, ...]) -> "Deck":
        """
        Return a deck with more cards in it.
        """
        return Deck((*self._cards, *cards), self._likeness) if cards else self

    def cards(self, kind: Kind, form: str) -> tuple[Card, ...]:
        """
        List the cards for a form in slots of a kind.
        """
        return tuple(card for card in self._cards if card.form == form and card.kind in (None, kind))

    def tags(self, request: Request) -> frozenset[Tag]:
        """
        Tell what an action is like: by its skill, else by its intent.
        """
        skills = {name.casefold() for name in (request.action.skill, request.action.attribute) if name}
        by_skill = {tag for tag, like in self._likeness.items() if skills & {each.casefold() for each in like.skills}}
        words = _WORD.findall(request.action.intent.casefold())
        return frozenset(by_skill) or frozenset(
            tag for tag, like in self._likeness.items() if any(word.startswith(like.words) for word in words)
        )

    def draw(self, slots: tuple[Slot, ...], request: Request) -> Iterator[dict[str, Any]]:
        """
        Deal candidates in rounds: one for every form of every slot before any form again.

        The same request and seed give the same order.
        """
        chance = Random(crc32(request.model_dump_json().encode()) if request.seed is None else request.seed)  # noqa: S311
        tags = self.tags(request)
        hands = [
            self._hand(slot, offer, request, tags, chance) for slot in slots for offer in _shuffled(slot.forms, chance)
        ]
        while hands := [hand for hand in hands if hand]:
            yield from (hand.pop(0) for hand in hands)

    def _hand(
        self, slot: Slot, offer: FormOffer, request: Request, tags: frozenset[Tag], chance: Random
    ) -> list[dict[str, Any]]:
        """
        Every card that suits a form here, filled in, in the order to be dealt.
        """
        to = _recipient(offer.to or (), request, chance)
        names = _names(request, to, offer.on, slot.draft)
        side = None if to is None else "opposition" if to in (GM, *_opposition(request)) else "actor"
        fitting = [
            card
            for card in self.cards(slot.kind, offer.form)
            if (not card.tags or tags & set(card.tags))
            and card.side in (None, side)
            and all(names.get(name) for name in placeholders(card))
        ]

        def place(card: Card) -> float:
            if "draft" in placeholders(card):
                return 0.0
            return chance.random() * (FITTING if card.tags else 1.0)

        return [
            {
                "slot": slot.id,
                "form": offer.form,
                "to": to,
                "name": card.name and fill(card.name, names),
                "detail": fill(card.detail, names),
            }
            for card in sorted(fitting, key=place)
        ]


def placeholders(card: Card) -> frozenset[str]:
    """
    Tell which names a card wants put in.
    """
    return frozenset(_PLACEHOLDER.findall(f"{card.name or ''} {card.detail}"))


def fill(text: str, names: Mapping[str, str | None]) -> str:
    """
    Put names into a card in one pass, so that nothing in a name is taken for a placeholder.
    """
    return _PLACEHOLDER.sub(lambda found: names[found[1]] or "", text)


@cache
def packaged_deck() -> Deck:
    """
    Read the deck that comes with narrator.
    """
    folder = files("narrator.suggestions") / "deck"

    def read(name: str) -> dict[str, Any]:
        return tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))

    kinds: tuple[Kind, ...] = ("serious_cost", "minor_cost", "boost", "aspect")
    tags: tuple[Tag, ...] = get_args(Tag)
    cards = tuple(Card.model_validate({"kind": kind, **entry}) for kind in kinds for entry in read(kind)["entries"])
    likeness = read("likeness")
    return Deck(cards, {tag: Likeness.model_validate(likeness[tag]) for tag in tags})


def chance_of(names: tuple[str, ...], chance: Random) -> str | None:
    """
    Pick one of several names, or None of none.
    """
    return names[int(chance.random() * len(names))] if names else None


def _recipient(names: tuple[str, ...], request: Request, chance: Random) -> str | None:
    """
    Say whom words are for: the actor where they may be, else who opposes or is aimed at, else one of several.
    """
    action = request.action
    by = action.opposition.by if isinstance(action.opposition, Active) else None
    first = next((name for name in (action.actor, by, action.target) if name in names), None)
    return first or chance_of(names, chance)


def _shuffled(forms: tuple[FormOffer, ...], chance: Random) -> list[FormOffer]:
    return sorted(forms, key=lambda _: chance.random())


def _opposition(request: Request) -> tuple[str, ...]:
    """
    Those on the other side who have a name; who rolls against the actor comes first.
    """
    action, scene = request.action, request.scene
    side = next((each.side for each in scene.characters if each.name == action.actor), None)
    by = action.opposition.by if isinstance(action.opposition, Active) else None
    first = (name for name in (by, action.target) if name)
    others = (each.name for each in scene.characters if each.side != side)
    return tuple(dict.fromkeys([*first, *others]))


def _names(request: Request, to: str | None, aspect: str | None, draft: str | None) -> dict[str, str | None]:
    opponent = next((name for name in _opposition(request) if name != GM), None)
    return {
        "actor": request.action.actor,
        "to": None if to == GM else to,
        "opponent": opponent,
        "aspect": aspect,
        "draft": draft,
    }
