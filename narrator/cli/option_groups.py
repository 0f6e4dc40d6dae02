"""The options that tell an action, a choice, a turn order and words, each with the place in the payload it writes."""

from collections.abc import Iterator
from dataclasses import Field, dataclass, fields
from functools import partial
from typing import Any, TypeAlias

import typer

from narrator.cli.options import flag, option
from narrator.errors import NarratorError
from narrator.line.figures import MINUS
from narrator.rules.json_text import Json


def whole_number(text: str) -> int:
    """Read a whole number, with whichever minus it was typed."""
    try:
        return int(text.translate(MINUS))
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no whole number") from None


_option = partial(option, rich_help_panel="In place of a file, or over one")
_number = partial(_option, metavar="NUMBER", parser=whole_number)
_outcome = partial(_option, writes="action.outcome", default=False, metavar="")

_OPPOSITION = "action.opposition"

CAMPAIGN = "In this campaign, and not the one that is in use."


@dataclass(frozen=True)
class TypedAction:
    """What was typed of an action: of `scene.` is made only what no file tells."""

    actor: str | None = _option(writes="action.actor", makes=["scene.characters.0"], spelt="people", help="Who acts.")
    intent: str | None = _option(writes="action.intent", help="What for.")
    skill: str | None = _option(
        makes=["action.skill", "scene.characters.0.skills"],
        metavar="NAME[=RATING]",
        help="Such as Resources=1; the rating may stand on a sheet of the scene.",
    )
    dice: str | None = _option(
        makes=["action.roll.dice", "action.roll"],
        metavar="FACES",
        help='What the actor rolled, such as "+ 0 0 -".',
    )
    sum: int | None = _number(writes="action.roll.sum", makes=["action.roll"], help="Or what the four dice came to.")
    total: int | None = _number(writes="action.roll.total", makes=["action.roll"], help="Or the result, skill in it.")
    fail: bool = _outcome("--fail", value="fail", help="Or the outcome alone: no dice, no skill, no sheet.")
    tie: bool = _outcome("--tie", value="tie", help="The same, for a tie.")
    succeed: bool = _outcome("--succeed", value="succeed", help="For a success.")
    style: bool = _outcome("--style", value="succeed_with_style", help="For a success with style.")
    outcome: str | None = _option(
        writes="action.outcome", spelt="outcomes", metavar="NAME", help="For any other that the ruleset has."
    )
    shifts: int | None = _number(makes=["action.shifts"], help="By how many, where an outcome is told.")
    against: str | None = _option(
        makes=["action.opposition.rating", "action.opposition.roll", _OPPOSITION],
        metavar="RATING",
        help="Passive opposition: 2 or Fair; with --by, what they rolled in all.",
    )
    by: str | None = _option(
        makes=["action.opposition.by", _OPPOSITION, "scene.characters"],
        spelt="people",
        metavar="NAME",
        help="Who rolls against it, or defends.",
    )
    with_: str | None = _option(
        "--with",
        makes=["action.opposition.skill", _OPPOSITION, "scene.characters.1.skills"],
        metavar="NAME[=RATING]",
        help="With which skill they do.",
    )
    hindering: list[str] | None = _option(
        makes=["action.opposition.hindering", _OPPOSITION, "scene.aspects"],
        spelt="aspects",
        metavar="ASPECT",
        help="An aspect that hinders, for each 2.",
    )
    variant: str | None = _option(writes="action.variant", spelt="variants", help="Such as existing_aspect.")
    maneuver: str | None = _option(
        writes="action.maneuver", spelt="maneuvers", help="Such as charge, where the ruleset has them."
    )
    path: list[str] | None = _option(
        writes="action.path",
        spelt="zones",
        metavar="ZONE",
        help="The zones of a movement, each in turn: left, passed, reached.",
    )
    track: str | None = _option(
        writes="action.attack.track", spelt="tracks", help="The stress track of an attack, such as mental."
    )
    bonus: int | None = _number(writes="action.bonus", help="What else is added to the dice.")
    helper: list[str] | None = _option(writes="action.helpers", spelt="people", metavar="NAME", help="Who helps.")
    target: str | None = _option(writes="action.target", makes=["scene.characters"], spelt="people", help="On whom.")
    aspect: str | None = _option(
        writes="action.aspect", makes=["scene.aspects"], spelt="aspects", help="The aspect meant."
    )
    invoke: list[str] | None = _option(
        makes=["action.invocations", "scene.aspects"],
        spelt="aspects",
        metavar="ASPECT[=HOW]",
        help="Invoke it: free if the actor can, else for a fate point; HOW: free, fate_point, reroll, or the ally "
        "who passes it on.",
    )
    invoke_against: list[str] | None = _option(
        makes=["action.opposition.invocations", "scene.aspects"],
        spelt="aspects",
        metavar="ASPECT[=HOW]",
        help="The same, by whoever opposes.",
    )
    tone: str | None = _option(writes="scene.tone", help='The kind of story, such as "noir".')
    scene: str | None = _option(metavar="FILE", help="The scene: a file that has one.")
    campaign: str | None = _option(metavar="NAME", help=CAMPAIGN)
    page: str | None = _option(metavar="ID", help="Of a campaign: the page that this is about or replaces, such as p7.")


