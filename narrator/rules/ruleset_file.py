"""A ruleset file, as TOML has it: what it declares, and what of another it starts from."""

from typing import Annotated

from narrator.rules.card import Card
from narrator.rules.declared import (
    ActionSpec,
    FormSpec,
    FrameSpec,
    ManeuverSpec,
    OutcomeSpec,
    Removed,
    Rider,
    RoarSpec,
    RowSpec,
    Sheet,
    Teamwork,
    WeightSpec,
)
from narrator.rules.model import LIST, Count, Model, Name, Whole
from narrator.rules.scene import Frame


class RulesetFile(Model):
    """
    One TOML file, as written: `extends` starts from another, and what stands here changes or adds.
    """

    name: Name
    title: Name
    extends: Name | None = None
    removes: Removed = Removed()
    inflicted_consequence_invocations: Count | None = None
    """What a consequence that an attack inflicts gives the attacker, in free invocations; left out: none."""
    skills: Annotated[tuple[Name, ...], LIST] | None = None
    """Its skills or approaches: what is near to one of them, and none, is taken for mistyped."""
    outcomes: dict[Name, Whole | OutcomeSpec] = {}
    sheet: Sheet | None = None
    teamwork: Teamwork | None = None
    weight: WeightSpec | None = None
    roar: RoarSpec | None = None
    maneuvers: dict[Name, ManeuverSpec] = {}
    frames: dict[Frame, FrameSpec] = {}
    forms: dict[Name, FormSpec] = {}
    actions: dict[Name, ActionSpec] = {}
    rows: Annotated[tuple[RowSpec, ...], LIST] = ()
    riders: Annotated[tuple[Rider, ...], LIST] = ()
    cards: Annotated[tuple[Card, ...], LIST] = ()
