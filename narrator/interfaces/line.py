"""The options that tell an action on the command line, each in one place, and how a command takes them."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from typing import Annotated, Any, get_type_hints

import typer

PANEL = "In place of a file, or over one"


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no whole number") from None


def _option(*names: str, **more: Any) -> Any:
    return typer.Option(*names, rich_help_panel=PANEL, **more)


@dataclass(frozen=True)
class Line:
    """
    What was typed of an action.
    """

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
    fail: Annotated[bool, _option("--fail", help="Or the outcome alone: no dice, no skill, no sheet.")] = False
    tie: Annotated[bool, _option("--tie", help="The same, for a tie.")] = False
    succeed: Annotated[bool, _option("--succeed", help="For a success.")] = False
    style: Annotated[bool, _option("--style", help="For a success with style.")] = False
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
            help="Invoke it: free if the actor can, else for a fate point; HOW: free, fate_point, reroll.",
        ),
    ] = None
    invoke_against: Annotated[
        list[str] | None, _option(metavar="ASPECT[=HOW]", help="The same, by whoever opposes.")
    ] = None
    tone: Annotated[str | None, _option(help='The kind of story, such as "noir".')] = None
    scene: Annotated[str | None, _option(metavar="FILE", help="The scene: a file that has one.")] = None

    @property
    def is_empty(self) -> bool:
        """
        Whether no option was typed.
        """
        return all(getattr(self, each.name) in (None, False, []) for each in fields(self))


def takes_line(command: Callable[..., None]) -> Callable[..., None]:
    """
    Give a command every option of `Line` in place of its parameter `line`.

    The command line's library reads the options off a signature, and four commands take the same ones.
    """
    kinds = get_type_hints(Line, include_extras=True)

    @wraps(command)
    def taking(**typed: Any) -> None:
        line = Line(**{each.name: typed.pop(each.name) for each in fields(Line)})
        command(line=line, **typed)

    own = [each for each in inspect.signature(command).parameters.values() if each.name != "line"]
    options = [
        inspect.Parameter(each.name, inspect.Parameter.KEYWORD_ONLY, default=each.default, annotation=kinds[each.name])
        for each in fields(Line)
    ]
    taking.__signature__ = inspect.Signature([*own, *options])  # type: ignore[attr-defined]
    taking.__annotations__ = {each.name: each.annotation for each in (*own, *options)}
    return taking
