"""What a typed roll adds to a scene: people, skills, aspects. It can be added to a later state of the scene again."""

from collections.abc import Mapping
from typing import Annotated

from narrator.rules.json_text import Json
from narrator.rules.model import LIST, TABLE, Given, Name, Prose, Whole
from narrator.rules.request.scene import Character, Scene, SceneAspect


class Overlay(Given):
    """What a typed roll adds to a scene."""

    tone: Prose | None = None
    """The style of the words."""
    aspects: Annotated[tuple[SceneAspect, ...], LIST] = ()
    """Aspects that are put in play."""
    people: Annotated[tuple[Character, ...], LIST] = ()
    """New characters."""
    ratings: Annotated[dict[Name, dict[Name, Whole]], TABLE] = {}
    """Ratings by character and skill."""


def overlay(under: Json, scene: Json) -> Json:
    """Return what `scene` adds to the scene `under`, as the JSON of an `Overlay`."""
    was = {each["name"]: each.get("skills") or {} for each in under.get("characters") or []}
    here = scene.get("characters") or []
    ratings: dict[str, Json] = {}
    for each in here:
        before = was.get(each["name"], each.get("skills") or {})
        new = {skill: rating for skill, rating in (each.get("skills") or {}).items() if before.get(skill) != rating}
        ratings |= {each["name"]: new} if new else {}
    aspects = scene.get("aspects") or []
    told = {
        "tone": scene.get("tone") if scene.get("tone") != under.get("tone") else None,
        "aspects": [each for each in aspects if each not in (under.get("aspects") or [])],
        "people": [each for each in here if each["name"] not in was],
        "ratings": ratings,
    }
    return {name: value for name, value in told.items() if value}


def laid(typed: Overlay, scene: Json) -> tuple[Json, tuple[Character, ...]]:
    """Add an overlay to a scene. Return the scene and its new characters. Struck characters are not added again."""
    if typed == Overlay():
        return scene, ()
    read = Scene.read(scene, "request.scene")
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
    """Merge ratings. The case of a skill does not matter."""
    same = {skill.casefold() for skill in typed}
    return {skill: rating for skill, rating in skills.items() if skill.casefold() not in same} | dict(typed)
