"""The making of a scene's cards: what is missing, what is made of each object that a model writes, what came of it."""

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
"""Cards that are asked for at the least, where all are there and the scene is no longer what it was."""

MOST_OBJECTS = 3 * MOST_STAGED
"""Of one answer that are judged."""

TOKENS_A_CARD = 80
"""What a card is estimated by before it is written."""


class Staging:
    """Cards for one scene, one call of a model at a time. `had` is what there is already: of that nothing is asked for
    again but what was dealt, was struck, or speaks of somebody who is there no more.
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
        """The cards so far, those that were there first."""
        for card in had.cards if had is not None else ():
            self._know(card)
        left, is_changed = len(self.left), had is not None and had.made_for != self.made_for
        self.is_short = left < cards
        """Whether there are fewer than wanted."""
        self.missing = max(cards - left, min(FEW, cards) if is_changed else 0)
        """How many cards are to be asked for."""

    @property
    def left(self) -> list[OwnCard]:
        """The cards that were neither dealt nor struck, and may still be dealt in the scene as it is."""
        gone = {*self.scene.dealt, *self.scene.struck}
        return [each for each in self.cards if STAGED_CARD + each.id not in gone and any(self._rolls.dealt(each))]

    @property
    def made_for(self) -> str:
        """What tells whether a scene is what it was: who is there, and what is true."""
        who = sorted(each.name for each in self.scene.characters if not each.is_out)
        told = (who, sorted(self.scene.facts), sorted(each.name for each in self.scene.aspects))
        return sha256(repr(told).encode()).hexdigest()[:16]

    @cached_property
    def prompt(self) -> CardPrompt:
        """What asks for what is missing."""
        return scene_prompt(self._rolls, self.missing, self.cards)

    @property
    def had_enough(self) -> bool:
        """Whether there is no sense in reading on."""
        return self._reader.had_enough or self._judged >= MOST_OBJECTS

    def read(self, piece: Piece) -> list[object]:
        """Read what the source writes, and give the objects that have closed."""
        return self._reader.feed(piece)

    def take(self, given: object, source: Adapted) -> OwnCard | None:
        """Judge an object, which may be anything, in this very scene; None: it is none of its cards."""
        self._judged += 1
        found = self._accepted(given, source)
        if isinstance(found, Flaw):
            self._refused[found.code] += 1
            return None
        self._know(found)
        self.missing -= 1
        return found

    def staged(self, seconds: float, *notices: str) -> Staged:
        """Say what came of it, after so many seconds of waiting."""
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
        """Say what is about to be asked for, and about what it costs."""
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
        # What takes some roll's outcome back is dealt at others: each deal is judged again.
        found = (
            flaw for flaw in flaws(card, self._rolls) if flaw.code != "contradicts_outcome" or not self._fits(card)
        )
        return next(chain(found, self._twins.of(card)), card)

    def _fits(self, card: Card) -> bool:
        return any(check(match.candidate, judge).accepted for match, judge in self._rolls.dealt(card))

    def _know(self, card: OwnCard) -> None:
        self.cards.append(card)
        self._twins.add(card, quoted(card.name or card.detail))
