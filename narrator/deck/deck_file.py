"""Reads decks, which are files of cards: narrator's own, and those of a table."""

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
"""The language of narrator's own cards, and the name of the file with cards for any deed."""

_PUT_IN = re.compile(r"\{[^}]*\}")
MANY = Field(strict=False, max_length=5_000)
"""The limit for the cards of a deck."""


class DeckFile(Given):
    """A deck: a TOML file of cards."""

    language: LanguageTag = LANGUAGE
    """The language of the cards, written as in a scene."""
    form: Name | None = None
    """The form of each card that names none."""
    cards: Annotated[tuple[Card, ...], MANY]
    """The cards, each on its own line: `cards = [{ form = "boost", name = "...", detail = "..." }, ...]`."""

    @model_validator(mode="before")
    @classmethod
    def _form_is_said_once(cls, data: Any) -> Any:
        if not isinstance(data, dict) or not isinstance(data.get("cards"), list) or "form" not in data:
            return data
        cards = [{"form": data["form"], **each} if isinstance(each, dict) else each for each in data["cards"]]
        return {**data, "cards": cards}


class OwnCard(Card):
    """A table's own card."""

    @field_validator("name", "detail")
    @classmethod
    def _is_safe(cls, text: str | None) -> str | None:
        told = _PUT_IN.sub("x", text or "x").replace("|", " ")
        if (what := unsafe(told)) is not None:
            raise complaint("bad_request", f"this has {what}, which the check refuses")
        return text


class OwnDeck(DeckFile):
    """A table's own deck."""

    cards: Annotated[tuple[OwnCard, ...], MANY]


def packaged_cards(form: str, families: Iterable[Family] = FAMILIES) -> tuple[Card, ...]:
    """Read narrator's own cards for a form: those for any deed, and for these families. A house form has none."""
    return tuple(card for name in (ANY, *families) for card in _read(name, form))


@cache
def _read(name: str, form: str) -> tuple[Card, ...]:
    """Read a file's cards for a form. Each card is a line, and other forms' lines are not parsed."""
    file, wanted = files("narrator.deck") / "cards" / f"{name}.toml", f'  {{ form = "{form}",'
    return read_packaged(DeckFile, file, lambda line: not line.startswith("  {") or line.startswith(wanted)).cards
