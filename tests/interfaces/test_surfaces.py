"""Every surface there is: it writes each result of each call, and whatever anybody wrote stays text on it."""

import json
import re
from functools import partial
from io import StringIO
from itertools import count
from pathlib import Path
from typing import Any, get_args

import pytest

from narrator import calls
from narrator.api import reading
from narrator.api.scenes import Rulesets
from narrator.interfaces import pages
from narrator.interfaces.asked import Asked
from narrator.interfaces.naming import known_rulesets
from narrator.render import surfaces
from narrator.render.lines import Answered, Line, Role, line
from narrator.rules.model import Model
from narrator.suggestions.answer import Answer
from tests.interfaces.running import HARBOUR, Json, having, page, run, said, usage

HOSTILE = (
    "[bold red]x[/] \x1b[31m\x9b2J\x07\u202e **b** __i__ *i* `c` ~~s~~ ||p|| [l](http://x.yz) ![p](q) <b>&lt;</b> "
    "<@1> [B]z[/b] @everyone #1 :tada: www.x.yz $m$ \"q\" 'a' \\n \t\r\n\n# t\n- i\n1. n\n> q\n\u2028"
)
"""What some terminal, chat, wiki or program takes for more than text."""


def place(number: int) -> str:
    """A name; where it stands, anybody's words may stand."""
    return f"q{number}xx{number}q"


PLACE = re.compile(r"(q\d+x)(x\d+q)", re.IGNORECASE)
TAKEN = re.compile(r"(q(\d+)x)(.*?)(x\2q)", re.IGNORECASE | re.DOTALL)

ANN, BOB, FOG, EDGE, SKILL, INTENT, HALL, TRACK, SIDE, NOTE, NAME, DETAIL, HARM = map(place, range(13))

REQUEST: Json = {
    "scene": {
        "summary": place(13),
        "tone": place(14),
        "zones": [{"name": HALL}],
        "characters": [
            {
                "name": ANN,
                "side": SIDE,
                "importance": "pc",
                "zone": HALL,
                "skills": {SKILL: 1},
                "aspects": [EDGE],
                "stress": {TRACK: {"boxes": [1, 2], "marked": [1]}},
                "consequences": [{"severity": "mild", "name": HARM}, {"severity": "moderate"}],
            },
            {"name": BOB, "side": place(15), "skills": {SKILL: 2}, "zone": HALL, "fate_points": 2},
        ],
        "aspects": [{"name": FOG, "free_invocations": {ANN: 1, BOB: 1}}],
    },
    "action": {
        "type": "overcome",
        "actor": ANN,
        "intent": INTENT,
        "skill": SKILL,
        "roll": {"dice": [1, 0, 0, -1]},
        "invocations": [{"aspect": EDGE, "pay": "fate_point"}],
        "opposition": {"kind": "active", "by": BOB, "skill": SKILL, "roll": {"dice": [1, 1, 1, 0]}},
    },
    "seed": 1,
}
ACTION = REQUEST["action"]
UNOPPOSED = {**REQUEST, "action": {**ACTION, "opposition": {"kind": "passive", "rating": 2}}}
STRUCK = {"type": "attack", "actor": ANN, "target": BOB, "outcome": "succeed", "shifts": 1}
ATTACK = {**REQUEST, "action": STRUCK}
CANDIDATE = {
    "slot": "serious_cost",
    "form": "new_opposition",
    "name": "The Night Clerk",
    "detail": "He writes it down.",
}
CHOSEN = {"branch": "serious_cost", "suggestions": [CANDIDATE]}

PAYLOADS: dict[str, list[Json]] = {
    "resolve": [{"request": REQUEST}, {"request": UNOPPOSED}, {"request": ATTACK}],
    "suggest": [{"request": REQUEST}, {"request": ATTACK}],
    "prepare": [{"request": REQUEST}],
    "word": [
        {"request": {"scene": REQUEST["scene"], "kind": "consequence", "about": REQUEST["action"]["actor"]}},
        {"request": {"scene": REQUEST["scene"], "kind": "situation_aspect"}},
    ],
    "odds": [{"request": REQUEST}],
    "reach": [{"request": REQUEST}],
    "check": [
        {"request": REQUEST, "candidate": CANDIDATE},
        {"request": REQUEST, "candidate": {**CANDIDATE, "form": NAME, "slot": DETAIL}},
    ],
    "violations": [
        {"request": REQUEST, "candidate": CANDIDATE},
        {"request": REQUEST, "candidate": {**CANDIDATE, "form": NAME}},
    ],
    "settle": [{"request": REQUEST, "choice": CHOSEN}, {"request": REQUEST, "choice": {"branch": "fail"}}],
    "apply": [{"request": REQUEST, "choice": CHOSEN}],
    "turn_order": [{"request": {"scene": REQUEST["scene"], "approach": SKILL}}],
    "lines": [
        {"request": {"scene": {"lines": [place(16), f"{place(17)}, gore"], "veils": [place(18)]}}},
        {"request": {"scene": {}}},
    ],
    "table": [{"request": {"action": "parley", "ruleset": "harbour-nights"}}, {"request": {"action": "attack"}}],
    "rulesets": [{}],
}


