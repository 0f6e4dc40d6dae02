"""Settles a choice: applies all of it to the scene, or nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from narrator.rules.request.scene import CONTESTS, SceneAspect
from narrator.rules.resolve.invocations import aspects_in_play
from narrator.rules.resolve.opposition import spend
from narrator.rules.resolve.resolution import Branch, Grant
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.settle.choice import Choice, refuse
from narrator.rules.settle.hit import take_hit
from narrator.rules.settle.ledger import Ledger
from narrator.rules.settle.suggestion import Suggestion

FULL_DEFENSE_NAME = "Full Defense"
"""The name of a full defence if the action names no aspect ("Maneuvers as Actions")."""


def settle(ruling: Ruling, branch: Branch, choice: Choice, accepted: Sequence[Suggestion]) -> Ledger:
    """Write a choice into a ledger of the scene. Raises `bad_choice`, with what would have fitted.

    Args:
        branch: The chosen branch, from `branch_of`.
        accepted: The accepted suggestions: one for each slot of the branch that must not stay empty.
    """
    book = Ledger(ruling.request.scene, ruling.cast, ruling.ruleset)
    book.spend(spend(ruling.request, ruling.ruleset, ruling.cast))
    _Settlement(ruling, branch, choice, accepted, book).run()
    return book


@dataclass
class _Settlement:
    """One choice while it is written into the ledger."""

    ruling: Ruling
    branch: Branch
    choice: Choice
    suggestions: Sequence[Suggestion]
    book: Ledger
    destination: str | None = None

    def run(self) -> None:
        """Apply all of it."""
        self._check_extras()
        self._check_harm()
        self._acts()
        self._reveal()
        for index, grant in sorted(enumerate(self.branch.grants), key=lambda each: each[1].type != "loses_roar"):
            self._grant(index, grant)
        revealed = self.ruling.request.action.aspect
        for suggestion in sorted(self.suggestions, key=lambda each: each.kind != "aspect"):
            self._fill(suggestion, revealed)
            if suggestion.kind == "aspect" and revealed is None:
                revealed = suggestion.name
            texts = [text for text in (suggestion.name, suggestion.detail) if text]
            (self.book.hide if suggestion.secret else self.book.said)(*texts)
        self.book.dealt(self.choice.dealt or ())

    def _acts(self) -> None:
        """End what lasts until somebody acts: a full defence, a lethal next attack, a forfeited roll."""
        action, spec = self.ruling.request.action, self.ruling.ruleset.actions[self.ruling.request.action.type]
        if not spec.is_defense:
            self.book.drop_aspects(lambda aspect: aspect.each_attack and aspect.on == action.actor)
        if spec.is_attack:
            self.book.change(action.actor, lethal_next_attack=False)
        if self.ruling.request.scene.frame in CONTESTS:
            self.book.change(action.actor, forfeits_next_contest_roll=False)
        maneuver = self.ruling.ruleset.maneuvers.get(action.maneuver or "")
        if spec.is_attack and maneuver is not None and maneuver.own_weight > 1:
            self.book.follow(action.actor, self.ruling.resolution.opposition.by or action.target)

    def _reveal(self) -> None:
        """Add the aspect that the request names and the branch reveals."""
        request, found = self.ruling.request, self.ruling.resolution
        action = request.action
        row = self.ruling.ruleset.row(action.type, found.action.variant, found.outcome, action.maneuver)
        reveals = any(slot.discovered for spec in row.branches if spec.id == self.branch.id for slot in spec.slots)
        if reveals and action.aspect is not None and action.aspect not in dict(aspects_in_play(request.scene)):
            self.book.aspects.append(SceneAspect(name=action.aspect))

    def _check_extras(self) -> None:
        """Refuse fields of the choice that nothing in the branch uses."""
        forms = [self.ruling.ruleset.forms[each.form] for each in self.suggestions]
        granted = {grant.type for grant in self.branch.grants}
        marks = "stress" in granted or any(form.harm == "stress" for form in forms)
        for field, is_wanted in (
            ("absorb", "hit" in granted),
            ("taken_out", "hit" in granted),
            ("holder", any(each.holders for each in self.suggestions)),
            ("track", marks),
            ("zone", any(form.does == "moves" for form in forms)),
        ):
            if getattr(self.choice, field) not in (None, False) and not is_wanted:
                is_defense = self.ruling.ruleset.actions[self.ruling.request.action.type].is_defense
                hint = "; the hit belongs to the attack: resolve and settle that" if is_defense else ""
                refuse(field, f"nothing in {self.branch.id} uses this{hint}")

    def _check_harm(self) -> None:
        """Refuse words for a consequence if the hit inflicts none of that level."""
        taken = self.choice.absorb.consequences if self.choice.absorb else ()
        levels = {level for slot in self.branch.slots for form in slot.forms for level in form.severities or ()}
        nameless = [each.severity for each in taken if each.name is None and each.severity in levels]
        for place, each in enumerate(self.suggestions):
            if each.kind == "consequence" and each.severity not in nameless:
                message = f"`absorb` has no {each.severity} consequence without a name"
                refuse(f"suggestions.{place}.severity", message, nameless)
            if each.kind == "consequence" and self.choice.holder not in (None, *(each.holders or ())):
                refuse("holder", "they cannot get the free invocation of the consequence", each.holders or ())

    def _grant(self, index: int, grant: Grant) -> None:
        grants = self.choice.grants
        # An error about a missing choice points to where it would be added.
        place = next((place for place, each in enumerate(grants) if each.index == index), len(grants))
        chosen = grants[place] if place < len(grants) else None
        to = chosen.to if chosen and chosen.to else None
        if to is None:
            if len(grant.to) > 1:
                of = f" of {grant.on}" if grant.type == "free_invocations" else ""
                refuse(f"grants.{place}.to", f"say who gets the {grant.type.replace('_', ' ')}{of}", grant.to)
            to = grant.to[0]
        match grant.type:
            case "free_invocations":
                self.book.give(grant.on or "", to, grant.amount or 0, self.ruling.request.action.target)
            case "hit":
                told = (each for each in self.suggestions if each.kind == "consequence" and each.to == to)
                words = {each.severity or "": each.name or "" for each in told}
                take_hit(self.book, self.ruling.cast[to], grant, self.choice.absorb, self.choice.taken_out, words)
            case "stress":
                self.book.mark_stress(to, self.choice.track, self.ruling.track or "")
            case "legend_points":
                self.book.gain_legend(to, grant.amount or 0)
            case "forfeit_next_contest_roll":
                self.book.change(to, forfeits_next_contest_roll=True)
            case "lethal_next_attack":
                self.book.change(to, lethal_next_attack=True)
            case "free_invocation_each_attack":
                name = self.ruling.request.action.aspect or FULL_DEFENSE_NAME
                self.book.aspects.append(
                    SceneAspect(name=name, on=to, free_invocations={to: grant.amount or 0}, each_attack=True)
                )
            case "roar":
                self.book.change(to, roar=self.ruling.resolution.action.skill)
            case "loses_roar":
                self.book.change(to, roar=None)
                self.book.drop_aspects(lambda aspect: aspect.roar and aspect.on == to)
            case "move":
                self._move(to, grant.on, place)
            case "may_move" if chosen is not None:
                self._move(to, chosen.on, place)

    def _move(self, who: str, to: str | None, place: int) -> None:
        """Move somebody. If the way is open, all whom the branch moves go to the one zone chosen."""
        told = to
        if to is None:
            zones = ((at, each.on) for at, each in enumerate(self.choice.grants) if each.on)
            place, told = next(zones, (place, self.destination))
        self.destination = self.book.go_to(who, told, f"grants.{place}.on")

    def _fill(self, suggestion: Suggestion, revealed: str | None) -> None:
        """Apply what a suggestion's form gives. A consequence of a hit was already applied with the hit."""
        if suggestion.kind == "consequence":
            return
        form = self.ruling.ruleset.forms[suggestion.form]
        free = suggestion.free_invocations or 0
        if form.harm == "consequence":
            self._take_consequence(suggestion, free)
        elif form.harm == "stress":
            self.book.mark_stress(suggestion.to or "", self.choice.track, self.ruling.track or "")
        elif form.does == "moves":
            self.book.go_to(suggestion.to or "", self.choice.zone, "zone")
        elif form.does == "disarms":
            self.book.change(suggestion.to or "", disarmed=True)
        elif suggestion.name is None:
            aspect = suggestion.on or revealed
            if free and aspect is not None:
                self.book.give(aspect, suggestion.to or "", free)
        elif form.becomes == "fact":
            self.book.facts.append(": ".join(text for text in (suggestion.name, suggestion.detail) if text))
        elif form.on == "aspect" and (suggestion.on or revealed) is not None:
            self.book.reword(suggestion.on or revealed or "", suggestion.name)
        else:
            self.book.aspects.append(self._aspect(suggestion, free, is_boost=form.becomes == "boost"))

    def _aspect(self, suggestion: Suggestion, free: int, is_boost: bool) -> SceneAspect:
        action = self.ruling.request.action
        is_roar = any(grant.type == "roar" for grant in self.branch.grants) and suggestion.kind == "aspect"
        on_target = suggestion.kind == "aspect" and self.branch.goal == "attained"
        return SceneAspect(
            name=suggestion.name or "",
            on=action.actor if is_roar else action.target if on_target else None,
            free_invocations={suggestion.to: free} if suggestion.to and free else {},
            boost=is_boost,
            roar=is_roar,
        )

    def _take_consequence(self, suggestion: Suggestion, free: int) -> None:
        who, name = suggestion.to or "", suggestion.name or ""
        self.book.take_consequence(who, suggestion.severity or "", name)
        if not free:
            return
        holders = suggestion.holders or ()
        holder = self.choice.holder or (holders[0] if len(holders) == 1 else None)
        if holder not in holders:
            refuse("holder", "say who gets the free invocation of the consequence", holders)
        self.book.aspects.append(SceneAspect(name=name, on=who, free_invocations={holder: free}))
