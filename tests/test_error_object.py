"""The exception as an object: it can be copied, and sent to another process."""

import copy
import pickle
from collections.abc import Callable

import pytest

from narrator import NarratorError

ERRORS = {
    "no list": NarratorError("bad_request", "", "this is not JSON"),
    "empty list": NarratorError("unknown_aspect", "action.aspect", "'Bridge' is not in play", []),
    "list": NarratorError("unknown_zone", "action.path.0", "there is no such zone", iter(("Yard", "Gate"))),
}


def _sent(error: NarratorError) -> NarratorError:
    received: NarratorError = pickle.loads(pickle.dumps(error))
    return received


@pytest.mark.parametrize("error", ERRORS.values(), ids=ERRORS)
@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, _sent], ids=["copy", "deepcopy", "pickle"])
def test_a_copy_tells_the_same(way: Callable[[NarratorError], NarratorError], error: NarratorError) -> None:
    """A copy, of whichever kind, has the code, field, message, list, text and JSON of the original."""
    same = way(error)

    assert type(same) is NarratorError
    assert same is not error
    assert (same.code, same.field, same.message) == (error.code, error.field, error.message)
    assert (same.allowed, str(same), same.as_json()) == (error.allowed, str(error), error.as_json())


def test_the_text_tells_all() -> None:
    """The text names the code, the field where there is one, and what would have been accepted."""
    assert [str(error) for error in ERRORS.values()] == [
        "bad_request: this is not JSON",
        "unknown_aspect: action.aspect: 'Bridge' is not in play",
        "unknown_zone: action.path.0: there is no such zone (allowed: Yard, Gate)",
    ]
