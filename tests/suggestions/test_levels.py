"""Words for a consequence of several levels: each is asked for once before any comes again."""

import json
from collections.abc import Iterator

import narrator
from tests.rules.test_inflicted import strike

NAMES = ("Split Lip", "Cut Ear", "Black Eye", "Broken Arm")


class Mild:
    """A source that finds nothing but mild ones, and keeps what it was asked for."""

    label, is_local, is_deterministic = "mild", True, False

    def __init__(self) -> None:
        self.asked: list[tuple[tuple[str, ...] | None, int]] = []

    def stream(self, brief: narrator.Brief, seconds: float) -> Iterator[str]:
        """Three of them, each time."""
        self.asked += [(slot.forms[0].severities, how_many) for slot, how_many in brief.wanted]
        for name in NAMES[:3]:
            words = {"severity": "mild", "name": name, "detail": f"{name}, and it stings."}
            yield json.dumps({"slot": "consequence", "form": "inflicted_consequence", "to": "Xan", **words})


def test_a_level_that_came_is_not_asked_for_again() -> None:
    """One of it is taken, the others are wanted next, and what never comes is the deck's."""
    source = Mild()
    answer = narrator.suggest(strike(2), source=source, repairs=1)

    assert source.asked == [(("mild", "moderate", "severe"), 3), (("moderate", "severe"), 2)]
    assert [(each.severity, each.source) for each in answer.suggestions] == [
        ("mild", "mild"),
        ("moderate", "deck"),
        ("severe", "deck"),
    ]
