"""What the deck has: few cards, each for a form that can have it, and enough of them for whatever is done."""

import re
from collections import Counter
from collections.abc import Callable
from importlib.resources import files
from itertools import chain

import pytest

import narrator
from narrator.deck.deck_file import packaged_cards
from narrator.rules.ruleset.card import FAMILIES, Family
from narrator.rules.ruleset.loader import packaged as rulesets, packaged_ruleset
from narrator.validation.checker import check
from narrator.validation.judge import Judge
from tests.deck.decks import INTENTS, PEOPLE, SKILLS, all_cards, asked, cards_of, dealt, family_of, places
from tests.rows import INTENT

FORMS = {name: form for each in rulesets() for name, form in packaged_ruleset(each).forms.items()}


def test_the_deck_is_no_larger_than_it_has_to_be() -> None:
    """Somebody can read all of it."""
    assert len(all_cards()) <= 2_500
    assert sum(len(file.read_bytes()) for file in (files("narrator.deck") / "cards").iterdir()) <= 600_000


def test_the_files_are_those_of_the_families() -> None:
    """One for each, with cards for its deeds alone, and one for anything, with those for deeds of several families."""
    names = {file.name for file in (files("narrator.deck") / "cards").iterdir()}
    assert names == {f"{file}.toml" for file in ("any", *FAMILIES)}
    for file in ("any", *FAMILIES):
        for card in cards_of(file):
            families = set(map(family_of, card.activities))
            assert len(families) != 1 if file == "any" else families == {file}


@pytest.mark.parametrize("form", FORMS)
def test_what_is_read_of_a_form_is_all_that_the_files_have_for_it(form: str) -> None:
    """Only the lines that can be dealt are parsed, and none of those is passed over."""
    found = {file: tuple(card for card in cards_of(file) if card.form == form) for file in ("any", *FAMILIES)}
    assert packaged_cards(form) == tuple(chain(*found.values()))
    assert packaged_cards(form, ()) == found["any"]
    for family in FAMILIES:
        assert packaged_cards(form, (family,)) == found["any"] + found[family]


def test_every_form_of_a_row_has_cards() -> None:
    """So has what a hit leaves, and some words without a roll; and each card is one that its form can have."""
    rows = (row for each in rulesets() for row in packaged_ruleset(each).rows)
    used = {use.form for row in rows for branch in row.branches for slot in branch.slots for use in slot.forms}
    used |= {"inflicted_consequence", "contest_twist", "high_concept", "trouble"}
    dealt_for = {card.form for card in all_cards()}
    strange = [f"{card.form}, {card.detail!r}" for card in all_cards() if card.form not in FORMS]
    assert not strange, f"narrator/deck/cards: no ruleset has the form of these: {strange}"
    misfits = [found for card in all_cards() if (found := card.misfit(FORMS[card.form])) is not None]

    assert not used - dealt_for, f"narrator/deck/cards/any.toml wants cards of {used - dealt_for}, three each"
    assert not dealt_for - used, f"narrator/deck/cards has cards of {dealt_for - used}, which no row has"
    assert not misfits, f"narrator/deck/cards: {misfits}"


def test_every_card_is_known_by_its_own_id() -> None:
    """A number, as players may read it, which tells no form; and none has the words of another."""
    cards = all_cards()
    assert all(re.fullmatch("[0-9a-f]{8}", card.id) for card in cards)
    names = [card.name for card in cards if card.name and "draft" not in card.wants]
    for said in ([card.id for card in cards], [card.detail for card in cards], names):
        twice = [text for text, number in Counter(said).items() if number > 1]
        assert not twice, f"in narrator/deck/cards this stands twice: {twice}"


def test_every_card_suits_whatever_scene_there_is() -> None:
    """Ours ask for no place and no tone, and speak of nobody and nothing that a roll has not."""
    for card in all_cards():
        told = f"narrator's own cards assume nothing: reword {card.detail!r}"
        assert (card.needs, card.stories, card.about, card.where) == ((), (), (), ()), told
        assert card.wants <= {"actor", "to", "opponent", "foe", "object", "aspect", "draft"}, told


def test_many_cards_name_somebody() -> None:
    """Whoever acts or opposes, or an aspect: those are what is sure to be in a scene."""
    named = [card.wants & {"actor", "opponent", "to", "foe", "aspect"} for card in all_cards()]
    assert sum(map(bool, named)) >= 600


@pytest.mark.parametrize("family", SKILLS)
def test_every_slot_has_three_cards_in_each_of_ten_deals(family: Family | None, often: Callable[[int], int]) -> None:
    """In every kind of row, whatever the skill, though the scene and the intent say next to nothing."""
    few = list[str]()
    for told in asked():
        action = {**told["action"], "skill": SKILLS[family], "intent": ""}
        for deal in range(often(10)):
            answer = narrator.suggest({**told, "action": action, "deal": deal}, source="deck")
            found = Counter(each.slot for each in answer.suggestions)
            slots = (slot for slot in answer.resolution.slots() if found[slot.id] != 3)
            few += [f"{told['ruleset']} {action['type']} {slot.id} {slot.draft}: {found[slot.id]}" for slot in slots]
            assert len({each.card for each in answer.suggestions}) == len(answer.suggestions)
    assert not few, (
        f"a slot wants three cards in each deal, also of skill {SKILLS[family]}; there are {sorted(set(few))}"
    )


def refused(people: str, intents: list[str]) -> list[tuple[str, ...]]:
    """What the check refuses of all that is dealt to these people; a card for anything is judged once."""
    wrong, seen = list[tuple[str, ...]](), set[tuple[object, ...]]()
    for intent in intents:
        for ruling in places(people, intent):
            judge = Judge(ruling)
            for match in dealt(ruling):
                said = match.candidate
                key = (match.card.activities and intent, match.id, said["name"], said["detail"])
                if key not in seen:
                    seen.add(key)
                    found = check(said, judge).rejected
                    wrong += [(match.id, found.code, found.message, said["detail"])] if found else []
    return wrong


ALL = [INTENT, *INTENTS.values()]


@pytest.mark.parametrize("people", PEOPLE)
def test_cards_pass_the_check(people: str, often: Callable[[int], int]) -> None:
    """In every form, for either side, whatever became of the goal: of every intent a few, each with other people."""
    wrong = refused(people, ALL[list(PEOPLE).index(people) :: 2 * len(PEOPLE)])

    assert not wrong, f"the check refuses of these cards what they say of {people}: {wrong}"


@pytest.mark.full
@pytest.mark.parametrize("people", PEOPLE)
def test_every_card_passes_the_check(people: str) -> None:
    """The same for all deeds."""
    wrong = refused(people, ALL)

    assert not wrong, f"the check refuses of these cards what they say of {people}: {wrong}"


@pytest.mark.full
def test_every_card_can_be_dealt() -> None:
    """For the deed that it is for, where a person or a beast opposes and an aspect is there."""
    company = ("one, and several", "one, and a beast")
    rulings = (each for people in company for intent in ALL for each in places(people, intent))
    found = {match.id for ruling in rulings for match in dealt(ruling)}
    never = [card.detail for card in all_cards() if card.id not in found]

    assert not never, f"these cards are dealt nowhere; what they want is never so: {never}"
