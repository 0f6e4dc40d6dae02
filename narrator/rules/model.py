"""The base of all models: frozen and strict, with null the same as absent, and errors that name the field."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Literal, Self, Union, get_args, get_origin

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    Tag,
    ValidationError,
    model_validator,
)
from pydantic_core import PydanticCustomError

from narrator.errors import ERROR_CODES, NarratorError, RequestError, quoted
from narrator.rules.json_text import parsed
from narrator.rules.typo import near

NAME_LENGTH = 200

Name = Annotated[str, StringConstraints(min_length=1, max_length=NAME_LENGTH)]
"""A name or an aspect: one to 200 characters."""

Id = Annotated[str, StringConstraints(max_length=100)]
"""An id that the caller may choose."""

Prose = Annotated[str, StringConstraints(max_length=4_000)]
"""A few sentences of prose."""

LARGEST = 1_000_000_000

MOST_BYTES = 1_000_000
"""The limit for a file or payload. It counts characters if the payload is text."""

Whole = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
"""A rating, a total or a bonus. The limits are far beyond what any table needs."""

Count = Annotated[int, Field(ge=0, le=LARGEST)]

LIST = Field(strict=False, max_length=500)
"""For arrays: accepts a JSON list as a tuple. The items stay strict."""

SHORT_LIST = Field(strict=False, max_length=12)
"""For the boxes and levels of a sheet. It is short because every combination is tried."""

TABLE = Field(max_length=500)
"""For objects whose keys are chosen by the user."""

Step = int | str

Tagged = tuple[object, str | None]
"""A possible type of a value, without annotations, and its tag if it belongs to a tagged union."""


class Model(BaseModel):
    """A frozen, strict value: `true`, `"1"` and `1.0` are not integers, and unknown fields are refused."""

    # Built on first use, because most calls need few of the models.
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", defer_build=True)

    def as_json(self) -> dict[str, Any]:
        """Return the JSON-ready object of the contract, without fields that do not apply."""
        return self.model_dump(mode="json", exclude_none=True)


def data_of(value: object) -> Any:
    """Return a model as data, and any other value unchanged."""
    return value.as_json() if isinstance(value, Model) else value


Object = Annotated[dict[str, Any], Field(strict=False), BeforeValidator(data_of)]
"""A part of a payload that is read later, by the call."""


class Given(Model):
    """A model that users write. Null fields count as omitted, and models are accepted as data."""

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
        """Read a user's input: JSON text, a mapping, or the model itself.

        Raises:
            NarratorError: `bad_request` or a validator's own code, with the path of the field.
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
    "float_type": "this must be a number",
    "string_type": "this must be text",
    "bool_type": "this must be true or false",
    "string_too_short": "this must not be empty",
    "string_unicode": "this must be Unicode text",
    "greater_than_equal": "this must be {ge} or more",
    "less_than_equal": "this must be {le} or less",
    "too_long": "this may have at most {max_length} entries",
    "too_short": "this must have {min_length} or more entries",
    "string_too_long": "this may have at most {max_length} characters",
}
"""Plain messages for pydantic's error types, with their limits."""


def refusal(error: ValidationError, model: type[BaseModel], field: str = "") -> NarratorError:
    """Turn pydantic's first error into an error of the contract.

    Args:
        model: The model. If its config hides input, the message repeats none of it.
        field: The path of the model in the payload.
    """
    found = error.errors(include_url=False)
    # A missing field was probably misspelt. Then the unknown field is the better error.
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
            # The discriminator function is named after the field that it reads.
            path.append(first["ctx"]["discriminator"].strip("_()"))
            given = given.get(path[-1]) if isinstance(given, Mapping) else None
        allowed = place.words
        message = _no_such_word(given, allowed)
    elif kind.endswith("_type") and (typed := _typed(given)):
        message = f"{message}, not {typed}"
    code = kind if kind in ERROR_CODES else "bad_request"
    return RequestError(code, ".".join(path), message, allowed)  # type: ignore[arg-type]


def is_hidden(model: type[BaseModel]) -> bool:
    """Whether a model's input may be secret, so that messages must not repeat it."""
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
    """Return a user's value for a message, or None if it is too long or not a single value."""
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
    """Return one part of a field's path. It is escaped, because an unknown field may have any name or number."""
    if isinstance(part, int):
        return str(part) if abs(part) <= LARGEST else "a number"
    return part if part.isprintable() and len(part) <= 100 else quoted(part)


def complaint(code: str, message: str) -> PydanticCustomError:
    """Return an error for a validator to raise, with its own code."""
    return PydanticCustomError(code, "{message}", {"message": message})


@dataclass(frozen=True)
class Allowed:
    """A place in a model's input: its path of fields, keys and numbers in the JSON, and the types allowed there."""

    path: tuple[Step, ...]
    kinds: tuple[Tagged, ...]

    @property
    def fields(self) -> list[str]:
        """The fields of an object at this place, in the order of the model."""
        return [field for kind, _ in self.kinds for field in _fields(kind)]

    @property
    def words(self) -> list[str]:
        """The words allowed at this place, or the tags of the objects allowed there."""
        literals = (each for kind, _ in self.kinds for each in get_args(kind) if get_origin(kind) is Literal)
        return [*(tag for _, tag in self.kinds if tag), *map(str, literals)]


def place_of(model: type[BaseModel], location: Sequence[Step]) -> Allowed:
    """Follow pydantic's location of an error, which also names tags and union members that are not in the JSON."""
    path: list[Step] = []
    kinds: tuple[Tagged, ...] = ((model, None),)
    for number, step in enumerate(location, 1):
        # An invalid key is followed by the marker "[key]".
        is_key = location[number : number + 1] == ("[key]",)
        tagged = tuple((kind, None) for kind, tag in kinds if tag is not None and tag == step)
        below = tuple(found for kind, _ in kinds for found in _members(_inside(kind, step, is_key)))
        if below and not tagged:
            path.append(step)
        kinds = tagged or below or kinds
    return Allowed(tuple(path), kinds)


def _inside(kind: object, step: Step, is_key: bool) -> Any:
    """Return the type at a field, key or number in a type, or None if there is none."""
    if get_origin(kind) is dict:
        return get_args(kind)[0 if is_key else 1]
    if get_origin(kind) in (tuple, list) and isinstance(step, int):
        return get_args(kind)[0]
    return _fields(kind).get(str(step))


def _members(annotation: Any, tag: str | None = None) -> Iterator[Tagged]:
    """Yield every type that an annotation allows."""
    if get_origin(annotation) is Annotated:
        bare, *told = get_args(annotation)
        yield from _members(bare, next((each.tag for each in told if isinstance(each, Tag)), tag))
    elif get_origin(annotation) in (Union, UnionType):
        yield from (found for each in get_args(annotation) for found in _members(each, tag))
    elif annotation is not None:
        yield annotation, tag


def _fields(kind: object) -> dict[str, Any]:
    """Return the fields of a model by their JSON names, and their types."""
    if not (isinstance(kind, type) and issubclass(kind, BaseModel)):
        return {}
    return {each.alias or name: each.annotation for name, each in kind.model_fields.items()}
