"""Reads rulesets from TOML, and lays each over what it extends."""

from collections.abc import Iterator, Mapping
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
    """Name the rulesets that come with narrator."""
    return tuple(name for name in packaged_files() if is_packaged(name))


def is_packaged(name: str) -> bool:
    """Whether a ruleset of this name comes with narrator."""
    return name in packaged_files() and bool(packaged_files()[name].file.rows)


@cache
def packaged_ruleset(name: str) -> Ruleset:
    """Load a packaged ruleset.

    Raises:
        NarratorError: `unknown_ruleset` where there is none of this name.
    """
    if not is_packaged(name):
        raise NarratorError("unknown_ruleset", "ruleset", f"there is no ruleset {quoted(name)}", packaged())
    return assemble(packaged_files()[name], packaged_files())


class _Packaged(Mapping[str, Written]):
    """The files that come with narrator, each by the name of its ruleset, which it bears: a file is read when it is
    asked for.
    """

    def __init__(self) -> None:
        self._files = {
            file.name.removesuffix(".toml"): file
            for file in sorted((files("narrator.rules") / "rulesets").iterdir(), key=lambda each: each.name)
            if file.name.endswith(".toml")
        }
        self._read: dict[str, Written] = {}

    def __getitem__(self, name: str) -> Written:
        if name not in self._read:
            file = self._files[name]
            self._read[name] = parse(file.read_text("utf-8"), file.name)
        return self._read[name]

    def __contains__(self, name: object) -> bool:
        return name in self._files

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


@cache
def packaged_files() -> Mapping[str, Written]:
    """Find the files that come with narrator, those too that are only there to be extended."""
    return _Packaged()


def parse(text: str, place: str) -> Written:
    """Read the text of one ruleset file; `place` names it in messages.

    Raises:
        NarratorError: `bad_ruleset` with the file and the line.
    """
    return Written(read_toml(RulesetFile, text, place, "bad_ruleset"), text, place)


def assemble(written: Written, known: Mapping[str, Written]) -> Ruleset:
    """Make a whole ruleset of a file and all that it extends, and check it.

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
    """List a file and all that it extends, the last of these first."""
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
