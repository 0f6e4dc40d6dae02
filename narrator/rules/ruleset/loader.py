"""Reads rulesets from TOML and combines each with what it extends."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from narrator.errors import RequestError, quoted
from narrator.rules.ruleset import soundness
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.ruleset.ruleset_file import Origins, RulesetFile, Written
from narrator.rules.toml_file import read_toml
from narrator.rules.typo import meant


def packaged() -> tuple[str, ...]:
    """Return the names of the rulesets that come with narrator."""
    return tuple(name for name in packaged_files() if is_packaged(name))


def is_packaged(name: str) -> bool:
    """Whether a ruleset of this name comes with narrator."""
    return name in packaged_files() and any(each.file.rows for each in lineage(packaged_file(name)))


@cache
def packaged_ruleset(name: str) -> Ruleset:
    """Load a packaged ruleset, or raise `unknown_ruleset` with the known names."""
    if not is_packaged(name):
        raise RequestError("unknown_ruleset", "ruleset", f"there is no ruleset {quoted(name)}", packaged())
    return assemble(packaged_file(name))


@cache
def packaged_files() -> Mapping[str, Traversable]:
    """Map the names of packaged rulesets to their files, including those that exist only to be extended."""
    found = sorted((files("narrator.rules") / "rulesets").iterdir(), key=lambda each: each.name)
    return {each.name.removesuffix(".toml"): each for each in found if each.name.endswith(".toml")}


@cache
def packaged_file(name: str) -> Written:
    """Read the packaged file of this name."""
    file = packaged_files()[name]
    return parse(file.read_text("utf-8"), file.name)


def parse(text: str, place: str) -> Written:
    """Read the text of one ruleset file, or raise `bad_ruleset`; `place` names it in messages."""
    return Written(read_toml(RulesetFile, text, place, "bad_ruleset"), text, place)


def assemble(written: Written, beside: Mapping[str, Written] = {}) -> Ruleset:
    """Build a complete ruleset from a file and all that it extends, or raise `bad_ruleset` with file and line.

    Args:
        beside: Files that it may extend besides the packaged ones, by name.
    """
    files_of_it = lineage(written, beside)
    laid = RulesetFile(name="nothing", title="nothing")
    for each in files_of_it:
        soundness.check_file(each, laid)
        laid = each.file.over(laid)
    required = (name for name, field in Ruleset.model_fields.items() if field.is_required())
    if missing := [name for name in required if getattr(laid, name) is None]:
        written.refuse(f'{", ".join(missing)} missing: add extends = "common"', "name")
    whole = Ruleset.model_construct(**{name: value for name, value in laid if value is not None})
    soundness.check(whole, Origins(files_of_it))
    return whole


def lineage(written: Written, beside: Mapping[str, Written] = {}) -> tuple[Written, ...]:
    """List a file and all that it extends, with the file itself last."""
    line: tuple[Written, ...] = (written,)
    known = {*packaged_files(), *beside}
    while (above := line[0].file.extends) is not None:
        if above == line[0].file.name:
            line[0].refuse(f"extends {quoted(above)}, which is its own name: give it another name", "extends")
        if above not in known:
            hint = f"{meant(above, known)}; known: {', '.join(sorted(known))}"
            line[0].refuse(f"extends {quoted(above)}, which is not a known ruleset{hint}", "extends")
        if above in [each.file.name for each in line]:
            line[0].refuse(f"extends {quoted(above)}, which extends this file in turn", "extends")
        line = (beside[above] if above in beside else packaged_file(above), *line)
    return line