@pytest.fixture(autouse=True)
def house_ruleset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ruleset of the user's own, in which every label and title is a place."""
    monkeypatch.setenv("NARRATOR_CONFIG", str(tmp_path))
    folder = tmp_path / "rulesets"
    folder.mkdir()
    places = map(place, count(100))
    text = re.sub(r'(?<=label = |title = )"[^"]*"', lambda _: f'"{next(places)}"', HARBOUR.read_text("utf-8"))
    (folder / HARBOUR.name).write_text(text, "utf-8")
    return folder / HARBOUR.name


def spoilt(value: Any) -> Any:
    """The same, with something hostile in every place."""
    match value:
        case str():
            return PLACE.sub(lambda found: f"{found[1]}{HOSTILE}{found[2]}", value)
        case dict():
            return {spoilt(name): spoilt(each) for name, each in value.items()}
        case list():
            return [spoilt(each) for each in value]
    return value


def worded(result: Any) -> Any:
    """The same, with a place wherever a model may have written, or is named."""
    match result:
        case {"detail": str(), **rest}:
            return {**rest, "name": NAME, "detail": DETAIL, **({"source": NOTE} if "source" in rest else {})}
        case dict():
            return {name: worded(each) for name, each in result.items()}
        case list():
            return [worded(each) for each in result]
    return result


def read_back(asked: Asked, told: Json) -> Model:
    """What a call gives, out of its JSON; that does not say what it is the answer to, which its page wants to know."""
    result = calls.model_of(asked.payload["call"]).gives.model_validate(told, strict=False)
    return result.by(reading.ruled(asked.request, asked.rulesets)) if isinstance(result, Answer) else result


def written(surface: str, asked: Asked, result: Model) -> str:
    """What a surface writes."""
    out = StringIO()
    surfaces.write(surface, Answered(result, partial(pages.page, result, asked)), out)
    return out.getvalue()


EVERY = [(call, number) for call, payloads in PAYLOADS.items() for number in range(len(payloads))]


@pytest.mark.parametrize("surface", surfaces.names())
@pytest.mark.parametrize(("call", "number"), EVERY, ids=[f"{call} {number}" for call, number in EVERY])
def test_what_anybody_wrote_stays_text(surface: str, call: str, number: int, house_ruleset: Path) -> None:
    """In every place, of every call: the answer around it is as it was, and it is everywhere written in one way."""
    asked = Asked({"call": call, **PAYLOADS[call][number]}, tuple(known_rulesets()[0]), (NOTE,))
    found = worded(asked.call.make(rulesets=asked.rulesets).as_json())
    harmless = written(surface, asked, read_back(asked, found))

    text = house_ruleset.read_text("utf-8")
    house_ruleset.write_text(PLACE.sub(lambda at: f"{at[1]}{json.dumps(HOSTILE)[1:-1]}{at[2]}", text), "utf-8")
    asked = Asked({"call": call, **spoilt(PAYLOADS[call][number])}, tuple(known_rulesets()[0]), (spoilt(NOTE),))
    hostile = written(surface, asked, read_back(asked, spoilt(found)))

    assert " ".join(TAKEN.sub(r"\1\4", hostile).split()) == " ".join(harmless.split())
    assert len({" ".join(each[3].split()).casefold() for each in TAKEN.finditer(hostile)}) <= 1
    assert [char for char in hostile if not char.isprintable() and char not in "\n\u200b"] == []


