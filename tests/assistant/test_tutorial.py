"""The tutorial of a chat: its configuration starts narrator, and each call gives the answer that the page shows."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from narrator.cli.commands import app
from narrator.rules.json_text import Json
from tests.assistant.chatting import Chat, RefusedError, chat_over_stdio
from tests.pages import ROOT, blocks, checkout, run, sessions

PAGE = "docs/tutorials/play-with-an-assistant.md"


@pytest.mark.parametrize("says", ["no", pytest.param(None, marks=pytest.mark.full)])
def test_an_evening_goes_as_the_tutorial_shows_it(says: str | None, tmp_path: Path) -> None:
    """Each call in order, then the log. The chat's program asks the player in a window, or has none (None)."""
    folder = checkout(tmp_path)
    for shown in sessions(PAGE):
        run(shown.command, folder)
    config, *steps = map(json.loads, blocks(PAGE, "json"))
    started = config["mcpServers"]["narrator"]
    command, *words = started["args"]
    assert (Path(started["command"]).name, command) == ("narrator", "mcp")

    async def does(chat: Chat) -> list[Json]:
        listed = [each.name for each in (await chat.client.list_tools()).tools]
        assert ", ".join(f"`{name}`" for name in listed[:-1]) in " ".join((ROOT / PAGE).read_text("utf-8").split())
        return [await answer(chat, call) for call in steps[::2]]

    answers = chat_over_stdio(folder / "data", does, *words, says=says)

    for call, shown_answer, given in zip(steps[::2], steps[1::2], answers, strict=True):
        assert is_part(shown_answer, given), f"{PAGE} shows another answer for {call} than {given}"
    [log] = blocks(PAGE, "text")
    env = {"COLUMNS": "80", "NO_COLOR": "1", "NARRATOR_DATA": str(folder / "data")}
    told = CliRunner().invoke(app, ["log"], prog_name="narrator", env=env).output
    assert is_part(" ".join(log.split()), " ".join(told.split())), f"{PAGE} shows another log than\n{told}"


async def answer(chat: Chat, call: Json) -> Json:
    """Make a call of the page; a refusal is an answer as well."""
    try:
        return await chat.use(call["tool"], **call["arguments"])
    except RefusedError as refused:
        return {"error": refused.error}


def is_part(shown: Any, given: Any) -> bool:
    """Whether an answer has all that is shown of it. In a text, `…` stands for any words."""
    if isinstance(shown, dict):
        return all(name in given and is_part(part, given[name]) for name, part in shown.items())
    if isinstance(shown, list):
        return len(shown) == len(given) and all(map(is_part, shown, given))
    if isinstance(shown, str):
        return re.fullmatch(".*".join(map(re.escape, shown.split("…"))), given, re.DOTALL) is not None
    return bool(shown == given)


@pytest.mark.parametrize(
    ("shown", "given", "found"),
    [
        ({"a": [1, {"b": "x … z"}]}, {"a": [1, {"b": "x y z", "c": 2}], "d": 3}, True),
        ({"a": [1]}, {"a": [1, 2]}, False),
        ({"a": "x …"}, {"a": "y x z"}, False),
        ({"e": 1}, {"a": 1}, False),
    ],
)
def test_what_is_shown_is_a_part(shown: Json, given: Json, found: bool) -> None:
    """A page may leave fields out, but nothing in a list."""
    assert is_part(shown, given) == found
