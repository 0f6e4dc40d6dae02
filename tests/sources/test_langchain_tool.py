"""The narrator as a tool that a model calls."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import ValidationError

import narrator
from narrator.api.schemas import SHOWN
from narrator.chain import runnable
from narrator.errors import NarratorError
from tests.asking import CYNERE

# LangChain marks `as_tool` as beta, and says so once in a process.
pytestmark = pytest.mark.filterwarnings("ignore:This API is in beta")


OF_REQUEST = ("Request", "Action", "Roll", "Invocation", "Passive", "Active", "Scene", "SceneAspect", "Character")


@pytest.fixture
def tool() -> BaseTool:
    """The deck as a tool, made with nothing said."""
    return runnable("deck").as_tool()


def test_a_tool_that_a_model_can_read(tool: BaseTool) -> None:
    """A model is told when to call it, and of every field shown what it is, in less than 9,000 characters."""
    told = convert_to_openai_tool(tool)["function"]
    assert told["name"] == "narrator"
    assert "Call it whenever" in told["description"]
    shown = [*_fields(told["parameters"])]
    names = {name for name, _ in shown}
    assert names == {name for each in OF_REQUEST for name in SHOWN[each]}
    assert {"type", "actor", "opposition", "rating", "total", "summary", "characters", "lines"} < names
    assert [name for name, field in shown if not field.get("description") or not {"type", "oneOf"} & {*field}] == []
    assert told["parameters"]["required"] == ["action"]
    assert "$ref" not in json.dumps(told)
    assert len(json.dumps(told)) < 9_000


def test_a_tool_answers(tool: BaseTool) -> None:
    """Plain JSON, as a model gives it, is answered, fields that are not shown with the rest."""
    arguments = {"scene": CYNERE["scene"], "action": CYNERE["action"], "seed": 3, "deal": 7, "ruleset": None}
    answer = tool.invoke(arguments)
    assert (len(answer["suggestions"]), answer["deal"]) == (3, 7)
    assert asyncio.run(tool.ainvoke(arguments)) == answer
    said = tool.invoke({"type": "tool_call", "id": "1", "name": "narrator", "args": arguments})
    assert json.loads(said.content) == answer


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"action": {"type": "overcom", "actor": "Cynere", "outcome": "fail"}}, "action.type"),
        ({"action": CYNERE["action"], "scen": {}}, "scen"),
        ({"action": "overcome"}, "action"),
    ],
    ids=["value", "name", "type"],
)
def test_a_tool_refuses(tool: BaseTool, arguments: dict[str, Any], field: str) -> None:
    """What a model got wrong is refused as everywhere, with the field; nothing is dropped in silence."""
    with pytest.raises(NarratorError) as caught:
        tool.invoke(arguments)
    assert caught.value.field == f"request.{field}"


def test_a_tool_wants_an_action(tool: BaseTool) -> None:
    """Without an action LangChain itself refuses, which its agents tell the model."""
    with pytest.raises(ValidationError, match="action"):
        tool.invoke({})


def test_a_tool_of_ones_own() -> None:
    """Name, description and arguments of one's own go before narrator's; a wrapped runnable keeps the fields."""
    named = runnable("deck").as_tool(name="fate", description="Rolls.", arg_types={"action": dict[str, Any]})
    assert (named.name, named.description, [*named.args]) == ("fate", "Rolls.", ["action"])
    wrapped = runnable("deck").with_config(tags=["gate"]).as_tool(description="Rolls.")
    assert [*wrapped.args] == [*SHOWN["Request"]]
    assert len(wrapped.invoke({"action": CYNERE["action"]})["suggestions"]) == 3


def _fields(written: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, field in written.get("properties", {}).items():
        yield name, field
        for part in (field, field.get("items", {}), *field.get("oneOf", ())):
            yield from _fields(part)


def test_tools_for_an_agent() -> None:
    """A turn by tools alone: words, what an invocation would make of it, the choice entered, words without a roll."""
    by_name = {each.name: each for each in narrator.tools("deck")}
    assert [*by_name] == ["suggest", "reach", "settle", "word"]
    request = {"scene": CYNERE["scene"], "action": CYNERE["action"], "seed": 3}
    answer = by_name["suggest"].invoke(request)
    assert "reach" in by_name["reach"].invoke({"request": request, "limit": 2})
    (branch,) = (each["id"] for each in answer["resolution"]["branches"] if each["slots"])
    chosen = {"branch": branch, "suggestions": answer["suggestions"][:1]}
    settled = by_name["settle"].invoke({"request": request, "choice": chosen})
    assert settled["scene"]["revision"] == 1
    found = asyncio.run(by_name["word"].ainvoke({"kind": "situation_aspect", "scene": settled["scene"]}))
    assert found["usage"]["calls"] == 0


@pytest.mark.parametrize("tool", narrator.tools("deck"), ids=lambda tool: tool.name)
def test_a_model_can_read_each_tool(tool: BaseTool) -> None:
    """What it is for and what each of its fields is, written out."""
    told = convert_to_openai_tool(tool)["function"]
    assert len(told["description"]) > 80
    assert [name for name, field in _fields(told["parameters"]) if not field.get("description")] == []
    assert "$ref" not in json.dumps(told)
    assert len(json.dumps(told)) < 14_000
