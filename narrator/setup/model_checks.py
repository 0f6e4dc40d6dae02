"""Tries a model with an example or one small question, and estimates the tokens of a hosted model."""

import json
import os
import re
from collections import Counter
from contextlib import aclosing
from time import monotonic
from typing import Any, NamedTuple

import anyio

from narrator import config
from narrator.api import pipeline_run, words
from narrator.api.requests import find_ruleset
from narrator.api.staging import CARDS
from narrator.deck_maker.staging import Staging
from narrator.errors import NarratorError, quoted
from narrator.resources import shipped
from narrator.rules.json_text import parsed
from narrator.rules.request.scene import Scene
from narrator.setup import loopback
from narrator.setup.findings import Check, Finding
from narrator.sources.selection import source_for, source_of
from narrator.sources.settings import Settings, from_environment, variable
from narrator.suggestions.prompt.brief import Manner
from narrator.suggestions.source.adapter import Adapted
from narrator.suggestions.source.protocol import CHARACTERS_A_TOKEN, Source, SourceError

WANTED, ROLLS, PATIENCE, SOON = 10, 40, 60.0, 2.0
"""Suggestions of a trial, rolls of an evening, seconds for an answer, and seconds for its first word."""

_BIRDS = ("raven", "heron", "owl")
_BIRD = {"type": "object", "properties": {"bird": {"type": "string", "enum": [*_BIRDS]}}, "required": ["bird"]}
_CURES = {
    "3": "use the address that it points to",
    "401": "put this server's key into NARRATOR_API_KEY, or into the variable that api_key_env names",
    "403": "this key does not allow that: use another model or another key",
    "429": "wait, look at your account's quota, or use another model",
    "5": "read the server's own messages, and restart it",
    "": "check that the server runs and has its model; narrator models finds those on this machine",
}
"""Cures by the beginning of the HTTP status."""


class _Question(NamedTuple):
    """Doesn't mention its schema, so only a model that is held to the schema follows it."""

    messages: tuple[tuple[str, str], ...] = (("user", "What is the weather like at sea? One short sentence."),)
    manner: Manner = "together"
    schema: dict[str, Any] = {**_BIRD, "additionalProperties": False}
    schema_with_lengths: dict[str, Any] = schema


def tried(source: Source) -> Finding:
    """Ask for ten suggestions, once. Cards of the deck don't count."""
    began, taken, first = monotonic(), list[str](), 0.0
    example = {**parsed(_example()), "per_slot": WANTED}
    for event in words.stream(example, source=source, repairs=0, timeout=PATIENCE):
        if event.event == "accepted" and event.accepted.source == source.label:
            first = first or monotonic() - began
            taken.append(": ".join(filter(None, (event.accepted.name, event.accepted.detail))))
    assert event.event == "done", "the last event has all"
    told, refused = f"{source.label}: {len(taken)} of {WANTED} suggestions accepted", event.done.rejected
    for code, _ in Counter(each.code for each in refused).most_common(1):
        told += f"; {len(refused)} refused, most as {code}"
    if taken:
        told += f"; {first:.1f} s to the first, {event.done.usage.seconds:.1f} s for all"
        return Finding(check="trial", state="ok", text=told, more=tuple(taken[:3]))
    why = [f"{each.message} ({quoted(json.dumps(each.candidate, ensure_ascii=False), 300)})" for each in refused[:1]]
    status = _status(" ".join(event.done.notices))
    cure = _by_status(status) if status else "try another model, or --manner one_by_one"
    return Finding(check="trial", state="wrong", text=told, cure=cure, more=(*event.done.notices[:1], *why))


