"""What was chosen of a resolution, and whether it fits: before any word of it is read, its branch, slots and grants."""

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
    """Where a grant leaves a choice: which one it is, who gets it, and the zone that a move goes to."""

    index: Annotated[int, Field(ge=0)]
    """Which of the branch's grants, counted from 0."""
    to: Name | None = None
    """Who of its `to` gets it; may be left out where there is only one."""
    on: Name | None = None
    """For a move: the zone it goes to; may be left out where there is only one way. A `may_move` is made only where
    it is named here."""


class NamedConsequence(Given):
    """A consequence taken, and its wording."""

    severity: Name
    """Its level."""
    name: Name | None = None
    """Its wording, as an aspect of whoever takes it; left out: a suggestion of this severity words it."""


def _levelled(consequence: Any) -> Any:
    return {"severity": consequence} if isinstance(consequence, str) else consequence


Levelled = Annotated[NamedConsequence, BeforeValidator(_levelled, json_schema_input_type=NamedConsequence | Name)]


class AbsorbChoice(Given):
    """How a hit is absorbed: stress, and consequences."""

    stress: int | None = None
    """The value of the box, or the sum of the boxes, in shifts; left out: that of `boxes`, else none is marked."""
    boxes: Annotated[tuple[int, ...], SHORT_LIST] | None = None
    """The boxes that are marked, by their values in any order: free ones, no more than a hit may mark, and of this
    sum; left out: as the way has them."""
    consequences: Annotated[tuple[Levelled, ...], SHORT_LIST] = ()
    """The consequences taken. A level alone, such as "mild", is one without its wording."""


class Choice(Given):
    """What the table chose of a resolution: a branch, one suggestion for each of its slots, and who gets what."""

    branch: Name
    """The id of the branch that was chosen."""
    suggestions: Annotated[tuple[Any, ...], LIST] = ()
    """One for each slot of the branch, as it came or as you wrote it; each is checked again. Beside a name the detail
    may be left out. That of a `consequence` may be left out; it words the consequence of its severity in `absorb`
    that has no name."""
    grants: Annotated[tuple[GrantChoice, ...], LIST] = ()
    """Who gets what, where a grant of the branch leaves that open."""
    absorb: AbsorbChoice | None = None
    """How the hit is absorbed: one of the grant's ways."""
    taken_out: bool = False
    """That the hit is not absorbed, and whoever takes it is taken out."""
    dealt: Annotated[tuple[Name, ...], LIST] | None = None
    """The `dealt` of the answer: what the scene then has as its own. Left out: the scene's stays as it is."""
    holder: Name | None = None
    """Who of a form's holders gets its free invocation; may be left out where there is only one."""
    track: Name | None = None
    """The stress track that is marked, where more than one has a free box; left out: that of the attack."""
    zone: Name | None = None
    """Where a form such as a knockback moves somebody; may be left out where there is only one way to go."""


def branch_of(resolution: Resolution, choice: Choice) -> Branch:
    """Find the branch that was chosen, or raise `bad_choice` where the choice does not fit its grants and slots."""
    found = next((branch for branch in resolution.branches if branch.id == choice.branch), None)
    if found is None:
        refuse("branch", "the resolution has no such branch", [branch.id for branch in resolution.branches])
    _check_slots(found, choice)
    _check_grants(found, choice)
    return found


def way_meant(choice: AbsorbChoice, grant: Grant, character: Character, sheet: Sheet) -> Absorption:
    """Find the way that was chosen: one of the grant's, with the boxes that are told, where they come to its sum."""
    stress = choice.stress if choice.stress is not None else sum(choice.boxes or ()) or None
    levels = sorted(each.severity for each in choice.consequences)
    ways = grant.absorb or ()
    near = [way for way in ways if sorted(way.consequences) == levels]
    meant = next((way for way in near if way.stress == stress), None)
    if meant is None:
        field = "absorb.boxes" if choice.boxes and near else "absorb"
        refuse(field, f"this is no way to absorb a hit of {grant.amount}; {said(ways)}")
    if choice.boxes is None:
        return meant
    free, most = markable(character, grant.track, sheet)
    choices = chain.from_iterable(combinations(free[::-1], number) for number in range(most + 1))
    alike = {each: absorption(each, meant.consequences) for each in choices if sum(each) == (stress or 0)}
    told = tuple(sorted(choice.boxes, reverse=True))
    if told not in alike:
        message = f"the boxes must be free, {most} at the most, and come to {stress or 0}; {said(alike.values())}"
        refuse("absorb.boxes", message)
    return alike[told]


def said(ways: Iterable[Absorption]) -> str:
    """Say the ways there are, for the end of a message."""
    return f"there is: {'; '.join(way.text for way in ways) or 'none'}"


def refuse(field: str, message: str, allowed: Sequence[str] = ()) -> NoReturn:
    """Raise what a choice that does not fit is refused with."""
    raise RequestError("bad_choice", field, message, allowed)


def _check_slots(branch: Branch, choice: Choice) -> None:
    wanted = [slot.id for slot in branch.slots if slot.forms]
    needed = {slot.id for slot in branch.slots if slot.forms and not slot.may_stay_empty}
    given = [
        each.get("slot") if isinstance(each, Mapping) else getattr(each, "slot", None) for each in choice.suggestions
    ]
    # What is no name at all, whoever judges the suggestion says.
    named = [(place, slot) for place, slot in enumerate(given) if isinstance(slot, str)]
    for place, slot in named:
        if slot not in wanted:
            refuse(f"suggestions.{place}.slot", f"{branch.id} has no slot {quoted(slot)} that wants words", wanted)
    names = {slot for _, slot in named}
    is_missing = len(needed - names) > len(given) - len(named)
    if is_missing or len(given) > len(wanted) or len(names) < len(named):
        refuse("suggestions", f"{branch.id} wants one suggestion for each slot: {', '.join(wanted) or 'none'}")


def _check_grants(branch: Branch, choice: Choice) -> None:
    grants, seen = branch.grants, set()
    for place, chosen in enumerate(choice.grants):
        field = f"grants.{place}"
        if chosen.index >= len(grants) or chosen.index in seen:
            refuse(f"{field}.index", f"{branch.id} has no such grant, counted from 0, or it was chosen before")
        seen.add(chosen.index)
        grant = grants[chosen.index]
        if chosen.to is not None and chosen.to not in grant.to:
            refuse(f"{field}.to", "nobody else is eligible", grant.to)
        if chosen.on is not None and grant.type not in ("move", "may_move"):
            refuse(f"{field}.on", f"a grant of {grant.type} goes to no zone")
        if chosen.on is not None and grant.on not in (None, chosen.on):
            refuse(f"{field}.on", "the path says where this moves", [grant.on])
    moves = [(place, each.on) for place, each in enumerate(choice.grants) if each.on is not None]
    for place, zone in moves:
        if zone != moves[0][1]:
            is_open = grants[choice.grants[place].index].on is None
            refuse(f"grants.{place}.on", "all who move here go to the same zone", [moves[0][1]] if is_open else ())
