"""Attacks: each is refused, and a page from elsewhere, a player or a stranger learns and changes nothing."""

import asyncio
import json
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator.server.guard import Guard
from tests.server.running import Answer, Serving

RESOLVE = {"request": {"action": {"type": "overcome", "actor": "Cynere", "outcome": "tie"}}}
NOTE = {"text": "I was here"}
TABLE = "/v1/campaigns/harbour"


def refused(answer: Answer, status: int = 403) -> None:
    """It is refused as such, in our words."""
    assert answer.status == status, answer
    assert answer.body["error"]["code"] == "not_allowed"


@pytest.fixture(scope="module")
def players(serving: Serving) -> str:
    """The session of a player's browser."""
    return serving.enter(serving.players_code)


@pytest.mark.parametrize(
    "authorization", [None, "Bearer ", "Bearer wrong", "Bearer \xe9", "Basic Z206Z20=", "Bearer\tx"]
)
@pytest.mark.parametrize(
    "path", ["/v1/resolve", f"{TABLE}/note", TABLE, "/v1/campaigns", "/v1/session/", "//v1/resolve"]
)
def test_without_the_token_nothing_is_answered(authorization: str | None, path: str, serving: Serving) -> None:
    """No token, an empty, a wrong or another kind of one."""
    body = None if path in (TABLE, "/v1/campaigns") else RESOLVE
    refused(serving.ask(path, body, Authorization=authorization), 401)


def test_a_wrong_token_is_not_mended_by_a_session(gm: str, serving: Serving) -> None:
    """Whoever says a token is known by that."""
    own = serving.as_browser(gm, Authorization="Bearer wrong")
    refused(serving.ask("/v1/resolve", RESOLVE, **own), 401)


def test_the_code_of_the_gm_is_taken_once(gm: str, serving: Serving) -> None:
    """Whoever reads it over a shoulder comes too late."""
    answer = serving.ask("/v1/session", {"code": serving.code}, **serving.as_browser(""))
    refused(answer)
    assert "set-cookie" not in answer.headers


def test_a_session_is_no_token_and_no_script_reads_it(gm: str, serving: Serving) -> None:
    """Its cookie is for this port, for our own pages, and for no script."""
    assert serving.token not in gm
    assert gm.startswith(f"narrator_{serving.port}=")
    answer = serving.ask("/v1/session", {"code": serving.players_code}, **serving.as_browser(""))
    assert {"httponly", "samesite=strict", "path=/"} <= {
        each.strip().lower() for each in answer.headers["set-cookie"].split(";")
    }
    refused(serving.ask("/v1/resolve", RESOLVE, Authorization=f"Bearer {gm.partition('=')[2]}"), 401)


@pytest.mark.parametrize(
    "path", ["/v1/resolve", f"{TABLE}/note", f"{TABLE}/undo", f"{TABLE}/strike", f"{TABLE}/suggest"]
)
def test_players_change_nothing(path: str, players: str, serving: Serving) -> None:
    """Nor do they spend what a model costs."""
    refused(serving.ask(path, {}, **serving.as_browser(players)))


@pytest.mark.parametrize("path", ["", "/scene", "/pages", "/entries"])
def test_players_see_what_players_see(path: str, players: str, serving: Serving) -> None:
    """Of the campaign that is served, without its secrets, and no other."""
    answer = serving.ask(TABLE + path, **serving.as_browser(players))
    assert answer.status == 200
    assert "The Clerk Is Paid" not in json.dumps(answer.body)
    assert "The Clerk Is Paid" in json.dumps(serving.ask(TABLE).body)
    assert serving.ask("/v1/campaigns/beside/scene", **serving.as_browser(players)).status == 404
    refused(serving.ask("/v1/campaigns", **serving.as_browser(players)))


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:9", "https://127.0.0.1:{port}", ""]
)
@pytest.mark.parametrize("proof", ["token", "session"])
def test_a_page_from_elsewhere_is_answered_nothing(origin: str, proof: str, gm: str, serving: Serving) -> None:
    """Whatever it sends along, even from another port of this machine."""
    own = serving.as_browser(gm) if proof == "session" else {}
    told: dict[str, Any] = {**own, "Origin": origin.format(port=serving.port)}
    refused(serving.ask(f"{TABLE}/note", NOTE, **told))
    refused(serving.ask(f"{TABLE}/scene", **told))


