"""What a row of a table is made of: forms, slots, grants and branches, as TOML has them."""

import re
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from narrator.rules.model import LIST, Count, Model, Name, Whole, complaint
from narrator.rules.request.scene import Frame

RowKind = Literal["serious_cost", "minor_cost", "boost", "aspect"]
Kind = Literal[RowKind, "consequence", "word"]
"""What the words of a slot are. No row names a `consequence`, that of a hit, nor a `word`, asked for without a roll."""
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
"""For the branches of a row: a page has a letter for each."""
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
"""What a grant may amount to; those not named here have no amount, free invocations any number."""


class Citation(Model):
    """Where a rule stands."""

    document: str
    """The title of the document."""
    section: str
    """The heading of the section."""


class Example(Model):
    """Words of a form for another scene than any table's: what a model is shown that is asked for this form alone."""

    story: Name
    """What has come before, in a sentence or two."""
    name: Name | None = None
    """What the words are called; left out where the form has no name."""
    detail: Name
    """What they tell."""


class FormSpec(Model):
    """A form that words may take, declared once for prompt, schema, check and deck."""

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
    """How the attack must strike for the form to be offered."""
    does: Literal["moves", "disarms"] | None = None
    """What becomes of whoever it goes to."""
    example: Example | None = None
    """Left out: none is shown."""

    @model_validator(mode="after")
    def _goes_to_somebody(self) -> "FormSpec":
        if "consequence" in self.kinds:
            is_harm = self.harm == "consequence" and self.name is not None and self.to is None
            if not is_harm or {*self.kinds} - {"consequence", "word"}:
                message = 'a consequence is of whoever is hit: harm = "consequence" and a name, and no `to`'
                raise complaint("bad_ruleset", message)
        elif self.harm is not None and self.to != "actor":
            raise complaint("bad_ruleset", 'harm is the actor\'s own: to = "actor"')
        if self.free_invocations and self.to is None:
            raise complaint("bad_ruleset", "free invocations are somebody's: say `to` whom they go")
        if set(_BRACES.findall(self.label)) - {"{actor}"}:
            raise complaint("bad_ruleset", "nothing but {actor} is put into a label")
        if self.example is not None and (self.example.name is None) != (self.name is None):
            raise complaint("bad_ruleset", "an example has a name where the form has one, and only there")
        return self


class FormUse(Model):
    """A form in a row, with what this row changes of its declaration."""

    form: Name
    """The form's name."""
    to: Who | None = None
    """Who gains or suffers it here; left out: as the form is declared."""
    free_invocations: Count | None = None
    """How many free invocations go with it here; left out: as the form is declared."""
    holders: Who | None = None
    """Of whom one gets the free invocations, where that is not whoever suffers it."""
    failed_by: Count | None = None
    """The free invocations go with it only where the roll failed by so many shifts or more."""

    @model_validator(mode="before")
    @classmethod
    def _as_declared(cls, data: Any) -> Any:
        return {"form": data} if isinstance(data, str) else data


class SlotSpec(Model):
    """A place that wants words."""

    kind: RowKind
    """What its words are: a cost, serious or minor, a boost or an aspect."""
    id: Name | None = None
    """Its id, where that is not its kind."""
    brief: Name | None = None
    """What it is, for whoever words it, where it has an id of its own."""
    forms: Annotated[tuple[FormUse, ...], LIST]
    """The forms that its words may take."""
    discovered: bool = False
    """Whether it is an aspect that is revealed: where the request names it, no words are wanted."""
    stands_in: bool = False
    """Whether it is a boost in place of the aspect that was meant."""

    @property
    def name(self) -> str:
        """What suggestions call it by: its id, else its kind."""
        return self.id or self.kind


class GrantSpec(Model):
    """Something that a branch gives."""

    type: GrantType
    """What it is."""
    to: Who
    """Who gets it, by their part in the action."""
    amount: Literal["shifts", "shifts - 1", "path"] | Whole | None = None
    """A number; the shifts of the roll; or the zones that the path moves."""
    on: Literal["aspect", "path"] | None = None
    """The aspect that the action names; or the end of its path."""

    @model_validator(mode="after")
    def _amount_counts(self) -> "GrantSpec":
        allowed = AMOUNTS.get(self.type, (None,))
        is_count = isinstance(self.amount, int) and self.amount >= 0
        is_right = is_count if self.type == "free_invocations" else self.amount in allowed
        if not is_right:
            known = "a number from 0" if self.type == "free_invocations" else " or ".join(map(str, allowed))
            raise complaint("bad_ruleset", f"the amount of a grant of {self.type} is {known}")
        if self.type == "free_invocations" and self.on != "aspect":
            raise complaint("bad_ruleset", 'free invocations are granted on = "aspect"')
        return self

    @property
    def wants(self) -> Need | None:
        """What the action must name for it."""
        return self.on or ("path" if self.amount == "path" else None)


class BranchSpec(Model):
    """A choice that someone at the table makes after the roll."""

    id: Name
    """Its name in requests and choices."""
    label: Name
    """Its name for people."""
    bare_label: Name | None = None
    """That where a rider drops one of its slots; left out: the same."""
    goal: Goal
    """What becomes of the actor's goal."""
    grants: Annotated[tuple[GrantSpec, ...], LIST] = ()
    """What it gives."""
    slots: Annotated[tuple[SlotSpec, ...], LIST] = ()
    """What in it wants words."""
    if_free: Harm | None = None
    """There only where the actor still can take this."""
    unless_free: Harm | None = None
    """There only where the actor can take no more of this."""
    frames: Annotated[tuple[Frame, ...], LIST] | None = None
    """There only in these kinds of scene; left out: in all."""

    def goes_with(self, other: "BranchSpec") -> bool:
        """Whether both may be there at once."""
        if self.frames is not None and other.frames is not None and {*self.frames}.isdisjoint(other.frames):
            return False
        return all(
            harm is None or harm != unless
            for harm, unless in ((self.if_free, other.unless_free), (other.if_free, self.unless_free))
        )


RowKey = tuple[str, str | None, str | None, str]
"""Action, variant (or None), maneuver (or None), outcome."""


class RowName(Model):
    """What names a row: one outcome of one action, in one variant."""

    action: Name
    variant: Name | None = None
    maneuver: Name | None = None
    """A row in place of the variant's, for this maneuver."""
    outcome: Name

    @property
    def key(self) -> RowKey:
        """The same as a key, to find it by."""
        return (self.action, self.variant, self.maneuver, self.outcome)

    @property
    def named(self) -> str:
        """The same in a line."""
        return " ".join(each for each in self.key if each)


class RowSpec(RowName):
    """What one outcome of one action, in one variant, leads to."""

    document: Name | None = None
    """The document that it is from; left out: the file's `title`."""
    section: Name | None = None
    """Where it stands there; left out: where its action does."""
    branches: Annotated[tuple[BranchSpec, ...], BRANCHES]

    def sourced(self, document: str, section: str) -> "RowSpec":
        """The same, from this document and this section of it, where it says none itself."""
        return self.model_copy(update={"document": self.document or document, "section": self.section or section})
