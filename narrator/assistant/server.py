"""The MCP server of a campaign, over standard input and output: its tools, resources and prompts."""

import json
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import anyio
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from narrator import vtt
from narrator.api.pipeline_run import first_brief
from narrator.assistant.answers import line_of
from narrator.assistant.asking import AskFirstError, asker
from narrator.assistant.tools import TOOLS
from narrator.campaign.campaign import Campaign
from narrator.errors import NarratorError, RequestError
from narrator.resources import prompt_part
from narrator.rules.json_text import Json
from narrator.rules.model import MOST_BYTES
from narrator.rules.request.action import Request
from narrator.rules.resolve.without_roll import WORD_KINDS, request_for
from narrator.suggestions.time.threads import aside

FAIR_GM = "fair_gm"
"""The prompt that explains how to be a fair GM. All others ask for words of a kind."""
OF_ROLL = ("serious_cost", "minor_cost", "boost", "aspect")
"""The kinds of words that a roll may need."""

_LATELY = 30
"""The log shows this many last entries."""
_SCENE, _LOG, _PAGE = "narrator://scene", "narrator://log", "narrator://pages/"
_CHECKED = "Judge each with the tool `check` before you say it"

Context = ServerRequestContext[Any]
Listing = types.PaginatedRequestParams | None


def fair_gm() -> str:
    """The instructions for a fair GM."""
    return files("narrator.assistant").joinpath("fair_gm.md").read_text("utf-8").strip()


async def serve(campaign: Campaign, version: str) -> None:
    """Serve a campaign until the client closes standard input."""
    server = server_of(campaign, version)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def server_of(campaign: Campaign, version: str) -> Server[Any]:
    """Make the server. Tools that write run one after another."""
    turn = anyio.Lock()

    async def call_tool(
        context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        try:
            tool = TOOLS.get(params.name)
            if tool is None:
                raise RequestError("bad_request", "name", "there is no such tool", TOOLS)
            if len(json.dumps(params.arguments)) > MOST_BYTES:
                raise RequestError("bad_request", "", f"the arguments are larger than {MOST_BYTES} characters")
            used = tool.read(params.arguments or {})
            async with turn if tool.writes else nullcontext():
                return _result(await used.use(campaign, asker(context, params)))
        except AskFirstError as first:
            return types.InputRequiredResult(input_requests=first.requests)
        except Exception as error:
            return _result(_as_asked(vtt.refusal(error)).as_json(), is_error=True)

    async def read_resource(_: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        text = await _refusing(partial(_resource, campaign, str(params.uri)))
        kind = "text/plain" if str(params.uri) == _LOG else "application/json"
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=params.uri, mime_type=kind, text=text)]
        )

    async def get_prompt(_: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        told = params.arguments or {}
        text = await _refusing(partial(_prompt, campaign, params.name, told.get("page"), told.get("about")))
        content = types.TextContent(type="text", text=text)
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])

    return Server(
        "narrator",
        version=version,
        instructions=fair_gm(),
        on_list_tools=_tools,
        on_call_tool=call_tool,
        on_list_resources=_resources,
        on_list_resource_templates=_templates,
        on_read_resource=read_resource,
        on_list_prompts=_prompts,
        on_get_prompt=get_prompt,
    )


async def _tools(_: Context, __: Listing) -> types.ListToolsResult:
    def listed(name: str) -> types.Tool:
        tool = TOOLS[name]
        told, hints = " ".join((tool.__doc__ or "").split()), types.ToolAnnotations(read_only_hint=not tool.writes)
        return types.Tool(name=name, description=told, input_schema=tool.arguments(), annotations=hints)

    return types.ListToolsResult(tools=[*map(listed, TOOLS)])


async def _resources(_: Context, __: Listing) -> types.ListResourcesResult:
    scene = types.Resource(uri=_SCENE, name="scene", description="The current scene.")
    log = types.Resource(uri=_LOG, name="log", description="The last entries, oldest first.")
    return types.ListResourcesResult(resources=[scene, log])


