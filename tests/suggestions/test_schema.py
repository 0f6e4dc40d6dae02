"""The schema: compiled from the table row, in the subset of JSON schema that every server takes."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import narrator
from narrator.rules.json_text import Json
from narrator.rules.resolve.resolution import FormOffer, Slot
from narrator.rules.ruleset.loader import packaged_ruleset
from narrator.suggestions.prompt.answer_schema import compile_schema
from tests.rows import COMPANIES, ROWS, Asking

PORTABLE = {"additionalProperties", "anyOf", "enum", "items", "properties", "required", "type"}
LENGTHS = {"minLength", "maxLength"}
DETAIL = "The lamp goes out, and it stays out."


def is_valid(value: Any, schema: Json) -> bool:
    """Whether a value fits a schema."""
    return Draft202012Validator(schema).is_valid(value)


def parts(schema: Json) -> Iterator[Json]:
    """A schema and every schema in it."""
    yield schema
    for each in (*schema.get("anyOf", ()), *schema.get("properties", {}).values()):
        yield from parts(each)
    if "items" in schema:
        yield from parts(schema["items"])


@cache
def schemas(row: Asking) -> tuple[tuple[tuple[Slot, ...], Json], ...]:
    """The sets of slots that a row has, however one comes to it and whoever is there, each with its schema."""
    found = {
        narrator.resolve(request).slots(): None for cast in COMPANIES.values() for request in row.requests(cast, seed=1)
    }
    return tuple((slots, compile_schema(slots, packaged_ruleset(row.ruleset).forms)) for slots in found if slots)


def suggestion(row: Asking, slot: Slot, offer: FormOffer, **other: Any) -> Json:
    """One that the row allows, as a model is asked for it."""
    named = packaged_ruleset(row.ruleset).forms[offer.form].name is not None
    to = offer.to[-1] if offer.to else None
    whole = {"slot": slot.id, "form": offer.form, "to": to, "name": "A Lamp Gone Out" if named else None}
    level = {"severity": offer.severities[-1]} if offer.severities else {}
    return {**whole, **level, "detail": DETAIL, **other}


@pytest.mark.parametrize("row", ROWS, ids=str)
class TestEveryRow:
    """What holds for each row of each packaged ruleset, whoever is at the table."""

    def test_only_the_portable_subset(self, row: Asking) -> None:
        """Objects require all they have and allow no more, and no keyword is used that some server refuses."""
        for _, schema in schemas(row):
            for part in parts(schema):
                assert part.keys() <= PORTABLE
                if part.get("type") == "object":
                    assert list(part["properties"]) == part["required"]
                    assert part["additionalProperties"] is False
                if "enum" in part:
                    assert len(set(part["enum"])) == len(part["enum"]) > 0
                if "anyOf" in part:
                    assert len(part["anyOf"]) > 1

    def test_allows_what_the_row_allows(self, row: Asking) -> None:
        """Suggestions of every slot and form are valid, and for each who may have it, at every level."""
        for slots, schema in schemas(row):
            each = [
                suggestion(row, slot, offer, to=to, **level)
                for slot in slots
                for offer in slot.forms
                for to in offer.to or (None,)
                for level in ([{"severity": each} for each in offer.severities] if offer.severities else [{}])
            ]
            assert [one for one in each if not is_valid({"suggestions": [one]}, schema)] == []
            assert is_valid({"suggestions": each}, schema)
            assert is_valid({"suggestions": []}, schema)

    def test_allows_nothing_else(self, row: Asking) -> None:
        """Another slot, form or recipient, a name too many or too few, a field more or less: all are invalid."""
        for slots, schema in schemas(row):
            for slot in slots:
                for offer in slot.forms:
                    good = suggestion(row, slot, offer)
                    wrong = [
                        *({field: value for field, value in good.items() if field != left_out} for left_out in good),
                        good | {"severity": "grave" if offer.severities else "mild"},
                        good | {"slot": "another"},
                        good | {"form": "another"},
                        good | {"to": "Somebody Else"},
                        good | {"to": None if offer.to else "Cynere"},
                        good | {"name": None if good["name"] else "A Name"},
                        good | {"detail": None},
                        good | {"detail": 3},
                    ]
                    assert [each for each in wrong if is_valid({"suggestions": [each]}, schema)] == []
            assert not is_valid({"suggestions": None}, schema)
            assert not is_valid({}, schema)


def test_lengths() -> None:
    """With lengths, texts have one and run on to what the check refuses and no further; all else is the same."""
    slot = Slot(id="boost", kind="boost", forms=(FormOffer(form="boost", label="Boost", to=("Cynere",)),))
    forms = packaged_ruleset("five-actions").forms
    plain, bounded = compile_schema((slot,), forms), compile_schema((slot,), forms, lengths=True)

    def said(**texts: str) -> Json:
        one = {"slot": "boost", "form": "boost", "to": "Cynere", "name": "A Lamp Gone Out", "detail": DETAIL}
        return {"suggestions": [one | texts]}

    for texts in ({}, {"name": "A" * 61}, {"detail": "A" * 281}):
        assert is_valid(said(**texts), bounded)
    for texts in ({"name": ""}, {"name": "A" * 62}, {"detail": ""}, {"detail": "A" * 282}):
        assert is_valid(said(**texts), plain)
        assert not is_valid(said(**texts), bounded)
    for each in parts(bounded):
        for keyword in LENGTHS:
            each.pop(keyword, None)
    assert bounded == plain
