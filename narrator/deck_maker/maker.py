"""Makes a deck: asks call by call, judges every card, drops twins, keeps what there is, tells of it, and writes it."""

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

TOKENS_A_CARD = 80
TOKENS_OF_SAID = 250
"""What tokens are estimated by before there is an answer; the last: what a prompt says of the cards that are there."""

_Answer = tuple[list[object], Tokens]
"""Objects as a model wrote them, and what they cost."""


class DeckMaker:
    """A run, or what is left of one: what its journal has is not asked again."""

    def __init__(self, plan: Plan, source: Source, decks: Iterable[DeckFile], journal: DeckJournal) -> None:
        """Take up a run; `decks` have cards that the table has already."""
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
                message = f"it has a card for {quoted(card.form)}, which nobody asked for: delete it to begin anew"
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
        """Why there is nothing more to ask; None while there is. An empty text: all cards are there."""
        if len(self.cards) >= self.plan.cards:
            return ""
        last = self._journal.entries[-MOST_EMPTY:]
        if len(last) == MOST_EMPTY and not any(each.made for each in last):
            return f"nothing of its last {MOST_EMPTY} answers could be used"
        if self.calls >= self.plan.calls * MOST_CALLS:
            return f"it was asked {self.calls} times, which is enough"
        return self._stopped

    def go_on(self) -> Iterator[DeckCall]:
        """Ask on, and give each call when it is written down; where the source fails, what was made before is kept."""
        while self.ended is None:
            said = [(call, card) for call, entry in enumerate(self._journal.entries) for card in entry.made]
            missing = self.plan.cards - len(self.cards)
            refused = tuple(each.message for last in self._journal.entries[-1:] for each in last.refused)
            prompt = self.plan.prompt(self.calls, missing, said, refused)
            try:
                answer = self._asked(prompt)
            except SpentError as error:
                self._stopped = error.reason  # no failure, but an end as any other
                return
            entry = self._judged(*answer, missing)
            self._journal.add(entry)
            yield entry

    def agreement(self, notes: str, model: str, host: str) -> Iterator[str]:
        """Say what is to be asked by notes that are called so, of whom, and what it may cost."""
        plan, done = self.plan, len(self.cards)
        missing = plan.cards - done
        calls = -(-missing // A_CALL)
        prompts = (plan.prompt(self.calls + call, A_CALL, (), ()) for call in range(calls))
        sent = calls * TOKENS_OF_SAID + sum(map(_length, prompts)) // CHARACTERS_A_TOKEN
        most = max(calls, plan.calls * MOST_CALLS - self.calls)
        if self.calls:
            yield f"{done} of {count(plan.cards, 'card')} are there, after {count(self.calls, 'call')}."
        yield f"{count(missing, 'card')} by {notes}, from {model} at {host}:"
        yield f"{count(calls, 'call')}, {most} at the most, where many cards are refused;"
        yield f"about {sent:,} tokens in and {missing * TOKENS_A_CARD:,} out for {count(calls, 'call')} (estimated)."

    def heading(self, model: str, name: str) -> Iterator[str]:
        """Say at the top of a deck, whose file has this name, what it is."""
        cards = count(len(self.cards), "card")
        yield f"{cards}, written by {model}, judged by narrator. Read them, edit them, delete what you do not want."
        yield f"Deal them with --deck, or from the folder `decks`; `narrator deck check {name}` judges them again."

    def outcome(self, place: str) -> Iterator[str]:
        """Say what came of it, and in which place the deck is."""
        number, tokens = len(self.cards), self._journal.tokens
        calls = count(self.calls, "call")
        yield f"{count(number, 'card')} in {place}, of {calls}, {tokens.input} + {tokens.output} tokens"
        yield f"refused: {self.refused}"
        if number < self.plan.cards:
            yield f"{number} in place of {self.plan.cards}: {self.ended}"

    @property
    def refused(self) -> str:
        """What was refused, by code."""
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
            return Flaw(code="form_not_allowed", field="form", message=f"{quoted(card.form)} was not wanted.")
        told = {name: [each for each in getattr(card, name) if self._is_named(each)] for name in ("about", "where")}
        bound = {name: tuple(dict.fromkeys(each[:MOST_ABOUT])) for name, each in told.items()}
        card = card.model_copy(update={**bound, "side": side_of(card)})
        return next(chain(flaws(card, self.plan.sample), self._twins.of(card)), card)

    def _is_named(self, name: str) -> bool:
        """Whether the notes name something so, in whole words; a word in small letters names nothing."""
        is_a_name = name.isprintable() and any(sign.isupper() for sign in name)
        return is_a_name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", self.plan.notes, re.IGNORECASE) is not None

    def _know(self, card: OwnCard) -> None:
        self._twins.add(card, quoted(card.name or card.detail))


async def _answer(source: Adapted, prompt: CardPrompt) -> _Answer:
    """Read one answer, as far as it goes: what was whole before it broke off counts."""
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
    """Write a deck as TOML that a GM edits: a heading of comments, then the cards, in the order of these forms."""
    lines = [_comment(each) for each in heading]
    if language != LANGUAGE:
        lines += ["", f"language = {as_toml(language)}"]
    lines += ["", "cards = ["]
    for form, spec in forms.items():
        if written := [f"  {card_line(each)}," for each in cards if each.form == form]:
            lines += [f"  {_comment(f'{form}: {spec.brief}.')}", *written, ""]
    return "\n".join([*lines[:-1], "]", ""])


def card_line(card: Card) -> str:
    """Write a card as a line of TOML, of which `tomllib` reads the same card."""
    fields = card.model_dump(mode="json", exclude_defaults=True)
    return f"{{ {', '.join(f'{name} = {as_toml(value)}' for name, value in fields.items())} }}"


def as_toml(value: object) -> str:
    """Write a text, a list of texts, or true and false: JSON writes them as TOML reads them, but for one sign."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _comment(text: str) -> str:
    return f"# {visible(text)}"
