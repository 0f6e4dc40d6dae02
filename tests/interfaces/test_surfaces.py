"""Every surface there is: it writes each result of each call, and whatever anybody wrote stays text on it."""

import json
import re
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from io import StringIO
from itertools import count
from pathlib import Path
from typing import Any, get_args

import pytest

from narrator.api import registry, requests
from narrator.api.lookups import Rulesets
from narrator.api.requests import known_rulesets
from narrator.cli import call_views
from narrator.cli.typed_call import TypedCall
from narrator.render import surfaces
from narrator.render.view import Answered, Line, Role, line
from narrator.rules.json_text import Json
from narrator.rules.model import Model
from narrator.suggestions.pipeline.answer import Answer
from tests.interfaces.running import HARBOUR, having, page, run, said, usage
from tests.payloads import CANDIDATE, PAYLOADS, REQUEST, SCENE

HOSTILE = (
    "[bold red]x[/] \x1b[31m\x9b2J\x07\u202e **b** __i__ *i* `c` ~~s~~ ||p|| [l](http://x.yz) ![p](q) <b>&lt;</b> "
    "<@1> [B]z[/b] @everyone #1 :tada: www.x.yz $m$ \"q\" 'a' \\n \t\r\n\n# t\n- i\n1. n\n> q\n\u2028"
)
"""What some terminal, chat, wiki or program takes for more than text."""


NUMBERS = defaultdict[str, int](count().__next__)


def place(words: str) -> str:
    """A name in place of these words; where it stands, anybody's words may stand."""
    return f"q{NUMBERS[words]}xx{NUMBERS[words]}q"


def rewritten(value: Any, text: Callable[[str], str], words: Callable[[Json], Json] | None = None) -> Any:
    """The same, with each text in it written anew; or each object of words, such as a model says, as a whole."""
    match value:
        case {"detail": str()} if words is not None:
            return words(value)
        case str():
            return text(value)
        case dict():
            return {text(name): rewritten(each, text, words) for name, each in value.items()}
        case list():
            return [rewritten(each, text, words) for each in value]
    return value


def with_places(payload: Json) -> Any:
    """A payload with a place for whatever users write in it, but for words that are judged: these have to be sound."""
    return rewritten(payload, lambda told: place(told) if told[:1].isupper() else told, lambda words: words)


PLACE = re.compile(r"(q\d+x)(x\d+q)", re.IGNORECASE)
TAKEN = re.compile(r"(q(\d+)x)(.*?)(x\2q)", re.IGNORECASE | re.DOTALL)
NAME, DETAIL, NOTE = map(place, ("name", "detail", "note"))

UNOPPOSED = {**REQUEST, "action": {**REQUEST["action"], "opposition": {"kind": "passive", "rating": 2}}}
ATTACK = {**REQUEST, "action": {"type": "attack", "actor": "Ann", "target": "Bob", "outcome": "succeed", "shifts": 1}}

PAGES: dict[str, Json] = {
    **PAYLOADS,
    "resolve unopposed": {"call": "resolve", "request": UNOPPOSED},
    "resolve an attack": {"call": "resolve", "request": ATTACK},
    "suggest for an attack": {"call": "suggest", "request": ATTACK},
    "word of a consequence": {"call": "word", "request": {"scene": SCENE, "kind": "consequence", "about": "Ann"}},
    "word of the scene": {"call": "word", "request": {"scene": SCENE, "kind": "situation_aspect"}},
    "check refused": {"call": "check", "request": REQUEST, "candidate": {**CANDIDATE, "form": NAME, "slot": DETAIL}},
    "violations found": {"call": "violations", "request": REQUEST, "candidate": {**CANDIDATE, "form": NAME}},
    "settle a failure": {"call": "settle", "request": REQUEST, "choice": {"branch": "fail"}},
    "lines of two words": {"call": "lines", "request": {"scene": {"lines": [f"{place('line')}, gore"]}}},
    "lines of none": {"call": "lines", "request": {"scene": {}}},
    "table of a house": {"call": "table", "request": {"action": "parley", "ruleset": "harbour-nights"}},
}
"""Every call, and those of their pages that look otherwise."""


@pytest.fixture(autouse=True)
def house_ruleset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ruleset of the user's own, in which every label and title is a place."""
    monkeypatch.setenv("NARRATOR_CONFIG", str(tmp_path))
    folder = tmp_path / "rulesets"
    folder.mkdir()
    text = re.sub(r'(?<=label = |title = )"[^"]*"', lambda found: f'"{place(found[0])}"', HARBOUR.read_text("utf-8"))
    (folder / HARBOUR.name).write_text(text, "utf-8")
    return folder / HARBOUR.name


def spoilt(value: Any) -> Any:
    """The same, with something hostile in every place."""
    return rewritten(value, lambda told: PLACE.sub(lambda found: f"{found[1]}{HOSTILE}{found[2]}", told))


