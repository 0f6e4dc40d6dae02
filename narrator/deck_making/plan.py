"""Plans the calls: which piece of the notes each is about, which cards it wants, and what all of them may cost."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import cycle, islice
from typing import NamedTuple

from narrator.deck_making.card_prompt import CardPrompt
from narrator.deck_making.journal import Entry
from narrator.deck_making.notes import Piece, cut
from narrator.deck_making.sample import Sample
from narrator.errors import NarratorError
from narrator.rules.row import FormSpec
from narrator.rules.scene import Scene
from narrator.suggestions.source import CHARACTERS_A_TOKEN

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

TOKENS_A_CARD = 80
TOKENS_OF_SAID = 250
"""What tokens are estimated by before there is an answer; the last: what a prompt says of the cards that are there."""

_OPENING = 400
"""Characters of how the notes begin, told with each of their pieces."""


class Cost(NamedTuple):
    """What is to be asked, as far as one can say before."""

    calls: int
    most_calls: int
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, eq=False)
class Plan:
    """A deck of so many cards, by these notes, in a language. The calls follow from it and from what came of those
    before.
    """

    notes: str
    cards: int
    sample: Sample
    language: str

    def __post_init__(self) -> None:
        if not self.pieces:
            raise NarratorError("bad_request", "notes", "there is nothing in these notes to make cards of")
        _ = self._tag  # a language that is none is refused here

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
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

    def cost(self, calls: int = 0, cards: int = 0) -> Cost:
        """Estimate what is still to be asked, by the prompts of the calls that are planned.

        Args:
            calls: How many were made before.
            cards: How many cards came of them.
        """
        left = -(-(self.cards - cards) // A_CALL)
        prompts = (self.prompt(call, A_CALL, (), ()) for call in range(calls, calls + left))
        characters = sum(len(content) for prompt in prompts for _, content in prompt.messages)
        tokens = characters // CHARACTERS_A_TOKEN + left * TOKENS_OF_SAID
        return Cost(left, max(left, self.calls * MOST_CALLS - calls), tokens, (self.cards - cards) * TOKENS_A_CARD)

    def piece_of(self, call: int) -> int:
        """Number the piece that a call is about: all in turn, or, where there are fewer calls, some evenly apart."""
        if self.calls >= len(self.pieces):
            return call % len(self.pieces)
        return call % self.calls * len(self.pieces) // self.calls

    def prompt(self, call: int, missing: int, said: tuple[str, ...], before: tuple[Entry, ...]) -> CardPrompt:
        """Word a call.

        Args:
            missing: How many cards are still missing.
            said: What the cards that are there say, each by its name or detail.
            before: The calls before it.
        """
        start = call * A_CALL % len(FORMS_IN_TURN)
        wanted = Counter(islice(cycle(FORMS_IN_TURN), start, start + min(A_CALL, missing)))
        refused = before[-1].refused[:MOST_TOLD] if before else ()
        return CardPrompt(
            language=self._tag,
            already_said=said,
            refused=tuple(dict.fromkeys(each.message for each in refused)),
            piece=self.pieces[self.piece_of(call)],
            opening=self.pieces[0].text[:_OPENING],
            forms={form: (self.forms[form], number) for form, number in wanted.items()},
        )

    @cached_property
    def _tag(self) -> str:
        return Scene.read({"language": self.language}, "scene").language
