"""Makes the cards of a scene: asks for the missing ones, and judges each object that a model writes."""

from collections import Counter
from functools import cached_property
from hashlib import sha256
from itertools import chain

from narrator.deck.deck_file import OwnCard
from narrator.deck.staged import MOST_STAGED, STAGED_CARD, StagedCards, named_in
from narrator.deck_maker.likely_rolls import LikelyRolls
from narrator.deck_maker.plan import STAGE_EXAMPLE, CardPrompt
from narrator.deck_maker.review import Flaw, Twins, flaws, side_of, written_card
from narrator.deck_maker.scene_cards import scene_prompt
from narrator.errors import quoted
from narrator.resources import prompt_part
from narrator.rules.request.scene import Scene
from narrator.rules.ruleset.card import Card
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.suggestions.pipeline.answer import Staged, StagingEvent, Usage
from narrator.suggestions.pipeline.scanner import AnswerReader
from narrator.suggestions.source.adapter import Adapted
from narrator.suggestions.source.protocol import CHARACTERS_A_TOKEN, DECK, Piece, telling_a_key
from narrator.validation.checker import check

FEW = 6
"""The fewest cards to ask for if the scene has changed, even if no card is missing."""

MOST_OBJECTS = 3 * MOST_STAGED
"""The most objects of one answer that are judged."""

TOKENS_A_CARD = 80
"""The estimated tokens of a card."""


class Staging:
    """Cards for one scene, by one call of a model. `had` has the cards so far. The model replaces those that were dealt
    or struck, or that name somebody who has left.
    """

    def __init__(self, scene: Scene, ruleset: Ruleset, cards: int, had: StagedCards | None = None) -> None:
        self.scene, self.ruleset = scene, ruleset
        self.id = scene.stage or scene.stage_id(ruleset.name)
        self._notices: tuple[str, ...] = ()
        if had is not None and had.id != self.id:
            had, self._notices = None, ("What was staged is for another scene: it is not used.",)
        self._rolls = LikelyRolls(scene, ruleset)
        self._twins = Twins(scene.language)
        self._twins.add_example(STAGE_EXAMPLE)
        self._refused = Counter[str]()
        self._reader, self._judged = AnswerReader(), 0
        self.cards: list[OwnCard] = []
        """The cards so far, oldest first."""
        for card in had.cards if had is not None else ():
            self._know(card)
        left, is_changed = len(self.left), had is not None and had.made_for != self.made_for
        self.is_short = left < cards
        """Whether there are fewer cards than wanted."""
        self.missing = max(cards - left, min(FEW, cards) if is_changed else 0)
        """How many cards to ask for."""

    @property
    def left(self) -> list[OwnCard]:
        """The cards that can still be dealt in this scene: neither dealt nor struck."""
        gone = {*self.scene.dealt, *self.scene.struck}
        return [each for each in self.cards if STAGED_CARD + each.id not in gone and any(self._rolls.dealt(each))]

    @property
    def made_for(self) -> str:
        """A mark of the scene's state: the people there, the facts and the aspects."""
        who = sorted(each.name for each in self.scene.characters if not each.is_out)
        told = (who, sorted(self.scene.facts), sorted(each.name for each in self.scene.aspects))
        return sha256(repr(told).encode()).hexdigest()[:16]

    @cached_property
    def prompt(self) -> CardPrompt:
        """The prompt for the missing cards."""
        return scene_prompt(self._rolls, self.missing, self.cards)

    @property
    def had_enough(self) -> bool:
        """Whether the answer is too long to read on."""
        return self._reader.had_enough or self._judged >= MOST_OBJECTS

    def read(self, piece: Piece) -> list[object]:
        """Read a piece of the source's text, and give the objects that it completes."""
        return self._reader.feed(piece)

    def take(self, given: object, source: Adapted) -> OwnCard | None:
        """Judge an object, which may be anything, in this scene. None: it is refused."""
        self._judged += 1
        found = self._accepted(given, source)
        if isinstance(found, Flaw):
            self._refused[found.code] += 1
            return None
        self._know(found)
        self.missing -= 1
        return found

    def staged(self, seconds: float, *notices: str) -> Staged:
        """Give the result, after so many seconds of waiting."""
        asked = Usage(calls=self._reader.requests, seconds=round(seconds, 3), prompts=(prompt_part("stage").named,))
        refused = ", ".join(f"{number} {code}" for code, number in self._refused.most_common())
        return Staged(
            id=self.id,
            made_for=self.made_for,
            cards=tuple(self.cards),
            left=len(left := self.left),
            coverage=self._rolls.coverage(left),
            usage=asked.and_then(self._reader.usage) if seconds else Usage(),
            notices=(*self._notices, *notices, *((f"Refused: {refused}.",) if refused else ())),
        )

    def begun(self, source: Adapted | None) -> StagingEvent:
        """Say what will be asked for, and estimate the cost."""
        sent = sum(len(content) for _, content in self.prompt.messages) if self.missing else 0
        return StagingEvent(
            id=self.id,
            cards=self.missing,
            source=DECK if source is None else source.label,
            input_tokens=sent // CHARACTERS_A_TOKEN,
            output_tokens=self.missing * TOKENS_A_CARD,
        )

    def _accepted(self, given: object, source: Adapted) -> OwnCard | Flaw:
        if (telling := telling_a_key(given, source.gives_away)) is not None:
            return Flaw(code=telling.code, field=telling.field, message=telling.message)
        card = written_card(given)
        if isinstance(card, Flaw):
            return card
        others = (each for each in self.scene.characters if each.importance != "pc")
        card = card.model_copy(update={"about": named_in(card, others), "where": (), "side": side_of(card)})
        # A card that contradicts one outcome may fit others: it is judged again each time it is dealt.
        found = (
            flaw for flaw in flaws(card, self._rolls) if flaw.code != "contradicts_outcome" or not self._fits(card)
        )
        return next(chain(found, self._twins.of(card)), card)

    def _fits(self, card: Card) -> bool:
        return any(check(match.candidate, judge).accepted for match, judge in self._rolls.dealt(card))

    def _know(self, card: OwnCard) -> None:
        self.cards.append(card)
        self._twins.add(card, quoted(card.name or card.detail))
