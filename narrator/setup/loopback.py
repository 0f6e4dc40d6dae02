"""Asks programs who they are, with no proxy and no redirect; and finds the model servers on this machine."""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

import anyio
import httpx2

from narrator.rules.model import NAME_LENGTH
from narrator.setup.findings import Finding

SECONDS, MOST_BYTES, MOST_MODELS = 1.5, 1_000_000, 100


class Usual(NamedTuple):
    """A server that people run: its usual port, who owns the models that it lists, and how it comes to have one."""

    name: str
    port: int
    owner: str
    cure: str


USUAL = (
    Usual("Ollama", 11434, "library", "ollama pull llama3.1:8b"),
    Usual("LM Studio", 1234, "organization_owner", "load a model in LM Studio, and start its server"),
    Usual("llama.cpp", 8080, "llamacpp", "llama-server -m FILE.gguf"),
    Usual("KoboldCpp", 5001, "koboldcpp", "koboldcpp --model FILE.gguf"),
    Usual("Jan", 1337, "jan", "start a model in Jan, and its local API server"),
    Usual("vLLM", 8000, "vllm", "vllm serve MODEL"),
)
_STRANGER = Usual("a model server", 0, "", "load a model in it")


class Heard(NamedTuple):
    """What came back: the status, 0 for nothing of HTTP in time; and what it says in JSON, None where that is none."""

    status: int
    told: Any = None


async def ask(url: str, token: str = "") -> Heard | None:
    """Ask, and read no more than is sensible. None: nobody is there. Whatever is answered, nothing is raised."""
    headers = {"accept-encoding": "identity", **({"authorization": f"Bearer {token}"} if token else {})}
    body, status, encrypted = bytearray(), 0, url.startswith("https:")
    try:
        with anyio.fail_after(SECONDS):
            client = httpx2.AsyncClient(trust_env=False, verify=encrypted, timeout=None)
            async with client, client.stream("GET", url, headers=headers) as answer:
                status = answer.status_code
                async for data in answer.aiter_raw():
                    body += data
                    if len(body) > MOST_BYTES:
                        return Heard(status)
        return Heard(status, json.loads(body))
    except httpx2.ConnectError:
        return None
    except (httpx2.HTTPError, httpx2.StreamError, TimeoutError, ValueError, RecursionError):
        return Heard(status)


async def find(ports: Iterable[int] = ()) -> dict[str, Finding]:
    """Look who answers at these ports and the usual ones, all at once: by address, with the models of each."""
    named = (*ports,)
    heard: dict[int, Heard | None] = dict.fromkeys((*named, *(each.port for each in USUAL)))

    async def look(port: int) -> None:
        heard[port] = await ask(f"http://127.0.0.1:{port}/v1/models")

    async with anyio.create_task_group() as group:
        for port in heard:
            group.start_soon(look, port)
    urls = {f"http://127.0.0.1:{port}/v1": (port, found) for port, found in heard.items() if found or port in named}
    return {url: _server(url, port, found) for url, (port, found) in urls.items()}


def models_in(told: Any) -> list[tuple[str, Any]] | None:
    """The models that a server lists, each with its owner; None: that is no list of OpenAI's protocol."""
    if not isinstance(told, dict) or not isinstance(data := told.get("data", ...), list | None):
        return None
    ids = ((each.get("id"), each.get("owned_by")) for each in data or () if isinstance(each, dict))
    # Half a character, escaped, is text to JSON alone.
    named = ((name.encode("utf-8", "replace").decode(), owner) for name, owner in ids if isinstance(name, str))
    return [each for each in named if 0 < len(each[0]) <= NAME_LENGTH][:MOST_MODELS]


def _server(url: str, port: int, heard: Heard | None) -> Finding:
    if heard is None:
        return Finding(check="a server", state="not used", text=f"nobody answers at {url}", cure="start it first")
    models = models_in(heard.told) if heard.status == 200 else None
    owners = [owner for _, owner in models or ()]
    known = (*(each for each in USUAL if each.owner in owners), *(each for each in USUAL if each.port == port))
    name, _, _, cure = (*known, _STRANGER)[0]
    if models:
        return Finding(check=name, state="ok", text=f"answers at {url}", more=tuple(each for each, _ in models))
    if models is not None:
        return Finding(check=name, state="not used", text=f"answers at {url}, and has no model", cure=cure)
    if heard.status in (401, 403):
        cure = (
            "give it a name and its key in config.toml (docs/how-to/models.md#sources-with-a-name), then use that "
            "name: --source"
        )
        return Finding(check=name, state="not used", text=f"wants a key at {url}", cure=cure)
    why = f"gives no list of models (HTTP {heard.status})" if heard.status else f"says nothing in {SECONDS:g} seconds"
    cure = f"if that is {name}, wait until it has its model; else it is another program, and no matter"
    return Finding(check="a program", state="not used", text=f"at {url} {why}", cure=cure)
