"""Reads decks, files of cards: a table's own, and those that come with narrator."""

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

from pydantic import Field, field_validator, model_validator

from narrator.rules.model import Given, Name, complaint
from narrator.rules.request.language_tag import LanguageTag
from narrator.rules.ruleset.card import FAMILIES, Card, Family
from narrator.rules.toml_file import read_packaged
from narrator.validation.safety import unsafe

LANGUAGE, ANY = "en", "any"
"""The language of the cards that come with narrator; the file of those for anything, beside one for each family."""

_PUT_IN = re.compile(r"\{[^}]*\}")
MANY = Field(strict=False, max_length=5_000)
"""For the cards of a deck."""


class DeckFile(Given):
    """A deck: a TOML file of cards."""

    language: LanguageTag = LANGUAGE
    """The language that they are in, as a scene says its own."""
    form: Name | None = None
    """The form of every card that names none."""
    cards: Annotated[tuple[Card, ...], MANY]
    """The cards, each a line of its own: `cards = [{ form = "boost", name = "...", detail = "..." }, ...]`."""

    @model_validator(mode="before")
    @classmethod
    def _form_is_said_once(cls, data: Any) -> Any:
        if not isinstance(data, dict) or not isinstance(data.get("cards"), list) or "form" not in data:
            return data
        cards = [{"form": data["form"], **each} if isinstance(each, dict) else each for each in data["cards"]]
        return {**data, "cards": cards}


class OwnCard(Card):
    """A card of a table's own."""

    @field_validator("name", "detail")
    @classmethod
    def _is_safe(cls, text: str | None) -> str | None:
        told = _PUT_IN.sub("x", text or "x").replace("|", " ")
        if (what := unsafe(told)) is not None:
            raise complaint("bad_request", f"this has {what}: no check would let it through")
        return text


class OwnDeck(DeckFile):
    """A deck of a table's own."""

    cards: Annotated[tuple[OwnCard, ...], MANY]


def packaged_cards(form: str, families: Iterable[Family] = FAMILIES) -> tuple[Card, ...]:
    """Read narrator's own cards for a form, for anything and for deeds of these families; a house form has none."""
    return tuple(card for name in (ANY, *families) for card in _read(name, form))


@cache
def _read(name: str, form: str) -> tuple[Card, ...]:
    """Read the cards for a form in a file. Each is a line of its own, and no other line is parsed."""
    file, wanted = files("narrator.deck") / "cards" / f"{name}.toml", f'  {{ form = "{form}",'
    return read_packaged(DeckFile, file, lambda line: not line.startswith("  {") or line.startswith(wanted)).cards
