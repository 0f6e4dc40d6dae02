"""The entry point for macros: JSON in, JSON out, and never an exception."""

import logging
from collections.abc import Mapping
from typing import Any

from narrator.api.call import fits_as_id
from narrator.api.registry import Payload, payload_object, read_payload
from narrator.errors import NarratorError


def run(payload: Payload) -> dict[str, Any]:
    """Answer a call. Never raises for what a macro sends: an error is the contract's error object.

    Args:
        payload: JSON text, or a mapping: `{"call": "suggest", "request": {...}}`.
    """
    told: Payload = payload
    try:
        told = payload_object(payload)
        answer = read_payload(told).make().as_json()
    except Exception as error:
        answer = refusal(error).as_json()
    return marked(told, answer)


async def arun(payload: Payload) -> dict[str, Any]:
    """The same, without blocking."""
    told: Payload = payload
    try:
        told = payload_object(payload)
        answer = (await read_payload(told).amake()).as_json()
    except Exception as error:
        answer = refusal(error).as_json()
    return marked(told, answer)


def refusal(error: Exception) -> NarratorError:
    """Say what is wrong: what narrator refused, or that it is narrator's own fault, which its log tells."""
    if isinstance(error, NarratorError):
        return error
    logging.getLogger(__name__).error("a fault of narrator's own", exc_info=error)
    message = f"a fault of narrator's own ({type(error).__name__}), not of the request; its log tells more"
    return NarratorError("internal_error", "", message)


def marked(payload: Payload, answer: dict[str, Any]) -> dict[str, Any]:
    """Put the payload's own id first, where it has one that fits, and the answer no other."""
    given = payload.get("id") if isinstance(payload, Mapping) else None
    return answer if given is None or not fits_as_id(given) else {"id": given, **answer}
