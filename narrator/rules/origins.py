"""Where each part of a ruleset was written: the file, and the line that a message about it names."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NoReturn

from narrator.errors import NarratorError
from narrator.rules import places
from narrator.rules.ruleset_file import Part, Path, RulesetFile


@dataclass(frozen=True)
class Written:
    """
    A ruleset file as it was read: what it declares, its text, and the name to give it in messages.
    """

    file: RulesetFile
    text: str
    place: str

    def refuse(self, problem: str, *path: str | int) -> NoReturn:
        """
        Raise `bad_ruleset` for what stands at this path, naming the line.
        """
        raise NarratorError("bad_ruleset", f"{self.place}:{places.line_of(self.text, path)}", problem)


class Origins:
    """
    One map of all the files that a ruleset is laid out of, the first of them the one that extends nothing.
    """

    def __init__(self, files: Iterable[Written]) -> None:
        self._of: dict[Part, tuple[int, Written, Path]] = {
            part: (layer, written, path) for layer, written in enumerate(files) for part, path in written.file.parts()
        }

    def refuse(self, problem: str, *parts: Part, at: Path = ()) -> NoReturn:
        """
        Raise `bad_ruleset` for parts that do not go together, naming the line of the one that was laid last.

        Args:
            at: Where in that part; a word that is no key may be one that stands there.
        """
        _, written, path = max((self._of[part] for part in parts), key=lambda each: each[0])
        written.refuse(problem, *path, *at)
