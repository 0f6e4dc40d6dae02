"""The answer, and the events that stream it while it is made."""

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
    """What the model cost: calls, tokens, and seconds of waiting."""

    calls: int = 0
    """How many requests were sent to the model. 0 for the deck."""
    input_tokens: int = 0
    """Tokens sent to the model, if it reports them."""
    cached_tokens: int = 0
    """How many of these the model had cached."""
    output_tokens: int = 0
    """Tokens that the model wrote, if it reports them."""
    seconds: float = 0.0
    """Seconds spent waiting for the model."""
    prompts: tuple[str, ...] = ()
    """The parts of the prompt, each with its version, such as `system/2`. Empty for the deck."""

    def and_then(self, more: "Usage") -> "Usage":
        """Add a later usage to this one."""
        return Usage(
            calls=self.calls + more.calls,
            input_tokens=self.input_tokens + more.input_tokens,
            cached_tokens=self.cached_tokens + more.cached_tokens,
            output_tokens=self.output_tokens + more.output_tokens,
            seconds=round(self.seconds + more.seconds, 3),
            prompts=tuple(dict.fromkeys((*self.prompts, *more.prompts))),
        )


class Answer(Model):  # noqa: PLW1641  (pydantic makes the hash)
    """A resolution, suggestions for it, refused suggestions with the reasons, and notices."""

    version: Version = "narrator/v1"
    """The version of the contract."""
    resolution: Resolution
    """The result of the rules."""
    suggestions: tuple[Suggestion, ...]
    """The suggestions that passed the check, in the order of the slots."""
    drafts: tuple[Suggestion, ...] | None = None
    """The player's own wording of an aspect. You can choose it like a suggestion. Its detail is empty, and you may fill
    it in. Omitted if the request words none, or if the check refused it: then a notice says why."""
    rejected: tuple[Rejection, ...]
    """The suggestions of a model that did not pass the check, and why."""
    deal: int | None = None
    """The number of the deck's deal. A request with this `deal` gets the same cards. Omitted if no words were
    needed."""
    dealt: tuple[str, ...] | None = None
    """The cards already dealt in this scene, with those of this answer. Pass it on as the `dealt` of a choice. Omitted
    if empty."""
    usage: Usage
    """What the model cost."""
    notices: tuple[str, ...]
    """Messages for the table, such as that a model did not answer. The resolution has those of the rules."""
    _ruling: Ruling | None = PrivateAttr(None)

    @property
    def ruling(self) -> Ruling | None:
        """The ruling that this answers. None if the answer was read from JSON. It is not part of the JSON."""
        return self._ruling

    def by(self, ruling: Ruling) -> Self:
        """Return a copy that remembers its ruling."""
        same = self.model_copy()
        same._ruling = ruling
        return same

    def __eq__(self, other: object) -> bool:
        """Compare the contents, without the rulings."""
        return isinstance(other, Answer) and dict(self) == dict(other)


class PreparedRow(Model):
    """Suggestions for one row that a roll may lead to."""

    chance: Chance
    """How likely the row is: so many of all results, such as [31, 81]."""
    suggestions: tuple[Suggestion, ...]
    """The suggestions that passed the check, in the order of the slots."""


class Prepared(Model):
    """Suggestions made before a roll. Pass this unchanged to `suggest` after the roll."""

    model_config = ConfigDict(validate_by_name=True, serialize_by_alias=True)

    version: Version = "narrator/v1"
    """The version of the contract."""
    made_for: Annotated[str, Field(alias="for")]
    """The roll and scene that this is for. `suggest` ignores it for any other."""
    rows: dict[str, PreparedRow]
    """The rows that are likely enough, by outcome."""
    rejected: tuple[Rejection, ...]
    """The suggestions of a model that did not pass the check, and why. The name of a slot begins with the outcome, as
    in `fail.serious_cost`."""
    deal: int | None = None
    """The number of the deck's deal."""
    usage: Usage
    """What the model cost."""
    notices: tuple[str, ...]
    """Messages for the table."""


