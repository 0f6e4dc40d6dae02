"""The sheet: blind, safe to open, and added up as it was graded."""

import json
import re
from copy import copy
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from narrator.errors import NarratorError
from narrator.evaluation.grade_sheet import grade_sheet, read_grades
from narrator.evaluation.report import report
from narrator.files.eval_journal import EvalJournal
from tests.asking import GUARD, INK
from tests.evaluation.evaluating import Echo, asked, question, questions, ran
from tests.fake_sources import Scripted
from tests.render.test_markdown import READER

BOX = re.compile(r"^- \[ \] `([0-9a-f]{10})` ", re.MULTILINE)


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> EvalJournal:
    """Three sources, four requests: two sources say the same, and the deck puts in what they leave open."""
    sources = {"first-model": Echo("Old"), "second-model": Echo("Old"), "deck": None}
    return ran(tmp_path_factory.mktemp("run") / "j", questions(4), sources)


def written(journal: EvalJournal) -> str:
    """The whole sheet."""
    return "".join(f"{line}\n" for line in grade_sheet(journal))


def graded(text: str, grades: dict[str, str]) -> str:
    """The sheet with the grade of each id in its box."""
    return BOX.sub(lambda row: f"- [{grades[row[1]]}] `{row[1]}` ", text)


def test_nothing_on_a_sheet_tells_who_wrote_what(journal: EvalJournal) -> None:
    """No source is named, and what no source wrote, the deck's filling, stands there as the deck's alone, once."""
    text = written(journal)

    assert [each for each in ("first-model", "second-model", "test:echo", "deck") if each in text] == []
    assert len(BOX.findall(text)) == len({*BOX.findall(text)}) == 4 * (1 + 3)


def test_what_the_deck_put_in_for_a_model_is_not_graded(tmp_path: Path) -> None:
    """Where the deck is no source itself, a sheet has none of its words."""
    text = written(ran(tmp_path / "j", questions(2), {"model": Echo("Old")}))

    assert len(BOX.findall(text)) == text.count("**Old ") == 2


def test_the_order_tells_nothing_of_the_source(tmp_path: Path) -> None:
    """Of two sources that say the same for every request, now the one stands first and now the other."""
    many = 16
    given = [question(asked(number)) for number in range(many)]
    sources = {each["name"]: Scripted(*[[json.dumps([each])], []] * many) for each in (GUARD, INK)}
    text = written(ran(tmp_path / "j", given, sources))
    first = [part.index(GUARD["name"]) < part.index(INK["name"]) for part in text.split("\n## ")[1:]]

    assert 4 <= first.count(True) <= many - 4


def test_an_id_tells_nothing_of_its_source(tmp_path: Path) -> None:
    """The same words by anybody have the same id, and a sheet of another run has others."""
    sources = {"deck": None, "model": Echo("Old")}
    one = ran(tmp_path / "one", questions(2), sources)
    suggestion = one.answers[0].own[0]
    other = ran(tmp_path / "other", questions(3), sources)

    assert one.id_of(0, suggestion) == one.id_of(0, suggestion.model_copy(update={"source": "x", "card": None}))
    assert one.id_of(0, suggestion) != other.id_of(0, suggestion)


def test_a_sheet_is_the_same_each_time(journal: EvalJournal) -> None:
    """It follows from the journal, so that one who lost it has it again."""
    assert written(EvalJournal(journal.path)) == written(journal)


def test_grades_add_up_as_they_were_given(journal: EvalJournal) -> None:
    """Each source has the grades of its own words, whatever order they stand in, and the same words count for both."""
    random = Random(4)
    told = {each: random.choice("210 ") for each in BOX.findall(written(journal))}
    found = report(journal, read_grades(graded(written(journal), told), journal, "g.md"))

    for column in found.columns:
        said = ((each.case, one) for each in journal.answers if each.source == column.source for one in each.own)
        mine = [told[journal.id_of(case, one)] for case, one in said]
        numbers = [int(each) for each in mine if each != " "]
        assert column.graded is not None
        assert column.graded.counts == {grade: mine.count(grade) for grade in "210"}
        assert column.graded.ungraded == mine.count(" ")
        assert column.graded.mean == pytest.approx(sum(numbers) / len(numbers), abs=0.005)
    assert found.columns[0].graded == found.columns[1].graded


