"""What fills a slot, and what was chosen: a suggestion that was accepted is a fact of the game."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from narrator.rules.declared import Goal, Kind
from narrator.rules.model import LIST, SHORT_LIST, Given, Model, Name
from narrator.rules.resolution import MECHANICS, FormOffer, Slot


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
    holders: tuple[str, ...] | None = None
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
        mechanics: dict[str, Any] = {field: getattr(offer, field) for field in MECHANICS}
        return cls(
            slot=slot.id,
            kind=slot.kind,
            form=offer.form,
            to=to,
            name=name,
            detail=detail,
            source=source,
            **mechanics,
        )


class GrantChoice(Given):
    """
    Where a grant leaves a choice: which one it is, who gets it, and the zone that a move goes to.
    """

    index: Annotated[int, Field(ge=0)]
    to: Name | None = None
    on: Name | None = None


class NamedConsequence(Given):
    """
    A consequence taken, and its wording.
    """

    severity: Name
    name: Name | None = None


def _levelled(consequence: Any) -> Any:
    return {"severity": consequence} if isinstance(consequence, str) else consequence


class AbsorbChoice(Given):
    """
    How a hit is bought off: a stress box by its value, and consequences; a bare level is one without its wording.
    """

    stress: int | None = None
    """The value of the box, in shifts."""
    consequences: Annotated[tuple[Annotated[NamedConsequence, BeforeValidator(_levelled)], ...], SHORT_LIST] = ()


class Choice(Given):
    """
    What the table chose of a resolution: a branch, one suggestion for each of its slots, and who gets what.
    """

    branch: Name
    suggestions: Annotated[tuple[Any, ...], LIST] = ()
    grants: Annotated[tuple[GrantChoice, ...], LIST] = ()
    absorb: AbsorbChoice | None = None
    """How the hit is bought off."""
    taken_out: bool = False
    """That it is not, and whoever takes it is taken out."""
    holder: Name | None = None
    """Who of a form's holders gets its free invocation."""
    track: Name | None = None
    """The stress track that is marked, where more than one has a free box; left out: that of the attack."""
    zone: Name | None = None
    """Where a maneuver in place of a boost moves somebody, where there is more than one way to go."""
