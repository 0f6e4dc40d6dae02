"""What is shipped: the data files beside the code, in the source tree and in a wheel, and what the code needs."""

import ast
import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

import narrator
from narrator.resources import prompt_part, shipped

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def tree(name: str) -> list[Path]:
    """The files of a folder of the source tree."""
    return [path for path in (ROOT / name).rglob("*") if path.is_file() and path.suffix != ".pyc"]


def test_prompts_and_examples_are_the_source_trees() -> None:
    """In a checkout, installed editable, the pages and examples read are those that one edits, not a stale copy."""
    for name in ("prompts", "examples"):
        for path in tree(name):
            if path.parent == ROOT / name:
                assert str(path) == str(shipped(name, path.name))
    assert (ROOT / "prompts" / "system.md").read_text("utf-8").strip().endswith(f"\n{prompt_part('system').text}")


def test_version_is_told_once() -> None:
    """What the package says of its version is what it is installed as."""
    assert metadata.version("fate-narrator") == narrator.__version__


def test_the_changelog_begins_with_this_version() -> None:
    """Whoever makes a release has written what is new in it."""
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)

    assert newest is not None
    assert newest[1] == narrator.__version__


def test_what_is_imported_is_declared() -> None:
    """Every library that the code imports stands among the dependencies, of the package or of an extra."""
    declared = {
        re.split(r"[^\w-]", requirement)[0].replace("_", "-").casefold()
        for group in (PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
        for requirement in group
    }
    distributions = metadata.packages_distributions()
    missing = set()
    for path in (ROOT / "narrator").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
            for top in {name.split(".")[0] for name in names} - sys.stdlib_module_names - {"narrator"}:
                owners = {owner.replace("_", "-").casefold() for owner in distributions.get(top, [top])}
                # pydantic pins its core and hands it on
                if not owners & declared and top != "pydantic_core":
                    missing.add((path.relative_to(ROOT).as_posix(), top))
    assert not missing, f"pyproject.toml has no dependency for what is imported: {sorted(missing)}"


def test_the_command_is_declared() -> None:
    """`narrator` is a command, and what it names is there."""
    (entry,) = [each for each in metadata.entry_points(group="console_scripts") if each.name == "narrator"]
    assert callable(entry.load())


def _run(*command: str | Path, cwd: Path, timeout: float = 300.0) -> str:
    ran = subprocess.run(command, cwd=cwd, capture_output=True, timeout=timeout, check=False, env=_environment())
    assert ran.returncode == 0, ran.stderr.decode()
    return ran.stdout.decode()


def _environment() -> dict[str, str]:
    left_out = ("PYTHONPATH", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if name not in left_out} | {
        "COLUMNS": "80",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a release: that which `make release` has just built, or one built in the same way."""
    if built := os.environ.get("NARRATOR_RELEASE"):
        return ROOT / built
    folder = tmp_path_factory.mktemp("release")
    _run(sys.executable, "-m", "build", "--quiet", "--outdir", folder, ROOT, cwd=folder)
    return folder


@pytest.mark.full
def test_the_wheel_holds_code_and_data_and_nothing_else(release: Path) -> None:
    """Every module, prompt, example, ruleset, card and lexicon is inside; no test, no cache, nothing at the top."""
    (wheel,) = release.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        names = {name for name in opened.namelist() if ".dist-info/" not in name}
    beside = {
        f"narrator/{path.relative_to(ROOT).as_posix()}" for name in ("prompts", "examples") for path in tree(name)
    }
    wanted = beside | {path.relative_to(ROOT).as_posix() for path in tree("narrator")}
    assert not wanted - names, f"pyproject.toml leaves this out of the wheel: {sorted(wanted - names)}"
    assert not names - wanted, f"pyproject.toml puts this into the wheel: {sorted(names - wanted)}"


@pytest.mark.full
@pytest.mark.parametrize("ending", ["*.whl", "*.tar.gz"])
def test_a_release_works_from_an_empty_folder(
    ending: str, release: Path, tmp_path: Path, golden: Callable[[str, str], None]
) -> None:
    """Wheel or sdist, installed into a fresh environment with the pinned versions: the demo runs, with its own data."""
    (package,) = release.glob(ending)
    environment, empty = tmp_path / "environment", tmp_path / "empty"
    empty.mkdir()
    venv.create(environment, with_pip=True)
    python = environment / "bin" / "python"
    constraints = ROOT / "constraints.txt"
    _run(python, "-m", "pip", "install", "--quiet", "--constraint", constraints, package, cwd=empty)
    golden("demo.txt", _run(environment / "bin" / "narrator", "demo", cwd=empty))
    places = "narrator.__file__, shipped('prompts', 'system.md')"
    program = f"import narrator; from narrator.resources import shipped; print({places}, sep='\\n')"
    where = _run(python, "-c", program, cwd=empty).splitlines()
    assert [Path(line).is_relative_to(environment) for line in where] == [True, True]
    every = "import narrator\nfor name in narrator.__all__: getattr(narrator, name)\nprint(*narrator.rulesets())"
    assert list(narrator.rulesets()) == _run(python, "-c", every, cwd=empty).split()
    _run(python, "-m", "pip", "check", cwd=empty)
