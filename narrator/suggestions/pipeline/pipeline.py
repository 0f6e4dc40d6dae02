"""The pipeline, without input or output: it gives briefs, takes text, and gives events. The deck fills the gaps."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import islice
from typing import Any

from narrator.deck.deck import Deck
from narrator.errors import GoWithoutError, TryAgainError, quoted
from narrator.rules.request.language_tag import primary
from narrator.rules.resolve.resolution import Slot
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.settle.ledger import CARDS
from narrator.suggestions.pipeline.answer import (
    AcceptedEvent,
    Answer,
    DoneEvent,
    Event,
    NoticeEvent,
    RejectedEvent,
    ResolutionEvent,
    Usage,
    UsageEvent,
)
from narrator.suggestions.pipeline.scanner import MOST_SUGGESTIONS, AnswerReader
from narrator.suggestions.pipeline.tally import CallPlan, Dealer, Tally, fill_from
from narrator.suggestions.prompt.brief import Brief, Purpose
from narrator.suggestions.source.protocol import DECK, NOBODY, STAGE, Piece, SourceError, SourceTraits, telling_a_key
from narrator.suggestions.time.clock import Clock
from narrator.validation.checker import GIVEN, check
from narrator.validation.verdict import Chosen, Rejection, Verdict

LARGE = 100
"""How many people, aspects, lines and the like make judging slow."""

_met: set[tuple[str, str]] = set()
"""The rulesets and languages that this process has used."""

_LABEL = re.compile(r"[\w .:/@+-]{1,200}", re.ASCII)
"""A source or card id that is safe to repeat: no markup, no control characters for terminals."""


class Pipeline:
    """One request on its way to its answer.

    A driver calls `begin()` first. For each `next_brief()` it passes the source's text to `read`, passes the
    suggestions found to `judge`, and then calls `ended()`. It calls `finish()` last. The iterators give events. They
    also give None before a piece of work, so that the driver can let others work and look at the clock.
    """

    def __init__(
        self,
        rulings: tuple[Ruling, ...],
        deck: Deck,
        traits: SourceTraits = NOBODY,
        purpose: Purpose = "roll",
        given: Sequence[Any] = (),
        notices: Sequence[str] = (),
        stage: Dealer | None = None,
    ) -> None:
        """Args:
        rulings: The rows that need suggestions. The request names its deal.
        given: Suggestions found earlier, which are judged first.
        notices: Messages about the suggestions given.
        stage: Cards written for this scene. They are dealt before a source is asked.
        """
        self._tally = Tally(rulings)
        self._request = self._tally.request
        self._deck = deck
        self._traits = traits
        self._purpose: Purpose = purpose
        self._given = given
        self._said = notices
        self._stage = stage
        self._about = self._tally.ruleset.name, primary(self._request.scene.language)
        self._calls: CallPlan | None = CallPlan(self._tally, traits.manner, traits.calls)
        self._brief: Brief | None = None
        self._rejected: list[Rejection] = []
        self._notices: list[str] = []
        self._usage = Usage()
        self._reading = AnswerReader()
        self._refused_lately: list[Rejection] = []
        self._failure: SourceError | None = None
        self._has_begun = False

    @property
    def takes_long(self) -> bool:
        """Whether work may block an event loop too long: something must be loaded, or the scene is large."""
        if self._about not in _met:
            return True
        scene = self._request.scene
        lists = (scene.characters, scene.aspects, scene.facts, scene.recent, scene.lines, scene.veils)
        return sum(len(each) for each in lists) > LARGE

    @property
    def is_full(self) -> bool:
        """Whether every slot is full."""
        return self._tally.is_full

    @property
    def had_enough(self) -> bool:
        """Whether the answer is too long to read on."""
        return self._reading.had_enough

    def begin(self, clock: Clock) -> Iterator[Event | None]:
        """Give the resolution, then judge the suggestions given and the staged cards."""
        self._has_begun = True
        yield ResolutionEvent(resolution=self._tally.rulings[0].resolution)
        yield from map(self._notice, self._said)
        if self._tally.slots:
            yield None
            yield from (self._notice(text) for text in self._tally.judges[self._tally.slots[0].id].unjudged)
        for each in self._given[:MOST_SUGGESTIONS]:
            if self.is_full or clock.is_over:
                break
            yield None
            yield from self._judge_again(each)
        if self._stage is not None:
            found = len(self._tally.taken)
            for _ in fill_from(self._stage, self._tally, STAGE):
                yield None
            staged = self._tally.taken[found:]
            yield from (AcceptedEvent(accepted=each) for each in staged)
            # A slot that has something is not worth waiting for.
            self._tally.staged |= set() if self._traits.strict else {each.slot for each in staged}

    def rehearse(self) -> None:
        """Deal and judge a card for each slot, so that everything is loaded before the time is up."""
        # Another call may have done it meanwhile.
        if not self.takes_long:
            return
        for slot in self._tally.slots:
            for match in islice(self._deck.deal(slot, self._tally.judges[slot.id].ruling, 0), 1):
                self._check(match.candidate, DECK)
        _met.add(self._about)

    def next_brief(self) -> Brief | None:
        """Ask for the missing suggestions. None: ask no more."""
        if self._calls is None or self.is_full or not (wanted := self._calls.next()):
            return None
        self._reading = AnswerReader()
        refused, self._refused_lately = tuple(self._refused_lately), []
        self._brief = Brief(
            self._tally.rulings,
            wanted,
            already_said=tuple(each.name or each.detail for each in self._tally.taken),
            refused=refused,
            purpose=self._purpose,
            manner=self._traits.manner,
        )
        return self._brief

    def read(self, piece: Piece) -> list[object]:
        """Read a piece of the source's text, and give the suggestions that it completes."""
        assert self._brief is not None, "a source was asked"
        return [self._brief.whole(found) for found in self._reading.feed(piece)]

    def judge(self, found: list[object]) -> Iterator[Event | None]:
        """Judge suggestions until every slot is full."""
        for candidate in found:
            if self.had_enough or self.is_full or (self._reading.judged and self._traits.manner == "one_by_one"):
                return
            yield None
            self._reading.judged += 1
            verdict = self._check(candidate, self._traits.label)
            if verdict.rejected is not None:
                self._refused_lately.append(verdict.rejected)
            yield from self._entered(verdict)

    def ended(self, seconds: float, failure: SourceError | None = None) -> Iterator[Event]:
        """Note the end of a call: its seconds, and its failure if it has one."""
        spent = self._reading.usage
        if self._traits.counts:
            prompts = self._brief.prompts if self._brief is not None else ()
            spent = spent.and_then(Usage(calls=self._reading.requests, seconds=seconds, prompts=prompts))
        self._usage = self._usage.and_then(spent)
        what: str | None = None
        if failure is not None and not self.is_full:
            self._failure, what = failure, failure.reason
            if not failure.again:
                self._calls = None
        elif self.had_enough and not self.is_full:
            what = "the answer was too long"
        elif not self._reading.judged:
            what = "the answer contained no suggestion"
        # A repeated failure is reported once.
        if what is not None and (text := f"{self._traits.label}: {what}.") not in self._notices:
            yield self._notice(text)

    def leave(self, failure: SourceError) -> Iterator[Event]:
        """Stop asking the source, and say why."""
        self._calls, self._failure = None, failure
        if not self.is_full:
            yield self._notice(f"{self._traits.label}: {failure.reason}.")

    def finish(self) -> Iterator[Event | None]:
        """Fill the gaps from the deck, and give the answer. A strict call with gaps raises `no_words` instead."""
        if self._traits.strict:
            self._require()
        yield from self._fill()
        drafted = [slot for slot in self._tally.slots if slot.draft and slot.forms and self._purpose == "roll"]
        drafts = [self._draft(slot) for slot in drafted]
        refused = (f"Your own wording was refused. {each.rejected.message}" for each in drafts if each.rejected)
        yield from map(self._notice, refused)
        yield UsageEvent(usage=self._usage)
        first = self._tally.rulings[0]
        new = [each.card for each in self._tally.taken if each.card is not None]
        before = [card for card in self._request.scene.dealt if card not in new]
        answer = Answer(
            resolution=first.resolution,
            suggestions=self._tally.in_order,
            drafts=tuple(each.accepted for each in drafts if each.accepted) or None,
            rejected=tuple(self._rejected),
            deal=self._request.deal if self._tally.slots else None,
            dealt=tuple([*before, *new][-CARDS:]) or None,
            usage=self._usage,
            notices=tuple(self._notices),
        )
        yield DoneEvent(done=answer.by(first))

    def go_on_alone(self, failure: SourceError, clock: Clock) -> Iterator[Event | None]:
        """Go on without the source, in a copy that a late answer can't change."""
        alone = copy(self)
        alone._tally, alone._reading = copy(self._tally), copy(self._reading)
        alone._tally.taken = [*self._tally.taken]
        alone._rejected, alone._notices = [*self._rejected], [*self._notices]
        if self._has_begun:
            yield from alone.ended(clock.timeout, failure)
        else:
            yield from alone.begin(clock)
            yield from alone.leave(failure)
        yield from alone.finish()

    def _require(self) -> None:
        missing, taken = sum(missing for _, missing in self._tally.open()), len(self._tally.taken)
        if missing:
            told = [*self._notices, *(f"{each}." for each in _by_code(self._rejected))]
            why = f"only {taken} of {taken + missing} suggestions were found. {' '.join(told)}".strip()
            kind = GoWithoutError if self._failure is not None and self._failure.lasts else TryAgainError
            raise kind("no_words", "", why) from self._failure

    def _fill(self) -> Iterator[Event | None]:
        if not self.is_full:
            yield from (self._notice(text) for text in self._deck.notices(self._tally.ruleset))
        found, languages = len(self._tally.taken), set[str | None]()
        for language in fill_from(self._deck, self._tally):
            languages.add(language)
            yield None
        drawn = self._tally.taken[found:]
        if drawn and self._traits is not NOBODY:
            yield from self._unused()
            yield self._notice(f"The deck filled in {len(drawn)} of {len(self._tally.taken)} suggestions.")
        own = self._request.scene.language
        if languages - {None, primary(own)}:
            yield self._notice(f"The deck has no cards for this in the language {quoted(own)}: these are in English.")
        yield from (AcceptedEvent(accepted=each) for each in drawn)
        for slot, missing in self._tally.open():
            if slot.kind == "word" and missing == self._tally.per_slot:
                yield self._notice(f"The deck has no cards for this ({slot.forms[0].label.lower()}): use a model.")
            else:
                count = f"{missing} of {self._tally.per_slot} suggestions missing"
                yield self._notice(f"The deck has no more cards for {slot.id}: {count}.")

    def _unused(self) -> Iterator[Event]:
        """Say why nothing of the last answer is used."""
        label, taken = self._traits.label, self._tally.taken
        if self._reading.judged and not any(each.source == label for each in taken):
            why = ", ".join(_by_code(self._refused_lately)) or "no slot needed it"
            yield self._notice(f"{label}: nothing in the answer could be used: {why}.")

    def _draft(self, slot: Slot) -> Verdict:
        """Judge the player's own wording of an aspect. It goes to the actor if the form allows that."""
        offer, actor = slot.forms[0], self._request.action.actor
        to = min(offer.to or (None,), key=lambda name: name != actor)
        own = {"slot": slot.id, "form": offer.form, "to": to, "name": slot.draft}
        return check(own, self._tally.judges[slot.id], shape=Chosen)

    def _judge_again(self, given: Any) -> Iterator[Event]:
        """Judge a suggestion found earlier. It names its own source and card."""
        said = given if isinstance(given, Mapping) else {}
        source, card = (_label(said.get(name)) for name in ("source", "card"))
        if self._traits.strict and (card is not None or source in (None, DECK)):
            # A strict call accepts no cards.
            return
        yield from self._entered(self._check(given, source or GIVEN), card)

    def _entered(self, verdict: Verdict, card: str | None = None) -> Iterator[Event]:
        """Keep a judged suggestion, with its card id. One that no slot has room for is dropped."""
        if verdict.rejected is not None:
            self._rejected.append(verdict.rejected)
            yield RejectedEvent(rejected=verdict.rejected)
        elif (found := verdict.accepted) is not None and self._tally.has_room(found.slot, found.form, found.severity):
            found = found.model_copy(update={"card": card}) if card is not None else found
            self._tally.taken.append(found)
            yield AcceptedEvent(accepted=found)

    def _check(self, candidate: object, source: str) -> Verdict:
        if (telling := telling_a_key(candidate, self._traits.gives_away)) is not None:
            return Verdict(rejected=telling)
        return check(candidate, self._tally.judge_of(candidate), accepted=self._tally.taken, source=source)

    def _notice(self, text: str) -> Event:
        self._notices.append(text)
        return NoticeEvent(notice=text)


def _by_code(rejected: Iterable[Rejection]) -> list[str]:
    return [f"{count} refused as {code}" for code, count in Counter(each.code for each in rejected).items()]


def _label(said: object) -> str | None:
    return said if isinstance(said, str) and _LABEL.fullmatch(said) else None
