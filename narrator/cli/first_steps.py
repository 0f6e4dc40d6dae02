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
    return _STEPS.format(program())


def program() -> str:
    """Return what to type for narrator: its name, or the path in this folder by which it was started."""
    typed = PurePath(sys.argv[0])
    return str(typed) if len(typed.parts) > 1 and not typed.is_absolute() else "narrator"
