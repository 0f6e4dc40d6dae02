"""The grade sheet: writes the suggestions of all sources, shuffled and without sources, and reads people's grades."""

import re
from collections.abc import Iterator

from narrator.errors import RequestError, visible
from narrator.evaluation.report import GRADES
from narrator.files.eval_journal import ID, Case, EvalJournal
from narrator.render.phrases import plain
from narrator.render.surfaces.markdown import escaped
from narrator.rules.settle.suggestion import Suggestion

OPENING = """\
# Words to grade

Put a grade into each box, as in `[2]`: **2** I would say it aloud as it is, **1** I could use it after a change,
**0** no. Nothing here, not even the order, shows who wrote what. `narrator eval --grades` adds up the grades."""

_ROW = re.compile(rf"\s*[-*+]([^`]*)`([0-9a-f]{{{ID}}})`")
_BOX = re.compile(rf"\[\s*([{''.join(GRADES)}]?)\s*\]")


def grade_sheet(journal: EvalJournal) -> Iterator[str]:
    """Write the sheet, line by line. Equal suggestions of several sources are listed once."""
    yield OPENING
    for number, case in enumerate(journal.head.cases):
        answers = [each for each in journal.answers if each.case == number]
        rows = {journal.id_of(number, each): each for answer in answers for each in answer.own}
        if rows:
            yield f"\n## {number + 1}. {_safe(case.name)}\n\n{_told(case)}\n"
        # An id does not reveal its source, so neither does the order of ids.
        yield from (f"- [ ] `{each}` {_row(rows[each])}" for each in sorted(rows))


def read_grades(text: str, journal: EvalJournal, name: str) -> dict[str, str | None]:
    """Read the grades of a sheet, by id. None for an empty box. Errors give `name` and line."""
    known = {journal.id_of(answer.case, each) for answer in journal.answers for each in answer.own}
    grades: dict[str, str | None] = {}
    for number, line in enumerate(text.splitlines(), 1):
        found = _ROW.match(line)
        if found is None:
            continue
        place, box, id_ = f"{visible(name)}:{number}", _BOX.fullmatch(found[1].strip()), found[2]
        if id_ not in known:
            raise RequestError("bad_request", place, f"the journal has no suggestion {id_}")
        if id_ in grades:
            raise RequestError("bad_request", place, f"{id_} has a line already")
        if box is None:
            message = "this is not a grade in a box, such as [2]"
            raise RequestError("bad_request", place, message, (f"[{grade}]" for grade in GRADES))
        grades[id_] = box[1] or None
    if not grades:
        raise RequestError("bad_request", visible(name), "this is not a grade sheet: it has no suggestions to grade")
    return grades


def _told(case: Case) -> str:
    action, scene = case.request.action, case.request.scene
    deed = plain(action.type)
    return _safe(f"Tried by {action.actor}: {action.intent or deed} ({deed}, {plain(case.outcome)}). {scene.summary}")


def _row(suggestion: Suggestion) -> str:
    parts = (plain(suggestion.slot), plain(suggestion.form), suggestion.to)
    what = ", ".join(dict.fromkeys(each for each in parts if each))
    name = f" **{_safe(suggestion.name)}**" if suggestion.name else ""
    return f"{_safe(what)}:{name} {_safe(suggestion.detail)}"


def _safe(text: str) -> str:
    return escaped(visible(text)).strip()
