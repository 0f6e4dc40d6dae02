"""Which model is asked, where, and with which key: what the environment and the user's config file name."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from typing import Any, Self
from unicodedata import normalize
from urllib.parse import SplitResult, urlsplit

from narrator.config import Config, read_config
from narrator.errors import RequestError
from narrator.suggestions.prompt.brief import MANNERS, Manner
from narrator.suggestions.source.protocol import DECK

OPENAI = "https://api.openai.com/v1"

_OPENAIS_KEY = "sk-"
"""How a key begins that stands where a model was meant: it would be shown, and sent to whichever server."""

_LONGEST = 2_000
"""Characters of an address."""

_HOST = re.compile(r"(?:\[(?P<six>.*:.*)\]|(?P<four>\d+(?:\.\d+){3})|[\w.-]+)(?::\d*)?", re.ASCII)

_PART_OF_A_KEY = 8
"""Letters and digits, at least one digit among them, that tell a key: no words are like it."""

_LETTERS_OF_A_KEY = 16
"""Letters alone that tell it: fewer may be the words that go before or between."""

_ESCAPE = re.compile(r"\\+(?:u([0-9a-fA-F]{4})|[bfnrt])")


@dataclass(frozen=True)
class Settings:
    """A model of an OpenAI-compatible server. The key never shows in a repr."""

    model: str
    base_url: str = OPENAI
    api_key: str = field(default="", repr=False)
    manner: Manner = "together"

    def __post_init__(self) -> None:
        if (problem := _problem(self.base_url)) is not None:
            raise RequestError("bad_request", "base_url", problem)
        if "://" in self.model:
            # It is not repeated: an address may carry what is secret.
            raise RequestError("bad_request", "model", "this is an address, and no model: it has a place of its own")
        if self.model.startswith(_OPENAIS_KEY) or self.is_given_away(self.model):
            raise RequestError("bad_request", "model", "this is a key, which has a variable of its own, and no model")
        if self.manner not in MANNERS:
            # It is not repeated either: what stands there may be a key.
            raise RequestError("bad_request", "manner", "there is no such manner to ask in", MANNERS)
        if not all("!" <= sign <= "~" for sign in self.api_key):
            raise RequestError("bad_request", "api_key", "a key has no blanks, line breaks or letters beyond ASCII")

    @property
    def host(self) -> str:
        """Host and port, without what else an address may carry."""
        parts = self._parts
        name = f"[{parts.hostname}]" if ":" in str(parts.hostname) else str(parts.hostname)
        return f"{name}:{parts.port}" if parts.port else name

    @property
    def is_encrypted(self) -> bool:
        """Whether the server must prove who it is."""
        return self._parts.scheme == "https"

    @property
    def is_openai(self) -> bool:
        """Whether this is OpenAI itself, for whom alone the user's OpenAI key and organisation are."""
        return self.is_encrypted and self._parts.hostname == urlsplit(OPENAI).hostname

    @property
    def is_loopback(self) -> bool:
        """Whether the server is on this machine, where no proxy has a place."""
        host = str(self._parts.hostname)
        try:
            return host == "localhost" or ip_address(host).is_loopback
        except ValueError:
            return False

    def is_given_away(self, text: str) -> bool:
        """Whether a text, or JSON, tells the key, or a good part of it, however it is spaced, cased and escaped.

        A key of a few letters, as servers of one's own take, is no secret and may be words.
        """
        key, said = _bare(self.api_key), _bare(text)
        with_a_digit = (part for part in _parts_of(key, _PART_OF_A_KEY) if not part.isalpha())
        return any(part in said for part in (*with_a_digit, *_parts_of(key, _LETTERS_OF_A_KEY)))

    def with_openais_key(self, environment: Mapping[str, str]) -> Self:
        """Return the same with the key of `OPENAI_API_KEY`, where this is OpenAI itself: it goes to nobody else."""
        return replace(self, api_key=variable(environment, "OPENAI_API_KEY") or "") if self.is_openai else self

    @property
    def _parts(self) -> SplitResult:
        return urlsplit(self.base_url)


def variable(environment: Mapping[str, str], name: str) -> str | None:
    """Return what a variable says; one that is empty counts as not set."""
    return environment.get(name, "").strip() or None


def from_environment(
    environment: Mapping[str, str], *, model: str | None = None, base_url: str | None = None, manner: str | None = None
) -> Settings | None:
    """Read the settings. What is given here goes before the environment, and the environment before `config.toml`
    in the config folder, field by field. None: no model is named, or the deck is.

    A key goes where it was meant to go. `NARRATOR_API_KEY` and the key of the file go to the server that stands
    beside them, or to whichever is named where none does; `OPENAI_API_KEY` goes to OpenAI alone.

    Raises:
        NarratorError: `bad_request` for an address that is none, and for a broken file, with its name and line.
    """

    def key_for(settings: Settings, name: str | None, meant_for: str | None) -> str | None:
        is_meant = meant_for is None or _origin(meant_for) == _origin(settings.base_url)
        return variable(environment, name) if name and is_meant else None

    model = model or variable(environment, "NARRATOR_MODEL")
    # The deck asks nobody, so that a broken file is no obstacle to it.
    file = read_config(environment) if model != DECK else Config()
    model = model or file.model
    if model is None or model == DECK:
        return None
    address = variable(environment, "NARRATOR_BASE_URL")
    told: Any = manner or variable(environment, "NARRATOR_MANNER") or file.manner or "together"
    settings = Settings(model, base_url or address or file.base_url or OPENAI, manner=told)
    key = key_for(settings, "NARRATOR_API_KEY", address) or key_for(settings, file.api_key_env, file.base_url or OPENAI)
    return replace(settings, api_key=key) if key else settings.with_openais_key(environment)


def _bare(text: str) -> str:
    plain = _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else " ", text)
    # Taken apart, so that a letter counts without what stands above it.
    return "".join(sign for sign in normalize("NFKD", plain).casefold() if sign.isalnum())


def _parts_of(key: str, length: int) -> list[str]:
    return [key[start : start + length] for start in range(len(key) - length + 1)]


def _problem(address: str) -> str | None:
    """Say what is wrong with an address, without repeating a name or key in it."""
    try:
        parts = urlsplit(address)
        port_is_right = parts.port != 0
    except ValueError:
        parts, port_is_right = urlsplit(""), False
    if "@" in address or parts.query or parts.fragment:
        return "an address carries no name, password or question mark; a key has a variable of its own"
    is_plain = len(address) <= _LONGEST and address.isascii() and address.isprintable() and " " not in address
    if parts.scheme not in ("http", "https") or not _is_host(parts.netloc) or not port_is_right or not is_plain:
        # It is not repeated: what stands there may be a key.
        return "this is no address; such as http://127.0.0.1:11434/v1"
    return None


def _is_host(place: str) -> bool:
    """Whether that is a host, with or without a port, as every reader of addresses reads it."""
    found = _HOST.fullmatch(place)
    try:
        if found and (number := found["six"] or found["four"]):
            ip_address(number)
    except ValueError:
        return False
    return found is not None


def _origin(address: str) -> tuple[str, str | None, int | None] | None:
    try:
        parts = urlsplit(address)
        return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return None
