"""The likely rolls of a scene: which cards they need, which they have, and where to judge a card."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, product
from typing import NamedTuple

from narrator.deck.context import Context
from narrator.deck.deck import Match, Opening, opening
from narrator.deck.deeds import verb_file
from narrator.deck.staged import fit
from narrator.errors import NarratorError
from narrator.rules.json_text import Json
from narrator.rules.request.action import Request
from narrator.rules.request.language_tag import primary
from narrator.rules.request.scene import Scene
from narrator.rules.resolve.dice import FACES
from narrator.rules.resolve.resolution import Slot
from narrator.rules.resolve.resolver import rule
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.ruleset.card import FAMILIES, Card, Family
from narrator.rules.ruleset.row import FAIL, FormSpec, RowSpec
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.validation.judge import Judge

FIGHT, FIGHT_IN_CONFLICT, CREATE, OVERCOME = 1.0, 3.0, 2.0, 5.0
"""How often characters attack or defend, act for an aspect, or do something that may have a cost."""

WORDED = 0.5
"""The share of created aspects that need a name. The others have the player's."""

MOST_FORMS = 4
"""Cards are wanted for so many forms of a slot: the first ones."""

MOST_PEOPLE, MOST_OTHERS = 4, 8
"""The most players' characters, and the most others, to consider. In a crowd, people are alike."""

JUDGED = 8
"""The most places in which to judge a card."""

SPREAD = 0.6
"""How strongly need increases a form's number of cards. 1 would be in proportion."""

NOT_AHEAD = frozenset(
    (
        *("worsened_aspect", "opposition_free_invocation", "false_information", "unreliable_information"),
        *("lesser_version", "close_call", "inflicted_consequence"),
    )
)
"""Forms that can't be worded before the attempt or the hit is known."""

BY_WORD = 0.5
"""How often a verb shows the family if the ruleset's skills do not."""

NOBODY = "somebody"


class LikelyRoll(NamedTuple):
    """A slot of a likely roll: how likely it is, the openings for a card, and the judge."""

    weight: float
    openings: tuple[Opening, ...]
    judge: Judge


