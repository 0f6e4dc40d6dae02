"""The entry point for macros: JSON in, JSON out, and never an exception."""

import logging
from collections.abc import Mapping
from typing import Any

from narrator.api.call import fits_as_id
from narrator.api.registry import Payload, payload_object, read_payload
from narrator.errors import NarratorError


def run(payload: Payload) -> dict[str, Any]:
    """Answer a call. It never raises for a wrong payload, but returns the error object.

    Args:
        payload: JSON text or a mapping, such as `{"call": "suggest", "request": {...}}`.
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
    """Return an error of narrator as it is. Log any other exception and return it as `internal_error`."""
    if isinstance(error, NarratorError):
        return error
    logging.getLogger(__name__).error("a bug in narrator", exc_info=error)
    message = f"a bug in narrator ({type(error).__name__}), not a mistake in the request; the log has the details"
    return NarratorError("internal_error", "", message)


def marked(payload: Payload, answer: dict[str, Any]) -> dict[str, Any]:
    """Add the payload's id to the answer, in front, if it has a valid one."""
    given = payload.get("id") if isinstance(payload, Mapping) else None
    return answer if given is None or not fits_as_id(given) else {"id": given, **answer}
