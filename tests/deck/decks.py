"""Every card of the deck, wherever a row can deal it, for whomever: what tests of the whole deck go through."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import pytest

import narrator
from narrator.deck import fitting
from narrator.deck.dealing import Deck
from narrator.deck.fitting import Match
from narrator.rules.action import Request
from narrator.rules.card import Card
from narrator.rules.loading import packaged_ruleset
from narrator.validation.standard import Standard
from tests.rows import COMPANIES, ROWS, Asking
from tests.rules.build import LEVELS

Json = dict[str, Any]

PEOPLE: dict[str, tuple[Json, Json]] = {
    "one, and several": (
        {"name": "Cynere", "importance": "pc"},
        {"name": "Gate Guards", "importance": "nameless"},
    ),
    "several, and one": (
        {"name": "The Reavers", "group": True},
        {"name": "Og", "importance": "named"},
    ),
    "she, and he": (
        {"name": "Captain Ilse Varga", "importance": "pc", "pronouns": "she/her"},
        {"name": "Ross", "importance": "named", "pronouns": "he/him"},
    ),
    "they, and a swarm": (
        {"name": "Landon", "importance": "pc", "pronouns": "they/them"},
        {"name": "Lantern Boys", "importance": "swarm"},
    ),
    "one, and a beast": ({"name": "Landon", "importance": "pc"}, {"name": "Grey Wolf", "importance": "nameless"}),
    "one, and a thing": ({"name": "Landon", "importance": "pc"}, {"name": "Security System"}),
}
"""Who acts and who opposes."""


def forms() -> tuple[str, ...]:
    """The forms that narrator has cards for."""
    folder = files("narrator.deck") / "cards"
    return tuple(sorted(each.name.removesuffix(".toml") for each in folder.iterdir() if each.name.endswith(".toml")))


@dataclass(frozen=True)
class Place:
    """Somewhere that cards are dealt: a row's request with its people, and what the words are judged against."""

    form: str
    standard: Standard


def places(people: str) -> Iterator[Place]:
    """
    For every form and kind of slot, to either side, whatever became of the goal, with and without a draft: one row
    that has it, with these people; for harm, one for each track.
    """
    found = set()
    for row, told, slots in _slots():
        for offer, *key in slots:
            if (offer, *key) not in found:
                found.add((offer, *key))
                for track in ("physical", "mental") if offer == "inflicted_consequence" else (None,):
                    request = _with(told, people, track)
                    yield Place(offer, Standard(request, narrator.resolve(request), packaged_ruleset(row.ruleset)))


@cache
def _slots() -> tuple[tuple[Asking, Json, tuple[tuple[Any, ...], ...]], ...]:
    """
    Each row's requests, and what tells the forms of their slots from each other.
    """
    return tuple(
        (row, told, tuple(_forms(narrator.resolve(told), [each["name"] for each in told["scene"]["aspects"]])))
        for row in ROWS
        for told in row.requests(COMPANIES["one and many"], seed=1)
    )


def _forms(resolution: narrator.Resolution, in_play: list[str]) -> Iterator[tuple[Any, ...]]:
    for slot in resolution.slots():
        if slot.draft in in_play:  # whoever names a new aspect like one that is there gets other words
            continue
        goals = frozenset(
            branch.goal for branch in resolution.branches if slot.id in {each.id for each in branch.slots}
        )
        yield from ((offer.form, slot.kind, offer.to, goals, slot.draft is None) for offer in slot.forms)


def _with(told: Json, people: str, track: str | None) -> Request:
    """Put others into a request of the rows for one and many."""
    actor, opponent = PEOPLE[people]
    names = {"Cynere": actor["name"], "Gate Guards": opponent["name"]}

    def renamed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: renamed(each) for key, each in value.items()}
        return names.get(value, value) if isinstance(value, str) else value

    told = renamed(told)
    # Whoever opposes may be hurt, also where they had no sheet of their own.
    hurt = {"consequences": [{"severity": each} for each in LEVELS]}
    told["scene"]["characters"] = [{"side": "pc", **actor}, {"side": "opposition", **hurt, **opponent}]
    told["action"]["attack"] = {**told["action"]["attack"], "track": track}
    return Request.read(told)


def deal_everything(monkeypatch: pytest.MonkeyPatch, is_wanted: Callable[[Card], bool]) -> None:
    """Take every action to be like everything, everywhere, so that each wanted card is dealt that ever could be."""
    monkeypatch.setattr(fitting, "suits", lambda card, *_, **__: 1.0 if is_wanted(card) else None)


def dealt(place: Place) -> Iterator[Match]:
    """Every card that the deck has for a place, filled in."""
    standard = place.standard
    for slot in standard.resolution.slots():
        for match in Deck().deal(slot, standard.request, standard.ruleset, 0):
            if match.opening.offer.form == place.form:
                yield match
