"""JSON Schemas of payloads and results, for the authors of macros, and short ones for models with tools."""

import ast
from functools import cache, reduce
from inspect import getsource
from itertools import pairwise
from operator import or_
from textwrap import dedent
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, WithJsonSchema, create_model
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from narrator import errors
from narrator.api.judgement import CandidateCall
from narrator.api.registry import CALLS, SCHEMAS, model_of
from narrator.deck.deck_file import DeckFile
from narrator.rules.json_text import Json
from narrator.rules.model import Model
from narrator.rules.request.action import Request
from narrator.rules.request.scene import Scene
from narrator.rules.resolve.dice import FACES
from narrator.rules.settle.choice import Choice
from narrator.suggestions.pipeline.answer import Event
from narrator.validation.verdict import Candidate


class Refusal(Model):
    """What is wrong with a payload."""

    code: errors.ErrorCode
    """The error code. Programs can rely on it."""
    field: str
    """The place in the payload, such as `request.action.invocations.0.aspect`. Empty means the whole payload. For the
    file of a ruleset or a deck: its path and line."""
    message: str
    """What is wrong, for people."""
    allowed: tuple[str, ...] | None = None
    """The values that would be accepted there, if they can be listed."""


class ErrorObject(Model):
    """The result of any call that can't be answered."""

    error: Refusal
    """What is wrong."""


MODELS = {name: model_of(name) for name in CALLS}

PAYLOAD = reduce(or_, MODELS.values())

GIVEN: dict[str, Any] = {
    "request": Request,
    "scene": Scene,
    "choice": Choice,
    "payload": Annotated[
        PAYLOAD, Field(discriminator="call", title="Payload", description="The name of a call, and its parts.")
    ],
    "suggestion": Candidate,
    "deck": DeckFile,
}
"""What users write. Unknown fields are refused. For optional fields, null means the same as a missing field."""

GIVES = {name: SCHEMAS.get(name, name) for name in CALLS}
"""For each call, the name of its result's schema."""

MADE: dict[str, Any] = {
    **{GIVES[name]: model.gives for name, model in MODELS.items()},
    "event": Annotated[Event, Field(title="Event", description="A piece of the answer, sent as soon as it is known.")],
    "error": ErrorObject,
}
"""What narrator writes. Fields may be added later. Fields that do not apply are omitted, never null."""

SUBJECTS = (*GIVEN, *MADE)

NULL = {"type": "null"}
ANYTHING = {"type": ["array", "boolean", "number", "object", "string"]}

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
    "ReachCall": ("request", "by", "limit"),
    "SettleCall": ("request", "choice"),
    "Choice": ("branch", "suggestions", "grants", "absorb", "taken_out"),
    "Candidate": ("slot", "form", "to", "name", "detail", "severity"),
    "GrantChoice": ("index", "to", "on"),
    "AbsorbChoice": ("stress", "boxes", "consequences"),
    "NamedConsequence": ("severity", "name"),
    "WordRequest": ("kind", "about", "scene", "per_slot"),
}
"""For each model, the fields that a newcomer to the contract needs. Its other fields are accepted as well."""

BOUNDS = frozenset(
    (
        *("default", "title", "pattern", "propertyNames", "minimum", "maximum"),
        *("minLength", "maxLength", "minItems", "maxItems", "maxProperties"),
    )
)
"""Keywords that only make a schema longer: they are checked when a request is read."""


def schema(subject: str) -> Json:
    """Return the JSON Schema (2020-12) of one of the subjects."""
    return written(GIVEN[subject] if subject in GIVEN else MADE[subject], is_given=subject in GIVEN)


def every_call() -> Json:
    """Return, for each call by name, the schemas of its `payload` and its `answer`."""
    return {
        name: {"payload": written(model, is_given=True), "answer": written(model.gives, is_given=False)}
        for name, model in MODELS.items()
    }


def written(kind: Any, *, is_given: bool) -> Json:
    adapter = TypeAdapter(kind)
    written = adapter.json_schema(mode="validation" if is_given else "serialization", schema_generator=_Writer)
    for each in (written, *written.get("$defs", {}).values()):
        _finish(each, is_given=is_given)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", **written}


@cache
def descriptions(model: type[BaseModel]) -> dict[str, str]:
    """Read the strings under the fields of a model, own and inherited ones."""
    found = {}
    for each in reversed(model.__mro__[: model.__mro__.index(BaseModel)]):
        (written,) = ast.parse(dedent(getsource(each))).body
        assert isinstance(written, ast.ClassDef), "the source of a class is a class"
        for field, said in pairwise(written.body):
            match field, said:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                    found[name] = _line(text)
    return found


