"""The entry for macros, and the one place that dispatches a call by its name."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import from_json

from narrator import api
from narrator.api import Chosen
from narrator.errors import NarratorError
from narrator.rules.model import Given, Model

LARGEST = 1_000_000
"""Bytes or characters of a payload."""

Payload = str | bytes | Mapping[str, Any]


class Call(Given):
    """
    A call: its name, and what it is about.
    """

    call: str
    request: Any = None
    candidate: Any = None


def run(payload: Payload) -> dict[str, Any]:
    """
    Answer a call. Never raises for what a macro sends: an error is the contract's error object.

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


def read(payload: Payload, *, call: str | None = None) -> Call:
    """
    Read a payload; where the call is known already, a bare request is one too.

    Raises:
        NarratorError: `bad_request`.
    """
    if isinstance(payload, str | bytes):
        if len(payload) > LARGEST:
            raise NarratorError("bad_request", "", f"this is larger than {LARGEST} characters")
        try:
            payload = from_json(payload)
        except ValueError as error:
            raise NarratorError("bad_request", "", f"this is not JSON: {error}") from None
    if not isinstance(payload, Mapping):
        raise NarratorError("bad_request", "", "this must be an object")
    if call is None:
        return Call.read(payload)
    if "request" not in payload:
        payload = {"request": payload}
    if payload.get("call", call) != call:
        raise NarratorError("bad_request", "call", f"this is a payload for another call than {call}", [call])
    return Call.read({**payload, "call": call})


def dispatch(call: Call, *, source: Chosen = None) -> Model:
    """
    Make a call by its name.

    Raises:
        NarratorError: `bad_request` for a name or a part that is missing, and what the call raises.
    """
    if call.call not in _CALLS:
        raise NarratorError("bad_request", "call", "there is no such call", sorted(_CALLS))
    if not isinstance(call.request, Mapping):
        raise NarratorError("bad_request", "request", "this must be an object")
    return _CALLS[call.call](call, source)


def _resolve(call: Call, _: Chosen) -> Model:
    return api.resolve(call.request)


def _check(call: Call, _: Chosen) -> Model:
    if call.candidate is None:
        raise NarratorError("bad_request", "candidate", "this is required: the suggestion to judge")
    return api.check(call.request, call.candidate)


def _suggest(call: Call, source: Chosen) -> Model:
    return api.suggest(call.request, source=source)


_CALLS: dict[str, Callable[[Call, Chosen], Model]] = {
    "check": _check,
    "resolve": _resolve,
    "suggest": _suggest,
}
