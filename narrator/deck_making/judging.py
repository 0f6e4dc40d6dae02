"""Judges one card: as the deck's own are judged, wherever it can be dealt, by the check that models are judged by."""

from collections.abc import Iterator

from pydantic import ValidationError

from narrator.deck.cards import OwnCard
from narrator.deck_making.sample import Sample
from narrator.errors import quoted
from narrator.rules.card import Card
from narrator.rules.model import Model, refusal
from narrator.rules.near import meant
from narrator.validation.checking import check


class Flaw(Model):
    """What is wrong with a card."""

    code: str
    """A code of the check; or `bad_card` for what is no card, `never_dealt` for one that no rules deal, `twin` for one
    that says what another says."""
    field: str
    """The field of the card that is wrong; empty: the whole."""
    message: str
    """What is wrong, for people and for models."""


def read(given: object) -> OwnCard | Flaw:
    """Read a card, which may be anything."""
    try:
        return OwnCard.model_validate(given)
    except ValidationError as error:
        found = refusal(error, OwnCard)
        return Flaw(code="bad_card", field=found.field, message=f"{found.field or 'a card'}: {found.message}")


def called_as(given: object) -> str:
    """Say what a card, which may be anything, is called: its name, or its detail; empty: it has neither."""
    texts = [given.get("name"), given.get("detail")] if isinstance(given, dict) else []
    return next((text for text in texts if isinstance(text, str)), "")


def flaws(card: Card, sample: Sample) -> Iterator[Flaw]:
    """Find what is wrong with a card: with each field the first thing that is."""
    form = sample.forms.get(card.form)
    if form is None:
        message = f"no ruleset here has a form {quoted(card.form)}{meant(card.form, sample.forms)}"
        yield Flaw(code="never_dealt", field="form", message=message)
        return
    if misfit := card.misfit(form):
        yield Flaw(code="never_dealt", field="name" if card.kind is None else "kind", message=misfit)
        return
    told, is_dealt = set[str](), False
    for match, judge in sample.dealt(card):
        is_dealt = True
        rejected = check(match.candidate, judge).rejected
        if rejected is not None and rejected.field not in told:
            told.add(rejected.field)
            yield Flaw(code=rejected.code, field=rejected.field, message=match.as_written(rejected.message))
    if not is_dealt:
        wants = ", ".join(f"{{{each}}}" for each in sorted(card.wants)) or "no placeholder"
        message = f"no row of the rules deals such a card ({wants}, side {card.side or 'any'})"
        yield Flaw(code="never_dealt", field="", message=message)
