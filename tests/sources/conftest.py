"""The fixture `engine`: the base URL of a real server with a random model, started once for all tests."""

import os
from collections.abc import Iterator

import pytest

from tests.engine.running import NoEngineError, is_required, running

# Read when this is imported: while tests run, nothing of ours is left in the environment.
REQUIRED = is_required(os.environ)


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker of tests that need the engine."""
    config.addinivalue_line("markers", "engine: asks the local engine (extra: engine); skipped where there is none")


@pytest.fixture(autouse=True, scope="module")
def _small_is_known(small: None) -> None:
    """Every request here is of the tests' own ruleset."""


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start the engine; where there is none, skip with the reason, or fail if it is required."""
    try:
        with running(tmp_path_factory.mktemp("engine")) as base_url:
            yield base_url
    except NoEngineError as error:
        if REQUIRED:
            raise
        pytest.skip(f"no engine: {error}")
