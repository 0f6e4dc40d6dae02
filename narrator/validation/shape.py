"""Judges the shape of a suggestion: whether the row has its slot, form and mechanics."""

from collections.abc import Iterator

from narrator.errors import quoted
from narrator.rules.resolve.resolution import MECHANICS, FormOffer, Slot
from narrator.validation.judge import Judge
from narrator.validation.verdict import LONGEST_DETAIL, LONGEST_NAME, Candidate, Violation

_OUTCOMES = {
    "fail": "A failure",
    "tie": "A tie",
    "succeed": "A success",
    "succeed_with_style": "A success with style",
}


def misshapen(given: Candidate, slot: Slot | None, offer: FormOffer | None, judge: Judge) -> Iterator[Violation]:
    """Find the errors of a candidate that its texts don't cause: the codes from `malformed` to `wrong_mechanics`."""
    yield from _malformed(given, judge)
    if slot is None:
        slots = ", ".join(each.id for each in judge.ruling.slots)
        message = f"There is no slot {quoted(given.slot)} here. Slots to fill: {slots or 'none'}."
        yield Violation(code="unknown_slot", field="slot", message=message)
        return
    if given.kind is not None and given.kind != slot.kind:
        message = f"The slot {slot.id} is of kind {slot.kind}, not {quoted(given.kind)}."
        yield Violation(code="wrong_kind", field="kind", message=message)
    if offer is None:
        yield Violation(code="form_not_allowed", field="form", message=_not_allowed(given, slot, judge))
        return
    yield from _not_eligible(given, offer)
    yield from _wrong_mechanics(given, offer)


def too_long(given: Candidate) -> Iterator[Violation]:
    """Find a name or detail with too many characters."""
    for field, text in given.texts():
        most = LONGEST_NAME if field == "name" else LONGEST_DETAIL
        if len(text) > most:
            message = f"The {field} has {len(text)} characters; at most {most} are allowed."
            yield Violation(code="too_long", field=field, message=message)


def _malformed(given: Candidate, judge: Judge) -> Iterator[Violation]:
    for field, text in (("name", given.name), ("detail", given.detail), ("to", given.to)):
        if text and not text.strip():
            yield Violation(code="malformed", field=field, message=f"The {field} is empty.")
    if not any(map(str.isalpha, given.detail)) and any(map(str.isdigit, given.detail)):
        yield Violation(code="malformed", field="detail", message="The detail has no words, only digits.")
    form = judge.ruling.ruleset.forms.get(given.form)
    if form is None:
        return
    if form.name is not None and given.name is None:
        message = f"The form {given.form} needs a name: {form.name}."
        yield Violation(code="malformed", field="name", message=message)
    if form.name is None and given.name is not None:
        message = f"The form {given.form} has no name: leave it out, and put it into the detail."
        yield Violation(code="malformed", field="name", message=message)
    if form.name is None and not given.detail:
        yield Violation(code="malformed", field="detail", message=f"The form {given.form} needs a detail.")


def _not_allowed(given: Candidate, slot: Slot, judge: Judge) -> str:
    action = judge.ruling.resolution.action.type
    outcome = _OUTCOMES.get(judge.ruling.resolution.outcome, f"The outcome {judge.ruling.resolution.outcome}")
    allowed = ", ".join(offer.form for offer in slot.forms)
    message = f"{outcome} on {action} allows {allowed}"
    form = judge.ruling.ruleset.forms.get(given.form)
    if form is None:
        return f"{message}; there is no form {quoted(given.form)}."
    if slot.kind not in form.kinds:
        kinds = " or ".join(kind.replace("_", " ") for kind in form.kinds)
        return f"{message}; {_article(given.form)} is {_article(kinds)}."
    return f"{message}; {_article(given.form)} is not available here."


def _not_eligible(given: Candidate, offer: FormOffer) -> Iterator[Violation]:
    eligible = offer.to or ()
    if given.to is not None and given.to not in eligible:
        known = f"one of these: {', '.join(eligible)}" if eligible else "nobody: leave `to` out"
        message = f"The form {offer.form} can't go to {quoted(given.to)}. It goes to {known}."
        yield Violation(code="not_eligible", field="to", message=message)
    if given.to is None and len(eligible) > 1:
        message = f"The form {offer.form} needs one of these in `to`: {', '.join(eligible)}."
        yield Violation(code="not_eligible", field="to", message=message)


def _wrong_mechanics(given: Candidate, offer: FormOffer) -> Iterator[Violation]:
    if offer.severities and given.severity is not None and given.severity not in offer.severities:
        message = f"In the form {offer.form}, severity must be one of these: {', '.join(offer.severities)}."
        yield Violation(code="wrong_mechanics", field="severity", message=message)
    for field in MECHANICS:
        if field == "severity" and offer.severities:
            continue
        claimed, ours = getattr(given, field), getattr(offer, field)
        ours = list(ours) if isinstance(ours, tuple) else ours
        if claimed is not None and claimed != ours and (claimed or ours):
            right = f"is {ours} here" if ours is not None else "does not apply"
            message = f"In the form {offer.form}, {field} {right}. Leave it out: the rules fill it in."
            yield Violation(code="wrong_mechanics", field=field, message=message)


def _article(words: str) -> str:
    words = words.replace("_", " ")
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"
