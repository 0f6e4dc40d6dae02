"""What was typed over a scene, kept apart from it, and laid over it again as it is later."""

from collections.abc import Mapping
from typing import Annotated, Any

from narrator.rules.model import LIST, TABLE, Given, Name, Text, Whole
from narrator.rules.scene import Character, Scene, SceneAspect

Json = dict[str, Any]


class Overlay(Given):
    """What was typed over a scene."""

    tone: Text | None = None
    """How it should sound."""
    aspects: Annotated[tuple[SceneAspect, ...], LIST] = ()
    """Those that are in play because somebody typed them."""
    people: Annotated[tuple[Character, ...], LIST] = ()
    """Who is new."""
    ratings: Annotated[dict[Name, dict[Name, Whole]], TABLE] = {}
    """The skills that were typed, by whose they are."""


def overlay(under: Json, scene: Json) -> Json:
    """Tell what a scene has over the one that it was made of, as the JSON of an `Overlay`."""
    was = {each["name"]: each.get("skills") or {} for each in under.get("characters") or []}
    here = scene.get("characters") or []
    ratings = {each["name"]: _new(each.get("skills") or {}, was.get(each["name"], {})) for each in here}
    aspects = scene.get("aspects") or []
    told = {
        "tone": scene.get("tone") if scene.get("tone") != under.get("tone") else None,
        "aspects": [each for each in aspects if each not in (under.get("aspects") or [])],
        "people": [each for each in here if each["name"] not in was],
        "ratings": {who: skills for who, skills in ratings.items() if who in was and skills},
    }
    return {name: value for name, value in told.items() if value}


def laid(typed: Overlay, scene: Json) -> tuple[Json, tuple[Character, ...]]:
    """Lay what was typed over a scene. Whom somebody struck out of it since stays out.

    Returns:
        The scene, and who is new in it.

    Raises:
        NarratorError: For a scene that is none.
    """
    if typed == Overlay():
        return scene, ()
    read = Scene.read(scene, "scene")
    names, aspects = [each.name for each in read.characters], [each.name for each in read.aspects]
    people = [
        {**each, "skills": with_ratings(each.get("skills") or {}, typed.ratings.get(each["name"], {}))}
        for each in scene.get("characters") or []
    ]
    new = tuple(each for each in typed.people if each.name not in names)
    people += [each.as_json() for each in new]
    more = [each.as_json() for each in typed.aspects if each.name not in aspects]
    tone = {} if typed.tone is None else {"tone": typed.tone}
    return {**scene, "characters": people, "aspects": [*(scene.get("aspects") or []), *more], **tone}, new


def with_ratings(skills: Mapping[str, int], typed: Mapping[str, int]) -> dict[str, int]:
    """Put ratings among others: a skill is the same in any case."""
    same = {skill.casefold() for skill in typed}
    return {skill: rating for skill, rating in skills.items() if skill.casefold() not in same} | dict(typed)


def _new(skills: Mapping[str, int], before: Mapping[str, int]) -> dict[str, int]:
    return {skill: rating for skill, rating in skills.items() if before.get(skill) != rating}
