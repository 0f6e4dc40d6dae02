"""The pipeline, without any input or output: briefs out, text in, events out; the deck fills what stays open."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import islice
from typing import Any

from narrator.deck.dealing import Deck
from narrator.errors import NarratorError, quoted
from narrator.rules.bookkeeping import CARDS
from narrator.rules.language_tag import primary
from narrator.rules.resolution import Slot
from narrator.suggestions.answer import (
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
from narrator.suggestions.brief import Brief, Manner, Purpose
from narrator.suggestions.clock import Clock
from narrator.suggestions.filling import Filling
from narrator.suggestions.rows import Rows
from narrator.suggestions.scan import Scanner
from narrator.suggestions.source import DECK, Piece, SourceError, Tokens, telling_a_key
from narrator.suggestions.tally import Tally, Turns
from narrator.validation.checking import GIVEN, check
from narrator.validation.verdict import Chosen, Rejection, Verdict

MOST_TEXT = 400_000
"""Characters read of one answer: more than any honest one."""

MOST_SUGGESTIONS = 60
"""Suggestions judged of one answer, or of what was prepared; the most that can be wanted of one slot is ten."""

LARGE = 100
"""People, aspects, lines and the like of a scene that takes long to judge by."""

_met: set[tuple[str, str]] = set()
"""The rulesets and languages that this process has had to do with."""

_LABEL = re.compile(r"[\w .:/@+-]{1,200}", re.ASCII)
"""What may be repeated as who wrote something, or which card it was: no markup, and nothing that steers a terminal."""


@dataclass(frozen=True)
class Asked:
    """Who is asked, and how."""

    label: str
    """What suggestions name as their source."""
    calls: int
    """How often at the most: for all that is wanted, or one by one for each suggestion."""
    counts: bool = True
    """Whether a call is one of the usage."""
    strict: bool = False
    """Whether the deck stays out."""
    manner: Manner = "together"
    """How much is asked for in a call."""
    gives_away: Callable[[str], bool] | None = None
    """Whether a text tells a secret of who is asked; None: there is none."""


class Pipeline:
    """One request on its way to its answer.

    A driver takes `begin()`, then, while there is a `next_brief()`, lets it `read` what the source writes and `judge`
    what it found there, and says how the source `ended()`; at last it takes `finish()`. Each gives the events that came
    about, and None before a piece of work: a moment to let others work, and to look at the clock.
    """

    def __init__(
        self, rows: Rows, deck: Deck, asked: Asked | None = None, purpose: Purpose = "roll", given: Sequence[Any] = ()
    ) -> None:
        """Args:
        rows: What words are wanted for. The request names its deal.
        asked: Who is asked for words before the deck; None: nobody.
        given: Suggestions that were found before, to be judged first.
        """
        self._rows = rows
        self._request = rows.first.request
        self._ruleset = rows.first.ruleset
        self._deck = deck
        self._asked = asked
        self._purpose: Purpose = purpose
        self._given = given
        self._tally = Tally(rows.slots, rows.first.request.per_slot)
        self._turns = Turns(self._request, self._tally, asked.manner, asked.calls) if asked is not None else None
        self._brief: Brief | None = None
        self._rejected: list[Rejection] = []
        self._notices: list[str] = []
        self._usage = self._usage_before = Usage()
        self._scanner = Scanner()
        self._read = 0
        self._judged = 0
        self._sent = 1
        self._refused_lately: list[Rejection] = []
        self._failure: SourceError | None = None
        self._has_begun = False

    @property
    def _about(self) -> tuple[str, str]:
        return self._ruleset.name, primary(self._request.scene.language)

    @property
    def takes_long(self) -> bool:
        """Whether a piece of work may take longer than others on a loop can wait: what this ruleset and language need
        is not loaded yet, or the scene is one that takes long to judge by.
        """
        if self._about not in _met:
            return True
        scene = self._request.scene
        lists = (scene.characters, scene.aspects, scene.facts, scene.recent, scene.lines, scene.veils)
        return sum(len(each) for each in lists) > LARGE

    @property
    def is_full(self) -> bool:
        """Whether nothing is wanted any more."""
        return self._tally.is_full

    @property
    def had_enough(self) -> bool:
        """Whether there is no sense in reading on: an answer without end."""
        return self._read > MOST_TEXT or self._judged >= MOST_SUGGESTIONS

    @property
    def _is_for_one(self) -> bool:
        return self._asked is not None and self._asked.manner == "one_by_one"

    def begin(self, clock: Clock) -> Iterator[Event | None]:
        """Tell what the rules found."""
        self._has_begun = True
        yield ResolutionEvent(event="resolution", resolution=self._rows.first.resolution)
        if self._tally.slots:
            yield None
            yield from (self._notice(text) for text in self._rows.of(self._tally.slots[0]).unjudged)
        for each in self._given[:MOST_SUGGESTIONS]:
            if self.is_full or clock.is_over:
                break
            yield None
            yield from self._judge_again(each)

    def rehearse(self) -> None:
        """Deal and judge a card for each slot, for nothing: what that loads, or reads of a large scene, need not be
        loaded or read when the time is up. Where another call has done it meanwhile, it is done.
        """
        if not self.takes_long:
            return
        for slot in self._tally.slots:
            for match in islice(self._deck.deal(slot, self._rows.of(slot).ruling, 0), 1):
                self._check(match.candidate, DECK)
        _met.add(self._about)

    def next_brief(self) -> Brief | None:
        """Ask for what is missing, or for nothing more."""
        if self._asked is None or self._turns is None or self.is_full or not (wanted := self._turns.next()):
            return None
        self._scanner, self._read, self._judged, self._sent = Scanner(), 0, 0, 1
        refused, self._refused_lately = tuple(self._refused_lately), []
        self._brief = Brief(
            self._rows.rulings,
            wanted,
            already_said=tuple(each.name or each.detail for each in self._tally.taken),
            refused=refused,
            purpose=self._purpose,
            manner=self._asked.manner,
        )
        return self._brief

    def read(self, piece: Piece) -> list[object]:
        """Read what the source writes, and give the suggestions whose objects have closed."""
        if isinstance(piece, Tokens):
            self._count(piece)
            return []
        if not isinstance(piece, str):
            raise NarratorError("bad_request", "source", f"it gives {type(piece).__name__}, not text or Tokens")
        self._read += len(piece)
        assert self._brief is not None, "somebody was asked"
        return [self._brief.whole(found) for found in self._scanner.feed(piece)]

    def judge(self, found: list[object]) -> Iterator[Event | None]:
        """Judge suggestions, while any is wanted."""
        for candidate in found:
            if self.had_enough or self.is_full or (self._judged and self._is_for_one):
                return
            yield None
            self._judged += 1
            yield from self._judge(candidate)

    def ended(self, seconds: float, failure: SourceError | None = None) -> Iterator[Event]:
        """Take note that a call is over, after so many seconds, and of what went wrong."""
        assert self._asked is not None, "somebody was asked"
        label = self._asked.label
        if self._asked.counts:
            prompts = self._brief.prompts if self._brief is not None else ()
            self._usage = self._usage.and_then(Usage(calls=self._sent, seconds=seconds, prompts=prompts))
        self._usage_before = self._usage
        what: str | None = None
        if failure is not None and not self.is_full:
            self._failure, what = failure, failure.reason
            if not failure.again:
                self._turns = None
        elif self.had_enough and not self.is_full:
            what = "the answer had no end"
        elif not self._judged:
            what = "there was no suggestion in the answer"
        # The same is said once, however often it happens.
        if what is not None and (text := f"{label}: {what}.") not in self._notices:
            yield self._notice(text)

    def leave(self, failure: SourceError) -> Iterator[Event]:
        """Ask nobody any more, and say why."""
        assert self._asked is not None, "somebody would have been asked"
        self._turns, self._failure = None, failure
        if not self.is_full:
            yield self._notice(f"{self._asked.label}: {failure.reason}.")

    def finish(self) -> Iterator[Event | None]:
        """Fill up from the deck, and close the answer.

        Raises:
            NarratorError: `no_words`, where the deck is to stay out and something is missing.
        """
        if self._asked is not None and self._asked.strict:
            self._require()
        yield from self._fill()
        drafted = [slot for slot in self._tally.slots if slot.draft and slot.forms and self._purpose == "roll"]
        drafts = [self._draft(slot) for slot in drafted]
        refused = (f"Your own words are not offered. {each.rejected.message}" for each in drafts if each.rejected)
        yield from map(self._notice, refused)
        yield UsageEvent(event="usage", usage=self._usage)
        answer = Answer(
            resolution=self._rows.first.resolution,
            suggestions=self._tally.in_order,
            drafts=tuple(each.accepted for each in drafts if each.accepted) or None,
            rejected=tuple(self._rejected),
            deal=self._request.deal if self._tally.slots else None,
            dealt=self._dealt(),
            usage=self._usage,
            notices=tuple(self._notices),
        )
        yield DoneEvent(event="done", done=answer.by(self._rows.first))

    def go_on_alone(self, failure: SourceError, clock: Clock) -> Iterator[Event | None]:
        """Go on from here without the source, which somebody else still waits for: what they do changes nothing of
        this.
        """
        alone = copy(self)
        alone._tally, alone._rejected, alone._notices = self._tally.copy(), [*self._rejected], [*self._notices]
        if self._has_begun:
            yield from alone.ended(clock.timeout, failure)
        else:
            yield from alone.begin(clock)
            yield from alone.leave(failure)
        yield from alone.finish()

    def _require(self) -> None:
        missing, taken = sum(missing for _, missing in self._tally.open()), len(self._tally.taken)
        if missing:
            refused = Counter(each.code for each in self._rejected)
            told = [*self._notices, *(f"{count} refused as {code}." for code, count in refused.items())]
            why = f"{taken} of {taken + missing} suggestions were found: {' '.join(told) or 'there were no more.'}"
            raise NarratorError("no_words", "", why) from self._failure

    def _fill(self) -> Iterator[Event | None]:
        if not self.is_full:
            yield from (self._notice(text) for text in self._deck.notices(self._ruleset))
        filling = Filling(self._rows, self._tally, self._deck)
        for _ in filling.deal():
            yield None
        drawn = filling.drawn
        if drawn and self._asked is not None:
            yield from self._unused(self._asked.label)
            yield self._notice(f"From the deck: {len(drawn)} of {len(self._tally.taken)} suggestions.")
        if filling.is_foreign:
            language = quoted(self._request.scene.language)
            yield self._notice(f"The deck has no cards in the language {language} for this: these are in English.")
        yield from (AcceptedEvent(event="accepted", accepted=each) for each in drawn)
        for slot, missing in self._tally.open():
            if slot.kind == "word" and missing == self._tally.per_slot:
                yield self._notice(f"The deck has no words for this ({slot.forms[0].label.lower()}): a model would.")
            else:
                count = f"{missing} of {self._tally.per_slot} left open"
                yield self._notice(f"The deck has nothing more to say for {slot.id}: {count}.")

    def _unused(self, label: str) -> Iterator[Event]:
        """Say why nothing of what was answered last is used."""
        if self._judged and not any(each.source == label for each in self._tally.taken):
            codes = Counter(each.code for each in self._refused_lately)
            why = ", ".join(f"{count} refused as {code}" for code, count in codes.items()) or "it was not wanted"
            yield self._notice(f"{label}: answered, but nothing in it could be used: {why}.")

    def _draft(self, slot: Slot) -> Verdict:
        """Judge what the request itself calls an aspect, which is the actor's where it may be."""
        offer, actor = slot.forms[0], self._request.action.actor
        to = min(offer.to or (None,), key=lambda name: name != actor)
        own = {"slot": slot.id, "form": offer.form, "to": to, "name": slot.draft}
        return check(own, self._rows.of(slot), shape=Chosen)

    def _judge(self, candidate: object) -> Iterator[Event]:
        assert self._asked is not None, "somebody was asked"
        verdict = self._check(candidate, self._asked.label)
        self._refused_lately += [verdict.rejected] if verdict.rejected is not None else []
        yield from self._judged_as(verdict)

    def _judge_again(self, given: Any) -> Iterator[Event]:
        """Judge a suggestion that was found before. It says itself who wrote it, and which card it was."""
        said = given if isinstance(given, Mapping) else {}
        source, card = (_label(said.get(name)) for name in ("source", "card"))
        if self._asked is not None and self._asked.strict and (card is not None or source in (None, DECK)):
            # Whoever is strict wants the words of whom they ask.
            return
        yield from self._judged_as(self._check(given, source or GIVEN), card)

    def _judged_as(self, verdict: Verdict, card: str | None = None) -> Iterator[Event]:
        """Keep what was found, accepted or refused; a suggestion that there is no room for is neither."""
        if verdict.rejected is not None:
            self._rejected.append(verdict.rejected)
            yield RejectedEvent(event="rejected", rejected=verdict.rejected)
        elif (found := verdict.accepted) is not None and self._tally.has_room(found.slot, found.form, found.severity):
            found = found.model_copy(update={"card": card}) if card is not None else found
            self._tally.take(found)
            yield AcceptedEvent(event="accepted", accepted=found)

    def _check(self, candidate: object, source: str) -> Verdict:
        telling = telling_a_key(candidate, self._asked.gives_away) if self._asked is not None else None
        if telling is not None:
            return Verdict(rejected=telling)
        return check(candidate, self._rows.meant(candidate), accepted=self._tally.taken, source=source)

    def _dealt(self) -> tuple[str, ...] | None:
        new = [each.card for each in self._tally.taken if each.card is not None]
        before = [card for card in self._request.scene.dealt if card not in new]
        return tuple([*before, *new][-CARDS:]) or None

    def _count(self, tokens: Tokens) -> None:
        """Add what the call has used so far to what those before it have."""
        self._sent = max(self._sent, tokens.requests)
        used = Usage(input_tokens=tokens.input, cached_tokens=tokens.cached, output_tokens=tokens.output)
        self._usage = self._usage_before.and_then(used)

    def _notice(self, text: str) -> Event:
        self._notices.append(text)
        return NoticeEvent(event="notice", notice=text)


def _label(said: object) -> str | None:
    return said if isinstance(said, str) and _LABEL.fullmatch(said) else None
