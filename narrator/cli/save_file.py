"""Files of payloads, pages and scenes: the data that narrator keeps beside them, and how it overwrites them."""

import json
import os
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator

from narrator.api import registry
from narrator.cli.inputs import file_name, json_of
from narrator.cli.usage import UsageError
from narrator.errors import NarratorError, RequestError, visible
from narrator.files.atomic import replace
from narrator.rules.json_text import Json
from narrator.rules.model import LIST, MOST_BYTES, Given, Name, complaint
from narrator.rules.request.overlay import Overlay
from narrator.rules.request.scene import Scene


def _path(text: str) -> str:
    if "\0" in text:
        raise complaint("bad_request", "this must be the path of a file")
    return text


Place = Annotated[str, AfterValidator(_path)]


class SaveData(Given):
    """The data beside the request or scene in a file that narrator kept. It is for this machine only."""

    answer: Json | None = None
    """Of a page: the answer of `suggest`."""
    ruleset_file: Place | None = None
    """The file of its ruleset, if any."""
    scene_file: Place | None = None
    """Of a page: the file of its scene, if any."""
    typed: Overlay = Overlay()
    """Of a page: what was typed over its scene."""
    page: Name | None = None
    """Of a page: its id."""
    settled: Place | None = None
    """Of a page: where it was settled."""
    pages: Annotated[tuple[Name, ...], LIST] = ()
    """Of a scene: the last pages that were settled in it."""


def payload_in(payload: Json, file: str, *, call: str) -> tuple[Json, SaveData]:
    """Read a payload, a bare request, or a file of `--save`. Return the call, and the data beside it."""
    if {"resolution", "suggestions"} <= payload.keys():
        message = "this is an answer without its request; suggest --save keeps both"
        raise RequestError("bad_request", visible(file), message)
    kept, alone = save_data_in(payload)
    return registry.named_payload(alone, call=call), kept


def save_data_in(read: Json) -> tuple[SaveData, Json]:
    """Separate the data beside a request or scene from it."""
    beside = {name for name in SaveData.model_fields if name != "answer" or "request" in read}
    kept = SaveData.read({name: value for name, value in read.items() if name in beside})
    return kept, {name: value for name, value in read.items() if name not in beside}


def scene_of(file: str) -> tuple[Json, SaveData]:
    """Read the scene in a file, with its ruleset and the data beside it."""
    read = json_of(file)
    found = scene_in(read)
    if not isinstance(found.get("scene"), dict):
        wrong = "it has no scene" if found.get("scene") is None else "its scene must be an object"
        raise RequestError("bad_request", file_name(file), wrong)
    return found, save_data_in(read)[0]


def scene_in(read: Json) -> Json:
    """Take scene and ruleset out of a scene, a request or a kept page."""
    request = read.get("request")
    around = request if isinstance(request, dict) else read
    if not {"scene", "action", "call"} & around.keys():
        return {"scene": around}
    return {name: around[name] for name in ("scene", "ruleset") if name in around}


def check_page(file: str) -> None:
    """Refuse, with `bad_request`, to overwrite a file that is not a page."""
    wanted = "page that `suggest --save` kept"
    read = _read(file, wanted)
    if read is not None and not {"request", "answer"} <= read.keys():
        raise _other(file, wanted)


def scene_at(file: str) -> tuple[bool, SaveData]:
    """Say whether the file has a scene to overwrite, and return the data beside it. Refuse any other file."""
    read = _read(file, "scene")
    if read is None:
        return False, SaveData()
    kept, alone = save_data_in(read)
    scene, around = scene_in(alone).get("scene"), alone.keys() - {"scene", "ruleset"}
    if not isinstance(scene, dict) or not scene.keys() | around <= Scene.model_fields.keys():
        raise _other(file, "scene")
    return True, kept


def keep(file: str, content: Json) -> None:
    """Write a page or a scene into a file. If it can't be written, raise `UsageError` and leave it unchanged."""
    texts = (json.dumps(content, indent=indent, ensure_ascii=False) + "\n" for indent in (2, None))
    try:
        data = next((each for each in (text.encode() for text in texts) if len(each) <= MOST_BYTES), None)
        if data is None:
            raise RequestError("bad_request", visible(file), f"this would be more than {MOST_BYTES} bytes")
        replace(Path(file), data)
    except UnicodeEncodeError:
        raise UsageError(f"{visible(file)}: a path in it is not Unicode", "--save") from None
    except NarratorError as error:
        raise UsageError(f"{error.field}: {error.message}", "--save") from None


def _read(file: str, wanted: str) -> Json | None:
    """Read a file that will be overwritten. None: nothing would be lost."""
    if not os.path.isfile(file) or os.path.getsize(file) == 0:
        return None
    try:
        return json_of(file)
    except NarratorError as error:
        raise _other(file, wanted, f" ({error.message})") from None


def _other(file: str, wanted: str, why: str = "") -> NarratorError:
    message = f"{visible(file)} exists and is not a {wanted}{why}: it would be lost; name another file"
    return RequestError("bad_request", "--save", message)
