"""Which page shows what a call gave."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator

from narrator.api import reading, ruling
from narrator.calls import Call, Rulesets, TurnOrder, TurnOrderRequest
from narrator.deck.dealing import OWN_CARD
from narrator.interfaces.asked import Asked
from narrator.render import rolls, sheets, tables, words
from narrator.render.lines import BLANK, Line, Page, line
from narrator.rules.action import Request
from narrator.rules.chances import Odds, Reaches
from narrator.rules.changes import Settled
from narrator.rules.choice import Suggestion
from narrator.rules.model import Model
from narrator.rules.resolution import Resolution
from narrator.rules.row import FAIL
from narrator.rules.ruleset import Ruleset
from narrator.rules.scene import GM, Scene
from narrator.rules.table import Table
from narrator.suggestions.answer import Answer, Prepared, Word, Words
from narrator.suggestions.source import DECK
from narrator.validation.barring import BarredLines
from narrator.validation.verdict import Verdict, Violations


def page(result: Model, asked: Asked) -> Page:
    """Return the page of what a call gave."""
    return tuple(_lines(result, asked))


def _lines(result: Model, asked: Asked) -> Iterator[Line]:
    call, rulesets = asked.call, asked.rulesets
    match result:
        case Answer():
            yield from _resolution(call, result.resolution, rulesets)
            yield from rolls.branches(result.resolution, (*(result.drafts or ()), *result.suggestions))
            yield BLANK
            yield from _notes((*asked.notes, *result.resolution.notices, *result.notices))
            yield line((_credit(result), "dim"))
        case Prepared():
            yield rolls.heading(Request.read(call.request))
            for outcome, row in result.rows.items():
                yield BLANK
                yield sheets.likely(outcome, row.chance)
                for number, found in enumerate(row.suggestions, 1):
                    yield from rolls.suggestion(found, number=number)
            yield BLANK
            yield from _notes((*asked.notes, *result.notices))
            yield line((_credit(result), "dim"))
        case Words():
            for number, each in enumerate(result.suggestions, 1):
                yield from sheets.word(number, words.plain(each.kind), each.name, each.detail, each.severity)
            yield BLANK
            yield from _notes((*asked.notes, *result.notices))
            yield line((_credit(result), "dim"))
        case Resolution():
            yield from _resolution(call, result, rulesets)
            yield from rolls.branches(result, ())
            yield from _notes((*asked.notes, *result.notices))
        case Verdict(accepted=accepted, rejected=rejected):
            yield sheets.verdict(rejected.code if rejected else None)
            if accepted is not None:
                yield from rolls.suggestion(accepted)
            if rejected is not None:
                yield line(rejected.message, indent=2)
        case Violations(violations=found):
            yield sheets.verdict("" if found else None)
            yield from (line(f"{each.code}: {each.message}", indent=2) for each in found)
        case Odds():
            yield from sheets.odds(Request.read(call.request), result)
            yield from _notes(asked.notes)
        case Reaches(reach=offers):
            request = Request.read(call.request)
            yield from rolls.roll(request, ruling.resolve(request, rulesets=rulesets))
            yield from sheets.reach(offers, is_whole=asked.everything)
            yield from _notes(asked.notes)
        case Settled():
            forms = reading.find_ruleset(Request.read(call.request).ruleset, rulesets).forms
            chosen = [each for each in call.choice.get("suggestions") or [] if isinstance(each, dict)]
            said = [(each.get("name") or "", each.get("detail") or "", forms[each["form"]].secret) for each in chosen]
            yield from sheets.changes(result, said)
            yield from _notes(asked.notes)
        case Scene():
            yield from sheets.scene(result)
        case TurnOrder(turn_order=names):
            turns = TurnOrderRequest.read(call.request)
            yield from sheets.turn_order(turns.scene, names, (turns.approach, *turns.ties))
        case BarredLines(lines=found):
            yield from sheets.barred((each.line, each.themes, each.catches, each.examples) for each in found)
        case Table():
            yield from tables.table(result, reading.find_ruleset(result.ruleset, rulesets).forms)
        case Rulesets():
            yield from sheets.rulesets(rulesets)
        case _:
            raise TypeError(f"there is no page for {type(result).__name__}")


def _notes(notices: Iterable[str]) -> Iterator[Line]:
    """What else there is to say."""
    return (line(("note: ", "note"), notice) for notice in notices)


def _resolution(call: Call, resolution: Resolution, rulesets: Iterable[Ruleset]) -> Iterator[Line]:
    request = Request.read(call.request)
    yield from rolls.roll(request, resolution)
    if request.seed is None and resolution.seed is not None:
        yield from _notes([f"rolled here, from seed {resolution.seed}"])
    action = resolution.action
    if resolution.outcome == FAIL and reading.find_ruleset(request.ruleset, rulesets).actions[action.type].is_defense:
        who = shlex.join(("--actor", resolution.opposition.by or action.target or GM, "--target", action.actor))
        told = f"narrator suggest attack {who} --succeed --shifts {-(resolution.shifts or 0) or 'SHIFTS'}"
        yield from _notes([f"if this was an attack, the hit is on its page, over the same scene: {told}"])
    if resolution.roll is not None:
        # With the seed that was drawn for it, it resolves to the same again.
        offers = ruling.reach(request.model_copy(update={"seed": resolution.seed}), rulesets=rulesets)
        yield from sheets.turning(offers, resolution)


def _credit(answer: Answer | Prepared | Words) -> str:
    """Say whose words these are, and what was spent on them."""
    usage = answer.usage
    said = (
        [each for row in answer.rows.values() for each in row.suggestions]
        if isinstance(answer, Prepared)
        else answer.suggestions
    )
    by = Counter(_writer(suggestion) for suggestion in said)
    of_deck = (f"deal {answer.deal}", "written ahead with a language model's help")
    notes = {
        writer: (*((str(number),) if len(by) > 1 else ()), *(of_deck if writer == DECK else ()))
        for writer, number in by.items()
    }
    writers = ", ".join(f"{writer} ({', '.join(told)})" if told else writer for writer, told in notes.items())
    refused = Counter(rejection.code for rejection in answer.rejected)
    told = f"; refused: {', '.join(f'{number} {code}' for code, number in refused.items())}" if refused else ""
    if not usage.calls:
        nothing = "none wanted" if answer.deal is None else "none"
        return f"words: {writers or nothing}; nothing sent{told}"
    calls = words.count(usage.calls, "call")
    tokens = f"{usage.input_tokens} + {usage.output_tokens} tokens"
    return f"words: {writers or 'none'}; {calls}, {tokens}, {usage.seconds:.1f} s{told}"


def _writer(suggestion: Suggestion | Word) -> str:
    is_own = suggestion.card is not None and suggestion.card.startswith(OWN_CARD)
    return "your own cards" if is_own else suggestion.source