@pytest.mark.parametrize("left_out", ["Origin", "X_Narrator"])
def test_a_simple_form_from_elsewhere_writes_nothing(left_out: str, gm: str, serving: Serving) -> None:
    """A browser sends a form with our cookie, and without the one or the other of these."""
    before = serving.ask(f"{TABLE}/entries").body
    own = {**serving.as_browser(gm), left_out: None, "Content_Type": "text/plain"}
    refused(serving.ask(f"{TABLE}/note", NOTE, **own))
    assert serving.ask(f"{TABLE}/entries").body == before


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_page_of_another_port_reads_nothing_with_our_cookie(site: str, gm: str, serving: Serving) -> None:
    """Cookies know no ports; the browser says from where it asks."""
    own: dict[str, Any] = serving.as_browser(gm, Origin=None, Sec_Fetch_Site=site)
    refused(serving.ask(f"{TABLE}/scene", **own))


def test_signing_in_is_for_our_own_pages(serving: Serving) -> None:
    """Nobody is signed in by a page from elsewhere."""
    for own in ({"Origin": None}, {"Origin": "http://evil.example"}, {"X_Narrator": None}):
        refused(serving.ask("/v1/session", {"code": serving.players_code}, **serving.as_browser("", **own)))


@pytest.mark.parametrize(
    "host", ["evil.example:{port}", "127.0.0.1", "127.0.0.1:9", "localhost.evil.example:{port}", "", "[::1]"]
)
def test_another_name_that_leads_here_is_answered_nothing(host: str, serving: Serving) -> None:
    """A name that is bound anew to this machine makes no page one of ours."""
    told = {"Host": host.format(port=serving.port)}
    for path in ("/healthz", "/openapi.json", TABLE):
        refused(serving.ask(path, **told))


@pytest.mark.parametrize(
    "name",
    [
        "..%2f..%2fetc%2fpasswd",
        "..",
        "%2e%2e",
        "harbour.narrator",
        "%2Ftmp%2Fx.narrator",
        "harbour%00",
        "x%0d%0aA:b",
        "a" * 5_000,
    ],
)
def test_a_campaign_is_named_and_never_a_path(name: str, serving: Serving) -> None:
    """What is no name of a campaign that is there is none, and no file is made for it."""
    answer = serving.ask(f"/v1/campaigns/{name}/scene")
    assert answer.status == 404
    assert serving.ask("/v1/campaigns").body["campaigns"] == ["beside", "harbour"]


def test_deep_json_is_refused(serving: Serving) -> None:
    """However deep, it is told in a line."""
    answer = serving.ask("/v1/resolve", b'{"request":' + b"[" * 100_000)
    assert answer.status == 400
    assert serving.ask("/healthz").status == 200


def test_what_is_too_large_is_refused_before_it_is_read(serving: Serving) -> None:
    """By the length that is said, and by what comes where none is."""
    own = serving.as_browser("")
    # Nothing is sent beyond the headers: whoever is cut off while they send may not read why.
    assert serving.ask("/v1/resolve", b"", "POST", Content_Length="1000001").status == 413
    assert serving.ask("/v1/session", b"", "POST", **own, Content_Length="1001").status == 413
    chunks = (b" " * 100_000 for _ in range(11))
    with closing(HTTPConnection("127.0.0.1", serving.port, timeout=30)) as whole, suppress(ConnectionError):
        # It may be cut off before all of it is sent.
        whole.request("POST", "/v1/resolve", chunks, {"Authorization": f"Bearer {serving.token}"}, encode_chunked=True)
        assert whole.getresponse().status == 413
    assert serving.ask("/healthz").status == 200


