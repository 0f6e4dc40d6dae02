"""A server in a process of its own, as somebody would start it, and whoever asks it."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any, NamedTuple

from narrator.rules.json_text import Json

PATIENCE = 30.0


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: Json


class Serving:
    """`narrator serve`, on a free port, with campaigns in a folder."""

    def __init__(self, folder: Path, *words: str, port: int = 0, environment: Mapping[str, str] | None = None) -> None:
        told = {
            "NARRATOR_DATA": str(folder),
            "NARRATOR_CONFIG": str(folder),
            "PYTHONUNBUFFERED": "1",
            **(environment or {}),
        }
        command = [sys.executable, "-m", "narrator", "serve", "--port", str(port), *words]
        self.log = folder / f"log-{len([*folder.glob('log-*')])}"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=os.environ | told,
            )
        self.said: list[str] = []
        said = self.read_until("The page, for one browser")
        self.port = int(re.search(r":(\d+)[,;]", said)[1])  # type: ignore[index]
        self.code = said.strip().rpartition("#")[2]
        told_players = self.read_until("Code for players") if "--lan" in words else ""
        self.players_code = told_players.partition("players: ")[2][:8]
        self.token = (folder / "token").read_text()

    def read_until(self, words: str) -> str:
        """Read what it says, up to a line with these words; return all of it."""
        assert self.process.stdout is not None
        read = []
        for line in self.process.stdout:
            self.said.append(line)
            read.append(line)
            if words in line:
                return "".join(read)
        raise AssertionError(f"it ended, and said {read} and {self.log.read_text()}")

    def ask(
        self, path: str, body: Any = None, method: str | None = None, at: str | None = None, **headers: str | None
    ) -> Answer:
        """Ask as a program with the token, from some address of this machine; a header that is None is left out."""
        connection = HTTPConnection("127.0.0.1", self.port, PATIENCE, source_address=None if at is None else (at, 0))
        try:
            answer = self.send(connection, path, body, method, **headers)
            text = answer.read()
            told = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, told, json.loads(text) if text else {})
        finally:
            connection.close()

    def send(
        self, connection: HTTPConnection, path: str, body: Any = None, method: str | None = None, **headers: str | None
    ) -> HTTPResponse:
        """Ask over a connection, and leave what comes to be read."""
        told = {"Host": f"127.0.0.1:{self.port}", "Authorization": f"Bearer {self.token}"}
        told |= {name.replace("_", "-"): value for name, value in headers.items()}  # type: ignore[misc]
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        sent = {name: value for name, value in told.items() if value is not None}
        connection.request(method or ("GET" if body is None else "POST"), path, data, sent)
        return connection.getresponse()

    @contextmanager
    def events(self, path: str, body: Any = None, **headers: str | None) -> Iterator[Iterator[Json]]:
        """Ask for events, and give each as it comes: its data, with its name and id where it has them."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        answer = self.send(connection, path, body, Accept="text/event-stream", **headers)
        assert answer.status == 200, answer.read()
        try:
            yield _events(answer)
        finally:
            answer.close()
            connection.close()

    def as_browser(self, cookie: str, **headers: str | None) -> dict[str, str | None]:
        """The headers of a page of ours with this session."""
        own = {"Authorization": None, "Cookie": cookie, "Origin": f"http://127.0.0.1:{self.port}", "X_Narrator": "1"}
        return {**own, **headers}

    def enter(self, code: str, at: str | None = None) -> str:
        """Exchange a code for a session, and give its cookie."""
        answer = self.ask("/v1/session", {"code": code}, at=at, **self.as_browser(""))
        assert answer.status == 200, answer
        return answer.headers["set-cookie"].partition(";")[0]

    def __enter__(self) -> "Serving":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End it as somebody would who shuts the machine down."""
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(PATIENCE)
        self.process.kill()
        self.process.communicate()


def _events(answer: HTTPResponse) -> Iterator[Json]:
    """Give events as they come; a stream that says only that it is there is one where nothing comes."""
    told: dict[str, str] = {}
    since = time.monotonic()
    for line in answer:
        if time.monotonic() - since > PATIENCE:
            raise TimeoutError("no event came")
        name, sign, value = line.decode().rstrip("\n").partition(": ")
        if sign and name:
            told[name] = value
        elif told:
            yield {**json.loads(told["data"]), **({"id": told["id"]} if "id" in told else {}), "event": told["event"]}
            told, since = {}, time.monotonic()
