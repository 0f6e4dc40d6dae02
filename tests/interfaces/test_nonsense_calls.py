"""Every call of Python, given what is no such argument: the contract's error, and never another exception."""

import asyncio
import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableLambda

import narrator
from narrator import NarratorError
from narrator.api.options import Options, StageOptions, SuggestOptions
from narrator.rules.json_text import Json
from tests.payloads import PAYLOADS, REQUEST

FUNCTIONS = [(name, getattr(narrator, name)) for name in dir(narrator) if inspect.isfunction(getattr(narrator, name))]
CALLS = {
    name: made
    for name, made in FUNCTIONS
    if made.__module__.startswith("narrator.") and inspect.signature(made).parameters
}


def arguments(call: str) -> list[str]:
    """What a call takes by name; in place of its options each of them."""
    parameters = inspect.signature(CALLS[call]).parameters.values()
    named = [each.name for each in parameters if each.kind != each.VAR_KEYWORD]
    options = [str(each.annotation) for each in parameters if each.kind == each.VAR_KEYWORD]
    kinds = [next((kind for kind in KINDS if kind.__name__ in each), Options) for each in options]
    return [*dict.fromkeys([*named, *(name for kind in kinds for name in kind.__annotations__)])]


KINDS: tuple[Any, ...] = (SuggestOptions, StageOptions, Options)

SENSE: Json = {"request": REQUEST, "path": "nowhere.toml", "runnable": RunnableLambda(str), "model": "tiny"}
SENSE |= {"lines": []}
"""What is taken for an argument that is wanted by what no macro calls."""


def wanted(call: str) -> Json:
    """What a call takes for each argument that it wants, out of the payload of the call of its name."""
    payload = PAYLOADS.get(call, PAYLOADS.get(call.removeprefix("a").removesuffix("_stream"), {}))
    told = {**SENSE, **payload.get("request", {}), **payload}
    parameters = inspect.signature(CALLS[call]).parameters.values()
    names = {each.name for each in parameters if each.default is each.empty and each.kind != each.VAR_KEYWORD}
    cure = "a call wants a payload in tests/payloads.py, and any other function a value for each in SENSE here"
    assert names <= told.keys(), f"what does narrator.{call} take for {names - told.keys()}? {cure}"
    return {name: told[name] for name in names}


NEVER: dict[str, Callable[[], Any]] = {
    "an object": object,
    "a set": lambda: {1, 2},
    "a set in a list in a list": lambda: [[{1}]],
    "a set in an object": lambda: {"rows": {1, 2}, "action": {1, 2}, "branch": {1}},
    "a set of sets": lambda: frozenset([frozenset([1])]),
    "a function": lambda: len,
    "a class": lambda: dict,
    "a module": lambda: narrator,
    "a complex number": lambda: 1j,
}
"""What no argument is, but a candidate, which may be anything: then it is judged."""

SELDOM: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "a whole number": lambda: 3,
    "a number of 5,000 digits": lambda: 10**5000,
    "less than nothing": lambda: -1,
    "a fraction": lambda: 0.5,
    "no number": lambda: float("nan"),
    "true": lambda: True,
    "no text": lambda: "",
    "another word": lambda: "sideways",
    "half a character": lambda: "\ud800",
    "a file that cannot be": lambda: "\0",
    "bytes": lambda: b"\xff",
    "an array of bytes": lambda: bytearray(b"{"),
    "a list of what is no text": lambda: ["x", 3, None],
    "keys that are no text": lambda: {1: 2, (1, 2): 3},
    "what is gone through once": lambda: (each for each in ("x", 3)),
    "suggestions that are none": lambda: {"branch": "serious_cost", "suggestions": [{1}, b"x", object()]},
    "harm that is none": lambda: {"branch": "fail", "absorb": {1}, "grants": [{1}]},
}
"""What some argument may well be."""

EVERY = [(call, argument) for call in CALLS for argument in arguments(call)]


def called(call: str, argument: str, value: Any) -> NarratorError | None:
    """Make a call to its end with this for one of its arguments; give what it is refused with."""

    async def to_the_end(events: Any) -> None:
        async for _ in events:
            pass

    try:
        given = CALLS[call](**{**wanted(call), argument: value})
        if call in ("runnable", "tools"):
            (given if call == "runnable" else given[0]).invoke(REQUEST)
        elif inspect.iscoroutine(given):
            asyncio.run(given)
        elif inspect.isasyncgen(given):
            asyncio.run(to_the_end(given))
        elif inspect.isgenerator(given):
            list(given)
    except NarratorError as error:
        return error
    return None


@pytest.mark.parametrize(("call", "argument"), EVERY, ids=[" ".join(each) for each in EVERY])
def test_nonsense_in_python_is_refused(
    call: str, argument: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever stands for an argument, the call goes well, or says in an error which one was wrong."""
    monkeypatch.chdir(tmp_path)  # some of it may be the path of a new file
    for nonsense, made in {**NEVER, **SELDOM}.items():
        error = called(call, argument, made())

        if error is None:
            assert nonsense in SELDOM or argument == "candidate", nonsense
            continue
        assert error.code != "internal_error", nonsense
        assert error.message.isprintable(), nonsense
        assert len(json.dumps(error.as_json())) < 5_000, nonsense
        if nonsense in NEVER and argument not in ("request", "choice", "runnable"):
            # What a payload has in its request stands there for itself in Python.
            assert error.field.removeprefix("request.").split(".")[0] == argument, nonsense
