"""Writes into campaigns, in processes forked from one that is warm: what a line of JSON on standard input says.

`python -m tests.campaigns.writer`; each line says what to `do`, and with what. What was done is told on standard
output, in lines of JSON too, each the moment it is done.
"""

import json
import os
import sys
import traceback
from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any

import narrator
from narrator import Campaign, NarratorError, open_campaign
from narrator.campaign.records import Entry
from narrator.rules.json_text import Json

ANN: Json = {"name": "Ann", "side": "pc", "importance": "pc", "fate_points": 3}
SCENE: Json = {
    "summary": "The vault of the bank, at night.",
    "facts": [f"Guard {number} keeps the key of box {number * 7}." for number in range(150)],
    "characters": [ANN],
    "aspects": [{"name": "Rusty Rope"}],
}
ACTION: Json = {"type": "overcome", "actor": "Ann", "outcome": "fail"}


def digest(campaign: Campaign) -> str:
    """Say in a few letters what the newest scene holds, but for the cards that were seen."""
    kept = {name: each for name, each in campaign.scene.as_json().items() if name != "dealt"}
    return sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:16]


def settled(campaign: Campaign, page: str) -> Entry:
    """Settle a page with the first suggestion for what has one."""
    answer = campaign.page(page).answer
    words = [each.as_json() for each in answer.suggestions if each.form == "opposition_advantage"][:1]
    choice: Json = {"branch": "serious_cost", "suggestions": words} if words else {"branch": "fail"}
    return campaign.settle(page, choice)


def turn(campaign: Campaign, chance: Random) -> Entry | None:
    """Write something; None: nothing can be written that way just now."""
    page = chance.choice([*campaign.pages[-3:], None])
    number = chance.randrange(10**9)
    deeds: list[tuple[int, Callable[[], Entry]]] = [
        (4, lambda: settled(campaign, campaign.suggest(ACTION, source="deck").id)),
        (2, lambda: settled(campaign, page.id if page else "p1")),
        (3, lambda: campaign.move({"type": "aspect", "name": f"Loose Stone {number}"})),
        (1, lambda: campaign.move({"type": "scene", "summary": f"Cellar {number}"})),
        (4, lambda: campaign.note(f"Remember {number}. " + "The wind turns. " * chance.randrange(30))),
        (4, campaign.undo),
        (3, campaign.redo),
        (1, lambda: campaign.strike(page.id if page else None)),
    ]
    deed = chance.choices([each for _, each in deeds], [weight for weight, _ in deeds])[0]
    try:
        return deed()
    except NarratorError as error:
        if error.code in ("nothing_to_undo", "page_closed", "stale_scene", "unknown_page", "bad_request", "bad_choice"):
            return None
        raise


def tell(**told: Any) -> None:
    """Tell a line, whole: so short a piece is not cut off by any end."""
    os.write(1, f"{json.dumps(told)}\n".encode())


def play(file: str, seed: int) -> None:
    """Write for ever."""
    tell(at="opening")
    campaign, chance = open_campaign(file, scene=SCENE), Random(seed)
    tell(at="open")
    while True:
        if entry := turn(campaign, chance):
            tell(seq=entry.seq, revision=entry.revision, digest=digest(campaign))


def write(file: str, text: str, revision: int) -> None:
    """Write once, on one revision alone."""
    try:
        tell(seq=open_campaign(file).note(text, expect_revision=revision).seq)
    except NarratorError as error:
        tell(refused=error.code, missed=[each["seq"] for each in error.missed])


def flood(file: str, by: int, number: int) -> None:
    """Write so many times, each sent twice by its key; every fifth takes back what was last, whoever wrote it."""
    campaign = open_campaign(file)
    for each in range(number):
        key = f"{by}-{each}"
        made = [campaign.undo(key=key) if each % 5 == 4 else campaign.note(key, key=key) for _ in range(2)]
        tell(key=key, seqs=[entry.seq for entry in made], kind=made[0].kind)


def reap() -> None:
    """Wait for one that was forked to end, and tell how it did."""
    pid, status = os.wait()
    tell(ended=pid, code=os.waitstatus_to_exitcode(status))


DEEDS: dict[str, Callable[..., None]] = {each.__name__: each for each in (play, write, flood)}


def main() -> None:
    """Do what each line says, in a process of its own."""
    narrator.suggest({"action": ACTION}, source="deck")
    for line in sys.stdin:
        told = json.loads(line)
        if (do := told.pop("do")) == "reap":
            reap()
        elif pid := os.fork():
            tell(pid=pid)
        else:
            try:
                DEEDS[do](**told)
                os._exit(0)
            except BaseException:
                tell(failed=traceback.format_exc())
                os._exit(1)


if __name__ == "__main__":
    main()
