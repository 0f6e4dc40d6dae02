"""Finds the campaign that was typed or chosen, and its page."""

import json
import os
from typing import TYPE_CHECKING, Annotated

from typer import Option

from narrator.campaign import folder
from narrator.cli.option_groups import CAMPAIGN
from narrator.cli.usage import UsageError
from narrator.errors import RequestError, quoted, visible
from narrator.render.phrases import plain
from narrator.resources import shipped
from narrator.rules.json_text import Json
from narrator.rules.typo import meant

if TYPE_CHECKING:
    from narrator.campaign.campaign import Campaign

READY = "The South Gate of Thaalor"
"""The campaign for users who have none."""

CampaignName = Annotated[str | None, Option("--campaign", metavar="NAME", help=CAMPAIGN)]
RevisionOption = Annotated[int | None, Option(min=0, help="Write only if the scene has this revision.")]


def in_use(name: str | None, *files: str | None) -> "Campaign | None":
    """Open the typed campaign, else the chosen one unless a file was typed. None: there is none."""
    if name is None and any(files):
        return None
    named = folder.chosen(os.environ) if name is None else name
    return None if named is None else opened(named)


def needed(name: str | None) -> "Campaign":
    """Do the same for a command that needs a campaign."""
    found = in_use(name)
    if found is None:
        raise UsageError("no campaign is in use: choose one with narrator use NAME, or --campaign NAME", "--campaign")
    return found


def opened(name: str, field: str = "--campaign") -> "Campaign":
    """Open an existing campaign. An error names `field`, which gave the name."""
    from narrator.campaign.opening import open_campaign

    path = folder.file_of(name, os.environ)
    if not path.exists():
        known = folder.names(os.environ)
        message = f"there is no campaign {quoted(name)}{meant(name, known)}; `narrator use NAME --new` begins one"
        raise RequestError("bad_request", field, message, known)
    return open_campaign(path)


def ready() -> "Campaign":
    """Begin the campaign that comes with narrator, or continue it."""
    from narrator.campaign.opening import open_campaign

    scene = json.loads(shipped("examples", "south-gate.json").read_text("utf-8"))["scene"]
    found = open_campaign(name=READY, scene=scene)
    folder.choose(READY, os.environ)
    return found


def file_in(word: str) -> str | None:
    """Return the word if it is an existing file, or standard input."""
    return word if word == "-" or os.path.exists(word) else None


def is_no_file(word: str) -> bool:
    """Whether a lone argument is for the campaign: it is no file, and doesn't look like one."""
    return file_in(word) is None and not {".", "/", os.sep} & {*word}


def page_of(campaign: "Campaign", page: str | None) -> Json:
    """Return the typed page, or else the newest open one, as a file would have it."""
    opened = campaign.pages
    if page is None and not opened:
        raise RequestError("unknown_page", "--page", f"{campaign.name} has no open page: narrator suggest makes one")
    told = campaign.page(page or opened[-1].id).as_json()
    return {"page": told["id"], "request": told["request"], "answer": told["answer"], "typed": told.get("over")}


def just_now(campaign: "Campaign") -> str | None:
    """Describe the last event, for words about it: the newest page if it is open, else the last entry."""
    page = next(iter(campaign.pages[-1:]), None)
    if page is None:
        return next((each.text for each in campaign.entries(max(0, campaign.last - 1))), None)
    action, outcome = page.request.action, page.answer.resolution.outcome
    told = (action.actor, action.intent or plain(action.type), action.target and f"against {action.target}")
    return f"{', '.join(filter(None, told))}: {plain(outcome)}"


def table_and_choice(
    name: str | None, file: str, choice: str | None, save: str | None = None
) -> "tuple[Campaign | None, str, str | None]":
    """Tell a choice from a file. A lone argument that names no file is a choice of the campaign's page."""
    if is_alone := bool(file) and choice is None and is_no_file(file):
        file, choice = "", file
    table = in_use(name, file)
    if table is not None and (save is not None or file):
        raise UsageError(
            f"{table.name} has its own page and scene: leave out the file, or type narrator use --none first"
        )
    if table is None and is_alone:
        raise UsageError(
            f"{visible(choice or '')}: no such file; without a file, a choice needs a campaign: narrator use NAME"
        )
    return table, file or "-", choice
