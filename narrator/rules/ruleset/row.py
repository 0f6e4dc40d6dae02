"""The parts of a table row in TOML: forms, slots, grants and branches."""

import re
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from narrator.rules.model import LIST, Count, Model, Name, Whole, complaint
from narrator.rules.request.scene import Frame

RowKind = Literal["serious_cost", "minor_cost", "boost", "aspect"]
Kind = Literal[RowKind, "consequence", "word"]
"""What a slot's words are for. `consequence` (from a hit) and `word` (without a roll) can't be used in rows."""
Goal = Literal["attained", "not_attained", "lesser", "opponent_decides"]
Who = Literal["actor", "actor_or_ally", "opposition", "opponent", "defender", "target"]
GrantType = Literal[
    "free_invocations", "hit", "stress", "legend_points", "forfeit_next_contest_roll", "move", "may_move",
    "lethal_next_attack", "free_invocation_each_attack", "roar", "loses_roar",
]  # fmt: skip
Weapon = Literal["melee", "heavy_weapon"]
Harm = Literal["consequence", "stress"]
Need = Literal["aspect", "path"]
BRANCHES = Field(strict=False, max_length=26)
"""A row has at most 26 branches because a page labels them with letters."""
FAIL = "fail"

_BRACES = re.compile(r"\{.*?\}")

AMOUNTS: dict[str, tuple[int | str | None, ...]] = {
    "hit": ("shifts", "shifts - 1"),
    "stress": (1,),
    "legend_points": (1,),
    "move": (1, "path"),
    "may_move": (1,),
    "free_invocation_each_attack": (1,),
}
"""The possible amounts of grants. Free invocations may have any amount. Other types that are not listed have none."""


class Citation(Model):
    """Where a rule is printed."""

    document: str
    """The title of the document."""
    section: str
    """The heading of the section."""


class Example(Model):
    """Sample words for a form, from a made-up scene. A model sees them if it is asked for this form alone."""

    story: Name
    """What has happened before, in a sentence or two."""
    name: Name | None = None
    """The sample name. Omitted if the form has no name."""
    detail: Name
    """The sample detail."""


class FormSpec(Model):
    """A form that words may take. Prompt, schema, check and deck all use this one declaration."""

    kinds: Annotated[tuple[Kind, ...], LIST]
    label: Name
    brief: Name
    name: Name | None = None
    becomes: Literal["aspect", "boost", "fact"] = "aspect"
    """What the name becomes in the scene."""
    to: Who | None = None
    free_invocations: Count | None = None
    harm: Harm | None = None
    on: Literal["aspect"] | None = None
    goal: Goal | None = None
    secret: bool = False
    needs: Annotated[tuple[Weapon, ...], LIST] = ()
    """What the attack must be for the form to be offered."""
    does: Literal["moves", "disarms"] | None = None
    """What happens to whoever gets it."""
    example: Example | None = None
    """If omitted, no example is shown."""

    @model_validator(mode="after")
    def _goes_to_somebody(self) -> "FormSpec":
        if "consequence" in self.kinds:
            is_harm = self.harm == "consequence" and self.name is not None and self.to is None
            if not is_harm or {*self.kinds} - {"consequence", "word"}:
                message = 'a consequence form needs harm = "consequence", a name, no `to` and no other kind but word'
                raise complaint("bad_ruleset", message)
        elif self.harm is not None and self.to != "actor":
            raise complaint("bad_ruleset", 'harm goes to the actor: add to = "actor"')
        if self.free_invocations and self.to is None:
            raise complaint("bad_ruleset", "free invocations need a `to`: say who gets them")
        if set(_BRACES.findall(self.label)) - {"{actor}"}:
            raise complaint("bad_ruleset", "{actor} is the only placeholder that a label may contain")
        if self.example is not None and (self.example.name is None) != (self.name is None):
            raise complaint("bad_ruleset", "an example needs a name if the form has one, and must have none otherwise")
        return self


class FormUse(Model):
    """A form in a row, with the row's changes to its declaration."""

    form: Name
    """The form's name."""
    to: Who | None = None
    """Who gains or suffers it here. If omitted, as in the form's declaration."""
    free_invocations: Count | None = None
    """How many free invocations it gives here. If omitted, as in the form's declaration."""
    holders: Who | None = None
    """Who may get the free invocations, if not whoever is in `to`."""
    failed_by: Count | None = None
    """It gives its free invocations only if the roll failed by at least this many shifts."""

    @model_validator(mode="before")
    @classmethod
    def _as_declared(cls, data: Any) -> Any:
        return {"form": data} if isinstance(data, str) else data


