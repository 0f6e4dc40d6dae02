"""The same request by five doors: Python, a macro, a line of JSON, HTTP, and a chat's tool."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator import Campaign
from narrator.rules.json_text import Json
from tests.assistant.chatting import NEVER, SCENE, Chat, chat_over_stdio
from tests.leaping import DEADLINE
from tests.server.running import Serving

OWN = {"slot": "serious_cost", "form": "new_opposition", "name": "A Dog", "detail": "A dog barks behind the gate."}


def by_process(*words: str, given: str) -> list[Json]:
    """What `narrator vtt` says, line by line."""
    command = [sys.executable, "-m", "narrator", "vtt", *words]
    ran = subprocess.run(command, input=given, capture_output=True, text=True, timeout=DEADLINE, check=False)
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the campaign `gate` in it, in which somebody has failed."""
    folder = tmp_path_factory.mktemp("doors")
    narrator.open_campaign(folder / "gate.narrator", scene=SCENE).suggest(NEVER, source="deck")
    return folder


@pytest.fixture(scope="module")
def serving(table: Path) -> Iterator[Serving]:
    """A server of it."""
    with Serving(table, "gate") as server:
        yield server


CALLS: dict[str, Json] = {
    "odds": {"tool": {"action": NEVER}, "parts": {}},
    "reach": {"tool": {"page": "p1", "limit": 4}, "parts": {"limit": 4}},
    "check": {"tool": {"page": "p1", "candidate": OWN}, "parts": {"candidate": OWN}},
}


@pytest.mark.parametrize("call", ["check", *(pytest.param(each, marks=pytest.mark.full) for each in ("odds", "reach"))])
def test_a_call_gives_one_json_by_every_door(call: str, table: Path, serving: Serving) -> None:
    """Whoever moves from one to another has nothing to learn."""
    campaign = narrator.open_campaign(table / "gate.narrator")
    request = campaign.request(NEVER) if call == "odds" else campaign.page("p1").request
    payload = {"call": call, "request": request.as_json(), **CALLS[call]["parts"]}
    text = json.dumps(payload)
    made: Any = getattr(narrator, call)
    parts = CALLS[call]["parts"]
    given = made(request, parts["candidate"]) if call == "check" else made(request, **parts)
    by_python = {"reach": [each.as_json() for each in given]} if call == "reach" else given.as_json()

    async def does(chat: Chat) -> Json:
        return await chat.use(call, **CALLS[call]["tool"])

    assert narrator.vtt.run(text) == by_python
    assert by_process(given=text) == [by_python]
    assert by_process("--jsonl", given=f"{text}\n") == [by_python]
    assert serving.ask(f"/v1/{call}", payload).body == by_python
    assert chat_over_stdio(table, does, "gate") == by_python


def test_a_page_and_the_scene_are_the_same_by_every_door(table: Path, serving: Serving) -> None:
    """In Python, over HTTP, and as resources of a chat; what a tool tells of a page is part of it."""
    campaign: Campaign = narrator.open_campaign(table / "gate.narrator")

    async def does(chat: Chat) -> tuple[Json, Json, Json]:
        page = json.loads(await chat.read("narrator://pages/p1"))
        return page, json.loads(await chat.read("narrator://scene")), await chat.use("roll", action=NEVER)

    page, scene, told = chat_over_stdio(table, does, "gate")
    seen = serving.ask("/v1/campaigns/gate").body

    assert [page] == seen["pages"] == [campaign.page("p1").as_json()]
    assert scene == seen["scene"] == campaign.scene.as_json()
    of_page = page["answer"]["resolution"]
    assert {name: told[name] for name in ("outcome", "shifts", "branches")}.items() <= of_page.items()