@pytest.mark.parametrize("source", ["http://evil.example", "gpt-5", "../deck", "x"])
def test_a_source_is_named_and_never_an_address(source: str, serving: Serving) -> None:
    """As in a macro's payload: what is not in the config file is not asked."""
    answer = serving.ask("/v1/suggest", {**RESOLVE, "source": source})
    assert answer.status == 400
    assert answer.body["error"]["field"] == "source"


@pytest.mark.parametrize("ruleset", ["/etc/passwd", "../x.toml", "harbour-nights.toml"])
def test_a_ruleset_is_named_and_never_a_file(ruleset: str, serving: Serving) -> None:
    """No file of this machine is read because somebody named it."""
    answer = serving.ask("/v1/table", {"request": {"action": "overcome", "ruleset": ruleset}})
    assert answer.status == 400
    assert answer.body["error"]["code"] == "unknown_ruleset"


def test_codes_are_not_guessed(tmp_path: Path) -> None:
    """After twenty wrong ones none from there is looked at for a while; whoever is in stays in, others come in."""
    with Serving(tmp_path) as serving:
        own = serving.as_browser("")
        statuses = [serving.ask("/v1/session", {"code": f"guess{each}"}, **own).status for each in range(22)]
        assert statuses == [403] * 20 + [429] * 2
        assert serving.ask("/v1/session", {"code": serving.code}, **own).status == 429
        assert serving.ask("/v1/campaigns").status == 200
        assert serving.ask("/v1/session", {"code": serving.code}, at="127.0.0.2", **own).status == 200


def test_a_strange_cookie_keeps_nobody_waiting(serving: Serving) -> None:
    """Python's own parser looks at these signs again and again, a second for each of them."""
    cookie = 'a="' + "\\" * 30_000 + '"'
    with ThreadPoolExecutor(60) as pool:
        asked = [pool.submit(serving.ask, TABLE, **serving.as_browser(cookie)) for _ in range(60)]
        assert {each.result().status for each in asked} == {401}


def test_one_address_does_not_take_all_connections(tmp_path: Path) -> None:
    """It has two hundred, and is told so; this machine's own are let in all the same."""
    with Serving(tmp_path) as serving, ExitStack() as held:
        for _ in range(200):
            held.enter_context(socket.create_connection(("127.0.0.1", serving.port), source_address=("127.0.0.2", 0)))
        assert serving.ask("/healthz", at="127.0.0.2").status == 503
        assert serving.ask("/healthz").status == 200


class _Known:
    """Sessions that are named by the role that they have."""

    def by_session(self, given: str) -> str | None:
        return given or None


