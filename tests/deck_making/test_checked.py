"""A deck written by hand, judged: every card that is wrong, with its line, and what is in the deck."""

from pathlib import Path
from typing import Any

import pytest

from narrator.deck.deck_file import packaged_cards
from narrator.deck_maker.maker import card_line
from narrator.rules.ruleset.card import Card
from tests.interfaces.running import HARBOUR, ROOT, run

GOOD = '{ form = "complication", detail = "The ferry bell rings twice, and the whole queue turns to look." }'


def judged(folder: Path, text: str, *more: str) -> tuple[int, dict[str, Any]]:
    """The exit code and the object of `deck check --format json`."""
    file = folder / "ours.toml"
    file.write_text(text, "utf-8")
    ended = run("deck", "check", str(file), *more, "--format", "json")
    return ended.code, ended.json


def listed(*cards: str) -> str:
    """A deck of these cards, of which the first stands in line 3."""
    return "\n".join(['language = "en"', "cards = [", *(f"  {card}," for card in cards), "]"])


def test_a_deck_with_nothing_wrong_ends_with_0(tmp_path: Path) -> None:
    """And tells how many cards it has of each form; one without any has nothing wrong."""
    ours, forms = (
        (ROOT / "examples" / "our-deck.toml").read_text("utf-8"),
        ("complication", "consequence", "new_opposition"),
    )
    assert judged(tmp_path, ours) == (0, {"cards": 3, "forms": dict.fromkeys(forms, 1), "wrong": []})
    assert judged(tmp_path, "cards = []") == (0, {"cards": 0, "forms": {}, "wrong": []})


