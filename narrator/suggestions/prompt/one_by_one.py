"""The prompt for a single suggestion, simple enough for a small model: the story so far, and examples."""

import json
from collections.abc import Iterator
from typing import Final

from narrator.resources import prompt_part
from narrator.rules.request.language_tag import primary
from narrator.rules.request.scene import GM
from narrator.rules.resolve.resolution import FormOffer, Slot
from narrator.rules.ruleset.row import FormSpec
from narrator.suggestions.prompt.commission import Commission
from narrator.suggestions.prompt.relevance import clipped, json_line, present

SHOWN: Final = 3
"""Examples in a prompt: one of the form, and two of similar forms."""

LONGEST: Final = 200
"""Characters of the summary, and of the intent."""

# What became of the attempt. If you change a sentence, give the prompt part a new version.
_RESULTS: Final = {
    ("serious_cost", "attained"): "It works, but something bad happens.",
    ("serious_cost", "not_attained"): "It fails, and something bad happens.",
    ("minor_cost", "attained"): "It works, but something goes a little wrong.",
    ("minor_cost", "not_attained"): "It fails, and something goes a little wrong.",
    ("boost", "attained"): "It works, and there is a short chance to gain more.",
    ("boost", "not_attained"): "It fails, but there is a short chance for something else.",
    ("aspect", "attained"): "It works. Something is different now.",
    ("aspect", "not_attained"): "It fails. Something is different now.",
}
_OPEN: Final = {
    "serious_cost": "Something bad happens.",
    "minor_cost": "Something goes a little wrong.",
    "boost": "There is a short chance.",
    "aspect": "Something is different now.",
    "consequence": "It hurts.",
}


def messages(commission: Commission) -> tuple[tuple[str, str], ...]:
    """Return chat messages for the one suggestion of a brief: the prompt, examples as earlier turns, and the story so
    far.

    Users' text goes into the JSON data, never into an instruction. What to write is JSON text as well, since a table
    may write its own forms. It stands outside the object: inside, a model would take it for a part of the story.

    The model is not told the table's lines, what was said, or what was refused: a small model writes what it reads. The
    check refuses these.
    """
    (slot, _) = commission.wanted[0]
    offer = slot.forms[0]
    result = _result(commission, slot)
    turns: list[tuple[str, str]] = [("system", prompt_part("one_by_one").text)]
    for form in reversed([*_alike(commission, slot, offer.form)][:SHOWN]):
        example = form.example
        assert example is not None, "`_alike` gives only forms with an example"
        turns.append(("user", _asked(form, f"{example.story} {result}".strip())))
        turns.append(("assistant", json.dumps(present({"detail": example.detail, "name": example.name}))))
    story = " ".join(part for part in (*_so_far(commission), result, *_aside(commission, slot, offer)) if part)
    language = commission.language if primary(commission.language) != "en" else None
    turns.append(("user", _asked(commission.ruleset.forms[offer.form], story, language)))
    return tuple(turns)


def _asked(form: FormSpec, story: str, language: str | None = None) -> str:
    return f"{json_line(present({'story': story, 'language': language}))}\n{json_line(f'Write {form.brief}.')}"


def _alike(commission: Commission, slot: Slot, name: str) -> Iterator[FormSpec]:
    """Give the forms that have an example: first the wanted one, then the most similar."""
    forms = commission.ruleset.forms
    wanted = forms[name]
    shown = [form for form in forms.values() if form.example and (form.name is None) == (wanted.name is None)]
    yield from sorted(shown, key=lambda form: (form is not wanted, slot.kind not in form.kinds))


def _so_far(commission: Commission) -> Iterator[str]:
    request = commission.request
    yield _sentence(clipped(request.scene.summary, LONGEST))
    intent = clipped(request.action.intent, LONGEST)
    who = _called(commission, request.action.actor)
    if commission.purpose == "word":
        yield _sentence(intent)
        yield _sentence(who if who != GM else "")
    elif intent:
        yield _sentence(f"{who} tries to {intent}")


def _aside(commission: Commission, slot: Slot, offer: FormOffer) -> Iterator[str]:
    if slot.draft:
        yield f"They call it: {_sentence(slot.draft)}"
    if offer.severities:
        yield f"The harm is {offer.severities[0]}."
    about = offer.on or (offer.to[0] if offer.to else None)
    if about and about not in (GM, commission.request.action.actor):
        yield f"It is about {_sentence(_called(commission, about))}"


def _result(commission: Commission, slot: Slot) -> str:
    goals = {branch.goal for branch in commission.carriers(slot)}
    goal = next(iter(goals)) if len(goals) == 1 else ""
    return _RESULTS.get((slot.kind, goal), _OPEN.get(slot.kind, ""))


def _called(commission: Commission, name: str) -> str:
    found = (each.called for each in commission.request.scene.characters if each.name == name)
    return next(found, None) or name


def _sentence(text: str) -> str:
    text = text.strip()
    return text if not text or text[-1] in ".!?…" else f"{text}."
