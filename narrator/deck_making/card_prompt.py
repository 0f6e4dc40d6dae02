"""What a model is asked for where a deck is made: some cards, of some forms, by one piece of the notes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

from narrator.deck_making.notes import Piece
from narrator.rules.card import ACTIVITIES, Family
from narrator.rules.row import FormSpec
from narrator.shipped import page
from narrator.suggestions.brief import Manner
from narrator.suggestions.schema import object_of, suggestions_of
from narrator.suggestions.telling import written

EXAMPLE: dict[str, Any] = {
    "form": "new_opposition",
    "activities": ["bargain"],
    "about": ["Mother Agnes"],
    "name": "Agnes's Nephew With Questions",
    "detail": "A young man leaves the stove, sits down across from {actor}, and asks to whom {actor} really "
    "answers|answer.",
}
"""The card that the page of the prompt shows: what a model copies is a twin of it."""

LATEST = 30
"""How many cards that are there already a prompt names."""

_DOINGS = (*get_args(Family), *ACTIVITIES)


@dataclass(frozen=True, kw_only=True)
class CardPrompt:
    """A prompt for cards; an answer has for each `form`, `activities`, `about`, `name` (or null) and `detail`."""

    language: str
    """The language of the deck."""
    piece: Piece
    """The piece of the notes."""
    opening: str
    """How the notes begin, for what kind of setting it is."""
    forms: Mapping[str, tuple[FormSpec, int]]
    """The forms that are wanted, and how many cards of each."""
    already_said: tuple[str, ...]
    """What the cards that are there say, each by its name or detail."""
    refused: tuple[str, ...]
    """Why cards of the last answer were refused."""
    manner: Manner = "together"
    """Cards are asked for in one call."""

    @cached_property
    def messages(self) -> tuple[tuple[str, str], ...]:
        """Chat messages, each its role (`system` or `user`) and its content."""
        data: dict[str, Any] = {
            "notes": {"about": self.piece.title, "text": self.piece.text},
            "wanted": [_wanted(form, spec, number) for form, (spec, number) in self.forms.items()],
            "language": self.language,
        }
        if self.opening not in self.piece.text:
            data["notes"]["begin"] = self.opening
        if self.already_said:
            data["already_said"] = list(self.already_said[-LATEST:])
        if self.refused:
            data["refused"] = list(self.refused)
        return (("system", page("cards").text), ("user", written(data)))

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of an answer: the forms that are wanted, and nothing else."""
        named = [form for form, (spec, _) in self.forms.items() if spec.name is not None]
        nameless = [form for form in self.forms if form not in named]
        return suggestions_of([_card(forms, kind) for forms, kind in ((named, "string"), (nameless, "null")) if forms])

    @property
    def schema_with_lengths(self) -> dict[str, Any]:
        """The same: no length of a card is fixed before its placeholders are filled."""
        return self.schema


def _wanted(form: str, spec: FormSpec, number: int) -> dict[str, Any]:
    told = {"form": form, "how_many": number, "is": spec.brief, "name": spec.name, "for": spec.to}
    return {name: value for name, value in told.items() if value is not None}


def _card(forms: list[str], name: str) -> dict[str, Any]:
    text = {"type": "string"}
    return object_of(
        {
            "form": {"type": "string", "enum": forms},
            "activities": {"type": "array", "items": {"type": "string", "enum": list(_DOINGS)}},
            "about": {"type": "array", "items": text},
            "name": {"type": name},
            "detail": text,
        }
    )
