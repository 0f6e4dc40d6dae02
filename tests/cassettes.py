"""Cassettes: exchanges with servers that really answered, kept as YAML that people can read, and played again.

A cassette is played as it stands unless NARRATOR_RECORD=1 says to record (`make record`). Method and path of what is
asked must be those of then, and all that was recorded must be played. What was asked for is not kept: a golden page
holds the prompt, and the tests of the source what goes with it.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import vcr  # type: ignore[import-untyped]
import yaml  # type: ignore[import-untyped]

from narrator.rules.json_text import Json

FOLDER = Path(__file__).parents[1] / "cassettes"
# Read when this is imported: while tests run, nothing of ours is left in the environment.
RECORDS = os.environ.get("NARRATOR_RECORD") == "1"
NOBODY = "http://127.0.0.1:9/v1"
"""Where a cassette is played, no server is asked: this is the port at which nobody is."""

EVENT_END = "\n\n"


def is_recording() -> bool:
    """Whether servers are asked, and their answers kept."""
    return RECORDS


@contextmanager
def cassette(name: str) -> Iterator[None]:
    """Play this cassette, or record it anew; to play a part of it is an error."""
    path = FOLDER / f"{name}.yaml"
    if is_recording():
        path.unlink(missing_ok=True)
    with _recorder().use_cassette(str(path)) as played:
        yield
    if not is_recording():
        assert played.all_played, f"not all of {path.name} was played"


def _recorder() -> vcr.VCR:
    recorder = vcr.VCR(
        record_mode=vcr.mode.ALL if is_recording() else vcr.mode.NONE,
        match_on=("method", "path"),
        before_record_request=_bare_request,
        before_record_response=_bare_response,
        serializer="readable",
    )
    recorder.register_serializer("readable", Readable)
    return recorder


def _bare_request(request: Any) -> Any:
    """Keep method and path: no prompt, no host, no key, no versions of this machine."""
    request.uri = f"http://server{urlsplit(request.uri).path}"
    request.headers = {}
    request.body = None
    return request


def _bare_response(response: Json) -> Json:
    kept = {name: value for name, value in response["headers"].items() if name.lower() == "content-type"}
    # A refusal may repeat the key, and narrator reads no more of it than the status.
    body = response["body"] if response["status"]["code"] < 400 else {"string": b""}
    return response | {"headers": kept, "body": body}


class Readable:
    """Writes JSON as YAML trees and event streams as one line for each event, and reads the same bytes back."""

    @staticmethod
    def serialize(content: Json) -> str:
        """Write a cassette."""
        exchanges = [
            {
                "asked": f"{each['request']['method']} {urlsplit(each['request']['uri']).path}",
                "status": each["response"]["status"]["code"],
                "type": _first(each["response"]["headers"]),
                **_written(each["response"]["body"]["string"]),
            }
            for each in content["interactions"]
        ]
        text: str = yaml.safe_dump(exchanges, sort_keys=False, allow_unicode=True, width=118)
        return text

    @staticmethod
    def deserialize(text: str) -> Json:
        """Read a cassette."""
        interactions = []
        for each in yaml.safe_load(text):
            method, path = each["asked"].split()
            request = {"method": method, "uri": f"http://server{path}", "body": None, "headers": {}}
            response = {
                "status": {"code": each["status"], "message": ""},
                "headers": {"content-type": [each["type"]]},
                "body": {"string": _read(each)},
            }
            interactions.append({"request": request, "response": response})
        return {"version": 1, "interactions": interactions}


def _first(headers: Mapping[str, Any]) -> str:
    values = list(headers.values())
    return str(values[0][0] if isinstance(values[0], list) else values[0]) if values else ""


def _written(body: str | bytes) -> Json:
    text = body.decode() if isinstance(body, bytes) else body
    if text.startswith("data:") and text.endswith(EVENT_END):
        return {"events": text.removesuffix(EVENT_END).split(EVENT_END)}
    return {"text": text}


def _read(exchange: Json) -> str:
    if "events" in exchange:
        return "".join(event + EVENT_END for event in exchange["events"])
    return str(exchange["text"])