@dataclass(frozen=True)
class TypedChoice:
    """What was typed beside the letters of a choice."""

    campaign: str | None = option(metavar="NAME", help=CAMPAIGN)
    page: str | None = option(metavar="ID", help="Of a campaign: this page, such as p7, not the newest that is open.")
    absorb: list[str] | None = option(
        makes=["absorb"],
        metavar="BOX|LEVEL=NAME",
        help='How a hit is absorbed, beside a consequence chosen by its number: 2, or "mild=Split Lip".',
    )
    taken_out: bool = flag("--taken-out", writes="taken_out", help="The hit is not absorbed.")
    to: str | None = option(
        makes=["to", "grants.to", "suggestions.to"],
        spelt="people",
        metavar="NAME",
        help="Who gets what may go to more than one.",
    )
    holder: str | None = option(
        writes="holder", spelt="people", metavar="NAME", help="Who gets the free invocation of a consequence."
    )
    track: str | None = option(writes="track", metavar="TRACK", help="Which stress track is marked.")
    zone: str | None = option(makes=["zone", "grants.on"], metavar="ZONE", help="Where somebody moves.")
    follow: bool = flag("--follow", makes=["follow"], help="Whoever may move along does.")
    form: str | None = option(makes=["form"], metavar="FORM", help="Words of your own: their form.")
    name: str | None = option(
        makes=["name"], metavar="TEXT", help="Their name; without a form, in place of a suggestion's."
    )
    detail: str | None = option(makes=["detail"], metavar="TEXT", help="What happens; the same.")


@dataclass(frozen=True)
class TypedTurnOrder:
    """What was typed of a turn order."""

    campaign: str | None = option(metavar="NAME", help=CAMPAIGN)
    approach: str | None = option(writes="approach", metavar="NAME", help="Such as Quick; the file may say it.")
    ties: list[str] | None = option(writes="ties", metavar="NAME", help="What breaks a tie.")
    together: list[str] | None = option(writes="together", metavar="SIDE", help="A side that acts on its best.")
    first: list[str] | None = option(writes="first", metavar="NAME", help="Who leads whatever the rating.")


@dataclass(frozen=True)
class TypedWords:
    """What was typed of words without a roll."""

    scene: str | None = option(metavar="FILE", help="The scene: a file that has one.")
    campaign: str | None = option(metavar="NAME", help=CAMPAIGN)
    about: str | None = option(writes="about", help="Whom or what: a character, an aspect in play, or in a few words.")
    tone: str | None = option(writes="scene.tone", help='The kind of story, such as "noir".')
    number: int | None = option(writes="per_slot", min=1, max=10, default=3, help="How many.")


Typed: TypeAlias = Any
"""A group of options, of any command: a dataclass whose fields are made by `option`."""


def given_options(typed: Typed) -> Json:
    """What was typed of all that can be: the fields that are not as they are left out."""
    return {each.name: getattr(typed, each.name) for each in _told(typed)}


def call_options(typed: Typed, over: Json | None = None) -> Json:
    """Put what was typed where its options write it, over what is there; what a hand makes of it stays out."""
    found = dict(over or {})
    for each in _told(typed):
        if each.metadata["writes"] is None:
            continue
        *around, last = each.metadata["writes"].split(".")
        inner = found
        for name in around:
            inner[name] = object_in(inner, name)
            inner = inner[name]
        inner[last] = getattr(typed, each.name) if each.metadata["value"] is None else each.metadata["value"]
    return found


def object_in(around: Json, name: str) -> Json:
    """A copy of an object in another, to be changed; an empty one where there is none."""
    found = around.get(name)
    return dict(found) if isinstance(found, dict) else {}


def by_option(error: NarratorError, typed: Typed, *, is_whole: bool = False) -> NarratorError:
    """Name the option that wrote what is refused, if one did.

    Args:
        typed: What was typed.
        is_whole: Whether that is all there is, so that whatever is wrong or missing is an option's.
    """
    is_bare = is_whole and getattr(typed, "scene", None) is None
    parts = error.field.removeprefix("request.").removeprefix("choice.").split(".")
    for place in (parts[:length] for length in range(len(parts), 0, -1)):
        # Where an option writes a list, it does not matter which of it is wrong.
        same = {".".join(place), ".".join(part for part in place if not part.isdigit())}
        found = [
            (each.metadata["places"].index(one), each)
            for each in fields(typed)
            for one in each.metadata["places"]
            if one in same and (is_bare or one == each.metadata["writes"] or not one.startswith("scene."))
        ]
        if found:
            nearest = [each for _, each in sorted(found, key=lambda one: one[0])]
            meant = [each for each in nearest if each in [*_told(typed)]] or (nearest if is_whole else [])
            if not meant:
                return error
            # What is allowed somewhere within what was typed is nothing to be typed in place of it.
            within = [part for part in parts[len(place) :] if not part.isdigit()]
            is_taken = within in ([], ["aspect"]) and getattr(typed, meant[0].name) is not True
            option = next(iter(meant[0].metadata["names"]), f"--{meant[0].name.replace('_', '-')}")
            return type(error)(error.code, option, error.message, error.allowed if is_taken else None)
    return error


def _told(typed: Typed) -> Iterator["Field[Any]"]:
    return (each for each in fields(typed) if getattr(typed, each.name) != each.default)
