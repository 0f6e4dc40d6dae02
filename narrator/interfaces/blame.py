"""Tells a refusal by the option that was typed, in place of the field that it wrote."""

from collections.abc import Mapping

from narrator.errors import NarratorError
from narrator.interfaces.typed import TypedAction

Options = Mapping[str, tuple[str, ...]]
"""For each field the options that write it; the first is meant where none of them was typed."""

_OPPOSED = ("by", "with_", "hindering", "against")

_OF_ACTION: Options = {
    "action.actor": ("actor",),
    "action.aspect": ("aspect",),
    "action.attack.track": ("track",),
    "action.bonus": ("bonus",),
    "action.helpers": ("helper",),
    "action.intent": ("intent",),
    "action.invocations": ("invoke",),
    "action.maneuver": ("maneuver",),
    "action.opposition": _OPPOSED,
    "action.opposition.by": ("by",),
    "action.opposition.invocations": ("invoke_against",),
    "action.opposition.hindering": ("hindering",),
    "action.opposition.rating": ("against",),
    "action.opposition.roll": ("against",),
    "action.opposition.skill": ("with_",),
    "action.outcome": ("outcome", "fail", "tie", "succeed", "style"),
    "action.path": ("path",),
    "action.roll": ("dice", "total"),
    "action.shifts": ("shifts",),
    "action.skill": ("skill",),
    "action.target": ("target",),
    "action.variant": ("variant",),
    "scene.tone": ("tone",),
}

_OF_ITS_SCENE: Options = {
    "scene.aspects": ("aspect", "hindering", "invoke"),
    "scene.characters": ("target", "by"),
    "scene.characters.0": ("actor",),
    "scene.characters.0.skills": ("skill",),
    "scene.characters.1.skills": ("with_",),
}

_OF_CHOICE: Options = {
    "absorb": ("absorb",),
    "form": ("form",),
    "follow": ("follow",),
    "grants.on": ("zone",),
    "grants.to": ("to",),
    "holder": ("holder",),
    "name": ("name",),
    "taken_out": ("taken-out",),
    "to": ("to",),
    "track": ("track",),
    "zone": ("zone",),
}


def by_option(error: NarratorError, typed: TypedAction, *, is_whole: bool) -> NarratorError:
    """
    Name the option that wrote what is refused, if one did.

    Args:
        typed: What was typed.

        is_whole: Whether that is all there is, so that whatever is wrong or missing is an option's.
    """
    options = _writing(error.field, {**_OF_ACTION, **(_OF_ITS_SCENE if is_whole and typed.scene is None else {})})
    told = [option for option in options if getattr(typed, option) not in (None, False, [])]
    return _naming(error, told or (options if is_whole else ()))


def by_option_of_choice(error: NarratorError) -> NarratorError:
    """
    The same for what is typed beside the letters of a page, whichever of a list it is.
    """
    return _naming(error, _writing(".".join(part for part in error.field.split(".") if not part.isdigit()), _OF_CHOICE))


def _writing(field: str, known: Options) -> tuple[str, ...]:
    parts = field.split(".")
    around = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((known[each] for each in around if each in known), ())


def _naming(error: NarratorError, options: tuple[str, ...] | list[str]) -> NarratorError:
    field = f"--{options[0].rstrip('_')}" if options else error.field
    return NarratorError(error.code, field, error.message, error.allowed)
