"""The views of what calls return."""

import json
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator

from narrator.api import requests
from narrator.api.lookups import Rulesets, TurnOrder, TurnOrderCall
from narrator.api.settlement import ChoiceCall
from narrator.campaign import campaign_views
from narrator.campaign.records import Entry
from narrator.cli.typed_call import TypedCall
from narrator.deck.deck import OWN_CARD
from narrator.line.reading import ReadLine
from narrator.render import other_views, phrases, roll_view
from narrator.render.view import BLANK, Line, View, line
from narrator.rules.chances.chances import Odds, Reaches, reach
from narrator.rules.model import Model
from narrator.rules.request.scene import GM, Scene
from narrator.rules.resolve.resolution import Resolution
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.ruleset.row import FAIL
from narrator.rules.ruleset.table import Table
from narrator.rules.settle.changes import Settled
from narrator.rules.settle.suggestion import Suggestion
from narrator.suggestions.pipeline.answer import Answer, Prepared, Staged, Word, Words
from narrator.suggestions.source.protocol import DECK, STAGE
from narrator.validation.line_coverage import BarredLines
from narrator.validation.verdict import Verdict, Violations


def view_of(result: Model, asked: TypedCall) -> View:
    """Return the view of a call's result."""
    return tuple(_lines(result, asked))


def _lines(result: Model, asked: TypedCall) -> Iterator[Line]:
    match result:
        case Answer(ruling=ruling):
            assert ruling is not None, "it was answered here"
            yield from _resolution(asked, ruling)
            yield from roll_view.branches(result.resolution, (*(result.drafts or ()), *result.suggestions))
            yield from _end(asked, result, result.resolution.notices)
            yield from roll_view.standing(asked.request.scene)
        case Prepared():
            yield roll_view.heading(asked.request)
            for outcome, row in result.rows.items():
                yield BLANK
                yield other_views.likely(outcome, row.chance)
                for number, found in enumerate(row.suggestions, 1):
                    yield from roll_view.suggestion(found, number=number)
            yield from _end(asked, result)
        case Words():
            for number, each in enumerate(result.suggestions, 1):
                kind = phrases.plain(each.kind)
                yield from roll_view.worded(number, kind, each.name, each.severity, each.detail, indent=2)
            yield from _end(asked, result)
        case Staged():
            yield from staged(result)
        case Resolution():
            yield from _resolution(asked, _ruled(asked, result.seed))
            yield from roll_view.branches(result, ())
            yield from _notes((*asked.notes, *result.notices))
        case Verdict(accepted=accepted, rejected=rejected):
            yield other_views.verdict(rejected.code if rejected else None)
            if accepted is not None:
                yield from roll_view.suggestion(accepted)
            if rejected is not None:
                yield line(rejected.message, indent=2)
        case Violations(violations=found):
            yield other_views.verdict("" if found else None)
            yield from (line(f"{each.code}: {each.message}", indent=2) for each in found)
        case Odds():
            yield from other_views.odds(asked.request, result)
            yield from _notes(asked.notes)
        case Reaches(reach=offers):
            ruling = _ruled(asked)
            yield from roll_view.roll(ruling.request, ruling.resolution)
            yield from other_views.reach(offers, is_whole=asked.everything)
            yield from _notes(asked.notes)
        case Entry():
            yield from campaign_views.entry(result)
        case Settled():
            yield from other_views.changes(result, _chosen(asked))
            yield from _notes(asked.notes)
        case Scene():
            yield from other_views.scene(result)
        case TurnOrder(turn_order=names):
            assert isinstance(asked.call, TurnOrderCall), "an order was asked for"
            turns = asked.call.request
            yield from other_views.turn_order(turns.scene, names, (turns.approach, *turns.ties))
        case BarredLines(lines=found):
            yield from other_views.barred((each.line, each.themes, each.catches, each.examples) for each in found)
        case Table():
            yield from other_views.table(result, requests.find_ruleset(result.ruleset, asked.rulesets).forms)
        case ReadLine(ask=str(question)):
            yield from other_views.asked(question, ((each.text, each.as_) for each in result.readings or ()))
        case ReadLine():
            yield other_views.was_read(each.as_ for each in result.read)
        case Rulesets():
            yield from other_views.rulesets(asked.rulesets)
        case _:
            # A result without a view is shown as JSON.
            yield from map(line, json.dumps(result.as_json(), indent=2, ensure_ascii=False).splitlines())


