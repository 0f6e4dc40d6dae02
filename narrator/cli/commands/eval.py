"""The command `eval`: puts requests to sources side by side, and shows what each made of them."""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, cast

import anyio
from rich.console import Console
from rich.text import Text
from typer import Argument, Option

from narrator import config
from narrator.api.occasion import WordRequest
from narrator.cli.inputs import any_json_of, read_text
from narrator.cli.long_run import free, going_on, stoppable
from narrator.cli.option_groups import call_options, given_options
from narrator.cli.options import Format, ServerOptions, TypedTerms
from narrator.cli.output import refusals
from narrator.cli.save_file import payload_in
from narrator.cli.usage import UsageError
from narrator.cli.word_source import settings_of
from narrator.deck.staged import StagedCards
from narrator.errors import NarratorError, RequestError, visible
from narrator.evaluation.cases import Question, open_journal
from narrator.evaluation.grade_sheet import grade_sheet as sheet_of, read_grades
from narrator.evaluation.report import report, report_view
from narrator.evaluation.run import Asked, run
from narrator.files.atomic import create, locked
from narrator.files.eval_journal import EvalJournal, Terms
from narrator.render import surfaces
from narrator.render.view import Answered
from narrator.rules.json_text import Json, parsed
from narrator.rules.request.action import Request
from narrator.rules.resolve.without_roll import request_for
from narrator.sources.selection import source_of
from narrator.sources.settings import Settings
from narrator.suggestions.prompt.brief import MANNERS
from narrator.suggestions.source.protocol import DECK

JOURNAL = "narrator-eval.jsonl"

_MOST = 50_000_000
"""Bytes of a sheet, and of a file of requests."""

_NAMED = re.compile(rf"((?P<manner>{'|'.join(MANNERS)}):)?(?P<model>.*?)((?<=.)@(?P<address>\w+://.*))?", re.DOTALL)
"""A model, which may have an @ of its own, with an address behind it."""

Files = Annotated[
    list[str] | None,
    Argument(
        metavar="FILE...", help="Requests: a JSON file with one or a list, a .jsonl file with one a line, or a folder."
    ),
]
Models = Annotated[
    list[str] | None,
    Option(
        metavar="NAME",
        help="What to compare: `deck`, `deck:FILE`, `stage:FILE`, MODEL, MODEL@ADDRESS or one_by_one:MODEL. Repeat it. "
        "By default `deck`, and the model of the environment.",
    ),
]
Out = Annotated[
    str, Option(metavar="FILE", help="The file that keeps the answers. If you stop, the same command continues.")
]
Jobs = Annotated[int, Option(min=1, max=64, help="The number of requests to send at the same time.")]
SheetFile = Annotated[
    str | None, Option(metavar="FILE", help="Write a sheet for grading here. It doesn't name the sources.")
]
GradesFile = Annotated[str | None, Option(metavar="FILE", help="Add up the grades on this sheet. No model is asked.")]


def command(
    how: Format,
    terms: TypedTerms,
    files: Files = None,
    model: Models = None,
    out: Out = JOURNAL,
    jobs: Jobs = 1,
    sheet: SheetFile = None,
    grades: GradesFile = None,
) -> None:
    """Ask whom a journal has no answer of yet, or add up grades."""
    if bool(files) == (grades is not None):
        raise UsageError("give FILEs with requests, or --grades with a sheet")
    if grades is not None and (model or sheet or given_options(terms)):
        raise UsageError("--grades only reads the file of --out, and asks no model: leave out the other options")
    with refusals(how, terms):
        if grades is not None:
            journal = EvalJournal(Path(out))
            text = read_text(grades, _MOST).decode("utf-8", "replace")
            _write(journal, how, read_grades(text, journal, grades))
            return
        to_grade = free(sheet, "--sheet") if sheet is not None else None
        journal = _run(files or (), model or (), out, jobs, Terms.read(call_options(terms)))
        _write(journal, how)
        if to_grade is not None:
            _write_sheet(journal, to_grade)


def _run(files: Sequence[str], models: Sequence[str], out: str, jobs: int, terms: Terms) -> EvalJournal:
    """Ask for what the journal has no answer for yet, and show how far that is."""
    questions, sources = _questions(files), _sources(models)
    with locked(out, patience=0):
        journal = open_journal(Path(out), questions, tuple(sources), terms)

        def made() -> str:
            wanted = len(journal.head.cases) * len(journal.head.sources)
            return f"{len(journal.answers):,} of {wanted:,} answers"

        def kept() -> str:
            return going_on(f"{made()} are kept in {out}")

        with stoppable(kept), Console(stderr=True).status("") as status:

            def tell() -> None:
                status.update(Text(f"{made()}, kept in {visible(out)} ..."))

            tell()
            if journal.left:
                anyio.run(partial(run, journal, questions, sources, jobs=jobs, tell=tell))
    return journal


