"""The schemas of what goes in and comes out: each says what narrator takes and gives, no more and no less."""

import json
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import narrator
from narrator.interfaces.cli import app

Json = dict[str, Any]

ROOT = Path(__file__).parents[2]
CYNERE = ROOT / "examples" / "cynere.json"


def run(*words: str) -> str:
    """What the command line prints."""
    result = CliRunner().invoke(app, list(words), prog_name="narrator", catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


SCHEMAS = ["request", "payload", "suggestion", "resolution", "answer", "event", "verdict", "odds", "table"]


def schema_of(subject: str) -> Json:
    """The schema that the command prints."""
    printed: Json = json.loads(run("schema", subject))
    return printed


@pytest.mark.parametrize("subject", SCHEMAS)
def test_there_is_a_schema_of_everything(subject: str) -> None:
    """Each is an object of JSON Schema 2020-12 whose references lead somewhere."""
    schema = schema_of(subject)
    text = json.dumps(schema)

    assert (schema["$schema"], schema["type"]) == ("https://json-schema.org/draft/2020-12/schema", "object")
    assert {part.split('"')[0] for part in text.split("#/$defs/")[1:]} <= schema.get("$defs", {}).keys()


def test_the_schema_of_a_request_is_meant_where_none_is_named() -> None:
    """That is what a macro's author writes."""
    assert schema_of("request") == json.loads(run("schema"))


def problems(value: Any, schema: Json, root: Json) -> list[str]:
    """What is wrong with a value by a schema: jsonschema's word where it is installed, else our own."""
    if find_spec("jsonschema"):
        checker = import_module("jsonschema").Draft202012Validator(root)
        return [str(each.message) for each in checker.iter_errors(value)]
    return _problems(value, schema, root)


def _problems(value: Any, schema: Json, root: Json) -> list[str]:
    if "$ref" in schema:
        return _problems(value, root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root)
    for several in ("anyOf", "oneOf"):
        if several in schema:
            tried = [_problems(value, each, root) for each in schema[several]]
            return [] if [] in tried else [f"fits none of {len(tried)}", *tried[0]]
    if "const" in schema and value != schema["const"]:
        return [f"{value!r} is not {schema['const']!r}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{value!r} is none of {schema['enum']}"]
    types: Json = {
        "object": dict,
        "array": list,
        "string": str,
        "integer": int,
        "number": (int, float),
        "boolean": bool,
    }
    kind = schema.get("type")
    if kind == "null":
        return [] if value is None else [f"{value!r} is not null"]
    if kind in types and not isinstance(value, types[kind]):
        return [f"{value!r} is no {kind}"]
    found: list[str] = []
    if isinstance(value, dict):
        properties, more = schema.get("properties", {}), schema.get("additionalProperties", True)
        found += [f"{name} is missing" for name in schema.get("required", []) if name not in value]
        for name, each in value.items():
            if name in properties:
                found += _problems(each, properties[name], root)
            elif isinstance(more, dict):
                found += _problems(each, more, root)
            elif not more:
                found.append(f"{name} is too much")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{len(value)} items")
        for place, each in enumerate(value):
            first = schema.get("prefixItems", [])
            found += _problems(each, first[place] if place < len(first) else schema.get("items", {}), root)
    return found


def answers() -> dict[str, Any]:
    """What each schema describes, as the calls give it."""
    request = json.loads(CYNERE.read_text("utf-8"))
    refused = json.loads((ROOT / "examples" / "refused.json").read_text("utf-8"))
    answer = narrator.suggest(request, source="deck").as_json()
    return {
        "request": request,
        "payload": refused | {"call": "check"},
        "suggestion": refused["candidate"],
        "resolution": narrator.resolve(request).as_json(),
        "answer": answer,
        "event": next(iter(narrator.stream(request, source="deck"))).as_json(),
        "verdict": narrator.check(refused["request"], refused["candidate"]).as_json(),
        "odds": narrator.odds(request).as_json(),
        "table": narrator.table("war-of-ashes", "create_advantage").as_json(),
    }


@pytest.mark.parametrize("subject", SCHEMAS)
def test_a_schema_fits_what_it_describes(subject: str) -> None:
    """The examples, and what the calls make of them, are valid."""
    schema = schema_of(subject)

    assert problems(answers()[subject], schema, schema) == []


@pytest.mark.parametrize(
    "change",
    [
        {"ruleset": 5},
        {"colour": "red"},
        {"action": {"type": "overcome", "actor": "Ann", "opposition": {"kind": "sideways"}}},
        {"action": {"type": "overcome", "opposition": {"kind": "passive", "rating": 2}}},
        {"scene": {"frame": "picnic"}},
    ],
    ids=["wrong type", "unknown field", "unknown opposition", "no actor", "unknown frame"],
)
def test_the_schema_of_a_request_refuses_what_narrator_refuses(change: Json) -> None:
    """A macro's author learns of a slip from the schema already."""
    schema = schema_of("request")
    broken = json.loads(CYNERE.read_text("utf-8")) | change

    assert problems(broken, schema, schema) != []
    with pytest.raises(narrator.NarratorError):
        narrator.resolve(broken)


def test_the_schema_takes_null_for_absent() -> None:
    """As the contract has it, and as `resolve` takes it: a field that does not apply may be null in a request."""
    schema = schema_of("request")
    request = json.loads(CYNERE.read_text("utf-8")) | {"ruleset": None, "seed": None, "branch": None, "per_slot": None}
    request["action"] |= {"variant": None, "bonus": None, "helpers": None}
    narrator.resolve(request)

    assert problems(request, schema, schema) == []
