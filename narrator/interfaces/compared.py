"""What `eval` compares: the requests of files and folders, and the sources that were named."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from narrator import house
from narrator.api.asking import source_of
from narrator.errors import NarratorError
from narrator.evaluation.journal import Question
from narrator.interfaces.asked import any_json_of, payload_in, read_text
from narrator.interfaces.asking import settings_of
from narrator.interfaces.options import Server
from narrator.render.plain import visible
from narrator.rules.action import Request
from narrator.rules.json_text import parsed
from narrator.rules.model import MOST_BYTES
from narrator.sources.settings import Settings
from narrator.suggestions.brief import MANNERS
from narrator.suggestions.source import DECK, Source

MOST = 50 * MOST_BYTES
"""Bytes of a file of requests."""

_ADDRESS = re.compile(r"(?P<model>.+?)@(?P<address>\w+://.*)", re.DOTALL)
"""An address behind the name of a model, which may have an @ of its own."""


def questions_of(files: Sequence[str]) -> list[Question]:
    """Read requests: files with one or with a list of them, `.jsonl` with one a line, folders of `.json` files.

    Raises:
        NarratorError: For a request that is none, with its file and its place there.
        typer.BadParameter: For a file that cannot be read.
    """
    found = [question for file in files for question in _in(file)]
    if not found:
        raise NarratorError("bad_request", "", "there are no requests in what was named")
    return found


def sources_of(models: Sequence[str]) -> dict[str, Source | None]:
    """Find the sources that were named, each `deck`, a model, or `MODEL@ADDRESS`, with the manner and a colon before it
    where it is to be asked in another; where none was, the deck and the model of the environment, if it names one.

    Returns:
        Each by the name that it goes by: the model and the host, since an address may carry what is secret, and the
        manner where it is not the usual one.

    Raises:
        NarratorError: `bad_request` for an address that is none, and for one who is named twice.
    """
    found: dict[str, Source | None] = {}
    for settings in [_settings(each) for each in models or (DECK, None)]:
        name = DECK if settings is None else _name(settings)
        if name in found and models:
            raise NarratorError("bad_request", "model", f"{visible(name)} is named twice")
        found[name] = None if settings is None else source_of(settings)
    return found


def _name(settings: Settings) -> str:
    manner = "" if settings.manner == MANNERS[0] else f"{settings.manner}:"
    return f"{manner}{settings.model}@{settings.host}"


def _settings(named: str | None) -> Settings | None:
    manner, _, rest = (named or "").partition(":")
    if manner in MANNERS:
        named = rest
    else:
        manner = ""
    found = _ADDRESS.fullmatch(named or "")
    if found is not None:
        return settings_of(Server(found["model"], found["address"]), manner)
    if named is not None and re.search(r"@$|@[^@]*:\d", named):
        message = "an address behind an @ says how it is reached, such as @http://127.0.0.1:11434/v1"
        raise NarratorError("bad_request", "--model", message)
    return settings_of(Server(named), manner)


def _in(file: str) -> Iterator[Question]:
    if os.path.isdir(file):
        for path in sorted(Path(file).glob("*.json")):
            yield from _in(str(path))
    elif file.endswith(".jsonl"):
        text = read_text(file, MOST)
        lines = ((f"{file}:{number}", line) for number, line in enumerate(text.splitlines(), 1) if line.strip())
        yield from (_question(_parsed(name, line), name) for name, line in lines)
    else:
        read = any_json_of(file, MOST)
        if isinstance(read, list):
            yield from (_question(each, f"{file}:{number}") for number, each in enumerate(read, 1))
        else:
            yield _question(read, file)


def _parsed(name: str, line: bytes) -> object:
    try:
        return parsed(line)
    except NarratorError as error:
        raise _at(name, error) from None


def _question(read: object, name: str) -> Question:
    try:
        if not isinstance(read, dict):
            raise NarratorError("bad_request", "", "this must be an object")
        call, kept = payload_in(read, name, call="suggest")
        rulesets = () if kept.ruleset_file is None else (house.load_ruleset(kept.ruleset_file),)
        return Question(name, Request.read(call.request), rulesets)
    except NarratorError as error:
        raise _at(name, error) from None


def _at(name: str, error: NarratorError) -> NarratorError:
    place = visible(name)
    at = place if error.field in ("", place) else f"{place}: {error.field}"
    return NarratorError(error.code, at, error.message, error.allowed)
