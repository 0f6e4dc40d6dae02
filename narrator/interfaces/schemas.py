"""JSON Schemas of what goes in and what comes out, for the authors of macros."""

import ast
from enum import StrEnum
from inspect import getsource
from itertools import pairwise
from textwrap import dedent
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from narrator import errors
from narrator.calls import Reaches, Rulesets, TableRequest, TurnOrder, TurnOrderRequest, Violations
from narrator.deck.cards import DeckFile
from narrator.rules import choice
from narrator.rules.action import Request
from narrator.rules.chances import Odds
from narrator.rules.changes import Settled
from narrator.rules.dice import FACES
from narrator.rules.model import LIST, Given, Model
from narrator.rules.resolution import Resolution
from narrator.rules.scene import Scene
from narrator.rules.table import Table
from narrator.suggestions.answer import Answer, Event
from narrator.validation.verdict import Candidate, Verdict

Json = dict[str, Any]


class Choice(choice.Choice):
    """
    What the table chose of a resolution: a branch, one suggestion for each of its slots, and who gets what.
    """

    suggestions: Annotated[tuple[Candidate, ...], LIST] = ()


class RequestCall(Given):
    """
    A call that is about a request alone.
    """

    call: Literal["odds", "reach", "resolve", "suggest"]
    """What is asked of narrator."""
    request: Request
    """The action, what opposes it, and who is there."""


class CheckCall(Given):
    """
    A call that judges a suggestion.
    """

    call: Literal["check", "violations"]
    """`check` gives the first thing that is wrong, `violations` all of them."""
    request: Request
    """What the suggestion is for, with its dice or its seed: they decide the row."""
    candidate: Candidate
    """The suggestion to judge."""


class ApplyCall(Given):
    """
    A call that enters a choice and gives the next scene.
    """

    call: Literal["apply"]
    """What is asked of narrator."""
    request: Request
    """What was resolved, with its dice or its seed."""
    choice: Choice
    """What was chosen of it."""


class SettleCall(Given):
    """
    A call that enters a choice, gives the next scene and says what changed.
    """

    call: Literal["settle"]
    """What is asked of narrator."""
    request: Request
    """What was resolved, with its dice or its seed."""
    choice: Choice
    """What was chosen of it."""
    expect_revision: Annotated[int, Field(ge=0)] | None = None
    """The revision that the scene has to be of, for tables where more than one settles; left out: any."""


class TurnOrderCall(Given):
    """
    A call that orders everyone for an exchange.
    """

    call: Literal["turn_order"]
    """What is asked of narrator."""
    request: TurnOrderRequest
    """Who is there, and what decides."""


class TableCall(Given):
    """
    A call that shows the table of an action.
    """

    call: Literal["table"]
    """What is asked of narrator."""
    request: TableRequest
    """Which table."""


class RulesetsCall(Given):
    """
    A call that names the rulesets there are.
    """

    call: Literal["rulesets"]
    """What is asked of narrator."""


Payload = RequestCall | CheckCall | ApplyCall | SettleCall | TurnOrderCall | TableCall | RulesetsCall


class Refusal(Model):
    """
    What is wrong with a payload.
    """

    code: errors.Code
    """Which of the error codes it is: stable, and for programs."""
    field: str
    """Where in the request, by names and numbers from 0, such as `action.invocations.0.aspect`; empty: the whole."""
    message: str
    """What is wrong, for people."""
    allowed: tuple[str, ...] | None = None
    """What would have been taken, where there is a list of it."""


class ErrorObject(Model):
    """
    What every call gives in place of its answer where a payload cannot be answered.
    """

    error: Refusal
    """What is wrong."""


class Subject(StrEnum):
    """
    What there is a schema of.
    """

    request = "request"
    scene = "scene"
    choice = "choice"
    payload = "payload"
    suggestion = "suggestion"
    deck = "deck"
    resolution = "resolution"
    answer = "answer"
    event = "event"
    verdict = "verdict"
    violations = "violations"
    odds = "odds"
    reach = "reach"
    settle = "settle"
    apply = "apply"
    turn_order = "turn_order"
    table = "table"
    rulesets = "rulesets"
    error = "error"


GIVEN: dict[Subject, Any] = {
    Subject.request: Request,
    Subject.scene: Scene,
    Subject.choice: Choice,
    Subject.payload: Annotated[
        Payload, Field(discriminator="call", title="Payload", description="A call by its name, and what it is about.")
    ],
    Subject.suggestion: Candidate,
    Subject.deck: DeckFile,
}
"""What users write: nothing may be added, and null is the same as left out, for every field that may be left out."""

MADE: dict[Subject, Any] = {
    Subject.resolution: Resolution,
    Subject.answer: Answer,
    Subject.event: Annotated[Event, Field(title="Event", description="One thing as it becomes known.")],
    Subject.verdict: Verdict,
    Subject.violations: Violations,
    Subject.odds: Odds,
    Subject.reach: Reaches,
    Subject.settle: Settled,
    Subject.apply: Scene,
    Subject.turn_order: TurnOrder,
    Subject.table: Table,
    Subject.rulesets: Rulesets,
    Subject.error: ErrorObject,
}
"""What narrator writes: more may be added one day, and what does not apply is left out, never null."""

NULL = {"type": "null"}
ANYTHING = {"type": ["array", "boolean", "number", "object", "string"]}


def schema(subject: Subject) -> Json:
    """
    Return the JSON Schema, in the draft that pydantic writes (2020-12).
    """
    is_given = subject in GIVEN
    adapter = TypeAdapter(GIVEN[subject] if is_given else MADE[subject])
    written = adapter.json_schema(mode="validation" if is_given else "serialization", schema_generator=_Writer)
    for each in (written, *written.get("$defs", {}).values()):
        _finish(each, is_given=is_given)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", **written}


def descriptions(model: type[BaseModel]) -> dict[str, str]:
    """
    Read what is said under the fields of a model, its own and those inherited.
    """
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
    """
    Writes what stands under the fields, and no titles that only repeat their names.
    """

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        written = super().model_schema(schema)
        written["description"] = _line(written["description"])
        said = descriptions(schema["cls"])
        for name in written["properties"].keys() & said.keys():
            written["properties"][name]["description"] = said[name]
        return written

    def tuple_schema(self, schema: core_schema.TupleSchema) -> JsonSchemaValue:
        """
        Write a tuple as a list of so many: what reads schemas for other languages understands that best.
        """
        written = super().tuple_schema(schema)
        if "prefixItems" not in written:
            return written
        number = len(written["prefixItems"])
        # The only four numbers of the contract are dice.
        item = {"enum": list(FACES)} if number == 4 else written["prefixItems"][0]
        return {"type": "array", "items": item, "minItems": number, "maxItems": number}

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        """
        Write the union alone: the word `discriminator` is none of JSON Schema's.
        """
        return {"oneOf": super().tagged_union_schema(schema)["oneOf"]}

    def any_schema(self, schema: core_schema.AnySchema) -> JsonSchemaValue:
        return dict(ANYTHING)

    def encode_default(self, dft: Any) -> Any:
        return {} if isinstance(dft, BaseModel) else super().encode_default(dft)


def _finish(written: Json, *, is_given: bool) -> None:
    """
    Say of each field of an object whether it must be there, and whether it may be null.
    """
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
