"""Finds the source to ask: an object that was passed, a name, or the model that the environment names."""

import os
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from narrator import config
from narrator.errors import NarratorError, RequestError
from narrator.sources import kinds
from narrator.sources.settings import OPENAI, Settings, from_environment, variable
from narrator.suggestions.prompt.brief import Manner
from narrator.suggestions.source.protocol import DECK, Source

if TYPE_CHECKING:
    from narrator.suggestions.source.adapter import Adapted

_KEPT = 16
"""How many sources are kept with their connections. A process uses one or two."""


def openai_model(
    model: str, *, base_url: str | None = None, api_key: str | None = None, manner: Manner = "together"
) -> Source:
    """Make a source of a model behind an OpenAI-compatible address. Pass it as `source`.

    The key goes only to that address. No `repr`, log, error or notice shows it.

    Args:
        base_url: The address, such as `http://127.0.0.1:11434/v1`. None: OpenAI.
        api_key: The key for that server. None: no key, but `OPENAI_API_KEY` for OpenAI itself.
        manner: How suggestions are asked for: `together`, or `one_by_one` for a small model.

    Raises:
        NarratorError: `bad_request` for an invalid model, address, key or manner.
    """
    base_url = OPENAI if base_url is None else base_url
    for field, told in (("model", model), ("base_url", base_url), ("api_key", api_key or "")):
        if not isinstance(told, str):
            raise RequestError("bad_request", field, "this must be text")
    settings = Settings(model, base_url, api_key or "", manner)
    return source_of(settings if api_key is not None else settings.with_openais_key(os.environ))


@lru_cache(maxsize=_KEPT)
def source_of(settings: Settings, kind: str = kinds.USUAL_KIND) -> Source:
    """Make the source for settings, once. It keeps its connections and what it learned about the server."""
    return kinds.make(kind, settings)


def source_for(given: object) -> "Adapted | None":
    """Find the source for an argument: None, a name, a source, or a LangChain runnable. Returns None for the deck
    alone.

    Raises:
        NarratorError: `bad_request`, field `source`, for an unknown name or an invalid object; with the name of the
        file for wrong settings.
    """
    source: Any = given
    if given is None:
        settings = from_environment(os.environ)
        source = source_of(settings) if settings is not None else None
    elif isinstance(given, str):
        source = _named(given)
    elif not isinstance(given, type) and "label" not in dir(given):
        from narrator.sources.langchain import from_langchain

        source = from_langchain(source)
    if source is None:
        return None
    from narrator.suggestions.source.adapter import Adapted

    return Adapted(source)


def _named(name: str) -> Source | None:
    """Find a named source in the config file. Errors do not repeat the name: it may be an address or a key."""
    if name == DECK:
        return None
    known = config.read_config(os.environ).sources
    if name not in known:
        message = "no source has this name: sources are named in config.toml. For a model, set NARRATOR_MODEL instead"
        raise RequestError("bad_request", "source", message, [DECK, *known])
    told = known[name]
    manner: Any = told.manner or "together"
    try:
        usual = kinds.address(told.kind)
        settings = Settings(told.model or "", told.base_url or usual, manner=manner)
        if told.api_key_env is None:
            # The OpenAI key is not for other kinds, which may ask another server.
            is_openais = told.kind == kinds.USUAL_KIND
            return source_of(settings.with_openais_key(os.environ) if is_openais else settings, told.kind)
        if (key := variable(os.environ, told.api_key_env)) is not None:
            return source_of(replace(settings, api_key=key), told.kind)
        raise RequestError("bad_request", "api_key", "the environment variable named here is not set")
    except NarratorError as error:
        # The sender of a payload must not learn the path of the file.
        field = "api_key_env" if error.field == "api_key" else error.field
        allowed = f": {', '.join(error.allowed)}" if error.allowed else ""
        message = f"sources.{name}.{field}: {error.message}{allowed}"
        raise RequestError(error.code, "source", message) from None
