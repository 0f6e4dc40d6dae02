"""Reads files and standard input, up to a limit. Errors name the file."""

import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from typing import Any

from narrator.cli.usage import UsageError
from narrator.errors import ErrorCode, NarratorError, RequestError, visible
from narrator.files.atomic import at_once
from narrator.rules.json_text import Json, parsed
from narrator.rules.model import MOST_BYTES


def json_of(file: str) -> Json:
    """Read the JSON object in a file. A `bad_request` names file and line."""
    read = any_json_of(file)
    if not isinstance(read, dict):
        raise RequestError("bad_request", "" if file == "-" else visible(file), "this must be an object")
    return read


def any_json_of(file: str, most: int = MOST_BYTES) -> Any:
    """Read any JSON from a file of at most so many bytes. Errors are those of `json_of`."""
    text = read_text(file, most)
    try:
        return parsed(text)
    except NarratorError as error:
        raise RequestError(error.code, file_name(file), error.message, error.allowed) from None


def file_name(file: str) -> str:
    """Name a file for errors."""
    return "standard input" if file == "-" else visible(file)


def read_text(file: str, most: int = MOST_BYTES, code: ErrorCode = "bad_request") -> bytes:
    """Read a file, or standard input for "-", of at most so many bytes.

    Raises:
        NarratorError: With this code, if it is larger.
        UsageError: If the file can't be read, or standard input is empty.
    """
    if file == "-" and (sys.stdin is None or sys.stdin.isatty()):
        raise UsageError("give a FILE, or - and a request on standard input")
    try:
        if file == "-":
            read = sys.stdin.buffer.read(most + 1)
        else:
            with open(file, "rb", opener=at_once) as opened:
                read = opened.read(most + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "this is not the path of a file"
        raise UsageError(f"{visible(file)}: {why}") from None
    if file == "-" and not read.strip():
        raise UsageError("standard input is empty: give a FILE, or a request on standard input")
    if len(read) > most:
        raise RequestError(code, file_name(file), f"this is larger than {most} bytes")
    # Older PowerShells write the output of commands in UTF-16.
    if read.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return read.decode("utf-16", "replace").encode()
    return read
