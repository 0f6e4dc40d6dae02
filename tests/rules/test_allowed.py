"""What stands at a place in what is read: told by the model, in whatever way it is put together there."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import Discriminator, Field, Tag, ValidationError

from narrator.rules.model import LIST, Model, place_of, refusal

Colour = Literal["red", "blue"]


class Cat(Model):
    """An animal, with a field that is named as its tag."""

    kind: Literal["cat"]
    cat: int = 0
    coat: Colour | None = None


class Dog(Model):
    """Another."""

    kind: Literal["dog"]
    tail: int


class Sized(Model):
    """A field known by another name in the JSON."""

    least: int = Field(alias="from")


def _kind(value: Any) -> Any:
    return value.get("kind")


class Household(Model):
    """Every way in which a model may be put together."""

    pet: Annotated[Annotated[Cat, Tag("cat")] | Annotated[Dog, Tag("dog")], Discriminator(_kind)]
    walls: Annotated[tuple[Colour | Literal["none"], ...], LIST] = ()
    rooms: dict[Colour, int] = {}
    size: Annotated[Sized | None, Field()] = None
    rest: Any = None


CAT = {"kind": "cat"}
WRONG: dict[str, tuple[dict[Any, Any], str, tuple[str, ...] | None]] = {
    # what is read, the field that the refusal names, and what it allows
    "no such tag": ({"pet": {"kind": "cow"}}, "pet.kind", ("cat", "dog")),
    "a word behind a tag": ({"pet": CAT | {"coat": "green"}}, "pet.coat", ("red", "blue")),
    "a field behind a tag": ({"pet": CAT | {"tail": 3}}, "pet.tail", ("kind", "cat", "coat")),
    "a field that a tag wants": ({"pet": {"kind": "dog"}}, "pet.tail", None),
    "a word of two lists": ({"pet": CAT, "walls": ["red", "green"]}, "walls.1", ("red", "blue", "none")),
    "a key": ({"pet": CAT, "rooms": {"green": 1}}, "rooms.green", ("red", "blue")),
    "no number": ({"pet": CAT, "rooms": {"red": "x"}}, "rooms.red", None),
    "a field by its other name": ({"pet": CAT, "size": {"form": 1}}, "size.form", ("from",)),
    "a key that is no text": ({"pet": CAT, "rooms": {"red": 1}, 7: 1}, "7", None),
}


@pytest.mark.parametrize(("data", "field", "allowed"), WRONG.values(), ids=WRONG)
def test_a_refusal_names_the_place_and_what_it_allows(
    data: dict[Any, Any], field: str, allowed: tuple[str, ...] | None
) -> None:
    """The path is that of the JSON, without the tags and members of a union; the words are the model's own."""
    with pytest.raises(ValidationError) as caught:
        Household.model_validate(data)
    error = refusal(caught.value, Household)

    assert (error.field, error.allowed) == (field, allowed)


@pytest.mark.parametrize(
    ("location", "path"),
    [(("rest", "a", 0), ("rest",)), (("nothing", "there"), ()), (("walls", 1, "deep"), ("walls", 1))],
)
def test_a_path_ends_where_the_model_does(location: tuple[int | str, ...], path: tuple[int | str, ...]) -> None:
    """Whatever pydantic names beyond it."""
    assert place_of(Household, location).path == path
