"""Makes a deck: asks call by call, judges every card, drops twins, keeps a journal, and writes the deck."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from itertools import chain

import anyio

from narrator.deck.deck_file import LANGUAGE, DeckFile, OwnCard
from narrator.deck_maker.plan import A_CALL, EXAMPLE, MOST_CALLS, CardPrompt, Plan
from narrator.deck_maker.review import Flaw, Twins, called_as, flaws, side_of, written_card
from narrator.errors import RequestError, quoted, visible
from narrator.files.deck_journal import DeckCall, DeckJournal, RefusedCard
from narrator.render.phrases import count
from narrator.rules.request.language_tag import primary
from narrator.rules.ruleset.card import Card
from narrator.rules.ruleset.row import FormSpec
from narrator.suggestions.pipeline.scanner import Scanner
from narrator.suggestions.source.adapter import Adapted
from narrator.suggestions.source.protocol import (
    CHARACTERS_A_TOKEN,
    Source,
    SourceError,
    SpentError,
    Tokens,
    telling_a_key,
)
from narrator.suggestions.time import portal

PATIENCE = 300.0
"""Seconds for a call. No table is waiting, and a small machine writes slowly."""

TRIES = 3
"""How often to try a call if the source says that another try makes sense."""

MOST_EMPTY = 5
"""After so many calls in a row without a usable card, the model is not asked again."""

MOST_OBJECTS = 3 * A_CALL
MOST_TEXT = 100_000
"""The most objects and characters read of one answer."""

MOST_ABOUT = 5
_LONGEST_TOLD = 200

TOKENS_A_CARD = 80
TOKENS_OF_SAID = 250
"""Estimated tokens of a card, and of the list of earlier cards in a prompt."""

_Answer = tuple[list[object], Tokens]
"""The objects that a model wrote, and their cost."""


class DeckMaker:
    """A run, or the rest of one: the cards in its journal are not asked for again."""

    def __init__(self, plan: Plan, source: Source, decks: Iterable[DeckFile], journal: DeckJournal) -> None:
        """Begin or continue a run. `decks` have the cards that the table already has."""
        self.plan = plan
        self._source = Adapted(source)
        self._journal = journal
        self._stopped: str | None = None
        self._twins = Twins(plan.language)
        self._twins.add_example(EXAMPLE)
        own = (deck.cards for deck in decks if primary(deck.language) == primary(plan.language))
        for card in chain.from_iterable(own):
            self._twins.add(card, "a card of your own")
        for card in self.cards:
            if card.form not in plan.forms:
                message = f"it has a card for the unwanted form {quoted(card.form)}: delete the file to start again"
                raise RequestError("bad_request", visible(str(journal.path)), message)
            self._know(card)

    @property
    def cards(self) -> tuple[OwnCard, ...]:
        """The cards so far."""
        return tuple(card for entry in self._journal.entries for card in entry.made)

    @property
    def calls(self) -> int:
        """The calls so far."""
        return len(self._journal.entries)

    @property
    def ended(self) -> str | None:
        """Why the run has ended. None: it has not. Empty: all cards are there."""
        if len(self.cards) >= self.plan.cards:
            return ""
        last = self._journal.entries[-MOST_EMPTY:]
        if len(last) == MOST_EMPTY and not any(each.made for each in last):
            return f"the last {MOST_EMPTY} answers had no usable card"
        if self.calls >= self.plan.calls * MOST_CALLS:
            return f"the model was asked {self.calls} times, which is the limit"
        return self._stopped

    def go_on(self) -> Iterator[DeckCall]:
        """Continue to ask, and give each call once it is in the journal. If the source fails, earlier cards are
        kept."""
        while self.ended is None:
            said = [(call, card) for call, entry in enumerate(self._journal.entries) for card in entry.made]
            missing = self.plan.cards - len(self.cards)
            refused = tuple(each.message for last in self._journal.entries[-1:] for each in last.refused)
            prompt = self.plan.prompt(self.calls, missing, said, refused)
            try:
                answer = self._asked(prompt)
            except SpentError as error:
                self._stopped = error.reason  # a normal end, not a failure
                return
            entry = self._judged(*answer, missing)
            self._journal.add(entry)
            yield entry

    def agreement(self, notes: str, model: str, host: str) -> Iterator[str]:
        """Say what will be asked for, of which model, and what it may cost. `notes` is the name of the notes."""
        plan, done = self.plan, len(self.cards)
        missing = plan.cards - done
        calls = -(-missing // A_CALL)
        prompts = (plan.prompt(self.calls + call, A_CALL, (), ()) for call in range(calls))
        sent = calls * TOKENS_OF_SAID + sum(map(_length, prompts)) // CHARACTERS_A_TOKEN
        most = max(calls, plan.calls * MOST_CALLS - self.calls)
        if self.calls:
            yield f"You have {done} of {count(plan.cards, 'card')}, after {count(self.calls, 'call')}."
        yield f"{count(missing, 'card')} from {notes}, written by {model} at {host}:"
        yield f"{count(calls, 'call')}, or up to {most} if many cards are refused;"
        yield f"about {sent:,} tokens in and {missing * TOKENS_A_CARD:,} out for {count(calls, 'call')} (estimated)."

    def heading(self, model: str, name: str) -> Iterator[str]:
        """Describe a deck at the top of its file, which has this name."""
        cards = count(len(self.cards), "card")
        yield f"{cards}, written by {model}, checked by narrator. Read and edit them, and delete those you do not want."
        yield f"To deal them, use --deck or the folder `decks`. To check them again: `narrator deck check {name}`."

    def outcome(self, place: str) -> Iterator[str]:
        """Give the result, and the place of the deck."""
        number, tokens = len(self.cards), self._journal.tokens
        calls = count(self.calls, "call")
        yield f"{count(number, 'card')} in {place}, from {calls}, {tokens.input} + {tokens.output} tokens"
        yield f"refused: {self.refused}"
        if number < self.plan.cards:
            yield f"{number} instead of {self.plan.cards}: {self.ended}"

    @property
    def refused(self) -> str:
        """The number of refused cards by code."""
        codes = Counter(each.code for entry in self._journal.entries for each in entry.refused)
        return ", ".join(f"{number} {code}" for code, number in codes.most_common()) or "none"

    def _asked(self, prompt: CardPrompt) -> _Answer:
        for left in reversed(range(TRIES)):
            try:
                return portal.call(partial(_answer, self._source, prompt))
            except SourceError as error:
                if not (error.again and left):
                    raise
        raise AssertionError("the last try ends it")

    def _judged(self, objects: list[object], tokens: Tokens, missing: int) -> DeckCall:
        made: list[OwnCard] = []
        refused: list[RefusedCard] = []
        for given in objects:
            if len(made) == missing:
                break
            card = self._accepted(given)
            if isinstance(card, Flaw):
                message = f"{quoted(called)}: {card.message}" if (called := called_as(given)) else card.message
                refused.append(RefusedCard(code=card.code, message=message[:_LONGEST_TOLD]))
                continue
            made.append(card)
            self._know(card)
        spent = {"input_tokens": tokens.input, "output_tokens": tokens.output}
        return DeckCall(made=tuple(made), refused=tuple(refused), **spent)

    def _accepted(self, given: object) -> OwnCard | Flaw:
        if (telling := telling_a_key(given, self._source.gives_away)) is not None:
            return Flaw(code=telling.code, field=telling.field, message=telling.message)
        card = written_card(given)
        if isinstance(card, Flaw):
            return card
        if card.form not in self.plan.forms:
            return Flaw(code="form_not_allowed", field="form", message=f"{quoted(card.form)} is not a wanted form.")
        told = {name: [each for each in getattr(card, name) if self._is_named(each)] for name in ("about", "where")}
        bound = {name: tuple(dict.fromkeys(each[:MOST_ABOUT])) for name, each in told.items()}
        card = card.model_copy(update={**bound, "side": side_of(card)})
        return next(chain(flaws(card, self.plan.sample), self._twins.of(card)), card)

    def _is_named(self, name: str) -> bool:
        """Whether the notes contain this name, as whole words. A name has a capital."""
        is_a_name = name.isprintable() and any(sign.isupper() for sign in name)
        return is_a_name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", self.plan.notes, re.IGNORECASE) is not None

    def _know(self, card: OwnCard) -> None:
        self._twins.add(card, quoted(card.name or card.detail))


async def _answer(source: Adapted, prompt: CardPrompt) -> _Answer:
    """Read one answer. If it breaks off, the complete objects count."""
    scanner, objects, told, text = Scanner(), list[object](), Tokens(), 0
    try:
        with anyio.fail_after(PATIENCE):
            async with aclosing(source.astream(prompt, PATIENCE)) as pieces:
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
    sent, written = (size // CHARACTERS_A_TOKEN for size in (_length(prompt), text))
    return objects[:MOST_OBJECTS], Tokens(told.input or sent, told.cached, told.output or written)


def _length(prompt: CardPrompt) -> int:
    return sum(len(content) for _, content in prompt.messages)


def deck_text(cards: Sequence[Card], forms: Mapping[str, FormSpec], language: str, heading: Iterable[str]) -> str:
    """Write a deck as TOML for a GM to edit: comments at the top, then the cards, in the order of these forms."""
    lines = [_comment(each) for each in heading]
    if language != LANGUAGE:
        lines += ["", f"language = {as_toml(language)}"]
    lines += ["", "cards = ["]
    for form, spec in forms.items():
        if written := [f"  {card_line(each)}," for each in cards if each.form == form]:
            lines += [f"  {_comment(f'{form}: {spec.brief}.')}", *written, ""]
    return "\n".join([*lines[:-1], "]", ""])


def card_line(card: Card) -> str:
    """Write a card as a line of TOML, which `tomllib` reads as the same card."""
    fields = card.model_dump(mode="json", exclude_defaults=True)
    return f"{{ {', '.join(f'{name} = {as_toml(value)}' for name, value in fields.items())} }}"


def as_toml(value: object) -> str:
    """Write a text, a list of texts, or a boolean. JSON and TOML write these alike, except for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _comment(text: str) -> str:
    return f"# {visible(text)}"
