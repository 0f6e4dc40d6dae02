"""The table's choice, and whether its branch, slots and grants fit the resolution. Words are checked later."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations
from typing import Annotated, Any, NoReturn

from pydantic import BeforeValidator, Field

from narrator.errors import RequestError, quoted
from narrator.rules.model import LIST, SHORT_LIST, Given, Name
from narrator.rules.request.scene import Character
from narrator.rules.resolve.harm import absorption, markable
from narrator.rules.resolve.resolution import Absorption, Branch, Grant, Resolution
from narrator.rules.ruleset.declarations import Sheet


class GrantChoice(Given):
    """What a grant leaves open: who gets it, and the zone that a move goes to."""

    index: Annotated[int, Field(ge=0)]
    """The grant's position in the branch, counted from 0."""
    to: Name | None = None
    """Who gets it, one of the grant's `to`. You may omit it if there is only one."""
    on: Name | None = None
    """For a move: the zone it goes to. You may omit it if there is only one way. A `may_move` happens only if
    `grants` contains it."""


class NamedConsequence(Given):
    """A consequence taken and its wording."""

    severity: Name
    """Its level."""
    name: Name | None = None
    """Its wording, as an aspect. If omitted, the suggestion of this severity words it."""


def _levelled(consequence: Any) -> Any:
    return {"severity": consequence} if isinstance(consequence, str) else consequence


Levelled = Annotated[NamedConsequence, BeforeValidator(_levelled, json_schema_input_type=NamedConsequence | Name)]


class AbsorbChoice(Given):
    """How a hit is absorbed: stress and consequences."""

    stress: int | None = None
    """The value of the box, or the sum of the boxes, in shifts. If omitted: the sum of `boxes`, else no stress."""
    boxes: Annotated[tuple[int, ...], SHORT_LIST] | None = None
    """The boxes to mark, by their values in any order. They must be free, come to `stress`, and be no more than one
    hit may mark. If omitted, narrator picks them."""
    consequences: Annotated[tuple[Levelled, ...], SHORT_LIST] = ()
    """The consequences taken. A level alone, such as "mild", is a consequence without a name."""


class Choice(Given):
    """The table's choice: a branch, one suggestion for each of its slots, and who gets what."""

    branch: Name
    """The id of the chosen branch."""
    suggestions: Annotated[tuple[Any, ...], LIST] = ()
    """One for each slot, as it came or as you wrote it. Each is checked again. With a name, it needs no `detail`. The
    slot `consequence` may stay empty; its suggestion names a consequence in `absorb` that has its severity and no
    name."""
    grants: Annotated[tuple[GrantChoice, ...], LIST] = ()
    """Who gets what, if a grant of the branch leaves that open."""
    absorb: AbsorbChoice | None = None
    """How the hit is absorbed: one of the grant's ways."""
    taken_out: bool = False
    """True if whoever is hit is taken out instead of absorbing the hit."""
    dealt: Annotated[tuple[Name, ...], LIST] | None = None
    """The answer's `dealt`, which goes into the scene. If omitted, the scene's stays as it is."""
    holder: Name | None = None
    """Which of a form's holders gets its free invocation. You may omit it if there is only one."""
    track: Name | None = None
    """The stress track to mark, if several have a free box. If omitted, the attack's."""
    zone: Name | None = None
    """Where a form such as a knockback moves somebody. You may omit it if there is only one way to go."""


def branch_of(resolution: Resolution, choice: Choice) -> Branch:
    """Find the chosen branch, or raise `bad_choice` if the choice does not fit its grants and slots."""
    found = next((branch for branch in resolution.branches if branch.id == choice.branch), None)
    if found is None:
        refuse("branch", "the resolution has no such branch", [branch.id for branch in resolution.branches])
    _check_slots(found, choice)
    _check_grants(found, choice)
    return found


def way_meant(choice: AbsorbChoice, grant: Grant, character: Character, sheet: Sheet) -> Absorption:
    """Find the grant's way that was chosen. Its boxes are those of the choice, if they come to its sum."""
    stress = choice.stress if choice.stress is not None else sum(choice.boxes or ()) or None
    levels = sorted(each.severity for each in choice.consequences)
    ways = grant.absorb or ()
    near = [way for way in ways if sorted(way.consequences) == levels]
    meant = next((way for way in near if way.stress == stress), None)
    if meant is None:
        field = "absorb.boxes" if choice.boxes and near else "absorb"
        refuse(field, f"this does not absorb a hit of {grant.amount}; {said(ways)}")
    if choice.boxes is None:
        return meant
    free, most = markable(character, grant.track, sheet)
    choices = chain.from_iterable(combinations(free[::-1], number) for number in range(most + 1))
    alike = {each: absorption(each, meant.consequences) for each in choices if sum(each) == (stress or 0)}
    told = tuple(sorted(choice.boxes, reverse=True))
    if told not in alike:
        message = f"the boxes must be free, {most} at most, and come to {stress or 0}; {said(alike.values())}"
        refuse("absorb.boxes", message)
    return alike[told]


def said(ways: Iterable[Absorption]) -> str:
    """List the possible ways, for the end of a message."""
    return f"possible: {'; '.join(way.text for way in ways) or 'none'}"


def refuse(field: str, message: str, allowed: Sequence[str] = ()) -> NoReturn:
    """Refuse a choice that does not fit."""
    raise RequestError("bad_choice", field, message, allowed)


def _check_slots(branch: Branch, choice: Choice) -> None:
    wanted = [slot.id for slot in branch.slots if slot.forms]
    needed = {slot.id for slot in branch.slots if slot.forms and not slot.may_stay_empty}
    given = [
        each.get("slot") if isinstance(each, Mapping) else getattr(each, "slot", None) for each in choice.suggestions
    ]
    # A slot that is not text is refused when the suggestion is judged.
    named = [(place, slot) for place, slot in enumerate(given) if isinstance(slot, str)]
    for place, slot in named:
        if slot not in wanted:
            refuse(f"suggestions.{place}.slot", f"{branch.id} has no slot {quoted(slot)} that needs words", wanted)
    names = {slot for _, slot in named}
    is_missing = len(needed - names) > len(given) - len(named)
    if is_missing or len(given) > len(wanted) or len(names) < len(named):
        refuse("suggestions", f"{branch.id} needs one suggestion for each slot: {', '.join(wanted) or 'none'}")


def _check_grants(branch: Branch, choice: Choice) -> None:
    grants, seen = branch.grants, set()
    for place, chosen in enumerate(choice.grants):
        field = f"grants.{place}"
        if chosen.index >= len(grants) or chosen.index in seen:
            refuse(f"{field}.index", f"{branch.id} has no such grant (counted from 0), or the choice names it twice")
        seen.add(chosen.index)
        grant = grants[chosen.index]
        if chosen.to is not None and chosen.to not in grant.to:
            refuse(f"{field}.to", "they are not eligible for this grant", grant.to)
        if chosen.on is not None and grant.type not in ("move", "may_move"):
            refuse(f"{field}.on", f"a {grant.type} grant has no zone")
        if chosen.on is not None and grant.on not in (None, chosen.on):
            refuse(f"{field}.on", "the path already says where this moves", [grant.on])
    moves = [(place, each.on) for place, each in enumerate(choice.grants) if each.on is not None]
    for place, zone in moves:
        if zone != moves[0][1]:
            is_open = grants[choice.grants[place].index].on is None
            refuse(
                f"grants.{place}.on",
                "everyone whom this branch moves goes to the same zone",
                [moves[0][1]] if is_open else (),
            )
