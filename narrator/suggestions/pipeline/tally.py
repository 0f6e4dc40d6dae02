"""The tally of a run: what each slot has and still needs, what to ask for next, and the cards that fill the rest."""

from collections import Counter
from collections.abc import Iterator, Mapping, Set
from itertools import islice
from typing import Protocol

from narrator.deck.deck import Match
from narrator.rules.resolve.opposition import recipient
from narrator.rules.resolve.resolution import FormOffer, Slot
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.settle.suggestion import Suggestion
from narrator.suggestions.prompt.commission import Manner, Wanted
from narrator.suggestions.source.protocol import DECK
from narrator.validation.checker import check
from narrator.validation.judge import Judge

MOST_CARDS = 150
"""Cards tried for one slot. If so many are refused, the others would be refused as well."""


class Tally:
    """The slots of the rows, the judge of each slot, and the accepted suggestions in the order they came.

    All rows have the same scene and ruleset. Slot ids are unique.
    """

    def __init__(self, rulings: tuple[Ruling, ...]) -> None:
        self.rulings = rulings
        self.request, self.ruleset = rulings[0].request, rulings[0].ruleset
        self.per_slot = self.request.per_slot
        self.slots = tuple(slot for ruling in rulings for slot in ruling.slots)
        self.taken: list[Suggestion] = []
        self.staged = set[str]()
        """The slots that staged cards began to fill. The deck fills the rest, and no source is asked."""
        judges = [Judge(ruling) for ruling in rulings]
        self._first = judges[0]
        self.judges = {slot.id: judge for judge in judges for slot in judge.ruling.slots}
        """The judge of each slot, by the slot's id."""

    @property
    def is_full(self) -> bool:
        """Whether every slot is full."""
        return next(self.open(), None) is None

    @property
    def in_order(self) -> tuple[Suggestion, ...]:
        """The accepted suggestions, by slot; milder consequences first."""
        order = {slot.id: (place, slot) for place, slot in enumerate(self.slots)}

        def place(taken: Suggestion) -> tuple[int, int]:
            at, slot = order[taken.slot]
            offer = slot.offer(taken.form)
            return at, offer.levels.index(taken.severity) if offer is not None else 0

        return tuple(sorted(self.taken, key=place))

    def open(self) -> Iterator[tuple[Slot, int]]:
        """Give each slot that is not full, with the forms still allowed and the number missing."""
        for slot in self.slots:
            if missing := self.missing(slot):
                yield self._still_open(slot), missing

    def missing(self, slot: Slot) -> int:
        """Count what a slot still needs."""
        return self.per_slot - sum(each.slot == slot.id for each in self.taken) if slot.forms else 0

    def has_room(self, slot_id: str, form: str, severity: str | None) -> bool:
        """Whether a suggestion fits: its slot is not full, and no other form or level must come first."""
        slot = next(slot for slot in self.slots if slot.id == slot_id)
        offer = self._still_open(slot).offer(form)
        return self.missing(slot) > 0 and offer is not None and severity in offer.levels

    def judge_of(self, candidate: object) -> Judge:
        """Find the judge of a candidate. If no row has its slot, the first row's judge refuses it."""
        slot = candidate.get("slot") if isinstance(candidate, Mapping) else None
        return self.judges.get(slot, self._first) if isinstance(slot, str) else self._first

    def _still_open(self, slot: Slot) -> Slot:
        """The slot with the forms still allowed. Each form, and each level of one, comes once before any comes
        twice."""
        taken = {(each.form, each.severity) for each in self.taken if each.slot == slot.id}
        fresh = tuple(left for offer in slot.forms if (left := _fresh(offer, taken)) is not None)
        number = sum(len(offer.levels) for offer in fresh)
        return slot.model_copy(update={"forms": fresh if self.missing(slot) <= number else slot.forms})


