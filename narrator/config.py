"""The user's own files: `config.toml`, rulesets and decks, in the config folder or by path."""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from platformdirs import user_config_path
from pydantic import AfterValidator, ConfigDict
from pydantic_core import PydanticCustomError

from narrator.deck.deck_file import DeckFile, OwnDeck
from narrator.errors import ErrorCode, NarratorError, RequestError, quoted
from narrator.files import atomic
from narrator.rules.model import MOST_BYTES, Given, Name, complaint
from narrator.rules.ruleset.loader import assemble, packaged_files, parse
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.ruleset.ruleset_file import Written
from narrator.rules.toml_file import read_toml

_NAME = re.compile(r"[\w-]{1,60}")
_FIELD = re.compile(r"(sources\.[\w-]{1,60}\.)?[a-z_]{1,15}")
"""What may be a field of `config.toml`, misspelt perhaps. Any other name there may be a key, in the wrong place."""

_MOST_SETTINGS = 64_000
"""Bytes of `config.toml`, which has a few lines: to read 40,000 of them takes seconds, for every call."""

_LONGEST_PATH = 1_000
"""As long as a path is repeated in a message."""


class ServerConfig(Given):
    """Which model is asked, where, and how. The key itself has no place in a file, which is copied and shown."""

    model: Name | None = None
    base_url: Name | None = None
    api_key_env: Name | None = None
    manner: Name | None = None


class NamedSource(ServerConfig):
    """A source of words under a name of the user's own."""

    kind: Name = "openai"


def _free(name: str) -> str:
    """Refuse what can be no name of a source."""
    if name == "deck":
        raise complaint("bad_request", "the deck is narrator's own, and no other source can be named deck")
    if not _NAME.fullmatch(name):
        raise complaint("bad_request", "the name of a source has 1 to 60 letters, digits, hyphens and underscores")
    return name


class Config(ServerConfig):
    """What `config.toml` may say."""

    model_config = ConfigDict(hide_input_in_errors=True)

    stage: bool = False
    """Whether cards are written for each scene of a campaign when it begins: that asks the model, once a scene."""
    sources: dict[Annotated[str, AfterValidator(_free)], NamedSource] = {}


def config_file(environment: Mapping[str, str]) -> Path:
    """Return the place of `config.toml`. It need not be there."""
    return _folder(environment) / "config.toml"


def read_config(environment: Mapping[str, str]) -> Config:
    """Read `config.toml` in the config folder; where there is none, it says nothing.

    Raises:
        NarratorError: `bad_request` for one that cannot be read or says what is not known, with file and line.
            What stands in the file is never repeated, but for the name of a field: it may be a key.
    """
    path = config_file(environment)
    try:
        return read_toml(Config, _text(path, "bad_request", "", _MOST_SETTINGS), str(path), "bad_request")
    except NarratorError as error:
        found = error
    name, _, message = found.message.rpartition(": ")
    if name and not _FIELD.fullmatch(name):
        found = RequestError(found.code, found.field, message, found.allowed)
    raise found


def add_source(name: str, told: NamedSource, environment: Mapping[str, str], *, is_tried: bool = False) -> Path:
    """Write a source behind what stands in `config.toml`, and stays so; where it `is_tried`, write nothing."""
    path = config_file(environment)
    try:
        _free(name)
    except PydanticCustomError as error:
        raise RequestError("bad_request", "--write", error.message()) from None
    if name in read_config(environment).sources:
        raise RequestError("bad_request", "--write", f"config.toml has a source {name} already: take another name")
    there = path.read_bytes() if path.exists() else b""
    lines = (f"{field} = {_toml(value)}" for field, value in told.model_dump(exclude_defaults=True).items())
    table = "\n".join((f"[sources.{name if name.isascii() else _toml(name)}]", *lines, "")).encode()
    apart = b"" if not there else b"\n" if there.endswith(b"\n") else b"\n\n"
    whole = there + apart + table
    try:
        if len(whole) > _MOST_SETTINGS:
            raise ValueError
        read_toml(Config, whole.decode("utf-8-sig"), str(path), "bad_request")
    except ValueError:
        message = "no table can be put behind what stands there, such as `sources = {...}`: write it in by hand"
        raise RequestError("bad_request", str(path), message) from None
    if not is_tried:
        with atomic.refusing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        atomic.replace(path, whole)
        assert read_config(environment).sources[name] == told, "it was read before it was written"
    return path


