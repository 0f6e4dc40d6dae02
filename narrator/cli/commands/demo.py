"""The command `demo`: answer two of the examples out of the deck."""

from narrator.api import registry
from narrator.cli.options import Format
from narrator.cli.output import make, write
from narrator.cli.typed_call import TypedCall
from narrator.resources import shipped


def command() -> None:
    for name, call in (("cynere.json", "suggest"), ("refused.json", "check")):
        asked = TypedCall(registry.named_payload(shipped("examples", name).read_text("utf-8"), call=call))
        print(f"$ narrator {call} examples/{name}\n")
        write(make(asked, source="deck"), asked, Format())
        print()
