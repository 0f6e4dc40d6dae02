"""Notes in pieces: bounded, in order, and nothing left out."""

import re

from hypothesis import given, strategies as st

from narrator.deck_maker.plan import LONGEST_PIECE, cut
from tests.deck_making.writer import NOTES

LINES = st.lists(
    st.one_of(
        st.sampled_from(["", "# Town", "## The Mill", "### ", "- a list", "    code", "***"]),
        st.text(st.characters(codec="utf-8"), max_size=300),
        st.text("ab .", min_size=1_000, max_size=4_000),
        st.integers(1, 5_000).map("x".__mul__),
    ),
    max_size=40,
)


def letters(text: str) -> str:
    """What is left of a text without blanks and the signs of headings."""
    return re.sub(r"[\s#]", "", text)


@given(LINES)
def test_no_word_is_lost_and_no_piece_is_too_long(lines: list[str]) -> None:
    """In the order of the notes, whatever they are; without any words there is no piece."""
    notes = "\n".join(lines)
    pieces = cut(notes)
    said, kept = letters("".join(pieces)), letters(notes)
    assert all(len(piece) <= LONGEST_PIECE for piece in pieces)
    assert re.sub(r"\W", "", said) == re.sub(r"\W", "", kept)
    assert all(re.search(r"\w", piece) for piece in pieces)


def test_a_piece_begins_with_its_heading() -> None:
    """So that a model knows of whom it reads."""
    headings = [piece.partition("\n")[0] for piece in cut(NOTES.read_text("utf-8"))]
    assert headings == ["Greywater", "Mother Quill", "The Ferrymen", "Troubles"]
