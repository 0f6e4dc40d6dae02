"""The model to ask, its address and its key, from the environment and the user's config file."""

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
"""The beginning of a key. A key in place of a model would be shown, and sent to any server."""

_LONGEST = 2_000
"""The most characters of an address."""

_HOST = re.compile(r"(?:\[(?P<six>.*:.*)\]|(?P<four>\d+(?:\.\d+){3})|[\w.-]+)(?::\d*)?", re.ASCII)

_PART_OF_A_KEY = 8
"""How many letters and digits reveal a key, if there is a digit among them."""

_LETTERS_OF_A_KEY = 16
"""How many letters reveal a key. Fewer may be ordinary words in the key."""

_ESCAPE = re.compile(r"\\+(?:u([0-9a-fA-F]{4})|[bfnrt])")


@dataclass(frozen=True)
class Settings:
    """A model on an OpenAI-compatible server. A repr never shows the key."""

    model: str
    base_url: str = OPENAI
    api_key: str = field(default="", repr=False)
    manner: Manner = "together"

    def __post_init__(self) -> None:
        if (problem := _problem(self.base_url)) is not None:
            raise RequestError("bad_request", "base_url", problem)
        if "://" in self.model:
            # It is not repeated: an address may contain a secret.
            raise RequestError("bad_request", "model", "this is an address, not a model: use the setting for addresses")
        if self.model.startswith(_OPENAIS_KEY) or self.is_given_away(self.model):
            raise RequestError("bad_request", "model", "this is a key, not a model: put keys in their own variable")
        if self.manner not in MANNERS:
            # It is not repeated either: it may be a key.
            raise RequestError("bad_request", "manner", "there is no such manner", MANNERS)
        if not all("!" <= sign <= "~" for sign in self.api_key):
            raise RequestError("bad_request", "api_key", "a key has no blanks, line breaks or non-ASCII characters")

    @property
    def host(self) -> str:
        """The host and port of the address."""
        parts = self._parts
        name = f"[{parts.hostname}]" if ":" in str(parts.hostname) else str(parts.hostname)
        return f"{name}:{parts.port}" if parts.port else name

    @property
    def is_encrypted(self) -> bool:
        """Whether the server must prove its identity."""
        return self._parts.scheme == "https"

    @property
    def is_openai(self) -> bool:
        """Whether this is OpenAI itself. Only OpenAI gets the user's OpenAI key and organisation."""
        return self.is_encrypted and self._parts.hostname == urlsplit(OPENAI).hostname

    @property
    def is_loopback(self) -> bool:
        """Whether the server is on this machine, so that no proxy is used."""
        host = str(self._parts.hostname)
        try:
            return host == "localhost" or ip_address(host).is_loopback
        except ValueError:
            return False

    def is_given_away(self, text: str) -> bool:
        """Whether a text or JSON contains the key, or a large part of it, with any spacing, case and escapes.

        A key of a few letters, as local servers accept, is no secret and may be an ordinary word.
        """
        key, said = _bare(self.api_key), _bare(text)
        with_a_digit = (part for part in _parts_of(key, _PART_OF_A_KEY) if not part.isalpha())
        return any(part in said for part in (*with_a_digit, *_parts_of(key, _LETTERS_OF_A_KEY)))

    def with_openais_key(self, environment: Mapping[str, str]) -> Self:
        """Return a copy with the key of `OPENAI_API_KEY` if this is OpenAI itself. Others never get this key."""
        return replace(self, api_key=variable(environment, "OPENAI_API_KEY") or "") if self.is_openai else self

    @property
    def _parts(self) -> SplitResult:
        return urlsplit(self.base_url)


def variable(environment: Mapping[str, str], name: str) -> str | None:
    """Return the value of a variable. An empty one counts as not set."""
    return environment.get(name, "").strip() or None


def from_environment(
    environment: Mapping[str, str], *, model: str | None = None, base_url: str | None = None, manner: str | None = None
) -> Settings | None:
    """Read the settings. For each field, an argument overrides the environment, which overrides `config.toml` in the
    config folder. Returns None if no model is named, or if the deck is.

    Each key goes only to its own server. `NARRATOR_API_KEY` belongs to `NARRATOR_BASE_URL`, or to any server if that is
    not set. The file's key belongs to the file's address (default: OpenAI). `OPENAI_API_KEY` goes only to OpenAI.

    Raises:
        NarratorError: `bad_request` for an invalid address, and for a broken file, with its name and line.
    """

    def key_for(settings: Settings, name: str | None, meant_for: str | None) -> str | None:
        is_meant = meant_for is None or _origin(meant_for) == _origin(settings.base_url)
        return variable(environment, name) if name and is_meant else None

    model = model or variable(environment, "NARRATOR_MODEL")
    # The deck needs no file, so a broken one does not matter.
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
    # NFKD separates accents from letters, so that only the letters count.
    return "".join(sign for sign in normalize("NFKD", plain).casefold() if sign.isalnum())


def _parts_of(key: str, length: int) -> list[str]:
    return [key[start : start + length] for start in range(len(key) - length + 1)]


def _problem(address: str) -> str | None:
    """Say what is wrong with an address, without repeating it: it may contain a name or key."""
    try:
        parts = urlsplit(address)
        port_is_right = parts.port != 0
    except ValueError:
        parts, port_is_right = urlsplit(""), False
    if "@" in address or parts.query or parts.fragment:
        return "an address must have no name, password or question mark: put keys in their own variable"
    is_plain = len(address) <= _LONGEST and address.isascii() and address.isprintable() and " " not in address
    if parts.scheme not in ("http", "https") or not _is_host(parts.netloc) or not port_is_right or not is_plain:
        # It is not repeated: it may be a key.
        return "this is not an address: write it like http://127.0.0.1:11434/v1"
    return None


def _is_host(place: str) -> bool:
    """Whether this is a host, with or without a port, that all programs read alike."""
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
