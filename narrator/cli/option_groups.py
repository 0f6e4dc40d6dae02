"""The options for an action, a choice, a turn order and words, each with the field of the payload that it writes."""

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
        raise typer.BadParameter(f"{text!r} is not a whole number") from None


_option = partial(option, rich_help_panel="Describe the roll, or change a file's")
_number = partial(_option, metavar="NUMBER", parser=whole_number)
_outcome = partial(_option, writes="action.outcome", default=False, metavar="")

_OPPOSITION = "action.opposition"

CAMPAIGN = "The campaign, by default the one in use."


@dataclass(frozen=True)
class TypedAction:
    """What was typed of an action: of `scene.` is made only what no file tells."""

    actor: str | None = _option(
        writes="action.actor", makes=["scene.characters.0"], spelt="people", help="The character who acts."
    )
    intent: str | None = _option(writes="action.intent", help="What the actor wants, in a few words.")
    skill: str | None = _option(
        makes=["action.skill", "scene.characters.0.skills"],
        metavar="NAME[=RATING]",
        help="The skill, such as Resources=1. Without a rating, the sheet in the scene has it.",
    )
    dice: str | None = _option(
        makes=["action.roll.dice", "action.roll"],
        metavar="FACES",
        help='The four dice, such as "+ 0 0 -".',
    )
    sum: int | None = _number(writes="action.roll.sum", makes=["action.roll"], help="Or the sum of the four dice.")
    total: int | None = _number(
        writes="action.roll.total", makes=["action.roll"], help="Or the total, with the skill already added."
    )
    fail: bool = _outcome("--fail", value="fail", help="Or only the outcome: it failed.")
    tie: bool = _outcome("--tie", value="tie", help="Or only the outcome: it tied.")
    succeed: bool = _outcome("--succeed", value="succeed", help="Or only the outcome: it succeeded.")
    style: bool = _outcome("--style", value="succeed_with_style", help="Or only the outcome: it succeeded with style.")
    outcome: str | None = _option(
        writes="action.outcome", spelt="outcomes", metavar="NAME", help="Or another outcome of the ruleset."
    )
    shifts: int | None = _number(makes=["action.shifts"], help="With an outcome: by how many shifts.")
    against: str | None = _option(
        makes=["action.opposition.rating", "action.opposition.roll", _OPPOSITION],
        metavar="RATING",
        help="The opposition, such as 2 or Fair. With --by, their total.",
    )
    by: str | None = _option(
        makes=["action.opposition.by", _OPPOSITION, "scene.characters"],
        spelt="people",
        metavar="NAME",
        help="The character who opposes or defends.",
    )
    with_: str | None = _option(
        "--with",
        makes=["action.opposition.skill", _OPPOSITION, "scene.characters.1.skills"],
        metavar="NAME[=RATING]",
        help="The skill of the character who opposes.",
    )
    hindering: list[str] | None = _option(
        makes=["action.opposition.hindering", _OPPOSITION, "scene.aspects"],
        spelt="aspects",
        metavar="ASPECT",
        help="An aspect that makes it harder by 2. Repeat it for more.",
    )
    variant: str | None = _option(
        writes="action.variant", spelt="variants", help="The variant of the action, such as existing_aspect."
    )
    maneuver: str | None = _option(
        writes="action.maneuver", spelt="maneuvers", help="The maneuver, such as charge, if the ruleset has them."
    )
    path: list[str] | None = _option(
        writes="action.path",
        spelt="zones",
        metavar="ZONE",
        help="A zone of a movement. Repeat it, from the first zone to the last.",
    )
    track: str | None = _option(
        writes="action.attack.track", spelt="tracks", help="The stress track of an attack, such as mental."
    )
    bonus: int | None = _number(writes="action.bonus", help="A bonus to add to the dice, such as a stunt's 2.")
    helper: list[str] | None = _option(
        writes="action.helpers", spelt="people", metavar="NAME", help="A character who helps. Repeat it for more."
    )
    target: str | None = _option(writes="action.target", makes=["scene.characters"], spelt="people", help="The target.")
    aspect: str | None = _option(
        writes="action.aspect", makes=["scene.aspects"], spelt="aspects", help="The aspect that the action is about."
    )
    invoke: list[str] | None = _option(
        makes=["action.invocations", "scene.aspects"],
        spelt="aspects",
        metavar="ASPECT[=HOW]",
        help="An aspect to invoke: free if possible, otherwise for a fate point. HOW is free, fate_point, reroll, or "
        "an ally whose free invocation is used.",
    )
    invoke_against: list[str] | None = _option(
        makes=["action.opposition.invocations", "scene.aspects"],
        spelt="aspects",
        metavar="ASPECT[=HOW]",
        help="The same for the character who opposes.",
    )
    tone: str | None = _option(writes="scene.tone", help='The kind of story, such as "noir".')
    scene: str | None = _option(metavar="FILE", help="A file with the scene.")
    campaign: str | None = _option(metavar="NAME", help=CAMPAIGN)
    page: str | None = _option(metavar="ID", help="The page of the campaign to use or replace, such as p7.")


