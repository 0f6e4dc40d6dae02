"""The command `eval`: puts requests to sources side by side, and shows what each made of them."""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from narrator.errors import NarratorError
from narrator.interfaces.options import Format
from narrator.render import surfaces
from narrator.render.plain import visible

if TYPE_CHECKING:
    from narrator.evaluation.journal import Journal

JOURNAL = "narrator-eval.jsonl"

_MOST = 50_000_000
"""Bytes of a sheet."""

Files = Annotated[
    list[str] | None,
    Argument(metavar="FILE...", help="Requests: a JSON file of one or a list, one a line in .jsonl, or a folder."),
]
Models = Annotated[
    list[str] | None,
    Option(
        metavar="NAME",
        help="Ask each: `deck`, MODEL, MODEL@ADDRESS, one_by_one:MODEL. Left out: `deck`, and the environment's model.",
    ),
]
Out = Annotated[str, Option(metavar="FILE", help="Keep each answer here; the same command goes on from it.")]
Jobs = Annotated[int, Option(min=1, max=64, help="Ask so many at once.")]
SheetFile = Annotated[str | None, Option(metavar="FILE", help="Write a sheet for grading, sources unnamed.")]
GradesFile = Annotated[str | None, Option(metavar="FILE", help="Add up the grades on this sheet, and ask nobody.")]


def evaluate(
    how: Format,
    files: Files = None,
    model: Models = None,
    out: Out = JOURNAL,
    jobs: Jobs = 1,
    sheet: SheetFile = None,
    grades: GradesFile = None,
) -> None:
    """Put requests to several sources, and hold what comes side by side."""
    from narrator.evaluation.journal import read_journal
    from narrator.evaluation.sheet import read_grades
    from narrator.interfaces.answering import refusals
    from narrator.interfaces.asked import read_text
    from narrator.interfaces.long_runs import free

    if bool(files) == (grades is not None):
        raise typer.BadParameter("name FILEs of requests, or a sheet with --grades, and not both")
    if grades is not None and (model or sheet):
        raise typer.BadParameter("--grades reads the journal of --out alone: there is nobody to ask")
    with refusals(how):
        if grades is not None:
            journal = read_journal(Path(out))
            text = read_text(grades, _MOST).decode("utf-8", "replace")
            _write(journal, how, read_grades(text, journal, grades))
            return
        to_grade = free(sheet, "--sheet") if sheet is not None else None
        journal = _run(files or (), model or (), out, jobs)
        _write(journal, how)
        if to_grade is not None:
            _write_sheet(journal, to_grade)


def _run(files: Sequence[str], models: Sequence[str], out: str, jobs: int) -> "Journal":
    """Ask for what the journal has no answer for yet, and show how far that is."""
    import anyio
    from rich.console import Console
    from rich.text import Text

    from narrator.evaluation.journal import opened
    from narrator.evaluation.running import run
    from narrator.files import locked
    from narrator.interfaces.compared import questions_of, sources_of
    from narrator.interfaces.long_runs import going_on, stoppable

    questions, sources = questions_of(files), sources_of(models)
    with locked(out, patience=0):
        journal = opened(Path(out), questions, tuple(sources))

        def kept() -> str:
            return going_on(f"{len(journal.answers):,} {_of_all(journal)} are kept in {out}")

        with stoppable(kept), Console(stderr=True).status("") as status:

            def tell() -> None:
                status.update(Text(f"{len(journal.answers):,} {_of_all(journal)}, kept in {visible(out)} ..."))

            tell()
            if journal.left:
                anyio.run(partial(run, journal, questions, sources, jobs=jobs, tell=tell))
    return journal


def _of_all(journal: "Journal") -> str:
    return f"of {len(journal.head.cases) * len(journal.head.sources):,} answers"


def _write_sheet(journal: "Journal", path: Path) -> None:
    from narrator.evaluation.sheet import sheet
    from narrator.files import create

    try:
        # Never over one that is there: it may be half graded.
        create(path, "".join(f"{line}\n" for line in sheet(journal)).encode())
    except NarratorError as error:
        raise NarratorError(error.code, "--sheet", f"{error.field}: {error.message}") from None


def _write(journal: "Journal", how: Format, grades: "dict[str, str | None] | None" = None) -> None:
    from narrator.evaluation.page import page
    from narrator.evaluation.summing import summed
    from narrator.render.lines import Answered

    evaluation = summed(journal, grades)
    surfaces.write(how.surface, Answered(evaluation, lambda: tuple(page(evaluation))), sys.stdout)
