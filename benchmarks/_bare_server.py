"""A bare FastAPI application: it reads the models of two calls, and answers constants. Prints its port."""

import json
import socket
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI

import narrator
from narrator.api.rolls import ResolveCall
from narrator.api.word_calls import SuggestCall

REQUEST = json.loads(Path("examples/cynere.json").read_text("utf-8"))
RESOLVED = narrator.resolve(REQUEST).as_json()
SUGGESTED = narrator.suggest(REQUEST, source="deck").as_json()

app = FastAPI()


@app.post("/resolve")
async def resolve(told: ResolveCall) -> dict[str, Any]:
    """Answer what it came to once."""
    return RESOLVED


@app.post("/suggest")
async def suggest(told: SuggestCall) -> dict[str, Any]:
    """Answer what was said once."""
    return SUGGESTED


def main() -> None:
    """Serve on a free port."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    print(listening.getsockname()[1], flush=True)
    config = uvicorn.Config(app, http="h11", loop="asyncio", access_log=False, log_level="error", lifespan="off")
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
