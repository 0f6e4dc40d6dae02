"""A long fight, each turn in the scene that the one before led to, as a page: tests/golden/long_fight.txt."""

from collections.abc import Callable, Iterator

import pytest

from narrator.rules.json_text import Json
from tests.rolls_of_an_evening import evening
from tests.rules.accounting import Turn
from tests.rules.build import resolved

SEED = 5
TURNS = 150


def page() -> Iterator[str]:
    """Fight it out, line by line."""
    last: Json | None = None
    for turn in evening(SEED, TURNS, "war-of-ashes"):
        scene = turn.request["scene"]
        if scene is not last:
            people = (f"{each['name']} ({each['side']})" for each in scene["characters"])
            yield f"Scene, {scene['frame'] or 'of no kind'}: {', '.join(people) or 'nobody listed'}"
        yield from told(turn)
        last = turn.settled["scene"] if turn.settled else scene


def told(turn: Turn) -> Iterator[str]:
    """What was done, what was rolled, what was chosen, and what changed by it."""
    assert turn.chosen, turn.refusal
    assert turn.settled, turn.refusal
    answer = resolved(turn.request)
    action, against = answer["action"], answer["opposition"]
    deed = [action[key] for key in ("type", "variant", "maneuver", "skill") if key in action]
    yield f"  {action['actor']}: {' '.join(deed)}" + (f" on {action['target']}" if "target" in action else "")
    rolled = f"{total(answer['roll'])} against {total(against)}: " if "roll" in answer else ""
    yield f"    {rolled}{answer['outcome']} by {answer['shifts']:+d}"
    yield f"    [{turn.chosen.branch['id']}] {turn.chosen.branch['label']}"
    for each in turn.chosen.choice["suggestions"]:
        yield f"    – {each['form']} for {each.get('to', 'nobody')}: {each.get('name', '')} – {each['detail']}"
    for change in turn.settled["changes"]:
        yield f"    = {change['text']}"


def total(side: Json) -> str:
    """What a side's total is, and what it is made of."""
    dice = " ".join("-0+"[face + 1] for face in side["dice"]) if "dice" in side else side.get("kind", "told")
    parts = [f"{key} {side[key]:+d}" for key in ("skill", "bonus", "invoked", "weight") if side.get(key)]
    return f"{side['total']} ({', '.join([dice, *parts])})"


def test_a_long_fight_reads_as_it_did(golden: Callable[[str, str], None], often: Callable[[int], int]) -> None:
    """Each turn is valid in the scene before it, all comes out the same each time, and has something of everything."""
    if often(5) < 5:
        pytest.skip("so many turns take a second")
    text = "\n".join(page()) + "\n"
    words = "roar movement charge push pull full_attack full_defense weight boost knockback footwork disarm lethal"

    assert [word for word in (*words.split(), "taken out") if word not in text] == [], "choose another SEED for these"
    golden("long_fight.txt", text)
