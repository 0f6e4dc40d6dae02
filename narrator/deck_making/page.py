"""What is said of decks: what a run is to ask and may cost, what came of it, and what is wrong with a deck."""

from collections.abc import Iterator

from narrator.deck_making.checked import DeckJudged
from narrator.deck_making.making import Making
from narrator.deck_making.plan import TOKENS_A_CARD
from narrator.errors import quoted
from narrator.render.lines import Line, line
from narrator.render.words import count
from narrator.suggestions.source import CHARACTERS_A_TOKEN


def agreement(making: Making, notes: str, model: str, host: str) -> Iterator[str]:
    """Say what is to be asked, of whom, and what it may cost.

    Args:
        notes: What the notes are called.
    """
    plan, done = making.plan, len(making.cards)
    cost = plan.cost(making.calls, done)
    calls, read = count(cost.calls, "call"), min(plan.calls, len(plan.pieces))
    pieces = f"{read} of the {len(plan.pieces)} pieces" if read < len(plan.pieces) else "all"
    if making.calls:
        yield f"{done} of {count(plan.cards, 'card')} are there, after {count(making.calls, 'call')}."
    yield f"{count(plan.cards - done, 'card')} by {pieces} of {notes}, from {model} at {host}:"
    yield f"  {calls}, {cost.most_calls} at the most where many cards are refused;"
    yield f"  about {cost.input_tokens:,} tokens in and {cost.output_tokens:,} out for {calls}"
    counted = f"{CHARACTERS_A_TOKEN} characters a token, {TOKENS_A_CARD} tokens a card"
    yield f"  (estimated: {counted}); what one costs, whoever runs the model says."


def heading(making: Making, model: str, name: str) -> Iterator[str]:
    """Say at the top of a deck what it is.

    Args:
        name: That of its file.
    """
    cards = count(len(making.cards), "card")
    yield f"{cards}, written by {model}, judged by narrator. Read them, edit them, delete what you do not want."
    yield f"Deal them with --deck, or from the folder `decks`; `narrator deck check {name}` judges them again."


def outcome(making: Making, place: str) -> Iterator[str]:
    """Say what came of a run.

    Args:
        place: Where the deck is.
    """
    number, tokens = len(making.cards), making.tokens
    calls = count(making.calls, "call")
    yield f"{count(number, 'card')} in {place}, of {calls}, {tokens.input} + {tokens.output} tokens"
    yield f"refused: {refused(making)}"
    if number < making.plan.cards:
        yield f"{number} in place of {making.plan.cards}: {making.ended}"


def refused(making: Making) -> str:
    """Say what was refused, by code."""
    return ", ".join(f"{number} {code}" for code, number in making.refused.most_common()) or "none"


def page(found: DeckJudged) -> Iterator[Line]:
    """Say what is wrong with a deck, and what is in it."""
    number, wrong = count(found.cards, "card"), len({each.number for each in found.wrong})
    yield line((f"{wrong} OF {number} WRONG", "bad")) if wrong else line((f"{number}, NOTHING WRONG", "good"))
    for each in found.wrong:
        place = f"card {each.number}" if each.line is None else f"line {each.line}"
        yield line((place, "key"), f"  {each.code}: {each.message}", indent=2)
        if each.card:
            yield line((quoted(each.card), "dim"), indent=4)
    forms = ", ".join(f"{form} {number}" for form, number in found.forms.items())
    yield line(("forms: ", "dim"), forms or "none")