class CallPlan:
    """The calls that a source may still get, in its manner.

    In the manner `together`, the limit is for all suggestions. In the manner `one_by_one`, it is for each suggestion.
    Calls that one suggestion did not use go to others of its slot.
    """

    def __init__(self, tally: Tally, manner: Manner, calls: int) -> None:
        self._tally = tally
        self._manner = manner
        self._calls = calls
        self._made = Counter[str]()

    def next(self) -> tuple[Wanted, ...]:
        """Use up a call, and say what to ask for in it. Empty: no call is left, or none is needed."""
        if self._manner == "one_by_one":
            most = self._calls * self._tally.per_slot
            slot = next((slot for slot, _ in self._unstaged if self._made[slot.id] < most), None)
            return (self._one(slot),) if slot is not None else ()
        self._calls -= 1
        return tuple(Wanted(slot, missing) for slot, missing in self._unstaged) if self._calls >= 0 else ()

    @property
    def _unstaged(self) -> Iterator[tuple[Slot, int]]:
        return (each for each in self._tally.open() if each[0].id not in self._tally.staged)

    def _one(self, slot: Slot) -> Wanted:
        """Choose form, recipient and severity. The forms take turns, and the deal decides which is first."""
        made = self._made[slot.id]
        self._made[slot.id] += 1
        request = self._tally.request
        offer = slot.forms[((request.deal or 0) + made) % len(slot.forms)]
        chosen: dict[str, tuple[str | None, ...]] = {}
        if offer.to:
            chosen["to"] = (recipient(request, [name for name in offer.to if name is not None]),)
        if offer.severities:
            chosen["severities"] = (offer.severities[made % len(offer.severities)],)
        return Wanted(slot.model_copy(update={"forms": (offer.model_copy(update=chosen),)}), 1)


def _fresh(offer: FormOffer, taken: Set[tuple[str, str | None]]) -> FormOffer | None:
    """A form with the levels that have no suggestion yet; None if all have one."""
    left = tuple(level for level in offer.levels if (offer.form, level) not in taken)
    if len(left) == len(offer.levels):
        return offer
    return offer.model_copy(update={"severities": left}) if left else None


class Dealer(Protocol):
    """Deals cards: the deck, or the staged cards."""

    def deal(self, slot: Slot, ruling: Ruling, number: int) -> Iterator[Match]:
        """Deal cards for a slot, the one to offer first in front."""


def fill_from(dealer: Dealer, tally: Tally, source: str = DECK) -> Iterator[str | None]:
    """Fill the gaps with cards. Each card is judged like a model's suggestion, and gets `source` as its source. Each
    form comes once before any comes twice, while it has undealt cards.

    Gives the language of each card, or None if the card was not accepted. The time of the call does not end this, since
    the table would get nothing. `MOST_CARDS` bounds the work.
    """
    dealt = frozenset(tally.request.scene.dealt)
    for slot in [slot for slot in tally.slots if tally.missing(slot)]:
        passed_over: list[Match] = []
        cards = list(islice(dealer.deal(slot, tally.judges[slot.id].ruling, tally.request.deal or 0), MOST_CARDS))
        new = [match for match in cards if match.id not in dealt]
        for match in new:
            if not tally.missing(slot):
                break
            if tally.has_room(slot.id, match.opening.offer.form, match.opening.severity):
                yield _drawn(tally, match, source)
            else:
                passed_over.append(match)
        for match in (*passed_over, *cards[len(new) :]):
            if tally.missing(slot):
                yield _drawn(tally, match, source)


def _drawn(tally: Tally, match: Match, source: str) -> str | None:
    name = match.candidate["name"]
    if any(each.card == match.id or (name is not None and each.name == name) for each in tally.taken):
        return None
    accepted = check(match.candidate, tally.judge_of(match.candidate), accepted=tally.taken, source=source).accepted
    if accepted is None:
        return None
    tally.taken.append(accepted.model_copy(update={"card": match.id}))
    return match.language
