"""Cards: suggested words with what they give, to whom, and the choices about them."""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from narrator.page.table import Chip, Row
from narrator.render import phrases
from narrator.rules.resolve.resolution import FormOffer, Slot
from narrator.rules.settle.suggestion import Suggestion

Mark = str
"""The name of a symbol: `fail`, `tie`, `success`, `style`, `cost`, `boost` or `free`."""

COSTS = ("serious_cost", "minor_cost")


class Card(NamedTuple):
    """Words to choose from."""

    value: str
    """The suggestion as JSON, which the form sends."""
    kind: str
    name: str
    detail: str
    gives: str
    mark: Mark
    choices: Sequence[Row]
    """The choices of who gets what."""
    secret: bool


def key_of(value: str) -> str:
    """The key in the field names of a card's choices."""
    return sha256(value.encode()).hexdigest()[:8]


def card_of(slot: Slot, offer: FormOffer, given: Suggestion) -> Card:
    """Make the card of words for a slot."""
    wanted = ("slot", "form", "to", "name", "detail", "severity", "card")
    value = json.dumps({name: told for name in wanted if (told := getattr(given, name))})
    key, choices = key_of(value), []
    if offer.to and len(offer.to) > 1:
        named = next((name for name in offer.to if name in given.detail), given.to)
        choices.append(choice(f"to.{key}", "", offer.to, named))
    if offer.holders and len(offer.holders) > 1:
        choices.append(choice(f"holder.{key}", "The free invocation for", offer.holders))
    if offer.tracks and len(offer.tracks) > 1:
        choices.append(choice(f"track.{key}", "On", offer.tracks))
    kind = "boost" if slot.kind == "boost" else "cost" if slot.kind in (*COSTS, "consequence") else "free"
    return Card(
        value=value,
        kind=offer.label,
        name=given.name or "",
        detail=given.detail,
        gives=_gives(offer, given, is_open=bool(choices)),
        mark=kind,
        choices=choices,
        secret=bool(given.secret),
    )


def _gives(offer: FormOffer, given: Suggestion, *, is_open: bool) -> str:
    """What words give, in a line. If the recipient is still open, a row of chips follows."""
    if given.free_invocations:
        number = phrases.count(given.free_invocations, "free invocation")
        return (
            f"{number} for" if is_open else f"{number} for {phrases.either(given.holders or (given.to or 'nobody',))}"
        )
    if given.severity:
        return f"{given.severity} consequence for {given.to}" if given.to else given.severity
    told = "; ".join(phrases.mechanics(given))
    return told or "true from now on"


def choice(
    name: str, legend: str, names: Sequence[str], chosen: str | None = None, *, may_be_none: bool = False
) -> Row:
    """A row of names, of which one is chosen, by default the first."""
    chips = [*([Chip("", "Nobody")] if may_be_none else []), *(Chip(each, each) for each in names)]
    first = chosen if chosen in names else chips[0].value
    return Row(name, legend, chips, [first or ""])
