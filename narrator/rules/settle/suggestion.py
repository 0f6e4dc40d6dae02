"""An accepted suggestion."""

from typing import Any

from narrator.rules.model import Model
from narrator.rules.resolve.resolution import MECHANICS, FormOffer, Slot
from narrator.rules.ruleset.row import Goal, Kind


class Suggestion(Model):
    """An accepted suggestion: its words, and the mechanics that the table row gives its form."""

    slot: str
    """The id of the slot it fills."""
    kind: Kind
    """The kind of that slot."""
    form: str
    """Its form, one of the slot's."""
    to: str | None = None
    """Who gains or suffers it. Omitted if the form goes to nobody."""
    name: str | None = None
    """The wording of the aspect, boost, consequence or new opposition. Omitted if the form has none."""
    detail: str
    """A sentence or two to say aloud: plain text of at most 280 characters. Escape it when you show it."""
    severity: str | None = None
    """The level of the consequence."""
    free_invocations: int | None = None
    """How many free invocations come with it."""
    holders: tuple[str, ...] | None = None
    """Who may get those, if that is not who suffers it."""
    amount: int | None = None
    """The amount of stress."""
    tracks: tuple[str, ...] | None = None
    """The stress tracks that have a free box for it."""
    on: str | None = None
    """The aspect it is about."""
    goal: Goal | None = None
    """What becomes of the goal, if the form differs from its branch."""
    secret: bool | None = None
    """True if the words are for the GM alone."""
    card: str | None = None
    """The id of the deck's card. Omitted if it is not from the deck."""
    source: str
    """Who wrote it: `deck`, `openai:MODEL`, `langchain:CLASS`, or `given` if you did."""

    @classmethod
    def of(
        cls,
        slot: Slot,
        offer: FormOffer,
        *,
        to: str | None,
        name: str | None,
        detail: str,
        severity: str | None,
        source: str,
    ) -> "Suggestion":
        """Make a suggestion from words and a form, with the table's mechanics. `severity` is by default the mildest."""
        mechanics: dict[str, Any] = {field: getattr(offer, field) for field in MECHANICS}
        if offer.severities:
            mechanics["severity"] = severity or offer.severities[0]
        return cls(
            slot=slot.id, kind=slot.kind, form=offer.form, to=to, name=name, detail=detail, source=source, **mechanics
        )
