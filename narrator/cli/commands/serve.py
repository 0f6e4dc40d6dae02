"""The command `serve`: the page, calls and campaigns over HTTP, until it is ended."""

import os
import threading
import webbrowser
from contextlib import suppress
from importlib.util import find_spec
from typing import Annotated

from typer import Argument, Option

from narrator.campaign import folder
from narrator.cli.options import Format, switch
from narrator.cli.output import refusals
from narrator.cli.typed_campaign import in_use, opened, ready
from narrator.cli.usage import UsageError
from narrator.errors import visible
from narrator.sources.selection import source_for

PORT = 8717
"""Where no other tool of the table listens."""

_LAN = """\
Everybody on this network can reach narrator now, and others on it could read the traffic. Use this only on a network
that you trust."""


def command(
    how: Format,
    name: Annotated[str | None, Argument(metavar="CAMPAIGN", help="The campaign, by default the one in use.")] = None,
    port: Annotated[int, Option(min=0, max=65_535, help="The port. 0 picks a free one.")] = PORT,
    lan: Annotated[bool, switch("--lan", "Let others on your network in. They need the codes that are shown.")] = False,
    show: Annotated[
        bool, switch("--open", "Open the page in a browser. Without a campaign, with a ready scene.")
    ] = False,
) -> None:
    if find_spec("fastapi") is None or find_spec("uvicorn") is None:
        raise UsageError(
            'the server is not installed. In narrator\'s folder, type: pipx install --force ".[serve,mcp]"'
        )
    from narrator.server import access, running

    with refusals(how):
        source_for(None)  # what is wrong with the settings of a model is said before anybody plays
        served = in_use(None) if name is None else opened(name, "CAMPAIGN")
        data = folder.folder(os.environ)
        token, is_new = access.token_in(data)
        with running.listening(port, lan=lan) as listener:
            port = listener.getsockname()[1]
            if served is None and show:
                served = ready()
            page = f"http://127.0.0.1:{port}/#"
            pairing = access.new_code() if lan else None
            table = None if served is None else str(served.file)
            who = access.Access(
                data / f"sessions-{port}.json", token, pairing, table, lambda code: _tell_page(page + code)
            )
            _tell(port, None if served is None else served.file.stem)
            if is_new:
                print(f"Token for programs, not for browsers; it is in {visible(str(data / 'token'))}:\n  {token}")
            _tell_page(page + who.code)
            if pairing is not None:
                print(f"Code for players: {pairing}, at http://{running.own_address() or 'ADDRESS'}:{port}\n{_LAN}")
            if show:
                # It may take its time, and some browsers hold on to whoever opened them.
                threading.Thread(target=webbrowser.open, args=[page + who.code], daemon=True).start()
            with suppress(KeyboardInterrupt):
                running.run(listener, served, who, lan=lan)
        print("Ended.")


def _tell(port: int, campaign: str | None) -> None:
    told = f", with {visible(campaign)} for players" if campaign else ""
    print(f"narrator answers at http://127.0.0.1:{port}{told}; Ctrl+C ends it.", flush=True)


def _tell_page(address: str) -> None:
    with suppress(OSError):  # whoever reads it may be gone by now
        print(f"The page, for one browser, the GM's: {address}", flush=True)
