"""A table's own cards: a file, a folder, a ruleset; and what is said of one that is wrong."""

import re
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator import NarratorError
from tests.interfaces.running import page, refusal

REQUEST: dict[str, Any] = {
    "action": {"type": "overcome", "actor": "Cynere", "intent": "play cards for the deed", "outcome": "fail"},
    "deal": 0,
}
CARDS = """
form = "consequence"
cards = [
  { activities = ["gamble"], name = "In Debt to Agnes", detail = "Agnes pays what {actor} owes|owe." },
  { activities = ["climb"], name = "Rope Burn", detail = "The rope runs through both hands." },
]
"""


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    file = tmp_path / "ours.toml"
    file.write_text(CARDS, "utf-8")
    return file


def dealt(**more: Any) -> set[str | None]:
    """The names of consequences in many deals."""
    answers = (narrator.suggest(REQUEST | {"deal": deal}, source="deck", **more) for deal in range(15))
    return {each.name for answer in answers for each in answer.suggestions if each.form == "consequence"}


def test_the_id_of_an_own_card_tells_no_form_either(deck: Path) -> None:
    """It is of at most ten signs, its own, and no card of the stock has it."""
    requests = (REQUEST | {"deal": deal} for deal in range(15))
    answers = [narrator.suggest(each, source="deck", decks=[narrator.load_deck(deck)]) for each in requests]
    named = {each.name: each.card or "" for answer in answers for each in answer.suggestions if each.name}
    assert re.fullmatch("o-[0-9a-f]{8}", named["In Debt to Agnes"])
    assert len(set(named.values())) == len(named)


def test_what_is_for_the_opposition_serves_where_a_boost_goes_to_them(tmp_path: Path) -> None:
    """A table's own card as narrator's do."""
    file = tmp_path / "ours.toml"
    card = '{ form = "opposition_boost", name = "Agnes Laughs", detail = "It carries, and {actor} turns red." }'
    file.write_text(f"cards = [{card}]", "utf-8")
    people = [{"name": "Cynere", "side": "pc"}, {"name": "Agnes", "side": "opposition", "importance": "named"}]
    action = {"type": "defend", "actor": "Cynere", "target": "Agnes", "intent": "dodge", "outcome": "tie"}
    told = {"action": action, "scene": {"characters": people}}
    decks = [narrator.load_deck(file)]
    answers = (narrator.suggest(told | {"deal": deal}, source="deck", decks=decks) for deal in range(15))
    assert any(each.name == "Agnes Laughs" for answer in answers for each in answer.suggestions)


