"""The check: judges a suggestion from anywhere against the table row that the request resolves to."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from pydantic import ValidationError

from narrator.errors import quoted
from narrator.rules.action import Request
from narrator.rules.choice import Suggestion
from narrator.rules.invoking import aspects_in_play
from narrator.rules.model import refusal
from narrator.rules.resolution import MECHANICS, Branch, FormOffer, Resolution, Slot
from narrator.rules.ruleset import Ruleset
from narrator.validation.aspect_phrase import not_an_aspect, same_wording_key
from narrator.validation.language import load
from narrator.validation.meaning import contradicts, crosses, states_mechanic
from narrator.validation.safety import unsafe
from narrator.validation.verdict import LONGEST_DETAIL, LONGEST_NAME, Candidate, Rejection, Verdict, Violation

ENDLESS = 4_000
"""Characters of a text that is too long whatever it says, and is not read."""

OUTCOMES = {
    "fail": "A failure",
    "tie": "A tie",
    "succeed": "A success",
    "succeed_with_style": "A success with style",
}


@dataclass(frozen=True)
class Standard:
    """
    What a candidate is judged against: the row in the resolution, the scene, and what was accepted before it.
    """

    request: Request
    resolution: Resolution
    ruleset: Ruleset
    accepted: tuple[Suggestion, ...] = ()


def check(candidate: object, standard: Standard, *, source: str = "given") -> Verdict:
    """
    Judge a candidate. Pure, and without exceptions: anything at all gets a verdict.

    Args:
        candidate: What was suggested: any JSON value.

        source: What an accepted suggestion names as its source.
    """
    notices = unjudged(standard.request) or None
    found = next(violations(candidate, standard), None)
    if found is not None:
        return Verdict(rejected=Rejection(candidate=_shown(candidate), **dict(found)), notices=notices)
    given = Candidate.model_validate(candidate)
    slot = _slot(given, standard)
    assert slot is not None, "a candidate without violations has a slot"
    offer = slot.offer(given.form)
    assert offer is not None, "and a form"
    return Verdict(
        accepted=Suggestion.of(
            slot, offer, to=_recipient(given, offer), name=given.name, detail=given.detail, source=source
        ),
        notices=notices,
    )


def violations(candidate: object, standard: Standard) -> Iterator[Violation]:
    """
    Find all that is wrong with a candidate, in the order of the codes. A candidate of no shape, and words
    without end, are not judged any further.
    """
    try:
        given = Candidate.model_validate(candidate)
    except ValidationError as error:
        found = refusal(error, Candidate)
        subject = f"The field {found.field}" if found.field else "A suggestion"
        yield Violation(code="malformed", field=found.field, message=f"{subject}: {found.message}.")
        return
    yield from _malformed(given, standard.ruleset)
    slot = _slot(given, standard)
    offer = slot.offer(given.form) if slot is not None else None
    yield from _structure(given, slot, offer, standard)
    if any(len(text) > ENDLESS for _, text in _texts(given)):
        yield from _too_long(given)
        return
    yield from _unsafe_text(given)
    yield from _too_long(given)
    yield from _not_an_aspect(given, standard)
    yield from _mechanics_in_text(given, standard)
    yield from _contradicts_outcome(given, slot, offer, standard)
    yield from _over_the_line(given, standard)
    yield from _duplicate(given, offer, standard)


def wording(name: str, standard: Standard) -> Violation | None:
    """
    Judge what somebody at the table calls a consequence they take: the first thing that is wrong with it, of what
    would be in the way of others. How it is put is theirs.
    """
    given = Candidate.model_construct(slot="", form="", name=name, detail="")
    if not name.strip():
        return Violation(code="malformed", field="name", message="The name is empty.")
    if len(name) > ENDLESS:
        return next(_too_long(given), None)
    found = chain(
        _unsafe_text(given),
        _too_long(given),
        _over_the_line(given, standard),
        _duplicate(given, None, standard),
    )
    return next(found, None)


def unjudged(request: Request) -> tuple[str, ...]:
    """
    Say what the check cannot judge in the scene's language.
    """
    language = request.scene.language
    if load(language) is not None:
        return ()
    return (f"There is no lexicon for the language {quoted(language)}: words are not judged by what they mean.",)


def _structure(given: Candidate, slot: Slot | None, offer: FormOffer | None, standard: Standard) -> Iterator[Violation]:
    if slot is None:
        slots = ", ".join(each.id for each in standard.resolution.slots(standard.request.branch))
        message = f"There is no slot {quoted(given.slot)} here; what wants words: {slots or 'nothing'}."
        yield Violation(code="unknown_slot", field="slot", message=message)
        return
    if given.kind is not None and given.kind != slot.kind:
        message = f"The slot {slot.id} is of kind {slot.kind}, not {quoted(given.kind)}."
        yield Violation(code="wrong_kind", field="kind", message=message)
    if offer is None:
        yield Violation(code="form_not_allowed", field="form", message=_not_allowed(given, slot, standard))
        return
    yield from _not_eligible(given, offer)
    yield from _wrong_mechanics(given, offer)


def _slot(given: Candidate, standard: Standard) -> Slot | None:
    slots = standard.resolution.slots(standard.request.branch)
    return next((slot for slot in slots if slot.id == given.slot), None)


def _malformed(given: Candidate, ruleset: Ruleset) -> Iterator[Violation]:
    for field, text in (("name", given.name), ("detail", given.detail), ("to", given.to)):
        if text is not None and not text.strip():
            yield Violation(code="malformed", field=field, message=f"The {field} is empty.")
    form = ruleset.forms.get(given.form)
    if form is None:
        return
    if form.name is not None and given.name is None:
        message = f"The form {given.form} wants a name: {form.name}."
        yield Violation(code="malformed", field="name", message=message)
    if form.name is None and given.name is not None:
        message = f"The form {given.form} takes no name: leave it out, and say it in the detail."
        yield Violation(code="malformed", field="name", message=message)


def _not_allowed(given: Candidate, slot: Slot, standard: Standard) -> str:
    action = standard.resolution.action.type
    outcome = OUTCOMES.get(standard.resolution.outcome, f"The outcome {standard.resolution.outcome}")
    allowed = ", ".join(offer.form for offer in slot.forms)
    message = f"{outcome} on {action} allows {allowed}"
    form = standard.ruleset.forms.get(given.form)
    if form is None:
        return f"{message}; there is no form {quoted(given.form)}."
    if slot.kind not in form.kinds:
        kinds = " or ".join(kind.replace("_", " ") for kind in form.kinds)
        return f"{message}; {_article(given.form)} is {_article(kinds)}."
    return f"{message}; {_article(given.form)} is not to be had here."


def _not_eligible(given: Candidate, offer: FormOffer) -> Iterator[Violation]:
    eligible = offer.to or ()
    if given.to is not None and given.to not in eligible:
        known = f"goes to one of these: {', '.join(eligible)}" if eligible else "goes to nobody"
        message = f"The form {offer.form} {known}; {quoted(given.to)} is not on the list."
        yield Violation(code="not_eligible", field="to", message=message)
    if given.to is None and len(eligible) > 1:
        message = f"The form {offer.form} must name in `to` one of these: {', '.join(eligible)}."
        yield Violation(code="not_eligible", field="to", message=message)


def _recipient(given: Candidate, offer: FormOffer) -> str | None:
    return given.to or (offer.to[0] if offer.to else None)


def _wrong_mechanics(given: Candidate, offer: FormOffer) -> Iterator[Violation]:
    for field in MECHANICS:
        claimed, ours = getattr(given, field), getattr(offer, field)
        ours = list(ours) if isinstance(ours, tuple) else ours
        if claimed is not None and claimed != ours and (claimed or ours):
            right = f"is {ours}" if ours is not None else "has no place"
            message = f"In the form {offer.form}, {field} {right} here; leave it out, the table fills it in."
            yield Violation(code="wrong_mechanics", field=field, message=message)


def _texts(given: Candidate) -> Iterator[tuple[str, str]]:
    if given.name is not None:
        yield "name", given.name
    yield "detail", given.detail


def _unsafe_text(given: Candidate) -> Iterator[Violation]:
    for field, text in _texts(given):
        if (what := unsafe(text)) is not None:
            message = f"The {field} has {what}: write plain words."
            yield Violation(code="unsafe_text", field=field, message=message)


def _too_long(given: Candidate) -> Iterator[Violation]:
    for field, text in _texts(given):
        most = LONGEST_NAME if field == "name" else LONGEST_DETAIL
        if len(text) > most:
            message = f"The {field} has {len(text)} characters; at most {most} are allowed."
            yield Violation(code="too_long", field=field, message=message)


def _not_an_aspect(given: Candidate, standard: Standard) -> Iterator[Violation]:
    if given.name is None:
        return
    scene = standard.request.scene
    names = {standard.resolution.action.actor, *(each.name for each in scene.characters)}
    why = not_an_aspect(given.name, tuple(sorted(names)), load(scene.language))
    if why is not None:
        yield Violation(code="not_an_aspect", field="name", message=f"The name is no aspect: {why}.")


def _mechanics_in_text(given: Candidate, standard: Standard) -> Iterator[Violation]:
    lexicon = load(standard.request.scene.language)
    if lexicon is None:
        return
    for field, text in _texts(given):
        if (phrase := states_mechanic(text, lexicon)) is not None:
            message = f"The {field} states a mechanic, {quoted(phrase)}: tell what happens, the table has the rest."
            yield Violation(code="mechanics_in_text", field=field, message=message)


def _contradicts_outcome(
    given: Candidate, slot: Slot | None, offer: FormOffer | None, standard: Standard
) -> Iterator[Violation]:
    request = standard.request
    lexicon = load(request.scene.language)
    goals = {branch.goal for branch in _carriers(slot, standard)}
    if lexicon is None or offer is None or offer.goal is not None or goals not in ({"attained"}, {"not_attained"}):
        return
    attained = goals == {"attained"}
    actor = request.action.actor
    others = [each.name for each in request.scene.characters if each.name != actor]
    for field, text in _texts(given):
        phrase = contradicts(text, actor, attained, lexicon, others=others, intent=request.action.intent)
        if phrase is not None:
            decided = "is attained" if attained else "is not attained"
            message = f"The {field} says {quoted(phrase)}, but here the goal {decided}: keep to that."
            yield Violation(code="contradicts_outcome", field=field, message=message)


def _carriers(slot: Slot | None, standard: Standard) -> Iterator[Branch]:
    """
    The branches that carry a slot, of those that were asked for.
    """
    for branch in standard.resolution.branches:
        if (
            standard.request.branch in (None, branch.id)
            and slot is not None
            and slot.id in [s.id for s in branch.slots]
        ):
            yield branch


def _over_the_line(given: Candidate, standard: Standard) -> Iterator[Violation]:
    scene = standard.request.scene
    for field, text in _texts(given):
        if crosses(text, (*scene.lines, *scene.veils), scene.language) is not None:
            message = f"The {field} touches something that this table does not want: leave the whole subject."
            yield Violation(code="over_the_line", field=field, message=message)


def _duplicate(given: Candidate, offer: FormOffer | None, standard: Standard) -> Iterator[Violation]:
    scene = standard.request.scene
    lexicon = load(scene.language)
    articles = lexicon.articles if lexicon else frozenset()

    def keys(texts: Iterator[str | None]) -> set[str]:
        return {same_wording_key(text, articles) for text in texts if text} - {""}

    lately = keys(iter(scene.recent))
    in_play = keys(name for name, _ in aspects_in_play(scene)) | keys(iter((offer.on if offer else None,)))
    said_before = {
        "name": (in_play, keys(each.name for each in standard.accepted)),
        "detail": (set(), keys(each.detail for each in standard.accepted)),
    }
    for field, text in _texts(given):
        key = same_wording_key(text, articles)
        known, accepted = said_before[field]
        where = (
            "already in play"
            if key in known
            else "said lately"
            if key in lately
            else "already in this answer"
            if key in accepted
            else None
        )
        if where:
            message = f"The {field} {quoted(text)} is {where}: find other words."
            yield Violation(code="duplicate", field=field, message=message)


def _article(words: str) -> str:
    words = words.replace("_", " ")
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def _shown(candidate: object, depth: int = 4) -> Any:
    """
    Return a candidate as it may stand in a rejection: JSON, and of bounded size.
    """
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
