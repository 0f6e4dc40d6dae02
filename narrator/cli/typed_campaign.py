"""The campaign that was typed, else the one that was chosen; and what is written into it, said on a page."""

import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from narrator.campaign import folder
from narrator.cli import campaign_views
from narrator.cli.option_groups import TypedAction
from narrator.cli.options import Format
from narrator.cli.output import refusals
from narrator.cli.typed_call import TypedCall, heading, typed_call
from narrator.cli.usage import UsageError
from narrator.errors import RequestError, quoted
from narrator.render import surfaces
from narrator.render.view import Answered, Line
from narrator.rules.json_text import Json
from narrator.rules.model import Model
from narrator.rules.typo import meant

if TYPE_CHECKING:
    from narrator.campaign.campaign import Campaign
    from narrator.campaign.records import Entry


def _names(incomplete: str) -> list[str]:
    return [name for name in folder.names(os.environ) if name.startswith(incomplete)]


CampaignName = Annotated[
    str | None,
    Option("--campaign", metavar="NAME", autocompletion=_names, help="In this campaign, not the one that is in use."),
]
PageOption = Annotated[
    str | None, Option(metavar="ID", help="Of a campaign: this page, such as p7; left out: the newest that is open.")
]
RevisionOption = Annotated[int | None, Option(min=0, help="Refuse a scene of another revision.")]


def in_use(name: str | None, *files: str | None) -> "Campaign | None":
    """Open the campaign that was typed; else the one that was chosen, unless a file was typed; None: there is none."""
    if name is None and any(files):
        return None
    named = folder.chosen(os.environ) if name is None else name
    return None if named is None else opened(named)


def needed(name: str | None) -> "Campaign":
    """The same for a command that is about a campaign."""
    found = in_use(name)
    if found is None:
        raise UsageError("no campaign is in use: narrator use NAME, or --campaign NAME", "--campaign")
    return found


def opened(name: str) -> "Campaign":
    """Open a campaign that is there."""
    from narrator.campaign.opening import open_campaign

    path = folder.file_of(name, os.environ)
    if not path.exists():
        known = folder.names(os.environ)
        message = f"there is no campaign {quoted(name)}{meant(name, known)}; `narrator use NAME` begins one"
        raise RequestError("bad_request", "--campaign", message, known)
    return open_campaign(path)


def file_in(word: str) -> str | None:
    """The word, where it is the path of a file that is there, or standard input."""
    return word if word == "-" or os.path.exists(word) else None


def is_no_file(word: str) -> bool:
    """Whether a lone argument is meant for the campaign: it names no file, and looks like none."""
    return file_in(word) is None and not {".", "/", os.sep} & {*word}


def page_of(campaign: "Campaign", page: str | None) -> Json:
    """What a file would have of a page: the one that was typed, else the newest that is open."""
    opened = campaign.pages
    if page is None and not opened:
        raise RequestError("unknown_page", "--page", f"no page of {campaign.name} is open: suggest makes one")
    told = campaign.page(page or opened[-1].id).as_json()
    return {"page": told["id"], "request": told["request"], "answer": told["answer"], "typed": told.get("over")}


def typed_roll(
    call: str, what: str, typed: TypedAction, campaign: "Campaign | None", page: str | None = None, **more: Any
) -> TypedCall:
    """Read a roll as it was typed; in a campaign, where no action was typed, a page of it, and the options over it."""
    content = page_of(campaign, page) if campaign is not None and not what else None
    return typed_call(call, what or "-", typed, content=content, campaign=campaign, **more)


def table_and_choice(
    name: str | None, file: str, choice: str | None, save: str | None = None
) -> "tuple[Campaign | None, str, str | None]":
    """Tell a choice from a file: a lone argument that names no file is one, of a page of the campaign."""
    if is_alone := choice is None and is_no_file(file):
        file, choice = "-", file
    table = in_use(name, None if file == "-" else file)
    if table is not None and (save is not None or file != "-"):
        raise UsageError(f"{table.name} keeps page and scene: leave the file out, or narrator use --none")
    if table is None and is_alone:
        raise UsageError(f"{choice}: no such file; a choice alone is one in a campaign: narrator use NAME")
    return table, file, choice


class Told(Model):
    """What a command of campaigns gives to programs."""

    told: Json | list[Json]

    def as_json(self) -> Json:
        return self.told  # type: ignore[return-value]


def write_told(told: Json | list[Json], lines: Iterable[Line], how: Format) -> None:
    """Write what has a view of its own."""
    surfaces.write(how.surface, Answered(Told(told=told), lambda: tuple(lines)), sys.stdout)


def entered(how: Format, name: str | None, write: "Callable[[Campaign], Entry]") -> None:
    """Write into the campaign, and say what was written."""
    with refusals(how):
        campaign = needed(name)
        written = write(campaign)
        view = (heading(campaign), *campaign_views.entry(written))
        surfaces.write(how.surface, Answered(written, lambda: view), sys.stdout)
