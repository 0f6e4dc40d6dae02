"""The scene: who and what is at the table, as a request tells it."""

import re
from collections import Counter
from hashlib import sha256
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, WithJsonSchema, model_validator

from narrator.rules.model import LIST, SHORT_LIST, TABLE, Count, Given, Id, Name, Prose, Whole, complaint
from narrator.rules.request.language_tag import LanguageTag
from narrator.rules.request.trackers import Challenge, Clock, Conflict, Contest

GM = "GM"
"""Stands in for the opposition where no character does (Fate Core with Discover, "Using Discover")."""

ANYONE = "*"
"""The holder of a free invocation that is for whoever takes it first."""

Frame = Literal["challenge", "contest", "contest_under_fire", "conflict"]
CONTESTS: tuple[Frame, ...] = ("contest", "contest_under_fire")
Ended = Literal["scene", "session", "scenario"]
Importance = Literal["pc", "named", "nameless", "swarm", "unknown"]
"""Who somebody is to the story; `unknown` where nobody told a sheet, so that harm is the table's to write down."""


_PRONOUNS = r"^[^/]{1,20}(/[^/]{1,20}){0,3}$"


def _are_pronouns(told: str) -> str:
    if re.fullmatch(_PRONOUNS, told) is None:
        wanted = "one to four short words with slashes between them, such as she/her or they/them"
        raise complaint("bad_request", f"pronouns are {wanted}")
    return told


Pronouns = Annotated[str, AfterValidator(_are_pronouns), WithJsonSchema({"type": "string", "pattern": _PRONOUNS})]
"""One to four words with slashes between them."""


MOST_STRUCK = 10_000
"""Digests and cards of a scene that are struck: far more than a table strikes in its life."""


class SceneAspect(Given):
    """An aspect in play: the scene's own, or, with `on`, that of a character or a zone."""

    name: Name
    """Its wording, by which it is invoked."""
    on: Name | None = None
    """Its bearer: the name of a character or a zone of the scene; left out: it is the scene's own."""
    free_invocations: Annotated[dict[Name, Count], TABLE] = {}
    """How many free invocations each holder has of it, by name. The holder `*` is whoever takes it first."""
    boost: bool = False
    """Whether it is a boost, which is gone once it is used. A boost that names no holder is for whoever takes it
    first."""
    roar: bool = False
    """Whether its bearer roars by it: it goes with the roar."""
    each_attack: bool = False
    """Whether it is a full defence: its free invocation is there again against each attack, until the bearer acts."""
    lasting: bool = False
    """Whether it outlives the scene."""
    id: Id | None = None
    """An id of yours, which is kept."""

    @property
    def held(self) -> Counter[str]:
        """Who holds how many free invocations of it; a boost that names no holder is anyone's."""
        return Counter(self.free_invocations) or Counter({ANYONE: 1} if self.boost else {})


class StressTrack(Given):
    """The boxes of a stress track and which are marked, both by their values in shifts."""

    boxes: Annotated[tuple[Annotated[Whole, Field(ge=1)], ...], SHORT_LIST]
    """Every box, by how many shifts it absorbs, such as [1, 2]."""
    marked: Annotated[tuple[Whole, ...], SHORT_LIST] = ()
    """Those of the boxes that are marked."""

    @property
    def free(self) -> tuple[int, ...]:
        """The values of the boxes not marked, lowest first."""
        return tuple(sorted((Counter(self.boxes) - Counter(self.marked)).elements()))

    @property
    def each(self) -> tuple[tuple[int, bool], ...]:
        """Every box by its value, and whether it is marked."""
        left, found = Counter(self.marked), []
        for value in self.boxes:
            found.append((value, left[value] > 0))
            left[value] -= 1
        return tuple(found)

    def newly(self, before: "StressTrack") -> tuple[int, ...]:
        """The values of the boxes marked since, lowest first."""
        return tuple(sorted((Counter(self.marked) - Counter(before.marked)).elements()))

    @model_validator(mode="after")
    def _marked_are_boxes(self) -> "StressTrack":
        if Counter(self.marked) - Counter(self.boxes):
            raise complaint("bad_request", "each box marked must be one of the boxes")
        return self


class Consequence(Given):
    """A consequence level: free while it has no name."""

    severity: Name
    """Its level, one of the ruleset's: `mild`, `moderate` or `severe` in those that come with narrator."""
    name: Name | None = None
    """What it is, worded as an aspect; left out: the level is free."""
    recovering: Count | None = None
    """How many ends of its period, such as a scene's, are still to come until it is gone; left out: it is not
    treated."""
    taken_here: bool = False
    """Whether it was taken in the conflict that goes on: whoever concedes is owed for it."""


