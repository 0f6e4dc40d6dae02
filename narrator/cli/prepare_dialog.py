"""The dialog of `suggest --prepare`: odds, words found meanwhile, typed dice, and invocations in reach."""

import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from functools import partial
from threading import Thread
from typing import Any, TypeVar

from typer import Abort

from narrator.api.rolls import reach, resolve
from narrator.api.words import prepare
from narrator.cli.call_views import view_of
from narrator.cli.option_groups import TypedAction, given_options
from narrator.cli.options import Writer
from narrator.cli.output import complain, make
from narrator.cli.typed_call import TypedCall, typed_call
from narrator.cli.typed_request import ROLLS
from narrator.cli.usage import UsageError
from narrator.cli.word_source import options_of, status_of
from narrator.errors import NarratorError, RequestError
from narrator.line.figures import faces_of, rating_of
from narrator.render import other_views, roll_view, surfaces
from narrator.render.view import BLANK, Answered, View
from narrator.rules.chances.chances import Reach
from narrator.rules.json_text import Json
from narrator.rules.model import Model
from narrator.suggestions.pipeline.answer import Answer, Prepared

T = TypeVar("T")

_FACES = 'Your dice, such as "+ 0 0 -" (Enter: narrator rolls): '


def shaken(
    what: str, typed: TypedAction, writer: Writer, *, ruleset: str | None, seed: int | None, deal: int | None
) -> tuple[TypedCall, Model]:
    """Go from the odds of an action to its words. The dialog is printed to standard error.

    Raises:
        UsageError: If the action is rolled already, or comes from standard input, where the dice are typed.
        Abort: At the end of the input.
    """
    if "-" in (what or "-", typed.scene):
        raise UsageError("--prepare reads dice from standard input: give an action or a FILE")
    if given_options(typed).keys() & {*ROLLS, "shifts"}:
        raise UsageError("--prepare goes before the roll: leave out dice and outcome")
    before = typed_call("odds", what, typed, ruleset=ruleset, seed=seed, deal=deal)
    _say(view_of(make(before), before))
    options = options_of(writer, before.payload)
    request = before.payload["request"]
    words: Future[Prepared] = Future()

    def find() -> None:
        try:
            words.set_result(prepare(before.request, rulesets=before.rulesets, **options))
        # Whoever waits for the words gets the exception.
        except BaseException as error:
            words.set_exception(error)

    # A daemon thread doesn't delay the end of the process.
    Thread(target=find, daemon=True).start()
    stands = _stands(before.but(request=_rolled(request)))
    with status_of(options["source"]):
        prepared = words.result()
        if request.get("deal") is None:
            stands = _changed(stands, {"deal": prepared.deal})
        answer = make(stands.but(call="suggest", prepared=prepared), **options)
    assert isinstance(answer, Answer), "words were asked for"
    usage = prepared.usage.and_then(answer.usage)
    stands = stands.noting(*(f"before the roll: {each}" for each in prepared.notices))
    return stands, answer.model_copy(update={"usage": usage})


def _rolled(request: Json) -> Json:
    """Return the request with the typed rolls of both sides."""
    action = dict(request["action"])
    action["roll"] = _typed(_FACES, lambda text: {"dice": faces_of(text)})
    against = dict(action.get("opposition") or {})
    if against.get("kind") in ("active", "defend") and against.get("roll") is None:
        who = against.get("by") or action.get("target") or "whoever opposes"
        prompt = f"The total of {who} (Enter: narrator rolls): "
        wanted = "such as 3 or Good, with dice and skill"
        against["roll"] = _typed(prompt, lambda text: {"total": rating_of(text, "", wanted)})
        action["opposition"] = against
    return {**request, "action": action}


def _stands(asked: TypedCall) -> TypedCall:
    """Show what is in reach, and read invocations until the roll stands."""
    shows_all = False
    while True:
        resolution = resolve(asked.request, rulesets=asked.rulesets)
        # Keep the seed, so that the roll stays the same.
        asked = _changed(asked, {"seed": resolution.seed})
        ways = _ways(reach(asked.request, rulesets=asked.rulesets))
        shown = [way for way in ways if shows_all or way[0].is_near] or ways
        listed = other_views.numbered(shown, len(ways) - len(shown))
        _say((BLANK, *roll_view.roll(asked.request, resolution), *listed))
        if not ways:
            return asked
        chosen = _typed("Keep the roll (Enter), or invoke (a number; with r: reroll): ", partial(_one_of, shown))
        if chosen is None:
            return asked
        shows_all |= chosen == "all"
        asked = _invoked(asked, chosen) if isinstance(chosen, Reach) else asked


def _ways(offers: Iterable[Reach]) -> list[tuple[Reach, ...]]:
    """Group the offers of one aspect for one side, at the lower price. An ally's free invocation is apart."""
    ways: dict[tuple[object, ...], list[Reach]] = {}
    for each in offers:
        ways.setdefault((each.side, each.aspect, each.on, each.held_by), []).append(each)
    free = {key: [each for each in found if each.pay == "free"] for key, found in ways.items()}
    return [tuple(free[key] or found) for key, found in ways.items()]


def _invoked(asked: TypedCall, offer: Reach) -> TypedCall:
    """Add an invocation to its side."""
    made_of = offer.invocation.as_json()
    if offer.use == "reroll" and (dice := _typed(_FACES, faces_of)) is not None:
        made_of["dice"] = dice
    action = dict(asked.payload["request"]["action"])
    side = action if offer.side == "actor" else dict(action.get("opposition") or {})
    side["invocations"] = [*(side.get("invocations") or ()), made_of]
    return _changed(asked, {"action": side if offer.side == "actor" else {**action, "opposition": side}})


def _typed(prompt: str, read: Callable[[str], T]) -> T | None:
    """Ask until the typed text can be read. None: only Enter."""
    while True:
        print(prompt, end="", file=sys.stderr, flush=True)
        text = sys.stdin.readline() if sys.stdin is not None else ""
        if not text:
            print(file=sys.stderr)
            raise Abort
        if not text.strip():
            return None
        try:
            return read(text.strip())
        except NarratorError as error:
            # There is no option to name.
            complain(RequestError(error.code, "", error.message))


def _one_of(ways: Sequence[tuple[Reach, ...]], text: str) -> Reach | str:
    if text == "all":
        return text
    number, use = text.removesuffix("r"), "reroll" if text.endswith("r") else "bonus"
    if not (number.isascii() and number.isdecimal() and len(number) < 6 and 1 <= int(number) <= len(ways)):
        message = f"this must be a number from 1 to {len(ways)}, with an r to reroll, or nothing"
        raise RequestError("bad_invocation", "", message)
    found = next((each for each in ways[int(number) - 1] if each.use == use), None)
    if found is None:
        raise RequestError("bad_invocation", "", f"this one offers no {use}")
    return found


def _changed(asked: TypedCall, update: dict[str, Any]) -> TypedCall:
    return asked.but(request={**asked.payload["request"], **update})


def _say(lines: View) -> None:
    surfaces.write(surfaces.USUAL_SURFACE, Answered(Model(), lambda: lines), sys.stderr)
