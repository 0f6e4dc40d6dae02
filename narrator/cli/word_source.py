"""Finds the source of words, asks it, and shows a status line meanwhile."""

import os
from typing import Any

from rich.console import Console
from rich.status import Status
from rich.text import Text

from narrator import config
from narrator.api.options import SourceLike
from narrator.cli.inputs import json_of
from narrator.cli.option_groups import call_options
from narrator.cli.options import ServerOptions, Writer
from narrator.cli.output import make
from narrator.cli.typed_call import TypedCall
from narrator.errors import visible
from narrator.rules.json_text import Json
from narrator.rules.model import Model
from narrator.rules.request.scene import Scene
from narrator.sources.budget import Budget, Budgeted
from narrator.sources.selection import source_for, source_of
from narrator.sources.settings import Settings, from_environment
from narrator.suggestions.prompt.brief import Manner
from narrator.suggestions.source.adapter import Adapted
from narrator.suggestions.source.protocol import Source


def answer_of(asked: TypedCall, writer: Writer) -> Model:
    """Make a call that asks a source for words."""
    options = options_of(writer, asked.payload)
    if writer.staged is not None:
        request = asked.payload["request"]
        scene = request.get("scene") or {}
        stage = scene.get("stage") or Scene.read(scene).stage_id(asked.rulesets[0].name)
        asked = asked.but(request={**request, "scene": {**scene, "stage": stage}})
    elif asked.campaign is not None:
        options["staged"] = asked.campaign.staged
    with status_of(options["source"]):
        return make(asked, **options)


def options_of(writer: Writer, payload: Json) -> dict[str, Any]:
    """Return the options of a call for finding words. Options that were not typed stay as in the payload."""
    decks = tuple(config.load_deck(path) for path in writer.deck or ())
    source = _source_for(writer, payload)
    whom = "deck" if source is None else budgeted(writer.max_tokens, source)
    found = {**call_options(writer), "source": whom, "decks": decks}
    return found if writer.staged is None else {**found, "staged": json_of(writer.staged)}


def manner_of(writer: Writer, payload: Json) -> Manner:
    """Return the manner in which a model would be asked."""
    source = _source_for(writer, payload)
    return writer.manner or "together" if source is None else Adapted(source).manner


def _source_for(writer: Writer, payload: Json) -> Source | None:
    """Find the source: the typed one, the payload's, or the environment's model. None: the deck."""
    name = writer.source if writer.source is not None or writer.model is not None else payload.get("source")
    if name is not None:
        return source_for(name)
    settings = settings_of(writer, writer.manner)
    return None if settings is None else source_of(settings)


def settings_of(server: ServerOptions, manner: str | None = None) -> Settings | None:
    """Read the settings of the typed model or the environment's. None: the deck."""
    return from_environment(os.environ, model=server.model, base_url=server.base_url, manner=manner)


def budgeted(max_tokens: int | None, source: Source, spent: int = 0) -> Source:
    """Limit a source to so many tokens, if typed. Some may be spent already."""
    return source if max_tokens is None else Budgeted(source, Budget(max(0, max_tokens - spent)))


def status_of(source: SourceLike) -> Status:
    """Show on standard error which source is asked, until it is done."""
    label = getattr(source, "label", None)
    asks = f"asking {visible(label.partition(':')[2] or label)} ..." if isinstance(label, str) else None
    return Console(stderr=True).status(Text(asks or "drawing from the deck ..."))
