"""The deck: words without a model, that pass the same check wherever they can be drawn."""

import json
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any, get_args

import pytest

import narrator
from narrator.rules.action import Request
from narrator.rules.declared import Tag
from narrator.rules.loading import packaged_ruleset
from narrator.suggestions import deck as deck_module
from narrator.suggestions.answer import Answer
from narrator.suggestions.deck import Deck, fill, packaged_deck
from narrator.validation.checking import Standard, check
from tests.rows import CASTS, ROWS, Cast, Json

KINDS = ("serious_cost", "minor_cost", "boost", "aspect")
ENTRIES = tuple(
    {"kind": kind, **entry}
    for kind in KINDS
    for entry in tomllib.loads((files("narrator.suggestions") / "deck" / f"{kind}.toml").read_text("utf-8"))["entries"]
)
SIDE_OF = {(entry["form"], entry["detail"]): entry.get("side") for entry in ENTRIES}


@pytest.fixture
def every_tag(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every action to be like everything, so that each card is dealt that ever could be."""
    monkeypatch.setattr(Deck, "tags", lambda *_: frozenset(get_args(Tag)))


@pytest.fixture
def unfilled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the cards with their placeholders, so that each can be told."""
    monkeypatch.setattr(deck_module, "fill", lambda text, _: text)


def dealt(*casts: Cast) -> Iterator[tuple[Cast, Standard, Json]]:
    """Each card that any row deals to these casts, and what it is to be judged against; the same words only once."""
    seen: set[tuple[Any, ...]] = set()
    for cast, row in product(casts, ROWS):
        tables = packaged_ruleset(row.ruleset)
        deck = packaged_deck().with_cards(tables.cards)
        for told in row.requests(cast, seed=3):
            request = Request.read(told)
            resolution = narrator.resolve(request)
            for card in deck.draw(resolution.slots(), request):
                goals = {
                    branch.goal for branch in resolution.branches for slot in branch.slots if slot.id == card["slot"]
                }
                key = (*sorted(goals), card["to"], card["name"], card["detail"])
                if key not in seen:
                    seen.add(key)
                    yield cast, Standard(request, resolution, tables), card


@cache
def answers(per_slot: int) -> tuple[tuple[str, Answer], ...]:
    """What the deck alone answers for every row that has slots of its own, with people who oppose and without."""
    found: dict[tuple[Any, ...], tuple[str, Answer]] = {}
    for row, name in product(ROWS, ("nobody opposes", "many on both sides")):
        for told in row.requests(CASTS[name], seed=5, per_slot=per_slot):
            slots = narrator.resolve(told).slots()
            key = (name, *((slot.id, slot.draft, *(offer.form for offer in slot.forms)) for slot in slots))
            if slots and key not in found:
                found[key] = (f"{row}, {name}", narrator.suggest(told, source="deck"))
    return tuple(found.values())


@pytest.mark.usefixtures("every_tag")
def test_every_card_passes_the_check() -> None:
    """Wherever a card can be drawn, for whomever, the check that models are judged by accepts it."""
    verdicts = [(check(card, standard), card) for _, standard, card in dealt(*CASTS.values())]
    assert len(verdicts) > 500
    assert [(verdict.rejected, card) for verdict, card in verdicts if verdict.rejected] == []


@pytest.mark.usefixtures("every_tag", "unfilled")
def test_no_card_lies_idle() -> None:
    """Every card of the deck can be drawn by some row."""
    seen = {(card["form"], card["detail"]) for _, _, card in dealt(CASTS["many on both sides"])}
    assert [entry for entry in ENTRIES if (entry["form"], entry["detail"]) not in seen] == []


@pytest.mark.usefixtures("every_tag", "unfilled")
@pytest.mark.parametrize("name", ["nobody listed", "nobody opposes", "the GM alone", "many on both sides"])
def test_cards_for_one_side_are_not_dealt_to_the_other(name: str) -> None:
    """A card that suits the actor's side never goes to the opposition, the GM in its place too, nor the other way."""
    cast = CASTS[name]
    sides = dict(cast.listed)
    wrong = []
    for _, standard, card in dealt(cast):
        side = SIDE_OF.get((card["form"], card["detail"]))
        is_ours = card["to"] == cast.actor or sides.get(card["to"]) == sides.get(cast.actor, "")
        if side is not None and side != ("actor" if is_ours else "opposition"):
            wrong.append((standard.resolution.action.type, standard.resolution.outcome, card["to"], side, card["name"]))
    assert wrong == []


USED = sorted(
    {
        (slot.kind, offer.form)
        for row in ROWS
        if row.ruleset == "five-actions"
        for told in row.requests(CASTS["one and many"], seed=1)
        for slot in narrator.resolve(told).slots()
        for offer in slot.forms
    }
)


@pytest.mark.parametrize(("kind", "form"), USED, ids=[f"{form} as {kind}" for kind, form in USED])
def test_enough_cards_for_each_form(kind: str, form: str) -> None:
    """There are three cards or more for every form of the five actions, and eight where a slot has no other form."""
    found = [entry for entry in ENTRIES if (entry["kind"], entry["form"]) == (kind, form)]
    assert len(found) >= (8 if form in ("boost", "situation_aspect") else 3)


def test_three_always_come() -> None:
    """For every row, with whatever people, the deck alone has the three suggestions that a request wants unasked."""
    short = [
        (what, answer.notices)
        for what, answer in answers(3)
        for slot in answer.resolution.slots()
        if [suggestion.slot for suggestion in answer.suggestions].count(slot.id) != 3
    ]
    assert short == []


def test_ten_come_or_a_notice() -> None:
    """Where ten are wanted either ten come or a notice names the slot and says how many were left open."""
    wrong = []
    for what, answer in answers(10):
        came = Counter(suggestion.slot for suggestion in answer.suggestions)
        for slot in answer.resolution.slots():
            told = [notice for notice in answer.notices if slot.id in notice and str(10 - came[slot.id]) in notice]
            if (came[slot.id] == 10) == bool(told):
                wrong.append((what, slot.id, came[slot.id], answer.notices))
    assert wrong == []


@pytest.mark.parametrize("per_slot", [3, 10])
def test_no_wording_twice(per_slot: int) -> None:
    """No name and no detail stands in one answer twice."""
    wrong = []
    for what, answer in answers(per_slot):
        words = Counter(text for each in answer.suggestions for text in (each.name, each.detail) if text)
        wrong += [(what, text) for text, number in words.items() if number > 1]
    assert wrong == []


@pytest.mark.parametrize("per_slot", [3, 10])
def test_as_many_forms_as_there_are(per_slot: int) -> None:
    """The suggestions of a slot are of different forms, as far as its forms go."""
    wrong = []
    for what, answer in answers(per_slot):
        for slot in answer.resolution.slots():
            forms = {each.form for each in answer.suggestions if each.slot == slot.id}
            if len(forms) != min(per_slot, len(slot.forms)):
                wrong.append((what, slot.id, sorted(forms)))
    assert wrong == []


def test_no_placeholder_leaks() -> None:
    """No brace stands in what comes out."""
    texts = [text for _, answer in answers(10) for each in answer.suggestions for text in (each.name, each.detail)]
    assert [text for text in texts if text and ("{" in text or "}" in text)] == []


def test_names_its_source_and_costs_nothing() -> None:
    """A suggestion from the deck says so, and no call is counted."""
    for _, answer in answers(3):
        assert {each.source for each in answer.suggestions} <= {"deck"}
        assert (answer.usage.calls, answer.usage.seconds, answer.rejected) == (0, 0.0, ())


def request(**more: Any) -> Json:
    """A bribe that failed by one."""
    roll = {"type": "overcome", "actor": "Cynere", "roll": {"total": 1}}
    return {"action": {**roll, "opposition": {"kind": "passive", "rating": 2}, **more.pop("action", {})}, **more}


def bytes_of(told: Json) -> bytes:
    """The deck's answer as it goes over a wire."""
    return json.dumps(narrator.suggest(told, source="deck").as_json()).encode()


@pytest.mark.parametrize("seed", [None, 0, 7, -7, 10**12])
def test_same_request_and_seed_same_bytes(seed: int | None) -> None:
    """The same request with the same dice and seed gives the same answer, byte for byte."""
    assert bytes_of(request(seed=seed)) == bytes_of(request(seed=seed))


def test_another_seed_draws_others() -> None:
    """The seed decides which cards come."""
    assert len({bytes_of(request(seed=seed)).split(b'"suggestions":')[1] for seed in range(10)}) > 5


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        pytest.param({"skill": "Resources"}, {"wealth"}, id="a skill"),
        pytest.param({"skill": "resources"}, {"wealth"}, id="a skill in small letters"),
        pytest.param(
            {"skill": "Sneaky", "intent": "bribe the guards"}, {"stealth"}, id="an approach before the intent"
        ),
        pytest.param({"skill": "Basketry", "intent": "Bribed them all"}, {"wealth"}, id="an unknown skill, an intent"),
        pytest.param({"intent": "sneak in and read it"}, {"stealth", "lore"}, id="an intent"),
        pytest.param({"intent": "überall"}, set(), id="an intent of unknown words"),
        pytest.param({}, set(), id="nothing"),
    ],
)
def test_tells_what_an_action_is_like(action: Json, expected: set[str]) -> None:
    """By its skill or approach, and where that says nothing by words of the intent."""
    assert expected == packaged_deck().tags(Request.read(request(action=action)))


