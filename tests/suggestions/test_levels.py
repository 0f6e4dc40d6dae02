"""Words for a consequence of several levels: each is asked for once before any comes again."""

import narrator
from tests.fake_sources import Scripted
from tests.rules.test_inflicted import strike
from tests.scripted_server import suggestions


def test_a_level_that_came_is_not_asked_for_again() -> None:
    """One of it is taken, the others are wanted next, and what never comes is the deck's."""
    mild = [
        {"slot": "consequence", "form": "inflicted_consequence", "to": "Xan", "severity": "mild"}
        | {"name": name, "detail": f"{name}, and it stings."}
        for name in ("Split Lip", "Cut Ear", "Black Eye")
    ]
    source = Scripted([suggestions(*mild)], [suggestions(*mild)])
    answer = narrator.suggest(strike(2), source=source, repairs=1)
    asked = [(slot.forms[0].severities, how_many) for brief in source.briefs for slot, how_many in brief.wanted]
    assert asked == [(("mild", "moderate", "severe"), 3), (("moderate", "severe"), 2)]
    found = [(each.severity, each.source) for each in answer.suggestions]
    assert found == [("mild", source.label), ("moderate", "deck"), ("severe", "deck")]
