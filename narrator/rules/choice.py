"""What fills a slot: a suggestion that was accepted is a fact of the game."""

from narrator.rules.model import Model
from narrator.rules.resolution import FormOffer, Slot
from narrator.rules.ruleset import Goal, Kind


class Suggestion(Model):
    """
    An accepted suggestion, whole: its words, and the mechanics that the table row gives its form.
    """

    slot: str
    kind: Kind
    form: str
    to: str | None = None
    name: str | None = None
    detail: str
    severity: str | None = None
    free_invocations: int | None = None
    amount: int | None = None
    tracks: tuple[str, ...] | None = None
    on: str | None = None
    goal: Goal | None = None
    secret: bool | None = None
    source: str

    @classmethod
    def of(
        cls, slot: Slot, offer: FormOffer, *, to: str | None, name: str | None, detail: str, source: str
    ) -> "Suggestion":
        """
        Put words to a form, and take its mechanics from the table.
        """
        return cls(
            slot=slot.id,
            kind=slot.kind,
            form=offer.form,
            to=to,
            name=name,
            detail=detail,
            severity=offer.severity,
            free_invocations=offer.free_invocations,
            amount=offer.amount,
            tracks=offer.tracks,
            on=offer.on,
            goal=offer.goal,
            secret=offer.secret,
            source=source,
        )