class Character(Given):
    """Somebody in the scene; what is not told is what the contract says it is."""

    name: Name
    """What everything else calls them; no two in a scene have the same."""
    side: Name
    """Any word; sides that differ oppose each other."""
    called: Name | None = None
    """What sentences call them, such as `Varga` for `Captain Ilse Varga`; left out: the name without titles,
    epithets and signs."""
    pronouns: Pronouns | None = None
    """Such as `she/her` or `they/them`; left out: sentences do without."""
    group: bool | None = None
    """Whether they are several, so that verbs are plural; left out: true for a swarm, and for a nameless one whose name
    is a plural."""
    importance: Importance = "nameless"
    """`pc` and `named` have the ruleset's sheet where none is told, `nameless` and `swarm` have none. `unknown`:
    nobody told a sheet, and a hit is the table's to write down."""
    skills: Annotated[dict[Name, Whole], TABLE] = {}
    """Ratings by skill or approach, in steps of the ladder; what does not stand here counts 0."""
    aspects: Annotated[tuple[Name, ...], LIST] = ()
    """The names of their aspects."""
    fate_points: Count | None = None
    """How many are left; left out: not counted, and never refused."""
    refresh: Count | None = None
    """What their fate points rise to when a session ends; left out: they stay."""
    fate_points_owed: Count = 0
    """Fate points that are theirs once the conflict or the scene ends."""
    stress: Annotated[dict[Name, StressTrack], TABLE] | None = None
    """The boxes of each stress track, by its name; left out: the ruleset's for `pc` and `named`, none for others."""
    consequences: Annotated[tuple[Consequence, ...], SHORT_LIST] | None = None
    """The levels, free ones too, each as often as there is one of it; left out: the ruleset's for `pc` and `named`,
    none for others."""
    weight: Count = 1
    """How much they count where a ruleset lets the heavier side turn dice."""
    zone: Name | None = None
    """The name of the zone they are in; left out: with all others of whom none is told."""
    bad_at: Annotated[tuple[Name, ...], LIST] = ()
    """The approaches that a nameless one or a swarm is bad at: rolling one ends its roar."""
    roar: Name | None = None
    """The approach that the character roars with; left out: no roar."""
    legend_points: Count | None = None
    """How many are left, where the table counts them; left out: not counted."""
    lethal_next_attack: bool = False
    """Whether no stress absorbs their next attack; over once they attack."""
    forfeits_next_contest_roll: bool = False
    """Whether they forfeit their next roll of a contest; over once they act in it."""
    disarmed: bool = False
    """Whether they lost hold of weapon or shield; the table says when they have it again."""
    taken_out: bool = False
    """Whether they are out of the scene: then they neither act, roll, help nor are attacked."""
    conceded: bool = False
    """Whether they conceded the conflict: they are out as if taken out, and say themselves how."""
    id: Id | None = None
    """An id of yours, which is kept."""

    @property
    def is_out(self) -> bool:
        """Whether they were taken out or conceded."""
        return self.taken_out or self.conceded


class Zone(Given):
    """A named place, the zones next to it, and its aspects."""

    name: Name
    """What paths and characters call it; no two in a scene have the same."""
    adjacent: Annotated[tuple[Name, ...], LIST] = ()
    """The names of the zones next to it."""
    aspects: Annotated[tuple[Name, ...], LIST] = ()
    """The names of its aspects."""


class Scene(Given):
    """What is true around a roll. An empty scene is a scene: then any name is taken."""

    summary: Prose = ""
    """Where we are and what is going on, in a sentence or two: for whoever writes."""
    frame: Frame | None = None
    """What kind of scene it is; some actions have no place in some, and some rows change in one. Left out: none of
    these."""
    facts: Annotated[tuple[Prose, ...], LIST] = ()
    """What is true, a sentence each: for whoever writes, never to be contradicted."""
    recent: Annotated[tuple[Prose, ...], LIST] = ()
    """What was said lately: words that say it again are rejected. `settle` adds to it, and keeps the last 20."""
    aspects: Annotated[tuple[SceneAspect, ...], LIST] = ()
    """The aspects in play beside those that characters and zones list, and every free invocation there is."""
    characters: Annotated[tuple[Character, ...], LIST] = ()
    """Everyone there. Where anyone is listed, only names listed are taken, and `GM`; where nobody is, any name."""
    zones: Annotated[tuple[Zone, ...], LIST] = ()
    """The places that one moves between, where the table uses them."""
    tone: Prose = ""
    """How it should sound, such as `sword and sorcery`: for whoever writes."""
    language: LanguageTag = "en"
    """The language of the words, as in `en` or `de-CH`: a code of ISO 639, then as in BCP 47. One that narrator has no
    lexicon of is not judged by meaning, and a notice says so."""
    lines: Annotated[tuple[Name, ...], LIST] = ()
    """What this table never wants to hear of: words that touch one of these are rejected."""
    veils: Annotated[tuple[Name, ...], LIST] = ()
    """What happens out of sight: words that touch one of these are rejected as well."""
    dealt: Annotated[tuple[Name, ...], LIST] = ()
    """The cards that were dealt already, by their ids: another comes as long as there is one. `settle` adds those
    that a choice names, and keeps the last 500."""
    struck: Annotated[tuple[Name, ...], Field(strict=False, max_length=MOST_STRUCK)] = ()
    """What the table struck out, which never comes again: digests of its texts, and the ids of its cards. A campaign
    writes it."""
    revision: Count | None = None
    """How often the scene was changed, by `settle` or `move`; left out: never. Raised by one each time."""
    away: Annotated[tuple[Character, ...], LIST] = ()
    """Those who are not there: their sheets are kept whole until they come back."""
    gm_fate_points: Count | None = None
    """How many fate points the GM has left in this scene, for all who are not players' characters; left out: not
    counted, and never refused."""
    gm_carried: Count | None = None
    """How many more the GM has in the next scene; left out: none, where `gm_fate_points` are counted."""
    ended: Ended | None = None
    """What has just ended; left out: the scene goes on."""
    contest: Contest | None = None
    """The contest that goes on; left out: nobody tracks one."""
    challenge: Challenge | None = None
    """The challenge that goes on; left out: nobody tracks one."""
    conflict: Conflict | None = None
    """The conflict that goes on; left out: nobody tracks one."""
    clocks: Annotated[tuple[Clock, ...], LIST] = ()
    """The countdowns; they outlive the scene."""
    stage: Id | None = None
    """The id of the cards that were written for this scene; left out: none were."""
    id: Id | None = None
    """An id of yours, which is kept."""

    def stage_id(self, ruleset: str) -> str:
        """Give the id of the cards for this scene: it is the same scene as long as its summary is."""
        return sha256("\n".join((ruleset, self.language, self.summary)).encode()).hexdigest()[:16]
