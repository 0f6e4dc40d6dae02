"""Finds what stands at a place in what a model reads: its path as users see it, the fields and the words allowed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, Tag

Part = int | str


@dataclass(frozen=True)
class Kind:
    """
    One kind that a value may be of, and the tag that tells it from the others of its union.
    """

    of: Any
    tag: str | None = None


@dataclass(frozen=True)
class Place:
    """
    A place in what a model reads.
    """

    path: tuple[Part, ...]
    """Fields, keys and numbers, as in the JSON."""
    kinds: tuple[Kind, ...]
    """What may stand there, by the model."""

    @property
    def fields(self) -> list[str]:
        """
        The fields of an object there, in the order of the model.
        """
        models = [kind.of for kind in self.kinds if _is_model(kind.of)]
        return [each.alias or name for model in models for name, each in model.model_fields.items()]

    @property
    def words(self) -> list[str]:
        """
        The words that may stand there.
        """
        return [str(word) for kind in self.kinds if get_origin(kind.of) is Literal for word in get_args(kind.of)]

    @property
    def tags(self) -> list[str]:
        """
        The words that tell the kinds of object there apart.
        """
        return [kind.tag for kind in self.kinds if kind.tag]


def place_of(model: type[BaseModel], location: Sequence[Part]) -> Place:
    """
    Follow pydantic's location of an error. It names tags and members of unions too, which stand in no JSON.
    """
    path: list[Part] = []
    kinds: tuple[Kind, ...] = (Kind(model),)
    for number, part in enumerate(location):
        tagged = tuple(Kind(kind.of) for kind in kinds if kind.tag is not None and kind.tag == part)
        # A key that is wrong is followed by a word that says so.
        is_key = location[number + 1 : number + 2] == ("[key]",)
        below = tuple(found for kind in kinds for inner in _inside(kind.of, part, is_key) for found in _members(inner))
        if below and not tagged:
            path.append(part)
        kinds = tagged or below or kinds
    return Place(tuple(path), kinds)


def _inside(kind: Any, part: Part, is_key: bool) -> Iterator[Any]:
    """
    What stands in a value of this kind at a field, key or number.
    """
    if _is_model(kind):
        yield from (each.annotation for name, each in kind.model_fields.items() if part == (each.alias or name))
    elif get_origin(kind) is dict:
        yield get_args(kind)[0 if is_key else 1]
    elif get_origin(kind) in (tuple, list) and isinstance(part, int):
        yield get_args(kind)[0]


def _members(annotation: Any, tag: str | None = None) -> Iterator[Kind]:
    """
    Every kind that an annotation stands for.
    """
    if get_origin(annotation) is Annotated:
        bare, *told = get_args(annotation)
        yield from _members(bare, next((each.tag for each in told if isinstance(each, Tag)), tag))
    elif get_origin(annotation) in (Union, UnionType):
        for each in get_args(annotation):
            yield from _members(each, tag)
    else:
        yield Kind(annotation, tag)


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