class SlotSpec(Model):
    """A place that needs words."""

    kind: RowKind
    """What the words are for: a serious or minor cost, a boost or an aspect."""
    id: Name | None = None
    """Its id. If omitted, its kind is its id."""
    brief: Name | None = None
    """A description for the source, if it has its own id."""
    forms: Annotated[tuple[FormUse, ...], LIST]
    """The forms that its words may take."""
    discovered: bool = False
    """Whether it is a revealed aspect. If the request names it, it needs no words."""
    stands_in: bool = False
    """Whether it is a boost in place of the intended aspect."""

    @property
    def name(self) -> str:
        """Its name in suggestions: its id or else its kind."""
        return self.id or self.kind


class GrantSpec(Model):
    """Something that a branch gives without needing words."""

    type: GrantType
    """What it gives."""
    to: Who
    """Who gets it, by their role in the action."""
    amount: Literal["shifts", "shifts - 1", "path"] | Whole | None = None
    """A number, the shifts of the roll, or the number of zones moved along the path."""
    on: Literal["aspect", "path"] | None = None
    """The action's aspect, or the end of its path."""

    @model_validator(mode="after")
    def _amount_counts(self) -> "GrantSpec":
        allowed = AMOUNTS.get(self.type, (None,))
        is_count = isinstance(self.amount, int) and self.amount >= 0
        is_right = is_count if self.type == "free_invocations" else self.amount in allowed
        if not is_right:
            known = "a number from 0" if self.type == "free_invocations" else " or ".join(map(str, allowed))
            raise complaint("bad_ruleset", f"the amount of a {self.type} grant must be {known}")
        if self.type == "free_invocations" and self.on != "aspect":
            raise complaint("bad_ruleset", 'a grant of free invocations needs on = "aspect"')
        return self

    @property
    def wants(self) -> Need | None:
        """What the action must name for it."""
        return self.on or ("path" if self.amount == "path" else None)


class BranchSpec(Model):
    """A choice that an outcome offers. Someone at the table chooses after the roll."""

    id: Name
    """Its id in requests and choices."""
    label: Name
    """Its name at the table."""
    bare_label: Name | None = None
    """The label if a rider drops one of its slots. If omitted, `label`."""
    goal: Goal
    """What happens to the actor's goal."""
    grants: Annotated[tuple[GrantSpec, ...], LIST] = ()
    """What it gives without needing words."""
    slots: Annotated[tuple[SlotSpec, ...], LIST] = ()
    """The places in it that need words."""
    if_free: Harm | None = None
    """Offered only if the actor can still take this harm."""
    unless_free: Harm | None = None
    """Offered only if the actor can't take more of this harm."""
    frames: Annotated[tuple[Frame, ...], LIST] | None = None
    """Offered only in these kinds of scene. If omitted, in all."""

    def goes_with(self, other: "BranchSpec") -> bool:
        """Whether both branches may be offered at once."""
        if self.frames is not None and other.frames is not None and {*self.frames}.isdisjoint(other.frames):
            return False
        return all(
            harm is None or harm != unless
            for harm, unless in ((self.if_free, other.unless_free), (other.if_free, self.unless_free))
        )


RowKey = tuple[str, str | None, str | None, str]
"""Action, variant (or None), maneuver (or None), outcome."""


class RowName(Model):
    """The key of a row: one outcome of one action, in one variant."""

    action: Name
    variant: Name | None = None
    maneuver: Name | None = None
    """The maneuver that this row is for. It replaces the variant's row."""
    outcome: Name

    @property
    def key(self) -> RowKey:
        """The key as a tuple, for look-ups."""
        return (self.action, self.variant, self.maneuver, self.outcome)

    @property
    def named(self) -> str:
        """The key as text."""
        return " ".join(each for each in self.key if each)


class RowSpec(RowName):
    """A row: what one outcome of one action leads to, in one variant."""

    document: Name | None = None
    """The document that it comes from. If omitted, the file's `title`."""
    section: Name | None = None
    """Its section in the document. If omitted, the action's section."""
    branches: Annotated[tuple[BranchSpec, ...], BRANCHES]

    def sourced(self, document: str, section: str) -> "RowSpec":
        """Return a copy with this document and section, unless it has its own."""
        return self.model_copy(update={"document": self.document or document, "section": self.section or section})
