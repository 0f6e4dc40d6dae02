"""What our prompts tell a model is said back by none: not whole, not in part, by any ruleset."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from narrator.language.spelling import fold
from narrator.rules.ruleset.loader import packaged, packaged_ruleset
from narrator.validation.repetition import Instructions

ROOT = Path(__file__).parents[2]
PROMPTS = sorted((ROOT / "prompts").glob("*.md"))
CORE = Instructions(packaged_ruleset("fate-core"))


def sentences(text: str) -> Iterator[str]:
    """Those of a page, without its head and its example, and the parts of a list."""
    page = re.sub(r"^id: .*$|^\{.*\}$", "", text, flags=re.MULTILINE)
    for paragraph in re.split(r"\n\s*\n|\n(?=- )", page):
        yield from (
            said
            for said in re.split(r"(?<=[.:;]) ", " ".join(paragraph.split()))
            if len(said.split()) > 2 and "{" not in said
        )


@pytest.mark.parametrize("page", PROMPTS, ids=[page.stem for page in PROMPTS])
def test_no_sentence_of_a_prompt_is_said_back(page: Path) -> None:
    """Each of them, with or without its signs."""
    found = list(sentences(page.read_text("utf-8")))

    unknown = [said for said in found if not CORE.are_said_in(fold(re.sub(r"[^\w\s.,:;()'-]", "", said)))]

    assert found
    assert not unknown, f"validation/repeating.py would let a model say this of prompts/{page.name}: {unknown}"


def test_no_note_of_a_special_case_is_said_back() -> None:
    """They are sentences of a prompt too."""
    notes = tomllib.loads((ROOT / "prompts" / "notes.toml").read_text("utf-8"))["lines"].values()

    unknown = [note for note in notes if not CORE.are_said_in(fold(note))]

    assert not unknown, f"validation/repeating.py would let a model say this of prompts/notes.toml: {unknown}"


@pytest.mark.parametrize("name", packaged())
def test_what_a_form_asks_for_is_not_said_back(name: str) -> None:
    """Neither what it is, nor what its name is to be."""
    ruleset = packaged_ruleset(name)
    instructions = Instructions(ruleset)

    assert all(instructions.are_said_in(fold(form.brief)) for form in ruleset.forms.values())
    assert all(instructions.are_said_in(fold(form.name)) for form in ruleset.forms.values() if form.name)


@pytest.mark.parametrize(
    "text",
    [
        "A debt, and the man who bought it.",
        "Stitch That Will Not Let Go",
        "The dice are loaded, and everybody at the table has seen it.",
        "Something moves on the stair; nobody answers.",
    ],
)
def test_what_only_has_words_of_ours_passes(text: str) -> None:
    """Three of them in a row are nobody's."""
    assert not CORE.are_said_in(fold(text))
