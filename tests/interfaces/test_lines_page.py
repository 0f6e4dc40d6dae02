"""What each line and veil of a scene will catch: in Python, for a macro and on the command line."""

from pathlib import Path

import pytest

import narrator
from narrator import vtt
from narrator.rules.json_text import Json
from tests.interfaces.running import kept, made, page, refusal, said
from tests.validation.judged import crosses

OWN = "Grandma Ilse"
SCENE: Json = {"lines": ["spiders", OWN, "harm to children"], "veils": ["torture", "spiders"]}
REQUEST: Json = {"scene": SCENE, "action": {"type": "overcome", "actor": "Iva"}, "seed": 1}

FILES: dict[str, Json] = {
    "scene": SCENE,
    "scene in a file": {"scene": SCENE, "ruleset": "war-of-ashes"},
    "request": REQUEST,
    "page": {"request": REQUEST, "answer": {}},
}


@pytest.mark.parametrize("around", FILES)
def test_every_door_says_the_same(tmp_path: Path, around: str) -> None:
    """Python, a macro, and the command line on any file with a scene; the lines first, each once."""
    found = narrator.lines(SCENE)

    assert [each.line for each in found.lines] == ["spiders", OWN, "harm to children", "torture"]
    assert found == narrator.lines(narrator.Scene.read(SCENE))
    assert found.as_json() == vtt.run({"call": "lines", "request": {"scene": SCENE}})
    assert found.as_json() == made("lines", kept(tmp_path, "any.json", FILES[around]))


def test_every_example_is_refused_for_its_line() -> None:
    """By the check's own reading; up to three, and a line that is a theme has some."""
    found = narrator.lines(SCENE).lines
    shown = [(text, each.line) for each in found for text in each.examples]

    assert {each.line for each in found if not each.examples} == {OWN}
    assert max(len(each.examples) for each in found) == 3
    assert [(text, line) for text, line in shown if crosses(text, [line]) != line] == []


def test_the_page_tells_themes_words_and_examples(tmp_path: Path) -> None:
    """A line of the table's own that reaches little says so, and where to add words."""
    file = kept(tmp_path, "scene.json", SCENE)
    told = {part.split("\n")[0]: said(part) for part in page("lines", file).split("\n\n")}
    found = narrator.lines(SCENE).lines[2]

    assert [*told] == ["spiders", OWN, "harm to children", "torture"]
    assert told[OWN] == (
        f"{OWN} No theme that narrator knows: it catches only its own and related words. Catches: grandma near ilse "
        "It refuses no example that comes with narrator, so it catches little. "
        f'Add words, separated by commas: "{OWN}, …".'
    )
    told_of = f"{found.line} Themes: harm to children Catches: {' '.join(found.catches)} Refused, for example: "
    assert told[found.line] == told_of + " ".join(f'"{text}"' for text in found.examples)


@pytest.mark.parametrize("line", ["蜘蛛", "the", "animal death"])
def test_every_line_catches_something(line: str) -> None:
    """Also one that is written without blanks, one of idle words, and a theme without words of its own."""
    (found,) = narrator.lines({"lines": [line]}).lines

    assert found.catches
    assert not any(each.endswith(": ") for each in found.catches)


def test_a_scene_without_lines_says_so() -> None:
    """In a sentence; a file without a scene is refused in a line."""
    told = page("lines", given='{"scene": {}}')

    assert told == "This scene has no lines and no veils, so nothing is kept out.\n"
    assert "it has no scene" in refusal("lines", given='{"action": {}}')
