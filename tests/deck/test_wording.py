"""How a card is filled in: agreement, articles, capitals, and nothing taken for a placeholder."""

import pytest
from hypothesis import given, strategies as st

from narrator import NarratorError
from narrator.deck.grammar import Person, fill_card
from narrator.rules.ruleset.card import PEOPLE, THINGS, Card
from tests.deck.decks import all_cards

SHE = Person("Cynere", pronouns=("she", "her", "her"))
THEY = Person("Landon", pronouns=("they", "them", "their"))
OG = Person("Og")
REAVERS = Person("the Reavers", is_plural=True, pronouns=("they", "them", "their"))


@pytest.mark.parametrize(
    ("actor", "text", "filled"),
    [
        (OG, "{actor} has|have it.", "Og has it."),
        (REAVERS, "{actor} has|have it.", "The Reavers have it."),
        (REAVERS, "Down {actor} goes|go, and {actor they} comes|come up.", "Down the Reavers go, and they come up."),
        (SHE, "{actor} slips; {actor they} catches|catch {actor their} hat.", "Cynere slips; she catches her hat."),
        (THEY, "{actor} slips; {actor they} catches|catch it.", "Landon slips; they catch it."),
        (OG, "{actor they} slips|slip; it has {actor them} by {actor their} hat.", "Og slips; it has Og by Og's hat."),
        (REAVERS, "The torch lights {actor's} faces.", "The torch lights the Reavers' faces."),
        (OG, "It ends. {actor's} hat is gone.", "It ends. Og's hat is gone."),
        (REAVERS, "It ends! “{actor} is|are here”", "It ends! “The Reavers are here”"),
        (REAVERS, "{actor} sees|see {foe}, and {foe they} runs|run.", "The Reavers see Og, and Og runs."),
    ],
)
def test_sentences_agree(actor: Person, text: str, filled: str) -> None:
    """Verbs follow the person before them, pronouns those told, else the name stands again."""
    assert fill_card(text, {"actor": actor, "foe": OG}, {}) == filled


def test_a_possessive_sets_no_number() -> None:
    """Nor does whomever something befalls: the verb follows whoever does it, one or several."""
    text = "{opponent} lurches|lurch under {actor's} hands, meets|meet {actor their} eye, hits|hit {actor them}."
    people = {"actor": REAVERS, "opponent": OG}
    assert fill_card(text, people, {}) == "Og lurches under the Reavers' hands, meets their eye, hits them."
    people = {"actor": SHE, "opponent": REAVERS}
    assert fill_card(text, people, {}) == "The Reavers lurch under Cynere's hands, meet her eye, hit her."
    assert fill_card("{actor's} voice says|say it.", {"actor": REAVERS}, {}) == "The Reavers' voice says it."


def test_no_verb_of_a_card_follows_a_possessive() -> None:
    """With somebody else in the place of whose it is, every verb of a card stays as it was, for one and for several."""
    words = dict.fromkeys((*THINGS, "aspect", "draft", "sought"), "lamp")
    for who in (OG, Person("Gate Guards", is_plural=True)):
        people = dict.fromkeys(PEOPLE, Person("Iva")) | {"actor": who}
        whose = fill_card("Of {actor's}", people, {}).removeprefix("Of ")
        for card in all_cards():
            told = card.detail.replace("{actor's}", "\N{SNOWMAN}").replace("{Actor's}", "\N{SNOWMAN}")
            assert fill_card(card.detail, people, words) == fill_card(told, people, words).replace("\N{SNOWMAN}", whose)


@pytest.mark.parametrize(
    ("word", "filled"),
    [("usher", "An usher"), ("guard", "A guard"), ("uniformed clerk", "A uniformed clerk"), ("heir", "An heir")],
)
@pytest.mark.parametrize("article", ["A", "An"])
def test_articles_fit(article: str, word: str, filled: str) -> None:
    """Whichever article the card has, the word decides."""
    assert fill_card(f"{article} {{official}} waits.", {}, {"official": word}) == f"{filled} waits."


def test_names_have_capitals() -> None:
    """In the wording of an aspect things are put in as titles are written; a draft stays as the player wrote it."""
    words = {"boss": "captain of the watch", "draft": "oil on stairs"}
    assert fill_card("Before the {boss}", {}, words, is_name=True) == "Before the Captain of the Watch"
    assert fill_card("{draft}, for a Breath", {}, words, is_name=True) == "Oil on stairs, for a Breath"


def test_fills_in_one_pass() -> None:
    """A name that looks like a placeholder, or like two verbs, stays as it is."""
    people = {"actor": Person("{to}"), "to": Person("has|have {nobody}")}
    assert fill_card("See {actor} look at {to}.", people, {}) == "See {to} look at has|have {nobody}."


def test_a_placeholder_may_have_capitals() -> None:
    """`{Actor}` is the actor as `{actor}` is, `{Light}` a light, and a card asks for both."""
    people, words = {"actor": SHE}, {"light": "lamp"}
    detail = "A {Light} shows {Actor} and {Actor's} hat; down {Actor they} goes|go."
    assert fill_card(detail, people, words) == "A lamp shows Cynere and Cynere's hat; down she goes."
    assert Card(form="loss", detail=detail).wants == {"actor", "light"}


WORDS = st.sampled_from([*PEOPLE, "aspect", "draft", "sought", "nobody", *THINGS])
WAYS = st.sampled_from(["", "'s", " they", " their"])
PARTS = st.builds("{{{}{}}}".format, WORDS | WORDS.map(str.capitalize), st.just("") | WAYS)


@given(
    st.lists(PARTS | st.sampled_from(["It falls. ", "A ", "has|have", "{", "}"]), min_size=1, max_size=3).map("".join)
)
def test_what_is_accepted_can_be_filled(text: str) -> None:
    """A card is refused for a placeholder that nothing stands for, or it can be dealt."""
    try:
        card = Card.read({"form": "loss", "name": text, "detail": text})
    except NarratorError:
        return
    people = {word: OG for word in card.wants if word in PEOPLE}
    words = {word: "lamp" for word in card.wants if word not in PEOPLE}
    for is_name in (False, True):
        assert not set("{}") & set(fill_card(text, people, words, is_name=is_name))
