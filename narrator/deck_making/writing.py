"""Writes a deck as TOML that a GM reads and edits: a card is a line, grouped by form, under what it was made of."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from narrator.deck.cards import LANGUAGE
from narrator.deck_making.journal import Made
from narrator.errors import NarratorError
from narrator.files import create
from narrator.render.plain import visible
from narrator.rules.card import Card
from narrator.rules.row import FormSpec

_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f]')


def deck_text(made: Sequence[Made], forms: Mapping[str, FormSpec], language: str, heading: Iterable[str]) -> str:
    """Write a deck.

    Args:
        forms: In whose order the groups stand.
        heading: Lines of a comment at the top.
    """
    order = {form: place for place, form in enumerate(forms)}
    lines = [*(_comment(each) for each in heading), "", f"language = {in_quotes(language)}"]
    lines = lines if language != LANGUAGE else lines[:-2]
    lines += ["", "cards = ["]
    cards = sorted(made, key=lambda each: (order[each.card.form], each.of))
    for form, of_form in groupby(cards, key=lambda each: each.card.form):
        lines.append(f"  {_comment(f'{form}: {forms[form].brief}.')}")
        for title, of_piece in groupby(of_form, key=lambda each: each.title):
            lines.append(f"  {_comment(f'- {title}')}")
            lines += [f"  {card_line(each.card)}," for each in of_piece]
        lines.append("")
    return "\n".join([*lines[:-1], "]", ""])


def put(path: Path, text: str, kept: Path) -> None:
    """Write a file that is there whole or not at all, and never over another.

    Args:
        kept: Where the cards are until it is written.

    Raises:
        NarratorError: `bad_request` where it cannot be written.
    """
    try:
        create(path, text.encode())
    except NarratorError as error:
        message = f"{error.message}; the cards are kept in {kept}: when there is room, the same command writes them"
        raise NarratorError(error.code, error.field, visible(message)) from None


def card_line(card: Card) -> str:
    """Write a card as a line of TOML, of which `tomllib` reads the same card."""
    fields = card.model_dump(mode="json", exclude_defaults=True)
    return f"{{ {', '.join(f'{name} = {_value(value)}' for name, value in fields.items())} }}"


def in_quotes(text: str) -> str:
    """Write a text as a basic string of TOML."""
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _value(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case list():
            return f"[{', '.join(map(_value, value))}]"
    return in_quotes(str(value))


def _escape(found: re.Match[str]) -> str:
    sign = found[0]
    return f"\\{sign}" if sign in '"\\' else f"\\u{ord(sign):04x}"


def _comment(text: str) -> str:
    return f"# {visible(text)}"
