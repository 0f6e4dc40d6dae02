"""Campaigns over HTTP: servers and a terminal on one campaign, each of which sees all, in order, nothing twice."""

import asyncio
import itertools
import json
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

import narrator
from narrator.rules.json_text import Json
from narrator.server.watch import Watch
from tests.server.conftest import SCENE
from tests.server.running import Serving

TABLE = "/v1/campaigns/harbour"
TOLD = {"type": "overcome", "actor": "Cynere", "intent": "bribe the guards", "outcome": "tie"}


def test_an_evening_by_http_is_the_one_that_python_plays(tmp_path: Path) -> None:
    """A roll, a choice, a move, a note, an undo and a redo: the same entries, but for when they were."""
    by_python = narrator.open_campaign(tmp_path / "python.narrator", scene=SCENE)
    narrator.open_campaign(tmp_path / "harbour.narrator", scene=SCENE)
    compel = {"type": "compel", "who": "Cynere", "aspect": "Infamous Girl with Sword", "accepted": True}
    page = by_python.suggest(TOLD, seed=4, deal=4, source="deck")
    chosen = {"branch": "minor_cost", "suggestions": [page.answer.as_json()["suggestions"][0]]}
    by_python.settle(page.id, chosen)
    by_python.move(compel)
    by_python.note("The clerk is called Joost.")
    by_python.undo()
    by_python.redo()
    with Serving(tmp_path, "harbour") as serving:
        roll = {"request": {"action": TOLD, "seed": 4, "deal": 4}, "source": "deck"}
        kept = serving.ask(f"{TABLE}/suggest", roll).body
        assert kept["answer"]["suggestions"] == page.answer.as_json()["suggestions"]
        assert serving.ask(f"{TABLE}/pages").body["pages"][0]["id"] == kept["id"] == page.id
        serving.ask(f"{TABLE}/settle", {"page": kept["id"], "choice": chosen, "expect_revision": 0})
        serving.ask(f"{TABLE}/move", {"request": {"move": compel}, "key": "once"})
        again = serving.ask(f"{TABLE}/move", {"request": {"move": compel}, "key": "once"})
        serving.ask(f"{TABLE}/note", {"text": "The clerk is called Joost."})
        serving.ask(f"{TABLE}/undo", {})
        serving.ask(f"{TABLE}/redo", {})
        told = serving.ask(f"{TABLE}/entries").body["entries"]
        assert serving.ask(f"{TABLE}/scene").body == by_python.scene.as_json()
    assert again.body["seq"] == 3
    assert [without_at(each) for each in told[1:]] == [without_at(each.as_json()) for each in by_python.entries(1)]


def without_at(entry: Json) -> Json:
    """An entry without when it was."""
    return {name: value for name, value in entry.items() if name != "at"}


def test_what_a_terminal_writes_comes_as_it_is_written(serving: Serving) -> None:
    """Each before the next is written; `benchmarks.serve` says how long that takes."""
    campaign = narrator.open_campaign(Path(serving.log).parent / "harbour.narrator")
    with serving.events(f"{TABLE}/entries?after={campaign.last}") as events:
        for number in range(7):
            campaign.note(f"note {number}")
            assert next(events)["text"] == f"note {number}"


def test_what_is_written_between_two_looks_is_not_missed(tmp_path: Path) -> None:
    """Whoever has read what is there, and waits, is told of it."""
    campaign = narrator.open_campaign(tmp_path / "harbour.narrator")

    async def wait() -> None:
        async with Watch().of(campaign) as next_change:
            changed = next_change()
            narrator.open_campaign(tmp_path / "harbour.narrator").note("by another")
            await asyncio.wait_for(changed.wait(), 20)

    asyncio.run(wait())


def test_a_stream_goes_on_after_the_last_one_that_came(serving: Serving) -> None:
    """A browser that comes back says which that was."""
    campaign = narrator.open_campaign(Path(serving.log).parent / "harbour.narrator")
    last = campaign.note("before").seq
    campaign.note("after")
    with serving.events(f"{TABLE}/entries", Last_Event_ID=str(last)) as events:
        assert next(events)["text"] == "after"
    with serving.events(f"{TABLE}/entries") as events:
        assert [int(next(events)["id"]) for _ in range(last + 1)] == [*range(1, last + 2)]
        campaign.note("once more")
        assert next(events)["text"] == "once more"


