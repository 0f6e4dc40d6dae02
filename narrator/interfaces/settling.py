"""From the letters of a page to a choice: `s2`, and the options that say the rest."""

import re
from collections.abc import Sequence
from typing import Any

from narrator.errors import NarratorError, quoted
from narrator.interfaces.typed import TypedChoice
from narrator.render.labels import Labels, labels, pick
from narrator.rules.choice import Suggestion
from narrator.rules.resolution import Branch, Grant, Resolution

Json = dict[str, Any]

_BOXES = re.compile(r"\d+(?:\s*[,+ ]\s*\d+)+")
_TAKEN = re.compile(r"(?:(?P<what>box|stress)\s+)?(?P<number>\d{1,9})|(?P<level>[^=]+?)\s*=\s*(?P<name>.+)", re.DOTALL)


def choice_of(printed: Resolution, answer: object, letters: str, typed: TypedChoice) -> Json:
    """Make the choice that the letters of a saved page mean.

    Args:
        printed: What the page was made of.
        answer: What `--save` kept of the answer; without one there are no suggestions to number.

    Raises:
        NarratorError: `bad_choice`, with what the page offers.
    """
    branch, chosen, own = pick(letters, labels_of(printed, answer), typed.form)
    words = [each.as_json() for each in chosen]
    if own is not None:
        words.append({"slot": own.id, "form": typed.form, "name": typed.name, "detail": typed.detail})
    elif typed.name is not None or typed.detail is not None:
        if len(words) != 1:
            raise NarratorError("bad_choice", "name", "words of your own stand for one suggestion, or have a form")
        # The detail of a card tells what the card's own name means.
        words[0] |= {"detail": typed.detail} if typed.name is None else {"name": typed.name, "detail": typed.detail}
    grants = _grants(branch, typed)
    _direct(words, branch, typed, is_used=any(each["to"] is not None for each in grants))
    choice: Json = {
        "branch": branch.id,
        "suggestions": words,
        "grants": grants,
        "dealt": answer.get("dealt") if isinstance(answer, dict) else None,
        "taken_out": typed.taken_out,
        "holder": typed.holder,
        "track": typed.track,
        "zone": None if _moves(branch) else typed.zone,
    }
    level = _level(words, branch, typed)
    if typed.absorb or level is not None:
        choice["absorb"] = _absorb(typed.absorb or (), branch, level)
    return choice


def labels_of(printed: Resolution, answer: object) -> Labels:
    """Label what a saved page offers, as it was printed."""
    given = [answer.get(field) for field in ("drafts", "suggestions")] if isinstance(answer, dict) else []
    listed = [each for some in given if isinstance(some, list) for each in some]
    suggestions = tuple(_suggestion(each, place) for place, each in enumerate(listed))
    return labels(printed, suggestions)


def _direct(words: list[Json], branch: Branch, typed: TypedChoice, *, is_used: bool) -> None:
    """Give suggestions to whom `--to` names, where their form may go there."""
    if typed.to is None:
        return
    eligible: set[str] = set()
    for each in words:
        slot = next(slot for slot in branch.slots if slot.id == each["slot"])
        offer = slot.offer(each["form"])
        names = offer.to or () if offer is not None else ()
        eligible |= set(names)
        if typed.to in names:
            each["to"] = typed.to
            is_used = True
    if not is_used:
        eligible |= {name for grant in branch.grants for name in grant.to}
        raise NarratorError("bad_choice", "to", f"nothing here may go to {quoted(typed.to)}", sorted(eligible))


def _suggestion(given: Any, place: int) -> Suggestion:
    try:
        return Suggestion.model_validate(given, strict=False)
    except ValueError:
        message = "this is no suggestion of ours; save the answer anew"
        raise NarratorError("bad_choice", f"answer.suggestions.{place}", message) from None


def _grants(branch: Branch, typed: TypedChoice) -> list[Json]:
    """Say who gets what leaves a choice, where a move goes, and whether whoever may move along does."""
    chosen = []
    for index, grant in enumerate(branch.grants):
        to = typed.to if len(grant.to) > 1 and typed.to in grant.to else None
        on = typed.zone if _is_open_move(grant) else None
        follows = typed.follow and grant.type == "may_move"
        if to is not None or on is not None or follows:
            chosen.append({"index": index, "to": to, "on": typed.zone if follows else on})
    if typed.follow and not any(grant.type == "may_move" for grant in branch.grants):
        raise NarratorError("bad_choice", "follow", f"nobody may move along in {branch.id}")
    return chosen


def _moves(branch: Branch) -> bool:
    return any(_is_open_move(grant) for grant in branch.grants)


def _is_open_move(grant: Grant) -> bool:
    return grant.type == "move" and grant.on is None


def _level(words: list[Json], branch: Branch, typed: TypedChoice) -> str | None:
    """Find the level of the consequence that is worded: own words are for the one that was typed, else for the
    mildest.
    """
    for slot in branch.slots:
        for each in (each for each in words if each["slot"] == slot.id and slot.may_stay_empty):
            offer = slot.offer(each["form"])
            levels = (offer.severities if offer else None) or ()
            each.setdefault("severity", next((level for level in typed.absorb or () if level in levels), levels[0]))
            return str(each["severity"])
    return None


def _absorb(typed: Sequence[str], branch: Branch, worded: str | None) -> Json:
    """Read how a hit is absorbed: a number alone is the box, or the sum of several; with others each is a box. The
    level that a suggestion words is taken in any case; where nothing is typed, by the one way that has it alone.
    """
    consequences: list[Json] = [{"severity": worded}] if worded is not None else []
    if not typed:
        ways = [way for grant in branch.grants for way in grant.absorb or () if way.consequences == (worded,)]
        if len(ways) > 1 and all(way.stress and not way.boxes for way in ways):
            boxes = " or ".join(f"--absorb {way.stress}" for way in ways)
            raise NarratorError("bad_choice", "--absorb", f"say which box goes with it: {boxes}")
        return {"stress": ways[0].stress if len(ways) == 1 else None, "consequences": consequences}
    numbers: list[int] = []
    is_box = False
    for text in (each.strip() for each in typed if each.strip() != worded):
        found = _TAKEN.fullmatch(text)
        if found is None:
            raise NarratorError("bad_choice", "--absorb", _no_way(text, branch))
        if found["number"]:
            numbers.append(int(found["number"]))
            is_box = is_box or found["what"] == "box" or len(numbers) > 1
        else:
            consequences.append({"severity": found["level"].strip(), "name": found["name"].strip()})
    stress = {"boxes": numbers} if is_box else {"stress": numbers[0]} if numbers else {}
    return {**stress, "consequences": consequences}


def _no_way(text: str, branch: Branch) -> str:
    """Say how to type what was meant: a level without its name, several boxes at once, or neither."""
    levels = {level for grant in branch.grants for way in grant.absorb or () for level in way.consequences}
    if text in levels:
        return f'name it: --absorb "{text}=..."'
    if _BOXES.fullmatch(text):
        return "one --absorb for each box"
    return f'{quoted(text)} is no way to absorb; such as 2, or "mild=Split Lip"'
