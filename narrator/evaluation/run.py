"""The run: asks the sources for what the journal lacks, and measures what each gave, at first or after a repair."""

from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import cast

import anyio

from narrator.api.occasion import of_any
from narrator.api.options import Options
from narrator.api.pipeline_run import aevents
from narrator.deck.deck import OWN_CARD
from narrator.deck.deck_file import DeckFile
from narrator.evaluation.cases import Question, wanted_of
from narrator.files.eval_journal import USUAL, Accepted, Asking, EvalJournal, Measured, Rejected, Terms
from narrator.rules.json_text import Json
from narrator.rules.request.action import Request
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.settle.suggestion import Suggestion
from narrator.suggestions.pipeline.answer import Answer
from narrator.suggestions.prompt.brief import Brief, Prompt
from narrator.suggestions.source.adapter import Adapted
from narrator.suggestions.source.protocol import DECK, STAGE, Piece, Source
from narrator.suggestions.time.clock import Clock


@dataclass(frozen=True)
class Asked:
    """What a name stands for: a source, cards dealt before the deck's, or the deck alone."""

    source: Source | None = None
    decks: tuple[DeckFile, ...] = ()
    stages: Mapping[str, Json] = field(default_factory=dict)
    """The staged cards, by the scenes' `stage`."""

    def has(self, suggestion: Suggestion) -> bool:
        """Whether a suggestion is its own, not filled in by the deck."""
        if self.source is not None:
            return suggestion.source != DECK
        is_own = (suggestion.card or "").startswith(OWN_CARD)
        return suggestion.source == STAGE if self.stages else is_own or not self.decks


class _Watched(Adapted):
    """A source that records whether it is asked first, or again."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.wanted = Counter[str]()
        """How many suggestions each slot needs."""
        self.asking: Asking = "first"
        self._asked = Counter[str]()

    async def astream(self, prompt: Prompt, seconds: float) -> AsyncGenerator[Piece, None]:
        """Ask the source."""
        brief = cast("Brief", prompt)  # a call for suggestions has no other prompt
        self._asked.update({each.slot.id: each.how_many for each in brief.wanted})
        # An empty answer leaves no refusals. But asking for more than a slot needs is asking again.
        is_again = brief.refused or any(self._asked[slot] > many for slot, many in self.wanted.items())
        self.asking = "repair" if is_again else "first"
        async with aclosing(super().astream(brief, seconds)) as pieces:
            async for piece in pieces:
                yield piece


async def measured(
    case: int,
    name: str,
    request: Request,
    asked: Asked,
    rulesets: tuple[Ruleset, ...] = (),
    terms: Terms = USUAL,
) -> Measured:
    """Ask for a request's suggestions, and measure the answer. Raises the errors of `suggest`."""
    source = asked.source
    watched = None if source is None else _Watched(source)
    said: list[Accepted] = []
    refused: list[Rejected] = []
    first: float | None = None
    answer: Answer | None = None
    started = monotonic()
    options: Options = {"source": DECK if watched is None else watched, "rulesets": rulesets, "decks": asked.decks}
    options |= {
        "timeout": terms.timeout,
        "repairs": terms.repairs,
        "staged": asked.stages.get(request.scene.stage or ""),
    }
    events = aevents(partial(of_any, request), options, Clock(terms.timeout))
    async with aclosing(events):
        async for event in events:
            match event.event:
                case "resolution" if watched is not None:
                    watched.wanted = wanted_of(request, event.resolution)
                case "accepted":
                    own: Asking = "first" if watched is None else watched.asking
                    asking = own if asked.has(event.accepted) and asked != Asked() else "deck"
                    said.append(Accepted(asking=asking, suggestion=event.accepted))
                    if first is None and watched is not None:
                        first = round(monotonic() - started, 3)
                case "rejected" if watched is not None:
                    refused.append(Rejected(asking=watched.asking, rejection=event.rejected))
                case "done":
                    answer = event.done
    assert answer is not None, "the last event is done"
    of_source = f"{source.label}: " if source is not None else None
    failures = (each.removeprefix(of_source) for each in answer.notices if of_source and each.startswith(of_source))
    return Measured(
        case=case,
        source=name,
        said=tuple(said),
        refused=tuple(refused),
        seconds_to_first=first,
        usage=answer.usage,
        failures=tuple(failures),
    )


async def run(
    journal: EvalJournal,
    questions: Sequence[Question],
    sources: Mapping[str, Asked],
    *,
    jobs: int = 1,
    tell: Callable[[], None] = lambda: None,
) -> None:
    """Ask for the answers that the journal lacks, `jobs` at once. Each answer is written to the journal as it comes,
    and then `tell` is called. Later errors don't lose it.
    """
    left = iter(journal.left)

    async def work() -> None:
        for case, name in left:
            put, rulesets = journal.head.cases[case], questions[case].rulesets
            journal.add(await measured(case, name, put.request, sources[name], rulesets, journal.head.terms))
            tell()

    try:
        async with anyio.create_task_group() as workers:
            for _ in range(jobs):
                workers.start_soon(work)
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
