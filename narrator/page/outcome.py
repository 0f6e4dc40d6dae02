"""A roll on the page: its outcome, and the choices that it leaves."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from narrator.campaign.records import Page
from narrator.page.cards import COSTS, Card, Mark, card_of, choice
from narrator.page.form import Form
from narrator.page.table import Chip, Row, Table
from narrator.render import phrases
from narrator.rules.resolve.resolution import Absorption, Branch, Grant, OppositionResult, RollResult, Slot
from narrator.rules.ruleset.row import FAIL
from narrator.rules.settle.suggestion import Suggestion

_MARKS = {FAIL: "fail", "tie": "tie", "succeed": "success", "succeed_with_style": "style"}
_GOALS = {"attained": "success", "not_attained": "fail", "lesser": "tie", "opponent_decides": "tie"}
_RUNGS = 9
_MOST_OF_LEVEL = 3
"""So many suggestions are shown for one level of a consequence."""


def mark_of(outcome: str) -> Mark:
    """The mark of an outcome. Outcomes of house rulesets have the mark of a success."""
    return _MARKS.get(outcome, "success")


class Words(NamedTuple):
    """A slot and its words."""

    slot: Slot
    title: str
    cards: Sequence[Card]
    is_last: bool
    """Whether a tap on a card completes the choice."""


class Way(NamedTuple):
    """A way to absorb a hit."""

    value: str
    label: str
    boxes: Sequence[tuple[int, int]]
    """For each box and consequence, the shifts that it absorbs now, and its size."""


class Rung(NamedTuple):
    """A rung of the ladder, and which side's total is there."""

    rating: int
    state: str


