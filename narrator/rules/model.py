"""What all models share: they are frozen and strict, null is the same as absent, and a refusal says where it is."""

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
"""An id of whoever keeps the scene."""

Prose = Annotated[str, StringConstraints(max_length=4_000)]
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

Step = int | str

Tagged = tuple[object, str | None]
"""What a value may be, without what annotates it, and the tag that tells it from the others of its union."""


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


Object = Annotated[dict[str, Any], Field(strict=False), BeforeValidator(data_of)]
"""Part of a payload that whoever makes the call reads."""


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
    "float_type": "this must be a number",
    "string_type": "this must be text",
    "bool_type": "this must be true or false",
    "string_too_short": "this must not be empty",
    "string_unicode": "this must be Unicode text",
    "greater_than_equal": "this must be {ge} or more",
    "less_than_equal": "this must be {le} or less",
    "too_long": "this may hold at most {max_length}",
    "too_short": "this must hold {min_length} or more",
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
            # The function that tells the kinds of object apart is called as the field that it reads.
            path.append(first["ctx"]["discriminator"].strip("_()"))
            given = given.get(path[-1]) if isinstance(given, Mapping) else None
        allowed = place.words
        message = _no_such_word(given, allowed)
    elif kind.endswith("_type") and (typed := _typed(given)):
        message = f"{message}, not {typed}"
    code = kind if kind in ERROR_CODES else "bad_request"
    return RequestError(code, ".".join(path), message, allowed)  # type: ignore[arg-type]


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
    """Return one part of a field's path: an unknown field bears whatever name, or in Python number, was sent."""
    if isinstance(part, int):
        return str(part) if abs(part) <= LARGEST else "a number"
    return part if part.isprintable() and len(part) <= 100 else quoted(part)


def complaint(code: str, message: str) -> PydanticCustomError:
    """Return what a validator raises to name its own code."""
    return PydanticCustomError(code, "{message}", {"message": message})


@dataclass(frozen=True)
class Allowed:
    """A place in what a model reads: its path of fields, keys and numbers in the JSON, and what may stand there."""

    path: tuple[Step, ...]
    kinds: tuple[Tagged, ...]

    @property
    def fields(self) -> list[str]:
        """The fields of an object there, in the order of the model."""
        return [field for kind, _ in self.kinds for field in _fields(kind)]

    @property
    def words(self) -> list[str]:
        """The words that may stand there, or tell the kinds of object there apart."""
        literals = (each for kind, _ in self.kinds for each in get_args(kind) if get_origin(kind) is Literal)
        return [*(tag for _, tag in self.kinds if tag), *map(str, literals)]


def place_of(model: type[BaseModel], location: Sequence[Step]) -> Allowed:
    """Follow pydantic's location of an error. It names tags and members of unions too, which stand in no JSON."""
    path: list[Step] = []
    kinds: tuple[Tagged, ...] = ((model, None),)
    for number, step in enumerate(location, 1):
        # A key that is wrong is followed by a word that says so.
        is_key = location[number : number + 1] == ("[key]",)
        tagged = tuple((kind, None) for kind, tag in kinds if tag is not None and tag == step)
        below = tuple(found for kind, _ in kinds for found in _members(_inside(kind, step, is_key)))
        if below and not tagged:
            path.append(step)
        kinds = tagged or below or kinds
    return Allowed(tuple(path), kinds)


def _inside(kind: object, step: Step, is_key: bool) -> Any:
    """What stands in a value of this kind at a field, key or number; None where there is nothing."""
    if get_origin(kind) is dict:
        return get_args(kind)[0 if is_key else 1]
    if get_origin(kind) in (tuple, list) and isinstance(step, int):
        return get_args(kind)[0]
    return _fields(kind).get(str(step))


def _members(annotation: Any, tag: str | None = None) -> Iterator[Tagged]:
    """Every kind that an annotation stands for."""
    if get_origin(annotation) is Annotated:
        bare, *told = get_args(annotation)
        yield from _members(bare, next((each.tag for each in told if isinstance(each, Tag)), tag))
    elif get_origin(annotation) in (Union, UnionType):
        yield from (found for each in get_args(annotation) for found in _members(each, tag))
    elif annotation is not None:
        yield annotation, tag


def _fields(kind: object) -> dict[str, Any]:
    """The fields of a model as the JSON names them, and what stands in them."""
    if not (isinstance(kind, type) and issubclass(kind, BaseModel)):
        return {}
    return {each.alias or name: each.annotation for name, each in kind.model_fields.items()}