class Staged(Model):
    """Cards written for a scene. Pass this unchanged to `suggest`, `prepare` and `word`."""

    model_config = ConfigDict(validate_by_name=True, serialize_by_alias=True)

    version: Version = "narrator/v1"
    """The version of the contract."""
    id: str
    """The id of these cards. They are dealt only if you write it into the scene's `stage`."""
    made_for: Annotated[str, Field(alias="for")]
    """A mark of the scene's state. If the scene has changed since, `stage` asks for a few more cards."""
    cards: tuple[Card, ...]
    """The cards, oldest first."""
    left: int
    """How many cards can still be dealt: they are undealt, and everyone they name is in the scene."""
    coverage: float
    """The share of slots on likely rolls that have a card here, from 0 to 1."""
    usage: Usage
    """What the model cost."""
    notices: tuple[str, ...]
    """Messages for the table."""


class StagingEvent(Model):
    """The first event while cards are written: what the model will be asked for."""

    event: Literal["staging"] = "staging"
    """The name of the event."""
    id: str
    """The id that the cards will have."""
    cards: int
    """How many cards are asked for. 0: no model is asked."""
    source: str
    """The source that is asked, such as `openai:MODEL`."""
    input_tokens: int
    """About how many tokens are sent to the model."""
    output_tokens: int
    """About how many tokens the model writes."""


class CardEvent(Model):
    """A card that passed the check."""

    event: Literal["card"] = "card"
    """The name of the event."""
    card: Card
    """The card."""


class StagedEvent(Model):
    """The last event: all cards."""

    event: Literal["done"] = "done"
    """The name of the event."""
    done: Staged
    """All cards."""


StageEvent: TypeAlias = Annotated[StagingEvent | CardEvent | StagedEvent, Field(discriminator="event")]
"""One event while cards are written."""


class Word(Model):
    """A suggestion for a scene without a roll."""

    kind: WordKind
    """The kind of words."""
    name: str | None = None
    """The wording of the aspect. Omitted for kinds without a name, such as a compel or an opening."""
    detail: str
    """A sentence or two to say aloud, at most 280 characters of plain text. Escape it when you show it."""
    severity: str | None = None
    """The level of a consequence."""
    card: str | None = None
    """The id of the deck's card. Omitted if this is not a card."""
    source: str
    """Who wrote it: `deck`, `openai:MODEL` or `langchain:CLASS`."""


class Words(Model):
    """The result of the call `word`."""

    version: Version = "narrator/v1"
    """The version of the contract."""
    suggestions: tuple[Word, ...]
    """The suggestions that passed the check."""
    rejected: tuple[Rejection, ...]
    """The suggestions of a model that did not pass the check, and why."""
    deal: int | None = None
    """The number of the deck's deal. Name it to get the same cards again."""
    dealt: tuple[str, ...] | None = None
    """The cards already dealt in this scene, with those of this answer: the new `dealt` of the scene. Omitted if
    empty."""
    usage: Usage
    """What the model cost."""
    notices: tuple[str, ...]
    """Messages for the table."""


class ResolutionEvent(Model):
    """The first event: the result of the rules."""

    event: Literal["resolution"] = "resolution"
    """The name of the event."""
    resolution: Resolution
    """The result of the rules."""


class AcceptedEvent(Model):
    """A suggestion that passed the check."""

    event: Literal["accepted"] = "accepted"
    """The name of the event."""
    accepted: Suggestion
    """The suggestion."""


class RejectedEvent(Model):
    """A candidate that did not pass the check, and why."""

    event: Literal["rejected"] = "rejected"
    """The name of the event."""
    rejected: Rejection
    """The candidate, and why it was refused."""


class NoticeEvent(Model):
    """A message for the table."""

    event: Literal["notice"] = "notice"
    """The name of the event."""
    notice: str
    """The message."""


class UsageEvent(Model):
    """The last event but one: what all calls together cost."""

    event: Literal["usage"] = "usage"
    """The name of the event."""
    usage: Usage
    """What they cost."""


class DoneEvent(Model):
    """The last event: the whole answer."""

    event: Literal["done"] = "done"
    """The name of the event."""
    done: Answer
    """The whole answer."""


Event: TypeAlias = Annotated[
    ResolutionEvent | AcceptedEvent | RejectedEvent | NoticeEvent | UsageEvent | DoneEvent,
    Field(discriminator="event"),
]
"""One event of a stream. The field named like the event has the contents."""
