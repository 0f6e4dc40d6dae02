"""The scene: who and what is there, as a request describes it."""

import re
from collections import Counter
from hashlib import sha256
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, WithJsonSchema, model_validator

from narrator.rules.model import LIST, SHORT_LIST, TABLE, Count, Given, Id, Name, Prose, Whole, complaint
from narrator.rules.request.language_tag import LanguageTag
from narrator.rules.request.trackers import Challenge, Clock, Conflict, Contest

GM = "GM"
"""Stands for the opposition when no character does (Fate Core with Discover, "Using Discover")."""

ANYONE = "*"
"""The holder of a free invocation that anyone may use."""

Frame = Literal["challenge", "contest", "contest_under_fire", "conflict"]
CONTESTS: tuple[Frame, ...] = ("contest", "contest_under_fire")
Ended = Literal["scene", "session", "scenario"]
Importance = Literal["pc", "named", "nameless", "swarm", "unknown"]
"""A character's part in the story. `unknown` means that the sheet is not known, so the table records harm itself."""


_PRONOUNS = r"^[^/]{1,20}(/[^/]{1,20}){0,3}$"


def _are_pronouns(told: str) -> str:
    if re.fullmatch(_PRONOUNS, told) is None:
        wanted = "one to four short words separated by slashes, such as she/her or they/them"
        raise complaint("bad_request", f"pronouns must be {wanted}")
    return told


Pronouns = Annotated[str, AfterValidator(_are_pronouns), WithJsonSchema({"type": "string", "pattern": _PRONOUNS})]
"""One to four words separated by slashes."""


MOST_STRUCK = 10_000
"""The limit on struck digests and cards in a scene: far more than any table needs."""


class SceneAspect(Given):
    """An aspect in play. It belongs to the scene or, with `on`, to a character or zone."""

    name: Name
    """Its wording. Invocations refer to it by this text."""
    on: Name | None = None
    """The name of the character or zone that has it. If omitted, it belongs to the scene."""
    free_invocations: Annotated[dict[Name, Count], TABLE] = {}
    """How many free invocations each holder has, by name. Anyone may use those of the holder `*`."""
    boost: bool = False
    """Whether it is a boost, which is gone after one use. Anyone may use a boost that names no holder."""
    roar: bool = False
    """Whether it is its bearer's roar. It ends with the roar."""
    each_attack: bool = False
    """Whether it is a full defence. Its free invocation returns for each attack until the bearer acts."""
    lasting: bool = False
    """Whether it remains after the scene ends."""
    id: Id | None = None
    """Your own id. narrator keeps it unchanged."""

    @property
    def held(self) -> Counter[str]:
        """How many free invocations each holder has. A boost that names no holder is anyone's."""
        return Counter(self.free_invocations) or Counter({ANYONE: 1} if self.boost else {})


class StressTrack(Given):
    """A stress track: all its boxes and the marked ones, each given by its value in shifts."""

    boxes: Annotated[tuple[Annotated[Whole, Field(ge=1)], ...], SHORT_LIST]
    """How many shifts each box absorbs, such as [1, 2]."""
    marked: Annotated[tuple[Whole, ...], SHORT_LIST] = ()
    """The marked boxes, by the same values."""

    @property
    def free(self) -> tuple[int, ...]:
        """The values of the free boxes, lowest first."""
        return tuple(sorted((Counter(self.boxes) - Counter(self.marked)).elements()))

    @property
    def each(self) -> tuple[tuple[int, bool], ...]:
        """The value of each box and whether it is marked."""
        left, found = Counter(self.marked), []
        for value in self.boxes:
            found.append((value, left[value] > 0))
            left[value] -= 1
        return tuple(found)

    def newly(self, before: "StressTrack") -> tuple[int, ...]:
        """The values of the boxes marked since `before`, lowest first."""
        return tuple(sorted((Counter(self.marked) - Counter(before.marked)).elements()))

    @model_validator(mode="after")
    def _marked_are_boxes(self) -> "StressTrack":
        if Counter(self.marked) - Counter(self.boxes):
            raise complaint("bad_request", "each marked box must be one of the boxes")
        return self


class Consequence(Given):
    """A consequence slot on a sheet. It is free while it has no name."""

    severity: Name
    """One of the ruleset's levels. The included rulesets have `mild`, `moderate` and `severe`."""
    name: Name | None = None
    """The harm, worded as an aspect. If omitted, the slot is free."""
    recovering: Count | None = None
    """How many more times its recovery period, such as a scene, must end before it is gone. If omitted,
    recovery has not started."""
    taken_here: bool = False
    """Whether it was taken in the current conflict. A character who concedes is owed a fate point for it."""


