"""Looks at narrator's side of the table: files, campaign, server and token, and pages and proxies in between."""

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
"""Seconds that somebody may write in a campaign before that counts as locked."""

_INSTEAD = (
    "have a program with the token ask (docs/how-to/macros.md, docs/how-to/server.md), or open narrator's own page "
    "beside it"
)


def files(what: str, read: Callable[[Mapping[str, str]], object]) -> Check:
    """Whether something of the user's in the config folder can be read."""
    read(os.environ)
    yield "ok", f"{what} in {config.config_file(os.environ).parent}: what there is can be read"


def campaign(name: str | None) -> Check:
    """Whether campaigns can be kept, and the one that is named, or in use, is sound and can be written."""
    name, place = name or folder.chosen(os.environ), folder.folder(os.environ)
    if place.exists() and not (place.is_dir() and os.access(place, os.W_OK)):
        yield "wrong", f"{place} may not be written, or is no folder", "mend its rights, or NARRATOR_DATA"
        return
    if name is None:
        yield "not used", "no campaign is in use", "narrator use NAME --new begins one"
        return
    path = folder.file_of(name, os.environ)
    closed = [each for each in (path.parent, path) if not os.access(each, os.W_OK)]
    if not path.exists():
        yield "wrong", f"{path} is not there", "narrator campaigns lists those that are; narrator use NAME chooses one"
    elif closed:
        yield "wrong", f"{closed[0]} may not be written", "give yourself the right to write there"
    elif path.stat().st_size == 0:
        yield "wrong", f"{path} is empty: what was in it is lost", "go on from a backup; or delete it"
    else:
        Database(path).examine(LOCKED)
        yield "ok", f"{path} is sound and can be written, up to entry {open_campaign(path).last}"


def server(port: int) -> Check:
    """Whether the server can run, and who is at its port."""
    if not (find_spec("fastapi") and find_spec("uvicorn")):
        yield "not used", "the server is not installed", 'pipx install "fate-narrator[serve]"'
        return
    if _asked(port, "/healthz") is None:
        yield "not used", f"nobody answers at 127.0.0.1:{port}", "narrator serve, where you want the server"
    elif _is_narrator(port):
        yield "ok", f"narrator answers at 127.0.0.1:{port}"
    else:
        yield "wrong", f"another program answers at 127.0.0.1:{port}", "take another port, for serve and here: --port"


def token(port: int) -> Check:
    """Whether programs have a token that the server takes."""
    path, again = folder.folder(os.environ) / "token", "end narrator serve, and start it again"
    if not path.exists():
        yield "not used", "there is no token for programs yet", f"narrator serve makes one; if it runs, {again}"
        return
    with atomic.refusing(path):
        text = path.read_text("ascii", "replace").strip()
    if not re.fullmatch(r"[\w-]{32,200}", text):
        yield "wrong", f"{path} has no token", f"delete the file; {again}: it makes a new one"
    elif os.name == "posix" and path.stat().st_mode & 0o077:
        yield "wrong", f"others than you may read {path}", "chmod 600 it; or delete it, and a new one is made"
    elif not _is_narrator(port):
        yield "ok", f"{path} has one; narrator does not answer, so it is not tried"
    elif (heard := _asked(port, "/v1/campaigns", text)) is not None and heard.status == 200:
        yield "ok", "the server takes it"
    else:
        text = f"the server does not take the token in {path}: it has another data folder, or began before it was made"
        yield "wrong", text, f"{again}, with the NARRATOR_DATA of this terminal"


def origin(given: str | None, port: int) -> Check:
    """Whether a page from there can ask narrator: none but its own can, by design."""
    found = re.fullmatch(r"(https?)://([\w.-]+|\[[0-9a-f:]+\])(:\d{1,5})?", given or "", re.IGNORECASE)
    if given is None:
        yield "not used", "where your virtual table's page is was not said", "--origin https://mygame.example"
        return
    if found is None:
        yield (
            "wrong",
            "what --origin says is no origin",
            "scheme and host alone, and nothing behind them: https://mygame.example",
        )
        return
    is_here = urlsplit(given).hostname in ("127.0.0.1", "localhost", "::1")
    if found[1].lower() == "http" and is_here and found[3] == f":{port}":
        keep = "who came in by 127.0.0.1 is a stranger by localhost: keep to one"
        yield "ok", f"{given} is narrator's own page; {keep}"
        return
    yield "wrong", f"a page of {given} may not ask narrator: none but its own may, by design", _INSTEAD
    if found[1].lower() == "https":
        why = "browsers refuse that as mixed content, or ask for leave to reach the local network"
        yield "wrong", f"a page by https asks narrator by plain http: {why}", _INSTEAD
    elif not is_here:
        text = "a page by http from another machine is not let through to this one by browsers"
        yield "wrong", text, f"{_INSTEAD}; for phones at home, narrator serve --lan"


def proxy() -> Check:
    """Whether other programs would ask this machine by way of a proxy, whose address may have a password in it."""
    told = {name.upper(): value for name, value in os.environ.items() if value}
    used = [name for name in ("HTTP_PROXY", "ALL_PROXY") if name in told]
    spared = {each.strip() for each in told.get("NO_PROXY", "").split(",")}
    if used and "*" not in spared and not {"127.0.0.1", "localhost"} <= spared:
        text = f"{' and '.join(used)} is set: narrator asks this machine without it, your macros may not"
        yield "warning", text, "set NO_PROXY=127.0.0.1,localhost beside it"
    else:
        yield "ok", "no proxy stands between the programs of this machine"


def _asked(port: int, path: str, token: str = "") -> Heard | None:
    return anyio.run(ask, f"http://127.0.0.1:{port}{path}", token)


def _is_narrator(port: int) -> bool:
    """Whether it is narrator that answers: nobody else is shown the token."""
    health, refused = _asked(port, "/healthz"), _asked(port, "/v1/campaigns")
    error = refused.told.get("error") if refused and isinstance(refused.told, dict) else None
    is_ours = isinstance(error, dict) and error.get("code") == "not_allowed"
    return is_ours and health is not None and health.told == {"status": "ok"}
