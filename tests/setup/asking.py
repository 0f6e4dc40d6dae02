"""Servers as people run them, and the two commands, asked about them."""

import json
from typing import Any

from tests.asking import CLERK, GUARD, INK
from tests.interfaces.running import Ended, run
from tests.leaping import leap
from tests.scripted_server import Reply, ScriptedServer, Step, Wire, answer, suggestions

KEY = "sk-proj-Zx81Qw72Er63Ty54Ui45Op36"
THREE = Reply(suggestions(GUARD, CLERK, INK))


def listing(*models: str, owner: str | None = "library", **more: Any) -> Step:
    """The list of models as these servers give it."""
    owned = {} if owner is None else {"owned_by": owner}
    return answer(json.dumps({"object": "list", "data": [{"id": each, **owned, **more} for each in models]}))


def late(wire: Wire) -> None:
    """Say nothing until whoever asked gives up."""
    leap()
    wire.hang()


def port_of(server: ScriptedServer) -> str:
    """The port of a server, as one types it."""
    return server.address.partition(":")[2]


def models(server: ScriptedServer, *words: str) -> Ended:
    """Look at this server too."""
    return run("models", "--port", port_of(server), *words)


def headers(server: ScriptedServer) -> str:
    """All that this server was told beside bodies."""
    return json.dumps([(each.path, each.headers) for each in server.requests])
