"""How an option is declared, once, with where it goes; the options that several commands share."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from functools import wraps
from typing import Annotated, Any, get_type_hints

import typer
from typer import Option

from narrator.api import registry
from narrator.cli.usage import UsageError
from narrator.render import surfaces

SCHEMA_NAMES = (
    *("request", "scene", "choice", "payload", "suggestion", "deck"),
    *(registry.SCHEMAS.get(name, name) for name in registry.CALLS),
    *("event", "error"),
)
"""What there is a schema of: said here so that the help loads none of the models."""

MANNERS = ("together", "one_by_one")
"""How words may be asked for: said here for the same reason."""

WORDS = (
    *("situation_aspect", "zone_aspect", "compel", "consequence", "high_concept", "trouble", "opening", "twist"),
    "beat",
)
"""What words there are without a roll, said here for the same reason."""


def option(
    *names: str,
    writes: str | None = None,
    value: Any = None,
    makes: Sequence[str] = (),
    spelt: str | None = None,
    default: Any = None,
    **more: Any,
) -> Any:
    """Declare an option of a group: a field of a dataclass that a command takes.

    Args:
        writes: The field of what is asked that it is put into, as an error names it.
        value: What is put there, where that is not what was typed.
        makes: Further fields that a hand makes of it: what is wrong there, too, is said of this option. What they
            share with other options is said of the one that has it nearer to the front.
        spelt: Of what it is a name (`naming.known`), so that it may be typed as one says it.
        more: As the library of the command line has it.
    """
    places = (*((writes,) if writes else ()), *makes)
    metadata = {"option": Option(*names, **more), "names": names, "writes": writes, "value": value}
    return field(default=default, metadata={**metadata, "places": places, "spelt": spelt})


def flag(*names: str, **more: Any) -> Any:
    """Declare an option that takes no value, nor has one in the help."""
    return option(*names, default=False, metavar="", **more)


def switch(name: str, help: str) -> Any:
    """Declare the same of one command alone."""
    return Option(name, metavar="", help=help)


def actions(incomplete: str) -> list[str]:
    """Complete the name of an action."""
    from narrator.api.requests import known_rulesets

    return sorted({name for each in known_rulesets()[0] for name in each.actions if name.startswith(incomplete)})


def _rulesets(incomplete: str) -> list[str]:
    from narrator.api import requests

    return [name for name in requests.rulesets() if name.startswith(incomplete)]


def one_of(names: Sequence[str]) -> dict[str, Any]:
    """Have an option be one of these names, and complete it."""

    def known(name: str) -> str:
        meant = "_".join(name.replace("-", " ").split())
        if meant not in names:
            near = get_close_matches(meant, names, 1)
            hint = f"; did you mean {near[0]}" if near else ""
            raise typer.BadParameter(f"{name!r} is not one of {', '.join(names)}{hint}")
        return meant

    return {
        "parser": known,
        "autocompletion": lambda incomplete: [name for name in names if name.startswith(incomplete)],
    }


What = Annotated[
    str,
    typer.Argument(
        metavar="[ACTION|FILE|-]",
        help="An action such as overcome, with options. Or a file with a request as JSON, or - for standard input.",
        autocompletion=actions,
    ),
]
File = Annotated[str, typer.Argument(metavar="[FILE|-]", help="A file with JSON, or - for standard input.")]
Letters = Annotated[
    str | None,
    typer.Argument(
        metavar="[CHOICE]",
        help="The letters of your choice on the page, such as f, s2 or r1,5. Or none: the roll has no effect.",
    ),
]
SeedOption = Annotated[int | None, Option(help="A number. The same one throws the same dice and deals the same cards.")]
DealOption = Annotated[
    int | None, Option(min=0, help="Show the words of this deal again: its number is at the end of a page.")
]
RulesetName = Annotated[
    str | None,
    Option(
        "--ruleset",
        metavar="NAME|FILE",
        help="The ruleset to play by: a name, or your own file.",
        autocompletion=_rulesets,
    ),
]


@dataclass(frozen=True)
class ServerOptions:
    """Which model is asked, and how much it may write."""

    model: str | None = option(help="The model to ask. Default: $NARRATOR_MODEL.")
    base_url: str | None = option(
        help="The address of its server, which must be OpenAI-compatible. Default: $NARRATOR_BASE_URL."
    )
    max_tokens: int | None = option(
        min=1, help="The most tokens to spend. After that, narrator no longer asks the model."
    )


@dataclass(frozen=True)
class TypedTerms:
    """How long a model is waited for, and how often it is asked."""

    timeout: float | None = option(
        metavar="SECONDS", writes="timeout", help="The longest time to wait for words, by default 20."
    )
    repairs: int | None = option(
        metavar="NUMBER", writes="repairs", help="How often to ask the model again for missing words, by default once."
    )


@dataclass(frozen=True)
class Writer(TypedTerms, ServerOptions):
    """Who is asked for words, and how."""

    model: str | None = option(help="The model to ask. `deck` asks none. Default: $NARRATOR_MODEL.")
    manner: Any = option(
        metavar="NAME",
        help="How to ask: `together`, or `one_by_one` for a small model. Default: $NARRATOR_MANNER.",
        **one_of(MANNERS),
    )
    deck: list[str] | None = option(metavar="FILE", help="A file with your own cards, to deal as well.")
    source: str | None = option(
        metavar="NAME", writes="source", help="The source of words with this name in config.toml."
    )
    staged: str | None = option(metavar="FILE", help="Cards that `stage` wrote for this scene, to deal first.")
    strict: bool = flag("--strict", writes="strict", help="Use no cards of the deck. Too few words are then an error.")

    def __post_init__(self) -> None:
        if self.source is not None and self.model is not None:
            raise typer.BadParameter("--source and --model both say which model to ask: give only one of them")


@dataclass(frozen=True)
class Format:
    """How the answer is written."""

    format: str | None = option(
        metavar="NAME",
        help=f"The format of the output, by default {surfaces.USUAL_SURFACE}. "
        + " ".join(f"{name}: {surfaces.about(name)}" for name in surfaces.surfaces()),
        **one_of(surfaces.surfaces()),
    )
    json: bool = flag("--json", help="The same as --format json.")

    def __post_init__(self) -> None:
        if self.json and self.format not in (None, "json"):
            raise typer.BadParameter(f"--json means --format json, not {self.format}: give only one of them")

    @property
    def surface(self) -> str:
        """The name of the surface."""
        return "json" if self.json else self.format or surfaces.USUAL_SURFACE


def takes_groups(command: Callable[..., None], more: Mapping[str, Any] | None = None) -> Callable[..., None]:
    """Give a command, in place of each parameter that is a group, the options that are declared in it.

    The command line's library reads the options off a signature, and several commands take the same ones.

    Args:
        more: Further options, by the name under which the command takes each as a keyword; left out is None.
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, type[Any]] = {
        name: kind for name, kind in hints.items() if isinstance(kind, type) and is_dataclass(kind)
    }

    @wraps(command)
    def taking(**typed: Any) -> None:
        made = {
            name: kind(**{each.name: typed.pop(each.name) for each in fields(kind)}) for name, kind in groups.items()
        }
        try:
            command(**typed, **made)
        except UsageError as error:
            raise typer.BadParameter(error.message, param_hint=error.option) from None

    options: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            options += [
                inspect.Parameter(other, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=declared)
                for other, declared in (more or {}).items()
            ]
            continue
        own = parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
        if name not in groups:
            options.append(own)
            continue
        kinds = get_type_hints(groups[name])
        for each in fields(groups[name]):
            declared: Any = Annotated[kinds[each.name], each.metadata["option"]]
            options.append(own.replace(name=each.name, default=each.default, annotation=declared))
    taking.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
    taking.__annotations__ = {each.name: each.annotation for each in options}
    return taking
