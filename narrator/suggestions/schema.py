"""Compiles the table row into the JSON schema of an answer."""

from collections.abc import Mapping
from typing import Any

from narrator.rules.resolution import FormOffer, Slot
from narrator.rules.row import FormSpec
from narrator.validation.verdict import LONGEST_DETAIL, LONGEST_NAME

NULL = {"type": "null"}

_NO_PROSE = r'"\\\x00-\x1f\x7f-\xa0\u2000-\u200f\u2028-\u202f\u3000' + r"0-9.!?(){}<>|_*#/\[\]"
_SENTENCE = f"^[^{_NO_PROSE}]{{20,{LONGEST_DETAIL}}}[.!?]$"
_PHRASE = f"^[^{_NO_PROSE},;:]{{4,40}}$"
"""What a small model is held to: a whole sentence, and a few words, without the signs at which it begins to ramble."""


def compile_schema(wanted: tuple[Slot, ...], forms: Mapping[str, FormSpec], *, lengths: bool = False) -> dict[str, Any]:
    """
    Return a schema that allows what the slots allow and nothing else, in the subset that every server takes.

    All is required, nothing may be added, and there are no patterns or defaults.

    Args:
        wanted: The slots with the forms that are still asked for.

        forms: The ruleset's declarations.

        lengths: Whether it says how long names and details may be, which not every server takes.
    """
    shapes = [_shape(slot, offer, forms[offer.form], lengths) for slot in wanted for offer in slot.forms]
    items = shapes[0] if len(shapes) == 1 else {"anyOf": shapes}
    return _object({"suggestions": {"type": "array", "items": items}})


def words_alone(form: FormSpec, *, lengths: bool = False) -> dict[str, Any]:
    """
    Return a schema of the words of one suggestion, where all else about it is chosen. The name comes last, so that it
    is one for what was told; lengths are part of patterns.
    """
    detail, name = ({"type": "string", **({"pattern": each} if lengths else {})} for each in (_SENTENCE, _PHRASE))
    return _object({"detail": detail, **({"name": name} if form.name else {})})


def _shape(slot: Slot, offer: FormOffer, form: FormSpec, lengths: bool) -> dict[str, Any]:
    return _object(
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
    """
    Return the schema of a text, of so many characters where lengths are to be said.
    """
    # One more than the check takes: what a server cuts off there is refused, and not taken for a whole text.
    return {"type": "string", **({"minLength": 1, "maxLength": longest + 1} if lengths else {})}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
