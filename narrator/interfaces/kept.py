"""Pages and scenes kept in files between one command and the next, and how one that is there is written over."""

import json
import os
from pathlib import Path

import typer

from narrator.errors import NarratorError
from narrator.files import replace
from narrator.interfaces.asked import Asked, Json, Kept, json_of, kept_in, scene_in
from narrator.render.plain import visible
from narrator.rules.model import MOST_BYTES
from narrator.rules.scene import Scene

PAGES = 50
"""Of how many pages a scene knows that they were settled in it."""


def kept_of(asked: Asked, answer: Json) -> Json:
    """What `settle` needs to know of a page: the request that resolves to it again, the words that it numbers, and how
    its scene came about.
    """
    drawn = {"seed": answer["resolution"].get("seed"), "deal": answer.get("deal")}
    here = asked.kept.model_dump(include={"ruleset_file", "scene_file"})
    here["typed"] = asked.kept.typed.model_dump(mode="json", exclude_defaults=True) or None
    request = {**asked.call.request, **_there(drawn)}
    return {"page": os.urandom(8).hex(), **_there(here), "request": request, "answer": answer}


def scene_kept(asked: Asked, scene: Json, before: Kept) -> Json:
    """What the next page needs to know of a scene: what is in it, by which ruleset it is played, and which pages are
    settled.

    Args:
        before: What stands beside the scene that is written over.
    """
    settled = [*before.pages, *([asked.kept.page] if asked.kept.page else [])][-PAGES:]
    here = {"ruleset_file": asked.kept.ruleset_file, "pages": settled or None}
    return {"ruleset": asked.rulesets[0].name, **_there(here), "scene": scene}


def check_page(file: str) -> None:
    """Refuse to write a page over what is none.

    Raises:
        NarratorError: `bad_request` for any other file.
    """
    wanted = "page that `suggest --save` kept"
    read = _read(file, wanted)
    if read is not None and not {"request", "answer"} <= read.keys():
        raise _other(file, wanted)


def scene_at(file: str) -> tuple[bool, Kept]:
    """Say whether there is a scene to be written over, and what stands beside it.

    Raises:
        NarratorError: `bad_request` for a file that is no scene.
    """
    read = _read(file, "scene")
    if read is None:
        return False, Kept()
    kept, alone = kept_in(read)
    scene, around = scene_in(alone).get("scene"), alone.keys() - {"scene", "ruleset"}
    if not isinstance(scene, dict) or not scene.keys() | around <= Scene.model_fields.keys():
        raise _other(file, "scene")
    return True, kept


def keep(file: str, content: Json) -> None:
    """Write a page or a scene into a file.

    Raises:
        typer.BadParameter: For a file that cannot be written; then it is as it was.
    """
    texts = (json.dumps(content, indent=indent, ensure_ascii=False) + "\n" for indent in (2, None))
    try:
        data = next((each for each in (text.encode() for text in texts) if len(each) <= MOST_BYTES), None)
        if data is None:
            raise NarratorError("bad_request", visible(file), f"this comes to more than {MOST_BYTES} bytes")
        replace(Path(file), data)
    except UnicodeEncodeError:
        raise typer.BadParameter(f"{visible(file)}: a path in it is not Unicode", param_hint="--save") from None
    except NarratorError as error:
        raise typer.BadParameter(f"{error.field}: {error.message}", param_hint="--save") from None


def _read(file: str, wanted: str) -> Json | None:
    """Read what is to be written over; None: nothing is lost there."""
    if not os.path.isfile(file) or os.path.getsize(file) == 0:
        return None
    try:
        return json_of(file)
    except NarratorError as error:
        raise _other(file, wanted, f" ({error.message})") from None


def _other(file: str, wanted: str, why: str = "") -> NarratorError:
    message = f"{visible(file)} is there, and is no {wanted}{why}: it would be lost; mend it, or name another file"
    return NarratorError("bad_request", "--save", message)


def _there(values: Json) -> Json:
    return {name: value for name, value in values.items() if value is not None}
