"""The command `demo`: answers two of the examples with cards of the deck, and says what to do next."""

from narrator.api import registry
from narrator.cli.first_steps import first_steps, program
from narrator.cli.options import Format
from narrator.cli.output import make, write
from narrator.cli.typed_call import TypedCall
from narrator.resources import shipped


def command() -> None:
    for name, call, about in (
        ("cynere.json", "suggest", "A failed roll, and three costs to choose from:"),
        ("refused.json", "check", "A boost, suggested for the same failed roll. The rules don't allow it:"),
    ):
        print(f"{about}\n")
        asked = TypedCall(registry.named_payload(shipped("examples", name).read_text("utf-8"), call=call))
        print(f"$ {program()} {call} examples/{name}\n")
        write(make(asked, source="deck"), asked, Format())
        print()
    print("What to do next:\n")
    print(first_steps())