class LikelyRolls:
    """Rolls of each action by each player's character with their good skills, at every outcome with slots. The model is
    not told of them. They serve to rate cards.
    """

    def __init__(self, scene: Scene, ruleset: Ruleset) -> None:
        self.scene, self.ruleset = scene, ruleset
        people = sorted(scene.characters, key=lambda each: each.importance != "pc")[: MOST_PEOPLE + MOST_OTHERS]
        self._few = scene.model_copy(update={"characters": tuple(people)})
        self._language = primary(scene.language)

    @property
    def forms(self) -> Mapping[str, FormSpec]:
        """All forms, by name."""
        return self.ruleset.forms

    @cached_property
    def ways(self) -> dict[str, dict[Family | None, float]]:
        """How often each player's character acts in each family, by their skills. None: no family is known. Without
        such characters, it is another person, or a nameless one. The first tries every family, since a card may be for
        an unlikely one.
        """
        people = [each for each in self._few.characters if each.importance == "pc" and not each.is_out]
        skills = {each.name: {skill.casefold() for skill in each.skills or {}} for each in people[:MOST_PEOPLE]}
        found: dict[str, dict[Family | None, float]] = {}
        for name, own in (skills or {next((each.name for each in self._few.characters), NOBODY): set[str]()}).items():
            told = [family for family in FAMILIES if own & verb_file().families[family]]
            rare = 0.0 if told else BY_WORD / len(FAMILIES)
            others: dict[Family | None, float] = {} if found else dict.fromkeys(FAMILIES, rare)
            best: dict[Family | None, float] = {family: 1 / len(told) for family in told} or {None: 1 - BY_WORD}
            found[name] = others | best
        return found

    @cached_property
    def places(self) -> tuple[LikelyRoll, ...]:
        """All slots of the likely rolls."""
        foe = next((each.name for each in self._few.characters if each.name not in self.ways), None)
        found = []
        for row in self._rows:
            for actor, ways in self.ways.items():
                for way, share in ways.items():
                    ruling = self._ruling(row, actor, way, foe)
                    for slot in ruling.slots if ruling is not None else ():
                        assert ruling is not None, "there is one that has slots"
                        weight = self._weight(row) * share * (WORDED if slot.kind == "aspect" else 1.0)
                        found.append(LikelyRoll(weight, _openings(ruling, slot), Judge(ruling)))
        return tuple(found)

    def wanted(self, cards: int) -> Counter[str]:
        """Distribute so many cards over the forms, by the need of the slots. A slot needs its first forms most, and
        every form gets some cards before one gets many.
        """
        need = dict[str, float](dict.fromkeys(self.forms, 0.0))
        for each in self.places:
            # The last of `forms` is the opposition's own form.
            forms = dict.fromkeys(here.forms[-1] for here in each.openings)
            first = [form for form in forms if form not in NOT_AHEAD and form in self.forms][:MOST_FORMS]
            need |= {form: need[form] + each.weight / len(first) for form in first}
        given = Counter[str]()
        for _ in range(cards if any(need.values()) else 0):
            given[max(need, key=lambda form: need[form] ** SPREAD / (given[form] + 1))] += 1
        return given

    def coverage(self, cards: Sequence[Card]) -> float:
        """Return the share of slots with a card of their own, from 0 to 1, weighted by likelihood."""
        found = whole = 0.0
        for each in self.places:
            whole += each.weight
            if any(fit(card, here, self._language) for here in each.openings for card in cards):
                found += each.weight
        return round(found / whole, 3) if whole else 0.0

    def dealt(self, card: Card) -> Iterator[tuple[Match, Judge]]:
        """Deal a card in some of the slots that allow it."""
        matches = ((fit(card, here, self._language), place.judge) for place in self.places for here in place.openings)
        yield from islice(((match, judge) for match, judge in matches if match is not None), JUDGED)

    @cached_property
    def _rows(self) -> list[RowSpec]:
        plain = (row for row in self.ruleset.rows if row.maneuver is None and row.variant != "roar")
        return [row for row in plain if not self.ruleset.actions[row.action].variant(row.variant).needs]

    def _weight(self, row: RowSpec) -> float:
        spec = self.ruleset.actions[row.action]
        is_fight = spec.is_attack or spec.is_defense
        in_fight = FIGHT_IN_CONFLICT if self.scene.frame == "conflict" else FIGHT
        rows = [each for each in self._rows if each.action == row.action]
        costs = any("_cost" in slot.kind for each in rows for branch in each.branches for slot in branch.slots)
        share = in_fight if is_fight else OVERCOME if costs else CREATE
        # Against opposition as good as the actor.
        sums = map(sum, product(FACES, repeat=4))
        chance = sum(self.ruleset.outcome(each) == row.outcome for each in sums) / len(FACES) ** 4
        return chance * share / len({each.variant for each in rows})

    def _ruling(self, row: RowSpec, actor: str, way: Family | None, foe: str | None) -> Ruling | None:
        # The verb alone shows the family, if no skill shows another.
        deed = next((name for name, each in verb_file().deeds.items() if each.family == way), None)
        spec = self.ruleset.actions[row.action]
        shifts = -1 if row.outcome == FAIL else self.ruleset.least(row.outcome)
        action: Json = {"type": row.action, "variant": row.variant, "outcome": row.outcome, "shifts": shifts}
        action |= {"actor": actor, "intent": deed or ""}
        action |= {"target": foe} if spec.is_attack else {"opposition": {"by": foe}} if foe else {}
        request = {"scene": self._few, "action": action, "ruleset": self.ruleset.name, "deal": 0}
        try:
            return rule(Request.read(request), self.ruleset)
        except NarratorError:
            return None


def _openings(ruling: Ruling, slot: Slot) -> tuple[Opening, ...]:
    reading = Context(ruling)
    attained = ruling.attained(slot)
    return tuple(opening(reading, slot, offer, level, attained) for offer in slot.forms for level in offer.levels)
