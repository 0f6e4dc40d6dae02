"""The command `demo`."""

from narrator import calls
from narrator.interfaces.answering import made, write
from narrator.interfaces.asked import Asked
from narrator.interfaces.options import Format
from narrator.shipped import shipped


def command() -> None:
    """Answer two of the examples out of the deck."""
    for name, call in (("cynere.json", "suggest"), ("refused.json", "check")):
        asked = Asked(calls.unread(shipped("examples", name).read_text("utf-8"), call=call))
        print(f"$ narrator {call} examples/{name}\n")
        write(made(asked, source="deck"), asked, Format())
        print()
