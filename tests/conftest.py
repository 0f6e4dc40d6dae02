"""What holds for every test: no setting of the machine it runs on counts, and nothing leaves this machine."""

import ipaddress
import os
import socket
import subprocess
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer.main
import typer.testing
from hypothesis import HealthCheck, settings

from narrator import NarratorError
from narrator.rules.ruleset.loader import packaged, packaged_ruleset
from tests import leaping
from tests.asking import CONFIG, Told, blocking, on_a_loop
from tests.generated import up_to_date

OURS = ("NARRATOR_", "OPENAI_")
TERMINAL = ("COLUMNS", "FORCE_COLOR", "LINES", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")


class NoNetworkError(OSError):
    """What the code under test sees where it wants to reach another machine: one that is not connected."""


EXAMPLES, FEW_EXAMPLES = 60, 3
"""How often a property is tried, and how often where it has to be quick."""


@pytest.fixture(scope="session", autouse=True)
def _same_everywhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Take away what the environment says of models and terminals, and look for no config of the user's.

    The time that calls go by is in the hands of tests, and typer builds the commands once, not for every run of one.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(OURS) or name in TERMINAL]:
            patch.delenv(name)
        patch.setenv("NARRATOR_CONFIG", str(tmp_path_factory.mktemp("config")))
        patch.setenv("NARRATOR_DATA", str(tmp_path_factory.mktemp("data")))
        patch.setattr(typer.testing, "_get_command", cache(typer.main.get_command))
        leaping.install(patch)
        yield


@pytest.fixture(scope="module")
def small() -> Iterator[None]:
    """Let a request name the ruleset `small`, as if it were the user's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NARRATOR_CONFIG", str(CONFIG))
        yield


@pytest.fixture(params=[blocking, on_a_loop], ids=["blocking", "async"])
def told(request: pytest.FixtureRequest) -> Told:
    """All events of a call, by the one driver and by the other."""
    way: Told = request.param
    return way


@pytest.fixture(scope="session")
def refused_hosts() -> Iterator[list[str]]:
    """Cut the network: only this machine can be reached; what else was tried stands in the list."""
    refused: list[str] = []

    def check(host: Any) -> None:
        name = host.decode() if isinstance(host, bytes) else host
        if not _is_this_machine(name):
            refused.append(name)
            raise NoNetworkError(f"no network in tests: {name!r}")

    def connecting(connect: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(self: socket.socket, address: Any) -> Any:
            if self.family in (socket.AF_INET, socket.AF_INET6):
                check(address[0])
            return connect(self, address)

        return guarded

    def looking_up(getaddrinfo: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(host: Any, *rest: Any, **more: Any) -> Any:
            check(host)
            return getaddrinfo(host, *rest, **more)

        return guarded

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connecting(socket.socket.connect))
        patch.setattr(socket.socket, "connect_ex", connecting(socket.socket.connect_ex))
        patch.setattr(socket, "getaddrinfo", looking_up(socket.getaddrinfo))
        yield refused


@pytest.fixture(autouse=True)
def _stays_here(request: pytest.FixtureRequest, refused_hosts: list[str]) -> Iterator[None]:
    """Fail a test that wanted to reach another machine, unless it asks for `outside`, which says that it does."""
    refused_hosts.clear()
    yield
    if refused_hosts and "outside" not in request.fixturenames:
        pytest.fail(f"this test wanted to reach {', '.join(refused_hosts)}")


@pytest.fixture
def outside(refused_hosts: list[str]) -> list[str]:
    """Name the hosts that were tried in vain, in a test that tries some on purpose."""
    return refused_hosts


def _is_this_machine(host: str | None) -> bool:
    if host in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the golden files be written anew (`make pages`); the difference is then read in the version control."""
    parser.addoption("--rewrite-golden", action="store_true", help="only write tests/golden/* from what comes out now")
    parser.addoption("--quick", action="store_true", help="try each test with one of its cases, and start no process")


def pytest_configure(config: pytest.Config) -> None:
    """Try properties without a clock, and often enough to meet each row."""
    number = FEW_EXAMPLES if config.getoption("--quick") else EXAMPLES
    patient = [HealthCheck.too_slow, HealthCheck.data_too_large]
    settings.register_profile("ours", max_examples=number, deadline=None, suppress_health_check=patient)
    settings.load_profile("ours")
    if not hasattr(config, "workerinput"):
        _see_that_rulesets_load()


def _see_that_rulesets_load() -> None:
    """Try nothing where a packaged ruleset is refused or has no test of its own: one message, not one of each test."""
    try:
        for name in packaged():
            packaged_ruleset(name)
        import_module("tests.documents")
    except (NarratorError, AssertionError) as error:
        raise pytest.UsageError(str(error)) from error


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Where it has to be quick, give a test one of its cases, from the middle, unless it says `every_case`."""
    every_case = metafunc.parametrize

    def parametrize(names: Any, values: Iterable[Any], *rest: Any, ids: Any = None, **more: Any) -> None:
        every_case(names, _one(values), *rest, ids=_one(ids) if isinstance(ids, Iterable) else ids, **more)

    if metafunc.config.getoption("--quick") and not metafunc.definition.get_closest_marker("every_case"):
        metafunc.parametrize = parametrize  # type: ignore[assignment,method-assign]


def _one(values: Iterable[Any]) -> list[Any]:
    every = list(values)
    return every[len(every) // 2 :][:1]


@pytest.fixture
def often(request: pytest.FixtureRequest) -> Callable[[int], int]:
    """How many of so many a test tries within one case: all, or a fifth where it has to be quick."""
    share = 5 if request.config.getoption("--quick") else 1
    return lambda number: max(1, number // share)


@pytest.fixture(autouse=True)
def _starts_no_process_where_quick(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip a test at the point at which it would start one."""

    start = subprocess.Popen

    def skip(command: Any, *rest: Any, **more: Any) -> Any:
        if command[0] == "uname":  # `platform` asks it, in a thread of the library that asks it
            return start(command, *rest, **more)
        return pytest.skip("starts a process")

    if request.config.getoption("--quick"):
        monkeypatch.setattr(subprocess, "Popen", skip)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where golden files are written, do not even read a test that has none."""
    is_test = collection_path.suffix == ".py" and config.getoption("--rewrite-golden")
    return True if is_test and "golden" not in collection_path.read_text("utf-8") else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where golden files are written, run only the tests that have one."""
    if config.getoption("--rewrite-golden"):
        has_one = [each for each in items if "golden" in getattr(each, "fixturenames", ())]
        items[:] = [each for each in has_one if each.get_closest_marker("full") is None]


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with the file of this name under tests/golden."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--rewrite-golden"):
            path.write_text(text, "utf-8")
        up_to_date(f"tests/golden/{name}", path.read_text("utf-8") if path.exists() else "", text)

    return compare


TOLD = {"corpus": "the check, by the corpus", "taps": "the page, by taps"}
"""What tests tell by `record_property`, each under a heading."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print what tests counted: how well the check judges the corpus, and the taps of the page; where it has to be
    quick, what was tried.
    """
    passed, skipped = (terminalreporter.getreports(each) for each in ("passed", "skipped"))
    told = {title: [text for each in passed for name, text in each.user_properties if name == title] for title in TOLD}
    if config.getoption("--quick"):
        tests = f"tried {len(passed)} tests, each with one of its cases"
        terminalreporter.write_line(f"{tests}; skipped {len(skipped)}, which start a process or take long")
    for title, texts in told.items() if not config.getoption("--quick") else ():
        if texts:
            terminalreporter.section(TOLD[title])
        for text in texts:
            terminalreporter.write_line(f"  {text}")
