"""Reads `config.toml`, where a user may name the model, its address, and the variable that holds the key."""

import re
import tomllib
from pathlib import Path

from pydantic import ValidationError

from narrator.errors import NarratorError
from narrator.rules import places
from narrator.rules.model import PLAINLY, Given, Name, refusal

CONFIG = "config.toml"

LARGEST = 100_000
"""Bytes of the file: it has three lines."""


class Configured(Given):
    """
    What the file may say. The key itself has no place in it: a file is copied, shown and committed.
    """

    model: Name | None = None
    base_url: Name | None = None
    api_key_env: Name | None = None


def read_config(folder: Path) -> Configured:
    """
    Read the file in this folder; one that is not there says nothing.

    Raises:
        NarratorError: `bad_request` for one that cannot be read or says what is not known, with file and line.
            What stands in the file is never repeated: it may be a key.
    """
    path = folder / CONFIG
    try:
        with path.open("rb") as opened:
            data = opened.read(LARGEST + 1)
    except (FileNotFoundError, NotADirectoryError):
        return Configured()
    except OSError as error:
        raise NarratorError("bad_request", str(path), f"this cannot be read: {error.strerror}") from None
    return _parse(data, path)


def _parse(data: bytes, path: Path) -> Configured:
    if len(data) > LARGEST:
        raise NarratorError("bad_request", f"{path}:1", f"this is larger than {LARGEST} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NarratorError("bad_request", f"{path}:{line}", "this is not UTF-8") from None
    try:
        return Configured.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        at_end = "end of document" in str(error)
        line = max(1, len(text.splitlines())) if at_end else places.line_in(str(error))
        raise NarratorError("bad_request", f"{path}:{line}", f"this is not TOML: {_plain(error)}") from None
    except (ValueError, RecursionError) as error:
        if not isinstance(error, ValidationError):
            raise NarratorError("bad_request", f"{path}:1", "this is not TOML: it goes too deep or too far") from None
        found, first = refusal(error, Configured), error.errors()[0]
        line = places.line_of(text, first["loc"])
        message = PLAINLY["string_type"] if first["type"] == "string_type" else found.message
        raise NarratorError("bad_request", f"{path}:{line}", f"{found.field}: {message}", found.allowed) from None


def _plain(error: Exception) -> str:
    """
    The parser's message without the words of the file that it may quote.
    """
    return re.sub(r"\s*\(at .*\)$|\s*['\"].*['\"]", "", str(error))
