"""How long a first call takes, in a process each, beside pydantic with one model. `python -m benchmarks.start`.

Measured from the checkout, and from a wheel as a user installs it, in an environment of its own that finds the
libraries of this one. Building the wheel wants pip, and for its build tool the network or what pip has kept of it.
"""

import json
import os
import statistics
import subprocess
import sys
import sysconfig
import time
import venv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from benchmarks._apart import REQUEST

ROUNDS = 15
ROOT = Path(__file__).parents[1]

BARE = "pydantic, one model"
CODE = {
    BARE: "from pydantic import BaseModel\nclass Named(BaseModel):\n    name: str\nNamed(name='Cynere')",
    "resolve": f"import narrator; narrator.resolve({REQUEST!r})",
    "suggest from the deck": f"import narrator; narrator.suggest({REQUEST!r}, source='deck')",
}
"""By name: what a process of Python does."""

COMMANDS = {
    "narrator vtt: resolve": ("vtt", "resolve.json"),
    "narrator vtt: suggest": ("vtt", "suggest.json"),
    "narrator --help": ("--help",),
}
"""By name: the arguments of the command."""

AIMS = {
    "resolve": 1.75,
    "suggest from the deck": 2.7,
    "narrator vtt: resolve": 2.0,
    "narrator vtt: suggest": 3.0,
    "narrator --help": 1.75,
}
"""How many times the first each may take."""


@dataclass(frozen=True)
class Installed:
    """Where narrator is installed: the Python that finds it, and the command. Both are run in a folder of payloads."""

    python: Path
    command: Sequence[str | Path]
    environment: Mapping[str, str]

    def seconds(self, name: str, folder: Path) -> tuple[float, float]:
        """Have a process do what is called so: the seconds that it takes, and those of them that it computes, which a
        busy machine does not change so much.
        """
        command = (self.python, "-c", CODE[name]) if name in CODE else (*self.command, *COMMANDS[name])
        start, before = time.perf_counter(), os.times()
        subprocess.run(command, check=True, cwd=folder, env=self.environment, stdout=subprocess.DEVNULL)  # noqa: S603
        waited, after = time.perf_counter() - start, os.times()
        system = after.children_system - before.children_system
        return waited, after.children_user - before.children_user + system


def main() -> None:
    """Measure in turn, and print a table for each place."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        for call in ("resolve", "suggest"):
            (folder / f"{call}.json").write_text(json.dumps({"call": call, "request": REQUEST}), "utf-8")
        # Settings of one's own would be read, and a model asked.
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("NARRATOR_", "PYTHON"))}
        kept["NARRATOR_CONFIG"] = str(folder / "config")
        python = Path(sys.executable)
        checkout = Installed(python, [python, "-m", "narrator"], kept | {"PYTHONPATH": str(ROOT)})
        places = {"the checkout": checkout}
        try:
            places["a wheel"] = installed(folder, kept)
        except subprocess.CalledProcessError as error:
            print(f"Nothing is measured from a wheel, since none can be built here: {error.stderr.strip()[-300:]}")
        measure(places, folder)


def installed(folder: Path, environment: Mapping[str, str]) -> Installed:
    """Build a wheel, and install it in an environment that has the libraries of this one, but not its narrator.

    Raises:
        subprocess.CalledProcessError: For a machine where it cannot be built.
    """
    place = folder / "installed"
    venv.create(place)
    paths = sysconfig.get_paths("venv", {"base": str(place), "platbase": str(place)})
    python = Path(paths["scripts"]) / Path(sys.executable).name
    # A folder that is named in such a file is searched, but no such file in it is read: ours names the checkout.
    (Path(paths["purelib"]) / "libraries.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    pip: tuple[str | Path, ...] = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    build = (*pip, "wheel", "--no-deps", "--wheel-dir", folder, ROOT)
    install = (*pip, "--python", python, "install", "--no-deps", "--no-index", "--ignore-installed")
    for command in (build, (*install, "--find-links", folder, "fate-narrator")):
        subprocess.run(command, check=True, cwd=folder, env=environment, capture_output=True, text=True)  # noqa: S603
    return Installed(python, [Path(paths["scripts"]) / "narrator"], environment)


def measure(places: Mapping[str, Installed], folder: Path) -> None:
    """Print the table; the first round only writes the bytecode that an installed package has."""
    rows = [(place, name) for place in places for name in (*CODE, *COMMANDS)]
    rounds = [[places[place].seconds(name, folder) for place, name in rows] for _ in range(ROUNDS + 1)][1:]
    taken = dict(zip(rows, zip(*rounds, strict=True), strict=True))
    table = Table("cold, a process each", "from", "median ms", "fastest ms", "times pydantic", "computing", "aim")
    for (place, name), each in taken.items():
        waited, computed = map(statistics.median, zip(*each, strict=True))
        bare_waited, bare_computed = map(statistics.median, zip(*taken[place, BARE], strict=True))
        times = waited / bare_waited
        aim = f"{AIMS[name]:g}: {'reached' if times <= AIMS[name] else 'missed'}" if name in AIMS else ""
        ratios = f"{times:.2f}", f"{computed / bare_computed:.2f}" if bare_computed else "-"
        table.add_row(name, place, f"{waited * 1e3:.0f}", f"{min(each)[0] * 1e3:.0f}", *ratios, aim)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
