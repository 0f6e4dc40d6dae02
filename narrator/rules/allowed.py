"""Finds what stands at a place in what a model reads: its path as users see it, the fields and the words allowed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, Tag

Step = int | str

Tagged = tuple[object, str | None]
"""What a value may be, without what annotates it, and the tag that tells it from the others of its union."""


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
