"""What is told over a scene with a roll: who is new, skills, aspects. It is laid over the scene as it is later, too."""

from collections.abc import Mapping
from typing import Annotated

from narrator.rules.json_text import Json
from narrator.rules.model import LIST, TABLE, Given, Name, Prose, Whole
from narrator.rules.request.scene import Character, Scene, SceneAspect


class Overlay(Given):
    """What is told over a scene."""

    tone: Prose | None = None
    """How it should sound."""
    aspects: Annotated[tuple[SceneAspect, ...], LIST] = ()
    """Those that are in play because somebody told them."""
    people: Annotated[tuple[Character, ...], LIST] = ()
    """Who is new."""
    ratings: Annotated[dict[Name, dict[Name, Whole]], TABLE] = {}
    """The skills that were told, by whose they are."""


def overlay(under: Json, scene: Json) -> Json:
    """Tell what a scene has over the one that it was made of, as the JSON of an `Overlay`."""
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
    """Lay what was typed over a scene, and say who is new in it. Whom somebody struck out of it since stays out."""
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
    """Put ratings among others: a skill is the same in any case."""
    same = {skill.casefold() for skill in typed}
    return {skill: rating for skill, rating in skills.items() if skill.casefold() not in same} | dict(typed)