@dataclass(frozen=True)
class TypedChoice:
    """The options for a choice, besides its letters."""

    campaign: str | None = option(metavar="NAME", help=CAMPAIGN)
    page: str | None = option(
        metavar="ID", help="The page of the campaign, such as p7. By default the newest open page."
    )
    absorb: list[str] | None = option(
        makes=["absorb"],
        metavar="BOX|LEVEL=NAME",
        help='How to absorb a hit: a box such as 2, or a consequence such as "mild=Split Lip". Repeat it for both.',
    )
    taken_out: bool = flag("--taken-out", writes="taken_out", help="Do not absorb the hit.")
    to: str | None = option(
        makes=["to", "grants.to", "suggestions.to"],
        spelt="people",
        metavar="NAME",
        help="The character who gets it, if there is a choice.",
    )
    holder: str | None = option(
        writes="holder",
        spelt="people",
        metavar="NAME",
        help="The character who gets the free invocation of a consequence.",
    )
    track: str | None = option(writes="track", metavar="TRACK", help="The stress track to mark.")
    zone: str | None = option(makes=["zone", "grants.on"], metavar="ZONE", help="The zone that somebody moves to.")
    follow: bool = flag("--follow", makes=["follow"], help="Let others move along if they may.")
    form: str | None = option(makes=["form"], metavar="FORM", help="For your own words: their form.")
    name: str | None = option(
        makes=["name"],
        metavar="TEXT",
        help="For your own words: the name. Without --form, it replaces the suggestion's name.",
    )
    detail: str | None = option(
        makes=["detail"],
        metavar="TEXT",
        help="For your own words: what happens. Without --form, it replaces the suggestion's text.",
    )


@dataclass(frozen=True)
class TypedTurnOrder:
    """What was typed of a turn order."""

    campaign: str | None = option(metavar="NAME", help=CAMPAIGN)
    approach: str | None = option(
        writes="approach",
        metavar="NAME",
        help="The skill or approach that decides, such as Quick, unless the file names it.",
    )
    ties: list[str] | None = option(
        writes="ties", metavar="NAME", help="A skill that decides who goes first if two are equal."
    )
    together: list[str] | None = option(
        writes="together", metavar="SIDE", help="A side that acts together, on its best member's turn."
    )
    first: list[str] | None = option(
        writes="first", metavar="NAME", help="A character who goes first, whatever the rating."
    )


@dataclass(frozen=True)
class TypedWords:
    """What was typed of words without a roll."""

    scene: str | None = option(metavar="FILE", help="A file with the scene.")
    campaign: str | None = option(metavar="NAME", help=CAMPAIGN)
    about: str | None = option(
        writes="about", help="What the words are about: a character, an aspect in play, or a few words."
    )
    tone: str | None = option(writes="scene.tone", help='The kind of story, such as "noir".')
    number: int | None = option(writes="per_slot", min=1, max=10, default=3, help="How many suggestions.")


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
