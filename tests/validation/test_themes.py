"""Themes that a table may bar: which lines name them, and what then is over the line."""

import pytest

import narrator
from narrator.language.lexicon import load
from narrator.validation.themes import barred, said_of, telling, themes_file
from tests.deck.decks import all_cards
from tests.validation.judged import crosses

REQUEST = {"action": {"type": "overcome", "actor": "Cynere", "outcome": "fail"}, "deal": 0}


@pytest.mark.parametrize("theme", themes_file().named)
def test_a_line_on_a_theme_bars_its_cards(theme: str) -> None:
    """Under its own name, with or without an underscore, as a line or within one."""
    assert theme in barred((theme,))
    assert theme in barred((theme.replace("_", " "),))
    assert theme in barred((f"anything to do with {theme.replace('_', ' ')}, please",))


def test_the_themes_of_the_cards_are_known() -> None:
    """What a card says that it touches, lines can bar."""
    assert {theme for card in all_cards() for theme in card.themes} <= set(themes_file().named)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("A tarantula drops from the beam.", "spiders"),
        ("The whole ledge is white with cobwebs.", "spider"),
        ("A viper slides off the warm stone.", "snakes"),
        ("Blood runs down into one eye.", "gore"),
        ("The whisky is poured away.", "alcohol"),
        ("Something folds its eight legs under the cup.", "Spiders!"),
        ("A child was beaten over a broken cup.", "harm to children"),
        ("The foreman slaps the smallest boy off the bench.", "child abuse"),
        ("They carry a limp little girl out of the rubble.", "no harming children, please"),
        ("The carter whips the mare until she falls.", "Animal cruelty"),
        ("The soldiers force themselves on the women of the village.", "No sexual violence, ever"),
        ("Something moves under her skin.", "body horror"),
        ("His father was killed in the mine last week.", "loss of a parent"),
        ("A splinter pierces his left eye.", "anything with eyes getting hurt"),
        ("Fresh cuts run in neat rows down his forearm.", "self-harm / cutting"),
        ("She swallowed the whole bottle of sleeping pills.", "suicide or self-harm"),
    ],
)
def test_a_line_that_is_a_theme_reaches_what_tells_of_it(text: str, line: str) -> None:
    """Whatever its wording, and whatever fills it up: not its own words alone."""
    assert crosses(text, [line]) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("A child waves from the window.", "harm to children"),
        ("The girl beats her brother at chess.", "harm to children"),
        ("Children wave from the window.", "harm to women and children"),
        ("The horse stamps and snorts.", "harm to horses"),
        ("She strokes the dog behind the ears.", "animal cruelty"),
        ("The blade slides out.", "spiders"),
        ("Her mother is dead set against the match.", "loss of a parent"),
        ("No guard would ever open it, please or not.", "No torture, please, ever"),
    ],
)
def test_a_line_that_says_more_is_met_whole(text: str, line: str) -> None:
    """Harm to children bars no child in a window, and a filler nothing at all."""
    assert crosses(text, [line]) is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("The Compass Needle Has Gone Mad", "needles"),
        ("Tilda has cut herself a large slice of cake.", "self-harm / cutting"),
        ("The violinist executes the hard passage without a slip.", "executions"),
        ("Dust hangs in the light.", "hanging"),
        ("She keeps an eye on the road.", "eye injury"),
    ],
)
def test_what_only_looks_like_a_theme_passes(text: str, line: str) -> None:
    """Also where the word of the line itself stands in it."""
    assert crosses(text, [line]) is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("His collarbone snaps.", "broken bones"),
        ("Leg Broken in Two Places", "no broken bones, please"),
        ("The bandit holds a dagger to the merchant's neck.", "knives to the throat"),
        ("The carter whips the mare until she bleeds.", "hurting horses"),
        ("Two constables beat the driver on the pavement.", "police violence"),
        ("The toddler has a fever, and it climbs.", "sick children"),
        ("The lord strikes his wife.", "harm to women and children"),
        ("The boy is bleeding.", "harm to women and children"),
    ],
)
def test_a_line_of_several_words_reaches_their_kin(text: str, line: str) -> None:
    """Where one of each family stands close to the others."""
    assert crosses(text, [line]) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("He broke his word, and she picked a bone with him for it.", "broken bones"),
        ("The clouds break, and the ribs of the old ship stand black.", "broken bones"),
        ("She clears her throat, and everybody lays down knives and forks.", "knives to the throat"),
        ("The constable walks home past the violent sea, whistling a tune that nobody knows.", "police violence"),
        ("A bone lies under the long table where the plates were broken.", "broken bones"),
        ("The children are sick of porridge.", "sick children"),
        ("Old Marla waves; her sister does not.", "Marla's brother"),
    ],
)
def test_words_of_a_line_apart_or_in_an_idiom_touch_nothing(text: str, line: str) -> None:
    """Each alone is an honest word; and a name has no kin."""
    assert crosses(text, [line]) is None


def test_what_only_looks_like_a_theme_excuses_nothing_else() -> None:
    """A compass needle beside one in a neck."""
    assert crosses("The compass needle swings. A needle slides into her neck.", ["needles"]) == "needles"


@pytest.mark.parametrize("theme", themes_file().named)
def test_what_tells_of_a_theme_can_be_read(theme: str) -> None:
    """Every pattern asks for a word, and every list of it is there."""
    assert list(load("en").find([], telling(theme))) == []


@pytest.mark.parametrize("theme", themes_file().named)
def test_no_idiom_excuses_a_word_that_tells_of_a_theme_by_itself(theme: str) -> None:
    """It is refused where it stands alone."""
    line = theme.replace("_", " ")

    assert [word for word in said_of(theme) if crosses(f"Then she sees the {word}.", [line]) is None] == []


def test_what_lines_leave_is_dealt() -> None:
    """With every theme barred at once, answers still come."""
    told = REQUEST | {"scene": {"lines": list(themes_file().named)[:20], "veils": list(themes_file().named)[20:]}}
    assert len(narrator.suggest(told, source="deck").suggestions) == 3
