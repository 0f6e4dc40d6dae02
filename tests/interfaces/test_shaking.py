"""`suggest --prepare`, as somebody at the table types: odds, faces, invocations, and words once the roll stands."""

import json
from pathlib import Path

import pytest

from narrator.rules.json_text import Json
from tests.interfaces.running import Ended, kept, made, refusal, run, usage
from tests.scripted_server import Reply, ScriptedServer

REQUEST: Json = {
    "scene": {
        "aspects": [{"name": "Torchlit Gate", "free_invocations": {"Cynere": 1}}],
        "characters": [
            {"name": "Cynere", "side": "pc", "importance": "pc", "skills": {"Resources": 1}, "fate_points": 1},
            {"name": "Gate Guards", "side": "opposition", "skills": {"Will": 0}},
        ],
    },
    "action": {
        "type": "overcome",
        "actor": "Cynere",
        "skill": "Resources",
        "intent": "bribe the guards",
        "opposition": {"kind": "active", "by": "Gate Guards", "skill": "Will"},
    },
    "deal": 3,
}
WORDS = ("SOMEBODY NEW", "THEIR EDGE", "ON CYNERE", "A CLOSE CALL", "IT TAKES ITS TOLL", "A DETAIL")


@pytest.fixture
def file(tmp_path: Path) -> str:
    """The request in a file."""
    return kept(tmp_path, "request.json", REQUEST)


def typed(file: str, *lines: str, more: tuple[str, ...] = ()) -> Ended:
    """What comes of these lines."""
    return run("suggest", file, "--prepare", *more, given="".join(f"{each}\n" for each in lines))


def test_odds_come_first_and_words_last(file: str) -> None:
    """The odds before the first question; no word before the roll stands; then the page with them, and nothing else."""
    ended = typed(file, "- 0 - -", "2", "")
    assert ended.code == 0
    assert ended.err.index("6561") < ended.err.index("Your dice") < ended.err.index("in reach")
    assert not any(each in ended.err for each in WORDS)
    assert ended.out.startswith("CYNERE  bribe the guards")
    assert "FAIL BY 4" in ended.out
    assert any(each in ended.out for each in WORDS)


CHANGED = {
    "an invocation by its number": (("- 0 - -", "0", "1", ""), ("Torchlit Gate +2", "TIE", "minor cost")),
    "a reroll with its faces": (("- 0 - -", "3", "1r", "+ + + 0", ""), ("+ + + 0", "rolled again", "SUCCEED")),
}


@pytest.mark.parametrize(("answers", "told"), CHANGED.values(), ids=CHANGED)
def test_an_invocation_leads_to_another_row(file: str, answers: tuple[str, ...], told: tuple[str, ...]) -> None:
    """The roll is shown again with it, and the words are for what it comes to then."""
    ended = typed(file, *answers)
    assert (ended.code, [each for each in told if each not in ended.out]) == (0, [])


def test_enter_rolls_here(file: str) -> None:
    """Twice with the same seed: the same roll, and the same words."""
    first, second = (typed(file, "", "", "", more=("--seed", "7")) for _ in range(2))
    assert first.code == 0
    assert first.out == second.out


def test_what_cannot_be_read_is_asked_again(file: str) -> None:
    """With what is wrong, in a line each."""
    ended = typed(file, "+ + 7", "- 0 - -", "much", "2", "0", "99", "x", "9" * 5_000, "")
    assert ended.code == 0
    assert ended.err.count("narrator: ") == 6


def test_whoever_leaves_ends_it(file: str) -> None:
    """Without a traceback, and with nothing on standard output."""
    for lines in ((), ("- 0 - -",), ("- 0 - -", "2")):
        ended = typed(file, *lines)
        assert (ended.code, ended.out) == (1, "")
        assert "Traceback" not in ended.err


def test_programs_get_the_object_alone(file: str) -> None:
    """The answer with the words, on standard output."""
    answer = json.loads(typed(file, "- 0 - -", "2", "", more=("--json",)).out)
    assert answer["resolution"]["outcome"] == "fail"
    assert len(answer["suggestions"]) == 3
    assert answer["deal"] == 3


def test_it_is_kept_to_be_settled(file: str, tmp_path: Path) -> None:
    """With the faces as they fell and every invocation."""
    saved = str(tmp_path / "kept.json")
    assert typed(file, "- 0 - -", "2", "1", "", more=("--save", saved)).code == 0
    assert made("settle", saved, "f")["scene"]["aspects"][0].get("free_invocations", {}) == {}


def test_what_is_rolled_already_is_no_business_of_it(file: str) -> None:
    """Nor does a request come where the faces come from."""
    for option in (("--dice", "+ 0 0 -"), ("--fail",), ("--total", "3")):
        assert "before the roll" in usage("suggest", file, "--prepare", *option)
    assert "--show-prompt" in usage("suggest", file, "--prepare", "--show-prompt")
    assert "standard input" in usage("suggest", "-", "--prepare", given="{}")


def test_a_request_that_is_wrong_is_refused_at_once(tmp_path: Path) -> None:
    """Before anybody is asked for faces."""
    path = kept(tmp_path, "wrong.json", {"action": {**REQUEST["action"], "type": "sing"}})
    assert "unsupported_action" in refusal("suggest", path, "--prepare")


def test_what_was_asked_before_the_roll_counts_on_the_page(file: str) -> None:
    """Calls, and what went wrong with them: nobody is told that nothing was sent."""
    with ScriptedServer(Reply("no words", usage=(420, 84, 0)), Reply("none", usage=(420, 84, 0))) as server:
        more = ("--model", "tiny", "--base-url", server.base_url, "--json")
        ended = typed(file, "+ + + +", "2", "", more=more)
        asked = len(server.requests)
    assert ended.code == 0
    assert asked > 0
    assert json.loads(ended.out)["usage"]["calls"] == asked
