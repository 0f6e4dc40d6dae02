"""What prompts say of each kind of words and of each special case: what is needed there, and nothing else."""

import hashlib
import json
import statistics
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import narrator
from narrator.api import pipeline_run
from narrator.resources import prompt_notes, prompt_part
from narrator.rules.resolve.without_roll import WORD_KINDS
from narrator.rules.ruleset.loader import packaged, packaged_ruleset
from narrator.suggestions.prompt.brief import Brief, Wanted
from tests.asking import CYNERE
from tests.conftest import GOLDEN
from tests.fake_sources import Scripted, data_of
from tests.suggestions.prompt_cases import CASES

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.stem for path in (ROOT / "prompts").glob("*.md"))
VERSIONS = "prompt-versions.txt"

OF_A_TOKEN = 3.7
"""Characters, as the tokenizer of a small model (SmolLM2) cuts these prompts; a large one makes fewer tokens."""
TYPICAL, LONGEST = 900, 1_400
"""Tokens that a prompt has: in the middle of the example requests, and at the most."""


@pytest.fixture(scope="module")
def brief_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Brief]:
    """The brief of a case."""
    folder = tmp_path_factory.mktemp("rulesets")
    return cache(lambda name: CASES[name].brief(folder))


@pytest.mark.parametrize("name", CASES)
def test_golden_prompts(name: str, brief_of: Callable[[str], Brief], golden: Callable[[str, str], None]) -> None:
    """What follows the system's page reads as it was last agreed on, for each kind of words and each special case."""
    golden(f"prompt-{name}.txt", f"{brief_of(name).messages[1][1]}\n")


def test_golden_prompt_one_by_one(brief_of: Callable[[str], Brief], golden: Callable[[str, str], None]) -> None:
    """What a small model is asked: its page, which usage names, examples as turns of a chat, and the story so far."""
    slot, _ = brief_of("minor-cost").wanted[0]
    wanted = Wanted(slot.model_copy(update={"forms": slot.forms[:1]}), 1)
    brief = replace(brief_of("minor-cost"), wanted=(wanted,), manner="one_by_one")

    golden("prompt-one-by-one.txt", "".join(f"--- {role} ---\n{content}\n" for role, content in brief.messages))
    assert (brief.prompts, brief.messages[0][1]) == ((prompt_part("one_by_one").named,), prompt_part("one_by_one").text)


@pytest.mark.parametrize("name", CASES)
def test_a_special_case_has_its_line_and_no_other(name: str, brief_of: Callable[[str], Brief]) -> None:
    """Each is told where this request needs it, and only there."""
    text = brief_of(name).messages[1][1]
    said = [key for key, line in prompt_notes().lines.items() if f"- {line}\n" in text]
    assert sorted(said) == sorted(CASES[name].says.split()), f"see what {name!r} says in prompt_cases.py"
    assert text.count("\n- ") == len(said)


def test_each_page_and_each_line_comes_up(brief_of: Callable[[str], Brief]) -> None:
    """There is no page and no line that no prompt has; those for cards and small models are prompts of their own."""
    named = {each.split("/")[0] for name in CASES for each in brief_of(name).prompts}
    said = {key for case in CASES.values() for key in case.says.split()}
    unsaid = {*PAGES, "notes", *prompt_notes().lines} - {"cards", "stage", "one_by_one", *named, *said}
    assert not unsaid, f"add a case to prompt_cases.py that has {sorted(unsaid)}"
    assert said <= prompt_notes().lines.keys()


@pytest.mark.parametrize("kind", WORD_KINDS)
def test_words_without_a_roll_tell_of_no_roll(kind: str, brief_of: Callable[[str], Brief]) -> None:
    """What they are about is told, and no action, outcome or branch."""
    name = f"word-{kind.replace('_', '-')}"
    data = data_of(brief_of(name))
    assert {"what_happened", "what_is_tried"}.isdisjoint(data)
    assert ("about" in data) == (CASES[name].asked["about"] is not None)
    assert {"branches", "goal"}.isdisjoint(data["wanted"][0])


def test_before_the_dice_each_slot_names_its_outcome(brief_of: Callable[[str], Brief]) -> None:
    """And nothing is said to have happened."""
    data = data_of(brief_of("prepare"))
    outcomes = [each["slot"].partition(".")[0] for each in data["wanted"]]
    assert [each["if"] for each in data["wanted"]] == outcomes == ["fail", "tie"]
    assert "what_happened" not in data
    assert "outcome" not in data["what_is_tried"]


@pytest.mark.parametrize("name", packaged())
def test_what_is_special_in_a_ruleset_is_explained(name: str) -> None:
    """Each variant, each maneuver and each slot with an id of its own says what it is, for whoever words it."""
    rules = packaged_ruleset(name)
    specials = [each.brief for each in rules.maneuvers.values()]
    specials += [each.brief for action in rules.actions.values() for each in action.variants]
    slots = {slot.id for rider in rules.riders for slot in rider.slots if slot.id}
    untold = [each for each in slots if not rules.about_slot(each)]
    assert (specials.count(None), untold) == (0, []), f"each variant, maneuver and slot of {name}.toml wants a `brief`"


def test_usage_names_the_pages_that_a_model_was_asked_with() -> None:
    """Those of every call, each once; none where nobody was asked."""
    asked = narrator.suggest(CYNERE | {"ruleset": "five-actions"}, source=Scripted([""], [""])).usage
    refused = narrator.suggest(CYNERE | {"ruleset": "five-actions"}, source=Scripted(['{"slot": "x"}'], [""])).usage
    notes = f"notes/{prompt_notes().version}"
    first = (*(prompt_part(name).named for name in ("system", "roll", "serious_cost")), notes)
    assert asked.prompts == first
    assert refused.prompts == (*first, prompt_part("repair").named)
    assert narrator.suggest(CYNERE | {"ruleset": "five-actions"}, source="deck").usage.prompts == ()


def test_a_page_that_changes_has_a_new_version(golden: Callable[[str, str], None]) -> None:
    """Text and version are kept together: another text under the same version is told, and never overwritten."""
    told = [prompt_part(name) for name in PAGES]
    notes = prompt_notes()
    texts = {each.named: each.text for each in told} | {f"notes/{notes.version}": json.dumps(dict(notes.lines))}
    kept = dict(line.split() for line in (GOLDEN / VERSIONS).read_text("utf-8").splitlines())
    found = {named: hashlib.sha256(text.encode()).hexdigest()[:16] for named, text in texts.items()}
    assert [each.id for each in told] == PAGES
    golden(VERSIONS, "".join(f"{named} {digest}\n" for named, digest in sorted((found | kept).items())))
    changed = [named for named, digest in found.items() if kept.get(named, digest) != digest]
    assert not changed, f"their text has changed: raise their versions in prompts/ and run `make pages`: {changed}"


def test_a_typical_prompt_is_short() -> None:
    """Of the example requests: half of the prompts have less than 900 tokens, and none is long."""
    requests = [json.loads(file.read_text("utf-8")) for file in (ROOT / "examples" / "eval").glob("*.json")]
    briefs = [brief for request in requests if (brief := pipeline_run.first_brief(request)) is not None]
    tokens = [sum(len(content) for _, content in brief.messages) / OF_A_TOKEN for brief in briefs]
    assert statistics.median(tokens) < TYPICAL
    assert max(tokens) < LONGEST
