"""Pages as a game master reads them, and the objects that `--json` gives in their place."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from narrator.rules.ruleset.loader import packaged
from tests.interfaces.running import HARBOUR, page, run
from tests.interfaces.test_one_liner import BRIBE

PAGES = {
    "resolve-tie": ("resolve", *BRIBE, "--dice", "+ 0 0 0"),
    "resolve-fail-coppermane": ("resolve", *BRIBE, "--total", "1", "--ruleset", "coppermane"),
    "resolve-attack": ("resolve", "attack", "--actor", "Rolf", "--target", "Pirate", "--against", "1", "--total", "4"),
    "resolve-file": ("resolve", "examples/cynere.json"),
    "odds-passive": ("odds", "overcome", "--actor", "Cynere", "--skill", "Resources=1", "--against", "2"),
    "odds-file": ("odds", "examples/cynere.json"),
    "reach-file": ("reach", "examples/cynere.json"),
    "table-overcome": ("table", "overcome"),
    "table-create-coppermane": ("table", "create_advantage", "--ruleset", "coppermane"),
    "table-attack-war-of-ashes": ("table", "attack", "--ruleset", "war-of-ashes"),
    "table-parley": ("table", "parley", "--ruleset", "examples/harbour-nights.toml"),
}


@pytest.mark.parametrize("page", PAGES)
def test_a_page_looks_as_it_did(page: str, golden: Callable[[str, str], None]) -> None:
    """At 80 columns, to the letter: `tests/golden/` holds each page as a person has read and approved it."""
    ended = run(*PAGES[page])

    assert (ended.code, ended.err) == (0, "")
    golden(f"{page}.txt", ended.out)
    assert [line for line in ended.out.splitlines() if len(line) > 80 or line != line.rstrip()] == []


def test_the_page_of_the_rulesets_tells_of_each(golden: Callable[[str, str], None]) -> None:
    """In their order; what it says of two of them a person has read."""
    told = {part.split()[0]: part for part in re.split(r"\n(?=\S)", run("rulesets").out.rstrip("\n"))}

    assert tuple(told) == packaged()
    golden("rulesets.txt", f"{told['coppermane']}\n{told['five-actions']}\n")


USES = [
    "suggest examples/cynere.json --ruleset harbour-nights",
    "resolve parley --ruleset harbour-nights --total 3",
    "table parley --ruleset harbour-nights",
    "rulesets",
]


@pytest.mark.parametrize("typed", USES)
def test_a_house_ruleset_is_read_once_for_a_command(
    typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever of it the call and its page then want."""
    (tmp_path / "rulesets").mkdir()
    shutil.copy(HARBOUR, tmp_path / "rulesets")
    monkeypatch.setenv("NARRATOR_CONFIG", str(tmp_path))
    read: list[str] = []
    opened = Path.open

    def counted(path: Path, *args: Any, **more: Any) -> Any:
        read.append(path.name)
        return opened(path, *args, **more)

    monkeypatch.setattr(Path, "open", counted)

    assert run(*typed.split()).code == 0
    assert read.count(HARBOUR.name) == 1


HEADED = {
    "create_advantage --variant existing_aspect --aspect Fog": "Create advantage, existing aspect, Quick",
    "overcome --maneuver full_attack": "Overcome, full attack, Quick",
}


@pytest.mark.parametrize("typed", HEADED)
def test_every_page_of_an_action_is_headed_by_what_was_typed_of_it(typed: str) -> None:
    """Its variant and its maneuver too, whether it is rolled or only counted."""
    words = f"{typed} --ruleset war-of-ashes --actor Iva --skill Quick=2 --against 1".split()

    for call in ("odds", "resolve", "suggest"):
        assert page(call, *words).startswith(f"IVA   {HEADED[typed]}")
