"""What `make pages` writes, held against what comes out now."""

from difflib import unified_diff

import pytest


def up_to_date(place: str, written: str, now: str) -> None:
    """Fail where what is written there is not what comes out now, with the first difference and what to do."""
    if written == now:
        return
    lines = unified_diff(written.split("\n"), now.split("\n"), place, "what comes out now", n=1, lineterm="")
    first = "\n@@ ".join("\n".join(lines).split("\n@@ ")[:2])
    message = f"{place} is not what comes out now. Where that is right, run `make pages`, and read what it changed."
    pytest.fail(f"{message} The first difference:\n{first}", pytrace=False)
