"""One server for all tests that do not end it, with a campaign in it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import narrator
from tests.server.running import Serving

SCENE = json.loads((Path(__file__).parents[2] / "examples" / "cynere.json").read_text("utf-8"))["scene"]
SECRET = {"name": "The Clerk Is Paid", "boxes": 4, "secret": True}


@pytest.fixture(scope="package")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with the campaign `harbour`, and one beside it that players do not see."""
    folder = tmp_path_factory.mktemp("serving")
    for name in ("harbour", "beside"):
        narrator.open_campaign(folder / f"{name}.narrator", scene={**SCENE, "clocks": [SECRET]})
    with Serving(folder, "harbour", "--lan") as server:
        yield server


@pytest.fixture(scope="package")
def gm(serving: Serving) -> str:
    """The session of the GM's browser."""
    cookie = serving.enter(serving.code)
    serving.read_until("The page, for one browser")
    return cookie
