"""Finds the model servers on this machine. It uses no proxy and follows no redirect."""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

import anyio
import httpx2

from narrator.rules.model import NAME_LENGTH
from narrator.setup.findings import Finding

SECONDS, MOST_BYTES, MOST_MODELS = 1.5, 1_000_000, 100


class Usual(NamedTuple):
    """A common model server: its port, the owner that its list of models gives, and how to load a model."""

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
    """An answer: its HTTP status, or 0 if none came in time; and its JSON, or None."""

    status: int
    told: Any = None


async def ask(url: str, token: str = "") -> Heard | None:
    """Ask, and read a limited number of bytes. None: nobody answers. No answer raises an exception."""
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
    """Ask these ports and the usual ones, all at once. Return a finding for each address, with its models."""
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
    """Return the models that a server lists, each with its owner. None: this is no list of OpenAI's protocol."""
    if not isinstance(told, dict) or not isinstance(data := told.get("data", ...), list | None):
        return None
    ids = ((each.get("id"), each.get("owned_by")) for each in data or () if isinstance(each, dict))
    # JSON allows an escaped half of a character; UTF-8 doesn't.
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
        return Finding(check=name, state="not used", text=f"answers at {url}, but has no model", cure=cure)
    if heard.status in (401, 403):
        cure = (
            "give it a name and its key in config.toml (docs/how-to/models.md#sources-with-a-name), then use "
            "--source with that name"
        )
        return Finding(check=name, state="not used", text=f"asks for a key at {url}", cure=cure)
    text = f"answers at {url}, but gives no list of models (HTTP {heard.status})"
    if not heard.status:
        text = f"listens at {url}, but says nothing in {SECONDS:g} seconds"
    cure = f"if this is {name}, wait until it has loaded its model; if not, ignore it"
    return Finding(check="a program", state="not used", text=text, cure=cure)
