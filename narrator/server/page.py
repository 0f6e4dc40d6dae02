"""The page over HTTP: its documents, its style and scripts, and its taps."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial
from importlib.resources import files

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from narrator.campaign.campaign import Campaign
from narrator.errors import NarratorError, RequestError
from narrator.page.chosen import judged
from narrator.page.document import NOTHING, card_html, document, players, written
from narrator.page.form import Form
from narrator.page.outcome import Outcome
from narrator.page.table import Table
from narrator.page.taps import TAPS, tapped
from narrator.rules.json_text import parsed
from narrator.server.answers import HttpError, answered, event_stream, event_text
from narrator.server.guard import body_of
from narrator.sources.selection import source_for
from narrator.suggestions.pipeline.answer import AcceptedEvent
from narrator.suggestions.time.threads import aside

routes = APIRouter()

_MOST_BYTES = 200_000
"""Limit for a form."""
_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)


@routes.get("/static/{name}")
async def static(name: str) -> Response:
    place = next((each for each in (files("narrator.page") / "static").iterdir() if each.name == name), None)
    if place is None:
        raise HttpError(404, RequestError("bad_request", "", "there is no such file"))
    return Response(await aside(place.read_bytes), media_type=_TYPES[name.rpartition(".")[2]])


@routes.get("/enter")
async def enter() -> Response:
    return _page(written("enter", "/enter"))


@routes.get("/players")
async def of_players(request: Request) -> Response:
    served: Campaign | None = request.app.state.served
    return _page(written("nothing", "/players") if served is None else await aside(partial(players, served)))


@routes.get("/")
@routes.get("/table")
@routes.get("/end")
@routes.get("/p{number}")
async def of_gm(request: Request) -> Response:
    served: Campaign | None = request.app.state.served
    path = request.scope["path"]
    if served is None:
        return _page(written("nothing", path))
    try:
        return _page(await aside(partial(document, served, path, has_model=source_for(None) is not None)))
    except NarratorError as error:
        if error.code != "unknown_page":
            raise
        return RedirectResponse("/", 303)  # the page was struck, or never existed


@routes.post("/page/check")
async def check(request: Request) -> Response:
    served, form = await _tapped(request)
    return answered(await aside(partial(judged, served, form)))


@routes.post("/page/complete")
async def complete(request: Request) -> Response:
    from narrator.line.complete import completions

    served, form = await _tapped(request)
    text = (form.all("text") or ("",))[-1]  # a space at its end counts

    def found() -> list[str]:
        before = text.rpartition(" ")[0]
        words = completions(text, served.scene, served.played) if text.isprintable() else ()
        return [f"{before} {each}".strip() for each in words[:20]]

    return answered({"lines": await aside(found)})


@routes.post("/page/words")
async def words(request: Request) -> Response:
    """Send a model's words for a roll, each as a card, as soon as they are accepted."""
    served, form = await _tapped(request)
    page = await aside(partial(served.page, form.one("page")))

    async def cards() -> AsyncGenerator[bytes, None]:
        outcome = await aside(lambda: Outcome(Table(served), page, NOTHING))
        action = page.request.action
        events = served.astream(action, page=page.id, seed=page.request.seed, over=page.over)
        async with aclosing(events):
            async for event in events:
                if isinstance(event, AcceptedEvent):
                    card = card_html(outcome, event.accepted)
                    if card is not None:
                        yield event_text("card", {"slot": event.accepted.slot, "html": card})
        yield event_text("done", {})

    return event_stream(cards(), request.app.state.ends)


@routes.post("/page/{tap}")
async def tap(request: Request, tap: str) -> Response:
    served, form = await _tapped(request)
    if tap not in TAPS:
        raise HttpError(404, RequestError("bad_request", "", "there is no such tap", sorted(TAPS)))
    return _page(await aside(partial(tapped, served, tap, form, has_model=source_for(None) is not None)))


async def _tapped(request: Request) -> tuple[Campaign, Form]:
    served: Campaign | None = request.app.state.served
    if served is None:
        raise HttpError(404, RequestError("bad_request", "", "no campaign is served: start `narrator serve` with one"))
    return served, Form.read(parsed(await body_of(request, _MOST_BYTES)))


def _page(text: str) -> Response:
    return Response(text, media_type="text/html", headers={"Content-Security-Policy": _POLICY})
