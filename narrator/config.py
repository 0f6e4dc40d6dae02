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
"""Matches a possible field of `config.toml`, perhaps misspelt. Any other name might be a key in the wrong place."""

_MOST_SETTINGS = 64_000
"""The most bytes of `config.toml`. Reading 40,000 lines would take seconds for every call."""

_LONGEST_PATH = 1_000
"""The longest path that a message repeats."""


class ServerConfig(Given):
    """A model, its address and its manner. The key doesn't belong in a file, because files are copied and shown."""

    model: Name | None = None
    base_url: Name | None = None
    api_key_env: Name | None = None
    manner: Name | None = None


class NamedSource(ServerConfig):
    """A source of words with a name that the user chose."""

    kind: Name = "openai"


def _free(name: str) -> str:
    """Refuse a text that can't be the name of a source."""
    if name == "deck":
        raise complaint("bad_request", "deck always means narrator's own deck, so use another name")
    if not _NAME.fullmatch(name):
        raise complaint("bad_request", "the name of a source must be 1 to 60 letters, digits, hyphens or underscores")
    return name


class Config(ServerConfig):
    """The fields of `config.toml`."""

    model_config = ConfigDict(hide_input_in_errors=True)

    stage: bool = False
    """Whether a model writes cards for each scene of a campaign when it begins. This takes one call a scene."""
    sources: dict[Annotated[str, AfterValidator(_free)], NamedSource] = {}


def config_file(environment: Mapping[str, str]) -> Path:
    """Return the path of `config.toml`. The file need not exist."""
    return _folder(environment) / "config.toml"


def read_config(environment: Mapping[str, str]) -> Config:
    """Read `config.toml` in the config folder. A missing file counts as empty.

    Raises:
        NarratorError: `bad_request`, with file and line, if it can't be read or has an unknown field. The message never
            repeats a value, which may be a key; it repeats names of fields only.
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
    """Add a source at the end of `config.toml`, and keep the rest as it is. If it `is_tried`, write nothing."""
    path = config_file(environment)
    try:
        _free(name)
    except PydanticCustomError as error:
        raise RequestError("bad_request", "--write", error.message()) from None
    if name in read_config(environment).sources:
        raise RequestError("bad_request", "--write", f"config.toml has a source {name} already: use another name")
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
        message = "no table can be added at its end, perhaps because of `sources = {...}`: write the source in by hand"
        raise RequestError("bad_request", str(path), message) from None
    if not is_tried:
        with atomic.refusing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        atomic.replace(path, whole)
        assert read_config(environment).sources[name] == told, "it was parsed before it was written"
    return path


def _toml(text: str) -> str:
    plain = json.dumps(text, ensure_ascii=False)
    return "".join(sign if sign.isprintable() else f"\\U{ord(sign):08x}" for sign in plain)


def load_ruleset(path: str | Path) -> Ruleset:
    """Load a house ruleset. It may extend a ruleset that comes with narrator, or one in the same folder.

    Raises:
        NarratorError: `bad_ruleset`, with the file and the line.
    """
    file = _path(path)
    return _whole(_read(file), file.parent)


def named(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Name the rulesets in the config folder. Each file has the name of its ruleset."""
    return tuple(path.stem for path in _listed(_folder(environment) / "rulesets") if _NAME.fullmatch(path.stem))


def find(name: str, environment: Mapping[str, str]) -> Ruleset | None:
    """Load the ruleset of this name from the config folder, or return None."""
    folder = _folder(environment) / "rulesets"
    written = _named(name, folder)
    return None if written is None else _whole(written, folder)


def load_deck(path: str | Path) -> DeckFile:
    """Load a file of cards.

    Raises:
        NarratorError: `bad_deck`, with the file and the line.
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
    """Return the config folder: `NARRATOR_CONFIG`, or the system's default. It need not exist."""
    named = environment.get("NARRATOR_CONFIG", "").strip()
    return Path(named) if named else user_config_path("narrator", appauthor=False)


def _listed(folder: Path) -> list[Path]:
    """List the TOML files of a folder, or none if there can be no such folder."""
    try:
        return sorted(folder.glob("*.toml"))
    except OSError:
        return []


def _whole(written: Written, folder: Path) -> Ruleset:
    """Combine a ruleset with those that it extends, from narrator or from its folder."""
    beside: dict[str, Written] = {}
    above = written.file.extends
    while above is not None and above not in {*packaged_files(), *beside} and (found := _named(above, folder)):
        beside[above] = found
        above = found.file.extends
    return assemble(written, beside)


def _named(name: str, folder: Path) -> Written | None:
    """Read the file of this name, or return None. Its ruleset must have the same name."""
    path = folder / f"{name}.toml"
    if not _NAME.fullmatch(name) or not os.path.isfile(path):
        return None
    written = _read(path)
    if written.file.name != name:
        written.refuse(
            f"the file is named {name}, but its ruleset {quoted(written.file.name)}: use the same name for both", "name"
        )
    return written


def _read(path: Path) -> Written:
    return parse(_text(path, "bad_ruleset"), str(path))


def _text(path: Path, code: ErrorCode, absent: str | None = None, most: int = MOST_BYTES) -> str:
    """Read a file of at most so many bytes as text. If `absent` is given, it stands for a missing file."""
    place = str(path) if str(path).isprintable() and len(str(path)) <= _LONGEST_PATH else quoted(str(path))
    no_file = RequestError(code, place, f"this must be a file of at most {most} bytes")
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        raise no_file  # reading a pipe could wait forever
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        if absent is not None and isinstance(error, FileNotFoundError | NotADirectoryError):
            return absent
        why = error.strerror if isinstance(error, OSError) else "this is not a path"
        raise RequestError(code, place, f"cannot be read: {why}") from None
    if len(data) > most:
        raise no_file
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RequestError(code, f"{path}:{line}", "this is not UTF-8") from None
