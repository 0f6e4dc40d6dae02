"""Sample scenes: every place where rules let a form be dealt, with people of several kinds, to judge a card there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, product
from typing import Any, NamedTuple

from narrator.deck.dealing import Match, Opening, opening
from narrator.deck.reading import Reading
from narrator.errors import NarratorError
from narrator.rules.action import USUAL_RULESET, Request
from narrator.rules.branches import HARM
from narrator.rules.card import ACTIVITIES, THINGS, Card
from narrator.rules.loading import packaged, packaged_ruleset
from narrator.rules.resolving import rule
from narrator.rules.row import FAIL, FormSpec, RowSpec
from narrator.rules.ruleset import Ruleset
from narrator.rules.ruling import Ruling
from narrator.rules.scene import Scene
from narrator.rules.without_roll import WORD_KINDS, request_for, without_roll
from narrator.validation.judge import Judge

Json = dict[str, Any]

PEOPLE: tuple[tuple[Json, Json], ...] = (
    ({"name": "Ilse", "pronouns": "she/her", "importance": "pc"}, {"name": "Ross", "importance": "named"}),
    ({"name": "The Reavers", "group": True}, {"name": "Gate Guards", "importance": "nameless"}),
    ({"name": "Landon", "pronouns": "they/them", "importance": "pc"}, {"name": "Lantern Boys", "importance": "swarm"}),
)
"""Who acts and who opposes: one, several, and whoever has pronouns that go with plural verbs."""

ASPECT, DRAFT, OBJECT, SOUGHT = "Locked Iron Door", "Rope Across the Stairs", "the iron door", "who has the key"
"""What is put in for `{aspect}`, `{draft}`, `{object}` and `{sought}`."""

ANY_DEED = "try"
"""What is done where a card is for anything."""

PATH = ("Gatehouse", "South Road", "Tundra Plain")


@dataclass(frozen=True)
class Place:
    """A form in a slot of a row, or of words without a roll: whose rules, and what leads there."""

    ruleset: Ruleset
    action: Json
    slot: str
    form: str


class Stage(NamedTuple):
    """A place with people in it: what a card is put into, and who judges its words."""

    opening: Opening
    judge: Judge


class Sample:
    """The places of some rulesets."""

    def __init__(self, rulesets: Iterable[Ruleset], language: str) -> None:
        self._rulesets = tuple(rulesets)
        self._language = language
        self._places: dict[str, tuple[Place, ...]] = {}
        self._stages: dict[tuple[str, int, int, str], Stage | None] = {}

    @property
    def usual_ruleset(self) -> Ruleset:
        """The ruleset that a request means which names none."""
        return packaged_ruleset(USUAL_RULESET)

    @cached_property
    def forms(self) -> Mapping[str, FormSpec]:
        """The forms that there are."""
        return {name: spec for each in reversed(self._rulesets) for name, spec in each.forms.items()}

    def dealt(self, card: Card) -> Iterator[tuple[Match, Judge]]:
        """Deal a card wherever it can be dealt, with all of the people."""
        deed = next((each for each in card.activities if each in ACTIVITIES), ANY_DEED)
        for place, people in product(range(len(self._of(card.form))), range(len(PEOPLE))):
            key = (card.form, place, people, deed)
            if key not in self._stages:
                self._stages[key] = _stage(self._of(card.form)[place], people, self._language, deed)
            stage = self._stages[key]
            if stage is not None and stage.opening.may_have(card):
                yield Match(card, stage.opening, self._language, is_own=True, fit=0.0), stage.judge

    def _of(self, form: str) -> tuple[Place, ...]:
        if form not in self._places:
            found: dict[tuple[object, ...], Place] = {}
            for ruleset in self._rulesets:
                actions = chain(({"type": kind} for kind in WORD_KINDS), _actions(ruleset, form))
                for action in actions:
                    found |= {key: place for key, place in _places(ruleset, action, form) if key not in found}
            self._places[form] = tuple(found.values())
        return self._places[form]


def sample_of(language: str, more: Sequence[Ruleset] = ()) -> Sample:
    """Take the rulesets that come with narrator, and more."""
    return Sample((*more, *map(packaged_ruleset, packaged())), language) if more else _usual(language)


@lru_cache(maxsize=4)
def _usual(language: str) -> Sample:
    return Sample(map(packaged_ruleset, packaged()), language)


def _places(ruleset: Ruleset, action: Json, form: str) -> Iterator[tuple[tuple[object, ...], Place]]:
    """Find where what is done has a form, each with what tells it from others of its kind."""
    ruling = _ruling(ruleset, action, 0, "en", ANY_DEED)
    for slot in ruling.slots if ruling is not None else ():
        # Whoever names a new aspect like one that is in play gets other words for it.
        if ruling is not None and (offer := slot.offer(form)) is not None and slot.draft != ASPECT:
            goals = {each.goal for each in ruling.resolution.branches if slot in each.slots}
            key = (slot.kind, offer.to, offer.on, frozenset(goals), slot.draft is None)
            yield key, Place(ruleset, action, slot.id, form)


def _actions(ruleset: Ruleset, form: str) -> Iterator[Json]:
    """Say what leads to each row that has a form, or that has a hit, which brings the forms for harm."""
    spec = ruleset.forms.get(form)
    for row in ruleset.rows:
        forms = {use.form for branch in row.branches for slot in branch.slots for use in slot.forms}
        is_hit = any(grant.type == "hit" for branch in row.branches for grant in branch.grants)
        if form in forms or (is_hit and spec is not None and HARM in spec.kinds):
            yield from (_action(ruleset, row, aspect) for aspect in (ASPECT, DRAFT))


def _action(ruleset: Ruleset, row: RowSpec, aspect: str) -> Json:
    action: Json = {"type": row.action, "variant": row.variant, "maneuver": row.maneuver, "outcome": row.outcome}
    needs = ruleset.actions[row.action].variant(row.variant).needs
    action |= {"path": PATH} if "path" in needs else {}
    shifts = -1 if row.outcome == FAIL else ruleset.least(row.outcome)
    return {**action, "shifts": shifts, "aspect": aspect, "attack": {"heavy_weapon": True}}


def _ruling(ruleset: Ruleset, action: Json, people: int, language: str, deed: str) -> Ruling | None:
    actor, opponent = ({"side": side, **each} for side, each in zip(("pc", "opposition"), PEOPLE[people], strict=True))
    aspects = [{"name": ASPECT}] if action.get("aspect") == ASPECT else []
    zones = [{"name": name, "adjacent": PATH} for name in PATH] if "path" in action else []
    scene = {"characters": [actor, opponent], "aspects": aspects, "zones": zones, "language": language}
    told = {**action, "actor": actor["name"], "target": opponent["name"], "intent": f"{deed} and get away with it"}
    kind = next((each for each in WORD_KINDS if each == action["type"]), None)
    try:
        if kind is not None:
            read = Scene.read(scene)
            request = request_for(read, kind, actor["name"], ruleset=ruleset.name, per_slot=1, deal=None)
            return without_roll(request, ruleset)
        return rule(Request.read({"scene": scene, "action": told}), ruleset)
    except NarratorError:
        return None


def _stage(place: Place, people: int, language: str, deed: str) -> Stage | None:
    """Put people into a place, with something for every placeholder that may be filled there."""
    ruling = _ruling(place.ruleset, place.action, people, language, deed)
    slots = ruling.slots if ruling is not None else ()
    slot = next((each for each in slots if each.id == place.slot), None)
    offer = slot.offer(place.form) if slot is not None else None
    if ruling is None or slot is None or offer is None:
        return None
    reading = Reading(ruling)
    here = opening(reading, slot, offer, offer.levels[0], ruling.attained(slot))
    words = {"aspect": ASPECT, "sought": SOUGHT, **here.words}
    reading.said.things = {thing: (thing,) for thing in THINGS}
    return Stage(replace(here, people={"object": OBJECT, **here.people}, words=words), Judge(ruling))
