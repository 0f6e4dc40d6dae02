"""The choices for a roll before it is made, and the action that they result in."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Literal

from narrator.line.against import kinds_against, rolled_kind
from narrator.page.form import Form
from narrator.page.table import Table
from narrator.rules.json_text import Json
from narrator.rules.request.action import Action, Active, Passive

_SEVERAL = ("helpers", "hindering")
_USUAL = "overcome"
"""The most common action."""
_NUMBER = re.compile(r"-?\d{1,3}", re.ASCII)


@dataclass(frozen=True)
class Draft:
    """The choices so far, as fields of a form. Empty fields are not chosen yet."""

    who: str = ""
    does: str = ""
    how: str = ""
    """The name of a variant, or a maneuver as `maneuver:NAME`."""
    skill: str = ""
    against: str = ""
    """`rating:3`, `by:NAME`, or another kind of opposition as `kind:KIND`."""
    theirs: str = ""
    """The skill of the opponent in `against`."""
    about: str = ""
    to: str = ""
    """The target zone of a movement."""
    bonus: str = ""
    intent: str = ""
    ours: str = ""
    """The sum of the actor's dice, if the other side also rolls."""
    chosen_for: str = ""
    """The `key` that the skill was chosen for. With another key, the usual skill is chosen again."""
    foe_was: str = ""
    helpers: Sequence[str] = ()
    hindering: Sequence[str] = ()

    @classmethod
    def of(cls, form: Form) -> "Draft":
        """Read a form."""
        names = [each.name for each in fields(cls)]
        return cls(**{name: form.all(name) if name in _SEVERAL else form.one(name) for name in names})  # type: ignore[arg-type]

    @property
    def key(self) -> str:
        """The actor and the action, which a skill is chosen for."""
        return f"{self.who}/{self.does}"

    @property
    def foe(self) -> str | None:
        """The opponent, if there is one."""
        return self.against.removeprefix("by:") if self.against.startswith("by:") else None

    @property
    def rating(self) -> int | None:
        """The rating of the opposition, if it is a rating."""
        kind, _, told = self.against.partition(":")
        return int(told) if kind == "rating" and _NUMBER.fullmatch(told) else None

    def completed(self, table: Table) -> "Draft":
        """The same, with usual values for choices that are missing or no longer possible."""
        people = table.present
        who = self.who if self.who in people else table.up or ""
        actions = [*table.played.actions]
        does = (
            self.does
            if self.does in actions
            else next(each for each in (table.usual_deed(who), _USUAL, *actions) if each in actions)
        )
        same = replace(self, who=who, does=does)
        if not self.skill or self.chosen_for not in ("", same.key):
            same = replace(same, skill=table.usual_skill(who, does))
        same = replace(same, against=same.opposed(table))
        if same.foe is None:
            return replace(same, theirs="", ours="")
        is_same = same.foe_was in ("", same.foe)
        usual = table.usual_skill(same.foe, "defend", against=does)
        return replace(same, ours=same.ours if is_same else "", theirs=(is_same and same.theirs) or usual)

    def opposed(self, table: Table) -> str:
        """The opposition: the chosen one if it is possible, else the usual one."""
        foes = [each.name for each in table.foes(self.who)]
        is_on = table.played.actions[self.does].is_attack
        kinds = () if is_on else self.kinds(table, on=None)
        if self.foe in foes or self.against.partition(":")[2] in kinds:
            return self.against
        if "passive" in kinds:
            return f"rating:{table.last_rating if self.rating is None else self.rating}"
        kind = next((each for each in kinds if each not in ("active", "defend")), None)
        return f"kind:{kind}" if kind else next((f"by:{name}" for name in foes), "")

    def kinds(self, table: Table, *, on: str | None) -> tuple[str, ...]:
        """List the kinds of opposition that are possible, with `on` as the target."""
        action = {**self._deed(table), **({"target": on} if on else {})}
        return kinds_against(action, on, table.played)

    def action(self, table: Table, roll: Json | None = None, theirs: Json | None = None, **told: object) -> Json:
        """Make the action.

        Args:
            roll: The actor's roll. None: narrator rolls, or the outcome is in `told`.
            theirs: The opponent's roll.
        """
        action = {**self._deed(table), "skill": self.skill, "intent": self.intent, "roll": roll, **told}
        action |= {"bonus": int(self.bonus) if _NUMBER.fullmatch(self.bonus) else None, "helpers": list(self.helpers)}
        kind = self.against.partition(":")[2]
        if (foe := self.foe) is not None:
            is_on = table.played.actions[self.does].opposition_on_target is not None
            kinds = self.kinds(table, on=foe if is_on else None)
            how: Literal["defend", "active"] = rolled_kind(kinds, foe if is_on else None)  # type: ignore[arg-type]
            action |= {"target": foe} if is_on else {}
            action["opposition"] = {"kind": how, "by": foe, "skill": self.theirs, "roll": theirs}
        elif self.rating is not None:
            action["opposition"] = {"kind": "passive", "rating": self.rating}
        elif kind:
            action["opposition"] = {"kind": kind, "hindering": list(self.hindering)}
        return _without_nothing(action)

    def _deed(self, table: Table) -> Json:
        spec = table.played.actions[self.does]
        deed: Json = {"type": self.does, "actor": self.who}
        if self.how.startswith("maneuver:"):
            return {**deed, "maneuver": self.how.removeprefix("maneuver:")}
        if self.how in spec.all_variants:
            deed["variant"] = self.how or None
        needs = spec.variant(self.how).needs
        if "aspect" in needs or self.does == "create_advantage":
            deed["aspect"] = self.about or None
        if "path" in needs:
            start = next((each.zone for each in table.scene.characters if each.name == self.who), None)
            deed["path"] = [each for each in (start, self.to) if each]
        return _without_nothing(deed)


def form_of(action: Action) -> Form:
    """Make the form that chooses an action, as far as the page can."""
    against, by = action.opposition, action.target or ""
    told = {"who": action.actor, "does": action.type, "skill": action.skill, "intent": action.intent}
    told |= {"how": f"maneuver:{action.maneuver}" if action.maneuver else action.variant, "about": action.aspect}
    if isinstance(against, Active):
        by, told["theirs"] = against.by or by, against.skill
    told["against"] = f"by:{by}" if by else f"rating:{against.rating}" if isinstance(against, Passive) else ""
    return Form({name: (value or "",) for name, value in told.items()})


def _without_nothing(told: Json) -> Json:
    """The same without empty fields."""
    return {
        name: _without_nothing(value) if isinstance(value, dict) else value
        for name, value in told.items()
        if value not in (None, "", [])
    }
