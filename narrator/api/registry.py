"""Every call by name, with the model of its payload."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from narrator.errors import RequestError

if TYPE_CHECKING:
    from narrator.api.call import Call

Payload = str | bytes | Mapping[str, Any]
"""JSON text, or the object that it describes."""

CALLS = {
    "resolve": "rolls.ResolveCall",
    "suggest": "word_calls.SuggestCall",
    "prepare": "word_calls.PrepareCall",
    "word": "word_calls.WordCall",
    "stage": "word_calls.StageCall",
    "odds": "rolls.OddsCall",
    "reach": "rolls.ReachCall",
    "check": "judgement.CheckCall",
    "violations": "judgement.ViolationsCall",
    "settle": "settlement.SettleCall",
    "apply": "settlement.ApplyCall",
    "move": "moves.MoveCall",
    "say": "saying.SayCall",
    "complete": "saying.CompleteCall",
    "turn_order": "lookups.TurnOrderCall",
    "lines": "judgement.LinesCall",
    "table": "lookups.TableCall",
    "rulesets": "lookups.RulesetsCall",
}
"""Every call in the order of the reference, and the place of its model in `narrator.api`. It is loaded on first use."""

SCHEMAS = {
    "resolve": "resolution",
    "suggest": "answer",
    "prepare": "prepared",
    "word": "words",
    "stage": "staged",
    "check": "verdict",
    "say": "read_line",
    "complete": "completions",
}
"""The name of the schema of a call's result, if it is not the call's name."""


def model_of(name: str) -> "type[Call]":
    """Find the model of a call. `bad_request` if there is no call of this name."""
    if name not in CALLS:
        from narrator.rules.typo import meant

        raise RequestError("bad_request", "call", f"there is no such call{meant(name, CALLS)}", sorted(CALLS))
    module, _, model = CALLS[name].partition(".")
    found: type[Call] = getattr(import_module(f"narrator.api.{module}"), model)
    return found


def payload_object(payload: Payload) -> Mapping[str, Any]:
    """Read the text of a payload. `bad_request` if it is too large or not an object."""
    if isinstance(payload, str | bytes):
        from narrator.rules.json_text import parsed
        from narrator.rules.model import MOST_BYTES

        if len(payload) > MOST_BYTES:
            raise RequestError("bad_request", "", f"the payload is larger than {MOST_BYTES} characters")
        payload = parsed(payload)
    if not isinstance(payload, Mapping):
        raise RequestError("bad_request", "", "this must be an object")
    return payload


def read_payload(payload: Payload, *, call: str | None = None) -> "Call":
    """Read a payload, or a bare request if the call is known. `bad_request` also for parts that the call lacks."""
    told = named_payload(payload, call=call)
    return model_of(told["call"]).read(told)


def named_payload(payload: Payload, *, call: str | None = None) -> dict[str, Any]:
    """Complete the name of the call in a payload. `bad_request` if it is missing, or not `call`."""
    told = {part: value for part, value in payload_object(payload).items() if value is not None}
    if call is not None and "request" not in told:
        told = {"request": told}
    name = told.get("call") or call
    name = name.replace("-", "_") if isinstance(name, str) else name
    if call is not None and name != call:
        raise RequestError("bad_request", "call", f"this payload is for another call, not for {call}", [call])
    if not isinstance(name, str):
        raise RequestError("bad_request", "call", "name the call to make", sorted(CALLS))
    return {**told, "call": name}
