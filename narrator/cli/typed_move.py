"""Typed moves: makes options from a move's model, and makes the move in a scene."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

from typer import Option

from narrator.api.schemas import descriptions
from narrator.cli.inputs import json_of
from narrator.cli.option_groups import whole_number
from narrator.cli.save_file import SaveData, keep, payload_in, save_data_in, scene_at, scene_in
from narrator.cli.typed_call import TypedCall, typed_call
from narrator.cli.typed_choice import absorbed, offered
from narrator.cli.typed_names import person_named
from narrator.cli.usage import UsageError
from narrator.errors import NarratorError, RequestError, quoted
from narrator.line.figures import MINUS
from narrator.rules.json_text import Json, parsed
from narrator.rules.model import Model
from narrator.rules.moves.all_moves import MOVES
from narrator.rules.moves.move import Move
from narrator.rules.request.scene import Scene
from narrator.rules.resolve.invocations import aspects_in_play
from narrator.rules.settle.choice import AbsorbChoice
from narrator.rules.settle.suggestion import Suggestion
from narrator.rules.typo import meant

if TYPE_CHECKING:
    from narrator.campaign.campaign import Campaign

_NO = {"accepted": "refused"}
"""The opposites of flags that have a word of their own."""

_MOST_NAMES = 500
"""The most names of a move that are spelt as in the scene."""


def spelt(kind: str) -> str:
    """Spell the type of a move as the rules do."""
    return kind.strip().casefold().replace("-", "_")


def listed() -> str:
    """List the moves, each with a line about it, without its citation."""
    return "\n".join(f"{kind}: {(model.__doc__ or '').partition(' (')[0]}." for kind, model in MOVES.items())


def unknown(kind: str) -> str:
    """Say that there is no such move, and list the moves."""
    return f"{quoted(kind)} is not a move{meant(kind, MOVES)}; the moves are\n{listed()}"


def options(model: type[Move]) -> dict[str, Any]:
    """Declare the options of a move: one for each field, by its name in the model."""
    found: dict[str, Any] = {}
    told = descriptions(model)
    for name, field in model.model_fields.items():
        if name == "type":
            continue
        kind, inner = _kind(field.annotation)
        option = _option(field.alias or name)
        more: Json = {"help": told[name], "rich_help_panel": "What happens"}
        if kind is bool:
            opposite = _NO.get(name, f"no-{option[2:]}")
            found[name] = Annotated[bool | None, Option(f"{option}/--{opposite}", metavar="", **more)]
        elif kind is int:
            found[name] = Annotated[int | None, Option(option, metavar="NUMBER", parser=whole_number, **more)]
        elif kind in (str, Literal):
            metavar = "|".join(inner) if kind is Literal else "TEXT"
            found[name] = Annotated[str | None, Option(option, metavar=metavar, **more)]
        else:
            metavar = "NAME=VALUE" if kind is dict else "TEXT" if _is_names(inner) else "TEXT|JSON"
            found[name] = Annotated[list[str] | None, Option(option, metavar=metavar, **more)]
    return found


def made(
    file: str,
    kind: str | None,
    fields: Json,
    *,
    ruleset: str | None = None,
    save: str | None = None,
    expect_revision: int | None = None,
    campaign: "Campaign | None" = None,
    page: str | None = None,
) -> tuple[TypedCall, Model]:
    """Make a move, and keep the new scene in `save`, if given.

    Args:
        kind: The type of the move. None: the file has the move.
        fields: The typed values, by the names of the model's fields.
        campaign: The campaign of the move, instead of a file. Its suggestions are those of `page`, or of the newest.
        save: The file for the new scene. If it has a scene, and the move comes with a page, that scene is used.

    Returns:
        The call that was made, and its result.

    Raises:
        NarratorError: The errors of the call, with options for fields.
        UsageError: If there is no move, and for a file that can't be written.
    """
    is_over, beside = (False, SaveData()) if save is None else scene_at(save)
    read = json_of(file) if campaign is None else _content(campaign, page)
    kept, alone = save_data_in(read)
    if kind is None:
        payload, _ = payload_in(read, file, call="move")
        move = payload["request"].get("move") if isinstance(payload["request"], dict) else None
        if move is None:
            raise UsageError(f"give the move after the file: TYPE is one of\n{listed()}", "TYPE")
        expect_revision = payload.get("expect_revision") if expect_revision is None else expect_revision
    else:
        move = _told(MOVES[spelt(kind)], fields, kept.answer or {})
    around = {name: read[name] for name in SaveData.model_fields if name in read and name != "page"}
    content = {**around, "request": {**scene_in(alone), "move": move}}
    place = save if kept.answer is not None and is_over else None
    asked = typed_call("move", file, ruleset=ruleset, scene=place, content=content, campaign=campaign)
    asked = asked.but(expect_revision=expect_revision)
    asked, settled = _made(asked)
    if campaign is not None:
        return asked, campaign.move(asked.payload["request"]["move"], expect_revision=expect_revision)
    if save is None:
        return asked.noting("nothing is written: --save FILE keeps the scene."), settled
    pages = tuple(dict.fromkeys((*beside.pages, *kept.pages)))
    keep(save, asked.scene(settled.as_json()["scene"], beside.model_copy(update={"pages": pages})))
    return asked, settled


def _content(campaign: "Campaign", page: str | None) -> Json:
    """Return what a file would have: the scene, and the answer of a page, for its suggestions."""
    scene = {"scene": campaign.scene.as_json(), "ruleset": campaign.ruleset}
    newest = next(iter(campaign.lately()), None) if page is None else campaign.page(page)
    return {"request": scene, **({} if newest is None else {"answer": newest.answer.as_json()})}


def _made(asked: TypedCall) -> tuple[TypedCall, Model]:
    """Make the move. If a name is unknown, and part of only one accepted name, use that one."""
    for _ in range(_MOST_NAMES):
        try:
            return asked, asked.call.make(rulesets=asked.rulesets)
        except NarratorError as error:
            request = asked.payload["request"]
            path, names = error.field.removeprefix("request.move."), error.allowed or ()
            if path == error.field or not isinstance(request["move"], dict):
                raise
            if path == "type":
                # Never guess another type of move.
                raise _by_option(error, path, request["move"]) from None
            move = _respelt(request["move"], path, partial(_named, names=names, scene=request["scene"]))
            if move == request["move"]:
                raise _by_option(error, path, request["move"]) from None
            asked = asked.but(request={**request, "move": move})
    return asked, asked.call.make(rulesets=asked.rulesets)


def _named(text: str, names: Sequence[str], scene: Any) -> str:
    """Return the only one of these names that fits. A name that the scene has stays as it is."""
    read = Scene.read(scene)
    there = {each.name for each in (*read.characters, *read.away)} | {each.name for each in read.zones}
    found = person_named(text, names)
    return found if found in names and text not in there | {name for name, _ in aspects_in_play(read)} else text


def _respelt(value: Any, path: str, spell: Callable[[str], str]) -> Any:
    """Spell the text at a path again, whether it is a value or a key."""
    if not path:
        return spell(value) if isinstance(value, str) else value
    step, _, rest = path.partition(".")
    if isinstance(value, list) and step.isdigit() and int(step) < len(value):
        return [_respelt(each, rest, spell) if place == int(step) else each for place, each in enumerate(value)]
    if not isinstance(value, dict):
        return value
    # A name may contain dots.
    key = next((key for key in value if path == key or path.startswith(f"{key}.")), None)
    if key is None:
        return value
    new = _respelt(value[key], path[len(key) + 1 :], spell)
    name = spell(key) if path == key and new == value[key] else key
    return {name if each == key else each: new if each == key else told for each, told in value.items()}


def _by_option(error: NarratorError, path: str, move: Json) -> NarratorError:
    name, *rest = path.split(".")
    if name == "type":
        field = str(move.get("type"))
    else:
        field = " ".join([_option(name), *(part for part in rest if not part.isdigit())])
    return type(error)(error.code, field, error.message, error.allowed)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _told(model: type[Move], fields: Json, answer: Json) -> Json:
    """Make a move from typed values."""
    (kind,) = get_args(model.model_fields["type"].annotation)
    move: Json = {"type": kind}
    for name, typed in fields.items():
        if typed is not None:
            alias = model.model_fields[name].alias or name
            try:
                move[alias] = _read(*_kind(model.model_fields[name].annotation), typed, answer)
            except NarratorError as error:
                raise type(error)(error.code, _option(alias), error.message, error.allowed) from None
    return move


def _read(kind: Any, inner: tuple[Any, ...], typed: Any, answer: Json) -> Any:
    """Read the typed value of a field, in its short form or as JSON. The model refuses values that don't fit."""
    if kind is dict:
        return _table(typed, inner[1])
    if not isinstance(typed, list) or _is_names(inner):
        return typed
    if kind is tuple:
        read = (parsed(text) if text.startswith(("{", "[")) else {"name": text} for text in typed)
        return [one for each in read for one in (each if isinstance(each, list) else [each])]
    if typed[0].startswith("{"):
        return parsed(typed[0])
    if kind is AbsorbChoice:
        return absorbed(typed)
    if kind is Suggestion:
        return offered(answer, typed[0]).as_json()
    return _table([text if "=" in text else f"name={text}" for text in typed], Any)


def _table(typed: Iterable[str], kind: Any) -> Json:
    """Read a table: NAME=VALUE for each, or as JSON."""
    bare, _ = _kind(kind)
    found: Json = {}
    for text in typed:
        name, sign, value = text.partition("=")
        number = value.translate(MINUS)
        if text.startswith("{"):
            found |= parsed(text)
        elif not sign:
            raise RequestError("bad_request", "", f"{quoted(text)} must be NAME=VALUE")
        elif bare is tuple:
            found[name] = [*found.get(name, []), *(each.strip() for each in value.split(","))]
        elif bare is int:
            found[name] = None if number == "-" else _value(number.removeprefix("+"))
        else:
            found[name] = _value(value)
    return found


def _value(text: str) -> Any:
    try:
        return parsed(text)
    except NarratorError:
        return text


def _kind(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the type of a field, without optional and annotations, and its arguments."""
    while get_origin(annotation) in (Annotated, Union, UnionType):
        annotation = next(each for each in get_args(annotation) if each is not type(None))
    return get_origin(annotation) or annotation, get_args(annotation)


def _is_names(inner: tuple[Any, ...]) -> bool:
    return inner != () and _kind(inner[0])[0] is str
