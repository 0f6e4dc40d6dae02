"""The exact object, for programs."""

import json
from typing import TextIO

from narrator.render.view import Answered

FOR_PROGRAMS = True


def write(answered: Answered, out: TextIO) -> None:
    """Write the object on one line, in ASCII."""
    print(json.dumps(answered.result.as_json()), file=out)
