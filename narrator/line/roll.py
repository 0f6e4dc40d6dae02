"""The line of a roll: the actor, their action or roll, the opposition and the intent."""

from narrator.errors import quoted
from narrator.line.against import Against, dice_first, is_sign, kinds_against, read_against, rolled_kind
from narrator.line.figures import faces_of
from narrator.line.head import RollHead
from narrator.line.intent import check_intent
from narrator.line.invoking import invoked, read_aspect
from narrator.line.line import Line
from narrator.line.reading import AskedError, part
from narrator.line.words import (
    ARTICLES,
    BEGUN,
    INVOKING,
    JOINS,
    THANKS,
    VERSUS,
    WITH,
)
from narrator.rules.json_text import Json
from narrator.rules.request.action import Request
from narrator.rules.ruleset.row import FAIL


class RollLine(RollHead):
    """The line of a roll, read from left to right."""

    def request(self) -> Json:
        """Read the whole line."""
        self.read_head()
        while self.at < len(self.line.words):
            if not self._part():
                self._text()
        check_intent(self)
        return self._made()

    def _part(self) -> bool:
        """Read a part that its first word identifies, wherever it stands."""
        line, at = self.line, self.at
        word = line.words[at]
        if word.faces is not None:
            self._dice(at, at + 1, {"dice": faces_of(word.faces)}, f"dice {word.faces}")
        elif word.is_signs:
            raise AskedError(f"{quoted(word.text)} is not four dice", line.swap(at, at + 1, "0000"))
        elif word.is_aspect:
            is_behind = self.against is not None and self.against.text != "" and self._is_behind(at)
            self._check_invoker(at)
            told, self.at = read_aspect(line, at)
            self.aspects.append((told, is_behind))
        elif word.plain in INVOKING and at + 1 < len(line.words) and line.words[at + 1].is_aspect:
            self.at += 1
        elif word.plain in ("sum", "total") and self._counted(at) is not None:
            number, end = self._counted(at) or (0, at)
            if word.plain == "sum" and not -4 <= number <= 4:
                raise AskedError(f"four dice add up to -4 to 4, not {number}", line.swap(at, end, f"total {number}"))
            self._dice(at, end, {word.plain: number}, f"{word.plain} {number}")
        elif word.plain in VERSUS:
            return self._versus(at)
        elif word.plain in ("rolls", "rolled") and (at + 1 < len(line.words) and is_sign(line, at + 1)):
            self.at += 1
        elif word.plain in WITH:
            return self._marked_skill(at)
        elif word.plain == "by" and self.outcome is not None and self.line.number(at + 1) is not None:
            return self._shifts(at)
        elif word.number is not None:
            return self._lone_number(at)
        elif word.plain in THANKS and (at + 1 == len(line.words) or is_sign(line, at + 1)):
            self.at += 1
        else:
            return False
        return True

    def _check_invoker(self, at: int) -> None:
        """Ask if a lone name before an aspect is who invokes it."""
        line = self.line
        for start in (at - 2, at - 1):
            is_alone = (
                self.intent
                and start in self.intent[-1]
                and (line.words[start - 1].pause or start == self.intent[-1][0])
            )
            person = line.person_at(start) if is_alone else None
            if person is not None and person.end == at:
                by = f"{line.slice(at, at + 1)} by {person.names[0]}"
                raise AskedError(f"who invokes {line.quoted(start, at + 1)}?", line.swap(start, at + 1, by))

    def _counted(self, at: int) -> tuple[int, int] | None:
        """The number after `sum` or `total`, and the place after it."""
        at = at + 2 if self.line.word(at + 1) == "of" else at + 1
        number = self.line.number(at)
        return None if number is None else (number, at + 1)

    def _is_behind(self, at: int) -> bool:
        line = self.line
        return self.against is not None and line.slice(0, at).endswith(self.against.text)

    def _dice(self, start: int, end: int, roll: Json, told: str) -> None:
        line, theirs = self.line, self.against
        if self.outcome is not None:
            raise AskedError("the line has both dice and an outcome: which one counts?", line.swap(start, end, ""))
        if theirs is not None and theirs.rating is None and not theirs.roll:
            if not self.roll:
                lines = dice_first(line, start, end)
                raise AskedError(f"is {line.quoted(start, end)} the roll of {self.actor}, or of {theirs.by}?", *lines)
            theirs.roll = roll
            line.note(start, end, f"{told} of {theirs.by}")
        elif self.roll:
            raise AskedError(f"{self.actor} rolled twice: which one counts?", line.swap(start, end, ""))
        else:
            self.roll = roll
            line.note(start, end, told)
        self.at = end

    def _versus(self, at: int) -> bool:
        line, word = self.line, self.line.word(at)
        action = line.ruleset.actions.get(self.deed or "")
        is_on = action is not None and action.is_attack
        read = read_against(line, at + 1, self.target, self.skill, is_rolled=bool(self.roll), is_on=is_on)
        if read is None:
            if word == "against" and self.intent:
                return False
            if word == "against" and at + 1 < len(line.words) and not is_sign(line, at + 1):
                return False
            lines = [line.swap(at, at + 2, f"vs {each}") for each in ("2", *line.opponents(self.actor))]
            raise AskedError(f"what opposes it: {line.quoted(at, at + 2)}?", *lines)
        if self.against is not None:
            raise AskedError("two things oppose it: which one counts?", line.swap(at, read[1], ""))
        self.against, self.at = read
        if self.against.by == self.actor:
            raise AskedError(f"{self.actor} cannot be both the actor and the opposition", *_by_others(line, at, self))
        if self.target is not None and self.against.rating is not None and self._is_defended():
            lines = [line.swap(at, self.at, f"vs total {self.against.rating}")]
            raise AskedError(f"is {self.against.rating} a rating, or the total of {self.target}?", *lines)
        self.line.note(at, self.at, f"opposition {_told(self.against)}")
        return True

    def _is_defended(self) -> bool:
        spec = self.line.ruleset.actions[self.deed or "overcome"]
        return spec.opposition_on_target is not None and not spec.is_attack

    def _marked_skill(self, at: int) -> bool:
        line = self.line
        if line.word(at) in WITH and line.word(at + 1) == "style":
            raise AskedError("was it a success with style?", line.swap(at, at + 2, ""))
        start = at + 1
        is_article = line.word(start) in ARTICLES
        found = line.skill_at(start, self.actor)
        if found is None or line.words[at].pause:
            return False
        if self.skill is not None:
            if found.name == self.skill or is_article or not (found.is_whole or len(line.word(start)) <= 4):
                return False
            raise AskedError(
                f"with which skill: {self.skill}, or {line.quoted(start, found.end)}?",
                line.swap(at, found.end, ""),
            )
        name = line.only(found, start, "which skill is")
        if is_article or (line.word(found.end - 1) in BEGUN and not found.is_whole):
            lines = [line.swap(at, found.end, f"with {name}")]
            raise AskedError(f"is {line.quoted(at, found.end)} the skill {name}?", *lines, *self._skills_after(at))
        if line.word(found.end) in JOINS and line.skill_at(found.end + 1, self.actor) is not None:
            raise AskedError(
                f"with which skill: {line.quoted(start, found.end + 2)}?",
                line.swap(found.end, found.end + 2, ""),
            )
        self.skill, self.at = name, found.end
        line.note(at, found.end, f"skill {name}")
        return True

    def _shifts(self, at: int) -> bool:
        line = self.line
        end = self.behind_shifts(at + 2)
        if end == at + 2 and not (is_sign(line, at + 2) or line.words[at + 1].pause):
            if self.shifts is not None:
                return False
            asked = f"is {line.quoted(at, end)} the shifts, or part of the intent?"
            raise AskedError(asked, line.swap(at, end, f"by {line.word(at + 1)},"))
        number = abs(self.line.number(at + 1) or 0)
        if self.shifts is not None:
            raise AskedError("by how many shifts?", line.swap(at, at + 2, ""))
        self.shifts, self.at = number, end
        line.note(at, end, f"by {number}")
        return True

    def _lone_number(self, at: int) -> bool:
        """A number inside a sentence is part of it. Asks about any other."""
        line, word = self.line, self.line.words[at]
        is_within = self.intent and self.intent[-1] and self.intent[-1][-1] == at - 1 and not is_sign(line, at + 1)
        if is_within and word.text[0].isdigit() and not word.pause:
            return False
        figure = word.plain.removeprefix("+")
        lines = [line.swap(at, at + 1, f"{what} {figure}") for what in ("total", "vs", "sum")]
        raise AskedError(f"what is {quoted(word.text)}: a rating, the sum of the dice, or the total?", *lines)

    def _text(self) -> None:
        if not self.intent or self.intent[-1][-1] != self.at - 1:
            self.intent.append([])
        self.intent[-1].append(self.at)
        self.at += 1

    def intent_text(self) -> str:
        """The intent, as it was typed."""
        pieces = (self.line.slice(each[0], each[-1] + 1).strip(" ,;:-–—") for each in self.intent)
        return " ".join(pieces).strip()

    def _made(self) -> Json:
        """The request of the line, with its defaults."""
        line = self.line
        deed = self.deed or "overcome"
        if self.deed is None:
            line.read.append(part("", "action overcome", "usual"))
        action: Json = {"type": deed, "actor": self.actor}
        if self.target is not None:
            action["target"] = self.target
        if self.existing is not None:
            action |= {"variant": "existing_aspect", "aspect": self.existing}
        if self.skill is not None:
            action["skill"] = self.skill
        if self.roll:
            action["roll"] = self.roll
        if self.outcome is not None:
            action["outcome"] = self.outcome
        if self.shifts is not None:
            action["shifts"] = -self.shifts if self.outcome == FAIL else self.shifts
        if intent := self.intent_text():
            action["intent"] = intent
            line.note(self.intent[0][0], self.intent[-1][-1] + 1, f"intent {intent}")
        if self.against is not None:
            action["opposition"] = self._opposition(action, self.against)
        request: Json = {"ruleset": line.ruleset.name, "scene": line.scene, "action": action}
        invoked(line, request, self.aspects)
        Request.read(request, "request")
        return request

    def _opposition(self, action: Json, against: Against) -> Json:
        kinds = kinds_against(action, against.by, self.line.ruleset)
        if against.by is None:
            if "passive" not in kinds:
                raise AskedError(f"a rating cannot oppose this; {' or '.join(kinds)} can")
            return {"kind": "passive", "rating": against.rating}
        kind = rolled_kind(kinds, self.target)
        if kind not in kinds:
            raise AskedError(f"nobody can roll against this; {' or '.join(kinds)} can oppose it")
        told: Json = {"kind": kind, "by": against.by}
        if against.skill is not None:
            told["skill"] = against.skill
        if against.roll:
            told["roll"] = against.roll
        return told


def _told(against: Against) -> str:
    who = against.by if against.by is not None else f"rating {against.rating}"
    figures = " ".join(f"{name} {value}" for name, value in against.roll.items())
    return " ".join(filter(None, (who, against.skill, figures)))


def _by_others(line: Line, at: int, roll: RollLine) -> list[str]:
    return [line.swap(at, roll.at, f"vs {who}") for who in line.opponents(roll.actor)]
