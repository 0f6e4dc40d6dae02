"""A line in its scene: its words, the people and skills they may name, and what was read so far."""

from dataclasses import dataclass, field

from narrator.errors import quoted
from narrator.line.names import Found, find, near_names
from narrator.line.reading import AskedError, From, ReadPart, part
from narrator.line.words import WITH, Word, words_in
from narrator.rules.request.scene import GM, Character, Scene
from narrator.rules.resolve.invocations import aspects_in_play
from narrator.rules.ruleset.ruleset import Ruleset


@dataclass
class Line:
    """A line with its scene and ruleset."""

    text: str
    scene: Scene
    ruleset: Ruleset
    words: list[Word] = field(init=False)
    read: list[ReadPart] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.words = words_in(self.text)

    @property
    def people(self) -> list[str]:
        """Everyone present."""
        return [each.name for each in self.scene.characters]

    def word(self, at: int) -> str:
        """A word in lower case, or "" past the end."""
        return self.words[at].plain if 0 <= at < len(self.words) else ""

    def number(self, at: int) -> int | None:
        """The whole number there, if any."""
        return self.words[at].number if at < len(self.words) else None

    def slice(self, start: int, end: int) -> str:
        """Some words as they were typed."""
        some = self.words[start:end]
        return self.text[some[0].start : some[-1].end] if some else ""

    def quoted(self, start: int, end: int) -> str:
        """Some words, quoted for a message."""
        return quoted(self.slice(start, end).rstrip(" ,;:.!?"))

    def swap(self, start: int, end: int, new: str) -> str:
        """The whole line with some words replaced, or with words inserted if `start` is `end`."""
        if start >= len(self.words):
            return f"{self.text.rstrip()} {new}"
        last = self.words[min(max(start, end - 1), len(self.words) - 1)]
        if start == end:
            return f"{self.text[: last.start]}{new} {self.text[last.start :]}"
        comma = "," if last.pause and last.text.endswith(",") else ""
        return f"{self.text[: self.words[start].start]}{new}{comma}{self.text[last.end :]}"

    def note(self, start: int, end: int, told: str, known: From = "line") -> None:
        """Record what some words were read as."""
        self.read.append(part(self.slice(start, end), told, known))

    def person_at(self, at: int) -> Found | None:
        """Who is named from a word on. `w` means with and never begins a name."""
        return self._but_with(at, self.people)

    def one_person(self, at: int) -> tuple[str, int]:
        """Who is named from a word on, and the place after. Asks if this is not clear."""
        found = self.person_at(at)
        if found is None and self.word(at) == "gm":
            return GM, at + 1
        if found is None:
            typed = self.slice(at, at + 1)
            others = near_names(self.word(at), self.people) or self.people
            here = ", ".join(self.people) or "nobody"
            question = f"who is {quoted(typed)}? The scene has {here}" if typed else f"who? The scene has {here}"
            raise AskedError(question, *(self.swap(at, at + 1, name) for name in others))
        return self.only(found, at, "who is meant by"), found.end

    def only(self, found: Found, at: int, question: str) -> str:
        """The name that was found. Asks if there are several."""
        if found.name is None:
            lines = (self.swap(at, found.end, name) for name in found.names)
            raise AskedError(f"{question} {self.quoted(at, found.end)}: {' or '.join(found.names)}?", *lines)
        return found.name

    def character(self, name: str) -> Character | None:
        """The sheet of somebody."""
        return next((each for each in self.scene.characters if each.name == name), None)

    def opponents(self, actor: str) -> list[str]:
        """Everyone on a different side from the actor."""
        own = self.character(actor)
        return [each.name for each in self.scene.characters if own is None or each.side != own.side]

    def skills(self, name: str | None) -> list[str]:
        """The skills of somebody's sheet, and those of the ruleset."""
        sheet = self.character(name) if name else None
        own = [*sheet.skills] if sheet is not None else []
        folded = {each.casefold() for each in own}
        return [*own, *(each for each in self.ruleset.skills if each.casefold() not in folded)]

    def aspects_begun(self, at: int) -> tuple[str, ...]:
        """The aspects in play that begin with the words from there on."""
        found = find(self.words, at, [name for name, _ in aspects_in_play(self.scene)])
        return () if found is None else found.names

    def skill_at(self, at: int, name: str | None) -> Found | None:
        """Which skill of somebody is named from a word on."""
        return self._but_with(at, self.skills(name))

    def _but_with(self, at: int, names: list[str]) -> Found | None:
        found = find(self.words, at, names)
        return found if found is None or found.is_whole or self.word(at) not in WITH else None