def test_whoever_writes_on_what_they_have_not_seen_is_told_what(serving: Serving) -> None:
    """409, with the entries that were missed."""
    revision = serving.ask(f"{TABLE}/scene").body["revision"]
    serving.ask(f"{TABLE}/note", {"text": "meanwhile"})
    answer = serving.ask(f"{TABLE}/note", {"text": "late", "expect_revision": revision})
    assert answer.status == 409
    assert [each["text"] for each in answer.body["error"]["missed"]] == ["meanwhile"]


def test_a_line_is_read_in_the_scene_of_the_campaign(serving: Serving) -> None:
    """What is read goes into the call that it is, and says of what page it is; nothing comes of the line alone."""
    before = serving.ask(TABLE).body
    read = serving.ask(f"{TABLE}/say", {"request": {"text": "cyn resources +-00 vs 2 bribe the guards"}}).body
    assert serving.ask(TABLE).body == before
    assert "page" not in read
    page = serving.ask(f"{TABLE}/suggest", {"request": read["request"], "source": "deck"}).body
    more = serving.ask(f"{TABLE}/say", {"request": {"text": "+torch"}}).body
    told = {name: more[name] for name in ("request", "page")}
    again = serving.ask(f"{TABLE}/suggest", {**told, "source": "deck"}).body
    assert again["id"] == page["id"]
    assert again["answer"]["resolution"]["shifts"] == page["answer"]["resolution"]["shifts"] + 2


def test_a_roll_comes_as_events_and_is_kept(serving: Serving) -> None:
    """The last event is the page."""
    roll = {"request": {"action": TOLD}, "source": "deck", "id": 9}
    with serving.events(f"{TABLE}/suggest", roll) as events:
        told = list(events)
    assert {each["id"] for each in told} == {9}
    assert told[-1]["done"]["id"] in [each["id"] for each in serving.ask(f"{TABLE}/pages").body["pages"]]


@pytest.mark.full
def test_two_servers_and_a_terminal_see_all_in_order_and_nothing_twice(tmp_path: Path) -> None:
    """All three write at once, and one server is killed and started again in the middle."""
    campaign = narrator.open_campaign(tmp_path / "harbour.narrator", scene=SCENE)
    first, second = Serving(tmp_path, "harbour"), Serving(tmp_path, "harbour")
    seen: dict[str, list[int]] = {"first": [], "second": []}
    servers = {"first": first, "second": second}
    over = threading.Event()

    def read(name: str) -> None:
        while not over.is_set():
            last = str(seen[name][-1]) if seen[name] else "0"
            try:
                with servers[name].events(f"{TABLE}/entries", Last_Event_ID=last) as events:
                    for each in events:
                        seen[name].append(each["seq"])
                        if over.is_set():
                            return
            except (OSError, AssertionError):
                time.sleep(0.05)

    def write(name: str) -> None:
        for number in range(40):
            for _ in range(200):
                with suppress(OSError, ValueError):
                    if (
                        servers[name]
                        .ask(f"{TABLE}/note", {"text": f"{name} {number}", "key": f"{name}-{number}"})
                        .status
                        == 200
                    ):
                        break
                time.sleep(0.05)

    readers = [threading.Thread(target=read, args=(name,), daemon=True) for name in servers]
    writers = [threading.Thread(target=write, args=(name,)) for name in servers]
    for each in (*readers, *writers):
        each.start()
    for number in range(40):
        campaign.note(f"terminal {number}")
        if number == 15:
            second.process.kill()
            second.end()
            servers["second"] = Serving(tmp_path, "harbour", port=second.port)
    for each in writers:
        each.join()
    whole = [each.seq for each in campaign.entries(limit=1_000)]
    deadline = time.monotonic() + 20
    while min(map(len, seen.values())) < len(whole) and time.monotonic() < deadline:
        time.sleep(0.1)
    over.set()
    for server in servers.values():
        server.end()
    assert len(whole) == 121
    assert seen == {"first": whole, "second": whole}
    texts = [each.text for each in campaign.entries(limit=1_000)][1:]
    names = itertools.product(("first", "second", "terminal"), range(40))
    assert sorted(texts) == sorted(f"{name} {number}" for name, number in names)


def test_scenes_come_as_the_campaign_has_them(serving: Serving) -> None:
    """The whole view is the one that `seen_by` gives."""
    campaign = narrator.open_campaign(Path(serving.log).parent / "beside.narrator")
    told = serving.ask("/v1/campaigns/beside").body
    assert told == json.loads(json.dumps(campaign.seen_by("gm")))
