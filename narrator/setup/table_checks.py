"""Checks files, campaign, server, token, pages of other origins, and proxies."""

import os
import re
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from urllib.parse import urlsplit

import anyio

from narrator import config
from narrator.campaign import folder
from narrator.campaign.database import Database
from narrator.campaign.opening import open_campaign
from narrator.files import atomic
from narrator.setup.findings import Check
from narrator.setup.loopback import Heard, ask

LOCKED = 2.0
"""After so many seconds of somebody else's writing, a campaign counts as locked."""

_INSTEAD = (
    "ask through a program with the token (docs/how-to/macros.md, docs/how-to/server.md), or open narrator's own "
    "page beside it"
)


def files(what: str, read: Callable[[Mapping[str, str]], object]) -> Check:
    """Check the user's files in the config folder."""
    read(os.environ)
    yield "ok", f"{what} in {config.config_file(os.environ).parent}: no errors found"


def campaign(name: str | None) -> Check:
    """Check the folder of campaigns, and the campaign that is named or in use."""
    name, place = name or folder.chosen(os.environ), folder.folder(os.environ)
    if place.exists() and not (place.is_dir() and os.access(place, os.W_OK)):
        yield "wrong", f"{place} is not a folder that you can write in", "change its permissions, or NARRATOR_DATA"
        return
    if name is None:
        yield "not used", "no campaign is in use", "narrator use NAME --new begins one"
        return
    path = folder.file_of(name, os.environ)
    closed = [each for each in (path.parent, path) if not os.access(each, os.W_OK)]
    if not path.exists():
        yield "wrong", f"{path} does not exist", "narrator campaigns lists yours; narrator use NAME chooses one"
    elif closed:
        yield "wrong", f"{closed[0]} can't be written", "give yourself permission to write there"
    elif path.stat().st_size == 0:
        yield "wrong", f"{path} is empty: its contents are lost", "go on from a backup, or delete it"
    else:
        Database(path).examine(LOCKED)
        yield "ok", f"{path} is undamaged and can be written; its last entry is {open_campaign(path).last}"


def server(port: int) -> Check:
    """Check whether the server can run, and what answers at its port."""
    if not (find_spec("fastapi") and find_spec("uvicorn")):
        yield "not used", "the server is not installed", 'pipx install "fate-narrator[serve]"'
        return
    if _asked(port, "/healthz") is None:
        yield "not used", f"nobody answers at 127.0.0.1:{port}", "narrator serve starts the server"
    elif _is_narrator(port):
        yield "ok", f"narrator answers at 127.0.0.1:{port}"
    else:
        yield "wrong", f"another program answers at 127.0.0.1:{port}", "use another --port, here and for narrator serve"


def token(port: int) -> Check:
    """Check that there is a token, and that the server accepts it."""
    path, again = folder.folder(os.environ) / "token", "restart narrator serve"
    if not path.exists():
        yield (
            "not used",
            "there is no token for programs yet",
            "narrator serve makes one; if it runs already, restart it",
        )
        return
    with atomic.refusing(path):
        text = path.read_text("ascii", "replace").strip()
    if not re.fullmatch(r"[\w-]{32,200}", text):
        yield "wrong", f"{path} has no token", f"delete the file and {again}, which makes a new one"
    elif os.name == "posix" and path.stat().st_mode & 0o077:
        yield "wrong", f"other users can read {path}", f"chmod 600 it; or delete it and {again}"
    elif not _is_narrator(port):
        yield "ok", f"{path} has a token; it was not tried, because narrator does not answer"
    elif (heard := _asked(port, "/v1/campaigns", text)) is not None and heard.status == 200:
        yield "ok", "the server accepts it"
    else:
        text = f"the server does not accept the token in {path}: its data folder is another, or the token is newer"
        yield "wrong", text, f"{again} with the NARRATOR_DATA of this terminal"


def origin(given: str | None, port: int) -> Check:
    """Say whether a page of this origin can ask narrator. By design, only narrator's own page can."""
    found = re.fullmatch(r"(https?)://([\w.-]+|\[[0-9a-f:]+\])(:\d{1,5})?", given or "", re.IGNORECASE)
    if given is None:
        yield "not used", "you gave no address of your virtual table's page", "--origin https://mygame.example"
        return
    if found is None:
        yield (
            "wrong",
            "--origin is not an origin",
            "write scheme and host, and a port if there is one, with nothing after them: https://mygame.example",
        )
        return
    is_here = urlsplit(given).hostname in ("127.0.0.1", "localhost", "::1")
    if found[1].lower() == "http" and is_here and found[3] == f":{port}":
        keep = "always use the same name, 127.0.0.1 or localhost: the browser has a cookie for only one"
        yield "ok", f"{given} is narrator's own page; {keep}"
        return
    yield "wrong", f"a page of {given} may not ask narrator: by design, only its own page may", _INSTEAD
    if found[1].lower() == "https":
        why = "browsers block that as mixed content, or ask permission to reach the local network"
        yield "wrong", f"a page by https asks narrator by plain http: {why}", _INSTEAD
    elif not is_here:
        text = "browsers do not let a page by http from another machine reach this one"
        yield "wrong", text, f"{_INSTEAD}; for phones at home, narrator serve --lan"


def proxy() -> Check:
    """Check whether other programs would reach this machine through a proxy. Its address may contain a password."""
    told = {name.upper(): value for name, value in os.environ.items() if value}
    used = [name for name in ("HTTP_PROXY", "ALL_PROXY") if name in told]
    spared = {each.strip() for each in told.get("NO_PROXY", "").split(",")}
    if used and "*" not in spared and not {"127.0.0.1", "localhost"} <= spared:
        text = f"{' and '.join(used)} is set: narrator does not use it for this machine, but your macros may"
        yield "warning", text, "also set NO_PROXY=127.0.0.1,localhost"
    else:
        yield "ok", "programs on this machine reach each other without a proxy"


def _asked(port: int, path: str, token: str = "") -> Heard | None:
    return anyio.run(ask, f"http://127.0.0.1:{port}{path}", token)


def _is_narrator(port: int) -> bool:
    """Whether narrator answers. No other program is sent the token."""
    health, refused = _asked(port, "/healthz"), _asked(port, "/v1/campaigns")
    error = refused.told.get("error") if refused and isinstance(refused.told, dict) else None
    is_ours = isinstance(error, dict) and error.get("code") == "not_allowed"
    return is_ours and health is not None and health.told == {"status": "ok"}
