"""What holds for every test of evaluations."""

import pytest


@pytest.fixture(autouse=True, scope="module")
def _small_is_known(small: None) -> None:
    """Every request here is of the tests' own ruleset."""
