"""Words without a roll: of each kind, by the deck or a model, through the same check."""

import json
from typing import Any, get_args

import pytest

import narrator
from narrator import NarratorError
from narrator.cli.options import WORDS
from narrator.rules.json_text import Json
from narrator.rules.resolve.without_roll import WORD_KINDS, WordKind
from tests.fake_sources import Scripted

SCENE: Json = {
    "summary": "Night at the south gate of Thaalor.",
    "tone": "sword and sorcery",
    "aspects": [{"name": "Torchlit Gate"}],
    "characters": [
        {"name": "Cynere", "side": "pc", "importance": "pc", "aspects": ["Infamous Girl with Sword"]},
        {"name": "Gate Guards", "side": "opposition"},
    ],
    "zones": [{"name": "Gatehouse", "aspects": ["Narrow Arch"]}],
    "lines": ["spiders"],
}
ABOUT: dict[WordKind, str] = {"consequence": "Cynere", "high_concept": "Cynere", "trouble": "Cynere"}
NAMELESS = ("beat", "compel", "opening")
OF_THE_DECK: list[WordKind] = ["consequence", "high_concept", "trouble", "twist"]


def test_the_command_line_knows_every_kind() -> None:
    """Its help says them without loading the rules."""
    assert WORDS == WORD_KINDS == get_args(WordKind), "name each kind of without_roll.py in cli/options.py"


@pytest.mark.parametrize("kind", OF_THE_DECK)
@pytest.mark.parametrize("scene", [SCENE, {}, {"tone": "space opera"}, {"tone": "noir", "language": "de"}])
def test_the_deck_has_words_of_some_kinds(kind: WordKind, scene: Json) -> None:
    """Three different ones, with a name, and the same again for the same deal."""
    words = narrator.word(scene, kind, ABOUT.get(kind), source="deck", deal=5)
    assert len({each.detail for each in words.suggestions}) == 3
    assert all(each.name for each in words.suggestions)
    assert {(each.kind, each.source) for each in words.suggestions} == {(kind, "deck")}
    assert words.deal == 5
    assert words == narrator.word(scene, kind, ABOUT.get(kind), source="deck", deal=5)
    assert words.dealt == tuple(each.card for each in words.suggestions)


@pytest.mark.parametrize("kind", [kind for kind in WORD_KINDS if kind not in OF_THE_DECK])
def test_where_the_deck_has_no_words_it_says_so(kind: WordKind) -> None:
    """And that a model would have some; nothing is refused."""
    words = narrator.word(SCENE, kind, "Cynere", source="deck")
    assert (words.suggestions, words.rejected) == ((), ())
    assert f"The deck has no cards for this ({kind.replace('_', ' ')}): use a model." in words.notices


@pytest.mark.parametrize("kind", OF_THE_DECK)
def test_what_was_dealt_is_not_dealt_again(kind: WordKind) -> None:
    """Three deals with the scene's `dealt` kept have nine different ones."""
    scene, said = dict(SCENE), []
    for _ in range(3):
        words = narrator.word(scene, kind, ABOUT.get(kind), source="deck", deal=2)
        said += [each.detail for each in words.suggestions]
        scene["dealt"] = list(words.dealt or ())
    assert len(set(said)) == 9


def test_a_consequence_comes_of_every_level() -> None:
    """Each suggestion says for which it is worded."""
    words = narrator.word(SCENE, "consequence", "Cynere", source="deck", deal=1)
    assert {each.severity for each in words.suggestions} == {"mild", "moderate", "severe"}


def honest(kind: str, **more: Any) -> Json:
    """A suggestion as a model writes it."""
    form = {"consequence": "inflicted_consequence", "twist": "contest_twist"}.get(kind, kind)
    name = None if kind in NAMELESS else "Bell Behind the Wall"
    return {"slot": kind, "form": form, "to": None, "name": name, "detail": "A small bell rings twice.", **more}


@pytest.mark.parametrize("kind", WORD_KINDS)
def test_a_model_is_asked_through_the_same_schema_and_check(kind: WordKind) -> None:
    """What it writes is judged: what keeps to the kind is taken, what states a mechanic or an address is not."""
    good = honest(kind, **({"to": "Cynere", "severity": "mild"} if kind == "consequence" else {}))
    bad = [{**good, "detail": "This takes 2 stress and a -2."}, {**good, "detail": "See https://example.com."}]
    bad.append({**good, "detail": "Spiders run over the floor."})
    source = Scripted([json.dumps({"suggestions": [*bad, good]})], ["[]"])
    words = narrator.word(SCENE, kind, ABOUT.get(kind), source=source)
    assert source.briefs[0].purpose == "word"
    assert [slot.id for slot, _ in source.briefs[0].wanted] == [kind]
    mine = [each for each in words.suggestions if each.source == source.label]
    assert [(each.name, each.detail) for each in mine] == [(good["name"], good["detail"])]
    assert [each.code for each in words.rejected] == ["mechanics_in_text", "unsafe_text", "over_the_line"]
    assert len(words.suggestions) == (3 if kind in OF_THE_DECK else 1)


