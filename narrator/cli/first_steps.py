"""What to type first: shown by `narrator` alone, and at the end of the demo."""

import sys
from pathlib import PurePath

_STEPS = """\
  Run a game:              {0} serve --open
  Play with an assistant:  {0} mcp --help
  Write a macro or a bot:  {0} vtt --help
  See all commands:        {0} --help"""


def first_steps() -> str:
    """Return a line for each way to use narrator."""
    # A path such as .venv/bin/narrator is repeated, since the name alone would not be found there.
    typed = PurePath(sys.argv[0])
    return _STEPS.format(typed if len(typed.parts) > 1 and not typed.is_absolute() else "narrator")
