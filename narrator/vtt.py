"""The door for macros: JSON in, JSON out, and never an exception."""

import logging
from typing import Any

from narrator.calls import Payload, dispatch, read
from narrator.errors import NarratorError


def run(payload: Payload) -> dict[str, Any]:
    """Answer a call. Never raises for what a macro sends: an error is the contract's error object.

    Args:
        payload: JSON text, or a mapping: `{"call": "suggest", "request": {...}}`.
    """
    try:
        return dispatch(read(payload)).as_json()
    except NarratorError as error:
        return error.as_json()
    except Exception as fault:
        logging.getLogger(__name__).exception("a fault of narrator's own")
        message = f"a fault of narrator's own ({type(fault).__name__}), not of the request; its log tells more"
        return NarratorError("internal_error", "", message).as_json()
