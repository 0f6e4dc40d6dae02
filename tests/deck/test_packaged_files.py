"""The deck's own data files and the themes: loading checks each, and names the line of what is wrong."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from importlib.resources import files

import pytest

from narrator import NarratorError
from narrator.deck.context import scene_words
from narrator.deck.deck_file import DeckFile
from narrator.deck.deeds import verb_file
from narrator.deck.grammar import name_words
from narrator.errors import ErrorCode
from narrator.rules import toml_file
from narrator.rules.ruleset.card import FAMILIES
from narrator.validation.themes import families_file, themes_file

CARDS = files("narrator.deck") / "cards"
LOADERS: dict[str, Callable[[], object]] = {
    "deck/names.toml": name_words.__wrapped__,
    "deck/scene.toml": scene_words.__wrapped__,
    "deck/verbs.toml": verb_file.__wrapped__,
    "validation/themes.toml": themes_file.__wrapped__,
    "validation/families.toml": families_file.__wrapped__,
    **{
        f"deck/cards/{name}.toml": partial(toml_file.read_packaged, DeckFile, CARDS / f"{name}.toml")
        for name in ("any", *FAMILIES)
    },
}
"""By its path in the package: what reads it afresh."""

KEY = re.compile(r"^((?:  \{ )?)(\w+) = ", re.MULTILINE)


def refused(monkeypatch: pytest.MonkeyPatch, path: str, change: Callable[[str], str]) -> NarratorError:
    """What loading says where one file is changed."""
    name, read = path.rsplit("/", 1)[-1], toml_file.read_toml

    def read_changed(model: type[toml_file.FileModel], text: str, place: str, code: ErrorCode) -> toml_file.FileModel:
        return read(model, change(text) if place == name else text, place, code)

    monkeypatch.setattr(toml_file, "read_toml", read_changed)
    with pytest.raises(NarratorError) as found:
        LOADERS[path]()
    return found.value


def test_every_file_is_tried_here() -> None:
    """All that lies in the deck, and what stands by the check but for its lexicons."""

    def below(folder: str) -> Iterator[str]:
        for each in (files("narrator") / folder).iterdir():
            if each.is_dir() and each.name != "lexicon":
                yield from below(f"{folder}/{each.name}")
            elif each.name.endswith(".toml"):
                yield f"{folder}/{each.name}"

    untried = {*below("deck"), *below("validation")} ^ LOADERS.keys()
    assert not untried, f"put what reads it into LOADERS of this file, or take it out: {untried}"


@pytest.mark.parametrize("path", LOADERS)
def test_a_key_that_is_misspelt_is_refused_with_its_line(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """The last of each file; it is our own fault, and nobody else's."""
    lines: list[int] = []

    def misspell(text: str) -> str:
        *_, last = KEY.finditer(text.partition("\n[pronouns]")[0])  # those may be any
        lines.append(text.count("\n", 0, last.start()) + 1)
        return f"{text[: last.end(2)]}x{text[last.end(2) :]}"

    found = refused(monkeypatch, path, misspell)
    assert (found.code, found.field) == ("internal_error", f"{path.rsplit('/', 1)[-1]}:{lines[0]}")


@pytest.mark.parametrize(
    ("path", "right", "wrong", "told"),
    [
        ("deck/verbs.toml", "[deeds.swim]", "[deeds.swimm]", "did you mean 'swim'"),
        ("deck/verbs.toml", 'family = "spirit"', 'family = "spirits"', "did you mean 'spirit'"),
        ("deck/verbs.toml", 'means = ["Swim"]', 'means = "Swim"', "this must be a list"),
        ("deck/verbs.toml", 'means = ["Swim"]', "means = [3]", "this must be text"),
        ("deck/verbs.toml", 'skilled = "get away', 'skiled = "get away', "did you mean skilled"),
        ("deck/scene.toml", 'lock = "lock', 'lok = "lock', "did you mean 'lock'"),
        ("deck/scene.toml", 'lock = "lock', 'lock = 3 # "lock', "lock"),
        ("deck/scene.toml", "height = ", "heights = ", "did you mean 'height'"),
        ("deck/scene.toml", "[nature]", "[natures]", "did you mean nature"),
        ("deck/cards/talk.toml", '["persuade"', '["persuad"', "did you mean 'persuade'"),
        ("deck/cards/talk.toml", "{actor}", "{actro}", "did you mean actor"),
        ("deck/names.toml", "titles = [", "title = [", "did you mean titles"),
        ("validation/themes.toml", 'words = "freefall', 'words = ["freefall"]#', "this must be text"),
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
