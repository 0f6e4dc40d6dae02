"""What only repeats the question or the request, and what says something of its own."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from narrator.language.lexicon import load
from narrator.language.text import Text
from narrator.rules.json_text import Json
from narrator.rules.request.action import Request
from narrator.rules.resolve.resolver import rule
from narrator.rules.ruleset.loader import packaged_ruleset
from narrator.validation.repetition import EXAMPLES, Repeated

ROOT = Path(__file__).parents[2]
CYNERE: Json = json.loads((ROOT / "examples" / "cynere.json").read_text("utf-8"))
GATE = CYNERE | {
    "scene": CYNERE["scene"]
    | {
        "summary": "Night at the south gate of Thaalor, and rain on the black slates.",
        "facts": ["The city shuts its gates at dusk.", "Dusk!"],
        "recent": ["A bell begins to ring behind the wall."],
        "characters": [*CYNERE["scene"]["characters"], {"name": "Old Brann of the Mill", "side": "pc"}],
        "zones": [{"name": "The Gatehouse"}],
    }
}
DRAFT: Json = {
    "scene": {"summary": "A street of loose paving stones, and a cart across it.", "language": "en"},
    "action": {
        "type": "create_advantage",
        "actor": "Mara",
        "aspect": "Loose Paving Stones",
        "intent": "lever up the paving stones to throw them",
        "outcome": "succeed",
        "opposition": {"kind": "passive", "rating": 1},
    },
}
COPIED = "Night at the south gate of Thaalor, and rain on the black slates, bell begins to ring behind the wall"


def words(text: str, language: str = "en") -> list[str]:
    """The words of a text as the check hands them on."""
    return list(Text(text, load(language)).key)


def of(request: Json) -> Repeated:
    """What may be repeated of a request."""
    asked = Request.read(request)
    ruleset = packaged_ruleset(asked.ruleset)
    return Repeated(rule(asked, ruleset))


def detail(text: str, name: str = "", request: Json = GATE) -> str | None:
    """What a detail repeats."""
    language = request["scene"].get("language", "en")
    return of(request).by_detail(words(text, language), words(name, language))


def name(text: str, request: Json = GATE) -> str | None:
    """What a name repeats."""
    return of(request).by_name(words(text, request["scene"].get("language", "en")))


QUESTION, NAME = "the prompt", "a name"


DETAILS = {
    "Succeed at a serious cost.": QUESTION,
    "serious_cost": QUESTION,
    "not_attained": QUESTION,
    "new_opposition": QUESTION,
    "the new person or obstacle": QUESTION,
    "A new and significant source of opposition, a person or an obstacle.": QUESTION,
    "The character who acts succeeds, at a serious cost.": QUESTION,
    "Cynere succeeds at a serious cost.": QUESTION,
    "Harm that stays with Cynere who acts here, to body, mind or standing.": QUESTION,
    "mild severity": QUESTION,
    "Bribe the guards to be let in after curfew.": "the intent",
    "Cynere bribed the Gate Guards to be let in after curfew.": "the intent",
    "Night at the south gate of Thaalor, and rain on the black slates.": "the summary",
    "Rain on black slates": "the summary",
    "Rain on the black slates; the city shuts its gates.": "the summary",
    "The city shuts its gates at dusk!": "a fact",
    "A bell began to ring behind the walls.": "a recent text",
    "Infamous Girl with Sword": "an aspect in play",
    "Sword and sorcery": "the tone",
    "Cynere, and Gate Guards": NAME,
    "Old Brann": NAME,
    # A long copy stays one for a word more.
    f"{COPIED}.": "the summary",
    f"{COPIED}, muffled.": "the summary",
    f"{COPIED}, and a lantern swings twice.": None,
    # The same three words three times are too often; what is said twice, or in twos, is somebody's style.
    "He was killed, he was killed, he was killed, and then it rained.": "itself",
    "The cat is a cat, and the cat is a cat, and the cat is a cat.": "itself",
    "A bell rings, and the bell rings, and the bell rings.": None,
    "Step by step by step the stair gives way.": None,
    "No more lies, no more debts, no more masters, says the innkeeper.": None,
    "They knock once, they knock twice, and then they do not knock.": None,
    # The example of a form, or most of it, is no answer; its words are anybody's.
    "The key snaps in the lock.": "an example",
    "And then the key snaps in the old lock.": "an example",
    "The fiddler stops, and the whole hall looks up at Cynere.": "an example",
    "The key turns twice, and somebody shouts behind the lock.": None,
    "A lock of hair falls from the guard's helmet.": None,
    "The music goes on, but nobody dances any more.": None,
    # A word of its own is enough, and so is an order of its own.
    "Cynere bribes the guards with her mother's ring.": None,
    "Bribe the guards to be let in after curfew with a ring": None,
    "The older guard holds the torch a moment too long.": None,
    "The Gate Guards whistle.": None,
    "The guards at the gate stand in the rain and sing.": None,
    "A new bell begins to ring, close by.": None,
    "Nobody shuts the gate.": None,
    "The sword is gone.": None,
    "It will not come off.": None,
    "Rain rings on the guards' sword, and the city curfew begins at the wall.": None,
}


@pytest.mark.parametrize(("text", "what"), DETAILS.items())
def test_a_detail_without_a_word_of_its_own_repeats(text: str, what: str | None) -> None:
    """Whole or in part, in another form, with a name put to it, and from several places at once; no other does."""
    assert detail(text) == what


def test_a_detail_that_is_its_own_name_repeats() -> None:
    """There is nothing more to say aloud than was said."""
    assert detail("A face off the posters.", "Face Off the Posters") == "its own name"
    assert detail("Cynere: a face off the posters.", "Face Off the Posters") is not None
    assert detail("One of the guards knows a face off the posters.", "Face Off the Posters") is None


NAMES = {
    "The new person or obstacle": QUESTION,
    "The New Obstacle": QUESTION,
    "Obstacle": QUESTION,
    "not_attained": QUESTION,
    "Succeed at a Serious Cost": QUESTION,
    "Resources": QUESTION,
    "The Situation Aspect": QUESTION,
    "Bribed the Guards to Be Let In": "the intent",
    "Rain on the Black Slates": "the summary",
    "Dusk": "a fact",
    "The Gatehouse": "a zone",
    "The Infamous Girls with Swords": "an aspect in play",
    "Old Brann": NAME,
    "Gate Guards": NAME,
    # An aspect is often a word or two of the scene's, and one of the question's among others is no harm.
    "Curfew Bell": None,
    "Black Slates": None,
    "Rain on the South Gate": None,
    "Nobody Shuts the Gates": None,
    "New Face at the Gate": None,
    "Significant Look": None,
    "Serious Young Guard": None,
    "Guards and Rain": None,
    "Cynere's Standing Debt": None,
    "Seen Her Face": None,
}


@pytest.mark.parametrize(("text", "what"), NAMES.items())
def test_a_name_of_the_questions_words_or_a_row_of_the_scenes_repeats(text: str, what: str | None) -> None:
    """Labels, ids and descriptions alone, three words of the scene in a row, and all of a short text; no other does."""
    assert name(text) == what


def test_a_draft_may_be_kept() -> None:
    """What the table called its aspect may stay its name; as a detail it says nothing."""
    assert name("Paving Stones", DRAFT) is None
    assert name("Loose Paving Stones", DRAFT) is None
    assert name("Heap of Paving Stones", DRAFT) is None
    assert name("Street of Loose Paving Stones", DRAFT) == "the summary"
    sung = DRAFT | {"action": DRAFT["action"] | {"aspect": "Whole Hall Singing Along"}}
    assert detail("The whole hall sings along.", "Benches Drummed On", sung) is not None
    assert detail("The whole hall sings along, out of tune.", "Benches Drummed On", sung) is None
    assert detail("Mara levers up the paving stones.", "Paving Stones", DRAFT) == "the intent"
    assert detail("Two paving stones come up with a crack like a shot.", "Paving Stones", DRAFT) is None


@pytest.mark.parametrize("language", ["fi", "zu"])
def test_a_language_without_a_lexicon_is_compared_word_by_word(language: str) -> None:
    """What is copied is found there too."""
    scene = {"summary": "Yö eteläportilla, ja sade mustilla katoilla.", "language": language}
    request = {"scene": scene, "action": GATE["action"] | {"intent": "lahjoa vartijat"}}

    assert detail("Yö eteläportilla, ja sade", request=request) == "the summary"
    assert detail("LAHJOA VARTIJAT", request=request) == "the intent"
    assert detail("Vanhempi vartija nostaa soihdun.", request=request) is None


def test_a_request_that_says_nothing_lets_all_pass() -> None:
    """Without a scene only the question can be repeated."""
    bare: Json = {"scene": {}, "action": {key: GATE["action"][key] for key in ("type", "actor")} | {"outcome": "fail"}}

    assert detail("Bribe the guards to be let in after curfew.", request=bare) is None
    assert detail("Succeed at a serious cost.", request=bare) == QUESTION


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_stand_in_the_pages(example: str) -> None:
    """What is known of the prompt's pages is still in them."""
    pages = [" ".join(file.read_text("utf-8").lower().split()) for file in (ROOT / "prompts").glob("*.md")]

    assert any(example in page for page in pages)


def test_a_large_scene_is_read_once() -> None:
    """Five hundred people and a thousand texts: what was read is kept, and the next text takes no more work for it."""
    scene = GATE["scene"] | {
        "facts": [f"The {number}th stone of the wall is loose." for number in range(500)],
        "recent": [f"Somebody counts to {number} behind the wall." for number in range(500)],
        "characters": [*GATE["scene"]["characters"], *({"name": f"Guard {n}", "side": "watch"} for n in range(490))],
    }
    repeated = of(GATE | {"scene": scene})
    asked = words("The older guard holds the torch a moment too long.")
    repeated.by_detail(asked)

    assert work(repeated, asked) < 20 * work(of(GATE), asked)
    assert repeated.by_detail(words("The 400th stone of the wall is loose")) == "a fact"


def work(repeated: Repeated, asked: list[str]) -> int:
    """How many lines are run where a detail is asked for again."""
    lines = 0

    def count(*_: Any) -> Any:
        nonlocal lines
        lines += 1
        return count

    repeated.by_detail(asked)
    before = sys.gettrace()
    sys.settrace(count)
    try:
        repeated.by_detail(asked)
    finally:
        sys.settrace(before)
    return lines
