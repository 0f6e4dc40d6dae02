"""Sample scenes for judging cards: every place where rules allow a form, with several kinds of people."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, product

from narrator.deck.context import Context
from narrator.deck.deck import OWN_CARD, Match, Opening, opening
from narrator.errors import NarratorError
from narrator.rules.json_text import Json
from narrator.rules.request.action import Request
from narrator.rules.request.scene import Scene
from narrator.rules.resolve.resolver import rule
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.resolve.without_roll import WORD_KINDS, request_for, without_roll
from narrator.rules.ruleset.card import ACTIVITIES, THINGS, Card
from narrator.rules.ruleset.loader import packaged, packaged_ruleset
from narrator.rules.ruleset.row import FAIL, FormSpec, RowSpec
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.validation.judge import Judge

PEOPLE: tuple[tuple[Json, Json], ...] = (
    ({"name": "Ilse", "pronouns": "she/her", "importance": "pc"}, {"name": "Ross", "importance": "named"}),
    ({"name": "The Reavers", "group": True}, {"name": "Gate Guards", "importance": "nameless"}),
    ({"name": "Landon", "pronouns": "they/them", "importance": "pc"}, {"name": "Lantern Boys", "importance": "swarm"}),
)
"""Actors and opponents: single people, groups, and people with plural pronouns."""

ASPECT, DRAFT, OBJECT, SOUGHT = "Locked Iron Door", "Rope Across the Stairs", "the iron door", "who has the key"
"""The fillings of `{aspect}`, `{draft}`, `{object}` and `{sought}`."""

ANY_DEED = "try"
"""The deed for a card that fits any deed."""

PATH = ("Gatehouse", "South Road", "Tundra Plain")

CardPlace = tuple[Ruleset, Json, str]
"""Where a form occurs: the ruleset, the action, and the id of the slot."""

Setting = tuple[Opening, Judge]
"""A place with people: the opening for a card, and its judge."""


class Sample:
    """The places of some rulesets."""

    def __init__(self, rulesets: Iterable[Ruleset], language: str) -> None:
        self._rulesets = tuple(rulesets)
        self._language = language
        self._places: dict[str, tuple[CardPlace, ...]] = {}
        self._settings: dict[tuple[str, str], tuple[Setting, ...]] = {}

    @cached_property
    def forms(self) -> Mapping[str, FormSpec]:
        """All forms, by name."""
        return {name: spec for each in reversed(self._rulesets) for name, spec in each.forms.items()}

    def dealt(self, card: Card) -> Iterator[tuple[Match, Judge]]:
        """Deal a card wherever it can be dealt, with each pair of people."""
        deed = next((each for each in card.activities if each in ACTIVITIES), ANY_DEED)
        for here, judge in self._set_for(card.form, deed):
            if here.may_have(card):
                yield Match(card, here, self._language, OWN_CARD, fit=0.0), judge

    def _set_for(self, form: str, deed: str) -> tuple[Setting, ...]:
        if (form, deed) not in self._settings:
            settings = (_setting(form, *each, self._language, deed) for each in product(self._of(form), PEOPLE))
            self._settings[form, deed] = tuple(each for each in settings if each is not None)
        return self._settings[form, deed]

    def _of(self, form: str) -> tuple[CardPlace, ...]:
        if form not in self._places:
            found: dict[tuple[object, ...], CardPlace] = {}
            for ruleset in self._rulesets:
                for action in chain(({"type": kind} for kind in WORD_KINDS), _actions(ruleset, form)):
                    for key, place in _places(ruleset, action, form):
                        found.setdefault(key, place)
            self._places[form] = tuple(found.values())
        return self._places[form]


def sample_of(language: str, more: Sequence[Ruleset] = ()) -> Sample:
    """Make a sample of narrator's own rulesets and more."""
    return Sample((*more, *map(packaged_ruleset, packaged())), language)


def _places(ruleset: Ruleset, action: Json, form: str) -> Iterator[tuple[tuple[object, ...], CardPlace]]:
    """Find the slots of an action that have a form, each with a key that tells it from others."""
    ruling = _ruling(ruleset, action, PEOPLE[0], "en", ANY_DEED)
    if ruling is None:
        return
    for slot in ruling.slots:
        # A new aspect named like one in play gets other words.
        if (offer := slot.offer(form)) is not None and slot.draft != ASPECT:
            goals = {each.goal for each in ruling.resolution.branches if slot in each.slots}
            key = (slot.kind, offer.to, offer.on, frozenset(goals), slot.draft is None)
            yield key, (ruleset, action, slot.id)


def _actions(ruleset: Ruleset, form: str) -> Iterator[Json]:
    """Give actions that lead to each row with a form. A row with a hit also has the forms for harm."""
    spec = ruleset.forms.get(form)
    for row in ruleset.rows:
        forms = {use.form for branch in row.branches for slot in branch.slots for use in slot.forms}
        is_hit = any(grant.type == "hit" for branch in row.branches for grant in branch.grants)
        if form in forms or (is_hit and spec is not None and "consequence" in spec.kinds):
            yield from (_action(ruleset, row, aspect) for aspect in (ASPECT, DRAFT))


def _action(ruleset: Ruleset, row: RowSpec, aspect: str) -> Json:
    action: Json = {"type": row.action, "variant": row.variant, "maneuver": row.maneuver, "outcome": row.outcome}
    needs = ruleset.actions[row.action].variant(row.variant).needs
    action |= {"path": PATH} if "path" in needs else {}
    shifts = -1 if row.outcome == FAIL else ruleset.least(row.outcome)
    return {**action, "shifts": shifts, "aspect": aspect, "attack": {"heavy_weapon": True}}


def _ruling(ruleset: Ruleset, action: Json, people: tuple[Json, Json], language: str, deed: str) -> Ruling | None:
    actor, opponent = ({"side": side, **each} for side, each in zip(("pc", "opposition"), people, strict=True))
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


def _setting(form: str, place: CardPlace, people: tuple[Json, Json], language: str, deed: str) -> Setting | None:
    """Put people into a place, and fill every placeholder that it allows."""
    ruleset, action, id_ = place
    ruling = _ruling(ruleset, action, people, language, deed)
    slot = next((each for each in ruling.slots if each.id == id_), None) if ruling is not None else None
    offer = slot.offer(form) if slot is not None else None
    if ruling is None or slot is None or offer is None:
        return None
    reading = Context(ruling)
    here = opening(reading, slot, offer, offer.levels[0], ruling.attained(slot))
    words = {"aspect": ASPECT, "sought": SOUGHT, **here.words}
    reading.said.things = {thing: (thing,) for thing in THINGS}
    return replace(here, people={"object": OBJECT, **here.people}, words=words), Judge(ruling)