def test_about_means_a_character_an_aspect_or_anything() -> None:
    """A name as the scene spells it, an aspect in play, else a few words that the model is told."""
    asked: list[tuple[str, str | None, str]] = []
    for about in ("cynere", "torchlit gate", "infamous girl with sword", "a smuggler with a debt", None):
        source = Scripted(["[]"], ["[]"])
        narrator.word(SCENE, "compel", about, source=source)
        action = source.briefs[0].request.action
        asked.append((action.actor, action.aspect, action.intent))
    assert asked == [
        ("Cynere", None, ""),
        ("GM", "Torchlit Gate", ""),
        ("Cynere", "Infamous Girl with Sword", ""),
        ("GM", None, "a smuggler with a debt"),
        ("GM", None, ""),
    ]


def test_a_few_words_are_nobody() -> None:
    """Where the scene lists nobody, what words are about is not taken for a person's name."""
    for kind in ("compel", "high_concept", "trouble"):
        source = Scripted(["[]"], ["[]"])
        narrator.word({}, kind, "a debt to the mob", source=source)
        action = source.briefs[0].request.action
        assert (action.actor, action.intent) == ("GM", "a debt to the mob")
    words = narrator.word({}, "consequence", "Bess", source="deck", deal=1)
    assert any("Bess" in each.detail for each in words.suggestions)


def test_nobody_is_called_gm() -> None:
    """Where no character is meant no card speaks of one."""
    for kind in WORD_KINDS:
        for deal in range(20 if kind != "consequence" else 0):
            words = narrator.word({}, kind, source="deck", deal=deal)
            assert [each for each in words.suggestions if "GM" in f"{each.name} {each.detail}"] == []


@pytest.mark.parametrize(
    ("more", "code", "field"),
    [
        ({"kind": "ballad"}, "bad_request", "kind"),
        ({"kind": "consequence"}, "unknown_character", "about"),
        ({"kind": "consequence", "about": "Cinere"}, "unknown_character", "about"),
        ({"kind": "compel", "per_slot": 0}, "bad_request", "per_slot"),
        ({"kind": "compel", "per_slot": 11}, "bad_request", "per_slot"),
        ({"kind": "compel", "deal": -1}, "bad_request", "deal"),
        ({"kind": "compel", "about": 3}, "bad_request", "about"),
        ({"kind": "compel", "scene": {"colour": "red"}}, "bad_request", "scene.colour"),
        ({"kind": "compel", "ruleset": "no-such"}, "unknown_ruleset", "ruleset"),
    ],
)
def test_what_cannot_be_asked_is_refused_by_its_field(more: Json, code: str, field: str) -> None:
    """And by a code that a program can go by."""
    with pytest.raises(NarratorError) as raised:
        narrator.word(**{"scene": SCENE, **more}, source="deck")
    assert (raised.value.code, raised.value.field) == (code, f"request.{field}")


def test_a_character_may_be_meant_by_the_short_name() -> None:
    """As the scene has them called."""
    called = [{"name": "Vincent Halloran", "called": "Vince", "side": "pc", "importance": "pc"}]
    source = Scripted(["[]"], ["[]"])
    narrator.word({"characters": called}, "compel", "vince", source=source)
    assert source.briefs[0].request.action.actor == "Vincent Halloran"


def test_what_the_deck_cannot_know_is_said() -> None:
    """A few words go to a model; where cards are dealt in its place, a notice says what they go by."""
    notices = narrator.word(SCENE, "high_concept", "a priest who gambles", source="deck").notices
    assert [each for each in notices if "a priest who gambles" in each]
    assert narrator.word(SCENE, "trouble", "Cynere", source="deck").notices == ()


def test_nobody_has_a_wound_that_is_a_beasts() -> None:
    """A person's consequences are a person's, also where nobody struck."""
    for deal in range(30):
        for each in narrator.word(SCENE, "consequence", "Cynere", source="deck", deal=deal).suggestions:
            assert not any(word in f"{each.name} {each.detail}" for word in ("hind leg", "paw", "Cables", "bolts"))
