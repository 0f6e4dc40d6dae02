"""What comes back: the answer, and the events it is told in as it comes about."""

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import ConfigDict, Field, PrivateAttr

from narrator.rules.chances.chances import Chance
from narrator.rules.model import Model
from narrator.rules.request.action import Version
from narrator.rules.resolve.resolution import Resolution
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.resolve.without_roll import WordKind
from narrator.rules.ruleset.card import Card
from narrator.rules.settle.suggestion import Suggestion
from narrator.validation.verdict import Rejection


class Usage(Model):
    """What the model cost: calls, tokens, and the seconds spent waiting for it."""

    calls: int = 0
    """How often the model was asked, each request that was sent for it; 0 for the deck."""
    input_tokens: int = 0
    """What it was sent, as far as it says."""
    cached_tokens: int = 0
    """How much of that it had kept from before."""
    output_tokens: int = 0
    """What it wrote."""
    seconds: float = 0.0
    """How long was waited for it."""
    prompts: tuple[str, ...] = ()
    """The parts of the prompt that it was asked with, each with its version, such as `system/2`; none for the deck."""

    def and_then(self, more: "Usage") -> "Usage":
        """Add what was spent after this."""
        return Usage(
            calls=self.calls + more.calls,
            input_tokens=self.input_tokens + more.input_tokens,
            cached_tokens=self.cached_tokens + more.cached_tokens,
            output_tokens=self.output_tokens + more.output_tokens,
            seconds=round(self.seconds + more.seconds, 3),
            prompts=tuple(dict.fromkeys((*self.prompts, *more.prompts))),
        )


class Answer(Model):  # noqa: PLW1641  (pydantic makes the hash)
    """A resolution, the words for it, what was refused and why, and what there is to say of it."""

    version: Version = "narrator/v1"
    """The contract that this is written to."""
    resolution: Resolution
    """What the rules found."""
    suggestions: tuple[Suggestion, ...]
    """The words that passed the check, in the order of the slots."""
    drafts: tuple[Suggestion, ...] | None = None
    """What the request itself calls an aspect, to be chosen like a suggestion; the detail is empty, and may be written.
    Left out: it calls none, or one that the check does not let through, and a notice says why."""
    rejected: tuple[Rejection, ...]
    """What a model wrote and did not pass, and why."""
    deal: int | None = None
    """Which deal the deck's cards were of, as a request may name it; left out: no words were wanted."""
    dealt: tuple[str, ...] | None = None
    """The scene's cards that were dealt, and those of this answer: hand it on as a choice's `dealt`. Left out: none."""
    usage: Usage
    """What the model cost."""
    notices: tuple[str, ...]
    """What to tell the table, such as that a model did not answer; those of the rules stand in the resolution."""
    _ruling: Ruling | None = PrivateAttr(None)

    @property
    def ruling(self) -> Ruling | None:
        """What it is the answer to; None where it was read back from JSON. It is no part of what it says."""
        return self._ruling

    def by(self, ruling: Ruling) -> Self:
        """Return the same, with its ruling remembered."""
        same = self.model_copy()
        same._ruling = ruling
        return same

    def __eq__(self, other: object) -> bool:
        """Tell whether it says the same, whatever is remembered."""
        return isinstance(other, Answer) and dict(self) == dict(other)


class PreparedRow(Model):
    """Words for one row that a roll may lead to."""

    chance: Chance
    """How likely it is, as a count of faces and of how many: [31, 81]."""
    suggestions: tuple[Suggestion, ...]
    """The words that passed the check, in the order of the slots."""


class Prepared(Model):
    """Words found before a roll: hand it back to `suggest` as it is, once the dice have fallen."""

    model_config = ConfigDict(validate_by_name=True, serialize_by_alias=True)

    version: Version = "narrator/v1"
    """The contract that this is written to."""
    made_for: Annotated[str, Field(alias="for")]
    """What roll and scene it is for: `suggest` passes over what is for another."""
    rows: dict[str, PreparedRow]
    """By outcome: the rows that are likely enough, with their words."""
    rejected: tuple[Rejection, ...]
    """What a model wrote and did not pass, and why; a slot is named with its outcome: `fail.serious_cost`."""
    deal: int | None = None
    """Which deal the deck's cards were of."""
    usage: Usage
    """What the model cost."""
    notices: tuple[str, ...]
    """What to tell the table."""


