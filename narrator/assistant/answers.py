"""Rolls and entries for a chat: the JSON of the contract, reduced to what the chat needs."""

from narrator.campaign.records import Entry, Page
from narrator.render.roll_view import roll
from narrator.rules.json_text import Json
from narrator.rules.settle.suggestion import Suggestion

_OF_ROLL = ("outcome", "shifts", "branches", "notices")
_OF_WORDS = ("slot", "form", "to", "name", "detail")


def of_page(page: Page) -> Json:
    """Describe a page: the dice, the outcome, the branches, and the deck's words."""
    resolution, is_open = page.answer.resolution, page.state == "open"
    lines = ("".join(span.text for span in each.spans) for each in roll(page.request, resolution))
    aloud = "; ".join(" ".join(each.split()) for each in lines)
    told: Json = {"page": page.id, "dice": page.dice, "state": page.state, "aloud": aloud}
    found = resolution.as_json()
    shown = [name for name in _OF_ROLL if found.get(name) not in (None, []) and (is_open or name != "branches")]
    told |= {name: found[name] for name in shown}
    if not is_open:
        return told | {"next": "This roll is settled: go on from the choice."}
    if words := [of_suggestion(each) for each in page.answer.suggestions]:
        told["suggestions"] = words
    wants_words = any(slot.forms and not slot.may_stay_empty for slot in resolution.slots())
    hits = any(grant.type == "hit" for branch in resolution.branches for grant in branch.grants)
    how = "your own words or a suggestion for each of its slots" if wants_words else "no words"
    how += ", and `absorb` or `taken_out` for the hit" if hits else ""
    return told | {"next": f"Ask the person who chooses, then settle {page.id}: one branch, with {how}."}


def of_suggestion(each: Suggestion) -> Json:
    """The fields of words that the chat can send back."""
    return {name: value for name in _OF_WORDS if (value := getattr(each, name)) is not None}


def of_entry(entry: Entry) -> Json:
    """Describe an entry and its changes."""
    told: Json = {"entry": entry.seq, "text": entry.text, "revision": entry.revision}
    return told | {"changes": [each.text for each in entry.changes]} if entry.changes else told


def line_of(entry: Entry) -> str:
    """Describe an entry in a line of the log."""
    dice = f", dice {entry.dice}" if entry.dice else ""
    return f"{entry.seq} {entry.kind}{dice}{', taken back' if entry.undone else ''}: {entry.text}"
