"""What a suggestion is judged against: the row in the resolution, and the scene, read once for all that is judged."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from narrator.errors import quoted
from narrator.language.lexicon import Lexicon, load
from narrator.language.text import Text
from narrator.rules.action import Request
from narrator.rules.invoking import aspects_in_play
from narrator.rules.resolution import Branch, Resolution, Slot
from narrator.rules.ruleset import Ruleset
from narrator.validation.instructions import Instructions
from narrator.validation.intents import Intent, read_intent
from narrator.validation.lines import Lines
from narrator.validation.phrase import Names
from narrator.validation.repeating import Repeated
from narrator.validation.subjects import People


@dataclass(frozen=True, eq=False)
class Standard:
    """A request with its resolution. What is read of the scene is read when it is first asked for, and kept."""

    request: Request
    resolution: Resolution
    ruleset: Ruleset
    _keys: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def lexicon(self) -> Lexicon:
        """That of the scene's language."""
        return load(self.request.scene.language)

    @cached_property
    def unjudged(self) -> tuple[str, ...]:
        """Notices of what cannot be judged in the scene's language."""
        language = quoted(self.request.scene.language)
        if not self.lexicon.judges_mechanics:
            return (f"There is no lexicon for the language {language}: words are not judged by what they mean.",)
        if not self.lexicon.judges_outcomes:
            return (f"In the language {language} words are not held against the outcome.",)
        return ()

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """What wants words, on the branch asked for."""
        return self.resolution.slots(self.request.branch)

    @cached_property
    def intent(self) -> Intent:
        return read_intent(self.request.action.intent, self.lexicon)

    @cached_property
    def people(self) -> People:
        actor = self.request.action.actor
        others = (each.name for each in self.request.scene.characters if each.name != actor)
        return People(actor, others, self.lexicon)

    @cached_property
    def names(self) -> Names:
        named = {self.resolution.action.actor, *(each.name for each in self.request.scene.characters)}
        return Names(sorted(named), self.lexicon)

    @cached_property
    def lines(self) -> Lines:
        """Lines and veils alike."""
        return Lines((*self.request.scene.lines, *self.request.scene.veils), self.lexicon)

    @cached_property
    def in_play(self) -> frozenset[tuple[str, ...]]:
        """The wordings of all aspects in play."""
        return self.keys(name for name, _ in aspects_in_play(self.request.scene))

    @cached_property
    def lately(self) -> frozenset[tuple[str, ...]]:
        """The wordings of what was said lately."""
        return self.keys(self.request.scene.recent)

    @cached_property
    def repeated(self) -> Repeated:
        """What words may only repeat."""
        return Repeated(self.request, self.resolution, self.ruleset)

    @cached_property
    def instructions(self) -> Instructions:
        """What a model was told, and may not say back."""
        return Instructions(self.ruleset)

    def keys(self, texts: Iterable[str | None]) -> frozenset[tuple[str, ...]]:
        """Give what is left of wordings when they are compared."""
        return frozenset(self._key(text) for text in texts if text) - {()}

    def _key(self, text: str) -> tuple[str, ...]:
        if text not in self._keys:
            self._keys[text] = Text(text, self.lexicon).key
        return self._keys[text]

    def attained(self, slot: Slot) -> bool | None:
        """Tell whether the goal is attained on every branch that carries a slot, or on none; None: it is not
        decided.
        """
        goals = {branch.goal for branch in self._carriers(slot)}
        return goals == {"attained"} if goals in ({"attained"}, {"not_attained"}) else None

    def _carriers(self, slot: Slot) -> Iterator[Branch]:
        """The branches that carry a slot, of those that were asked for."""
        for branch in self.resolution.branches:
            if self.request.branch in (None, branch.id) and slot.id in [each.id for each in branch.slots]:
                yield branch