class Staged(Model):
    """Cards that were written for a scene: hand them on to `suggest`, `prepare` and `word` as they are."""

    model_config = ConfigDict(validate_by_name=True, serialize_by_alias=True)

    version: Version = "narrator/v1"
    """The contract that this is written to."""
    id: str
    """What the scene's `stage` has to be for them to be dealt: it is yours to write."""
    made_for: Annotated[str, Field(alias="for")]
    """What the scene was: where it is something else by now, `stage` has a few more written."""
    cards: tuple[Card, ...]
    """The cards, those that were there before first."""
    left: int
    """How many of them may still be dealt: they were not yet, and whoever they name is there."""
    coverage: float
    """Of the places for words on likely rolls, how many have a card among these: from 0 to 1."""
    usage: Usage
    """What the model cost."""
    notices: tuple[str, ...]
    """What to tell the table."""


class StagingEvent(Model):
    """What is about to be asked for: the first event while cards are written."""

    event: Literal["staging"] = "staging"
    """Its name."""
    id: str
    """What the cards will go by."""
    cards: int
    """How many are asked for; 0: nobody is asked."""
    source: str
    """Who is asked, such as `openai:MODEL`."""
    input_tokens: int
    """About how many tokens it is sent."""
    output_tokens: int
    """About how many it writes."""


class CardEvent(Model):
    """A card that was written and judged."""

    event: Literal["card"] = "card"
    """Its name."""
    card: Card
    """The card."""


class StagedEvent(Model):
    """All cards: the last event."""

    event: Literal["done"] = "done"
    """Its name."""
    done: Staged
    """The cards, whole."""


StageEvent: TypeAlias = Annotated[StagingEvent | CardEvent | StagedEvent, Field(discriminator="event")]
"""One thing as it becomes known while cards are written."""


class Word(Model):
    """Words that were asked for without a roll."""

    kind: WordKind
    """What they are."""
    name: str | None = None
    """The wording of the aspect; left out for a compel and an opening, which have none."""
    detail: str
    """A sentence or two to say aloud, at most 280 characters of plain text. Escape it where you show it."""
    severity: str | None = None
    """Of a consequence: the level that it is worded for."""
    card: str | None = None
    """The id of the deck's card that it is; left out: it is none."""
    source: str
    """Who wrote it: `deck`, `openai:MODEL` or `langchain:CLASS`."""


class Words(Model):
    """What the call `word` gives."""

    version: Version = "narrator/v1"
    """The contract that this is written to."""
    suggestions: tuple[Word, ...]
    """The words that passed the check."""
    rejected: tuple[Rejection, ...]
    """What a model wrote and did not pass, and why."""
    deal: int | None = None
    """Which deal the deck's cards were of, to be named for the same ones again."""
    dealt: tuple[str, ...] | None = None
    """The scene's cards that were dealt, and those of this answer, for the scene's `dealt`. Left out: none."""
    usage: Usage
    """What the model cost."""
    notices: tuple[str, ...]
    """What to tell the table."""


class ResolutionEvent(Model):
    """What the rules found: the first event."""

    event: Literal["resolution"] = "resolution"
    """Its name."""
    resolution: Resolution
    """What the rules found."""


class AcceptedEvent(Model):
    """A suggestion that passed the check."""

    event: Literal["accepted"] = "accepted"
    """Its name."""
    accepted: Suggestion
    """The suggestion, whole."""


class RejectedEvent(Model):
    """A candidate that did not pass, and why."""

    event: Literal["rejected"] = "rejected"
    """Its name."""
    rejected: Rejection
    """The candidate, and why."""


class NoticeEvent(Model):
    """Something that the table should know."""

    event: Literal["notice"] = "notice"
    """Its name."""
    notice: str
    """What to tell the table."""


class UsageEvent(Model):
    """What all calls together have cost: the last event but one."""

    event: Literal["usage"] = "usage"
    """Its name."""
    usage: Usage
    """What it cost."""


class DoneEvent(Model):
    """The whole answer: the last event."""

    event: Literal["done"] = "done"
    """Its name."""
    done: Answer
    """The answer, whole."""


Event: TypeAlias = Annotated[
    ResolutionEvent | AcceptedEvent | RejectedEvent | NoticeEvent | UsageEvent | DoneEvent,
    Field(discriminator="event"),
]
"""One thing as it becomes known; the field that bears the event's name holds it."""
