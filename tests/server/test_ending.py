"""How a server starts, what it writes down, and how it ends."""

import os
import signal
import socket
import stat
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

import narrator
from tests.scripted_server import ScriptedServer, Wire
from tests.server.conftest import SCENE
from tests.server.running import Serving

TABLE = "/v1/campaigns/harbour"
ROLL = {"request": {"action": {"type": "overcome", "actor": "Cynere", "intent": "pick the lock", "outcome": "fail"}}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a campaign."""
    narrator.open_campaign(tmp_path / "harbour.narrator", scene=SCENE)
    return tmp_path


def test_the_token_is_shown_once_and_kept_for_its_owner_alone(folder: Path) -> None:
    """And another start has the same one."""
    with Serving(folder, "harbour") as first:
        said = "".join(first.said)
    with Serving(folder, "harbour") as second:
        said_again = "".join(second.said)
    assert first.token in said
    assert first.token == second.token
    assert first.token not in said_again
    if sys.platform != "win32":
        assert stat.S_IMODE((folder / "token").stat().st_mode) == 0o600
        assert first.token not in "".join(each.read_text("utf-8") for each in folder.glob("log-*"))


def test_a_session_outlasts_a_restart_and_its_file_opens_no_door(folder: Path) -> None:
    """The file has digests, and only its owner reads it."""
    with Serving(folder, "harbour") as first:
        cookie = first.enter(first.code)
    with Serving(folder, "harbour", port=first.port) as second:
        own = second.as_browser(cookie)
        assert second.ask(f"{TABLE}/scene", **own).status == 200
        assert second.ask("/v1/session", method="DELETE", **own).status == 200
        assert second.ask(f"{TABLE}/scene", **own).status == 401
    [file] = folder.glob("sessions-*")
    assert cookie.partition("=")[2] not in file.read_text("utf-8")
    if sys.platform != "win32":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_player_of_one_table_does_not_read_another_nor_throws_the_gm_out(folder: Path) -> None:
    """A session of players is for the campaign that they were let into, and however many there are, the GM stays in."""
    narrator.open_campaign(folder / "beside.narrator", scene=SCENE)
    with Serving(folder, "harbour", "--lan") as first:
        gm = first.enter(first.code)
        # Twenty a minute from one address; of those who have most, the oldest goes.
        players = [first.enter(first.players_code, f"127.0.0.{2 + number // 20}") for number in range(101)]
        assert first.ask(f"{TABLE}/scene", **first.as_browser(gm)).status == 200
        assert first.ask(f"{TABLE}/scene", **first.as_browser(players[-1])).status == 200
        assert first.ask(f"{TABLE}/scene", **first.as_browser(players[0])).status == 401
    with Serving(folder, "beside", "--lan", port=first.port) as second:
        own = second.as_browser(players[-1])
        assert second.ask("/v1/campaigns/beside/scene", **own).status == 401
        assert second.ask("/v1/campaigns/beside/scene", **second.as_browser(gm)).status == 200


def test_a_stream_ends_where_the_file_is_another(folder: Path) -> None:
    """Whoever reads comes back, and reads the new one."""
    campaign = narrator.open_campaign(folder / "harbour.narrator")
    campaign.backup(folder / "backup")
    with Serving(folder, "harbour") as serving:
        with serving.events(f"{TABLE}/entries") as events:
            next(events)
            (folder / "backup").replace(folder / "harbour.narrator")
            told = next(events)
            assert told["event"] == "error"
            assert told["error"]["field"] == "harbour.narrator"  # no folder of this machine
            assert list(events) == []
        campaign.note("in the new file")
        with serving.events(f"{TABLE}/entries?after=1") as events:
            assert next(events)["text"] == "in the new file"


def test_it_listens_on_this_machine_alone_unless_told_else(folder: Path) -> None:
    """With `--lan` on every address, and says what that means."""
    with Serving(folder, "harbour") as alone:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", alone.port), 5)
        assert "Code for players" not in "".join(alone.said)
    with Serving(folder, "harbour", "--lan") as lan, socket.create_connection(("127.0.0.2", lan.port), 5):
        assert "Everybody on this network" in lan.read_until("that you trust")


def test_a_port_that_somebody_has_and_a_campaign_that_is_none_are_said(folder: Path) -> None:
    """With the option, or the argument, that names another."""
    with Serving(folder, "harbour") as serving:
        told = os.environ | {"NARRATOR_DATA": str(folder)}
        command = [sys.executable, "-m", "narrator", "serve", "--port", str(serving.port)]
        ended = subprocess.run(command, capture_output=True, text=True, env=told, check=False)
        nobody = subprocess.run([*command[:4], "nobody"], capture_output=True, text=True, env=told, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith("narrator: bad_request: --port: port")
    assert nobody.stderr.startswith("narrator: bad_request: CAMPAIGN: there is no campaign 'nobody'")


def test_the_log_says_what_and_how_long_and_nothing_else(folder: Path) -> None:
    """No word, name or key of anybody's, whatever went wrong."""
    with Serving(folder, "harbour") as serving:
        serving.ask(f"{TABLE}/note", {"text": "Joost the clerk"})
        serving.ask(f"{TABLE}/suggest", {**ROLL, "source": "deck"})
        serving.ask("/v1/campaigns/Joost/scene")
        serving.ask("/Joost")
        serving.ask("/v1/resolve", {"request": {"action": {"type": "Joost", "actor": "Joost"}}})
    log = serving.log.read_text("utf-8")
    assert "POST /v1/campaigns/{name}/note 200" in log
    assert log.count(" ms\n") == 5
    assert not {"Joost", "Cynere", "harbour", "lock", serving.token} & {*log.replace("/", " ").split()}
    assert "Joost" not in log


def test_it_ends_at_once_where_only_streams_are_open(folder: Path) -> None:
    """A stream of entries is over, and no error to whoever reads it."""
    with Serving(folder, "harbour") as serving, serving.events(f"{TABLE}/entries") as events:
        next(events)
        started = time.monotonic()
        serving.process.send_signal(signal.SIGTERM)
        assert list(events) == []
        serving.process.wait(20)
    assert time.monotonic() - started < 15


def test_a_roll_in_flight_is_finished(folder: Path) -> None:
    """It is answered, and kept, though the server was told to end while a model wrote."""
    told = {"NARRATOR_MODEL": "tiny", "NARRATOR_API_KEY": ""}

    def slowly(wire: Wire) -> None:
        serving.process.send_signal(signal.SIGTERM)
        wire.wait(1.5)
        wire.head()
        wire.done()

    with ScriptedServer(slowly) as model:
        told["NARRATOR_BASE_URL"] = model.base_url
        with Serving(folder, "harbour", environment=told) as serving:
            answer = serving.ask(f"{TABLE}/suggest", {**ROLL, "repairs": 0})
            serving.process.wait(20)
    assert answer.status == 200
    assert [each.id for each in narrator.open_campaign(folder / "harbour.narrator").pages] == [answer.body["id"]]
    assert any("tiny" in each for each in answer.body["answer"]["notices"])


@pytest.mark.full
def test_who_is_slow_is_cut_off(folder: Path) -> None:
    """With the first line, the headers, a body, or another request on the connection; endless ones are cut off too."""
    with Serving(folder, "harbour") as serving, ExitStack() as held:
        address = ("127.0.0.1", serving.port)
        head = (
            f"POST /v1/resolve HTTP/1.1\r\nHost: 127.0.0.1:{serving.port}\r\nAuthorization: Bearer {serving.token}\r\n"
        )
        slow = {
            "nothing": b"",
            "a line": b"POST /v1/res",
            "headers": head.encode(),
            "a body": f"{head}Content-Length: 100\r\n\r\n".encode(),
            "chunks": f"{head}Transfer-Encoding: chunked\r\n\r\n".encode(),
            "another request": b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\nGET /heal" % serving.port,
        }
        trickles = {
            "a line": b"x",
            "headers": b"X-A: 1\r\n",
            "a body": b" ",
            "chunks": b"1\r\n \r\n",
            "another request": b"t",
        }
        connections = {name: held.enter_context(socket.create_connection(address)) for name in slow}
        for name, each in connections.items():
            each.settimeout(0.2)
            each.sendall(slow[name])
        open_ones, deadline = {*connections}, time.monotonic() + 40
        while open_ones and time.monotonic() < deadline:
            for name in [*open_ones]:
                try:
                    connections[name].sendall(trickles.get(name, b""))
                    while connections[name].recv(4_096):
                        pass
                    open_ones.discard(name)
                except TimeoutError:
                    pass
                except OSError:
                    open_ones.discard(name)
            time.sleep(0.2)
        assert open_ones == set()
        endless = held.enter_context(socket.create_connection(address))
        endless.sendall(head.encode())
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            endless.sendall((b"X-Long: " + b"a" * 1_000 + b"\r\n") * 100_000)
        assert serving.ask("/healthz").status == 200
