"""The roll on the page before it is made: a sentence, rows of chips, and the outcome of each sum of the dice."""

import json
import re
from collections.abc import Iterable
from functools import cached_property

from narrator.api import rolls
from narrator.errors import NarratorError
from narrator.page.draft import Draft
from narrator.page.table import Chip, Row, Table, bearing
from narrator.render import phrases
from narrator.rules.resolve import ladder
from narrator.rules.ruleset.row import FAIL

_SUM = re.compile(r"-?\d", re.ASCII)
SUMS = range(-4, 5)
"""The possible sums of four dice."""

_SHOWN = 5
"""So many skills are shown before `Another`."""
_RATINGS = range(ladder.AVERAGE, ladder.AVERAGE + 4)
"""Average to Great, the usual difficulties."""
_STUNT = 2
"""The usual bonus of a stunt."""


class Rolling:
    """An unfinished roll.

    Args:
        table: The current table.
        told: The choices so far. The rest gets usual values.
    """

    def __init__(self, table: Table, told: Draft) -> None:
        self.table, self.draft = table, told.completed(table)
        self.error: NarratorError | None = None

    @property
    def deed(self) -> str:
        """The action as a verb in a sentence."""
        somebody = self.table.character(self.draft.who)
        return phrases.deed(self.draft.does, is_plural=bool(somebody and somebody.group))

    @property
    def skill(self) -> str:
        """The skill and its rating."""
        return _rated(self.draft.skill, self.table.rating(self.draft.who, self.draft.skill))

    @property
    def opposition(self) -> str:
        """The opposition in words."""
        draft = self.draft
        if draft.foe is not None:
            return f"{draft.foe}, {_rated(draft.theirs, self.table.rating(draft.foe, draft.theirs))}"
        if draft.rating is not None:
            return _rated(ladder.name(draft.rating), draft.rating)
        return phrases.plain(draft.against.removeprefix("kind:")) or "…"

    @cached_property
    def rows(self) -> list[Row]:
        """The rows of choices, from the actor to the opposition."""
        table, draft = self.table, self.draft
        people = [Chip(name, name, "is up" if name == table.up else "") for name in table.in_order]
        refused = table.played.frames[table.scene.frame].refuses if table.scene.frame in table.played.frames else ()
        deeds = [Chip(name, each.label) for name, each in table.played.actions.items() if name not in refused]
        is_conflict = table.scene.conflict is not None
        turn = Chip(json.dumps(bearing({"type": "turn"})), "Next turn")
        concede = Chip(json.dumps(bearing({"type": "concede", "who": draft.who})), "Concede")
        return [
            Row("who", "Who", people, [draft.who], button=turn if is_conflict else None),
            Row("does", "Does", deeds, [draft.does], button=concede if is_conflict else None, is_late=bool(draft.ours)),
            *self._ways(),
            self._skills("skill", "With", draft.who, draft.skill),
            *self._opposing(),
        ]

    def _ways(self) -> Iterable[Row]:
        """The rows for variants and maneuvers of the action, and for what these need."""
        table, draft = self.table, self.draft
        spec = table.played.actions[draft.does]
        maneuvers = [name for name, each in table.played.maneuvers.items() if each.action == draft.does]
        ways = [Chip(each or "", phrases.plain(each or "plain").capitalize()) for each in spec.all_variants]
        ways += [Chip(f"maneuver:{name}", phrases.plain(name).capitalize()) for name in maneuvers]
        chosen = draft.how if draft.how in [each.value for each in ways] else ways[0].value
        if len(ways) > 1:
            yield Row("how", "How", ways, [chosen])
        needs = spec.variant(chosen).needs
        if "aspect" in needs:
            yield Row("about", "Which", [Chip(name, name) for name in table.aspects], [draft.about])
        if "path" in needs:
            yield Row("to", "To", [Chip(each.name, each.name) for each in table.scene.zones], [draft.to])

    def _skills(self, name: str, legend: str, of: str, chosen: str) -> Row:
        skills = self.table.skills(of)
        rated = [skill for skill, rating in skills if rating] or [skill for skill, _ in skills]
        shown = {*rated[:_SHOWN], chosen}
        chips = [Chip(skill, skill, f"{rating:+d}") for skill, rating in skills]
        of_shown, others = ([each for each in chips if (each.value in shown) is is_shown] for is_shown in (True, False))
        return Row(name, legend, of_shown, [chosen], others)

    def _opposing(self) -> Iterable[Row]:
        table, draft = self.table, self.draft
        is_on = table.played.actions[draft.does].is_attack
        foes = [Chip(f"by:{each.name}", each.name) for each in table.foes(draft.who)]
        kinds = {
            *(draft.kinds(table, on=foes[0].label) if foes else ()),
            *(() if is_on else draft.kinds(table, on=None)),
        }
        people = foes if kinds & {"defend", "active"} else []
        rungs = range(ladder.LOWEST, ladder.HIGHEST + 1) if "passive" in kinds and not is_on else ()
        shown = [_rating(each) for each in rungs if each in _RATINGS or each == draft.rating]
        others = [_rating(each) for each in rungs if _rating(each) not in shown]
        told = sorted(kinds - {"passive", "active", "defend"})
        shown += [Chip(f"kind:{kind}", phrases.plain(kind).capitalize()) for kind in told]
        yield Row("against", "Against", [*shown, *people], [draft.against], others)
        if draft.against.startswith("kind:"):
            yield Row(
                "hindering", "In the way", [Chip(name, name) for name in table.aspects], draft.hindering, is_many=True
            )
        if draft.foe is not None:
            yield self._skills("theirs", "Defends" if is_on else "Theirs", draft.foe, draft.theirs)

    @property
    def more(self) -> list[Row]:
        """The rows for stunts and help."""
        table, draft = self.table, self.draft
        somebody = table.character(draft.who)
        side = somebody.side if somebody else None
        helpers = [
            Chip(each.name, each.name)
            for each in table.scene.characters
            if each.side == side and each.name != draft.who
        ]
        bonuses = [Chip("", "None"), *(Chip(str(each), f"+{each}") for each in range(1, _STUNT + 2))]
        found = [Row("bonus", "Stunt", bonuses, [draft.bonus])]
        return [*found, Row("helpers", "Helped by", helpers, draft.helpers, is_many=True)] if helpers else found

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The outcomes that the user can choose instead of dice."""
        return (FAIL, *self.table.played.outcomes)

    @property
    def has_two_pads(self) -> bool:
        """Whether the other side also rolls."""
        return self.draft.foe is not None

    @cached_property
    def _flat(self) -> int | None:
        """The shifts if all dice show 0. None if the roll can't be made yet; `error` then says why."""
        flat = {"sum": 0}
        try:
            asked = self.table.request(self.draft.action(self.table, flat, flat if self.has_two_pads else None))
            return rolls.resolve(asked, rulesets=self.table.campaign.rulesets).shifts
        except NarratorError as error:
            self.error = error
            return None

    def marks(self, pad: str) -> dict[int, str | None]:
        """The outcome of each sum on a pad, `ours` or `theirs`, or None if it is not known yet."""
        if self._flat is None or (self.has_two_pads and (pad == "ours" or not self.draft.ours)):
            return dict.fromkeys(SUMS)
        told = int(self.draft.ours) if self.has_two_pads and _SUM.fullmatch(self.draft.ours) else 0
        sign = -1 if self.has_two_pads else 1
        return {each: self.table.played.outcome(self._flat + told + sign * each) for each in SUMS}

    @cached_property
    def odds(self) -> str:
        """The chance to tie or better, also with a free invocation that the actor has."""
        if self._flat is None:
            return ""
        found = rolls.odds(self.table.request(self.draft.action(self.table)), rulesets=self.table.campaign.rulesets)
        told = phrases.chance(found.outcomes)
        if self.has_two_pads:
            # A fraction of 6,561 would mean little to people.
            fails, all_ = found.outcomes[FAIL]
            return f"{round(100 - 100 * fails / all_)} % to tie or better"
        free = next((each for each in found.invocations if each.pay == "free"), None)
        if free is None:
            return told
        [better, _, _] = phrases.chance(free.outcomes).partition(" ")
        return f"{told}; {better} with {free.aspect}"


def _rated(name: str, rating: int) -> str:
    return f"{name or 'no skill'}\N{NO-BREAK SPACE}{rating:+d}"


def _rating(rating: int) -> Chip:
    return Chip(f"rating:{rating}", ladder.name(rating), f"{rating:+d}")