@pytest.mark.parametrize("surface", [each for each in surfaces.names() if each != "json"])
@pytest.mark.parametrize(("call", "number"), EVERY, ids=[f"{call} {number}" for call, number in EVERY])
def test_every_word_of_the_page_is_written(surface: str, call: str, number: int) -> None:
    """None is left out, and they come in their order."""
    asked = Asked({"call": call, **PAYLOADS[call][number]}, tuple(known_rulesets()[0]), (NOTE,))
    result = asked.call.make(rulesets=asked.rulesets)
    page = "\n".join(span.text for each in pages.page(result, asked) for span in each.spans)
    wanted, told = re.findall(r"[^\W_]+", page), iter(re.findall(r"[^\W_]+", written(surface, asked, result)))

    assert wanted
    assert [word for word in wanted if word not in told] == []


def test_every_surface_says_what_it_is() -> None:
    """In one line, which the help shows; what begins with an underscore is no surface."""
    assert [name for name in surfaces.names() if not surfaces.about(name) or name.startswith("_")] == []


def test_every_call_is_written_here() -> None:
    """And on every one there is some place, but for those that name what comes with narrator."""
    assert list(PAYLOADS) == list(calls.CALLS)


def marked(surface: str, *spans: str | tuple[str, Role], indent: int, out: StringIO) -> str:
    """A page of one line, as a surface writes it."""
    page: tuple[Line, ...] = (line(*spans, indent=indent),)
    surfaces.write(surface, Answered(Rulesets(rulesets=()), lambda: page), out)
    return out.getvalue().rstrip("\n")


class Terminal(StringIO):
    """What takes colours."""

    def isatty(self) -> bool:
        """It says so."""
        return True


@pytest.mark.parametrize("out", [StringIO, Terminal])
@pytest.mark.parametrize("indent", [0, 5])
@pytest.mark.parametrize("role", get_args(Role))
@pytest.mark.parametrize("surface", surfaces.names())
def test_no_text_passes_for_more(
    surface: str, role: Role, indent: int, out: type[StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a surface puts around a word, a line or the page does not come out of somebody's text as it went in."""
    monkeypatch.setenv("TERM", "xterm-256color")
    around = marked(surface, ("word", role), indent=indent, out=out()).split("word")
    for mark in (each.strip() for part in around for each in part.splitlines() if len(each.strip()) > 1):
        told, bare = (marked(surface, text, indent=indent, out=out()) for text in (f"{mark}word{mark}", "word"))
        assert told.count(mark) == bare.count(mark), f"{mark!r} in somebody's text is not escaped"


@pytest.mark.parametrize("command", having("--format"))
def test_every_command_writes_every_format(command: str) -> None:
    """Its help names each with what it is, and wrong usage tells them all."""
    told = said(run(*command.split(), "--help").out.replace("│", " "))

    assert [name for name in surfaces.names() if f"{name}: {surfaces.about(name)}" not in told] == []
    assert ", ".join(surfaces.names()) in usage(*command.split(), "--format", "stone tablets")


USUAL: dict[str, tuple[str, ...]] = {"page": (), "json": ("--json",)}


@pytest.mark.parametrize("surface", surfaces.names())
def test_a_format_is_what_its_surface_writes(surface: str) -> None:
    """Without one it is the page, and `--json` is short for the object."""
    asked = Asked(calls.unread({"action": "parley", "ruleset": "harbour-nights"}, call="table"))
    words = ("table", "parley", "--ruleset", "harbour-nights")
    told = page(*words, "--format", surface)

    assert told == written(surface, asked, asked.call.make())
    assert surface not in USUAL or told == page(*words, *USUAL[surface])


@pytest.mark.parametrize("surface", surfaces.names())
def test_one_format_is_asked_for(surface: str) -> None:
    """`--json` beside another one is wrong usage: neither passes for the other in silence."""
    words = ("table", "attack", "--json", "--format", surface)

    if surface == "json":
        assert page(*words) == page("table", "attack", "--json")
    else:
        assert f"--json is --format json, and not {surface}" in usage(*words)


@pytest.mark.parametrize("surface", surfaces.names())
def test_a_refusal_is_an_object_for_programs_and_one_line_for_people(surface: str) -> None:
    """On whatever an answer would have been written."""
    ended = run("resolve", "overcome", "--actor", "Ann", "--dice", "x", "--format", surface)
    if surface == "json":
        assert (ended.code, ended.json["error"]["code"], ended.err) == (1, "bad_dice", "")
    else:
        assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
