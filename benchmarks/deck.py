"""What the deck has, how it deals, what people made of it, and how long dealing takes. `python -m benchmarks.deck`."""

import csv
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.table import Table

import narrator
from narrator.deck.deck import Deck
from narrator.deck.deck_file import packaged_cards
from narrator.language.lexicon import load
from narrator.language.text import Text
from narrator.rules.request.action import Request
from narrator.rules.request.scene import Scene
from narrator.rules.resolve.resolver import rule
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.ruleset.card import FAMILIES, Card
from narrator.rules.ruleset.loader import packaged as rulesets, packaged_ruleset
from narrator.validation.repetition import roots_of

ROUNDS = 15
EXAMPLES = Path(__file__).parents[1] / "examples"
FRESH = EXAMPLES / "eval" / "fresh"
SETS = ("first", "second", "third", "fourth", "fifth")
"""Fifty requests each, by somebody else each time; what the deck was mended by is no measure of it any more."""

SKILLS = dict(
    zip(FAMILIES, ("Athletics", "Crafts", "Stealth", "Notice", "Rapport", "Fight", "Will", "Drive"), strict=True)
)
"""A skill that means each family, with an intent of which the deck understands nothing."""


def main() -> None:
    """Print what was promised of the deck, and how much of it is so."""
    table = Table("the deck", "is", "aim")
    cards = all_cards()
    size = sum(len(file.read_bytes()) for file in (files("narrator.deck") / "cards").iterdir()) / 1000
    lines = sum(file.read_text().count("\n") for file in Path(narrator.__file__).parent.glob("deck/*.py"))
    named = sum(bool(card.wants & {"actor", "opponent", "to", "foe", "aspect"}) for card in cards)
    table.add_row("cards", f"{len(cards):,}", "2,500 at most")
    table.add_row("kB of cards", f"{size:.0f}", "600 at most")
    table.add_row("lines of Python", f"{lines:,}", "900 at most")
    table.add_row("cards that name actor, opponent or aspect", f"{named:,}", "600 at least")
    table.add_row("slots with fewer than three in one of ten deals", f"{sum(thin_slots())}", "none")
    table.add_row("different ones of 45 in fifteen deals of a roll", f"{different()}", "38 at least")
    alone, all_ = without_a_word()
    table.add_row("dealt to fresh requests, no name or word of theirs", f"{alone / all_:.0%}", "a third at most")
    Console().print(table)
    for name in SETS:
        Console().print(graded(FRESH / name / "grades.csv"))
    Console().print(speed())


def all_cards() -> list[Card]:
    """Every card that comes with narrator."""
    forms = {form for name in rulesets() for form in packaged_ruleset(name).forms}
    return [card for form in sorted(forms) for card in packaged_cards(form)]


def thin_slots() -> Iterator[bool]:
    """Say of each slot of each row, for each family in each of ten deals, whether it has too few different cards."""
    for name in rulesets():
        for row in packaged_ruleset(name).rows:
            for family, skill in SKILLS.items():
                action = {"type": row.action, "variant": row.variant, "maneuver": row.maneuver, "outcome": row.outcome}
                action |= {"actor": "Ilse", "target": "Ross", "skill": skill, "intent": f"prevail ({family})"}
                people = [{"name": "Ilse", "side": "pc"}, {"name": "Ross", "side": "opposition"}]
                asked = {"ruleset": name, "scene": {"characters": people}, "action": {**action, "shifts": 3}}
                try:
                    request = Request.read({**asked, "per_slot": 3})
                    ruling = rule(request, packaged_ruleset(name))
                except narrator.NarratorError:
                    continue  # a row that wants more than this to be told
                for slot in ruling.slots:
                    for number in range(10):
                        yield len({match.id for match in islice(Deck().deal(slot, ruling, number), 3)}) < 3


def different() -> int:
    """Count the cards that fifteen deals of the example show."""
    request = Request.read((EXAMPLES / "cynere.json").read_text("utf-8"))
    dealt = Counter(
        each.card
        for deal in range(ROUNDS)
        for each in narrator.suggest(request.model_copy(update={"deal": deal}), source="deck").suggestions
    )
    return len(dealt)


def without_a_word() -> tuple[int, int]:
    """Count what is dealt to the fresh requests, and of it what has no name of their people and no word of theirs."""
    alone = all_ = 0
    for line in (FRESH / SETS[-1] / "requests.jsonl").read_text("utf-8").splitlines():
        request = Request.read(line)
        known = _roots(*_texts(request.scene), request.action.intent)
        for each in narrator.suggest(request.model_copy(update={"deal": 1}), source="deck").suggestions:
            all_ += 1
            alone += known.isdisjoint(_roots(each.name or "", each.detail or ""))
    return alone, max(1, all_)


def _texts(scene: Scene) -> Iterator[str]:
    yield scene.summary
    for character in scene.characters:
        yield from (character.name, character.called or "", *character.aspects)
    yield from (each.name for each in scene.aspects)
    yield from (text for zone in scene.zones for text in (zone.name, *zone.aspects))


def _roots(*texts: str) -> frozenset[str]:
    return frozenset(root for text in texts for root in roots_of(Text(text, load("en")).key, "en"))


def graded(file: Path) -> Table:
    """Add up the grades of a file, by who wrote what and who graded it."""
    table = Table(f"graded: {file.parent.name}", "2: as it is", "1: after a change", "0: no")
    with file.open(encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text))
    for writer in sorted({row["writer"] for row in rows}):
        for judge in ("a", "b"):
            given = Counter(row[judge] for row in rows if row["writer"] == writer)
            shares = (f"{given[grade]} {given[grade] / given.total():4.0%}" for grade in ("2", "1", "0"))
            table.add_row(f"{writer}, by judge {judge}", *shares)
    return table


def speed() -> Table:
    """Deal each request of the examples again and again: the order made, as many cards filled as are wanted."""
    rulings = list[Ruling]()
    for file in sorted((EXAMPLES / "eval").glob("*.json")):
        request = Request.read(file.read_text("utf-8"))
        rulings.append(rule(request, packaged_ruleset(request.ruleset)))
    deck, seconds = Deck(), list[float]()
    for number in range(ROUNDS + 1):
        for ruling in rulings:
            slots = ruling.slots
            start = time.perf_counter()
            for slot in slots:
                for match in islice(deck.deal(slot, ruling, number), ruling.request.per_slot):
                    _ = match.candidate
            if number:
                seconds.append((time.perf_counter() - start) / len(slots))
    table = Table("a warm deal", "median ms a slot", "p95 ms")
    p95 = statistics.quantiles(seconds, n=20)[-1]
    table.add_row("", f"{statistics.median(seconds) * 1e3:.2f}", f"{p95 * 1e3:.2f}")
    return table


if __name__ == "__main__":
    main()
