"""The fixtures `engine` and `small_engine`: the base URLs of real servers, each started once for all tests."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.engine.running import REQUIRED, SMALL_CONTEXT, SMALL_MODEL, NoEngineError, random_model, running, small_model
from tests.sources.asking import close_all

# Read when this is imported: while tests run, nothing of ours is left in the environment.
IS_REQUIRED = os.environ.get(REQUIRED) == "1"


@pytest.fixture(autouse=True, scope="module")
def _small_is_known(small: None) -> None:
    """Every request here is of the tests' own ruleset."""


@pytest.fixture(autouse=True)
def _sources_are_closed() -> Iterator[None]:
    """Let go of what a test's sources have kept."""
    yield
    close_all()


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a random model; where there is no engine, skip with the reason, or fail if it is required."""
    folder = tmp_path_factory.mktemp("engine")
    with _or_skip(), running(folder, random_model(folder)) as base_url:
        yield base_url


@pytest.fixture(scope="session")
def small_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The same with a small model that has learnt something."""
    folder = tmp_path_factory.mktemp("small")
    with _or_skip(), running(folder, small_model(), SMALL_MODEL, SMALL_CONTEXT) as base_url:
        yield base_url


@contextmanager
def _or_skip() -> Iterator[None]:
    try:
        yield
    except NoEngineError as error:
        if IS_REQUIRED:
            raise
        pytest.skip(f"no engine: {error}")
