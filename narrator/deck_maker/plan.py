"""Plans the calls: cuts a GM's notes into pieces, and gives each call a piece and the cards to ask for."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import cycle, islice, product
from textwrap import wrap
from typing import Any, NamedTuple

from narrator.deck_maker.sample_scenes import Sample
from narrator.errors import RequestError
from narrator.resources import prompt_part
from narrator.rules.request.scene import Scene
from narrator.rules.ruleset.card import ACTIVITIES, FAMILIES, NATURES, Card
from narrator.rules.ruleset.row import FormSpec
from narrator.suggestions.prompt.answer_schema import object_of, suggestions_of
from narrator.suggestions.prompt.brief import Manner
from narrator.suggestions.prompt.messages import LEVELS
from narrator.suggestions.prompt.relevance import clipped, fitting, json_line, present

LONGEST_PIECE = 1_500
"""The most characters of a piece. A longer paragraph is cut at a blank."""

ENOUGH = 200
"""After so many characters, a heading begins a new piece."""

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*)")

A_CALL = 10
"""Cards to ask for in one call."""

MOST_CALLS = 3
"""The most calls if cards are refused, in multiples of the planned calls."""

FORMS_IN_TURN = """
    new_opposition consequence opposition_advantage complication new_opposition story_detail troubling_aspect
    opposition_advantage consequence loss new_opposition compel tough_choice opposition_advantage inflicted_consequence
    complication close_call new_opposition opening stress consequence twist opposition_advantage zone_aspect
    inflicted_consequence new_opposition compel contest_twist
""".split()  # noqa: SIM905
"""The forms in turn. Forms of many rows come often, forms of few rows seldom. Boosts and situation aspects are missing,
since they depend on the scene: of 36 written without one, two in three were useless."""

MOST_TOLD = 5
"""How many refusals of the last answer the next call is told."""

_OPENING = 400
"""Characters of the beginning of the notes, which every call is told."""

_SHOWN = (line for line in prompt_part("cards").text.splitlines() if line.startswith("{"))
EXAMPLE: dict[str, Any] = json.loads(next(_SHOWN))
"""The card that the prompt shows. A copy by the model counts as a twin of it."""

_STAGED = (line for line in prompt_part("stage").text.splitlines() if line.startswith("{"))
STAGE_EXAMPLE: dict[str, Any] = json.loads(next(_STAGED))
"""The card that the prompt for one scene shows."""

SAID_HERE, SAID_ELSEWHERE = 8_000, 2_000
"""The most characters of earlier cards in a prompt: whole cards of this piece, and names of others."""

MOST_NAMES = 80
"""The most names from all notes in a prompt."""

_NAME = re.compile(r"(?:[Tt]he )?(?:(?:Mr|Mrs|Dr|St)\. )?[A-Z][\w'’-]+(?: (?:of |the |and )?[A-Z][\w'’-]+)*")

_DOINGS = (*FAMILIES, *ACTIVITIES)

TEXT = {"type": "string"}
TRACKS = ("physical", "mental")


class _Block(NamedTuple):
    """A heading, a paragraph, or a part of one."""

    text: str
    is_heading: bool = False


@dataclass(frozen=True)
class CardPrompt:
    """A prompt for cards. In the answer each card has `form`, `activities`, `about`, `name` (or null) and `detail`."""

    messages: tuple[tuple[str, str], ...]
    """Chat messages: pairs of role (`system` or `user`) and content."""
    schema: dict[str, Any]
    """The JSON schema of an answer. It allows only the wanted forms."""
    manner: Manner = "together"
    """Cards are asked for in one call."""

    @property
    def schema_with_lengths(self) -> dict[str, Any]:
        """The same as `schema`: a card's length depends on what fills its placeholders."""
        return self.schema


