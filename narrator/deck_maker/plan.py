"""Plans the calls: cuts a GM's notes, and says of each call which piece it is about and which cards it wants."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import cycle, islice
from textwrap import wrap
from typing import Any, NamedTuple, get_args

from narrator.deck_maker.sample_scenes import Sample
from narrator.errors import RequestError
from narrator.resources import prompt_part
from narrator.rules.request.scene import Scene
from narrator.rules.ruleset.card import ACTIVITIES, Family
from narrator.rules.ruleset.row import FormSpec
from narrator.suggestions.prompt.answer_schema import object_of, suggestions_of
from narrator.suggestions.prompt.brief import Manner
from narrator.suggestions.prompt.relevance import json_line, present

LONGEST_PIECE = 1_500
"""Characters of a piece; a longer paragraph is cut at a blank."""

ENOUGH = 200
"""Characters after which a heading begins a new piece."""

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*)")

A_CALL = 10
"""Cards wanted of one call."""

MOST_CALLS = 3
"""How many times the calls that are planned there may be, where cards are refused."""

FORMS_IN_TURN = """
    new_opposition boost consequence situation_aspect complication opposition_advantage story_detail boost
    new_opposition opposition_boost situation_aspect consequence troubling_aspect opposition_advantage boost
    complication loss situation_aspect close_call new_opposition story_detail consequence tough_choice opposition_boost
    complication twist opposition_advantage
""".split()  # noqa: SIM905
"""The forms in turn: often what stands in many rows, seldom what stands in few."""

MOST_TOLD = 5
"""What was refused of the last answer, of which the next call is told."""

_OPENING = 400
"""Characters of how the notes begin, told with each of their pieces."""

_SHOWN = (line for line in prompt_part("cards").text.splitlines() if line.startswith("{"))
EXAMPLE: dict[str, Any] = json.loads(next(_SHOWN))
"""The card that the prompt shows: what a model copies is a twin of it."""

LATEST = 30
"""How many cards that are there already a prompt names."""

_DOINGS = (*get_args(Family), *ACTIVITIES)


class _Block(NamedTuple):
    """A heading, or a paragraph or a part of one."""

    text: str
    is_heading: bool = False


@dataclass(frozen=True)
class CardPrompt:
    """A prompt for cards; an answer has for each `form`, `activities`, `about`, `name` (or null) and `detail`."""

    messages: tuple[tuple[str, str], ...]
    """Chat messages, each its role (`system` or `user`) and its content."""
    schema: dict[str, Any]
    """The JSON schema of an answer: the forms that are wanted, and nothing else."""
    manner: Manner = "together"
    """Cards are asked for in one call."""

    @property
    def schema_with_lengths(self) -> dict[str, Any]:
        """The same: no length of a card is fixed before its placeholders are filled."""
        return self.schema


@dataclass(frozen=True, eq=False)
class Plan:
    """A deck of so many cards, by these notes, in a language; calls follow from it and what came of those before."""

    notes: str
    cards: int
    sample: Sample
    language: str

    def __post_init__(self) -> None:
        if not self.pieces:
            raise RequestError("bad_request", "notes", "there is nothing in these notes to make cards of")
        _ = self._tag  # a language that is none is refused here

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """The notes in pieces."""
        return cut(self.notes)

    @property
    def digest(self) -> str:
        """What tells these notes from others."""
        return sha256(self.notes.encode("utf-8", "replace")).hexdigest()

    @cached_property
    def calls(self) -> int:
        """The calls where every card that is written is taken."""
        return -(-self.cards // A_CALL)

    @cached_property
    def forms(self) -> dict[str, FormSpec]:
        """The forms that cards are made for, in order."""
        return {form: self.sample.forms[form] for form in FORMS_IN_TURN}

    def prompt(self, call: int, missing: int, said: tuple[str, ...], refused: tuple[str, ...]) -> CardPrompt:
        """Word a call: how many cards are missing, what those say that are there, and what was refused last time."""
        start = call * A_CALL % len(FORMS_IN_TURN)
        wanted = Counter(islice(cycle(FORMS_IN_TURN), start, start + min(A_CALL, missing)))
        # Evenly over the notes, however many calls there are.
        piece = self.pieces[call % self.calls * len(self.pieces) // self.calls]
        opening = self.pieces[0][:_OPENING]
        data: dict[str, Any] = {
            "notes": {"text": piece},
            "wanted": [_wanted(form, self.forms[form], number) for form, number in wanted.items()],
            "language": self._tag,
        }
        if opening not in piece:
            data["notes"]["begin"] = opening
        if said:
            data["already_said"] = said[-LATEST:]
        if refused:
            data["refused"] = list(dict.fromkeys(refused[:MOST_TOLD]))
        return CardPrompt((("system", prompt_part("cards").text), ("user", json_line(data))), self._schema([*wanted]))

    def _schema(self, forms: list[str]) -> dict[str, Any]:
        named = [form for form in forms if self.forms[form].name is not None]
        nameless = [form for form in forms if form not in named]
        return suggestions_of([_card(each, kind) for each, kind in ((named, "string"), (nameless, "null")) if each])

    @cached_property
    def _tag(self) -> str:
        return Scene.read({"language": self.language}, "scene").language


def cut(notes: str) -> tuple[str, ...]:
    """Cut notes at headings and between paragraphs, and leave out blank lines alone; no words make no piece."""
    pieces: list[list[_Block]] = [[]]
    for block in _blocks(notes):
        size = sum(len(each.text) + 1 for each in pieces[-1])
        most = ENOUGH if block.is_heading else LONGEST_PIECE - len(block.text)
        if pieces[-1] and size > most:
            # A heading alone at the end belongs to what comes.
            opening = [pieces[-1].pop()] if pieces[-1][-1].is_heading and pieces[-1][:-1] else []
            pieces.append(opening)
        pieces[-1].append(block)
    texts = ("\n".join(block.text for block in each) for each in pieces)
    return tuple(text for text in texts if re.search(r"\w", text))


def _blocks(notes: str) -> Iterator[_Block]:
    paragraph: list[str] = []
    for line in [*notes.splitlines(), ""]:
        heading = _HEADING.match(line)
        if line.strip() and not heading:
            paragraph.append(line.strip())
            continue
        yield from (_Block(part) for part in _parts("\n".join(paragraph)))
        paragraph.clear()
        if heading and (title := heading[1].rstrip(" \t#")):
            yield from (_Block(part, is_heading=True) for part in _parts(title))


def _parts(text: str) -> list[str]:
    """Cut a text at blanks where it is too long for a piece."""
    return wrap(text, LONGEST_PIECE // 2, replace_whitespace=False, break_on_hyphens=False)


def _wanted(form: str, spec: FormSpec, number: int) -> dict[str, Any]:
    return present({"form": form, "how_many": number, "is": spec.brief, "name": spec.name, "for": spec.to})


def _card(forms: list[str], name: str) -> dict[str, Any]:
    text = {"type": "string"}
    return object_of(
        {
            "form": {"type": "string", "enum": forms},
            "activities": {"type": "array", "items": {"type": "string", "enum": list(_DOINGS)}},
            "about": {"type": "array", "items": text},
            "name": {"type": name},
            "detail": text,
        }
    )
