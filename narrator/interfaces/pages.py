"""Which page shows which answer on the terminal."""

from collections import Counter
from collections.abc import Iterable

from rich.console import Console

from narrator import api
from narrator.calls import Call, Reaches, TurnOrder, TurnOrderRequest, Violations
from narrator.deck.fitting import OWN_CARD
from narrator.interfaces.asked import Asked
from narrator.render import sheets, terminal
from narrator.rules.action import Request
from narrator.rules.chances import Odds, Reach
from narrator.rules.changes import Settled
from narrator.rules.choice import Suggestion
from narrator.rules.declared import FAIL
from narrator.rules.model import Model
from narrator.rules.resolution import Resolution
from narrator.rules.ruleset import Ruleset
from narrator.rules.scene import Scene
from narrator.rules.table import Table
from narrator.suggestions.answer import Answer
from narrator.suggestions.pipeline import DECK
from narrator.validation.verdict import Verdict


def console() -> Console:
    """
    Return a console for pages: in colour on a terminal, plain elsewhere.
    """
    return terminal.page_console(Console(highlight=False, markup=False, emoji=False))


def show(console: Console, result: Model, asked: Asked) -> None:
    """
    Print the page of what a call gave.
    """
    call, rulesets = asked.call, asked.rulesets
    match result:
        case Answer():
            _show_resolution(console, call, result.resolution, rulesets)
            terminal.print_branches(console, result.resolution, result.suggestions)
            console.print()
            terminal.print_notices(console, (*asked.notes, *result.resolution.notices, *result.notices))
            terminal.show(console, terminal.line((_credit(result), "dim")))
        case Resolution():
            _show_resolution(console, call, result, rulesets)
            terminal.print_branches(console, result, ())
            terminal.print_notices(console, (*asked.notes, *result.notices))
        case Verdict(rejected=None, accepted=accepted) if accepted is not None:
            console.print("ACCEPTED", style="bold green")
            terminal.print_suggestion(console, accepted)
        case Verdict(rejected=rejected) if rejected is not None:
            console.print(f"REFUSED: {rejected.code}", style="bold red")
            terminal.print_text(console, rejected.message)
        case Odds():
            sheets.print_odds(console, Request.read(call.request), result)
            terminal.print_notices(console, asked.notes)
        case Table():
            sheets.print_table(console, result)
        case Violations(violations=found):
            console.print("REFUSED" if found else "ACCEPTED", style="bold red" if found else "bold green")
            for each in found:
                terminal.print_text(console, f"{each.code}: {each.message}")
        case Scene():
            sheets.print_scene(console, result)
        case TurnOrder(turn_order=names):
            turns = TurnOrderRequest.read(call.request)
            sheets.print_turn_order(console, turns.scene, names, (turns.approach, *turns.ties))
        case Settled():
            chosen = [each for each in call.choice.get("suggestions") or [] if isinstance(each, dict)]
            sheets.print_changes(console, result, [(each.get("name") or "", each["detail"]) for each in chosen])
        case Reaches(reach=offers):
            request = Request.read(call.request)
            terminal.print_roll(console, request, api.resolve(request, rulesets=rulesets))
            sheets.print_reach(console, offers)
            if not offers:
                terminal.print_text(console, "Nothing more is in reach.")
            terminal.print_notices(console, asked.notes)
        case _:
            raise TypeError(f"there is no page for {type(result).__name__}")


def _show_resolution(console: Console, call: Call, resolution: Resolution, rulesets: Iterable[Ruleset]) -> None:
    request = Request.read(call.request)
    terminal.print_roll(console, request, resolution)
    if request.seed is None and resolution.seed is not None:
        terminal.print_notices(console, [f"rolled here, from seed {resolution.seed}"])
    if resolution.roll is None:
        return
    offers = api.reach(_with_seed(request, resolution), rulesets=rulesets)
    worth_saying = _worth_saying(offers, resolution)
    sheets.print_reach(console, worth_saying)
    if resolution.outcome == FAIL and any(each.side == "actor" for each in offers) and not worth_saying:
        terminal.print_text(console, "in reach by one invocation: nothing")


def _worth_saying(offers: Iterable[Reach], resolution: Resolution) -> list[Reach]:
    """
    Those that would change the outcome for certain, each aspect at its lower price.
    """
    changing = [each for each in offers if each.outcome not in (None, resolution.outcome)]
    # The opposition's fate points are the GM's own business; a free invocation may be forgotten.
    changing = [each for each in changing if each.side == "actor" or each.pay == "free"]
    free = {(each.side, each.aspect, each.on) for each in changing if each.pay == "free"}
    return [each for each in changing if each.pay == "free" or (each.side, each.aspect, each.on) not in free]


def _with_seed(request: Request, resolution: Resolution) -> Request:
    """
    The request with the seed that was drawn for it, so that it resolves to the same again.
    """
    return request.model_copy(update={"seed": resolution.seed})


def _credit(answer: Answer) -> str:
    """
    Say whose words these are, and what was spent on them.
    """
    usage = answer.usage
    by = Counter(_writer(suggestion) for suggestion in answer.suggestions)
    of_deck = (f"deal {answer.deal}", "written ahead with a language model's help")
    notes = {
        writer: (*((str(number),) if len(by) > 1 else ()), *(of_deck if writer == DECK else ()))
        for writer, number in by.items()
    }
    words = ", ".join(f"{writer} ({', '.join(told)})" if told else writer for writer, told in notes.items())
    refused = Counter(rejection.code for rejection in answer.rejected)
    told = f"; refused: {', '.join(f'{number} {code}' for code, number in refused.items())}" if refused else ""
    if not usage.calls:
        return f"words: {words or 'none wanted'}; nothing sent{told}"
    calls = f"{usage.calls} call{'s' if usage.calls != 1 else ''}"
    tokens = f"{usage.input_tokens} + {usage.output_tokens} tokens"
    return f"words: {words or 'none'}; {calls}, {tokens}, {usage.seconds:.1f} s{told}"


def _writer(suggestion: Suggestion) -> str:
    is_own = suggestion.card is not None and suggestion.card.startswith(OWN_CARD)
    return "your own cards" if is_own else suggestion.source
