"""Where a card is dealt: for its deed, where what it speaks of is said, what it claims is so, and nothing bars it."""

from typing import Any

import pytest

import narrator
from narrator.deck.deck import OWN_CARD
from narrator.rules.json_text import Json
from tests.deck.decks import dealt, places, roll, ruling_of
from tests.rows import INTENT

CARD: Json = {"form": "consequence", "name": "The Bell in Both Ears", "detail": "The drowned bell does not stop."}
CYNERE: Json = {"name": "Cynere", "side": "pc", "importance": "pc"}
QUARTER: Json = {"about": ["Saint Orla", "the Drowned Quarter"]}


def is_dealt(card: Json, scene: Json | None = None, **action: Any) -> bool:
    """Whether a card of a table's own comes at all, where somebody fails at something."""
    ruling = ruling_of(roll(scene=scene or {}, **action))
    return any(match.id.startswith(OWN_CARD) for match in dealt(ruling, CARD | card))


@pytest.mark.parametrize(
    ("activities", "if_sure", "if_family"),
    [
        ([], True, True), (["talk"], True, True), (["wits"], False, False),
        (["persuade"], True, False), (["climb", "persuade"], True, False), (["lie"], False, False),
    ],
)  # fmt: skip
def test_a_card_for_another_deed_is_never_dealt(activities: list[str], if_sure: bool, if_family: bool) -> None:
    """Those for the deed, its family and anything are; where only the family is known, those for no deed of it."""
    assert is_dealt({"activities": activities}, intent="persuade the clerk to look away") == if_sure
    assert is_dealt({"activities": activities}, skill="Rapport") == if_family


def test_where_nothing_is_known_only_cards_for_anything_are_dealt() -> None:
    """Of narrator's own, too."""
    assert {match.card.activities for match in dealt(ruling_of(roll(intent="do it somehow")))} == {()}


@pytest.mark.parametrize("goal", ["attained", "not_attained"])
def test_what_is_said_of_the_goal_is_so_on_every_branch(goal: str) -> None:
    """A card that says what became of it is dealt where every branch that has the slot agrees, in whatever row."""
    for ruling in places("one, and several", INTENT):
        forms = ruling.ruleset.forms
        offered = {offer.form for slot in ruling.slots for offer in slot.forms}
        own = [{"form": each, "name": forms[each].name and each, "detail": each, "goal": goal} for each in offered]
        found = {(match.opening.slot.id, match.card.form) for match in dealt(ruling, *own) if match.prefix}
        branches = ruling.resolution.branches
        for slot in ruling.slots:
            is_so = {branch.goal for branch in branches if slot in branch.slots} == {goal}
            assert {offer.form for offer in slot.forms if (slot.id, offer.form) in found} == (
                {offer.form for offer in slot.forms} if is_so else set()
            )


@pytest.mark.parametrize(
    ("scene", "is_spoken_of"),
    [
        ({"summary": "DROWNED QUARTER: night"}, True),
        ({"aspects": [{"name": "Drowned Quarter at Low Tide"}]}, True),
        ({"zones": [{"name": "The Drowned Quarter", "adjacent": []}]}, True),
        ({"characters": [CYNERE, {"name": "Warden of the Drowned Quarter", "side": "x"}]}, True),
        ({}, False),
        ({"summary": "A quarter past ten, at the drowned mill."}, False),
        ({"facts": ["The Drowned Quarter sank long ago."]}, False),
    ],
)
def test_a_card_about_a_place_is_dealt_only_where_the_scene_speaks_of_it(scene: Json, is_spoken_of: bool) -> None:
    """In capitals too, with an article or without; a fact may be of elsewhere."""
    assert is_dealt(QUARTER, scene) == is_spoken_of


def test_about_and_where_bind_together() -> None:
    """With both, the scene must speak of one of each, and the intent may."""
    both = QUARTER | {"where": ["the third stair", "the mill"]}
    assert [is_dealt(both, {"summary": each}) for each in ("The Drowned Quarter.", "The mill.")] == [False, False]
    assert is_dealt(both, {"summary": "The Drowned Quarter, by the mill."})
    assert is_dealt(both, {"summary": "The Drowned Quarter."}, intent="wait at the third stair")


