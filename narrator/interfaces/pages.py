"""Which page shows which answer on the terminal."""

from collections import Counter

from rich.console import Console

from narrator.render import terminal
from narrator.rules.action import Request
from narrator.rules.model import Model
from narrator.rules.resolution import Resolution
from narrator.suggestions.answer import Answer
from narrator.validation.checking import Verdict
from narrator.vtt import Call


def console() -> Console:
    """
    Return a console for pages: in colour on a terminal, plain elsewhere.
    """
    return terminal.page_console(Console(highlight=False, markup=False, emoji=False))


def show(console: Console, result: Model, call: Call) -> None:
    """
    Print the page of what a call gave.
    """
    match result:
        case Answer():
            request = Request.read(call.request)
            terminal.print_roll(console, request, result.resolution)
            terminal.print_branches(console, result.resolution, result.suggestions)
            console.print()
            terminal.print_notices(console, (*result.resolution.notices, *result.notices))
            console.print(_credit(result), style="dim")
        case Resolution():
            terminal.print_roll(console, Request.read(call.request), result)
            terminal.print_branches(console, result, ())
            terminal.print_notices(console, result.notices)
        case Verdict(rejected=None, accepted=accepted) if accepted is not None:
            console.print("ACCEPTED", style="bold green")
            terminal.print_suggestion(console, accepted)
        case Verdict(rejected=rejected) if rejected is not None:
            console.print(f"REFUSED: {rejected.code}", style="bold red")
            terminal.print_text(console, rejected.message)


def _credit(answer: Answer) -> str:
    """
    Say whose words these are, and what was spent on them.
    """
    usage = answer.usage
    by = Counter(suggestion.source for suggestion in answer.suggestions)
    words = (
        ", ".join(f"{source} ({number})" if len(by) > 1 else source for source, number in by.items()) or "none wanted"
    )
    refused = Counter(rejection.code for rejection in answer.rejected)
    told = f"; refused: {', '.join(f'{number} {code}' for code, number in refused.items())}" if refused else ""
    if not usage.calls:
        return f"words: {words}, nothing was sent{told}"
    calls = f"{usage.calls} call{'s' if usage.calls != 1 else ''}"
    tokens = f"{usage.input_tokens} + {usage.output_tokens} tokens"
    return f"words: {words}; {calls}, {tokens}, {usage.seconds:.1f} s{told}"