def staged(found: Staged) -> Iterator[Line]:
    """Say how many cards there are, their forms, coverage and cost. Their words stay a surprise."""
    forms = Counter(phrases.plain(card.form) for card in found.cards)
    dealt = len(found.cards) - found.left
    told = " for this scene, dealt before all others" + (f"; {dealt} were dealt, or can't be now" if dealt else "")
    yield line((phrases.count(found.left, "card").upper(), "good"), told)
    yield line(", ".join(f"{form} {number}" for form, number in forms.most_common()), indent=2)
    yield line(f"On likely rolls, they cover {found.coverage:.0%} of the places for words.", indent=2)
    yield from _notes(found.notices)
    spent = found.usage
    told = f"{phrases.count(spent.calls, 'call')}, {spent.input_tokens} + {spent.output_tokens} tokens"
    yield line((f"{told}, {spent.seconds:.1f} s" if spent.calls else "nothing sent", "dim"))


def _chosen(asked: TypedCall) -> Iterator[tuple[str, str, bool]]:
    """Yield the words of an entered choice, and whether they are secret. A move has none."""
    if isinstance(asked.call, ChoiceCall):
        forms = requests.find_ruleset(asked.request.ruleset, asked.rulesets).forms
        for each in asked.call.choice.suggestions:
            if isinstance(each, dict):
                yield each.get("name") or "", each.get("detail") or "", forms[each["form"]].secret


def _notes(notices: Iterable[str]) -> Iterator[Line]:
    """Show notices."""
    return (line(("note: ", "note"), notice) for notice in notices)


def _ruled(asked: TypedCall, seed: int | None = None) -> Ruling:
    """Apply the rules as the call did, with the seed that it drew."""
    request = asked.request if seed is None else asked.request.model_copy(update={"seed": seed})
    return requests.ruled(request, asked.rulesets)


def _resolution(asked: TypedCall, ruling: Ruling) -> Iterator[Line]:
    resolution = ruling.resolution
    yield from roll_view.roll(ruling.request, resolution)
    if asked.request.seed is None and resolution.seed is not None:
        yield from _notes([f"narrator rolled, with seed {resolution.seed}"])
    action = resolution.action
    if resolution.outcome == FAIL and ruling.ruleset.actions[action.type].is_defense:
        who = shlex.join(("--actor", resolution.opposition.by or action.target or GM, "--target", action.actor))
        told = f"narrator suggest attack {who} --succeed --shifts {-(resolution.shifts or 0) or 'SHIFTS'}"
        yield from _notes([f"if this was an attack, this page shows the hit, over the same scene: {told}"])
    if resolution.roll is not None:
        yield from other_views.turning(reach(ruling), resolution)


def _end(asked: TypedCall, answer: Answer | Prepared | Words, notices: Iterable[str] = ()) -> Iterator[Line]:
    """Show notices, who wrote the words, and what they cost."""
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
    nothing, sent = "none" if usage.calls or answer.deal is not None else "none needed", "nothing sent"
    if usage.calls:
        calls = phrases.count(usage.calls, "call")
        sent = f"{calls}, {usage.input_tokens} + {usage.output_tokens} tokens, {usage.seconds:.1f} s"
    yield line((f"words: {writers or nothing}; {sent}{told}", "dim"))


def _writer(suggestion: Suggestion | Word) -> str:
    if suggestion.source == STAGE:
        return "cards of this scene"
    is_own = suggestion.card is not None and suggestion.card.startswith(OWN_CARD)
    return "your own cards" if is_own else suggestion.source
