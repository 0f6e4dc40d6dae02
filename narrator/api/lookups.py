"""The calls that need no roll: the order of turns, the table of an action, and the known rulesets."""

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
    """A scene, and how to order its characters."""

    scene: Scene
    """The scene. Characters who are taken out have no turn."""
    approach: Name
    """The skill or approach that decides. The highest rating goes first."""
    ties: Annotated[tuple[Name, ...], LIST] = ()
    """More skills or approaches to break ties, in order. Remaining ties keep the order of the scene."""
    together: Annotated[tuple[Name, ...], LIST] = ()
    """The sides that act together, on the turn of their best member. If omitted, everybody acts alone."""
    first: Annotated[tuple[Name, ...], LIST] = ()
    """The names that go first in this order, whatever their rating, as in an ambush."""


class TableRequest(Given):
    """The table to show."""

    ruleset: Name = USUAL_RULESET
    """The ruleset's name."""
    action: Name
    """The action, as in `action.type`."""
    variant: Name | None = None
    """The variant. If omitted, the tables of all variants."""


class TurnOrder(Model):
    """The result of the call `turn_order`."""

    turn_order: tuple[str, ...]
    """The names of all who are not taken out, in the order of their turns."""


class Rulesets(Model):
    """The result of the call `rulesets`."""

    rulesets: tuple[str, ...]
    """The names of narrator's rulesets and of your own, sorted."""


def turn_order(
    scene: Mapping[str, Any] | Scene,
    approach: str,
    *,
    ties: Sequence[str] = (),
    together: Sequence[str] = (),
    first: Sequence[str] = (),
) -> tuple[str, ...]:
    """Order the characters of the scene for an exchange. The highest rating in a skill or approach goes first.

    Args:
        approach: For example Quick in a physical conflict, Careful in a mental one.
        ties: More approaches to break ties, in order. Remaining ties keep the order of the scene.
        together: Sides that act together, on the turn of their best member.
        first: Names that go first whatever their rating, as in an ambush.

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
    """Show the table of an action, as in the book: the rows of one variant or of all.

    Args:
        ruleset: A loaded ruleset, or a name.
        rulesets: House rulesets from `load_ruleset` that the name may refer to.

    Raises:
        NarratorError: `unknown_ruleset`, `unsupported_action` or `unknown_variant`.
    """
    named = ruleset.name if isinstance(ruleset, Ruleset) else ruleset
    asked = TableRequest.read({"ruleset": named, "action": action, "variant": variant}, "request")
    with within("request", beside="rulesets"):
        found = ruleset if isinstance(ruleset, Ruleset) else find_ruleset(named, rulesets)
        return tables.table(found, spelt_out(asked.action), asked.variant)


class TurnOrderCall(Call):
    """A call that orders the characters for an exchange."""

    gives: ClassVar = TurnOrder

    call: Literal["turn_order"]
    request: TurnOrderRequest
    """The scene, and what decides the order."""

    def make(self, **options: Unpack[Options]) -> TurnOrder:
        return TurnOrder(turn_order=turn_order(**dict(self.request)))


class TableCall(Call):
    """A call that shows the table of an action."""

    gives: ClassVar = Table

    call: Literal["table"]
    request: TableRequest
    """The table to show."""

    def make(self, **options: Unpack[Options]) -> Table:
        return table(**dict(self.request), rulesets=options.get("rulesets", ()))


class RulesetsCall(Call):
    """A call that lists the known rulesets."""

    gives: ClassVar = Rulesets

    call: Literal["rulesets"]

    def make(self, **options: Unpack[Options]) -> Rulesets:
        handed = (each.name for each in options.get("rulesets", ()))
        return Rulesets(rulesets=tuple(sorted({*requests.rulesets(), *handed})))
