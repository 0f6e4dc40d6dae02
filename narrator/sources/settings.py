"""Which model is asked, where, and with which key: what the environment names."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from narrator.errors import NarratorError, quoted

DECK = "deck"
"""The model's name that asks for no model."""

OPENAI = "https://api.openai.com/v1"


@dataclass(frozen=True)
class Settings:
    """
    A model of an OpenAI-compatible server. The key never shows in a repr.
    """

    model: str
    base_url: str = OPENAI
    api_key: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            message = f"{quoted(self.base_url)} is no address; such as http://127.0.0.1:11434/v1"
            raise NarratorError("bad_request", "base_url", message)

    @property
    def host(self) -> str:
        """
        Host and port, without what else an address may carry.
        """
        parts = urlsplit(self.base_url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)

    @property
    def is_openai(self) -> bool:
        """
        Whether this is OpenAI itself, for whom alone the user's OpenAI key and organisation are.
        """
        parts = urlsplit(self.base_url)
        return parts.scheme == "https" and parts.hostname == urlsplit(OPENAI).hostname

    @property
    def is_loopback(self) -> bool:
        """
        Whether the server is on this machine, where no proxy has a place.
        """
        host = str(urlsplit(self.base_url).hostname)
        return host in ("localhost", "::1") or host.startswith("127.")


def from_environment(
    environment: Mapping[str, str], *, model: str | None = None, base_url: str | None = None
) -> Settings | None:
    """
    Read the settings; what is given here goes before the environment. None: no model is named, or the deck is.

    `NARRATOR_API_KEY` goes to whichever server is named; `OPENAI_API_KEY` goes to OpenAI alone. A variable
    that is empty counts as not set.

    Raises:
        NarratorError: `bad_request` for an address that is none.
    """

    def variable(name: str) -> str | None:
        return environment.get(name, "").strip() or None

    model = model or variable("NARRATOR_MODEL")
    if model is None or model == DECK:
        return None
    settings = Settings(model, base_url or variable("NARRATOR_BASE_URL") or OPENAI)
    key = variable("NARRATOR_API_KEY") or (variable("OPENAI_API_KEY") if settings.is_openai else None)
    return Settings(settings.model, settings.base_url, key or "")
