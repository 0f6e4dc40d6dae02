"""What milestones do to consequences. Any other change to a character is a `change`."""

from typing import Literal

from narrator.rules.model import Name
from narrator.rules.moves.move import Book, Move, refuse
from narrator.rules.moves.points import Several
from narrator.rules.request.scene import Consequence
from narrator.rules.settle.recovery import starting


class MilestoneMove(Move):
    """Characters reach a milestone (Fate Core SRD, "Milestones"; Fate Condensed, "Advancement")."""

    type: Literal["milestone"]
    level: Name
    """`minor`, `significant` or `major`, if the ruleset has it. It also does what the lower ones do."""
    who: Several | None = None
    """Who reaches it, present or away. If omitted, all player characters."""

    def make(self, book: Book) -> None:
        levels = book.ruleset.milestones
        if self.level not in levels:
            refuse("level", f"{book.ruleset.title} has no such milestone", levels)
        players = tuple(each.name for each in book.everybody if each.importance == "pc")
        for place, name in enumerate(self.who or ()):
            book.person(name, f"who.{place}", away=True)
        names = list(levels)
        reached = [levels[name] for name in names[: names.index(self.level) + 1]]
        clears = {level for each in reached for level in each.clears}
        starts = {level for each in reached for level in each.starts}
        clears_recovering = any(each.clears_recovering for each in reached)
        for name in self.who or players:
            for place, level in enumerate(book.person(name, away=True).consequences or ()):
                if level.name is None:
                    continue
                begun = starting(level.severity, book.old.ended, book.ruleset.recovery, when="treated")
                # Taken in this session, so it has not been there for two.
                is_fresh = level.recovering == 2 and book.ruleset.recovery.starts == "hit"
                if (level.severity in clears and not is_fresh) or (clears_recovering and level.recovering is not None):
                    book.write_consequence(name, place, Consequence(severity=level.severity))
                elif level.severity in starts and level.recovering is None:
                    book.write_consequence(name, place, level.model_copy(update={"recovering": begun}))
