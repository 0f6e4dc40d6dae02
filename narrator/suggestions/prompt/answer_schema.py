"""Makes the JSON schema of an answer from the table row."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from narrator.rules.request.language_tag import primary
from narrator.rules.resolve.resolution import FormOffer, Slot
from narrator.rules.ruleset.row import FormSpec
from narrator.validation.verdict import LONGEST_DETAIL, LONGEST_NAME

NULL = {"type": "null"}

_LATIN: Final = frozenset(("de", "en", "es", "fr", "it", "pl", "pt"))
"""Languages that the patterns have the letters of."""

_LETTERS: Final = "A-Za-z\u00c0-\u024f0-9 '\u2019-"
_PATTERNS: Final = {"detail": f"^[,;:{_LETTERS}]{{20,{LONGEST_DETAIL}}}[.!?]$", "name": f"^[{_LETTERS}]{{4,40}}$"}
"""Patterns for a single suggestion: the detail is a whole sentence, and the name a few words."""


def compile_schema(wanted: tuple[Slot, ...], forms: Mapping[str, FormSpec], *, lengths: bool = False) -> dict[str, Any]:
    """Return a schema that allows exactly what the slots allow, in the subset that every server accepts.

    All fields are required, no others are allowed, and there are no patterns or defaults. Not every server accepts
    lengths.
    """
    shapes = [_shape(slot, offer, forms[offer.form], lengths) for slot in wanted for offer in slot.forms]
    return suggestions_of(shapes)


def words_alone(form: FormSpec, language: str, *, lengths: bool = False) -> dict[str, Any]:
    """Return a schema of only the detail and name of a suggestion. The name comes last, so that it fits the detail."""
    longest = {"detail": LONGEST_DETAIL, "name": LONGEST_NAME} if form.name else {"detail": LONGEST_DETAIL}
    # Lengths are part of the patterns.
    if lengths and primary(language) in _LATIN:
        return object_of({field: {"type": "string", "pattern": _PATTERNS[field]} for field in longest})
    return object_of({field: _text(most, lengths) for field, most in longest.items()})


def suggestions_of(shapes: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the schema of a list of objects, each of one of these shapes."""
    items = shapes[0] if len(shapes) == 1 else {"anyOf": [*shapes]}
    return object_of({"suggestions": {"type": "array", "items": items}})


def object_of(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with exactly these fields."""
    required = list(properties)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _shape(slot: Slot, offer: FormOffer, form: FormSpec, lengths: bool) -> dict[str, Any]:
    return object_of(
        {
            "slot": {"type": "string", "enum": [slot.id]},
            "form": {"type": "string", "enum": [offer.form]},
            "to": {"type": "string", "enum": list(offer.to)} if offer.to else NULL,
            **({"severity": {"type": "string", "enum": list(offer.severities)}} if offer.severities else {}),
            "name": _text(LONGEST_NAME, lengths) if form.name else NULL,
            "detail": _text(LONGEST_DETAIL, lengths),
        }
    )


def _text(longest: int, lengths: bool) -> dict[str, Any]:
    """Return the schema of a text. `longest` is used only with `lengths`."""
    # One more than the check allows, so that the check refuses a text that the server cut off.
    return {"type": "string", **({"minLength": 1, "maxLength": longest + 1} if lengths else {})}
