"""What the page knows about a table: the scene, recent habits, and the moves that buttons send."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from narrator.campaign.campaign import Campaign
from narrator.campaign.records import Entry, Page
from narrator.errors import RequestError
from narrator.rules.json_text import Json
from narrator.rules.request.action import Active, Passive, Request
from narrator.rules.request.overlay import laid
from narrator.rules.request.scene import Character, Consequence, Scene, SceneAspect
from narrator.rules.resolve import ladder
from narrator.rules.resolve.cast import Cast, cast_of_scene, rating
from narrator.rules.resolve.invocations import aspects_in_play
from narrator.rules.settle.suggestion import Suggestion

_ENTRIES = 30
"""So many last entries are searched for one that still stands."""
_OF_FIGHTS = ("fight", "shoot", "athletics")
"""Skills that are chosen first for attack and defense. Nobody attacks with Stealth just because it is highest."""
_LATELY = 6
"""So many last pages are searched for usual choices."""


class Chip(NamedTuple):
    """One option in a row."""

    value: str
    label: str
    more: str = ""


@dataclass(frozen=True)
class Row:
    """A row of chips, of which the user chooses one, or any number."""

    name: str
    legend: str
    chips: Sequence[Chip]
    chosen: Sequence[str]
    others: Sequence[Chip] = ()
    is_many: bool = False
    button: Chip | None = None
    """A button next to the row that makes a move."""
    is_late: bool = False
    """Whether it is too late for that move."""

    @property
    def is_told(self) -> bool:
        """Whether a value other than the empty one is chosen."""
        return any(self.chosen)


class Box(NamedTuple):
    """A box of a stress track, and the move that a tap on it makes."""

    size: int
    is_marked: bool
    move: Json


def bearing(move: Json, **typed: Sequence[str | int]) -> Json:
    """The value of a button: a move, and the paths in it for typed fields, such as `text=["name"]`."""
    return {"move": move, "typed": typed}


def filled(told: Json, texts: Mapping[str, str]) -> Json:
    """Read the move of a button and fill in the typed fields. `bad_request` if no button has this value."""
    move, typed = told.get("move"), told.get("typed")
    try:
        for field, [*path, last] in dict(typed or {}).items():
            place: Any = move
            for step in path:
                place = place[step]
            place[last] = texts.get(field, "")
        return {name: value for name, value in dict(move or {}).items() if value is not None}
    except (TypeError, ValueError, LookupError):
        raise RequestError("bad_request", "move", "the page has no such button: load it again") from None


class Table:
    """The state of a campaign when a page is shown."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.scene = campaign.scene
        self.played = campaign.played
        self.last = campaign.last

    @cached_property
    def lately(self) -> Sequence[Page]:
        """The last pages, open or not, the newest first."""
        return self.campaign.lately(_LATELY)[::-1]

    @cached_property
    def lately_written(self) -> Sequence[Entry]:
        """The last entries, the newest last."""
        return self.campaign.entries(max(0, self.last - _ENTRIES), _ENTRIES)

    @property
    def just_now(self) -> Entry | None:
        """The last entry."""
        return next(iter(self.lately_written[-1:]), None)

    @property
    def present(self) -> tuple[str, ...]:
        """The names of all who may act."""
        return tuple(each.name for each in self.scene.characters if not each.is_out)

    @property
    def up(self) -> str | None:
        """Whose turn it is: according to the conflict, else the player's character whose last roll is oldest."""
        conflict = self.scene.conflict
        if conflict is not None and conflict.turn in self.present:
            return conflict.turn
        if conflict is not None and self.in_order:
            return next((name for name in self.in_order if name not in conflict.acted), self.in_order[0])
        players = [each.name for each in self.scene.characters if each.importance == "pc" and not each.is_out]
        acted = [page.request.action.actor for page in self.lately]
        order = sorted(players, key=lambda name: -acted.index(name) if name in acted else -len(acted) - 1)
        return next(iter([*order, *self.present]), None)

    @property
    def last_rating(self) -> int:
        """The last rating that was an opposition."""
        told = (page.request.action.opposition for page in self.lately)
        ratings = (each.rating for each in told if isinstance(each, Passive) and each.rating is not None)
        return next(ratings, ladder.AVERAGE + 1)

    @property
    def aspects(self) -> tuple[str, ...]:
        """The names of all aspects in play, each once."""
        return tuple(dict.fromkeys(name for name, _ in aspects_in_play(self.scene)))

    def request(self, action: Json) -> Request:
        """Make the request of an action at this table."""
        told = {"ruleset": self.campaign.ruleset, "scene": self.scene, "action": action}
        return Request.read(told, "request")

    def scene_for(self, page: Page) -> Scene:
        """The newest scene, with the additions of a page."""
        return Scene.read(laid(page.over, self.scene.as_json())[0]) if page.over is not None else self.scene

    def character(self, name: str | None) -> Character | None:
        """Find a character of the scene."""
        return next((each for each in self.scene.characters if each.name == name), None)

    def foes(self, of: str) -> list[Character]:
        """All of other sides who are not out. If there are none, everybody else."""
        somebody = self.character(of)
        others = [each for each in self.scene.characters if each.name != of and not each.is_out]
        return [each for each in others if somebody is None or each.side != somebody.side] or others

    def skills(self, of: str) -> list[tuple[str, int]]:
        """A character's skills, the best first, then the ruleset's other skills."""
        somebody = self.character(of)
        told = sorted((somebody.skills if somebody else {}).items(), key=lambda each: -each[1])
        known = {name.casefold() for name, _ in told}
        return [*told, *((name, 0) for name in self.played.skills if name.casefold() not in known)]

    def usual_skill(self, of: str, does: str, against: str | None = None) -> str:
        """The skill that a character last used for this action, or against it. Otherwise their best fitting skill."""
        for page in self.lately:
            action = page.request.action
            theirs = action.opposition
            if against is None and (action.actor, action.type) == (of, does) and action.skill:
                return action.skill
            is_theirs = isinstance(theirs, Active) and (theirs.by or action.target) == of
            if isinstance(theirs, Active) and is_theirs and action.type == against and theirs.skill:
                return theirs.skill
        rated = [name for name, rating in self.skills(of) if rating]
        fitting = [name for name in rated if "attack" in (does, against) and name.casefold() in _OF_FIGHTS]
        return next(iter([*fitting, *rated, *(name for name, _ in self.skills(of))]), "")

    def usual_deed(self, of: str) -> str | None:
        """A character's last action in the current conflict, which they probably repeat."""
        told = (page.request.action for page in self.lately if self.scene.conflict is not None)
        return next((each.type for each in told if each.actor == of), None)

    def rating(self, of: str, skill: str) -> int:
        """A character's rating in a skill."""
        somebody = self.character(of)
        return 0 if somebody is None else rating(somebody, skill or None)

    @cached_property
    def _cast(self) -> Cast:
        return cast_of_scene(self.scene, self.played.sheet)

    def sheet(self, of: Character) -> Character:
        """A character with a complete sheet, by default the ruleset's."""
        return self._cast[of.name]

    @property
    def in_order(self) -> tuple[str, ...]:
        """All who may act, in the order of turns if there is one."""
        conflict = self.scene.conflict
        order = conflict.order if conflict is not None and conflict.order is not None else self.present
        return tuple(name for name in order if name in self.present)

    @property
    def sides(self) -> dict[str, list[str]]:
        """The names on each side."""
        found: dict[str, list[str]] = {}
        for each in self.scene.characters:
            found.setdefault(each.side, []).append(each.name)
        return found

    @property
    def newcomers(self) -> tuple[Suggestion, ...]:
        """New characters in the last settled words who are not in the scene yet."""
        entry = self.just_now
        page = entry.page if entry is not None and entry.kind == "settled" else None
        if entry is None or page is None:
            return ()
        facts = {name for name, form in self.played.forms.items() if form.becomes == "fact" and form.name}
        told = self.campaign.page(page).answer.suggestions
        names = {each.name for each in entry.said if each.form in facts}
        there = {each.name for each in self.scene.characters}
        return tuple(each for each in told if each.form in facts and each.name in names - there)

    def has_entry(self, name: str, on: str) -> bool:
        """Whether the scene also lists an aspect of a sheet or a zone."""
        return (name, on) in [(each.name, each.on) for each in self.scene.aspects]

    def compelled(self) -> Row:
        """The row to choose whom an aspect compels, if it belongs to no character."""
        names = [each.name for each in self.scene.characters]
        return Row("who", "Whom", [Chip(name, name) for name in names], [self.up or ""])

    def reworded(self, entry: SceneAspect) -> Json:
        """The move that gives an aspect another name."""
        place = next(at for at, each in enumerate(self.scene.aspects) if each is entry)
        return bearing(self._with_aspects(entry, {}), text=["set", "aspects", place, "name"])

    def with_free(self, entry: SceneAspect, who: str, more: int) -> Json:
        """The move that adds or removes a character's free invocation."""
        held = entry.held
        held[who] += more
        return bearing(self._with_aspects(entry, {"free_invocations": dict(+held)}))

    def _with_aspects(self, entry: SceneAspect, told: Json) -> Json:
        aspects = [{**each.as_json(), **(told if each is entry else {})} for each in self.scene.aspects]
        return {"type": "change", "set": {"aspects": aspects}}

    def exchange(self, first: str, by: int) -> Json:
        """The move for an exchange of a contest that a side wins by a number. With equal numbers, nobody wins."""
        contest = self.scene.contest
        sides: Iterable[str] = contest.sides if contest is not None else ()
        return bearing({"type": "exchange", "totals": {side: by if side == first else 0 for side in sides}})

    def boxes(self, of: Character, track: str) -> list[Box]:
        """The boxes of a track, each with the move that marks or clears it."""
        stress = self.sheet(of).stress or {}
        found = []
        for size, is_marked in stress[track].each:
            marked = list(stress[track].marked)
            marked.remove(size) if is_marked else marked.append(size)
            told = {name: each.as_json() for name, each in stress.items()}
            told[track] = {**told[track], "marked": sorted(marked)}
            found.append(Box(size, is_marked, bearing({"type": "change", "who": of.name, "set": {"stress": told}})))
        return found

    def wounded(self, of: Character, level: Consequence) -> Json:
        """The move that writes a consequence down."""
        levels = [each.as_json() for each in self.sheet(of).consequences or ()]
        place = next(at for at, each in enumerate(levels) if each == level.as_json())
        move = {"type": "change", "who": of.name, "set": {"consequences": levels}}
        return bearing(move, text=["set", "consequences", place, "name"])
