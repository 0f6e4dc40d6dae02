"""What can be typed of an action, of a choice and of a turn order: each option once, as a field of its value."""

from dataclasses import dataclass, fields
from typing import Annotated, Any

import typer
from typer import Option

PANEL = "In place of a file, or over one"

MINUS = str.maketrans({"−": "-", "–": "-", "—": "--"})
"""What notes and keyboards make of a minus, or of two."""


def _whole_number(text: str) -> int:
    try:
        return int(text.translate(MINUS))
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no whole number") from None


def flag(*names: str, **more: Any) -> Any:
    """An option that takes no value, nor has one in the help."""
    return Option(*names, metavar="", **more)


def _option(*names: str, **more: Any) -> Any:
    return Option(*names, rich_help_panel=PANEL, **more)


@dataclass(frozen=True)
class TypedAction:
    """What was typed of an action."""

    actor: Annotated[str | None, _option(help="Who acts.")] = None
    intent: Annotated[str | None, _option(help="What for.")] = None
    skill: Annotated[
        str | None,
        _option(metavar="NAME[=RATING]", help="Such as Resources=1; the rating may stand on a sheet of the scene."),
    ] = None
    dice: Annotated[str | None, _option(metavar="FACES", help='What the actor rolled, such as "+ 0 0 -".')] = None
    total: Annotated[
        int | None, _option(metavar="NUMBER", parser=_whole_number, help="Or the result, skill in it.")
    ] = None
    fail: Annotated[
        bool, flag("--fail", rich_help_panel=PANEL, help="Or the outcome alone: no dice, no skill, no sheet.")
    ] = False
    tie: Annotated[bool, flag("--tie", rich_help_panel=PANEL, help="The same, for a tie.")] = False
    succeed: Annotated[bool, flag("--succeed", rich_help_panel=PANEL, help="For a success.")] = False
    style: Annotated[bool, flag("--style", rich_help_panel=PANEL, help="For a success with style.")] = False
    outcome: Annotated[str | None, _option(metavar="NAME", help="For any other that the ruleset has.")] = None
    shifts: Annotated[
        int | None, _option(metavar="NUMBER", parser=_whole_number, help="By how many, where an outcome is told.")
    ] = None
    against: Annotated[
        str | None, _option(metavar="RATING", help="Passive opposition: 2 or Fair; with --by, what they rolled in all.")
    ] = None
    by: Annotated[str | None, _option(metavar="NAME", help="Who rolls against it, or defends.")] = None
    with_: Annotated[str | None, _option("--with", metavar="NAME[=RATING]", help="With which skill they do.")] = None
    hindering: Annotated[list[str] | None, _option(metavar="ASPECT", help="An aspect that hinders, for each 2.")] = None
    variant: Annotated[str | None, _option(help="Such as existing_aspect.")] = None
    maneuver: Annotated[str | None, _option(help="Such as charge, where the ruleset has them.")] = None
    path: Annotated[
        list[str] | None, _option(metavar="ZONE", help="The zones of a movement, each in turn: left, passed, reached.")
    ] = None
    track: Annotated[str | None, _option(help="The stress track of an attack, such as mental.")] = None
    bonus: Annotated[
        int | None, _option(metavar="NUMBER", parser=_whole_number, help="What else is added to the dice.")
    ] = None
    helper: Annotated[list[str] | None, _option(metavar="NAME", help="Who helps.")] = None
    target: Annotated[str | None, _option(help="On whom.")] = None
    aspect: Annotated[str | None, _option(help="The aspect meant.")] = None
    invoke: Annotated[
        list[str] | None,
        _option(
            metavar="ASPECT[=HOW]",
            help="Invoke it: free if the actor can, else for a fate point; HOW: free, fate_point, reroll, or the ally "
            "who passes it on.",
        ),
    ] = None
    invoke_against: Annotated[
        list[str] | None, _option(metavar="ASPECT[=HOW]", help="The same, by whoever opposes.")
    ] = None
    tone: Annotated[str | None, _option(help='The kind of story, such as "noir".')] = None
    scene: Annotated[str | None, _option(metavar="FILE", help="The scene: a file that has one.")] = None


@dataclass(frozen=True)
class TypedChoice:
    """What was typed beside the letters of a choice."""

    absorb: Annotated[
        list[str] | None,
        Option(
            metavar="BOX|LEVEL=NAME",
            help='How a hit is absorbed, beside a consequence chosen by its number: 2, or "mild=Split Lip".',
        ),
    ] = None
    taken_out: Annotated[bool, flag("--taken-out", help="The hit is not absorbed.")] = False
    to: Annotated[str | None, Option(metavar="NAME", help="Who gets what may go to more than one.")] = None
    holder: Annotated[str | None, Option(metavar="NAME", help="Who gets the free invocation of a consequence.")] = None
    track: Annotated[str | None, Option(metavar="TRACK", help="Which stress track is marked.")] = None
    zone: Annotated[str | None, Option(metavar="ZONE", help="Where somebody moves.")] = None
    follow: Annotated[bool, flag("--follow", help="Whoever may move along does.")] = False
    form: Annotated[str | None, Option(metavar="FORM", help="Words of your own: their form.")] = None
    name: Annotated[
        str | None, Option(metavar="TEXT", help="Their name; without a form, in place of a suggestion's.")
    ] = None
    detail: Annotated[str | None, Option(metavar="TEXT", help="What happens; the same.")] = None


@dataclass(frozen=True)
class TypedTurns:
    """What was typed of a turn order."""

    approach: Annotated[str | None, Option(metavar="NAME", help="Such as Quick; the file may say it.")] = None
    ties: Annotated[list[str] | None, Option(metavar="NAME", help="What breaks a tie.")] = None
    together: Annotated[list[str] | None, Option(metavar="SIDE", help="A side that acts on its best.")] = None
    first: Annotated[list[str] | None, Option(metavar="NAME", help="Who leads whatever the rating.")] = None


def told(typed: TypedAction | TypedChoice | TypedTurns) -> dict[str, Any]:
    """What was typed of all that can be: the fields that are not as they are left out."""
    return {each.name: getattr(typed, each.name) for each in fields(typed) if getattr(typed, each.name) != each.default}
