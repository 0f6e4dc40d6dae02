"""The process of the command line: answers macros directly, and passes everything else to the commands."""

import gc
import json
import os
import sys
from io import TextIOWrapper


def main() -> None:
    """Run the command line. A refused request ends it with 1, wrong usage with 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Print a question mark for a letter that the terminal lacks, rather than no page.
            stream.reconfigure(errors="replace")
    try:
        try:
            _run(sys.argv[1:])
        finally:
            print(end="", flush=True)
    except OSError as error:
        # The rest of the output has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            print(f"narrator: standard output: {error.strerror}", file=sys.stderr)
        sys.exit(1)


def _run(words: list[str]) -> None:
    if words[:1] == ["vtt"] and len(words) <= 2 and all(word == "-" or not word.startswith("-") for word in words):
        # Each macro starts a process, so don't load help and colours. With options, `vtt` is like any other command.
        # The process ends soon, so there is nothing to collect.
        gc.disable()
        sys.exit(answer_macro(*words[1:]))
    from narrator.cli.commands import app

    app()


def answer_macro(file: str = "-") -> int:
    """Print the answer to a macro's payload as JSON, and return the exit code."""
    from narrator import vtt
    from narrator.cli.inputs import read_text
    from narrator.cli.usage import UsageError
    from narrator.errors import NarratorError, RequestError

    try:
        result = vtt.run(read_text(file))
    except UsageError as error:
        # A program reads the output, so errors are JSON too.
        result = RequestError("bad_request", "", error.message).as_json()
    except NarratorError as error:
        result = error.as_json()
    print(json.dumps(result))
    return 1 if "error" in result else 0
