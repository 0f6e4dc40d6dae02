"""Moves of harm: a hit without a roll, treatment, and clearing stress or a consequence."""

from itertools import chain, combinations
from typing import Literal

from narrator.rules.model import Name
from narrator.rules.moves.move import Book, Move, one_of, refuse
from narrator.rules.request.scene import GM, Consequence, StressTrack
from narrator.rules.request.trackers import AtLeastOne
from narrator.rules.resolve.harm import markable, ways_to_absorb
from narrator.rules.resolve.resolution import Grant
from narrator.rules.settle.choice import AbsorbChoice
from narrator.rules.settle.hit import take_hit
from narrator.rules.settle.recovery import starting


class HitMove(Move):
    """Somebody is hit without a roll, for example by a fire or a fall (Fate Core SRD, "Resolving Attacks")."""

    type: Literal["hit"]
    who: Name
    """Who is hit."""
    shifts: AtLeastOne
    """How many shifts the hit has."""
    track: Name | None = None
    """The stress track it hits. If omitted: their only one, else `physical`."""
    by: Name | None = None
    """Who gets a free invocation of each consequence taken. If omitted, nobody."""
    absorb: AbsorbChoice | None = None
    """How they absorb it. Each consequence needs a name."""
    taken_out: bool = False
    """True if they are taken out instead of absorbing it."""

    def make(self, book: Book) -> None:
        character, sheet = book.person(self.who), book.ruleset.sheet
        if character.is_out:
            refuse("who", f"{self.who} is already out")
        if self.by is not None:
            book.holder(self.by, "by")
        stress = character.stress or {}
        if self.track is not None and self.track not in {**sheet.stress, **stress}:
            refuse("track", "there is no such stress track here", stress)
        track = self.track or (next(iter(stress)) if len(stress) == 1 else "physical")
        is_told = character.importance != "unknown"
        free = book.ruleset.inflicted_consequence_invocations
        hit = Grant(
            type="hit",
            to=(self.who,),
            amount=self.shifts,
            track=track,
            absorb=ways_to_absorb(self.shifts, character, track, sheet) if is_told else None,
            free_invocations=free,
            holders=(self.by,) if self.by and free else None,
        )
        absorb = self.absorb
        if absorb is not None and absorb.boxes is None and absorb.stress is not None:
            # Among equal sums the smallest boxes are marked.
            unmarked, most = markable(character, track, sheet)
            sums = chain.from_iterable(combinations(unmarked, number) for number in range(1, most + 1))
            boxes = min((each for each in sums if sum(each) == absorb.stress), default=None)
            absorb = absorb.model_copy(update={"boxes": boxes})
        take_hit(book, character, hit, absorb, self.taken_out)


class RecoverMove(Move):
    """A consequence was treated successfully and begins to recover (Fate Core SRD, "Recovering from a Consequence")."""

    type: Literal["recover"]
    who: Name
    """Who has it, present or away."""
    consequence: Name
    """The consequence: its name, or its level if they have only one of that level."""
    by: Name | None = None
    """Who treated it. Treating yourself is harder, as `table` shows."""
    name: Name | None = None
    """Its new name. If omitted, the old one."""

    def make(self, book: Book) -> None:
        recovery = book.ruleset.recovery
        if recovery.starts != "treated":
            message = f"in {book.ruleset.title} a consequence recovers by itself, without a roll ({recovery.source})"
            refuse("type", message, code="unsupported_action")
        place, level = book.consequence(self.who, self.consequence, untreated=True)
        if self.by not in (None, GM):
            book.person(self.by or "", "by", away=True)
        if level.recovering is not None:
            refuse("consequence", f"{level.name} is already recovering")
        begun = starting(level.severity, book.old.ended, recovery, when="treated")
        if begun is None:
            refuse("consequence", f"the ruleset does not say when a {level.severity} consequence recovers")
        update = {"name": self.name or level.name, "recovering": begun}
        book.write_consequence(self.who, place, level.model_copy(update=update))


class ClearMove(Move):
    """The table clears a stress track or a consequence (Fate Accelerated, "Minor Milestones")."""

    type: Literal["clear"]
    who: Name
    """Whose it is, present or away."""
    track: Name | None = None
    """The stress track to clear: all its boxes become free."""
    consequence: Name | None = None
    """The consequence to clear: its name, or its level if they have only one of that level."""

    def make(self, book: Book) -> None:
        stress = dict(book.person(self.who, away=True).stress or {})
        one_of({"track": self.track, "consequence": self.consequence}, "what is cleared")
        if self.consequence is not None:
            place, level = book.consequence(self.who, self.consequence)
            book.write_consequence(self.who, place, Consequence(severity=level.severity))
            return
        marked = [track for track, each in stress.items() if each.marked]
        if self.track not in marked:
            refuse("track", f"{self.who} has no marked box on this track", marked)
        stress[self.track or ""] = StressTrack(boxes=stress[self.track or ""].boxes)
        book.change(self.who, stress=stress)