@pytest.mark.parametrize("bound", [QUARTER, {"where": ["Drowned Quarter"]}], ids=["about", "where"])
def test_what_is_bound_comes_before_all_others(bound: Json) -> None:
    """Whichever deal it is, and once, in an evening whose scene is handed on."""
    boat = {"form": "new_opposition", "name": "Boat Without a Rower", "detail": "A boat comes in between the chimneys."}
    cards = [CARD | bound, boat | bound]
    decks = [narrator.DeckFile.model_validate({"cards": cards})]
    for deal in range(12):
        scene, named = {"summary": "Low tide at the Drowned Quarter."}, {"deal": deal}
        first = narrator.suggest(roll(scene=scene).model_copy(update=named), source="deck", decks=decks)
        assert {each["name"] for each in cards} < {each.name for each in first.suggestions}
        again = roll(scene=scene | {"dealt": list(first.dealt or ())}).model_copy(update=named)
        after = narrator.suggest(again, source="deck", decks=decks)
        assert not any((each.card or "").startswith(OWN_CARD) for each in after.suggestions)


@pytest.mark.parametrize(
    ("card", "scene", "other"),
    [
        ({"needs": ["dark", "wild"]}, {"summary": "A forest at night."}, {"summary": "A forest at noon."}),
        ({"needs": ["people"]}, {"summary": "The market."}, {"tone": "a busy market"}),
        ({"stories": ["noir", "western"]}, {"tone": "Noir, San Francisco 1947"}, {"summary": "Noir."}),
        ({"stories": ["space opera"]}, {"tone": "grim space opera"}, {"tone": "space western"}),
        ({"detail": "The {light} goes out."}, {"summary": "One lantern hangs there."}, {"tone": "gaslight"}),
        ({"detail": "It is {aspect} again."}, {"aspects": [{"name": "Low Tide"}]}, {"facts": ["Low tide."]}),
        ({"themes": ["spiders"]}, {"lines": ["snakes"]}, {"lines": ["no spiders, please"]}),
        ({"themes": ["spiders"]}, {}, {"veils": ["Spiders"]}),
        ({"themes": ["eye_injury"]}, {}, {"lines": ["eye injury"]}),
    ],
)
def test_a_card_wants_what_it_speaks_of(card: Json, scene: Json, other: Json) -> None:
    """Said by the scene's own words, a story by its tone, and a theme that no line or veil bars."""
    assert (is_dealt(card, scene), is_dealt(card, other)) == (True, False)


@pytest.mark.parametrize(
    ("foes", "name", "is_one"),
    [
        (["person"], "Gate Guards", True), (["person"], "Grey Wolf", False), (["beast"], "Grey Wolf", True),
        (["person", "beast"], "Security System", False), (["person", "beast"], "The Grinning Tooth", False),
        (["person", "beast", "thing"], "The Grinning Tooth", True),
    ],
)  # fmt: skip
def test_an_opponent_is_of_a_kind_that_the_card_is_for(foes: list[str], name: str, is_one: bool) -> None:
    """Of whom nothing is known, only what is true of all three is said."""
    people = [CYNERE, {"name": name, "side": "opposition", "importance": "nameless"}]
    card = {"foes": foes, "detail": "{opponent} has|have come closer."}
    opposition = {"kind": "active", "by": name}
    assert is_dealt(card, {"characters": people}, opposition=opposition) == is_one


def test_where_nobody_opposes_no_card_speaks_of_an_opponent() -> None:
    """Whoever else the scene lists may be far away; named in the intent they are not."""
    card = {"detail": "{opponent} has|have come closer."}
    people = [CYNERE, {"name": "Warden Ross", "side": "x", "importance": "named"}]
    assert not is_dealt(card, {"characters": people}, intent="climb the wall")
    assert is_dealt(card, {"characters": people}, intent="slip past Ross")
    assert is_dealt(card, {"characters": people, "frame": "conflict"}, intent="climb the wall")


def test_a_name_that_the_player_gave_takes_turns_with_others() -> None:
    """Where an aspect is named, one of three suggestions keeps the name, and the others change from deal to deal."""
    for intent in ("pour out the oil", "climb the wall", "persuade the clerk"):
        told = {"type": "create_advantage", "aspect": "Oil on the Stairs", "outcome": "succeed"}
        request = roll(intent=intent, **told)
        deals = [request.model_copy(update={"deal": deal}) for deal in range(3)]
        answers = [narrator.suggest(each, source="deck") for each in deals]
        named = [[each.name for each in answer.suggestions] for answer in answers]
        assert all(names.count("Oil on the Stairs") == 1 for names in named)
        assert len({name for names in named for name in names}) > 3


def test_rare_cards_come_last() -> None:
    """They are dealt where others of their kind have run out."""
    ruling = ruling_of(roll())
    told = [("Bell", True), ("Horn", False), ("Gong", False)]
    own = [CARD | {"detail": f"A {word} sounds.", "name": word, "rare": is_rare} for word, is_rare in told]
    for slot in ruling.slots:
        matches = [match for match in dealt(ruling, *own) if match.opening.slot == slot]
        ranks = {match.card.name: place for place, match in enumerate(matches)}
        assert ranks["Bell"] > max(ranks["Horn"], ranks["Gong"])
