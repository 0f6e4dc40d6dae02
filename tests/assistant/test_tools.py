"""Every tool, resource and prompt, as the SDK's own client sees them."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mcp.shared.exceptions import MCPError

import narrator
from narrator import Campaign
from narrator.assistant.server import FAIR_GM, OF_ROLL, fair_gm
from narrator.assistant.tools import TOOLS
from narrator.rules.json_text import Json
from narrator.rules.resolve.without_roll import WORD_KINDS
from tests.assistant.chatting import NEVER, Chat, Mode, chat, chat_over_stdio

OWN = {
    "slot": "serious_cost",
    "form": "new_opposition",
    "name": "The Sergeant With the Lamp",
    "detail": "A sergeant steps out of the gatehouse with a lamp and wants to see every face.",
}
CONTEXT = 16_000
"""Characters of all tools together: some 4,000 tokens, which even a small model has."""
ANSWER = 2_000
"""Characters of one answer."""


async def evening(chat: Chat) -> set[str]:
    """Use every tool once, as a GM would, and read all there is; say which tools were used."""
    used, listed = set[str](), {each.name: each for each in (await chat.client.list_tools()).tools}

    async def use(tool: str, **arguments: Any) -> Json:
        jsonschema.validate(arguments, listed[tool].input_schema)
        used.add(tool)
        told = await chat.use(tool, **arguments)
        assert len(json.dumps(told)) < ANSWER, f"{tool} is long"
        return told

    assert sum(len(each.model_dump_json()) for each in listed.values()) < CONTEXT
    assert (await use("odds", action=NEVER))["outcomes"]["fail"] == [81, 81]
    page = (await use("roll", action=NEVER))["page"]
    assert (await use("reach", page=page))["reach"]
    invoked = await use("roll", page=page, invocations=[{"aspect": "Torchlit Gate"}])
    assert "Stealth +4, Torchlit Gate +2 = " in invoked["aloud"]
    assert "Torchlit Gate / Infamous Girl with Sword +4 = " in (await use("say", text="+infamous fp"))["aloud"]
    assert (await use("check", page=page, candidate=OWN))["accepted"]["name"] == OWN["name"]
    for each in (await chat.client.list_prompts()).prompts:
        if each.name not in ("minor_cost", "boost", "aspect"):  # which this roll does not want
            assert len(await chat.prompt(each.name, about="Cynere", page=page)) > 500
    entered = await use("settle", page=page, choice={"branch": "serious_cost", "suggestions": [OWN]})
    assert OWN["name"] in entered["text"]
    assert (await use("move", move={"type": "aspect", "name": "Shutters Slammed"}))["changes"]
    assert "Shutters Slammed" in (await use("undo"))["text"]
    scene = json.loads(await chat.read("narrator://scene"))
    assert "Torchlit Gate" in [each["name"] for each in scene["aspects"]]
    assert "dice thrown" in await chat.read("narrator://log")
    assert json.loads(await chat.read(f"narrator://pages/{page}"))["state"] == "settled"
    return used


@pytest.mark.parametrize("mode", ["auto", pytest.param("legacy", marks=pytest.mark.full)])
def test_an_evening_goes_over_standard_input_and_output(mode: Mode, tmp_path: Path) -> None:
    """With clients of today's protocol and of the one before; where no campaign is in use, the ready scene is there."""
    assert chat_over_stdio(tmp_path, evening, mode=mode) == {*TOOLS}


def test_every_prompt_asks_for_its_words(campaign: Campaign) -> None:
    """Those of a roll as narrator would ask a model for that page, the others for the scene."""

    async def does(chat: Chat) -> None:
        listed = {each.name: each for each in (await chat.client.list_prompts()).prompts}
        assert [*listed] == [FAIR_GM, *OF_ROLL, *WORD_KINDS]
        assert "roll" in await chat.prompt(FAIR_GM)
        for kind in WORD_KINDS:
            about = {"about": "Cynere"} if kind == "consequence" else {}
            assert f'"slot":"{kind}"' in await chat.prompt(kind, **about)
        tie = {**NEVER, "roll": {"total": 20}}
        pages = [(await chat.use("roll", action=each))["page"] for each in (tie, {**NEVER, "actor": "Watch Captain"})]
        for page, name in zip(pages, ("minor_cost", "serious_cost"), strict=True):
            assert f'"slot":"{name}"' in await chat.prompt(name, page=page)
            with pytest.raises(MCPError, match="needs no boost"):
                await chat.prompt("boost", page=page)

    chat(campaign, does)


