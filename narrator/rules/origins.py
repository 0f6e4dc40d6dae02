"""Where each part of a ruleset was written: the file, and the line that a message about it names."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from narrator.errors import NarratorError
from narrator.rules import places
from narrator.rules.ruleset_file import Part, Removed, RulesetFile, Where


@dataclass(frozen=True)
class Written:
    """A ruleset file as it was read: what it declares, its text, and the name to give it in messages."""

    file: RulesetFile
    text: str
    place: str

    def refuse(self, problem: str, *where: str | int) -> NoReturn:
        """Raise `bad_ruleset` for what stands there, naming the line."""
        raise NarratorError("bad_ruleset", f"{self.place}:{places.line_of(self.text, where)}", problem)


class Origins:
    """One map of all the files that a ruleset is laid out of, the first of them the one that extends nothing."""

    def __init__(self, files: Sequence[Written]) -> None:
        self._files = files
        self._of: dict[Part, tuple[int, Where]] = {
            part: (layer, where) for layer, written in enumerate(files) for part, where in written.file.parts()
        }

    def refuse(self, problem: str, *parts: Part, at: Where = ()) -> NoReturn:
        """Raise `bad_ruleset` for parts that do not go together, naming the line of the one that was laid last; of
        parts that were whole until something was taken from them, the line that took it.

        Args:
            at: Where in that part; a word that is no key may be one that stands there.
        """
        layer, where = max((self._of[part] for part in parts), key=lambda each: each[0])
        for above in self._files[layer + 1 :]:
            if above.file.removes != Removed():
                above.refuse(problem, "removes")
        self._files[layer].refuse(problem, *where, *at)
