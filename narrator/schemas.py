"""JSON Schemas of what goes in and what comes out, for the authors of macros."""

import ast
from functools import cache, reduce
from inspect import getsource
from itertools import pairwise
from operator import or_
from textwrap import dedent
from typing import Annotated, Any

from pydantic import BaseModel, Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from narrator import errors
from narrator.calls import CALLS
from narrator.deck.cards import DeckFile
from narrator.rules.action import Request
from narrator.rules.choice import Choice
from narrator.rules.dice import FACES
from narrator.rules.model import Model
from narrator.rules.scene import Scene
from narrator.suggestions.answer import Event
from narrator.validation.verdict import Candidate

Json = dict[str, Any]


class Refusal(Model):
    """What is wrong with a payload."""

    code: errors.Code
    """Which of the error codes it is: stable, and for programs."""
    field: str
    """Where in the request, by names and numbers from 0, such as `action.invocations.0.aspect`; empty: the whole."""
    message: str
    """What is wrong, for people."""
    allowed: tuple[str, ...] | None = None
    """What would have been taken, where there is a list of it."""


class ErrorObject(Model):
    """What every call gives in place of its answer where a payload cannot be answered."""

    error: Refusal
    """What is wrong."""


PAYLOAD = reduce(or_, dict.fromkeys(entry.takes for entry in CALLS.values()))

GIVEN: dict[str, Any] = {
    "request": Request,
    "scene": Scene,
    "choice": Choice,
    "payload": Annotated[
        PAYLOAD, Field(discriminator="call", title="Payload", description="A call by its name, and what it is about.")
    ],
    "suggestion": Candidate,
    "deck": DeckFile,
}
"""What users write: nothing may be added, and null is the same as left out, for every field that may be left out."""

GIVES = {name: entry.called or name for name, entry in CALLS.items()}
"""For each call, what there is a schema of."""

MADE: dict[str, Any] = {
    **{GIVES[name]: entry.gives for name, entry in CALLS.items()},
    "event": Annotated[Event, Field(title="Event", description="One thing as it becomes known.")],
    "error": ErrorObject,
}
"""What narrator writes: more may be added one day, and what does not apply is left out, never null."""

SUBJECTS = (*GIVEN, *MADE)

NULL = {"type": "null"}
ANYTHING = {"type": ["array", "boolean", "number", "object", "string"]}


def schema(subject: str) -> Json:
    """Return the JSON Schema of one of the subjects, in the draft that pydantic writes (2020-12)."""
    is_given = subject in GIVEN
    adapter = TypeAdapter(GIVEN[subject] if is_given else MADE[subject])
    written = adapter.json_schema(mode="validation" if is_given else "serialization", schema_generator=_Writer)
    for each in (written, *written.get("$defs", {}).values()):
        _finish(each, is_given=is_given)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", **written}


@cache
def descriptions(model: type[BaseModel]) -> dict[str, str]:
    """Read what is said under the fields of a model, its own and those inherited."""
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
    """Writes what stands under the fields, and no titles that only repeat their names."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        written = super().model_schema(schema)
        written["description"] = _line(written["description"])
        model: type[BaseModel] = schema["cls"]
        said = descriptions(model)
        for name in written["properties"].keys() & said.keys():
            written["properties"][name]["description"] = said[name]
        if model is Choice:
            # It is read with any, and each is judged by itself.
            written["properties"]["suggestions"]["items"] = self.generate_inner(Candidate.__pydantic_core_schema__)
        return written

    def tuple_schema(self, schema: core_schema.TupleSchema) -> JsonSchemaValue:
        """Write a tuple as a list of so many: what reads schemas for other languages understands that best."""
        written = super().tuple_schema(schema)
        if "prefixItems" not in written:
            return written
        number = len(written["prefixItems"])
        # The only four numbers of the contract are dice.
        item = {"enum": list(FACES)} if number == 4 else written["prefixItems"][0]
        return {"type": "array", "items": item, "minItems": number, "maxItems": number}

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        """Write the union alone: the word `discriminator` is none of JSON Schema's."""
        return {"oneOf": super().tagged_union_schema(schema)["oneOf"]}

    def any_schema(self, schema: core_schema.AnySchema) -> JsonSchemaValue:
        return dict(ANYTHING)

    def encode_default(self, dft: Any) -> Any:
        return {} if isinstance(dft, BaseModel) else super().encode_default(dft)


def _finish(written: Json, *, is_given: bool) -> None:
    """Say of each field of an object whether it must be there, and whether it may be null."""
    required = set(written.pop("required", ())) if is_given else set[str]()
    if not is_given and written.get("additionalProperties") is False:
        del written["additionalProperties"]
    for name, each in written.get("properties", {}).items():
        said = {key: each.pop(key) for key in ("description", "default") if key in each}
        shapes = [shape for shape in each.get("anyOf", [dict(each)]) if shape != NULL]
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
    # A reference stands alone: not all that read schemas look at what stands beside one.
    return {"allOf": shapes} if "$ref" in shapes[0] else shapes[0]


def _line(text: str) -> str:
    return " ".join(text.split())
