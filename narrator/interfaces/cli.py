"""The command line: reads a file, makes the call that a macro would make, and prints a page or the JSON."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.console import Console

from narrator import api, vtt
from narrator.errors import NarratorError
from narrator.interfaces import pages
from narrator.render.plain import visible
from narrator.rules.model import Model
from narrator.shipped import shipped
from narrator.sources.settings import from_environment

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=True,
    help="Words for Fate: the rules decide each action, a language model only words, a validator checks every word.",
)

File = Annotated[str, typer.Argument(metavar="[FILE|-]", help="A request as JSON; - is standard input.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the exact object in place of the page.")]
Seed = Annotated[int | None, typer.Option(help="Roll, and draw from the deck, by this number.")]
ModelName = Annotated[
    str | None, typer.Option("--model", help="Ask this model; `deck` asks none.  [env: NARRATOR_MODEL]")
]
BaseUrl = Annotated[
    str | None, typer.Option("--base-url", help="An OpenAI-compatible address.  [env: NARRATOR_BASE_URL]")
]


def main() -> None:
    """
    Run the command line; a request that is refused ends it with 1, wrong usage with 2.
    """
    app()


@app.command()
def suggest(
    file: File = "-",
    as_json: AsJson = False,
    seed: Seed = None,
    model: ModelName = None,
    base_url: BaseUrl = None,
) -> None:
    """
    Resolve an action and suggest words: costs, boosts, aspects.
    """
    with _refusals(as_json):
        call = _read(file, "suggest", seed)
        settings = from_environment(os.environ, model=model, base_url=base_url)
        source = api.source_of(settings)
        asking = f"asking {visible(settings.model)} …" if settings else "drawing from the deck …"
        with Console(stderr=True).status(asking):
            answer = vtt.dispatch(call, source=source or "deck")
    _print(answer, call, as_json)


@app.command()
def resolve(file: File = "-", as_json: AsJson = False, seed: Seed = None) -> None:
    """
    Resolve an action: its outcome, and what the table allows.
    """
    with _refusals(as_json):
        call = _read(file, "resolve", seed)
        resolution = vtt.dispatch(call)
    _print(resolution, call, as_json)


@app.command()
def check(file: File = "-", as_json: AsJson = False, seed: Seed = None) -> None:
    """
    Judge a suggestion: a file with "request" and "candidate".
    """
    with _refusals(as_json):
        call = _read(file, "check", seed)
        verdict = vtt.dispatch(call)
    _print(verdict, call, as_json)


@app.command(name="vtt")
def macro(file: File = "-") -> None:
    """
    Answer a macro: a payload with "call" in, JSON out.
    """
    result = vtt.run(_text(file))
    print(json.dumps(result, ensure_ascii=False))
    raise typer.Exit(1 if "error" in result else 0)


@app.command()
def demo() -> None:
    """
    Show the main job, with no key and no network: costs for a roll that failed, and a suggestion refused.
    """
    console = pages.console()
    for name, call in (("cynere.json", "suggest"), ("refused.json", "check")):
        console.print(f"$ narrator {call} examples/{name}\n", style="dim")
        asked = vtt.read(shipped("examples", name).read_text("utf-8"), call=call)
        pages.show(console, vtt.dispatch(asked, source="deck"), asked)
        console.print()


def _read(file: str, call: str, seed: int | None = None) -> vtt.Call:
    asked = vtt.read(_text(file), call=call)
    if seed is None or not isinstance(asked.request, dict):
        return asked
    return asked.model_copy(update={"request": {**asked.request, "seed": seed}})


def _text(file: str) -> bytes:
    try:
        if file == "-":
            if sys.stdin.isatty():
                raise typer.BadParameter("give a FILE, or - and a request on standard input")
            return sys.stdin.buffer.read(vtt.LARGEST + 1)
        with open(file, "rb") as opened:
            return opened.read(vtt.LARGEST + 1)
    except OSError as error:
        raise typer.BadParameter(f"{file}: {error.strerror}") from None


def _print(result: Model, call: vtt.Call, as_json: bool) -> None:
    if as_json:
        print(json.dumps(result.as_json(), ensure_ascii=False))
    else:
        pages.show(pages.console(), result, call)


@contextmanager
def _refusals(as_json: bool) -> Iterator[None]:
    """
    Tell a refused request in one line, or as the object, and end with 1.
    """
    try:
        yield
    except NarratorError as error:
        if as_json:
            print(json.dumps(error.as_json(), ensure_ascii=False))
        else:
            print(f"narrator: {visible(str(error))}", file=sys.stderr)
        raise typer.Exit(1) from None
