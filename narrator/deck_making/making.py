"""Makes a deck: asks call by call, judges every card, drops twins, and keeps what it has after each call."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import aclosing
from functools import partial
from typing import NamedTuple

import anyio

from narrator.deck.cards import DeckFile, OwnCard
from narrator.deck_making.card_prompt import EXAMPLE, CardPrompt
from narrator.deck_making.journal import Entry, Journal, Made, Refused
from narrator.deck_making.judging import Flaw, called_as, flaws, read
from narrator.deck_making.plan import A_CALL, MOST_CALLS, Plan
from narrator.deck_making.twins import Twins
from narrator.errors import NarratorError, quoted
from narrator.render.plain import visible
from narrator.rules.language_tag import primary
from narrator.suggestions import portal
from narrator.suggestions.pieces import pieces_of
from narrator.suggestions.scan import Scanner
from narrator.suggestions.source import CHARACTERS_A_TOKEN, Source, SourceError, SpentError, Tokens, telling_a_key
from narrator.validation.verdict import LONGEST_NAME

PATIENCE = 300.0
"""Seconds for a call: nobody waits at a table, and a small machine writes slowly."""

TRIES = 3
"""How often a call is tried whose source says that asking again makes sense."""

MOST_EMPTY = 5
"""Calls in a row without a card that can be used, after which a model is asked no more."""

MOST_OBJECTS = 3 * A_CALL
MOST_TEXT = 100_000
"""Objects and characters that are read of one answer."""

MOST_ABOUT = 5
_LONGEST_TOLD = 200


class _Answer(NamedTuple):
    objects: list[object]
    tokens: Tokens


class Making:
    """A run, or what is left of one: what its journal has is not asked again."""

    def __init__(self, plan: Plan, source: Source, decks: Iterable[DeckFile], journal: Journal) -> None:
        """Args:
        decks: Cards that the table has already.
        """
        self.plan = plan
        self._source = source
        self._journal = journal
        self._stopped: str | None = None
        self._twins = Twins(plan.language)
        self._twins.add(OwnCard.model_validate(EXAMPLE), "the example")
        for deck in decks:
            if primary(deck.language) == primary(plan.language):
                for card in deck.cards:
                    self._twins.add(card, "a card of your own")
        for made in self.cards:
            if made.card.form not in plan.forms:
                message = f"it has a card for {quoted(made.card.form)}, which nobody asked for: delete it to begin anew"
                raise NarratorError("bad_request", visible(str(journal.path)), message)
            self._know(made)

    @property
    def cards(self) -> tuple[Made, ...]:
        """The cards so far."""
        return tuple(made for entry in self._journal.entries for made in entry.made)

    @property
    def refused(self) -> Counter[str]:
        """What was refused so far, by its code."""
        return Counter(each.code for entry in self._journal.entries for each in entry.refused)

    @property
    def calls(self) -> int:
        """The calls so far."""
        return len(self._journal.entries)

    @property
    def tokens(self) -> Tokens:
        """What they have used, as the source told, else as it was estimated."""
        return self._journal.tokens

    @property
    def ended(self) -> str | None:
        """Why there is nothing more to ask; None while there is. An empty text: all cards are there."""
        if len(self.cards) >= self.plan.cards:
            return ""
        last = self._journal.entries[-MOST_EMPTY:]
        if len(last) == MOST_EMPTY and not any(each.made for each in last):
            return f"nothing of its last {MOST_EMPTY} answers could be used"
        if self.calls >= self.plan.calls * MOST_CALLS:
            return f"it was asked {self.calls} times, which is enough"
        return self._stopped

    def go_on(self) -> Iterator[Entry]:
        """Ask on, and give each call when it is finished and written down.

        Raises:
            SourceError: Where the source has no answer; what was made before is kept. That the tokens for it are spent
                is an end as any other.
        """
        while self.ended is None:
            said = tuple((made.card.name or made.card.detail)[:LONGEST_NAME] for made in self.cards)
            missing = self.plan.cards - len(self.cards)
            prompt = self.plan.prompt(self.calls, missing, said, tuple(self._journal.entries))
            try:
                answer = self._asked(prompt)
            except SpentError as error:
                self._stopped = error.reason
                return
            entry = self._judged(answer, missing)
            self._journal.keep(entry)
            yield entry

    def _asked(self, prompt: CardPrompt) -> _Answer:
        for left in reversed(range(TRIES)):
            try:
                return portal.call(partial(_answer, self._source, prompt))
            except SourceError as error:
                if not (error.again and left):
                    raise
        raise AssertionError("the last try ends it")

    def _judged(self, answer: _Answer, missing: int) -> Entry:
        made: list[Made] = []
        refused: list[Refused] = []
        of = self.plan.piece_of(self.calls)
        for given in answer.objects:
            if len(made) == missing:
                break
            card = self._accepted(given)
            if isinstance(card, Flaw):
                message = f"{quoted(called)}: {card.message}" if (called := called_as(given)) else card.message
                refused.append(Refused(code=card.code, message=message[:_LONGEST_TOLD]))
                continue
            made.append(Made(of=of, title=self.plan.pieces[of].title, card=card))
            self._know(made[-1])
        return Entry(
            call=self.calls,
            made=tuple(made),
            refused=tuple(refused[:MOST_OBJECTS]),
            input_tokens=answer.tokens.input,
            output_tokens=answer.tokens.output,
        )

    def _accepted(self, given: object) -> OwnCard | Flaw:
        if (telling := telling_a_key(given, getattr(self._source, "gives_away", None))) is not None:
            return Flaw(code=telling.code, field=telling.field, message=telling.message)
        card = read(given)
        if isinstance(card, Flaw):
            return card
        if card.form not in self.plan.forms:
            return Flaw(code="form_not_allowed", field="form", message=f"{quoted(card.form)} was not wanted.")
        about = [name for name in card.about if self._is_named(name)][:MOST_ABOUT]
        card = card.model_copy(update={"about": tuple(dict.fromkeys(about))})
        if (flaw := next(flaws(card, self.plan.sample), None)) is not None:
            return flaw
        if (twin := self._twins.of(card)) is not None:
            field, other = twin
            return Flaw(code="twin", field=field, message=f"The {field} is nearly that of {other}.")
        return card

    def _is_named(self, name: str) -> bool:
        """Whether the notes name something so, in whole words; a word in small letters names nothing."""
        is_a_name = name.isprintable() and any(sign.isupper() for sign in name)
        return is_a_name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", self.plan.notes, re.IGNORECASE) is not None

    def _know(self, made: Made) -> None:
        self._twins.add(made.card, quoted(made.card.name or made.card.detail))


async def _answer(source: Source, prompt: CardPrompt) -> _Answer:
    """Read one answer, as far as it goes: what was whole before it broke off counts."""
    scanner, objects, told, text = Scanner(), list[object](), Tokens(), 0
    try:
        with anyio.fail_after(PATIENCE):
            async with aclosing(pieces_of(source, prompt, PATIENCE)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, Tokens):
                        told = piece
                        continue
                    objects += scanner.feed(piece)
                    text += len(piece)
                    if len(objects) >= MOST_OBJECTS or text > MOST_TEXT:
                        break
    except SourceError:
        if not objects:
            raise
    except TimeoutError:
        if not objects:
            raise SourceError(f"no answer in {PATIENCE:g} seconds") from None
    sent = sum(len(content) for _, content in prompt.messages)
    return _Answer(
        objects[:MOST_OBJECTS],
        Tokens(told.input or sent // CHARACTERS_A_TOKEN, told.cached, told.output or text // CHARACTERS_A_TOKEN),
    )
