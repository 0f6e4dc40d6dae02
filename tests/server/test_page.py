"""The page over HTTP: who sees which, under which policy, and that no other page can tap."""

import json
from contextlib import ExitStack
from http.client import HTTPConnection

import pytest

from narrator.server.guard import MOST_OF_SESSION
from tests.server.running import Serving

BROWSER = {"Accept": "text/html,application/xhtml+xml"}


def page(serving: Serving, path: str, cookie: str = "", **headers: str) -> tuple[int, dict[str, str], str]:
    """Ask for a page as a browser does, with a session where there is one."""
    connection = HTTPConnection("127.0.0.1", serving.port, 30)
    try:
        own = serving.as_browser(cookie, **BROWSER, **headers)
        answer = serving.send(connection, path, None, **{name: told for name, told in own.items() if name != "Origin"})
        told = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, told, answer.read().decode()
    finally:
        connection.close()


@pytest.mark.parametrize("path", ["/", "/table", "/end", "/players"])
def test_a_page_runs_nothing_but_our_own_files(path: str, gm: str, serving: Serving) -> None:
    """Its policy allows no script, style, image, frame or form of anybody else's, and none that stands in it."""
    status, headers, text = page(serving, path, gm)

    assert status == 200
    policy = headers["content-security-policy"]
    assert {"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"} <= {
        *policy.split("; ")
    }
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert "http" not in text.replace("http://127.0.0.1", ""), "it works in a cellar"


def test_whoever_is_not_known_is_shown_the_door(serving: Serving) -> None:
    """And what it looks like; a program is told so in JSON."""
    status, headers, _ = page(serving, "/table")
    assert (status, headers["location"]) == (303, "/enter")
    assert page(serving, "/enter")[0] == 200
    assert page(serving, "/static/page.css")[1]["content-type"].startswith("text/css")
    assert page(serving, "/static/page.js")[1]["content-type"].startswith("text/javascript")
    assert serving.ask("/table", Authorization=None).status == 401


@pytest.mark.parametrize("path", ["/", "/table", "/end", "/p1"])
def test_players_see_their_own_page_alone(path: str, serving: Serving) -> None:
    """Wherever else they go, they come to it; what the GM taps is not theirs."""
    players = serving.enter(serving.players_code)
    status, headers, _ = page(serving, path, players)
    assert (status, headers["location"]) == (303, "/players")
    status, _, text = page(serving, "/players", players)
    assert status == 200
    assert "The Clerk Is Paid" not in text
    for tap in ("move", "look", "check", "words", "complete"):
        refused = serving.ask(f"/page/{tap}", {}, **serving.as_browser(players))
        assert (refused.status, refused.body["error"]["code"]) == (403, "not_allowed")


def test_no_other_page_can_tap(gm: str, serving: Serving) -> None:
    """A form elsewhere, or a page without our header, is refused before it is read."""
    body = {"text": ["from elsewhere"]}
    for headers in (
        {**serving.as_browser(gm), "X_Narrator": None},
        serving.as_browser(gm, Origin="http://evil.example"),
        serving.as_browser(gm, Sec_Fetch_Site="cross-site"),
    ):
        assert serving.ask("/page/note", body, **headers).status == 403
    assert "from elsewhere" not in json.dumps(serving.ask("/v1/campaigns/harbour/entries").body)


def test_a_roll_that_is_not_there_leads_back(gm: str, serving: Serving) -> None:
    """It may have been struck."""
    status, headers, _ = page(serving, "/p999", gm)
    assert (status, headers["location"]) == (303, "/")


def test_one_phone_does_not_take_the_places_of_all(serving: Serving) -> None:
    """So many streams has one session; another is told of what comes all the same."""
    one, other = serving.enter(serving.players_code), serving.enter(serving.players_code)
    path = "/v1/campaigns/harbour/entries"
    with ExitStack() as held:
        for _ in range(MOST_OF_SESSION):
            held.enter_context(serving.events(path, **serving.as_browser(one)))
        refused = serving.ask(path, Accept="text/event-stream", **serving.as_browser(one))
        assert (refused.status, refused.body["error"]["code"]) == (503, "too_busy")
        held.enter_context(serving.events(path, **serving.as_browser(other)))
    assert serving.ask(path, **serving.as_browser(one)).status == 200
