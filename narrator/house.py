"""What a table has of its own: rulesets and decks, TOML files by path or out of the config folder."""

import re
from collections.abc import Mapping
from pathlib import Path

from narrator.config import config_folder
from narrator.deck.cards import DeckFile, read_deck
from narrator.errors import Code, NarratorError, quoted
from narrator.rules.loading import Written, assemble, packaged_files, parse
from narrator.rules.ruleset import Ruleset

LARGEST = 1_000_000
"""Bytes of a file."""

_NAME = re.compile(r"[\w-]{1,60}")


def load_ruleset(path: str | Path) -> Ruleset:
    """
    Load a house ruleset. What it extends is one that comes with narrator, or a file beside it of that name.

    Raises:
        NarratorError: `bad_ruleset` with the file and the line.
    """
    path = Path(path)
    written = _read(path)
    known = dict(packaged_files())
    above = written.file.extends
    while above is not None and above not in known and (beside := _file(path.parent, above)) is not None:
        known[above] = _read_as(beside, above)
        above = known[above].file.extends
    return assemble(written, known)


def named(environment: Mapping[str, str]) -> tuple[str, ...]:
    """
    Name the rulesets in the config folder: each file bears the name of its ruleset.
    """
    return tuple(sorted(path.stem for path in _folder(environment).glob("*.toml") if _NAME.fullmatch(path.stem)))


def find(name: str, environment: Mapping[str, str]) -> Ruleset | None:
    """
    Load the ruleset of this name from the config folder; None where there is none.

    Raises:
        NarratorError: `bad_ruleset` for a file that is there and wrong.
    """
    path = _file(_folder(environment), name)
    if path is None:
        return None
    _read_as(path, name)
    return load_ruleset(path)


def load_deck(path: str | Path) -> DeckFile:
    """
    Load a file of cards.

    Raises:
        NarratorError: `bad_deck` with the file and the line.
    """
    return read_deck(_text(Path(path), "bad_deck"), str(path))


def decks(environment: Mapping[str, str]) -> tuple[DeckFile, ...]:
    """
    Load the decks in the config folder.

    Raises:
        NarratorError: `bad_deck` for one that is wrong.
    """
    return tuple(load_deck(path) for path in sorted((config_folder(environment) / "decks").glob("*.toml")))


def _folder(environment: Mapping[str, str]) -> Path:
    return config_folder(environment) / "rulesets"


def _file(folder: Path, name: str) -> Path | None:
    path = folder / f"{name}.toml"
    return path if _NAME.fullmatch(name) and path.is_file() else None


def _read_as(path: Path, name: str) -> Written:
    """
    Read a file that is known by its name, which its ruleset has to bear.
    """
    written = _read(path)
    if written.file.name != name:
        written.refuse(f"the file is named {name}, the ruleset in it {quoted(written.file.name)}", "name")
    return written


def _read(path: Path) -> Written:
    return parse(_text(path, "bad_ruleset"), str(path))


def _text(path: Path, code: Code) -> str:
    try:
        is_special = path.exists() and not path.is_file() and not path.is_dir()
        if is_special or path.stat().st_size > LARGEST:
            raise NarratorError(code, str(path), f"this is no file of at most {LARGEST} bytes")
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise NarratorError(code, str(path), f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise NarratorError(code, str(path), "this is not UTF-8 text") from None
