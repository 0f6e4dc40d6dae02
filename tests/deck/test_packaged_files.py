"""The deck's own data files and the themes: loading checks each, and names the line of what is wrong."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from importlib.resources import files
from typing import get_args

import pytest

from narrator import NarratorError
from narrator.deck.activity import activities
from narrator.deck.cards import packaged, packaged_for
from narrator.deck.people import names
from narrator.deck.setting import scene_words, story
from narrator.errors import Code
from narrator.rules import toml_file
from narrator.rules.card import ACTIVITIES, STORIES, Family
from narrator.validation.themes import themes_file
from tests.deck.decks import forms

LOADERS: dict[str, Callable[[], object]] = {
    "deck/activities.toml": activities.__wrapped__,
    "deck/names.toml": names.__wrapped__,
    "deck/scene.toml": scene_words.__wrapped__,
    "validation/themes.toml": themes_file,
    **{f"deck/stories/{kind}.toml": partial(story.__wrapped__, kind) for kind in STORIES},
    **{f"deck/cards/{form}.toml": partial(packaged.__wrapped__, form) for form in forms()},
}
"""By its path in the package: what reads it afresh."""

KEY = re.compile(r"^((?:  \{ )?)(\w+) = ", re.MULTILINE)


def refused(monkeypatch: pytest.MonkeyPatch, path: str, change: Callable[[str], str]) -> NarratorError:
    """What loading says where one file is changed."""
    name, read = path.rsplit("/", 1)[-1], toml_file.read_toml

    def read_changed(model: type[toml_file.Read], text: str, place: str, code: Code) -> toml_file.Read:
        return read(model, change(text) if place == name else text, place, code)

    monkeypatch.setattr(toml_file, "read_toml", read_changed)
    with pytest.raises(NarratorError) as found:
        LOADERS[path]()
    return found.value


@pytest.mark.parametrize("form", forms())
def test_the_cards_for_a_deed_are_all_that_the_file_has_for_it(form: str) -> None:
    """Only the lines that can be dealt are parsed, and none of those is passed over."""
    whole = packaged(form)
    for deed in ("", *get_args(Family), *ACTIVITIES):
        fitting = tuple(card for card in whole.cards if (deed in card.activities if deed else not card.activities))
        assert packaged_for(form, deed) == whole.model_copy(update={"cards": fitting})


def test_every_file_is_tried_here() -> None:
    """All that lies in the deck, and what stands by the check but for its lexicons."""

    def below(folder: str) -> Iterator[str]:
        for each in (files("narrator") / folder).iterdir():
            if each.is_dir() and each.name != "lexicon":
                yield from below(f"{folder}/{each.name}")
            elif each.name.endswith(".toml"):
                yield f"{folder}/{each.name}"

    assert {*below("deck"), *below("validation")} == LOADERS.keys()


@pytest.mark.parametrize("path", LOADERS)
def test_a_key_that_is_misspelt_is_refused_with_its_line(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """The last of each file; it is our own fault, and nobody else's."""
    lines: list[int] = []

    def misspell(text: str) -> str:
        *_, last = KEY.finditer(text)
        lines.append(text.count("\n", 0, last.start()) + 1)
        return f"{text[: last.end(2)]}x{text[last.end(2) :]}"

    found = refused(monkeypatch, path, misspell)
    assert (found.code, found.field) == ("internal_error", f"{path.rsplit('/', 1)[-1]}:{lines[0]}")


@pytest.mark.parametrize(
    ("path", "right", "wrong", "told"),
    [
        ("deck/activities.toml", "[activities.swim]", "[activities.swimm]", "did you mean 'swim'"),
        ("deck/activities.toml", 'family = "spirit"', 'family = "spirits"', "did you mean 'spirit'"),
        ("deck/activities.toml", 'meant_by = ["Swim"]', 'meant_by = "Swim"', "this must be a list"),
        ("deck/activities.toml", 'meant_by = ["Swim"]', "meant_by = [3]", "this must be text"),
        ("deck/scene.toml", 'lock = ["lock"', 'lok = ["lock"', "did you mean 'lock'"),
        ("deck/scene.toml", 'lock = ["lock"', 'lock = [3, "lock"', "this must be text"),
        ("deck/scene.toml", 'height = ["cliff"', 'heights = ["cliff"', "did you mean 'height'"),
        ("deck/scene.toml", "[nature]", "[natures]", "did you mean nature"),
        ("deck/stories/sea.toml", 'rope = ["rope"', 'ropes = ["rope"', "did you mean 'rope'"),
        ("deck/stories/sea.toml", "tone = [", "tone = [true, ", "this must be text"),
        ("deck/names.toml", "titles = [", "title = [", "did you mean titles"),
        ("validation/themes.toml", 'words = "plummet', 'words = ["plummet"]#', "this must be text"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(
    monkeypatch: pytest.MonkeyPatch, path: str, right: str, wrong: str, told: str
) -> None:
    """What is not known, or of the wrong type; and what would have been right."""
    lines: list[int] = []

    def spoil(text: str) -> str:
        lines.append(text.count("\n", 0, text.index(right)) + 1)
        return text.replace(right, wrong, 1)

    found = refused(monkeypatch, path, spoil)
    assert found.field == f"{path.rsplit('/', 1)[-1]}:{lines[0]}"
    assert told in found.message