async def _templates(_: Context, __: Listing) -> types.ListResourceTemplatesResult:
    page = types.ResourceTemplate(uri_template=f"{_PAGE}{{page}}", name="page", description="A complete roll.")
    return types.ListResourceTemplatesResult(resource_templates=[page])


async def _prompts(_: Context, __: Listing) -> types.ListPromptsResult:
    page = types.PromptArgument(name="page", description="The page of the roll. If omitted, the newest open one.")
    about = types.PromptArgument(name="about", description="The character or aspect that the words are about.")
    told = [types.Prompt(name=FAIR_GM, description="How to be a fair GM with narrator.")]
    for kinds, where, argument in ((OF_ROLL, "for a roll", page), (WORD_KINDS, "without a roll", about)):
        for kind in kinds:
            text = f"Words {where}: {prompt_part(kind).text.partition('.')[0]}."
            told.append(types.Prompt(name=kind, description=text, arguments=[argument]))
    return types.ListPromptsResult(prompts=told)


def _resource(campaign: Campaign, uri: str) -> str:
    if uri == _SCENE:
        return _text(campaign.scene.as_json())
    if uri == _LOG:
        return "\n".join(map(line_of, campaign.entries(max(0, campaign.last - _LATELY), _LATELY)))
    if uri.startswith(_PAGE):
        return _text(campaign.page(uri.removeprefix(_PAGE)).as_json())
    raise RequestError("bad_request", "uri", "there is no such resource", [_SCENE, _LOG, f"{_PAGE}p1"])


def _prompt(campaign: Campaign, name: str, page: str | None = None, about: str | None = None) -> str:
    """Write narrator's prompt for a roll (by default the newest open one), or for words without a roll."""
    if name == FAIR_GM:
        return fair_gm()
    for kind in WORD_KINDS:
        if kind == name:
            request = request_for(campaign.scene, kind, about, ruleset=campaign.ruleset, per_slot=3, deal=0)
            return _asked(campaign, request, f"{_CHECKED} (kind {name}).")
    if name not in OF_ROLL:
        raise RequestError("bad_request", "name", "there is no such prompt", [FAIR_GM, *OF_ROLL, *WORD_KINDS])
    newest = next((each.id for each in campaign.pages[-1:]), None)
    if page is None and newest is None:
        raise RequestError("unknown_page", "page", "no roll is open: roll first")
    kept = campaign.page(page or newest or "")
    branches = kept.answer.resolution.branches
    wanting = next((each for each in branches if any(slot.kind == name for slot in each.slots)), None)
    if wanting is None:
        kinds = sorted({slot.kind for each in branches for slot in each.slots})
        raise RequestError("bad_choice", "name", f"the roll {kept.id} needs no {name}", kinds)
    request = kept.request.model_copy(update={"branch": wanting.id, "per_slot": 3})
    return _asked(campaign, request, f"{_CHECKED} (page {kept.id}), and enter the one that is chosen with `settle`.")


def _asked(campaign: Campaign, request: Request, then: str) -> str:
    brief = first_brief(request, rulesets=campaign.rulesets)
    assert brief is not None, "words are needed"
    return "\n\n".join([*(content for _, content in brief.messages), then])


async def _refusing(read: Callable[[], str]) -> str:
    """Read in a thread. An error becomes an error of the protocol that contains the error object."""
    try:
        return await aside(read)
    except Exception as error:
        told = _as_asked(vtt.refusal(error))
        raise MCPError(types.INVALID_PARAMS, str(told), told.as_json()) from None


def _as_asked(error: NarratorError) -> NarratorError:
    """Adapt the field of an error to the tools, which have no `request`. Files lose their folder."""
    field = error.field.removeprefix("request.")
    field = Path(field).name if Path(field).is_absolute() else field
    return type(error)(error.code, field, error.message, error.allowed, error.missed)


def _result(told: Json, *, is_error: bool = False) -> types.CallToolResult:
    """Answer with JSON as text only, because some clients would show an object as well."""
    return types.CallToolResult(content=[types.TextContent(type="text", text=_text(told))], is_error=is_error)


def _text(told: Json) -> str:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))