def test_a_folder_of_the_users_is_a_deck(deck: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies in `decks` of the config folder is dealt unasked."""
    monkeypatch.setenv("NARRATOR_CONFIG", str(tmp_path))
    assert "In Debt to Agnes" not in dealt()
    (tmp_path / "decks").mkdir()
    deck.rename(tmp_path / "decks" / "ours.toml")
    assert "In Debt to Agnes" in dealt()


def test_the_page_says_whose_cards_they_are(deck: Path) -> None:
    """Nobody's cards but narrator's were written with a model's help."""
    deck.write_text(CARDS.replace('"consequence"', '"boost"').replace('"gamble"', '"talk"'), "utf-8")
    told = ("suggest", "overcome", "--actor", "Cynere", "--style", "--intent", "play cards", "--deal", "0")
    assert "written ahead with a language model's help" in page(*told).splitlines()[-1]
    ours = (" ".join(page(*told[:-1], str(deal), "--deck", str(deck)).split()) for deal in range(15))
    assert any("your own cards (1)" in line and "deck (2, deal" in line for line in ours)


@pytest.mark.parametrize(
    ("wrong", "line", "told"),
    [
        ('form = "boost"\ncards = [\n  { detail = "{actro} falls." },\n]', 3, "actor"),
        ('form = "boost"\ncards = [\n  { detail = "{actor falls." },\n]', 3, "is not a placeholder"),
        ('form = "boost"\ncards = [\n  { activities = ["clmb"], detail = "It falls." },\n]', 3, "climb"),
        ('form = "boost"\ncards = [\n  { goal = "attaned", detail = "It falls." },\n]', 3, "attained"),
        ('form = "boost"\ncards = [\n  { where = "the mill", detail = "It falls." },\n]', 3, "a list"),
        ('cards = [\n  { detail = "It falls." },\n]', 1, "form"),
        ('form = "boost"\ncards = [\n  { detial = "It falls." },\n]', 3, "detail"),
        ('form = "boost"\ncards = [\n  { detail = "It falls. },\n]', 3, "line 3"),
        ('form = "boost"\ncards = [\n  { name = "[[1d20]]", detail = "{actor} has|have it." },\n]', 3, "the sign"),
        ('form = "boost"\n', 1, "cards"),
    ],
)
def test_a_deck_that_is_wrong_is_refused_with_its_line(tmp_path: Path, wrong: str, line: int, told: str) -> None:
    """In Python and on the command line: the file, the line, and what would have been right."""
    file = tmp_path / "wrong.toml"
    file.write_text(wrong, "utf-8")
    with pytest.raises(NarratorError, match=told) as refused:
        narrator.load_deck(file)
    assert (refused.value.code, refused.value.field) == ("bad_deck", f"{file}:{line}")
    assert str(file) in refusal("suggest", "overcome", "--fail", "--deck", str(file))


def test_a_card_that_its_form_cannot_have_is_told_of(tmp_path: Path) -> None:
    """A boost without a name, a complication with one: a notice; a form that the ruleset lacks is another ruleset's."""
    file = tmp_path / "ours.toml"
    cards = [
        '{ form = "consequence", detail = "The rope runs through both hands." }',
        '{ form = "consequence", detail = "A splinter stays in the palm." }',
        '{ form = "complication", name = "Bad News", detail = "A runner brings bad news." }',
        '{ form = "complication", kind = "boost", detail = "A runner brings good news." }',
        '{ form = "complication", tracks = ["mental"], detail = "A runner brings no news." }',
        '{ form = "weather", detail = "It rains." }',
    ]
    file.write_text(f"cards = [{', '.join(cards)}]", "utf-8")
    decks = [narrator.load_deck(file)]
    notices = " ".join(narrator.suggest(REQUEST, source="deck", decks=decks).notices)
    assert "'The rope runs through both hands.' and 1 more are never dealt: form consequence needs a name" in notices
    assert "'Bad News' is never dealt: form complication accepts no name" in notices
    assert "'A runner brings good news.' is never dealt: form complication is for" in notices
    assert "'A runner brings no news.' is never dealt: form complication has no severities and tracks" in notices
    assert "rains" not in notices
    unasked = {"action": REQUEST["action"] | {"outcome": "succeed"}}
    assert narrator.suggest(unasked, source="deck", decks=decks).notices == ()


def test_a_language_without_cards_is_told() -> None:
    """English words come, and a notice says that they are."""
    answer = narrator.suggest(REQUEST | {"scene": {"language": "fr"}}, source="deck")
    assert len(answer.suggestions) == 3
    assert any("'fr'" in notice and "English" in notice for notice in answer.notices)
    assert not any("English" in notice for notice in narrator.suggest(REQUEST, source="deck").notices)


def test_a_deck_of_another_language_is_dealt_in_it(tmp_path: Path) -> None:
    """Where there are cards of the scene's language, no other is dealt for their form, and no notice is needed."""
    file = tmp_path / "deutsch.toml"
    cards = [f'  {{ name = "Schuld Nummer {word}", detail = "{word} Hand liegt auf dem Tisch." }},' for word in "ABC"]
    file.write_text('language = "de"\nform = "boost"\ncards = [\n' + "\n".join(cards) + "\n]\n", "utf-8")
    action = {**REQUEST["action"], "outcome": "succeed_with_style"}
    told = {"action": action, "scene": {"language": "de-AT"}, "deal": 0}
    answer = narrator.suggest(told, source="deck", decks=[narrator.load_deck(file)])
    assert {each.name for each in answer.suggestions} == {f"Schuld Nummer {word}" for word in "ABC"}
    assert not any("English" in notice for notice in answer.notices)
