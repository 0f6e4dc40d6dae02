"""The places of campaigns, one file each in the user's data folder or at any path, and the chosen campaign."""

import re
from collections.abc import Mapping
from pathlib import Path

from platformdirs import user_data_path

from narrator.errors import RequestError
from narrator.files import atomic

SUFFIX = ".narrator"

_NAME = re.compile(r"(?!(?i:con|prn|aux|nul|com\d|lpt\d)$)(?:\w[\w '-]{0,58}\w|\w)")
"""Names that every system accepts for a file. Windows reserves some for its devices."""

_CHOSEN = "chosen"


def folder(environment: Mapping[str, str]) -> Path:
    """The folder of campaigns: `NARRATOR_DATA`, else the system's place for user data. It need not exist."""
    named = environment.get("NARRATOR_DATA", "").strip()
    return Path(named) if named else user_data_path("narrator", appauthor=False)


def file_of(name: str, environment: Mapping[str, str]) -> Path:
    """The file of a campaign: the given path if it has the suffix, else the file of this name in the user's folder.

    Raises:
        NarratorError: `bad_request` if a campaign can't have this name.
    """
    if isinstance(name, str) and name.endswith(SUFFIX) and name.isprintable():
        return Path(name)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        message = f"a campaign's name has letters, digits, spaces, ' or -; a path ends in {SUFFIX}"
        raise RequestError("bad_request", "name", message)
    return folder(environment) / f"{name}{SUFFIX}"


def names(environment: Mapping[str, str]) -> list[str]:
    """List the campaigns in the user's folder."""
    files = (path for path in folder(environment).glob(f"*{SUFFIX}") if path.is_file())
    return sorted(path.stem for path in files if _NAME.fullmatch(path.stem))


def chosen(environment: Mapping[str, str]) -> str | None:
    """The name or path of the chosen campaign, or None."""
    try:
        with open(folder(environment) / _CHOSEN, "rb", opener=atomic.at_once) as file:
            return file.read(4_000).decode().strip() or None
    except (OSError, ValueError):
        return None


def choose(name: str | None, environment: Mapping[str, str]) -> None:
    """Choose the campaign for later commands, or none."""
    place = folder(environment)
    with atomic.refusing(place):
        place.mkdir(parents=True, exist_ok=True)
    told = None if name is None else str(Path(name).absolute()) if name.endswith(SUFFIX) else name
    atomic.replace(place / _CHOSEN, f"{told or ''}\n".encode())