@dataclass(frozen=True, eq=False)
class Plan:
    """A deck of so many cards, from these notes, in a language. Each call depends on the plan and the earlier calls."""

    notes: str
    cards: int
    sample: Sample
    language: str

    def __post_init__(self) -> None:
        if not self.pieces:
            raise RequestError("bad_request", "notes", "these notes have no words to make cards from")
        _ = self._tag  # refuses an invalid language

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """The notes in pieces."""
        return cut(self.notes)

    @property
    def digest(self) -> str:
        """A digest that identifies these notes."""
        return sha256(self.notes.encode("utf-8", "replace")).hexdigest()

    @cached_property
    def calls(self) -> int:
        """The number of calls if no card is refused."""
        return -(-self.cards // A_CALL)

    @cached_property
    def forms(self) -> dict[str, FormSpec]:
        """The forms of the cards, in order."""
        return {form: self.sample.forms[form] for form in FORMS_IN_TURN}

    def piece(self, call: int) -> int:
        """Choose the piece of a call. The calls are spread evenly over the notes."""
        return call % self.calls * len(self.pieces) // self.calls

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names in all pieces of the notes, since people from different pieces may meet."""
        met = [
            (re.sub("['’]s$|^The(?= )", "", found[0]).strip(), found.start()) for found in _NAME.finditer(self.notes)
        ]
        known = Counter(name for name, _ in met)
        # A single capitalised word at the beginning of a sentence may be any word.
        certain = {name for name, at in met if " " in name or not _opens(self.notes[max(0, at - 9) : at])}
        certain = {name.removeprefix("the ") for name in certain if " " in name or (known[name] > 1 and name != "The")}
        return tuple(sorted(certain, key=lambda name: (-known[name], -len(name), name))[:MOST_NAMES])

    def prompt(self, call: int, missing: int, said: Sequence[tuple[int, Card]], refused: tuple[str, ...]) -> CardPrompt:
        """Make the prompt of a call. `said` has the earlier cards, each with its call, and `refused` the last
        refusals."""
        start = call * A_CALL % len(FORMS_IN_TURN)
        wanted = Counter(islice(cycle(FORMS_IN_TURN), start, start + min(A_CALL, missing)))
        here = self.piece(call)
        piece, opening = self.pieces[here], clipped(self.pieces[0], _OPENING)
        data: dict[str, Any] = {
            "notes": {"text": piece, "names_in_all": self.names},
            "wanted": [wanted_form(form, self.forms[form], number, LEVELS) for form, number in wanted.items()],
            "language": self._tag,
        }
        if opening not in piece:
            data["notes"]["begin"] = opening
        if said:
            own = (f"{card.name or ''} {card.detail}".strip() for at, card in said if self.piece(at) == here)
            others = (card.name for at, card in reversed(said) if self.piece(at) != here and card.name)
            data["already_said"] = [*fitting(own, SAID_HERE), *fitting(others, SAID_ELSEWHERE)]
        if refused:
            data["refused"] = list(dict.fromkeys(refused[:MOST_TOLD]))
        return CardPrompt((("system", prompt_part("cards").text), ("user", json_line(data))), self._schema([*wanted]))

    def _schema(self, forms: list[str]) -> dict[str, Any]:
        names = {"type": "array", "items": TEXT}
        fields = {
            "activities": some_of(_DOINGS),
            "about": names,
            "where": names,
            "opponent": one_of((*NATURES, "none")),
        }
        return card_schema({form: self.forms[form] for form in forms}, LEVELS, fields)

    @cached_property
    def _tag(self) -> str:
        return Scene.read({"language": self.language}, "scene").language


def _opens(before: str) -> bool:
    """Whether a word after this text begins a sentence or a line, where every word has a capital."""
    return re.search(r"(?:^|[\n.!?:;>-])[\s\"“]*$", before) is not None


def cut(notes: str) -> tuple[str, ...]:
    """Cut notes into pieces, at headings and between paragraphs. Pieces without words are dropped."""
    pieces: list[list[_Block]] = [[]]
    for block in _blocks(notes):
        size = sum(len(each.text) + 1 for each in pieces[-1])
        most = ENOUGH if block.is_heading else LONGEST_PIECE - len(block.text)
        if pieces[-1] and size > most:
            # A heading at the end belongs to the next piece.
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
    """Cut a text at blanks if it is too long for a piece."""
    return wrap(text, LONGEST_PIECE // 2, replace_whitespace=False, break_on_hyphens=False)


def wanted_form(form: str, spec: FormSpec, number: int, levels: Sequence[str]) -> dict[str, Any]:
    """Describe a form and how many cards are wanted. Forms for harm also get their levels."""
    is_inflicted = "consequence" in spec.kinds
    severities = [*levels] if is_inflicted else []
    told = {"form": form, "how_many": number, "is": spec.brief, "name": spec.name, "for": spec.to}
    how_bad = levels[0] if spec.harm == "consequence" and not is_inflicted else None
    return present({**told, "how_bad": how_bad, "severities": severities})


def card_schema(forms: Mapping[str, FormSpec], levels: Sequence[str], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an answer: cards of these forms, each with the common `fields` and its own."""
    shapes = []
    for name, harms in product(("string", "null"), (False, True)):
        of = [form for form, spec in forms.items() if (spec.name is None) == (name == "null")]
        of = [form for form in of if ("consequence" in forms[form].kinds) == harms]
        own = {"severity": one_of(levels), "track": one_of(TRACKS)} if harms else {}
        shapes += (
            [object_of({"form": one_of(of), **fields, "name": {"type": name}, "detail": TEXT, **own})] if of else []
        )
    return suggestions_of(shapes)


def one_of(words: Iterable[str]) -> dict[str, Any]:
    """Return the schema of one of these words."""
    return {"type": "string", "enum": [*words]}


def some_of(words: Iterable[str]) -> dict[str, Any]:
    """Return the schema of a list of these words."""
    return {"type": "array", "items": one_of(words)}
