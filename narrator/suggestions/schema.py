"""Compiles the table row into the JSON schema of an answer."""

from collections.abc import Mapping
from typing import Any

from narrator.rules.resolution import FormOffer, Slot
from narrator.rules.row import FormSpec

NULL = {"type": "null"}
TEXT = {"type": "string"}


def compile_schema(wanted: tuple[Slot, ...], forms: Mapping[str, FormSpec]) -> dict[str, Any]:
    """
    Return a schema that allows what the slots allow and nothing else, in the subset that every server takes.

    All is required, nothing may be added, and there are no lengths, patterns or defaults.

    Args:
        wanted: The slots with the forms that are still asked for.

        forms: The ruleset's declarations.
    """
    shapes = [_shape(slot, offer, forms[offer.form]) for slot in wanted for offer in slot.forms]
    items = shapes[0] if len(shapes) == 1 else {"anyOf": shapes}
    return _object({"suggestions": {"type": "array", "items": items}})


def _shape(slot: Slot, offer: FormOffer, form: FormSpec) -> dict[str, Any]:
    return _object(
        {
            "slot": {"type": "string", "enum": [slot.id]},
            "form": {"type": "string", "enum": [offer.form]},
            "to": {"type": "string", "enum": list(offer.to)} if offer.to else NULL,
            **({"severity": {"type": "string", "enum": list(offer.severities)}} if offer.severities else {}),
            "name": TEXT if form.name else NULL,
            "detail": TEXT,
        }
    )


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