def test_cards_of_another_kind_of_action_stay_in_the_deck() -> None:
    """What is made for sneaking does not come up when money is spent."""
    tags_of = {entry["detail"]: set(entry.get("tags", ())) for entry in ENTRIES}
    asked = Request.read(request(action={"skill": "Resources"}, seed=1))
    cards = packaged_deck().draw(narrator.resolve(asked).slots(), asked)
    dealt_tags = [tags_of[card["detail"]] for card in cards if card["detail"] in tags_of]
    assert [tags for tags in dealt_tags if tags and "wealth" not in tags] == []
    assert {"wealth"} in dealt_tags


def test_fills_in_one_pass() -> None:
    """A name that looks like a placeholder stays as it is."""
    names = {"actor": "{to}", "to": "{draft}{nobody}", "draft": "no"}
    assert fill("{actor} looks at {to}.", names) == "{to} looks at {draft}{nobody}."


HOSTILE = {
    "a command": "[[/roll 1d20]]",
    "a tag": "<script>alert(1)</script>",
    "a placeholder": "{to}",
    "placeholders": "{actor}{draft}",
    "a format": "{0.__class__} %s",
    "an override": "\u202eevil",
    "a line break": "Cynere\nGM",
    "an escape": "\x1b[31mRed",
    "a link": "http://example.com",
    "a rule": "+2 to the roll",
    "as long as a name may be": "x" * 200,
    "a sign": "-",
}


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("total", [1, 5], ids=["fail", "style"])
def test_hostile_names_leave_a_notice(name: str, total: int) -> None:
    """Whatever somebody is called, an answer comes, without the cards that may not bear the name, and is told short."""
    told = request(action={"actor": name, "roll": {"total": total}, "aspect": name}, per_slot=10, seed=2)
    answer = narrator.suggest(told, source="deck")
    (slot,) = answer.resolution.slots()
    left_open = 10 - len(answer.suggestions)
    assert bool(left_open) == any(slot.id in notice and str(left_open) in notice for notice in answer.notices)
    assert answer.suggestions


def test_lines_leave_a_notice() -> None:
    """Where the scene's lines leave the deck nothing to say, a notice says that."""
    every_word = sorted({word.strip('",.;:?').lower() for entry in ENTRIES for word in entry["detail"].split()})
    lines = [word for word in every_word if len(word) > 3][:500]
    answer = narrator.suggest(request(scene={"lines": lines, "veils": ["the", "it"]}), source="deck")
    assert len(answer.suggestions) < 3
    assert any("serious_cost" in notice for notice in answer.notices)
