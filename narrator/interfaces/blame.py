"""Tells a refusal by the option that was typed, in place of the field that it wrote."""

from collections.abc import Mapping
from dataclasses import fields

from narrator.errors import NarratorError
from narrator.interfaces.typed import TypedAction, TypedChoice, told

Options = Mapping[str, tuple[str, ...]]
"""For each field the options that write it; the first is meant where none of them was typed."""

_OF_ACTION: Options = {
    **{f"action.{each.name}": (each.name,) for each in fields(TypedAction)},
    "action.attack.track": ("track",),
    "action.helpers": ("helper",),
    "action.invocations": ("invoke",),
    "action.opposition": ("by", "with_", "hindering", "against"),
    "action.opposition.by": ("by",),
    "action.opposition.invocations": ("invoke_against",),
    "action.opposition.hindering": ("hindering",),
    "action.opposition.rating": ("against",),
    "action.opposition.roll": ("against",),
    "action.opposition.skill": ("with_",),
    "action.outcome": ("outcome", "fail", "tie", "succeed", "style"),
    "action.roll": ("dice", "total"),
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
    **{each.name: (each.name,) for each in fields(TypedChoice)},
    "grants.on": ("zone",),
    "grants.to": ("to",),
    "suggestions.to": ("to",),
}


def by_option(error: NarratorError, typed: TypedAction, *, is_whole: bool) -> NarratorError:
    """Name the option that wrote what is refused, if one did.

    Args:
        typed: What was typed.
        is_whole: Whether that is all there is, so that whatever is wrong or missing is an option's.
    """
    options = _writing(error.field, {**_OF_ACTION, **(_OF_ITS_SCENE if is_whole and typed.scene is None else {})})
    written = tuple(option for option in options if option in told(typed))
    return _naming(error, written or (options if is_whole else ()))


def by_option_of_choice(error: NarratorError) -> NarratorError:
    """The same for what is typed beside the letters of a page, whichever of a list it is."""
    return _naming(error, _writing(".".join(part for part in error.field.split(".") if not part.isdigit()), _OF_CHOICE))


def _writing(field: str, known: Options) -> tuple[str, ...]:
    parts = field.split(".")
    around = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((known[each] for each in around if each in known), ())


def _naming(error: NarratorError, options: tuple[str, ...]) -> NarratorError:
    field = f"--{options[0].rstrip('_').replace('_', '-')}" if options else error.field
    return NarratorError(error.code, field, error.message, error.allowed)
