"""An accepted suggestion: a fact of the game, with the mechanics that the table row gives its form."""

from typing import Any

from narrator.rules.model import Model
from narrator.rules.resolve.resolution import MECHANICS, FormOffer, Slot
from narrator.rules.ruleset.row import Goal, Kind


class Suggestion(Model):
    """An accepted suggestion, whole: its words, and the mechanics that the table row gives its form."""

    slot: str
    """The id of the slot that it fills."""
    kind: Kind
    """The kind of that slot."""
    form: str
    """The form that it has, one of the slot's."""
    to: str | None = None
    """Who gains or suffers it; left out where the form goes to nobody."""
    name: str | None = None
    """The wording of the aspect, boost, consequence or new opposition; left out where the form has none."""
    detail: str
    """A sentence or two to say aloud, at most 280 characters of plain text. Escape it where you show it."""
    severity: str | None = None
    """The level of the consequence that it is."""
    free_invocations: int | None = None
    """How many free invocations come with it."""
    holders: tuple[str, ...] | None = None
    """Who may get those, where that is not whoever suffers it."""
    amount: int | None = None
    """How much stress it is."""
    tracks: tuple[str, ...] | None = None
    """The stress tracks that have a free box for it."""
    on: str | None = None
    """The aspect that it bears on."""
    goal: Goal | None = None
    """What becomes of the goal, where the form says otherwise than its branch."""
    secret: bool | None = None
    """True where the words are for the GM alone."""
    card: str | None = None
    """The id of the deck's card that it is; left out: it is none."""
    source: str
    """Who wrote it: `deck`, `openai:MODEL`, `langchain:CLASS`, or `given` where you did."""

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
        """Put words to a form, its mechanics from the table; of several levels the mildest where none is told."""
        mechanics: dict[str, Any] = {field: getattr(offer, field) for field in MECHANICS}
        if offer.severities:
            mechanics["severity"] = severity or offer.severities[0]
        return cls(
            slot=slot.id, kind=slot.kind, form=offer.form, to=to, name=name, detail=detail, source=source, **mechanics
        )
