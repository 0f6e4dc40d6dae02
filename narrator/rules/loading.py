"""Reads rulesets from TOML, and lays each over what it extends."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from narrator.errors import NarratorError, quoted
from narrator.rules import soundness
from narrator.rules.near import meant
from narrator.rules.origins import Origins, Written
from narrator.rules.ruleset import Ruleset
from narrator.rules.ruleset_file import RulesetFile
from narrator.rules.toml_file import read_toml

_NOTHING = RulesetFile(name="nothing", title="nothing")


def packaged() -> tuple[str, ...]:
    """
    Name the rulesets that come with narrator.
    """
    return tuple(sorted(name for name, written in packaged_files().items() if written.file.rows))


@cache
def packaged_ruleset(name: str) -> Ruleset:
    """
    Load a packaged ruleset.

    Raises:
        NarratorError: `unknown_ruleset` where there is none of this name.
    """
    if name not in packaged():
        raise NarratorError("unknown_ruleset", "ruleset", f"there is no ruleset {quoted(name)}", packaged())
    return assemble(packaged_files()[name], packaged_files())


@cache
def packaged_files() -> Mapping[str, Written]:
    """
    Read the files that come with narrator, those too that are only there to be extended.
    """
    folder = files("narrator.rules") / "rulesets"
    found = (parse(file.read_text("utf-8"), file.name) for file in folder.iterdir() if file.name.endswith(".toml"))
    return {written.file.name: written for written in found}


def parse(text: str, place: str) -> Written:
    """
    Read the text of one ruleset file; `place` names it in messages.

    Raises:
        NarratorError: `bad_ruleset` with the file and the line.
    """
    return Written(read_toml(RulesetFile, text, place, "bad_ruleset"), text, place)


def assemble(written: Written, known: Mapping[str, Written]) -> Ruleset:
    """
    Make a whole ruleset of a file and all that it extends, and check it.

    Raises:
        NarratorError: `bad_ruleset` for a row that is missing or there twice, a form or slot that is not
            known, or files that extend each other in a ring; with the file and the line.
    """
    lineage = _lineage(written, known)
    laid = _NOTHING
    for each in lineage:
        soundness.check_file(each, laid)
        laid = each.file.over(laid)
    if laid.sheet is None or laid.teamwork is None:
        written.refuse('there is no sheet and teamwork: extends = "common" brings them', "name")
    whole = Ruleset.model_construct(**{name: value for name, value in laid if value is not None})
    soundness.check(whole, Origins(lineage))
    return whole


def _lineage(written: Written, known: Mapping[str, Written]) -> tuple[Written, ...]:
    """
    List a file and all that it extends, the last of these first.
    """
    line: tuple[Written, ...] = (written,)
    while (above := line[0].file.extends) is not None:
        if above == line[0].file.name:
            line[0].refuse(f"extends {quoted(above)}, which is its own name: give it another", "extends")
        if above not in known:
            names = ", ".join(sorted(known))
            hint = meant(above, known)
            line[0].refuse(f"extends {quoted(above)}, which is not known{hint}; there is: {names}", "extends")
        if above in [each.file.name for each in line]:
            line[0].refuse(f"extends {quoted(above)}, which extends it in turn", "extends")
        line = (known[above], *line)
    return line
