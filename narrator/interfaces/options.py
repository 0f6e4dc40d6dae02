"""The options that several commands share, how a shell completes them, and how a command takes a group of them."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from difflib import get_close_matches
from functools import wraps
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperGroup

from narrator.interfaces.typed import flag
from narrator.render import surfaces

SCHEMAS = (
    *("request", "scene", "choice", "payload", "suggestion", "deck"),
    *(
        "resolution",
        "answer",
        "prepared",
        "words",
        "odds",
        "reach",
        "verdict",
        "violations",
        "settle",
        "apply",
        "turn_order",
        "lines",
        "table",
    ),
    *("rulesets", "event", "error"),
)
"""What there is a schema of: said here so that the help loads none of the models."""

MANNERS = ("together", "one_by_one")
"""How words may be asked for: said here for the same reason."""

WORDS = ("situation_aspect", "zone_aspect", "compel", "consequence", "high_concept", "trouble", "opening", "twist")
"""What words there are without a roll, said here for the same reason."""


def actions(incomplete: str) -> list[str]:
    """Complete the name of an action."""
    from narrator.interfaces.asked import known_rulesets

    return sorted({name for each in known_rulesets()[0] for name in each.actions if name.startswith(incomplete)})


def _rulesets(incomplete: str) -> list[str]:
    from narrator.api import reading

    return [name for name in reading.rulesets() if name.startswith(incomplete)]


def one_of(names: Sequence[str]) -> dict[str, Any]:
    """Have an option be one of these names, and complete it."""

    def known(name: str) -> str:
        meant = "_".join(name.replace("-", " ").split())
        if meant not in names:
            near = get_close_matches(meant, names, 1)
            hint = f"; did you mean {near[0]}" if near else ""
            raise typer.BadParameter(f"{name!r} is none of {', '.join(names)}{hint}")
        return meant

    return {
        "parser": known,
        "autocompletion": lambda incomplete: [name for name in names if name.startswith(incomplete)],
    }


What = Annotated[
    str,
    typer.Argument(
        metavar="[ACTION|FILE|-]",
        help="An action, told by the options; or a request as JSON, - for standard input, which they override.",
        autocompletion=actions,
    ),
]
File = Annotated[str, typer.Argument(metavar="[FILE|-]", help="A request as JSON; - is standard input.")]
Letters = Annotated[
    str | None, typer.Argument(metavar="[CHOICE]", help="What the page calls it, such as f, s2, or r1,5.")
]
Seed = Annotated[int | None, typer.Option(help="Roll, and deal from the deck, by this number.")]
RulesetName = Annotated[
    str | None,
    typer.Option("--ruleset", metavar="NAME|FILE", help="A ruleset, or a file of yours.", autocompletion=_rulesets),
]


@dataclass(frozen=True)
class Server:
    """Which model is asked, and how much it may write."""

    model: Annotated[str | None, typer.Option(help="Ask this model.  [env: NARRATOR_MODEL]")] = None
    base_url: Annotated[str | None, typer.Option(help="An OpenAI-compatible address.  [env: NARRATOR_BASE_URL]")] = None
    max_tokens: Annotated[
        int | None, typer.Option(min=1, help="Spend so many tokens at the most; then do without the model.")
    ] = None


@dataclass(frozen=True)
class Writer(Server):
    """Who is asked for words."""

    model: Annotated[str | None, typer.Option(help="Ask this model; `deck` asks none.  [env: NARRATOR_MODEL]")] = None
    manner: Annotated[
        Any,
        typer.Option(
            metavar="NAME",
            help="`together` or, for a small model, `one_by_one`.  [env: NARRATOR_MANNER]",
            **one_of(MANNERS),
        ),
    ] = None
    deck: Annotated[list[str] | None, typer.Option(metavar="FILE", help="Cards of yours, to be dealt too.")] = None


@dataclass(frozen=True)
class Format:
    """How the answer is written."""

    format: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"How it is written; left out: {surfaces.USUAL_SURFACE}. "
            + " ".join(f"{name}: {surfaces.about(name)}" for name in surfaces.names()),
            **one_of(surfaces.names()),
        ),
    ] = None
    json: Annotated[bool, flag("--json", help="The same as --format json.")] = False

    def __post_init__(self) -> None:
        if self.json and self.format not in (None, "json"):
            raise typer.BadParameter(f"--json is --format json, and not {self.format}: give one of them")

    @property
    def surface(self) -> str:
        """The name of the surface."""
        return "json" if self.json else self.format or surfaces.USUAL_SURFACE


class Commands(TyperGroup):
    """The commands: words too many are told with what to type instead."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Exception as error:
            if "unexpected extra argument" in str(getattr(error, "message", "")):
                hint = 'What has blanks wants straight quotes (--intent "bribe the guards"), a number its option'
                error.message += f". {hint} (--shifts 2)."  # type: ignore[attr-defined]
            raise


def takes_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command, in place of each parameter that is a dataclass, an option for each of its fields.

    The command line's library reads the options off a signature, and several commands take the same ones.
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
        command(**typed, **made)

    options: list[inspect.Parameter] = []
    for name, own in inspect.signature(command).parameters.items():
        if name not in groups:
            options.append(own.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        kinds = get_type_hints(groups[name], include_extras=True)
        options += [
            inspect.Parameter(
                each.name, inspect.Parameter.KEYWORD_ONLY, default=each.default, annotation=kinds[each.name]
            )
            for each in fields(groups[name])
        ]
    taking.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
    taking.__annotations__ = {each.name: each.annotation for each in options}
    return taking