@pytest.mark.parametrize(
    ("told", "code", "field"),
    [
        ({"name": "roll"}, "bad_request", "action"),
        ({"name": "roll", "action": {**NEVER, "skil": "Fight"}}, "bad_request", "action.skil"),
        ({"name": "roll", "action": {**NEVER, "actor": "Cynera"}}, "unknown_character", "action.actor"),
        ({"name": "roll", "page": "p9"}, "bad_request", "invocations"),
        ({"name": "settle", "page": "p9", "none": True}, "unknown_page", "page"),
        ({"name": "roll", "action": NEVER, "sure": True}, "bad_request", "sure"),
        ({"name": "odds", "action": {}}, "bad_request", "action.type"),
        ({"name": "check", "candidate": {}}, "bad_request", "page"),
        ({"name": "settle", "page": "p1"}, "bad_request", "choice"),
        ({"name": "move", "move": {"type": "fly"}}, "bad_request", "move.type"),
        ({"name": "undo"}, "nothing_to_undo", ""),
        ({"name": "fly"}, "bad_request", "name"),
    ],
)
def test_what_is_wrong_is_told_with_its_field_and_what_would_do(
    told: Json, code: str, field: str, campaign: Campaign
) -> None:
    """As the object that every door has, and never as a traceback."""
    name, arguments = told["name"], {part: value for part, value in told.items() if part != "name"}

    error = chat(campaign, lambda chat: chat.refused(name, **arguments)).error

    assert (error["code"], error["field"]) == (code, field)


def test_words_that_are_refused_come_with_others_that_would_do(campaign: Campaign) -> None:
    """The check says what is wrong and how to mend it; words for the same slot stand beside it."""

    async def does(chat: Chat) -> Json:
        page = (await chat.use("roll", action=NEVER))["page"]
        return await chat.use("check", page=page, candidate={**OWN, "detail": "She takes 2 stress."})

    told = chat(campaign, does)

    assert told["rejected"]["code"] == "mechanics_in_text"
    assert told["instead"]["slot"] == "serious_cost"


def test_words_without_a_roll_are_judged(campaign: Campaign) -> None:
    """By their kind."""

    async def does(chat: Chat) -> tuple[Json, Json]:
        good = {"name": "Lanterns on the River", "detail": "A row of lanterns drifts down to the bridge."}
        return (
            await chat.use("check", kind="situation_aspect", candidate=good),
            await chat.use("check", kind="situation_aspect", candidate={"name": "Spiders Everywhere", "detail": "A."}),
        )

    good, bad = chat(campaign, does)

    assert good["accepted"]["name"] == "Lanterns on the River"
    assert bad["rejected"]["code"] == "over_the_line"


def test_a_line_is_done_or_asked_back(campaign: Campaign) -> None:
    """As the other tools would do what it says."""

    async def does(chat: Chat) -> list[Json]:
        lines = ("cynere stealth vs 20", "f", "compel cynere girl accepted", "who")
        return [await chat.use("say", text=each) for each in lines]

    rolled, settled, compelled, asked = chat(campaign, does)

    assert (rolled["page"], rolled["dice"], rolled["outcome"]) == ("p1", "thrown", "fail")
    assert "Cynere" in settled["text"]
    assert compelled["changes"]
    assert asked["ask"]


def test_what_is_no_resource_or_prompt_is_refused(campaign: Campaign) -> None:
    """With what there is."""

    async def does(chat: Chat) -> None:
        with pytest.raises(MCPError, match="narrator://scene"):
            await chat.read("narrator://secrets")
        with pytest.raises(MCPError, match="unknown_page"):
            await chat.read("narrator://pages/p7")
        with pytest.raises(MCPError, match="fair_gm"):
            await chat.prompt("win")
        with pytest.raises(MCPError, match="no roll is open"):
            await chat.prompt("boost")

    chat(campaign, does)


def test_no_folder_of_this_machine_is_told(campaign: Campaign) -> None:
    """A campaign that is damaged goes by its name."""
    campaign.file.write_bytes(b"nonsense" * 100)

    async def does(chat: Chat) -> str:
        return str((await chat.refused("undo")).error)

    told = chat(campaign, does)

    assert "gate.narrator" in told
    assert str(campaign.file.parent) not in told


def test_a_chat_plays_in_the_campaign_that_is_named(tmp_path: Path) -> None:
    """What it does is there for every other door."""
    narrator.open_campaign(tmp_path / "mine.narrator", name="mine")

    async def does(chat: Chat) -> None:
        await chat.use("move", move={"type": "aspect", "name": "Fog"})

    chat_over_stdio(tmp_path, does, "mine")

    assert [each.name for each in narrator.open_campaign(tmp_path / "mine.narrator").scene.aspects] == ["Fog"]


def test_the_page_has_the_instruction_and_every_tool() -> None:
    """Whoever pastes the one has what the program gets, and who reads the table misses none."""
    page = (Path(__file__).parents[2] / "docs/how-to/assistants.md").read_text("utf-8")

    assert fair_gm() in page
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == [*TOOLS]