class _Writer(GenerateJsonSchema):
    """Writes the strings under the fields as descriptions, and no titles that only repeat names."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        written = super().model_schema(schema)
        model: type[BaseModel] = schema["cls"]
        assert "description" in written, f"{model.__name__} in {model.__module__} needs a docstring"
        written["description"] = _line(written["description"])
        said = descriptions(model)
        for name, field in model.model_fields.items():
            assert name in said, f"{model.__name__}.{name} in {model.__module__} needs a string under it: its meaning"
            written["properties"][field.alias or name]["description"] = said[name]
        # Candidates are not validated when read, because anything gets a verdict.
        if model is Choice:
            written["properties"]["suggestions"]["items"] = self.generate_inner(Candidate.__pydantic_core_schema__)
        elif issubclass(model, CandidateCall):
            candidate = self.generate_inner(Candidate.__pydantic_core_schema__)
            written["properties"]["candidate"] = {**candidate, "description": said["candidate"]}
        return written

    def tuple_schema(self, schema: core_schema.TupleSchema) -> JsonSchemaValue:
        """Write a tuple as a list of fixed length, which schema readers for other languages understand best."""
        written = super().tuple_schema(schema)
        if "prefixItems" not in written:
            return written
        number = len(written["prefixItems"])
        # The only four numbers of the contract are dice.
        item = {"enum": list(FACES)} if number == 4 else written["prefixItems"][0]
        return {"type": "array", "items": item, "minItems": number, "maxItems": number}

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        """Write the union alone, because `discriminator` is not a keyword of JSON Schema."""
        return {"oneOf": super().tagged_union_schema(schema)["oneOf"]}

    def any_schema(self, schema: core_schema.AnySchema) -> JsonSchemaValue:
        return dict(ANYTHING)

    def encode_default(self, dft: Any) -> Any:
        return {} if isinstance(dft, BaseModel) else super().encode_default(dft)


def _finish(written: Json, *, is_given: bool) -> None:
    """State for each field of an object whether it is required and whether it may be null."""
    required = set(written.pop("required", ())) if is_given else set[str]()
    if not is_given and written.get("additionalProperties") is False:
        del written["additionalProperties"]
    for name, each in written.get("properties", {}).items():
        if not is_given and each.get("type") == "null":
            # It is never written; its absence distinguishes this object from others.
            each["not"] = {}
            del each["type"]
            each.pop("default", None)
            continue
        said = {key: each.pop(key) for key in ("description", "default") if key in each}
        shapes = [shape for shape in each.get("anyOf", [dict(each)]) if shape != NULL] or [NULL]
        if not is_given and NULL not in each.get("anyOf", ()) and shapes != [ANYTHING]:
            required.add(name)
        if not is_given or said.get("default") is None:
            said.pop("default", None)
        for union in (shape for shape in shapes if "oneOf" in shape):
            union["title"] = name.title()
        if is_given and name not in required:
            shapes.append(NULL)
        each.clear()
        each.update({**_one_of(shapes), **said})
    if required:
        written["required"] = [name for name in written["properties"] if name in required]


def _one_of(shapes: list[Json]) -> Json:
    if len(shapes) > 1:
        return {"anyOf": shapes}
    # A reference stands alone, because some schema readers ignore keywords next to it.
    return {"allOf": shapes} if "$ref" in shapes[0] else shapes[0]


def _line(text: str) -> str:
    return " ".join(text.split())


@cache
def tool_arguments(name: str) -> type[BaseModel]:
    """Return a model of the `SHOWN` fields of a request or payload. Their contents are checked when they are read."""
    models = schema("payload")["$defs"]
    written = {field: models[name]["properties"][field] for field in SHOWN[name]}
    required = models[name].get("required", ())
    fields: dict[str, Any] = {
        field: (
            Annotated[Any, WithJsonSchema(_short(each, models))],
            Field(... if field in required else each.get("default"), description=each["description"]),
        )
        for field, each in written.items()
    }
    # Fields that are not shown are accepted too; the reader knows every field.
    model: type[BaseModel] = create_model(name, __config__=ConfigDict(extra="allow"), **fields)
    return model


def _short(part: Any, models: Json) -> Any:
    """Write out a part of a schema with its models inline, without null and bounds."""
    if isinstance(part, list):
        return [_short(each, models) for each in part if each != NULL and _named(each) in (None, *SHOWN)]
    if not isinstance(part, dict):
        return part
    if (name := _named(part)) is not None:
        part = {**models[name], "properties": {field: models[name]["properties"][field] for field in SHOWN[name]}}
    found = {key: _short(value, models) for key, value in part.items() if key not in BOUNDS and value is not False}
    for union in ("allOf", "anyOf", "oneOf"):
        if len(found.get(union, ())) == 1:
            (only,) = found.pop(union)
            found = {**only, **found}
    return found


def _named(part: Any) -> str | None:
    """Name the model that a part of a schema refers to."""
    return part["$ref"].rpartition("/")[2] if isinstance(part, dict) and "$ref" in part else None
