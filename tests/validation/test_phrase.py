"""Holds phrase to its promise: a phrase or a title is an aspect, and narration, a modifier or a name is none."""

import pytest
from hypothesis import given, strategies as st

from tests.validation.judged import key, not_an_aspect

NAMES = ("Cynere", "Tobin Reed", "Gate Guards", "Dr. Ottilie Krähenbühl", "The Tall Man")

ASPECTS = (
    "Infamous Girl with Sword",
    "The Authorities Are After You",
    "Everything Is on Fire",
    "everything is on fire",
    "Nobody Saw a Thing",
    "They Know My Face",
    "They know my face",
    "Not What She Seems",
    "She Who Must Be Obeyed",
    "The Guard Who Remembers Her",
    "the guard who remembers her face",
    "On the Run from the 7th Street Kings",
    "A Debt She Cannot Repay",
    "A torch moments from going out",
    "Hunted by the law and by his own brother",
    "silver burns it",
    "The Walls Have Ears",
    "Trust Me, I'm a Doctor",
    '"Trust Me"',
    "Trust No One!",
    "What Could Possibly Go Wrong?!",
    "?!",
    "Heartbroken",
    "A+ Student, C- Liar",
    "Lifeboat 4 below the Reactor",
    "Room 12, Third Floor",
    "Twenty Below and Falling",
    "-40 and Falling",
    "100-1 Odds",
    "M. Dupont, Locksmith to the Crown",
    "Property of Merle & Co.",
    "Going, Going...",
    "Homesick for a River Paved Over",
    "The Gate Guards Remember Her",
    "Gate Guards with a Grudge",
    "Cynere's Unpaid Bribe",
    "One Two Three Four Five Six Seven Eight Nine Ten",
    "Salt & Silver & Rowan Ash — and a Prayer for the Dead",
    "Дом на краю света",
    "銀の弾丸",
)

NO_ASPECTS = (
    ("x", "no word"),
    ("1", "no word"),
    ("1984", "no word"),
    ("He writes her name in his notebook", "narration"),
    ("he writes her name in his notebook", "narration"),
    ("SHE DRAWS A CIRCLE OF SALT ON THE FLOOR", "narration"),
    ("She draws a circle of salt on the floor", "narration"),
    ("They take the silver and turn away from her", "narration"),
    ("He stutters and drops his cards", "narration"),
    ("He is bleeding from the shoulder", "narration"),
    ("Cynere slips on the wet stones", "narration"),
    ("Tobin Reed drops the purse", "narration"),
    ("The captain orders his men to close the road", "narration"),
    ("The guard notes her name in the book", "narration"),
    ("The guards laugh as she squeezes past the arch", "narration"),
    ("The guard nods. He lets her pass", "narration"),
    ("One two three four five six seven eight nine ten eleven", "10 words"),
    ("Rattled.", "full stop"),
    ('"Known to the Watch."', "full stop"),
    ("銀の弾丸。", "full stop"),
    ("Afraid of Rivers (+2)", "modifier"),
    ("Wounded (−2)", "modifier"),
    ("+2 to Stealth", "modifier"),
    ("Minus two to the next roll", "modifier"),
    ("Cynere", "name"),
    ("CYNERE!", "name"),
    ("cynere's", "name"),
    ("The Gate Guards", "name"),
    ("gate-guards", "name"),
    ("the Gate Guards'", "name"),
    ("Dr Ottilie Krahenbuhl", "name"),
    ("A Tall Man", "name"),
    ("Cynere & the Gate Guards", "name"),
    ("Cynere, Cynere!", "name"),
)

KEYS = (
    ("case", "TORCHLIT GATE", True),
    ("article", "The Torchlit Gate", True),
    ("accents", "Tórchlit Gâte", True),
    ("punctuation", "«Torchlit Gate»!", True),
    ("hyphen", "torchlit-gate", True),
    ("dash", "Torchlit—Gate", True),
    ("blanks", "  torchlit \t gate ", True),
    ("zero-width", "torch\u200blit gate", True),
    ("fullwidth", "Ｔｏｒｃｈｌｉｔ Ｇａｔｅ", True),
    ("other words", "Torchlit Gates", False),
    ("one word fewer", "Gate", False),
)


@pytest.mark.parametrize("name", ASPECTS, ids=str)
def test_a_phrase_or_title_is_an_aspect(name: str) -> None:
    """What somebody would write on an index card passes, also where it is a sentence."""
    assert not_an_aspect(name, NAMES) is None


@pytest.mark.parametrize(("name", "why"), NO_ASPECTS, ids=[name for name, _ in NO_ASPECTS])
def test_what_is_no_phrase_is_refused_with_the_reason(name: str, why: str) -> None:
    """Narration, a number as a modifier, a full stop, too many words and a mere name are refused, each by its
    reason.
    """
    found = not_an_aspect(name, NAMES)

    assert found is not None
    assert why in found


@pytest.mark.parametrize(
    ("name", "refused"),
    [("Wounded (-2)", True), ("Cynere!", True), ("Cassé.", True), ("Il écrit son nom dans son carnet", False)],
    ids=str,
)
def test_without_a_lexicon_only_what_needs_no_words_is_judged(name: str, refused: bool) -> None:
    """In a language without a file, modifiers, names and full stops are still told, and narration passes."""
    assert (not_an_aspect(name, NAMES, "xx") is not None) is refused


def test_german_is_judged_by_its_own_file() -> None:
    """Where nouns have capitals in sentences too, capitals make no title."""
    assert not_an_aspect("Er schreibt ihren Namen in sein Notizbuch", (), "de") is not None
    assert not_an_aspect("Gezeichnet vom Fluss", (), "de") is None
    assert not_an_aspect("Die Torwachen!", ("Torwachen",), "de") is not None


@pytest.mark.parametrize(("text", "same"), [row[1:] for row in KEYS], ids=[row[0] for row in KEYS])
def test_wordings_are_compared_by_their_words_alone(text: str, same: bool) -> None:
    """Case, accents, punctuation, hyphens, blanks and articles do not make another wording; words do."""
    assert (key(text) == key("Torchlit Gate")) is same


def test_wordings_of_signs_or_articles_alone_stay_apart() -> None:
    """What has no words besides articles, or no words at all, is not the same as everything else of the kind."""
    keys = [key(text) for text in ("?!", "!!", "The", "A", "…", "+", "銀")]

    assert len(set(keys)) == len(keys)
    assert all(keys)


def test_an_article_counts_where_it_is_the_last_word() -> None:
    """Plan A is not Plan B, and not just any plan."""
    assert key("Plan A") != key("Plan")


@given(st.text())
def test_a_key_is_its_own_key(text: str) -> None:
    """Any text has a key, and comparing keys again changes nothing."""
    once = key(text)

    assert key(" ".join(once)) == once


@given(st.text(), st.lists(st.text(max_size=20), max_size=4), st.sampled_from(["en", "de", "fr"]))
def test_any_name_gets_an_answer(name: str, names: list[str], language: str) -> None:
    """No name, however strange, makes the check raise."""
    why = not_an_aspect(name, names, language)

    assert why is None or why.startswith("it ")
