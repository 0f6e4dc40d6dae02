"""Pages and scenes kept in files between one command and the next."""

import json
import os

import typer

from narrator.errors import NarratorError
from narrator.interfaces.asked import RULESET_FILE, Asked, Json, at_once, json_of, scene_in
from narrator.render.plain import visible


def kept_of(asked: Asked, answer: Json) -> Json:
    """
    What `settle` needs to know of a page: the request that resolves to it again, and the words that it numbers.
    """
    drawn = {"seed": answer["resolution"].get("seed"), "deal": answer.get("deal")}
    told = {name: number for name, number in drawn.items() if number is not None}
    return {**_ruleset_file(asked), "request": {**asked.call.request, **told}, "answer": answer}


def scene_kept(asked: Asked, scene: Json) -> Json:
    """
    What the next page needs to know of a scene: what is in it, and by which ruleset it is played.
    """
    return {"ruleset": asked.rulesets[0].name, **_ruleset_file(asked), "scene": scene}


def _ruleset_file(asked: Asked) -> Json:
    return {} if asked.ruleset_file is None else {RULESET_FILE: asked.ruleset_file}


def check_revision(file: str, request: Json) -> None:
    """
    Refuse to write over a scene in which somebody settled something since this page was made.

    Raises:
        NarratorError: `stale_scene`, with the file.
    """
    if not os.path.isfile(file):
        return
    there, ours = (_revision(each) for each in (json_of(file), request))
    if there != ours:
        message = f"its scene is of revision {there}, and this page was made from {ours}: make the page anew from it"
        raise NarratorError("stale_scene", visible(file), message)


def _revision(around: Json) -> int:
    scene = scene_in(around).get("scene")
    return (scene.get("revision") if isinstance(scene, dict) else None) or 0


def keep(file: str, content: Json) -> None:
    """
    Write a page or a scene into a file.

    Raises:
        typer.BadParameter: For a file that cannot be written.
    """
    try:
        with open(file, "w", encoding="utf-8", opener=at_once) as opened:
            opened.write(json.dumps(content, indent=2) + "\n")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "this is no path of a file"
        raise typer.BadParameter(f"{visible(file)}: {why}", param_hint="--save") from None
