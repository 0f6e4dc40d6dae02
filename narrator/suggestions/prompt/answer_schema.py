"""Compiles the table row into the JSON schema of an answer."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from narrator.rules.request.language_tag import primary
from narrator.rules.resolve.resolution import FormOffer, Slot
from narrator.rules.ruleset.row import FormSpec
from narrator.validation.verdict import LONGEST_DETAIL, LONGEST_NAME

NULL = {"type": "null"}

_LATIN: Final = frozenset(("de", "en", "es", "fr", "it", "pl", "pt"))
"""Languages whose letters the patterns know."""

_LETTERS: Final = "A-Za-z\u00c0-\u024f0-9 '\u2019-"
_PATTERNS: Final = {"detail": f"^[,;:{_LETTERS}]{{20,{LONGEST_DETAIL}}}[.!?]$", "name": f"^[{_LETTERS}]{{4,40}}$"}
"""What one who is asked for one suggestion is held to: a whole sentence, and a few words."""


def compile_schema(wanted: tuple[Slot, ...], forms: Mapping[str, FormSpec], *, lengths: bool = False) -> dict[str, Any]:
    """Return a schema that allows what the slots allow and nothing else, in the subset that every server takes.

    All is required, nothing may be added, and there are no patterns or defaults. Not every server takes lengths.
    """
    shapes = [_shape(slot, offer, forms[offer.form], lengths) for slot in wanted for offer in slot.forms]
    return suggestions_of(shapes)


def words_alone(form: FormSpec, language: str, *, lengths: bool = False) -> dict[str, Any]:
    """Return a schema of the words of one suggestion alone. The name comes last, to be one for what was told."""
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
    """Return the schema of an object that has all of these fields, and nothing else."""
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
    """Return the schema of a text, of so many characters where lengths are to be said."""
    # One more than the check takes: what a server cuts off there is refused, and not taken for a whole text.
    return {"type": "string", **({"minLength": 1, "maxLength": longest + 1} if lengths else {})}
