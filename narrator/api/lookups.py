"""The calls that want no roll: the order of turns, the table of an action, and the rulesets there are."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Unpack

from narrator.api import requests
from narrator.api.call import Call
from narrator.api.options import Options
from narrator.api.requests import find_ruleset, within
from narrator.rules.model import LIST, Given, Model, Name
from narrator.rules.request.action import USUAL_RULESET, spelt_out
from narrator.rules.request.scene import Scene
from narrator.rules.resolve import cast
from narrator.rules.ruleset import table as tables
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.ruleset.table import Table


class TurnOrderRequest(Given):
    """A scene, and how its people are put in order."""

    scene: Scene
    """Who is there; whoever is taken out has no turn."""
    approach: Name
    """The skill or approach that decides, the highest rating first."""
    ties: Annotated[tuple[Name, ...], LIST] = ()
    """Further ones that break a tie, in order; what is still tied goes as the scene lists it."""
    together: Annotated[tuple[Name, ...], LIST] = ()
    """The sides that act together, on the turn of their best; left out: everyone acts alone."""
    first: Annotated[tuple[Name, ...], LIST] = ()
    """The names that lead whatever their rating, as in an ambush, in this order."""


class TableRequest(Given):
    """Which table is to be shown; without a variant, those of all."""

    ruleset: Name = USUAL_RULESET
    """The ruleset's name."""
    action: Name
    """The action, as in `action.type`."""
    variant: Name | None = None
    """The variant; left out: the tables of all."""


class TurnOrder(Model):
    """What the call `turn_order` gives."""

    turn_order: tuple[str, ...]
    """The names of everyone who is not taken out, in the order of their turns."""


class Rulesets(Model):
    """What the call `rulesets` gives."""

    rulesets: tuple[str, ...]
    """The names, sorted: those that come with narrator, and the user's own."""


def turn_order(
    scene: Mapping[str, Any] | Scene,
    approach: str,
    *,
    ties: Sequence[str] = (),
    together: Sequence[str] = (),
    first: Sequence[str] = (),
) -> tuple[str, ...]:
    """Order everyone in the scene for an exchange, the highest rating in an approach first.

    Args:
        approach: Quick in a physical conflict, Careful in a mental one.
        ties: Further approaches that break ties, in order; then the order of the scene counts.
        together: Sides that act together, on the turn of their best.
        first: Names that lead whatever their rating, as in an ambush.

    Raises:
        NarratorError: `bad_request` or `unknown_character`.
    """
    told = {"approach": approach, "ties": ties, "together": together, "first": first}
    asked = TurnOrderRequest.read({"scene": Scene.read(scene, "request.scene"), **told}, "request")
    with within("request"):
        return cast.turn_order(asked.scene, approach, ties=asked.ties, together=asked.together, first=asked.first)


def table(
    ruleset: str | Ruleset, action: str, variant: str | None = None, *, rulesets: Iterable[Ruleset] = ()
) -> Table:
    """Show what the book's page would: the rows of an action, of one variant or of all.

    Args:
        ruleset: One that was loaded, or the name of one.
        rulesets: House rulesets, as `load_ruleset` gives them, that the name may be of.

    Raises:
        NarratorError: `unknown_ruleset`, `unsupported_action` or `unknown_variant`.
    """
    named = ruleset.name if isinstance(ruleset, Ruleset) else ruleset
    asked = TableRequest.read({"ruleset": named, "action": action, "variant": variant}, "request")
    with within("request", beside="rulesets"):
        found = ruleset if isinstance(ruleset, Ruleset) else find_ruleset(named, rulesets)
        return tables.table(found, spelt_out(asked.action), asked.variant)


class TurnOrderCall(Call):
    """A call that orders everyone for an exchange."""

    gives: ClassVar = TurnOrder

    call: Literal["turn_order"]
    request: TurnOrderRequest
    """Who is there, and what decides."""

    def make(self, **options: Unpack[Options]) -> TurnOrder:
        return TurnOrder(turn_order=turn_order(**dict(self.request)))


class TableCall(Call):
    """A call that shows the table of an action."""

    gives: ClassVar = Table

    call: Literal["table"]
    request: TableRequest
    """Which table."""

    def make(self, **options: Unpack[Options]) -> Table:
        return table(**dict(self.request), rulesets=options.get("rulesets", ()))


class RulesetsCall(Call):
    """A call that names the rulesets there are."""

    gives: ClassVar = Rulesets

    call: Literal["rulesets"]

    def make(self, **options: Unpack[Options]) -> Rulesets:
        handed = (each.name for each in options.get("rulesets", ()))
        return Rulesets(rulesets=tuple(sorted({*requests.rulesets(), *handed})))
