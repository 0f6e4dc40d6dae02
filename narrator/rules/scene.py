"""The scene: who and what is at the table, as a request tells it."""

from collections import Counter
from typing import Annotated, Literal

from pydantic import Field, model_validator

from narrator.rules.model import LIST, SHORT_LIST, TABLE, Count, Given, Name, Text, Whole, complaint

GM = "GM"
"""Stands in for the opposition where no character does (Fate Core with Discover, "Using Discover")."""

ANYONE = "*"
"""The holder of a free invocation that is for whoever takes it first."""

Frame = Literal["challenge", "contest", "contest_under_fire", "conflict"]
Importance = Literal["pc", "named", "nameless", "swarm", "unknown"]
"""Who somebody is to the story; `unknown` where nobody told a sheet, so that harm is the table's to write down."""


class SceneAspect(Given):
    """
    An aspect in play: the scene's own, or, with `on`, that of a character or a zone.
    """

    name: Name
    on: Name | None = None
    free_invocations: Annotated[dict[Name, Count], TABLE] = {}
    boost: bool = False
    roar: bool = False
    """What its bearer roars by: it goes with the roar."""
    each_attack: bool = False
    """A full defence: its free invocation is there again against each attack, until the bearer acts."""


class StressTrack(Given):
    """
    The boxes of a stress track and which are marked, both by their values in shifts.
    """

    boxes: Annotated[tuple[Annotated[Whole, Field(ge=1)], ...], SHORT_LIST]
    marked: Annotated[tuple[Whole, ...], SHORT_LIST] = ()

    @property
    def free(self) -> tuple[int, ...]:
        """
        The values of the boxes not marked, lowest first.
        """
        return tuple(sorted((Counter(self.boxes) - Counter(self.marked)).elements()))

    def newly(self, before: "StressTrack") -> tuple[int, ...]:
        """
        The values of the boxes marked since, lowest first.
        """
        return tuple(sorted((Counter(self.marked) - Counter(before.marked)).elements()))

    @model_validator(mode="after")
    def _marked_are_boxes(self) -> "StressTrack":
        if Counter(self.marked) - Counter(self.boxes):
            raise complaint("bad_request", "each box marked must be one of the boxes")
        return self


class Consequence(Given):
    """
    A consequence level: free while it has no name.
    """

    severity: Name
    name: Name | None = None


class Character(Given):
    """
    Somebody in the scene; what is not told is what the contract says it is.
    """

    name: Name
    side: Name
    """Any word; sides that differ oppose each other."""
    importance: Importance = "nameless"
    skills: Annotated[dict[Name, Whole], TABLE] = {}
    aspects: Annotated[tuple[Name, ...], LIST] = ()
    fate_points: Count | None = None
    stress: Annotated[dict[Name, StressTrack], TABLE] | None = None
    consequences: Annotated[tuple[Consequence, ...], SHORT_LIST] | None = None
    weight: Count = 1
    zone: Name | None = None
    bad_at: Annotated[tuple[Name, ...], LIST] = ()
    roar: Name | None = None
    """The approach that the character roars with."""
    legend_points: Count | None = None
    lethal_next_attack: bool = False
    forfeits_next_contest_roll: bool = False
    disarmed: bool = False
    taken_out: bool = False


class Zone(Given):
    """
    A named place, the zones next to it, and its aspects.
    """

    name: Name
    adjacent: Annotated[tuple[Name, ...], LIST] = ()
    aspects: Annotated[tuple[Name, ...], LIST] = ()


class Scene(Given):
    """
    What is true around a roll. An empty scene is a scene: then any name is taken.
    """

    summary: Text = ""
    frame: Frame | None = None
    facts: Annotated[tuple[Text, ...], LIST] = ()
    recent: Annotated[tuple[Text, ...], LIST] = ()
    aspects: Annotated[tuple[SceneAspect, ...], LIST] = ()
    characters: Annotated[tuple[Character, ...], LIST] = ()
    zones: Annotated[tuple[Zone, ...], LIST] = ()
    tone: Text = ""
    language: Name = "en"
    lines: Annotated[tuple[Name, ...], LIST] = ()
    veils: Annotated[tuple[Name, ...], LIST] = ()
    revision: Count | None = None
    """How often the scene was settled; left out: never. Raised by one each time."""