def _write_sheet(journal: EvalJournal, path: Path) -> None:
    try:
        # Never over one that is there: it may be half graded.
        create(path, "".join(f"{line}\n" for line in sheet_of(journal)).encode())
    except NarratorError as error:
        raise RequestError(error.code, "--sheet", f"{error.field}: {error.message}") from None


def _write(journal: EvalJournal, how: Format, grades: dict[str, str | None] | None = None) -> None:
    evaluation = report(journal, grades)
    surfaces.write(how.surface, Answered(evaluation, lambda: tuple(report_view(evaluation))), sys.stdout)


def _questions(files: Sequence[str]) -> list[Question]:
    """Read requests: files with one or with a list of them, `.jsonl` with one a line, folders of `.json` files."""
    found = [_question(given, name) for file in files for name, given in _in(file)]
    if not found:
        raise RequestError("bad_request", "", "there are no requests in what was named")
    return found


def _in(file: str) -> Iterator[tuple[str, object]]:
    """Name what is in a file or a folder, each as it is read, or as a line of text."""
    if os.path.isdir(file):
        for path in sorted(Path(file).glob("*.json")):
            yield from _in(str(path))
        return
    if file.endswith(".jsonl"):
        lines = enumerate(read_text(file, _MOST).splitlines(), 1)
        yield from ((f"{file}:{number}", line) for number, line in lines if line.strip())
        return
    read = any_json_of(file, _MOST)
    if isinstance(read, list):
        yield from ((f"{file}:{number}", each) for number, each in enumerate(read, 1))
    else:
        yield file, read


def _question(given: object, name: str) -> Question:
    """Read a request; of what is wrong with it, its file and its place there are told."""
    try:
        read = parsed(given) if isinstance(given, bytes) else given
        if not isinstance(read, dict):
            raise RequestError("bad_request", "", "this must be an object")
        if "kind" in (words := read.get("request", read)):
            wanted = WordRequest.read(words, "request")
            return Question(name, request_for(**dict(wanted)))
        payload, kept = payload_in(read, name, call="suggest")
        rulesets = () if kept.ruleset_file is None else (config.load_ruleset(kept.ruleset_file),)
        return Question(name, Request.read(payload["request"], "request"), rulesets)
    except NarratorError as error:
        place = visible(name)
        at = place if error.field in ("", place) else f"{place}: {error.field}"
        raise RequestError(error.code, at, error.message, error.allowed) from None


def _sources(models: Sequence[str]) -> dict[str, Asked]:
    """Find the sources that were named, each `deck`, a model, or `MODEL@ADDRESS`, with the manner and a colon before it
    where it is to be asked in another; or cards of one's own, `deck:FILE`, or of scenes, `stage:FILE`; where none was,
    the deck and the model of the environment, if it names one.

    Returns:
        Each by the name that it goes by: the model and the host, since an address may carry what is secret, and the
        manner where it is not the usual one.
    """
    usual = () if models else (None, settings_of(ServerOptions(), ""))
    found = dict(map(_of_settings, usual))
    for each in models:
        name, asked = _asked(each)
        if name in found:
            raise RequestError("bad_request", "model", f"{visible(name)} is named twice")
        found[name] = asked
    return found


def _asked(named: str) -> tuple[str, Asked]:
    kind, _, file = named.partition(":")
    if kind == "stage" and file:
        return named, Asked(stages={each["id"]: each for each in map(_staged, _in(file))})
    if kind == DECK and file:
        return named, Asked(decks=(config.load_deck(file),))
    return _of_settings(_settings(named))


def _of_settings(settings: Settings | None) -> tuple[str, Asked]:
    if settings is None:
        return DECK, Asked()
    manner = "" if settings.manner == MANNERS[0] else f"{settings.manner}:"
    return f"{manner}{settings.model}@{settings.host}", Asked(source_of(settings))


def _staged(told: tuple[str, object]) -> Json:
    """Read what `stage` gave, as a file has it."""
    name, given = told
    read = parsed(given) if isinstance(given, bytes) else given
    try:
        StagedCards.read(read if isinstance(read, dict) else {})
    except NarratorError as error:
        raise RequestError(error.code, f"{visible(name)}: {error.field}", error.message) from None
    return cast("Json", read)


def _settings(named: str) -> Settings | None:
    found = _NAMED.fullmatch(named)
    assert found is not None, "any text is"
    if found["address"] is None and re.search(r"@$|@[^@]*:\d", found["model"]):
        message = "an address after @ needs http:// or https://, such as @http://127.0.0.1:11434/v1"
        raise RequestError("bad_request", "--model", message)
    return settings_of(ServerOptions(found["model"], found["address"]), found["manner"] or "")
