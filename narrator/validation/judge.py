"""What the check needs for a ruling. The scene is read only once for all texts."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property

from narrator.errors import quoted
from narrator.language.lexicon import Lexicon, load
from narrator.language.text import Text
from narrator.rules.request.scene import Scene
from narrator.rules.resolve.invocations import aspects_in_play
from narrator.rules.resolve.ruling import Ruling
from narrator.validation.aspect_name import SceneNames
from narrator.validation.intent import Intent, read_intent
from narrator.validation.lines_and_veils import Lines
from narrator.validation.repetition import Instructions, Repeated
from narrator.validation.subjects import People


@dataclass(frozen=True, eq=False)
class Judge:
    """What a ruling's texts are judged by. Each part of the scene is read on first use, and kept."""

    ruling: Ruling

    @cached_property
    def lexicon(self) -> Lexicon:
        """The lexicon of the scene's language."""
        return load(self._scene.language)

    @cached_property
    def unjudged(self) -> tuple[str, ...]:
        """Notices about what can't be judged in the scene's language."""
        language = quoted(self._scene.language)
        if not self.lexicon.judges_mechanics:
            return (f"The check has no lexicon for the language {language}: it can't judge what words mean.",)
        if not self.lexicon.judges_outcomes:
            return (f"In the language {language}, the check can't judge whether words contradict the outcome.",)
        return ()

    @cached_property
    def intent(self) -> Intent:
        return read_intent(self.ruling.request.action.intent, self.lexicon)

    @cached_property
    def people(self) -> People:
        actor = self.ruling.request.action.actor
        others = (each.name for each in self._scene.characters if each.name != actor)
        return People(actor, others, self.lexicon)

    @cached_property
    def names(self) -> SceneNames:
        named = {self.ruling.request.action.actor, *(each.name for each in self._scene.characters)}
        return SceneNames(sorted(named), self.lexicon)

    @cached_property
    def lines(self) -> Lines:
        """The lines and veils."""
        return Lines((*self._scene.lines, *self._scene.veils), self.lexicon)

    @cached_property
    def in_play(self) -> frozenset[tuple[str, ...]]:
        """The wordings of all aspects in play."""
        return self.keys(name for name, _ in aspects_in_play(self._scene))

    @cached_property
    def lately(self) -> frozenset[tuple[str, ...]]:
        """The wordings of recent texts."""
        return self.keys(self._scene.recent)

    @cached_property
    def struck(self) -> frozenset[str]:
        """Digests of the texts that the table struck out."""
        return frozenset(self._scene.struck)

    @cached_property
    def repeated(self) -> Repeated:
        """Finds texts that only repeat the request or the prompt."""
        return Repeated(self.ruling)

    @cached_property
    def instructions(self) -> Instructions:
        """The instructions of the prompt, which a model must not repeat."""
        return Instructions(self.ruling.ruleset)

    def keys(self, texts: Iterable[str | None]) -> frozenset[tuple[str, ...]]:
        """Give the keys by which wordings are compared."""
        return frozenset(self._key(text) for text in texts if text) - {()}

    @cached_property
    def _key(self) -> Callable[[str], tuple[str, ...]]:
        return cache(lambda text: Text(text, self.lexicon).key)

    @property
    def _scene(self) -> Scene:
        return self.ruling.request.scene
