"""The command `campaigns`: list those in the user's folder."""

import os
from collections.abc import Iterator

from narrator.campaign import folder
from narrator.cli.options import Format
from narrator.cli.output import refusals, write_told
from narrator.cli.typed_campaign import opened
from narrator.errors import NarratorError
from narrator.render.view import Line, line


def command(how: Format) -> None:
    with refusals(how):
        names, chosen = folder.names(os.environ), folder.chosen(os.environ)
        told = [{"name": name, **_told(name)} for name in names]

        def lines() -> Iterator[Line]:
            for each in told:
                mark = "* " if each["name"] == chosen else "  "
                yield line(
                    (mark, "key"), (each["name"], "strong"), (f"   {each.get('at', '')[:16].replace('T', ' ')}", "dim")
                )
                yield line(each.get("error") or each["summary"] or "nothing yet", indent=4)
            if not told:
                yield line("There are no campaigns yet. To begin one: narrator use NAME --new")

        write_told(told, lines(), how)


def _told(name: str) -> dict[str, str]:
    """Say of a campaign what it was about last, or what is wrong with it."""
    try:
        found = opened(name)
        return {"at": found.entries(found.last - 1)[0].at, "summary": found.scene.summary}
    except NarratorError as error:
        return {"error": str(error)}