def worded(result: Any) -> Any:
    """The same, with a place wherever a model may have written, or is named."""
    said = {"name": NAME, "detail": DETAIL, "source": NOTE}
    return rewritten(result, str, lambda words: words | {name: said[name] for name in said if name in (*words, "name")})


def read_back(asked: TypedCall, told: Json) -> Model:
    """What a call gives, out of its JSON; that does not say what it is the answer to, which its page wants to know."""
    result = registry.model_of(asked.payload["call"]).gives.model_validate(told, strict=False)
    return result.by(requests.ruled(asked.request, asked.rulesets)) if isinstance(result, Answer) else result


def written(surface: str, asked: TypedCall, result: Model) -> str:
    """What a surface writes."""
    out = StringIO()
    surfaces.write(surface, Answered(result, partial(call_views.view_of, result, asked)), out)
    return out.getvalue()


def asked_for(payload: Json, note: str = NOTE) -> TypedCall:
    """What was asked with a payload, on a page that has a note."""
    return TypedCall(payload, tuple(known_rulesets()[0]), (note,))


@pytest.mark.parametrize("surface", surfaces.surfaces())
@pytest.mark.parametrize("page", PAGES)
def test_what_anybody_wrote_stays_text(surface: str, page: str, house_ruleset: Path) -> None:
    """In every place, of every call: the answer around it is as it was, and it is everywhere written in one way."""
    payload = with_places(PAGES[page])
    asked = asked_for(payload)
    found = worded(asked.call.make(rulesets=asked.rulesets).as_json())
    harmless = written(surface, asked, read_back(asked, found))

    text = house_ruleset.read_text("utf-8")
    house_ruleset.write_text(PLACE.sub(lambda at: f"{at[1]}{json.dumps(HOSTILE)[1:-1]}{at[2]}", text), "utf-8")
    asked = asked_for(spoilt(payload), spoilt(NOTE))
    hostile = written(surface, asked, read_back(asked, spoilt(found)))

    assert " ".join(TAKEN.sub(r"\1\4", hostile).split()) == " ".join(harmless.split())
    assert len({" ".join(each[3].split()).casefold() for each in TAKEN.finditer(hostile)}) <= 1
    assert [char for char in hostile if not char.isprintable() and char not in "\n\u200b"] == []


@pytest.mark.parametrize("surface", [each for each in surfaces.surfaces() if each != "json"])
@pytest.mark.parametrize("page", PAGES)
def test_every_word_of_the_page_is_written(surface: str, page: str) -> None:
    """None is left out, and they come in their order."""
    asked = asked_for(PAGES[page])
    result = asked.call.make(rulesets=asked.rulesets)
    text = "\n".join(span.text for each in call_views.view_of(result, asked) for span in each.spans)
    wanted, told = re.findall(r"[^\W_]+", text), iter(re.findall(r"[^\W_]+", written(surface, asked, result)))

    assert wanted
    assert [word for word in wanted if word not in told] == []


def test_every_surface_says_what_it_is() -> None:
    """In one line, which the help shows; what begins with an underscore is no surface."""
    assert [name for name in surfaces.surfaces() if not surfaces.about(name) or name.startswith("_")] == []


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
@pytest.mark.parametrize("surface", surfaces.surfaces())
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

    assert [name for name in surfaces.surfaces() if f"{name}: {surfaces.about(name)}" not in told] == []
    assert ", ".join(surfaces.surfaces()) in usage(*command.split(), "--format", "stone tablets")


@pytest.mark.parametrize("surface", surfaces.surfaces())
def test_a_format_is_what_its_surface_writes(surface: str) -> None:
    """Without one it is the page, and `--json` is short for the object."""
    asked = TypedCall(registry.named_payload({"action": "parley", "ruleset": "harbour-nights"}, call="table"))
    words = ("table", "parley", "--ruleset", "harbour-nights")
    told = page(*words, "--format", surface)

    assert told == written(surface, asked, asked.call.make())
    if surface in ("page", "json"):
        assert told == page(*words, *(["--json"] if surface == "json" else []))


def test_one_format_is_asked_for() -> None:
    """`--json` beside another one is wrong usage: neither passes for the other in silence."""
    table = ("table", "attack", "--json", "--format")

    assert page(*table, "json") == page("table", "attack", "--json")
    assert "--json means --format json, not page" in usage(*table, "page")


@pytest.mark.parametrize("surface", surfaces.surfaces())
def test_a_refusal_is_an_object_for_programs_and_one_line_for_people(surface: str) -> None:
    """On whatever an answer would have been written."""
    ended = run("resolve", "overcome", "--actor", "Ann", "--dice", "x", "--format", surface)
    if surface == "json":
        assert (ended.code, ended.json["error"]["code"], ended.err) == (1, "bad_dice", "")
    else:
        assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
