"""Makes the choice for `settle` from the fields of a roll's form, and judges the user's own words."""

from narrator.api.requests import ruled
from narrator.campaign.campaign import Campaign
from narrator.errors import RequestError
from narrator.page.cards import key_of
from narrator.page.form import Form
from narrator.page.outcome import Outcome
from narrator.page.table import Table
from narrator.rules.json_text import Json
from narrator.rules.resolve.resolution import Branch, Slot
from narrator.validation import checker
from narrator.validation.judge import Judge
from narrator.validation.verdict import Chosen

_OWN = "own"


def judged(campaign: Campaign, form: Form) -> Json:
    """Judge the user's own words while they type. The result says what the words give, or how to correct them."""
    page = campaign.page(form.one("page"))
    outcome = Outcome(Table(campaign), page, form)
    slot = next((each for each in outcome.resolution.slots() if each.id == form.one("slot")), None)
    if slot is None:
        raise RequestError("bad_choice", "slot", "this roll doesn't take these words: load the page again")
    asked = page.request.model_copy(update={"scene": outcome.table.scene_for(page), "branch": None})
    found = checker.check(_own_words(form, slot, outcome), Judge(ruled(asked, campaign.rulesets)), shape=Chosen)
    if found.accepted is None:
        assert found.rejected is not None, "what is not accepted is rejected"
        return {"fits": False, "text": found.rejected.message}
    card = outcome.card(slot, found.accepted)
    assert card is not None, "what is accepted has a form of the slot"
    to = f" {found.accepted.to}" if card.choices else ""
    return {"fits": True, "text": f"Fits: {card.kind}, {card.gives}{to}"}


def choice_of(form: Form, outcome: Outcome) -> Json:
    """Make the choice from a form, for the chosen branch."""
    branch = outcome.branch
    slots = [each for each in branch.slots if form.one(f"pick.{each.id}")]
    picks = [form.one(f"pick.{slot.id}") for slot in slots]
    keys = [pick if pick == _OWN else key_of(pick) for pick in picks]
    choice: Json = {
        "branch": branch.id,
        "suggestions": [_words(form, slot, key, outcome) for slot, key in zip(slots, keys, strict=True)],
        "grants": _grants(form, branch),
    }
    for field in ("holder", "track"):
        told = [form.one(f"{field}.{key}") for key in keys]
        choice |= {field: next(filter(None, told))} if any(told) else {}
    if form.one("taken_out"):
        wounds = {slot.id for slot in branch.slots if slot.may_stay_empty}
        choice["suggestions"] = [each for each in choice["suggestions"] if each["slot"] not in wounds]
        return {**choice, "taken_out": True}
    if (way := outcome.way(branch)) is not None:
        named = len(way.consequences) > 1
        levels = [{"severity": each, "name": form.one(f"level.{each}") if named else None} for each in way.consequences]
        choice["absorb"] = {"stress": way.stress, "boxes": way.boxes and list(way.boxes), "consequences": levels}
    return choice


def _own_words(form: Form, slot: Slot, outcome: Outcome) -> Json:
    """The user's own words for a slot, as a candidate. If no recipient is given, it adds the first possible one."""
    fields = ("form", "to", "name", "detail", "severity")
    told: Json = {name: value for name in fields if (value := form.one(f"{_OWN}.{slot.id}.{name}"))}
    offer = slot.offer(told.get("form", ""))
    if offer is not None and told.get("to") not in (offer.to or ()):
        told["to"] = next(iter(offer.to or ()), None)
    if offer is not None and outcome.table.played.forms[offer.form].name is None:
        told["detail"] = told.get("detail") or told.pop(
            "name", ""
        )  # this form has no name, so the typed name is the detail
        told.pop("name", None)
    return {"slot": slot.id, **told}


def _words(form: Form, slot: Slot, key: str, outcome: Outcome) -> Json:
    if key == _OWN:
        return _own_words(form, slot, outcome)
    to = form.one(f"to.{key}")
    return {**form.json(f"pick.{slot.id}"), **({"to": to} if to else {})}


def _grants(form: Form, branch: Branch) -> list[Json]:
    found = []
    for index in range(len(branch.grants)):
        told = {part: form.one(f"grant.{index}.{part}") for part in ("to", "on")}
        told = {part: value for part, value in told.items() if value}
        found += [{"index": index, **told}] if told else []
    return found