class Character(Given):
    """Somebody in the scene. Omitted fields have the defaults listed here."""

    name: Name
    """A name that is unique in the scene. Other fields refer to the character by it."""
    side: Name
    """Any word. Characters on different sides oppose each other."""
    called: Name | None = None
    """A short name for sentences, such as `Varga` for `Captain Ilse Varga`. If omitted, it is the name without
    titles, epithets and symbols."""
    pronouns: Pronouns | None = None
    """Such as `she/her` or `they/them`. If omitted, sentences avoid pronouns."""
    group: bool | None = None
    """Whether this is a group, which takes plural verbs. If omitted, true for a swarm and for a nameless character
    with a plural name."""
    importance: Importance = "nameless"
    """What sheet they have if you give none: the ruleset's for `pc` and `named`, none for `nameless` and `swarm`.
    `unknown` means that narrator does not know the sheet. The table then records hits itself."""
    skills: Annotated[dict[Name, Whole], TABLE] = {}
    """Ratings on the ladder, by skill or approach. One that is not listed counts as 0."""
    aspects: Annotated[tuple[Name, ...], LIST] = ()
    """The names of their aspects."""
    fate_points: Count | None = None
    """How many are left. If omitted, they are not counted and never run out."""
    refresh: Count | None = None
    """What their fate points rise to when a session ends. If omitted, they stay as they are."""
    fate_points_owed: Count = 0
    """Fate points that they get when the conflict or scene ends."""
    stress: Annotated[dict[Name, StressTrack], TABLE] | None = None
    """Stress tracks by name. If omitted, the ruleset's for `pc` and `named`, none for others."""
    consequences: Annotated[tuple[Consequence, ...], SHORT_LIST] | None = None
    """All consequence slots, including free ones. A level may occur more than once. If omitted, the ruleset's for
    `pc` and `named`, none for others."""
    weight: Count = 1
    """How much they count in rulesets that let the heavier side turn dice."""
    zone: Name | None = None
    """The name of their zone. All characters without one count as being together."""
    bad_at: Annotated[tuple[Name, ...], LIST] = ()
    """The approaches that a nameless character or swarm is bad at. Rolling one ends its roar."""
    roar: Name | None = None
    """The approach of their roar. If omitted, they do not roar."""
    legend_points: Count | None = None
    """How many are left. If omitted, they are not counted."""
    lethal_next_attack: bool = False
    """Whether stress can't absorb their next attack. Ends when they attack."""
    forfeits_next_contest_roll: bool = False
    """Whether they forfeit their next contest roll. Ends when they act in the contest."""
    disarmed: bool = False
    """Whether they lost their weapon or shield. The table decides when they get it back."""
    taken_out: bool = False
    """Whether they are out of the scene. They then can't act, roll, help or be attacked."""
    conceded: bool = False
    """Whether they conceded the conflict. They are out, as if taken out, but their player says how."""
    id: Id | None = None
    """Your own id. narrator keeps it unchanged."""

    @property
    def is_out(self) -> bool:
        """Whether they were taken out or conceded."""
        return self.taken_out or self.conceded


class Zone(Given):
    """A named place, its neighbours and its aspects."""

    name: Name
    """A name that is unique in the scene. Paths and characters refer to the zone by it."""
    adjacent: Annotated[tuple[Name, ...], LIST] = ()
    """The names of the zones next to it."""
    aspects: Annotated[tuple[Name, ...], LIST] = ()
    """The names of its aspects."""


class Scene(Given):
    """What is true around a roll. An empty scene is valid and accepts any name."""

    summary: Prose = ""
    """The place and the situation in a sentence or two. The source reads this."""
    frame: Frame | None = None
    """The kind of scene. Some kinds exclude actions or change rows. If omitted, it is none of these."""
    facts: Annotated[tuple[Prose, ...], LIST] = ()
    """True statements, one sentence each. The source reads these and must not contradict them."""
    recent: Annotated[tuple[Prose, ...], LIST] = ()
    """Recent wordings. A suggestion that repeats one is rejected. `settle` adds to them and keeps the last 20."""
    aspects: Annotated[tuple[SceneAspect, ...], LIST] = ()
    """All free invocations, and all aspects that no character or zone lists."""
    characters: Annotated[tuple[Character, ...], LIST] = ()
    """Everyone in the scene. If you list anyone, only listed names and `GM` are accepted. Otherwise any name is."""
    zones: Annotated[tuple[Zone, ...], LIST] = ()
    """The places that characters move between, if the table uses zones."""
    tone: Prose = ""
    """The style of the words, such as `sword and sorcery`. The source reads this."""
    language: LanguageTag = "en"
    """The language of the words, such as `en` or `de-CH`: an ISO 639 code, extended as in BCP 47. Without a lexicon for
    it, narrator does not check meaning, and a notice says so."""
    lines: Annotated[tuple[Name, ...], LIST] = ()
    """Topics that must never come up. Words that touch one are rejected."""
    veils: Annotated[tuple[Name, ...], LIST] = ()
    """Topics that must stay out of sight. Words that touch one are rejected as well."""
    dealt: Annotated[tuple[Name, ...], LIST] = ()
    """Ids of cards that were dealt. They are not dealt again while others are left. `settle` adds the cards in a
    choice's `dealt` and keeps the last 500."""
    struck: Annotated[tuple[Name, ...], Field(strict=False, max_length=MOST_STRUCK)] = ()
    """Words that the table struck, as digests of texts and ids of cards. They never come up again. A campaign
    writes this."""
    revision: Count | None = None
    """How often `settle` or `move` changed the scene. If omitted, never."""
    away: Annotated[tuple[Character, ...], LIST] = ()
    """Absent characters. Their sheets are kept until they return."""
    gm_fate_points: Count | None = None
    """How many fate points the GM has left in this scene for all non-player characters. If omitted, they are not
    counted and never run out."""
    gm_carried: Count | None = None
    """How many extra fate points the GM gets in the next scene. If omitted, none. Only counted with
    `gm_fate_points`."""
    ended: Ended | None = None
    """What has just ended. If omitted, the scene continues."""
    contest: Contest | None = None
    """The current contest, if tracked."""
    challenge: Challenge | None = None
    """The current challenge, if tracked."""
    conflict: Conflict | None = None
    """The current conflict, if tracked."""
    clocks: Annotated[tuple[Clock, ...], LIST] = ()
    """The countdowns. They remain after the scene ends."""
    stage: Id | None = None
    """The id of the cards written for this scene, if any."""
    id: Id | None = None
    """Your own id. narrator keeps it unchanged."""

    def stage_id(self, ruleset: str) -> str:
        """Return the id for cards staged for this scene. It depends on ruleset, language and summary."""
        return sha256("\n".join((ruleset, self.language, self.summary)).encode()).hexdigest()[:16]