def _toml(text: str) -> str:
    plain = json.dumps(text, ensure_ascii=False)
    return "".join(sign if sign.isprintable() else f"\\U{ord(sign):08x}" for sign in plain)


def load_ruleset(path: str | Path) -> Ruleset:
    """Load a house ruleset. What it extends is one that comes with narrator, or a file beside it of that name.

    Raises:
        NarratorError: `bad_ruleset` with the file and the line.
    """
    file = _path(path)
    return _whole(_read(file), file.parent)


def named(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Name the rulesets in the config folder: each file bears the name of its ruleset."""
    return tuple(path.stem for path in _listed(_folder(environment) / "rulesets") if _NAME.fullmatch(path.stem))


def find(name: str, environment: Mapping[str, str]) -> Ruleset | None:
    """Load the ruleset of this name from the config folder; None where there is none."""
    folder = _folder(environment) / "rulesets"
    written = _named(name, folder)
    return None if written is None else _whole(written, folder)


def load_deck(path: str | Path) -> DeckFile:
    """Load a file of cards.

    Raises:
        NarratorError: `bad_deck` with the file and the line.
    """
    return read_toml(OwnDeck, _text(_path(path), "bad_deck"), str(path), "bad_deck")


def decks(environment: Mapping[str, str]) -> tuple[DeckFile, ...]:
    """Load the decks in the config folder."""
    return tuple(load_deck(path) for path in _listed(_folder(environment) / "decks"))


def _path(given: str | Path) -> Path:
    try:
        return Path(given)
    except TypeError:
        raise RequestError("bad_request", "path", "this must be the path of a file") from None


def _folder(environment: Mapping[str, str]) -> Path:
    """The config folder: what `NARRATOR_CONFIG` says, else the system's place for it. It need not exist."""
    named = environment.get("NARRATOR_CONFIG", "").strip()
    return Path(named) if named else user_config_path("narrator", appauthor=False)


def _listed(folder: Path) -> list[Path]:
    """List the TOML files of a folder, none where there can be no such folder."""
    try:
        return sorted(folder.glob("*.toml"))
    except OSError:
        return []


def _whole(written: Written, folder: Path) -> Ruleset:
    """Lay a file over all that it extends: what comes with narrator, or stands in its folder."""
    beside: dict[str, Written] = {}
    above = written.file.extends
    while above is not None and above not in {*packaged_files(), *beside} and (found := _named(above, folder)):
        beside[above] = found
        above = found.file.extends
    return assemble(written, beside)


def _named(name: str, folder: Path) -> Written | None:
    """Read the file of this name, which its ruleset has to bear; None where the folder has none."""
    path = folder / f"{name}.toml"
    if not _NAME.fullmatch(name) or not os.path.isfile(path):
        return None
    written = _read(path)
    if written.file.name != name:
        written.refuse(f"the file is named {name}, the ruleset in it {quoted(written.file.name)}", "name")
    return written


def _read(path: Path) -> Written:
    return parse(_text(path, "bad_ruleset"), str(path))


def _text(path: Path, code: ErrorCode, absent: str | None = None, most: int = MOST_BYTES) -> str:
    """Read a file of so many bytes at the most as text; `absent` is that of one that need not be there, and is not."""
    place = str(path) if str(path).isprintable() and len(str(path)) <= _LONGEST_PATH else quoted(str(path))
    no_file = RequestError(code, place, f"this is no file of at most {most} bytes")
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        raise no_file  # a pipe may have nobody at its other end, and would be waited for
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        if absent is not None and isinstance(error, FileNotFoundError | NotADirectoryError):
            return absent
        why = error.strerror if isinstance(error, OSError) else "this is no path"
        raise RequestError(code, place, f"cannot be read: {why}") from None
    if len(data) > most:
        raise no_file
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RequestError(code, f"{path}:{line}", "this is not UTF-8") from None
