"""Reads decks, files of cards: a table's own, and those that come with narrator, one for each form."""

import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

from pydantic import Field, field_validator, model_validator

from narrator.rules.card import Card
from narrator.rules.language_tag import LanguageTag
from narrator.rules.model import Given, Name, complaint
from narrator.rules.toml_file import read_packaged
from narrator.validation.safety import unsafe

LANGUAGE = "en"
"""The language of the cards that come with narrator."""

_PUT_IN = re.compile(r"\{[^}]*\}")
_MANY = Field(strict=False, max_length=5_000)
_CARD, _MADE_FOR = "  {", "activities = ["
"""What a card's line begins with in their files, and what it has in it where it is not for anything."""


class DeckFile(Given):
    """
    A deck: a TOML file of cards.
    """

    language: LanguageTag = LANGUAGE
    """The language that they are in, as a scene says its own."""
    form: Name | None = None
    """The form of every card that names none."""
    cards: Annotated[tuple[Card, ...], _MANY]
    """The cards, each a line of its own: `cards = [{ form = "boost", name = "...", detail = "..." }, ...]`."""

    @model_validator(mode="before")
    @classmethod
    def _form_is_said_once(cls, data: Any) -> Any:
        if not isinstance(data, dict) or not isinstance(data.get("cards"), list) or "form" not in data:
            return data
        cards = [{"form": data["form"], **each} if isinstance(each, dict) else each for each in data["cards"]]
        return {**data, "cards": cards}


class OwnCard(Card):
    """
    A card of a table's own.
    """

    @field_validator("name", "detail")
    @classmethod
    def _is_safe(cls, text: str | None) -> str | None:
        told = _PUT_IN.sub("x", text or "x").replace("|", " ")
        if (what := unsafe(told)) is not None:
            raise complaint("bad_request", f"this has {what}: no check would let it through")
        return text


class OwnDeck(DeckFile):
    """
    A deck of a table's own.
    """

    cards: Annotated[tuple[OwnCard, ...], _MANY]


class FormFile(DeckFile):
    """
    The deck for one form that comes with narrator.
    """

    for_the_opposition: Name | None = None
    """The form whose cards serve here as well, where it goes to the opposition."""


@cache
def packaged(form: str) -> FormFile:
    """
    Read the cards for a form that come with narrator; none where it is a house ruleset's own.
    """
    return _read(form)


@cache
def packaged_for(form: str, deed: str) -> FormFile:
    """
    Read of them those that are made for an activity or a family; for anything, where none is named. Each is a line of
    its own, and no other line is parsed.
    """

    def wants(line: str) -> bool:
        return not line.startswith(_CARD) or (f'"{deed}"' in line if deed else _MADE_FOR not in line)

    read = _read(form, wants)
    fitting = (card for card in read.cards if (deed in card.activities if deed else not card.activities))
    return read.model_copy(update={"cards": tuple(fitting)})


def _read(form: str, wants: Callable[[str], bool] | None = None) -> FormFile:
    file = files("narrator.deck") / "cards" / f"{form}.toml"
    if not form.isidentifier() or not file.is_file():
        return FormFile(cards=())
    return read_packaged(FormFile, file, wants)
