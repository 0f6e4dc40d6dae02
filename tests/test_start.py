"""What a first call in a fresh process loads, and that first calls may come from several threads."""

import subprocess
import sys

import pytest

from tests.leaping import DEADLINE

REQUEST = {"action": {"type": "overcome", "actor": "Cynere", "opposition": {"kind": "passive", "rating": 2}}, "seed": 3}


def said(program: str) -> str:
    """What a program prints in a process of its own."""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=DEADLINE, check=True)
    return ran.stdout


WORDS = ("deck", "house", "render", "sources", "suggestions", "validation")
PROGRAMS = {
    "resolve": (f"narrator.resolve({REQUEST!r})", WORDS, ("asyncio", "platformdirs", "snowballstemmer")),
    "suggest from the deck": (
        f"narrator.suggest({REQUEST!r}, source='deck')",
        ("sources.clients", "sources.reading", "sources.kinds.openai", "sources.langchain", "calls"),
        ("asyncio", "ssl", "http.client", "httpx2", "langchain_core", "openai"),
    ),
    "the help": (
        "import sys; sys.argv = ['narrator', '--help']\ntry: import narrator.__main__\nexcept SystemExit: pass",
        (*WORDS[:2], "sources", "suggestions", "validation", "rules", "api"),
        ("pydantic", "pydantic_core", "tomllib"),
    ),
}
"""By name: a program, and the parts of narrator and the libraries that it has no need of."""

CLOCK = {"narrator.suggestions", "narrator.suggestions.clock"}
"""A few lines that the options of a call stand on, which every payload's model knows."""


@pytest.mark.parametrize(("program", "parts", "libraries"), PROGRAMS.values(), ids=PROGRAMS)
def test_what_a_first_call_does_not_need_is_not_loaded(
    program: str, parts: tuple[str, ...], libraries: tuple[str, ...]
) -> None:
    """Rules want no words, the deck no model, and the help no models of pydantic's."""
    loaded = said(f"import narrator\n{program}\nimport sys; print(*sys.modules)").split()
    needless = {*libraries, *(f"narrator.{part}" for part in parts)}
    found = [module for module in loaded if any(f"{module}.".startswith(f"{each}.") for each in needless)]
    assert [module for module in found if module not in CLOCK] == []
    assert "narrator" in loaded


def test_first_calls_come_from_several_threads_at_once() -> None:
    """A server that answers its first requests side by side answers them alike: models are built when first used."""
    program = f"""
import sys; sys.setswitchinterval(1e-5)
from concurrent.futures import ThreadPoolExecutor
import narrator
with ThreadPoolExecutor(8) as threads:
    found = list(threads.map(lambda _: narrator.resolve({REQUEST!r}).as_json(), range(8)))
print(found == found[:1] * 8)
"""
    assert said(program) == "True\n"
