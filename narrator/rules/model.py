"""What all models share: they are frozen and strict, and null is the same as absent."""

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from narrator.errors import CODES, NarratorError, quoted
from narrator.rules.allowed import place_of
from narrator.rules.json_text import parsed
from narrator.rules.near import near

NAME_LENGTH = 200

Name = Annotated[str, StringConstraints(min_length=1, max_length=NAME_LENGTH)]
"""A name or an aspect: one to 200 characters."""

Text = Annotated[str, StringConstraints(max_length=4_000)]
"""A few sentences of prose."""

LARGEST = 1_000_000_000

MOST_BYTES = 1_000_000
"""Of a payload, in characters where it is text, and of a file."""

Whole = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
"""A rating, a total, a bonus: far more than any table needs."""

Count = Annotated[int, Field(ge=0, le=LARGEST)]

LIST = Field(strict=False, max_length=500)
"""For arrays: JSON's list is taken for our tuple; what stands in it stays strict."""

SHORT_LIST = Field(strict=False, max_length=12)
"""For the boxes and levels of a sheet: every way to combine them is tried."""

TABLE = Field(max_length=500)
"""For objects whose keys are the user's words."""


class Model(BaseModel):
    """A frozen, strict value: `true`, `"1"` and `1.0` are no numbers, and unknown fields are refused."""

    # Built when it is first used: most calls want few of all the models.
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", defer_build=True)

    def as_json(self) -> dict[str, Any]:
        """Return the object of the contract: JSON-ready, without what does not apply."""
        return self.model_dump(mode="json", exclude_none=True)


def data_of(value: object) -> Any:
    """Return what may be one of our own models as the data that it says."""
    return value.as_json() if isinstance(value, Model) else value


class Given(Model):
    """A model that users write: a field given as null counts as left out, and any model of ours as what it says."""

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, data: Any) -> Any:
        data = data if isinstance(data, cls) else data_of(data)
        if not isinstance(data, Mapping):
            return data
        if isinstance(data, dict) and all(value is not None for value in data.values()):
            return data
        return {key: value for key, value in data.items() if value is not None or key not in cls.model_fields}

    @classmethod
    def read(cls, data: str | bytes | bytearray | Mapping[str, Any] | Self, field: str = "") -> Self:
        """Read what a user sent, as JSON text, a mapping, or the model itself.

        Raises:
            NarratorError: `bad_request`, or the code that a validator named, with the path of the field.
        """
        if isinstance(data, cls):
            return data
        try:
            return cls.model_validate(parsed(data, field) if isinstance(data, str | bytes | bytearray) else data)
        except ValidationError as error:
            raise refusal(error, cls, field) from None


PLAINLY = {
    "extra_forbidden": "no such field",
    "missing": "this is required",
    "model_type": "this must be an object",
    "model_attributes_type": "this must be an object",
    "dict_type": "this must be an object",
    "tuple_type": "this must be a list",
    "list_type": "this must be a list",
    "frozen_set_type": "this must be a list",
    "int_type": "this must be a whole number",
    "string_type": "this must be text",
    "bool_type": "this must be true or false",
    "string_too_short": "this must not be empty",
    "string_unicode": "this must be Unicode text",
    "greater_than_equal": "this must be {ge} or more",
    "less_than_equal": "this must be {le} or less",
    "too_long": "this may hold at most {max_length}",
    "string_too_long": "this may have at most {max_length} characters",
}
"""What pydantic finds wrong, and plain words for it, with its bounds."""


def refusal(error: ValidationError, model: type[BaseModel], field: str = "") -> NarratorError:
    """Say pydantic's first complaint in the contract's words.

    Args:
        model: What was read. Where its config hides input, nothing that was given is repeated.
        field: Where that stands, for the path.
    """
    found = error.errors(include_url=False)
    if isinstance(found[0]["input"], Mapping):
        # Of a number or an object the object was meant: what is wrong in it tells more.
        at, depth = place_of(model, found[0]["loc"]), len(found[0]["loc"])
        inner = [
            each for each in found if place_of(model, each["loc"][:depth]).path == at.path and len(each["loc"]) > depth
        ]
        found = inner or found
    # A field that is missing was most likely misspelt: then the misspelling tells more.
    unknown = (each for each in found if each["type"] == "extra_forbidden")
    first = next(unknown, found[0]) if found[0]["type"] == "missing" else found[0]
    kind, given = first["type"], ... if is_hidden(model) else first["input"]
    place = place_of(model, first["loc"])
    path = [*([field] if field else []), *map(shown_part, place.path)]
    message = PLAINLY[kind].format(**first.get("ctx", {})) if kind in PLAINLY else first["msg"]
    allowed = None
    if kind in ("extra_forbidden", "invalid_key"):
        path.append(shown_part(first["loc"][-1]))
    if kind == "extra_forbidden":
        allowed = place.fields
        meant = near(path[-1], allowed)
        message = f"{message}; did you mean {meant}" if meant else message
    elif kind in ("literal_error", "union_tag_invalid"):
        if kind == "union_tag_invalid":
            path.append("kind")
            given = given.get("kind") if isinstance(given, Mapping) else None
        allowed = place.words
        message = _no_such_word(given, allowed)
    elif kind.endswith("_type") and (typed := _typed(given)):
        message = f"{message}, not {typed}"
    code = kind if kind in CODES else "bad_request"
    return NarratorError(code, ".".join(path), message, allowed)  # type: ignore[arg-type]


def is_hidden(model: type[BaseModel]) -> bool:
    """Whether what a model reads may be secret, so that no message repeats it."""
    return model.model_config.get("hide_input_in_errors", False)


def _no_such_word(given: object, allowed: list[str]) -> str:
    if given is None:
        return "this is required"
    if not isinstance(given, str):
        return f"{_typed(given) or 'this'} is not one of the words known here"
    meant = near(given, allowed)
    advice = f"; did you mean {quoted(meant)}" if meant else ""
    return f"{quoted(given)} is not one of the words known here{advice}"


def _typed(given: object) -> str | None:
    """Return what a user typed as a message may repeat it; None for what is no single value, or a long one."""
    match given:
        case None:
            return "null"
        case bool():
            return str(given).lower()
        case str():
            return f"the text {quoted(given)}"
        case int() | float() if not abs(given) > LARGEST:
            return f"the number {given}"
    return None


def shown_part(part: int | str) -> str:
    """Return one part of a field's path: a field that is not known bears whatever name, or in Python number, was
    sent.
    """
    if isinstance(part, int):
        return str(part) if abs(part) <= LARGEST else "a number"
    return part if part.isprintable() and len(part) <= 100 else quoted(part)


def complaint(code: str, message: str) -> PydanticCustomError:
    """Return what a validator raises to name its own code."""
    return PydanticCustomError(code, "{message}", {"message": message})
