"""The beginning of a roll's line: the actor, the action, the target, then the outcome or the skill."""

from narrator.errors import quoted
from narrator.line.against import Against, is_sign
from narrator.line.line import Line
from narrator.line.names import find
from narrator.line.reading import AskedError
from narrator.line.words import ACTIONS, ARTICLES, BEGUN, DENIALS, HITS, JOINS, LEADS, NAMED, OUTCOMES, VERBS, WITH
from narrator.rules.json_text import Json
from narrator.rules.resolve.invocations import aspects_in_play

STYLE = "succeed_with_style"
COUNTS = ("one", "two", "three", "four", "five", "six", "seven", "eight")


class RollHead:
    """The line of a roll, read from left to right up to its first sign."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.at = 0
        self.head = 0
        """The place after the actor, the action and the target, as far as they are given."""
        self.actor = ""
        self.deed: str | None = None
        self.target: str | None = None
        self.skill: str | None = None
        self.existing: str | None = None
        """The aspect in play that an advantage uses."""
        self.roll: Json = {}
        self.outcome: str | None = None
        self.shifts: int | None = None
        self.against: Against | None = None
        self.aspects: list[tuple[Json, bool]] = []
        self.intent: list[list[int]] = []
        """The places of the words of the intent, piece by piece."""

    def read_head(self) -> None:
        """Read all of it."""
        self._who()
        self.head = self.at
        self._deed()
        self.head = self.at
        self._skill_or_outcome()

    def _who(self) -> None:
        line = self.line
        while line.word(self.at) in LEADS and line.person_at(self.at) is None:
            self.at += 1
        found = line.person_at(self.at)
        if found is None and line.people and (line.skill_at(self.at, None) or line.word(self.at) in OUTCOMES):
            raise AskedError("who acts?", *(line.swap(self.at, self.at, name) for name in line.people))
        start = self.at
        self.actor, self.at = line.one_person(self.at)
        then = line.word(self.at)
        if then in JOINS or then in DENIALS or (then.startswith("+") and line.words[self.at].text == "+"):
            raise AskedError(f"who acts, and what do they do: {line.quoted(start, self.at + 1)}?")
        if line.person_at(self.at) is not None and not self._is_skill(self.at):
            raise AskedError(f"who acts: {line.quoted(start, self.at + 1)}?", line.swap(self.at, self.at, "attacks"))
        if line.word(start) in NAMED and self.at == start + 1 and found is not None and not found.is_whole:
            is_plain = not (
                is_sign(line, self.at) or self._is_skill(self.at) or self._action_at() or then in {*OUTCOMES, *HITS}
            )
            if is_plain and not line.words[start].pause and then not in WITH:
                name = line.quoted(start, self.at)
                raise AskedError(f"does {name} mean {self.actor}?", line.swap(start, self.at, self.actor))
        line.note(start, self.at, f"actor {self.actor}")

    def _is_skill(self, at: int) -> bool:
        return self.line.word(at) not in ARTICLES and self.line.skill_at(at, self.actor) is not None

    def _action_at(self) -> tuple[str, int] | None:
        """The action named from here on, and the place after it."""
        known = {name: (spoken := name.replace("_", " "), f"{spoken}s") for name in self.line.ruleset.actions}
        for name, forms in {**known, **ACTIONS}.items():
            for form in forms:
                at, wanted = self.at, form.split()
                while wanted and at < len(self.line.words):
                    word = self.line.word(at)
                    if word == wanted[0]:
                        wanted = wanted[1:]
                    elif word not in ARTICLES or at == self.at:
                        break
                    at += 1
                if not wanted:
                    return name, at
        return None

    def _deed(self) -> None:
        line = self.line
        found = self._action_at()
        if found is None:
            if line.word(self.at) in HITS:
                self._hit()
            return
        start, (self.deed, self.at) = self.at, found
        if self.deed not in line.ruleset.actions:
            raise AskedError(
                f"{line.ruleset.name} has no action {self.deed}; it has {', '.join(line.ruleset.actions)}",
                line.swap(start, self.at, "overcomes"),
            )
        line.note(start, self.at, f"action {self.deed}")
        is_attack = line.ruleset.actions[self.deed].is_attack
        if is_attack and line.word(self.at) == "on":
            self.at += 1
        at = self.at + 1 if line.word(self.at) == "on" and not is_attack else self.at
        person = None if self._is_skill(at) and not is_attack and at == self.at else line.person_at(at)
        if person is None:
            if is_attack:
                raise AskedError("who is attacked?", *(line.swap(at, at, who) for who in line.opponents(self.actor)))
            if at > self.at and "existing_aspect" in line.ruleset.actions[self.deed].all_variants:
                self._of_aspect(at)
            return
        name = line.only(person, at, "who is meant by")
        ends = is_sign(line, person.end) or self._is_skill(person.end) or line.word(person.end) in {*WITH, *OUTCOMES}
        is_whom = is_attack or at > self.at or (self.deed == "discover" and ends)
        if not is_whom:
            lines = [line.swap(at, at, "on" if self.deed == "create_advantage" else "vs")]
            raise AskedError(f"what does {line.quoted(start, person.end)} mean?", *lines)
        self._aim(name, self.at, person.end)

    def _of_aspect(self, at: int) -> None:
        """Read the aspect in play that an advantage uses. It needs the whole name: a beginning may mean a place."""
        line = self.line
        found = find(line.words, at, [name for name, _ in aspects_in_play(line.scene)])
        if found is None:
            return
        if not found.is_whole or found.name is None:
            lines = (line.swap(at, found.end, name) for name in found.names)
            raise AskedError(f"does {line.quoted(at, found.end)} mean an aspect?", *lines)
        self.existing = found.name
        line.note(self.at, found.end, f"existing aspect {found.name}")
        self.at = found.end

    def _aim(self, name: str, start: int, end: int) -> None:
        if name == self.actor:
            raise AskedError(f"{name} cannot be both the actor and the target", *self._with_whom(start, end))
        self.target, self.at = name, end
        self.line.note(start, end, f"target {name}")
        if self.line.person_at(end) is not None and not self.line.words[end - 1].pause and not self._is_skill(end):
            typed = self.line.quoted(start, end + 1)
            raise AskedError(f"who is the target: {typed}?", *self._with_whom(start, end + 1))
        if self.line.word(end) in JOINS and self.line.person_at(end + 1) is not None:
            raise AskedError(
                f"only one target at a time: {self.line.quoted(start, end + 2)}", self.line.swap(end, end + 2, "")
            )

    def _with_whom(self, start: int, end: int) -> list[str]:
        return [self.line.swap(start, end, who) for who in self.line.opponents(self.actor)]

    def _hit(self) -> None:
        """Read `hits WHOM for 3` as an attack. Without a name, it is part of the intent."""
        line, start = self.line, self.at
        person = line.person_at(start + 1)
        if person is None or "attack" not in line.ruleset.actions:
            return
        whom = line.only(person, start + 1, "who is meant by")
        number = self.line.number(person.end + 1)
        if line.word(person.end) not in ("for", "by") or number is None:
            word = line.word(person.end + 1)
            told = (word, str(COUNTS.index(word) + 1)) if word in COUNTS else ("", "1")
            end = person.end + (2 if told[0] else 0)
            lines = [line.swap(start, end, f"hits {whom} for {told[1]}"), line.swap(start, start + 1, "attacks")]
            raise AskedError(f"by how many shifts is {whom} hit?", *lines)
        self.deed, self.outcome, self.shifts = "attack", "succeed", number
        line.note(start, start + 1, "action attack")
        self._aim(whom, start + 1, person.end)
        self.at = self.behind_shifts(person.end + 2)
        line.note(person.end, self.at, f"outcome succeed by {number}")

    def _skill_or_outcome(self) -> None:
        """Read the outcome or skill right after the actor, the action or the target."""
        line = self.line
        if line.word(self.at) in ("and", "but") and line.word(self.at + 1) in {*OUTCOMES, *HITS} and self.deed:
            self.at += 1
        if self._outcome():
            return
        found = None if line.word(self.at) in ARTICLES else line.skill_at(self.at, self.actor)
        if found is None or self.at >= len(line.words):
            return
        self._take_skill(found.end, line.only(found, self.at, "which skill is"))
        if line.word(self.at) in JOINS:
            raise AskedError(
                f"with which skill: {line.quoted(self.at - 1, self.at + 2)}?",
                line.swap(self.at, self.at + 2, ""),
            )
        self._outcome()

    def _take_skill(self, end: int, name: str) -> None:
        line, start = self.line, self.at
        typed = line.word(end - 1)
        is_word = typed in VERBS or (typed in BEGUN and typed != name.casefold())
        is_apart = line.words[end - 1].pause or is_sign(line, end) or line.word(end) in {*OUTCOMES, *WITH, *JOINS}
        if is_word and not is_apart:
            raise AskedError(
                f"is {line.quoted(start, end)} the skill, or part of the intent?",
                line.swap(start, end, f"with {name},"),
                *self._skills_after(start),
            )
        self.skill, self.at = name, end
        line.note(start, end, f"skill {name}")

    def _skills_after(self, at: int) -> list[str]:
        sheet = self.line.character(self.actor)
        return [self.line.swap(at, at, f"{name},") for name in (sheet.skills if sheet else ())]

    def _outcome(self) -> bool:
        """Read the outcome, if the table gives it."""
        line, start = self.line, self.at
        word, end = line.word(start), start + 1
        told = OUTCOMES.get(word)
        if told is None and word in HITS and self.target is not None:
            told = "succeed"
        is_style = (word in WITH or word == "in") and line.word(start + 1) == "style"
        if is_style:
            told, end = STYLE, start + 2
        elif told is None:
            return False
        elif told == "succeed" and line.word(end) in {*WITH, "in"} and line.word(end + 1) == "style":
            told, end = STYLE, end + 2
        if word in ("tie", "ties", "tied") and not self._is_tie(end):
            raise AskedError(
                f"is {quoted(word)} the outcome, or part of the intent?",
                line.swap(start, end, "tied,"),
                *self._skills_after(start),
            )
        if self.roll or self.outcome is not None:
            raise AskedError("the line has both dice and an outcome: which one counts?", line.swap(start, end, ""))
        self.outcome = told
        if line.word(end) in ("by", "for") and (number := self.line.number(end + 1)) is not None:
            self.shifts, end = abs(number), self.behind_shifts(end + 2)
        elif line.word(end) == "by" and line.word(end + 1) in COUNTS:
            raise AskedError(
                "by how many shifts?", line.swap(end + 1, end + 2, str(COUNTS.index(line.word(end + 1)) + 1))
            )
        by = "" if self.shifts is None else f" by {self.shifts}"
        line.note(start, end, f"outcome {told.replace('_', ' ')}{by}")
        self.at = end + 1 if line.word(end) == "and" else end
        return True

    def _is_tie(self, end: int) -> bool:
        line = self.line
        return (
            line.words[end - 1].pause or is_sign(line, end) or line.word(end) == "by" or line.word(end).endswith("ing")
        )

    def behind_shifts(self, at: int) -> int:
        """The place after the word for shifts. Asks about other words for harm."""
        if self.line.word(at) in ("stress", "damage", "harm", "boxes"):
            raise AskedError("how many shifts is that?", self.line.swap(at, at + 1, "shifts"))
        return at + 1 if self.line.word(at) in ("shift", "shifts") and not self.line.words[at - 1].pause else at