def test_players_take_no_place_of_the_gm() -> None:
    """Few of their calls run at once, even those that say they want a stream where there is none."""
    running: list[str] = []
    over = asyncio.Event()

    async def routes(scope: Any, *_: Any) -> None:
        running.append(scope["state"]["role"])
        await over.wait()

    def asked(role: str) -> Any:
        headers = {"host": "127.0.0.1:1", "cookie": f"narrator_1={role}", "accept": "text/event-stream"}
        told = [(name.encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": "GET", "path": TABLE, "headers": told, "state": {}}
        return asyncio.ensure_future(guard(scope, None, None))

    guard = Guard(routes, _Known(), 1, lan=False)  # type: ignore[arg-type]

    async def ask() -> None:
        players = [asked("players") for _ in range(10)]
        await asyncio.sleep(0.1)
        gm = asked("gm")
        await asyncio.sleep(0.1)
        assert running == ["players"] * 4 + ["gm"]
        over.set()
        await asyncio.gather(gm, *players)

    asyncio.run(ask())
    assert running.count("players") == 10


def test_a_stream_ends_with_its_session(tmp_path: Path) -> None:
    """Nothing is told to who has left."""
    campaign = narrator.open_campaign(tmp_path / "harbour.narrator")
    with Serving(tmp_path, "harbour") as serving:
        own = serving.as_browser(serving.enter(serving.code))
        with serving.events(f"{TABLE}/entries", **own) as events:
            next(events)
            campaign.note("still here")
            assert next(events)["text"] == "still here"
            serving.ask("/v1/session", method="DELETE", **own)
            campaign.note("after the session")
            assert list(events) == []


SIGNS = (
    *("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "javascript:alert(1)", "</textarea><svg onload=x>"),
    *("\r\n\r\nevent: entry\r\ndata: {}", "\n\nid: 900\ndata: 1", "\rdata: x", "\u2028data: x", "\x85data: x"),
    *("\x1b[2J", "\x9b31m", "\u202egnp.exe", "\u200b", "[[/r 1d20]]", "@everyone", "{{7*7}}", "${7*7}"),
    *("'; DROP TABLE entries; --", "../../etc/passwd", "%0d%0aSet-Cookie: a=b"),
)
WORDS = [
    f"{before}{sign}{after}"
    for sign in SIGNS
    for before in ("", "Ann ", "Bo\"b'", "\\")
    for after in ("", " of Thaalor")
]


def test_words_of_attack_come_through_as_words(serving: Serving) -> None:
    """In JSON and in events, each as it was told, and none breaks a line of the stream."""
    first = serving.ask(f"{TABLE}/entries").body["entries"][-1]["seq"]
    for number, each in enumerate(WORDS):
        serving.ask(f"{TABLE}/note", {"text": each})
        newcomer = {"name": f"{number} {each}", "side": "crowd"}
        serving.ask("/v1/campaigns/beside/move", {"request": {"move": {"type": "enter", "character": newcomer}}})
    told = serving.ask(f"{TABLE}/entries?after={first}&limit=1000").body["entries"]
    with serving.events(f"{TABLE}/entries?after={first}") as events:
        streamed = [{name: value for name, value in next(events).items() if name not in ("id", "event")} for _ in told]
    assert told == streamed
    assert len(told) == len(WORDS)
    people = serving.ask("/v1/campaigns/beside/scene").body["characters"]
    assert [each["name"] for each in people[2:]] == [f"{number} {each}" for number, each in enumerate(WORDS)]


@pytest.mark.full
def test_a_thousand_at_once_are_answered_or_asked_to_come_back(serving: Serving) -> None:
    """Memory stays, and whoever comes afterwards is answered."""

    def ask(_: int) -> int:
        try:
            return serving.ask("/v1/suggest", {**RESOLVE, "source": "deck"}).status
        except OSError:
            return -1

    def memory() -> int:
        with open(f"/proc/{serving.process.pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * 4_096

    with ThreadPoolExecutor(200) as pool:
        list(pool.map(ask, range(200)))
        before = memory()
        statuses = list(pool.map(ask, range(1_000)))
    assert set(statuses) <= {200, 429, 503}
    assert statuses.count(200) > 100
    assert memory() - before < 50_000_000
    assert serving.ask("/v1/resolve", RESOLVE).status == 200


@pytest.mark.full
def test_open_streams_take_no_place_of_calls(tmp_path: Path) -> None:
    """However many want one, two hundred are open, and calls are answered as before."""
    narrator.open_campaign(tmp_path / "harbour.narrator")
    with Serving(tmp_path, "harbour") as serving, ExitStack() as held:
        for _ in range(200):
            held.enter_context(serving.events(f"{TABLE}/entries"))
        late = serving.ask(f"{TABLE}/entries", Accept="text/event-stream")
        assert (late.status, late.headers["retry-after"]) == (503, "1")
        assert serving.ask("/v1/resolve", RESOLVE).status == 200