def test_nothing_graded_is_told_as_such(journal: EvalJournal) -> None:
    """Empty boxes, and rows that are gone, are not graded, and no grade of 0."""
    rows = written(journal).splitlines()
    found = report(journal, read_grades("\r\n".join(rows[:12]), journal, "g.md")).columns[2].graded

    assert found is not None
    assert (found.counts, found.ungraded, found.mean) == ({"2": 0, "1": 0, "0": 0}, 12, None)


def change(text: str, of: str, to: str) -> tuple[str, int]:
    """The sheet with its second box changed, and the number of that line."""
    second = [each.start() for each in BOX.finditer(text)][1]
    changed = text[:second] + text[second:].replace(of, to, 1)
    return changed, text[:second].count("\n") + 1


@pytest.mark.parametrize("box", ["[3]", "[2.5]", "[x]", "[two]", "[2 1]", "[-1]", "2", "[", "(2)", ""])
def test_what_is_no_grade_is_told_by_its_line(box: str, journal: EvalJournal) -> None:
    """It is never passed over, so that nobody's work is lost."""
    text, line = change(written(journal), "[ ]", box)

    with pytest.raises(NarratorError, match=rf"^bad_request: g\.md:{line}: "):
        read_grades(text, journal, "g.md")


def test_an_unknown_id_and_one_twice_are_told_by_their_line(journal: EvalJournal) -> None:
    """A sheet of another journal, or one pasted together, is not added up."""
    text = written(journal)
    ids = BOX.findall(text)
    for to, why in (("0123456789", "the journal has no suggestion 0123456789"), (ids[0], "has a line already")):
        changed, line = change(text, ids[1], to)
        with pytest.raises(NarratorError, match=rf"g\.md:{line}: .*{why}"):
            read_grades(changed, journal, "g.md")


@pytest.mark.parametrize("text", ["", "# My notes\n\n- [ ] buy dice\n"], ids=["empty", "notes"])
def test_another_file_is_no_sheet(text: str, journal: EvalJournal) -> None:
    """One in which nothing could be graded is refused, and not counted as ungraded."""
    with pytest.raises(NarratorError, match=r"g\.md: "):
        read_grades(text, journal, "g.md")


SIGNS = [
    "`0123456789`", "\n- [2] `0123456789` ", "**", "<img src=x>", "\x1b[31m", "# ", "- ", "1. ", "    ", "[a](b)",
    "\n\n",
]  # fmt: skip
HOSTILE = st.lists(st.sampled_from(SIGNS) | st.text(max_size=5), min_size=1, max_size=6).map("".join)


@given(HOSTILE)
def test_nobodys_words_become_a_row_a_mark_or_a_line(journal: EvalJournal, hostile: str) -> None:
    """Whatever is said of a scene, in a suggestion or in the name of a file: a reader of Markdown finds our marks."""
    case, answer = journal.head.cases[0], journal.answers[0]
    action = case.request.action.model_copy(update={"actor": hostile, "intent": hostile})
    scene = case.request.scene.model_copy(update={"summary": hostile})
    request = case.request.model_copy(update={"action": action, "scene": scene})
    case = case.model_copy(update={"name": hostile, "request": request})
    words = {"to": hostile, "name": hostile, "detail": hostile}
    said = answer.said[0].model_copy(update={"suggestion": answer.own[0].model_copy(update=words)})
    hostile_journal = copy(journal)
    hostile_journal.head = journal.head.model_copy(update={"cases": (case,)})
    hostile_journal.entries = [answer.model_copy(update={"said": (said,)})]
    found = written(hostile_journal)
    tokens = READER.parse(found)
    inner = [part for each in tokens for part in each.children or ()]

    assert len(BOX.findall(found)) == 1
    assert [each.tag for each in tokens if each.type.endswith("_open")] == ["h1", "p", "h2", "p", "ul", "li", "p"]
    codes = [each.content for each in inner if each.tag == "code"]
    assert codes == ["[2]", "narrator eval --grades", *BOX.findall(found)]
    plain = {"text", "text_special", "softbreak", "code_inline", "strong_open", "strong_close"}
    assert {each.type for each in inner} <= plain
    assert "\x1b" not in found
