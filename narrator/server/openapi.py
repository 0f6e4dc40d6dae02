"""All addresses of the server with their schemas, and each call with an example that works."""

import json
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from narrator.api import schemas
from narrator.rules.json_text import Json
from narrator.server.campaign_calls import CAMPAIGN_CALLS, StreamingCall

_SHARED = "#/components/schemas/"
_ROLE = {"gm": "for the GM", "players": "for the GM; players see what players see"}

_READ = {
    "": ("The scene, open pages and entries.", "players"),
    "/scene": ("The newest scene.", "players"),
    "/pages": ("The open pages.", "players"),
    "/entries": ("The entries after `after`, or an endless stream of those after `Last-Event-ID`.", "players"),
}


@cache
def described() -> bytes:
    """Describe the server in OpenAPI 3.1, as JSON. The first time this takes a second."""
    shared: Json = {}
    paths: Json = {
        "/healthz": {"get": _read("Whether the server answers.", "anybody")},
        "/v1/session": {
            "post": {
                **_read("Exchange a code for a session, as a browser's cookie.", "anybody"),
                "requestBody": _body(_CODE, {"code": "abcd2345"}),
            },
            "delete": _read("End the session.", "anybody with a session"),
        },
        "/v1/campaigns": {"get": _read("The names of all campaigns, and the one that players see.", "for the GM")},
    }
    examples = json.loads(files(__package__).joinpath("examples.json").read_text("utf-8"))
    for name, model in schemas.MODELS.items():
        paths[f"/v1/{name}"] = {
            "post": _call(model, shared, examples["calls"][name], streams=hasattr(model, "astream"))
        }
    for path, (said, role) in _READ.items():
        paths[f"/v1/campaigns/{{name}}{path}"] = {"get": _read(said, _ROLE[role]), "parameters": [_NAME]}
    for name, model in CAMPAIGN_CALLS.items():
        streams = issubclass(model, StreamingCall)
        told = _call(model, shared, examples["campaign"][name], streams=streams)
        paths[f"/v1/campaigns/{{name}}/{name}"] = {"post": told, "parameters": [_NAME]}
    shared["error"] = _shared(schemas.schema("error"), shared)
    whole = {
        "openapi": "3.1.0",
        "info": {"title": "narrator", "version": version("fate-narrator"), "description": __doc__},
        "paths": paths,
        "components": {
            "schemas": shared,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }
    return json.dumps(whole).encode()


_CODE = {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]}
_NAME = {"name": "name", "in": "path", "required": True, "schema": {"type": "string"}, "example": "harbour"}


def _call(model: Any, shared: Json, example: Json, *, streams: bool) -> Json:
    given = _shared(schemas.written(model, is_given=True), shared)
    # The address names the call.
    given["required"] = [each for each in given.get("required", ()) if each != "call"]
    gives = _shared(schemas.written(model.gives, is_given=False), shared)
    content: Json = {"application/json": {"schema": gives}}
    if streams:
        content["text/event-stream"] = {"schema": {"type": "string"}}
    told = _read(" ".join((model.__doc__ or "").split()), "for the GM")
    told["responses"]["200"]["content"] = content
    return {**told, "requestBody": _body(given, example)}


def _body(schema: Json, example: Json) -> Json:
    return {"required": True, "content": {"application/json": {"schema": schema, "example": example}}}


def _read(said: str, who: str) -> Json:
    wrong = {"description": "The error.", "content": {"application/json": {"schema": {"$ref": f"{_SHARED}error"}}}}
    return {"summary": f"{said} ({who})", "responses": {"200": {"description": "The result."}, "default": wrong}}


def _shared(schema: Json, shared: Json) -> Json:
    """Move the models of a schema to the shared ones, and adapt its references."""
    text = json.dumps({key: value for key, value in schema.items() if key != "$schema"})
    moved: Json = json.loads(text.replace('"#/$defs/', f'"{_SHARED}'))
    shared.update(moved.pop("$defs", {}))
    return moved
