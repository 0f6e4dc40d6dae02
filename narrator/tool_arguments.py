"""The request as a model that calls a tool is told of it: the fields that matter, written out."""

from functools import cache
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, create_model

from narrator.schemas import NULL, Json, schema

SHOWN = {
    "Request": ("action", "scene", "ruleset", "per_slot"),
    "Action": (
        *("type", "actor", "target", "intent", "aspect", "variant", "skill", "roll", "bonus", "invocations"),
        *("opposition", "outcome", "shifts"),
    ),
    "Roll": ("dice", "total"),
    "Invocation": ("aspect", "use", "pay"),
    "Passive": ("kind", "rating"),
    "Active": ("kind", "by", "skill", "roll", "bonus"),
    "Scene": ("summary", "frame", "facts", "aspects", "characters", "tone", "language", "lines", "veils"),
    "SceneAspect": ("name", "on", "free_invocations", "boost"),
    "Character": ("name", "side", "pronouns", "importance", "skills", "aspects"),
}
"""Of each model the fields that somebody who is new to the contract needs. Whatever else it has is taken as well."""

BOUNDS = frozenset(
    (
        *("default", "title", "pattern", "propertyNames", "minimum", "maximum"),
        *("minLength", "maxLength", "minItems", "maxItems", "maxProperties"),
    )
)
"""What is checked when a request is read, and only makes a schema longer."""


@cache
def tool_arguments() -> type[BaseModel]:
    """Return a model with the fields of a request, described; what stands in them is judged when the request is
    read.
    """
    whole = schema("request")
    fields: dict[str, Any] = {}
    for name in SHOWN["Request"]:
        written = whole["properties"][name]
        shown = Annotated[Any, WithJsonSchema(_short(written, whole["$defs"]))]
        fields[name] = (shown, Field(written.get("default", ...), description=written["description"]))
    # What is not shown goes through to the reading, which knows every field.
    model: type[BaseModel] = create_model("Request", __config__=ConfigDict(extra="allow"), **fields)
    return model


def _short(part: Any, models: Json) -> Any:
    """Write out a part of a schema: models in their places, without null and bounds."""
    if isinstance(part, list):
        return [_short(each, models) for each in part if each != NULL and _is_shown(each)]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        model = models[_named(part)]
        part = {**model, "properties": {name: model["properties"][name] for name in SHOWN[_named(part)]}}
    found = {key: _short(value, models) for key, value in part.items() if key not in BOUNDS and value is not False}
    for union in ("allOf", "anyOf", "oneOf"):
        if len(found.get(union, ())) == 1:
            (only,) = found.pop(union)
            found = {**only, **found}
    return found


def _is_shown(part: Any) -> bool:
    return not (isinstance(part, dict) and "$ref" in part) or _named(part) in SHOWN


def _named(part: Json) -> str:
    name: str = part["$ref"].rpartition("/")[2]
    return name
