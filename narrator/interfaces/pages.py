"""Which page shows what a call gave."""

import json
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator

from narrator.api import reading
from narrator.api.scenes import Rulesets, TurnOrder, TurnOrderCall
from narrator.api.settling import ChoiceCall
from narrator.deck.dealing import OWN_CARD
from narrator.interfaces.asked import Asked
from narrator.render import rolls, sheets, words
from narrator.render.lines import BLANK, Line, Page, line
from narrator.rules.chances import Odds, Reaches, reach
from narrator.rules.changes import Settled
from narrator.rules.model import Model
from narrator.rules.resolution import Resolution
from narrator.rules.row import FAIL
from narrator.rules.ruling import Ruling
from narrator.rules.scene import GM, Scene
from narrator.rules.suggestion import Suggestion
from narrator.rules.table import Table
from narrator.suggestions.answer import Answer, Prepared, Word, Words
from narrator.suggestions.source import DECK
from narrator.validation.barring import BarredLines
from narrator.validation.verdict import Verdict, Violations


def page(result: Model, asked: Asked) -> Page:
    """Return the page of what a call gave."""
    return tuple(_lines(result, asked))


def _lines(result: Model, asked: Asked) -> Iterator[Line]:
    match result:
        case Answer(ruling=ruling):
            assert ruling is not None, "it was answered here"
            yield from _resolution(asked, ruling)
            yield from rolls.branches(result.resolution, (*(result.drafts or ()), *result.suggestions))
            yield from _end(asked, result, result.resolution.notices)
        case Prepared():
            yield rolls.heading(asked.request)
            for outcome, row in result.rows.items():
                yield BLANK
                yield sheets.likely(outcome, row.chance)
                for number, found in enumerate(row.suggestions, 1):
                    yield from rolls.suggestion(found, number=number)
            yield from _end(asked, result)
        case Words():
            for number, each in enumerate(result.suggestions, 1):
                yield from rolls.worded(number, words.plain(each.kind), each.name, each.severity, each.detail, indent=2)
            yield from _end(asked, result)
        case Resolution():
            yield from _resolution(asked, _ruled(asked, result.seed))
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
            yield from sheets.odds(asked.request, result)
            yield from _notes(asked.notes)
        case Reaches(reach=offers):
            ruling = _ruled(asked)
            yield from rolls.roll(ruling.request, ruling.resolution)
            yield from sheets.reach(offers, is_whole=asked.everything)
            yield from _notes(asked.notes)
        case Settled():
            forms = reading.find_ruleset(asked.request.ruleset, asked.rulesets).forms
            assert isinstance(asked.call, ChoiceCall), "a choice was entered"
            chosen = [each for each in asked.call.choice.suggestions if isinstance(each, dict)]
            said = [(each.get("name") or "", each.get("detail") or "", forms[each["form"]].secret) for each in chosen]
            yield from sheets.changes(result, said)
            yield from _notes(asked.notes)
        case Scene():
            yield from sheets.scene(result)
        case TurnOrder(turn_order=names):
            assert isinstance(asked.call, TurnOrderCall), "an order was asked for"
            turns = asked.call.request
            yield from sheets.turn_order(turns.scene, names, (turns.approach, *turns.ties))
        case BarredLines(lines=found):
            yield from sheets.barred((each.line, each.themes, each.catches, each.examples) for each in found)
        case Table():
            yield from sheets.table(result, reading.find_ruleset(result.ruleset, asked.rulesets).forms)
        case Rulesets():
            yield from sheets.rulesets(asked.rulesets)
        case _:
            # Whatever has no page of its own is told as it is.
            yield from map(line, json.dumps(result.as_json(), indent=2, ensure_ascii=False).splitlines())


def _notes(notices: Iterable[str]) -> Iterator[Line]:
    """What else there is to say."""
    return (line(("note: ", "note"), notice) for notice in notices)


def _ruled(asked: Asked, seed: int | None = None) -> Ruling:
    """Rule as the call did, with the seed that it drew."""
    request = asked.request if seed is None else asked.request.model_copy(update={"seed": seed})
    return reading.ruled(request, asked.rulesets)


def _resolution(asked: Asked, ruling: Ruling) -> Iterator[Line]:
    resolution = ruling.resolution
    yield from rolls.roll(ruling.request, resolution)
    if asked.request.seed is None and resolution.seed is not None:
        yield from _notes([f"rolled here, from seed {resolution.seed}"])
    action = resolution.action
    if resolution.outcome == FAIL and ruling.ruleset.actions[action.type].is_defense:
        who = shlex.join(("--actor", resolution.opposition.by or action.target or GM, "--target", action.actor))
        told = f"narrator suggest attack {who} --succeed --shifts {-(resolution.shifts or 0) or 'SHIFTS'}"
        yield from _notes([f"if this was an attack, the hit is on its page, over the same scene: {told}"])
    if resolution.roll is not None:
        yield from sheets.turning(reach(ruling), resolution)


def _end(asked: Asked, answer: Answer | Prepared | Words, notices: Iterable[str] = ()) -> Iterator[Line]:
    """Say what else there is to say of words, whose they are, and what was spent on them."""
    yield BLANK
    yield from _notes((*asked.notes, *notices, *answer.notices))
    usage = answer.usage
    rows = answer.rows.values() if isinstance(answer, Prepared) else (answer,)
    by = Counter(_writer(suggestion) for row in rows for suggestion in row.suggestions)
    of_deck = (f"deal {answer.deal}", "written ahead with a language model's help")
    notes = {
        writer: (*((str(number),) if len(by) > 1 else ()), *(of_deck if writer == DECK else ()))
        for writer, number in by.items()
    }
    writers = ", ".join(f"{writer} ({', '.join(told)})" if told else writer for writer, told in notes.items())
    refused = Counter(rejection.code for rejection in answer.rejected)
    told = f"; refused: {', '.join(f'{number} {code}' for code, number in refused.items())}" if refused else ""
    nothing, sent = "none" if usage.calls or answer.deal is not None else "none wanted", "nothing sent"
    if usage.calls:
        calls = words.count(usage.calls, "call")
        sent = f"{calls}, {usage.input_tokens} + {usage.output_tokens} tokens, {usage.seconds:.1f} s"
    yield line((f"words: {writers or nothing}; {sent}{told}", "dim"))


def _writer(suggestion: Suggestion | Word) -> str:
    is_own = suggestion.card is not None and suggestion.card.startswith(OWN_CARD)
    return "your own cards" if is_own else suggestion.source