class Outcome:
    """A page of the campaign as the browser shows it.

    Args:
        told: The choices so far: the branch of a hit, and the way to absorb it.
    """

    def __init__(self, table: Table, page: Page, told: Form) -> None:
        self.table, self.page, self.told = table, page, told
        self.resolution = page.answer.resolution
        self.action = page.request.action
        self.actor = self.resolution.action.actor
        self.is_attack = any(grant.type == "hit" for branch in self.resolution.branches for grant in branch.grants)

    @property
    def headline(self) -> str:
        """The outcome in words."""
        found, shifts = self.resolution.outcome, self.resolution.shifts
        attacks = self.table.played.actions[self.action.type].is_attack
        verbs = {FAIL: "Misses" if attacks else "Fails", "tie": "Ties", "succeed": "Hits" if attacks else "Succeeds"}
        verbs["succeed_with_style"] = verbs["succeed"]
        by = f" by {abs(shifts)}" if shifts else ""
        style = ", with style" if found == "succeed_with_style" else ""
        return f"{verbs.get(found, phrases.plain(found).capitalize())}{by}{style}"

    @property
    def mark(self) -> Mark:
        """The mark of the outcome."""
        return mark_of(self.resolution.outcome)

    @cached_property
    def ladder(self) -> list[Rung]:
        """The rungs from below the lower total to above the higher one. Empty if dice did not decide."""
        ours, theirs = self.resolution.roll, self.resolution.opposition.total
        if ours is None or theirs is None or abs(ours.total - theirs) > _RUNGS - 3:
            return []
        low, high = sorted((ours.total, theirs))
        first = min(low - 2, high - 4)

        def state(rating: int) -> str:
            here = [*(["me"] if rating == ours.total else []), *(["them"] if rating == theirs else [])]
            return " ".join(here) or ("gap" if low < rating < high else "")

        return [Rung(each, state(each)) for each in range(first, first + _RUNGS)]

    def made_of(self, side: RollResult | OppositionResult, skill: str | None) -> str:
        """The parts of a side's total on two lines. Empty if the side did not roll."""
        if side.fell is None:
            return ""
        more = [f"{name} {number:+d}" for name, number in (("bonus", side.bonus), ("invoked", side.invoked)) if number]
        told = [f"{skill or 'no skill'} {side.skill or 0:+d}", f"dice {side.fell:+d}", *more]
        return f"{told[0]}\n{', '.join(told[1:])}".replace("-", "−")

    @property
    def shifts_told(self) -> Row | None:
        """The row to choose the shifts of a hit that was told without dice."""
        shifts = self.resolution.shifts
        if self.action.outcome is None or not self.is_attack or not shifts:
            return None
        played = self.table.played
        told = [each for each in range(1, 9) if played.outcome(each) == self.resolution.outcome]
        return Row("shifts", "By", [Chip(str(each), str(each)) for each in told], [str(shifts)])

    @property
    def branch(self) -> Branch:
        """The chosen branch of a hit."""
        branches = self.resolution.branches
        return next((each for each in branches if each.id == self.told.one("branch")), branches[0])

    def marks(self, branch: Branch) -> list[Mark]:
        """The marks of a branch: for its goal, its costs and its boosts."""
        goal = self.mark if branch.goal == "attained" and self.mark == "style" else _GOALS[branch.goal]
        kinds = [slot.kind for slot in branch.slots]
        return [goal, *(["cost"] if {*kinds} & {*COSTS} else []), *(["boost"] if "boost" in kinds else [])]

    def gives(self, branch: Branch) -> list[str]:
        """What a branch gives without words, except a hit."""
        told = [phrases.grant(each) for each in branch.grants if each.type != "hit"]
        return [*told, *(phrases.fallen(each, self.actor) for each in branch.falls_away or ())]

    def choices(self, branch: Branch) -> list[Row]:
        """The choices of its grants: who gets them, and where a move goes."""
        found = []
        for place, grant in enumerate(branch.grants):
            if len(grant.to) > 1:
                found.append(choice(f"grant.{place}.to", _legend(grant), grant.to))
            if grant.type in ("move", "may_move") and grant.on is None:
                zones = [each.name for each in self.table.scene.zones]
                found.append(choice(f"grant.{place}.on", "Where to", zones, may_be_none=grant.type == "may_move"))
        return found

    def words(self, branch: Branch) -> list[Words]:
        """The words for each of its slots, in the order of choosing. A consequence comes last."""
        slots = sorted((each for each in branch.slots if each.forms), key=lambda each: each.may_stay_empty)
        level = self.levels(branch)
        wanted = [slot for slot in slots if not slot.may_stay_empty or len(level) == 1]
        found = []
        for slot in wanted:
            cards = [card for each in self._of_slot(slot) if (card := self.card(slot, each)) is not None]
            title = phrases.plain(slot.id).capitalize()
            if slot.may_stay_empty:
                title = (
                    f"{level[0].capitalize()}: what happened to {slot.forms[0].to[0] if slot.forms[0].to else 'them'}?"
                )
            found.append(Words(slot, title, cards, slot is wanted[-1]))
        return found

    def _of_slot(self, slot: Slot) -> Iterable[Suggestion]:
        told = (*(self.page.answer.drafts or ()), *self.page.answer.suggestions)
        level = self.levels(self.branch)
        of_slot = [each for each in told if each.slot == slot.id]
        if not slot.may_stay_empty:
            return of_slot[: _MOST_OF_LEVEL + len(self.page.answer.drafts or ())]
        return [each for each in of_slot if (each.severity,) == level][:_MOST_OF_LEVEL]

    def card(self, slot: Slot, given: Suggestion) -> Card | None:
        """The card of words for a slot, or None if the slot no longer has this form."""
        offer = slot.offer(given.form)
        return None if offer is None else card_of(slot, offer, given)

    def own(self, slot: Slot) -> list[Row]:
        """The choices for the user's own words: their form and their recipient."""
        forms = [Chip(each.form, each.label) for each in slot.forms]
        rows = [Row(f"own.{slot.id}.form", "What is it?", forms, [slot.forms[0].form])]
        names = [*dict.fromkeys(name for each in slot.forms if len(each.to or ()) > 1 for name in each.to or ())]
        return [*rows, choice(f"own.{slot.id}.to", "For whom?", names)] if names else rows

    def hit(self, branch: Branch) -> Grant | None:
        """The hit of a branch."""
        return next((grant for grant in branch.grants if grant.type == "hit"), None)

    def ways(self, branch: Branch) -> list[Way]:
        """All ways to absorb its hit."""
        hit = self.hit(branch)
        if hit is None or not hit.absorb:
            return []
        sizes = self.table.played.sheet.consequences
        found = []
        for place, way in enumerate(hit.absorb):
            whole = [*(way.boxes or ([way.stress] if way.stress else [])), *(sizes[each] for each in way.consequences)]
            left, boxes = hit.amount or 0, []
            for size in whole:
                boxes.append((min(size, left), size))
                left -= min(size, left)
            found.append(Way(str(place), f"{way.text[0].upper()}{way.text[1:]}", boxes))
        return found

    def way(self, branch: Branch) -> Absorption | None:
        """The chosen way, or None if the hit can't be absorbed."""
        hit = self.hit(branch)
        ways = hit.absorb if hit is not None and hit.absorb else ()
        chosen = self.told.one("way", "0")
        place = int(chosen) if chosen.isdecimal() and len(chosen) < 4 else 0
        return ways[min(place, len(ways) - 1)] if ways else None

    def levels(self, branch: Branch) -> tuple[str, ...]:
        """The levels of the consequences in the chosen way."""
        way = self.way(branch)
        return way.consequences if way is not None else ()


def _legend(grant: Grant) -> str:
    """The label for choosing who gets a grant."""
    if grant.type == "free_invocations":
        return f"{phrases.count(grant.amount or 0, 'free invocation')} of {grant.on} for"
    return phrases.plain(grant.type).capitalize()
