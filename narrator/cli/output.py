"""Makes a call, and writes its result or its error in the chosen format."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from narrator.campaign import campaign_views
from narrator.cli import call_views
from narrator.cli.option_groups import Typed, by_option
from narrator.cli.options import Format
from narrator.cli.typed_call import TypedCall
from narrator.cli.typed_campaign import needed
from narrator.errors import NarratorError, visible
from narrator.render import surfaces
from narrator.render.view import Answered, Line, Role, View, line
from narrator.rules.json_text import Json
from narrator.rules.model import Model
from narrator.setup.findings import Finding, Findings

if TYPE_CHECKING:
    from narrator.campaign.campaign import Campaign
    from narrator.campaign.records import Entry


_MARKS: dict[str, Role] = {"ok": "good", "wrong": "bad", "warning": "tie", "not used": "dim"}


def write_answer(asked: TypedCall, how: Format) -> None:
    """Make a call that needs no source of words, and write its result."""
    write(make(asked), asked, how)


def make(asked: TypedCall, **options: Any) -> Model:
    """Make the call. An error names the option that wrote the refused value."""
    try:
        return asked.call.make(rulesets=asked.rulesets, **options)
    except NarratorError as error:
        raise by_option(error, asked.typed, is_whole=asked.is_whole) from None


def write(result: Model, asked: TypedCall, how: Format, said: Iterable[Line] = ()) -> None:
    """Write the result of a call, after the lines in `said`."""

    def view() -> View:
        first = [] if asked.campaign is None else [campaign_views.heading(asked.campaign, asked.kept.page)]
        return (*first, *said, *call_views.view_of(result, asked))

    surfaces.write(how.surface, Answered(result, view), sys.stdout)


class _Told(Model):
    told: Json | list[Json]

    def as_json(self) -> Any:
        return self.told


def write_told(told: Json | list[Json], lines: Iterable[Line], how: Format) -> None:
    """Write JSON that is not a model, with a view of its own."""
    surfaces.write(how.surface, Answered(_Told(told=told), lambda: tuple(lines)), sys.stdout)


def write_findings(found: Iterable[Finding], how: Format) -> None:
    """Write the findings, and end with 1 if something is wrong."""
    items, lines = tuple(found), list[Line]()
    for each in items:
        lines.append(line((f"{each.state:<9}", _MARKS[each.state]), (f"{each.check}: ", "strong"), each.text))
        lines += (line(told, indent=11) for told in each.more)
        label = "to use it: " if each.state == "not used" else "cure: "
        lines += (line((label, "note"), told, indent=9) for told in (each.cure,) if told)
    surfaces.write(how.surface, Answered(Findings(items=items), lambda: tuple(lines)), sys.stdout)
    if any(each.state == "wrong" for each in items):
        raise typer.Exit(1)


def write_into(name: str | None, how: Format, written: "Callable[[Campaign], Entry]") -> None:
    """Write an entry into the typed campaign, or the one in use, and show it."""
    with refusals(how):
        campaign = needed(name)
        entry = written(campaign)
        view = (campaign_views.heading(campaign), *campaign_views.entry(entry))
        surfaces.write(how.surface, Answered(entry, lambda: view), sys.stdout)


def complain(error: NarratorError) -> None:
    """Print an error in one line, for people."""
    print(f"narrator: {visible(str(error))}", file=sys.stderr)


@contextmanager
def refusals(how: Format, typed: Typed = None) -> Iterator[None]:
    """Print a refused request in one line or as JSON, and end with 1. If `typed` is given, name the option."""
    try:
        yield
    except NarratorError as refused:
        error = refused if typed is None else by_option(refused, typed)
        if surfaces.is_for_programs(how.surface):
            print(json.dumps(error.as_json()))
        else:
            complain(error)
        raise typer.Exit(1) from None