@pytest.mark.parametrize(
    ("card", "code", "field", "told"),
    [
        ('{ form = "complication", detail = "{actro} falls." }', "bad_card", "detail", "did you mean actor"),
        ('{ form = "complication", detial = "It rains." }', "bad_card", "detial", "detail"),
        ('{ form = "complication", detail = "[[1d20]] bells." }', "bad_card", "detail", "the sign"),
        ('{ form = "complication", name = "Bells", detail = "Bells ring." }', "never_dealt", "name", "accepts no name"),
        ('{ form = "compliction", detail = "Bells ring." }', "never_dealt", "form", "did you mean complication"),
        ('{ form = "complication", detail = "The bell calls {to}." }', "never_dealt", "", "{to}"),
        ('{ form = "close_call", kind = "boost", detail = "A bell." }', "never_dealt", "kind", "minor_cost"),
        ('{ form = "complication", detail = "{actor} takes 2 stress." }', "mechanics_in_text", "detail", "2 stress"),
        ('{ form = "boost", name = "He Runs. Then She Runs.", detail = "Feet." }', "not_an_aspect", "name", "aspect"),
        (f'{{ form = "complication", detail = "{"A bell rings far off. " * 15}" }}', "bad_card", "detail", "200"),
        ('{ form = "new_opposition", name = "Bell", detail = "{actor} fails|fail, and the gate stays shut." }',
         "contradicts_outcome", "detail", "'{actor} fails'"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_card_is_told_with_its_line(
    card: str, code: str, field: str, told: str, tmp_path: Path
) -> None:
    """The code, the field, and what would be right; the good ones around it are not named."""
    ended, found = judged(tmp_path, listed(GOOD, card, GOOD.replace("ferry", "harbour").replace("queue", "street")))
    assert ended == 1
    wrong = [each for each in found["wrong"] if each["code"] != "twin"]
    assert [(each["line"], each["code"], each["field"]) for each in wrong] == [(4, code, field)]
    assert told in wrong[0]["message"]


@pytest.mark.parametrize(
    "none", ['"no card"', "7", "1979-05-27 07:32:00", "[]", '["[{", {}]', "true", '"""a "{[\\"""""']
)
def test_what_is_no_card_at_all_is_told_by_its_number(none: str, tmp_path: Path) -> None:
    """And shifts no line of those behind it."""
    _, told = judged(tmp_path, listed(none, none, '{ form = "none" }'))
    assert [(each["number"], each.get("line")) for each in told["wrong"]] == [(1, None), (2, None), (3, 5)]


@pytest.mark.parametrize("header", ["[[cards]]", '[["cards"]]', "  [[ 'cards' ]] # [[cards]]"])
def test_a_card_of_its_own_table_is_told_with_the_line_of_its_words(header: str, tmp_path: Path) -> None:
    """The last that it has."""
    text = f'language = "en"\n\n{header}\nform = "debt"\nname = "Bell"\n\n{header}\nform = "debt"\ndetail = "A bell."'
    assert [each["line"] for each in judged(tmp_path, text)[1]["wrong"]] == [5, 9]


def test_where_no_line_is_found_a_card_is_told_by_its_number(tmp_path: Path) -> None:
    """And never with another's line."""
    card = '[[cards]]\nform = "debt"\ndetail = "%s"\n'
    text = card % "A \\u0062ell rings." + card % "A bell rings."
    (tmp_path / "ours.toml").write_text(text, "utf-8")
    shown = run("deck", "check", str(tmp_path / "ours.toml")).out
    assert "card 1  never_dealt" in shown
    assert "card 2  never_dealt" in shown
    assert "line" not in shown


def test_a_twin_is_told_with_the_line_of_the_other(tmp_path: Path) -> None:
    """Of the same deck; and one of a card that comes with narrator."""
    ours = packaged_cards("complication")[0]
    _, told = judged(tmp_path, listed(GOOD, GOOD.replace("twice", "thrice"), card_line(ours)))
    assert [(each["line"], each["code"]) for each in told["wrong"]] == [(4, "twin"), (5, "twin")]
    assert "the card of line 3" in told["wrong"][0]["message"]
    assert "comes with narrator" in told["wrong"][1]["message"]


def test_a_line_is_found_over_several_lines(tmp_path: Path) -> None:
    """Whatever brackets stand in comments and texts before it."""
    text = (
        'cards = [ # [ {\n\n{ form = "complication", activities = [\n"climb"], themes = [\'"{ [\'], '
        'detail = "A bell rings." },\n\n'
        '{ form = "complication", detail = "{actro} falls [ over." }]'
    )
    (wrong,) = judged(tmp_path, text)[1]["wrong"]
    assert wrong["line"] == 6


def test_the_page_says_the_same(tmp_path: Path) -> None:
    """For people; what stands in the file steers no terminal."""
    file = tmp_path / "ours.toml"
    file.write_text(listed(GOOD, '{ form = "wea\\u001b[31mther", detail = "A bell." }'), "utf-8")
    ended = run("deck", "check", str(file))
    assert ended.code == 1
    assert "1 OF 2 cards WRONG" in ended.out
    assert "line 4" in ended.out
    assert "forms: complication 1" in ended.out
    assert "\x1b" not in ended.out


def test_a_card_for_a_house_ruleset_is_judged_by_it(tmp_path: Path) -> None:
    """By the one that is named, and by those in the config folder; without it, no ruleset has the form."""
    card = '{ form = "debt", name = "A Boat at Dawn", detail = "The harbour master wants a boat at dawn." }'
    assert judged(tmp_path, listed(card))[1]["wrong"][0]["code"] == "never_dealt"
    assert judged(tmp_path, listed(card), "--ruleset", str(HARBOUR))[0] == 0


def test_a_deck_of_another_language_is_judged_in_it(tmp_path: Path) -> None:
    """A mechanic is found in its words."""
    cards = '{ form = "complication", detail = "Die Glocke läutet, und {actor} nimmt 2 Stress." }'
    text = listed(cards).replace('"en"', '"de"')
    assert [each["code"] for each in judged(tmp_path, text)[1]["wrong"]] == ["mechanics_in_text"]


WITHOUT_A_ROW = ("high_concept", "inflicted_consequence", "trouble", "contest_twist")
"""Forms of harm, and of words without a roll, that come with cards."""


@pytest.mark.parametrize("form", [*WITHOUT_A_ROW, "compel", "opening", "zone_aspect"])
def test_words_that_no_row_asks_for_are_judged_too(form: str, tmp_path: Path) -> None:
    """By what they say: such a card is dealt, though no row of a table has its form."""
    name = None if form in ("compel", "opening") else "Bell Behind the Wall"
    good = Card(form=form, name=name, detail="A small bell rings twice.")
    bad = good.model_copy(update={"detail": "Whoever comes here takes 2 stress."})
    _, told = judged(tmp_path, listed(card_line(good), card_line(bad)))
    wrong = [(each["line"], each["code"]) for each in told["wrong"] if each["field"] == "detail"]
    assert wrong == [(4, "mechanics_in_text")]


def test_a_card_for_what_a_hit_leaves_is_judged_in_a_fight(tmp_path: Path) -> None:
    """Where somebody struck: without a roll there is nobody to speak of."""
    card = '{ form = "inflicted_consequence", kind = "consequence", name = "Bell Note in the Skull", detail = "%s" }'
    hit, bad = (card % text for text in ("The oar of {foe} leaves {to} deaf on one side.", "{foe} deals 2 stress."))
    _, told = judged(tmp_path, listed(hit, bad))
    wrong = [(each["line"], each["code"]) for each in told["wrong"] if each["code"] != "twin"]
    assert wrong == [(4, "mechanics_in_text")]


@pytest.mark.parametrize(
    "form", ["boost", "consequence", "opposition_advantage", "tough_choice", "knockback", *WITHOUT_A_ROW]
)
def test_cards_that_come_with_narrator_would_pass(form: str, tmp_path: Path) -> None:
    """But for being twins of themselves: what is asked of a table's cards is what ours keep."""
    cards = packaged_cards(form)[::40]
    code, told = judged(tmp_path, listed(*map(card_line, cards)))
    assert code == 1
    assert {each["code"] for each in told["wrong"]} == {"twin"}