def keys() -> list[Finding]:
    """Name the variables that contain a key, and estimate the tokens that narrator would send and receive."""
    file = config.read_config(os.environ)
    names = ("OPENAI_API_KEY", "NARRATOR_API_KEY", *(each.api_key_env for each in (file, *file.sources.values())))
    found = [name for name in dict.fromkeys(names) if name and variable(os.environ, name)]
    if not found:
        return []
    example = parsed(_example())
    brief, dealt = pipeline_run.first_brief(example), words.suggest(example, source="deck").suggestions
    assert brief is not None, "the example wants words"
    sent = sum(len(content) for _, content in brief.messages) * ROLLS // CHARACTERS_A_TOKEN
    said = sum(len(each.model_dump_json(include={"slot", "form", "to", "name", "detail"})) for each in dealt)
    cards = Staging(Scene.read(example["scene"]), find_ruleset(example["ruleset"]), CARDS).begun(None)
    more = (
        f"{ROLLS} rolls of an evening: about {sent:,} tokens in and {said * ROLLS // CHARACTERS_A_TOKEN:,} out",
        f"{CARDS} cards of a scene (stage): about {cards.input_tokens:,} tokens in and {cards.output_tokens:,} out",
    )
    text = f"{', '.join(found)} set; its model was not asked. It would need:"
    return [Finding(check="key", state="not used", text=text, more=more)]


def model() -> Check:
    """Ask the model in use one small question, with a schema for its answer."""
    file, told = config.read_config(os.environ), from_environment(os.environ)
    for name in file.sources:
        try:
            source_for(name)
        except NarratorError as error:
            yield "wrong", str(error), "correct that table in config.toml, or set the variable that it names"
    if told is None:
        cure = "narrator models finds the models on this machine"
        if file.sources:
            cure = f"ask a source by name, such as --source {next(iter(file.sources))}; or set NARRATOR_MODEL"
        yield "not used", "no model is set: the deck writes, unless you ask a source by name", cure
        return
    if file.api_key_env and not told.api_key and variable(os.environ, file.api_key_env) is None:
        yield "wrong", "the variable that api_key_env names in config.toml is not set", "set it, or delete that line"
    name = f"{told.model} at {told.host}"
    try:
        text, seconds = anyio.run(_answer, told)
    except (SourceError, TimeoutError) as error:
        why = str(error) or f"there was no answer in {PATIENCE:.0f} seconds"
        yield "wrong", f"{name}: {why}", _cure(why, told)
        return
    name += f" answers, the first word after {seconds:.1f} s"
    if seconds > SOON:
        cure = "find words before the roll (suggest --prepare, stage), or use a smaller model"
        yield "warning", f"{name}; more than {SOON:g} s is long at a table", cure
    else:
        yield "ok", name
    if re.fullmatch(rf'\s*{{\s*"bird"\s*:\s*"({"|".join(_BIRDS)})"\s*}}\s*', text):
        yield "ok", "its answer follows the schema that narrator sent"
    else:
        cure = "try --manner one_by_one, or a server that accepts response_format"
        yield (
            "warning",
            "its answer does not follow the schema; narrator still checks every suggestion, but will refuse more",
            cure,
        )


async def _answer(settings: Settings) -> tuple[str, float]:
    """Return the beginning of the answer, and the seconds until its first word."""
    text, began, first = "", monotonic(), 0.0
    with anyio.fail_after(PATIENCE):
        async with aclosing(Adapted(source_of(settings)).astream(_Question(), PATIENCE)) as pieces:
            async for piece in pieces:
                if isinstance(piece, str) and piece:
                    text, first = text + piece, first or monotonic() - began
                if len(text) > 2_000:
                    break
    return text, first


def _status(why: str) -> str:
    """Return the HTTP status that a message names, if any."""
    found = re.search(r"\(HTTP (\d+)\)", why)
    return "" if found is None else found[1]


def _by_status(status: str) -> str:
    return next((cure for start, cure in _CURES.items() if status.startswith(start)), "")


def _cure(why: str, settings: Settings) -> str:
    status = _status(why)
    if not status and settings.is_openai:
        return "for a model on your own machine, set NARRATOR_BASE_URL to its address"
    if status != "404":
        return _by_status(status)
    heard = anyio.run(loopback.ask, f"{settings.base_url.rstrip('/')}/models", settings.api_key)
    served = None if heard is None else loopback.models_in(heard.told)
    if served is None:
        scheme, _, _ = settings.base_url.partition("//")
        return f"this is no OpenAI-compatible address: most end in /v1, such as {scheme}//{settings.host}/v1"
    # The server has the key by now, and may repeat it.
    names = [name for name, _ in served if not settings.is_given_away(name)]
    return f"use a model that it has: {', '.join(names[:10]) or 'none yet, load one there'}"


def _example() -> str:
    return shipped("examples", "cynere.json").read_text("utf-8")
