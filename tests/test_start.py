"""What a first call in a fresh process loads, and that first calls may come from several threads."""

import subprocess
import sys

import pytest

from tests.leaping import DEADLINE

REQUEST = {"action": {"type": "overcome", "actor": "Cynere", "opposition": {"kind": "passive", "rating": 2}}, "seed": 3}


def said(program: str) -> str:
    """What a program prints in a process of its own."""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


TERMINAL = ("rich", "typer")
HEAVY = (
    *("openai", "httpx2", "langchain_core", "langsmith", "requests", "sqlalchemy", "fastapi", "uvicorn", "starlette"),
    *("vcr", "yaml"),
)
WORDS = ("deck", "config", "render", "sources", "suggestions", "validation")
OF_MODELS = ("sources.http_client", "sources.response", "sources.kinds.openai", "sources.langchain")
PROGRAMS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "import": ("narrator.__version__; dir(narrator)", (), TERMINAL),
    "resolve": (f"narrator.resolve({REQUEST!r})", WORDS, (*TERMINAL, "asyncio", "platformdirs", "snowballstemmer")),
    "check": (f"narrator.check({REQUEST!r}, {{}})", (), TERMINAL),
    "suggest from the deck": (
        f"narrator.suggest({REQUEST!r})",
        (*OF_MODELS, "api.registry"),
        (*TERMINAL, "asyncio", "ssl", "http.client"),
    ),
    "a macro": (f"narrator.vtt.run({{'call': 'suggest', 'request': {REQUEST!r}}})", OF_MODELS, TERMINAL),
    "the command line": ("import narrator.cli.commands", (), ()),
    "the help": (
        "import sys; sys.argv = ['narrator', '--help']\ntry: import narrator.__main__\nexcept SystemExit: pass",
        (*WORDS[:2], "sources", "suggestions", "validation", "rules", "api.call", "api.words"),
        ("pydantic", "pydantic_core", "tomllib"),
    ),
}
"""By name: a program, and the parts of narrator and the libraries that it has no need of, besides the heavy ones."""

CLOCK = {"narrator.suggestions", "narrator.suggestions.time.clock"}
"""A few lines that the options of a call stand on, which every payload's model knows."""


@pytest.mark.parametrize(("program", "parts", "libraries"), PROGRAMS.values(), ids=PROGRAMS)
def test_what_a_first_call_does_not_need_is_not_loaded(
    program: str, parts: tuple[str, ...], libraries: tuple[str, ...]
) -> None:
    """Rules want no words, the deck no model, the help no models of pydantic's, and nobody a library for another's."""
    loaded = {*said(f"import narrator\n{program}\nimport sys; print(*sys.modules)").splitlines()[-1].split()} - CLOCK
    needless = {*HEAVY, *libraries, *(f"narrator.{part}" for part in parts)}
    found = {each for each in needless for module in loaded if f"{module}.".startswith(f"{each}.")}

    assert "narrator" in loaded
    assert not found, f"import this only where it is used (python -X importtime says where it is): {sorted(found)}"


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
