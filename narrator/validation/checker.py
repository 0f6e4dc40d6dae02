"""The check: judges a suggestion from anywhere against the table row that the request resolves to.

It judges shape, safety, phrasing and meaning, in this order. Each has its own module. A text is read only once.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

from pydantic import ValidationError

from narrator.errors import quoted
from narrator.language.text import Text, digest
from narrator.rules.model import refusal
from narrator.rules.resolve.resolution import FormOffer, Slot
from narrator.rules.settle.suggestion import Suggestion
from narrator.validation.aspect_name import not_an_aspect
from narrator.validation.contradiction import contradicts
from narrator.validation.judge import Judge
from narrator.validation.mechanics import Stated, stated_in
from narrator.validation.safety import unsafe
from narrator.validation.shape import misshapen, too_long
from narrator.validation.verdict import Candidate, Rejection, Verdict, Violation

ENDLESS = 4_000
"""A text with more characters is refused unread."""

GIVEN = "given"
"""The source of a suggestion that came from the caller."""

_Texts = dict[str, Text]
"""The name, if there is one, and the detail."""

_Stated = dict[str, tuple[Stated, ...]]
"""The mechanics that each text states."""


def check(
    candidate: object,
    judge: Judge,
    *,
    accepted: Sequence[Suggestion] = (),
    source: str = GIVEN,
    shape: type[Candidate] = Candidate,
) -> Verdict:
    """Judge a candidate. Pure, and never raises: any value gets a verdict.

    Args:
        candidate: Any JSON value.
        accepted: The suggestions accepted earlier in the same answer.
        source: The source that an accepted suggestion gets.
        shape: `Chosen` if the detail may be omitted.
    """
    notices = judge.unjudged or None
    given = _given(candidate, shape)
    found = next(_violations(given, judge, accepted), None)
    if isinstance(given, Violation) or found is not None:
        return Verdict(rejected=Rejection(candidate=_shown(candidate), **dict(found or given)), notices=notices)
    slot, offer = _place(given, judge)
    assert slot is not None, "a candidate without violations has a slot"
    assert offer is not None, "and a form"
    to = given.to or (offer.to[0] if offer.to else None)
    passed = Suggestion.of(
        slot, offer, to=to, name=given.name, detail=given.detail, severity=given.severity, source=source
    )
    return Verdict(accepted=passed, notices=notices)


def violations(candidate: object, judge: Judge, *, accepted: Sequence[Suggestion] = ()) -> Iterator[Violation]:
    """Find all errors of a candidate, in the order of the codes. A malformed or endless one is read no further."""
    yield from _violations(_given(candidate), judge, accepted)


def _given(candidate: object, shape: type[Candidate] = Candidate) -> Candidate | Violation:
    try:
        return shape.model_validate(candidate)
    except ValidationError as error:
        found = refusal(error, shape)
        subject = f"The field {found.field}" if found.field else "A suggestion"
        return Violation(code="malformed", field=found.field, message=f"{subject}: {found.message}.")


def _violations(given: Candidate | Violation, judge: Judge, accepted: Sequence[Suggestion]) -> Iterator[Violation]:
    if isinstance(given, Violation):
        yield given
        return
    slot, offer = _place(given, judge)
    yield from misshapen(given, slot, offer, judge)
    if any(len(text) > ENDLESS for _, text in given.texts()):
        yield from too_long(given)
        return
    texts = {field: Text(text, judge.lexicon) for field, text in given.texts()}
    yield from _unsafe_text(texts)
    yield from too_long(given)
    stated = {field: tuple(stated_in(text)) for field, text in texts.items()}
    yield from _not_an_aspect(texts, stated, judge)
    yield from _mechanics_in_text(stated)
    yield from _contradicts_outcome(texts, slot, offer, judge)
    yield from _over_the_line(texts, judge)
    yield from _duplicate(texts, offer, judge, accepted)
    yield from _repeating(texts, judge)


def wording(
    name: str, judge: Judge, *, accepted: Sequence[Suggestion] = (), said: Sequence[str] = ()
) -> Violation | None:
    """Judge a player's name for a consequence that they take, and give its first error. Only errors that would bother
    others count, not the phrasing.

    Args:
        said: The names of the other consequences taken with it.
    """
    given = Candidate.model_construct(slot="", form="", name=name, detail="")
    if not name.strip():
        return Violation(code="malformed", field="name", message="The name is empty.")
    if len(name) > ENDLESS:
        return next(too_long(given), None)
    texts = {"name": Text(name, judge.lexicon)}
    found = chain(
        _unsafe_text(texts),
        too_long(given),
        _over_the_line(texts, judge),
        _duplicate(texts, None, judge, accepted),
        _said_twice(texts["name"], judge, said),
    )
    return next(found, None)


def spoken(text: str, judge: Judge) -> Violation | None:
    """Judge text without a form, such as that of a move: whether this table may hear it."""
    texts = {"text": Text(text[:ENDLESS], judge.lexicon)}
    stated = {"text": tuple(stated_in(texts["text"]))}
    return next(chain(_unsafe_text(texts), _mechanics_in_text(stated), _over_the_line(texts, judge)), None)


def _said_twice(name: Text, judge: Judge, said: Sequence[str]) -> Iterator[Violation]:
    if name.key in judge.keys(said):
        message = f"The name {quoted(name.written)} is given to two consequences: choose another name for one."
        yield Violation(code="duplicate", field="name", message=message)


def _place(given: Candidate, judge: Judge) -> tuple[Slot | None, FormOffer | None]:
    slot = next((slot for slot in judge.ruling.slots if slot.id == given.slot), None)
    return slot, slot.offer(given.form) if slot is not None else None


def _unsafe_text(texts: _Texts) -> Iterator[Violation]:
    for field, text in texts.items():
        if (what := unsafe(text.written)) is not None:
            message = f"The {field} has {what}: write plain words."
            yield Violation(code="unsafe_text", field=field, message=message)


def _not_an_aspect(texts: _Texts, stated: _Stated, judge: Judge) -> Iterator[Violation]:
    if "name" in texts and (why := not_an_aspect(texts["name"], judge.names, stated["name"])) is not None:
        message = f"The name {quoted(texts['name'].written)} is not an aspect: {why}."
        yield Violation(code="not_an_aspect", field="name", message=message)


def _mechanics_in_text(stated: _Stated) -> Iterator[Violation]:
    for field, found in stated.items():
        if found:
            phrase = quoted(found[0].phrase)
            message = f"The {field} states a mechanic, {phrase}: say what happens, and leave mechanics to the rules."
            yield Violation(code="mechanics_in_text", field=field, message=message)


def _contradicts_outcome(
    texts: _Texts, slot: Slot | None, offer: FormOffer | None, judge: Judge
) -> Iterator[Violation]:
    attained = judge.ruling.attained(slot) if slot is not None else None
    if offer is None or offer.goal is not None or attained is None:
        return
    for field, text in texts.items():
        if (phrase := contradicts(text, judge.people, judge.intent, attained)) is not None:
            message = f"The {field} says {quoted(phrase)}, which contradicts the outcome of the roll: keep the outcome."
            yield Violation(code="contradicts_outcome", field=field, message=message)


def _over_the_line(texts: _Texts, judge: Judge) -> Iterator[Violation]:
    for field, text in texts.items():
        if judge.lines.crossed_by(text) is not None:
            message = f"The {field} touches a subject that this table excludes: avoid the whole subject."
            yield Violation(code="over_the_line", field=field, message=message)


def _duplicate(
    texts: _Texts, offer: FormOffer | None, judge: Judge, accepted: Sequence[Suggestion]
) -> Iterator[Violation]:
    for field, text in texts.items():
        if judge.struck and digest(text.key) in judge.struck:
            # The message does not repeat struck words.
            message = f"The {field} was struck out at this table: use other words."
            yield Violation(code="duplicate", field=field, message=message)
            continue
        known = judge.in_play | judge.keys([offer.on if offer else None]) if field == "name" else frozenset()
        where = (
            "already in play"
            if text.key in known
            else "in the scene's recent texts"
            if text.key in judge.lately
            else "already in this answer"
            if text.key in judge.keys(getattr(each, field) for each in accepted)
            else None
        )
        if where and text.key:
            message = f"The {field} {quoted(text.written)} is {where}: use other words."
            yield Violation(code="duplicate", field=field, message=message)


def _repeating(texts: _Texts, judge: Judge) -> Iterator[Violation]:
    name = texts["name"].key if "name" in texts else ()
    for field, text in texts.items():
        if not text.key:
            continue
        what = judge.repeated.by_name(name) if field == "name" else judge.repeated.by_detail(text.key, name)
        if what is None and judge.instructions.are_said_in(text.folded):
            what = "the prompt"
        if what is not None:
            message = f"The {field} {quoted(text.written)} only repeats {what}: say something new."
            yield Violation(code="duplicate", field=field, message=message)


def _shown(candidate: object, depth: int = 4) -> Any:
    """Return a candidate for a rejection: as JSON, and of limited size."""
    most = 40
    match candidate:
        case None | bool():
            return candidate
        case int() | float():
            return candidate if abs(candidate) < 1e15 else type(candidate).__name__
        case str():
            text = candidate.encode("utf-8", "replace").decode()
            return text if len(text) <= 1_000 else f"{text[:999]}…"
        case dict() | list() | tuple() if depth == 0:
            return "…"
        case dict():
            return {str(_shown(key, 0)): _shown(value, depth - 1) for key, value in islice(candidate.items(), most)}
        case list() | tuple():
            return [_shown(each, depth - 1) for each in candidate[:most]]
    return type(candidate).__name__
