"""What judging needs: a ruling, and all that is read of its scene, once for every text that is judged."""

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
    """Judges by a ruling. What is read of the scene is read when it is first asked for, and kept."""

    ruling: Ruling

    @cached_property
    def lexicon(self) -> Lexicon:
        """That of the scene's language."""
        return load(self._scene.language)

    @cached_property
    def unjudged(self) -> tuple[str, ...]:
        """Notices of what cannot be judged in the scene's language."""
        language = quoted(self._scene.language)
        if not self.lexicon.judges_mechanics:
            return (f"There is no lexicon for the language {language}: words are not judged by what they mean.",)
        if not self.lexicon.judges_outcomes:
            return (f"In the language {language} words are not held against the outcome.",)
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
        """Lines and veils alike."""
        return Lines((*self._scene.lines, *self._scene.veils), self.lexicon)

    @cached_property
    def in_play(self) -> frozenset[tuple[str, ...]]:
        """The wordings of all aspects in play."""
        return self.keys(name for name, _ in aspects_in_play(self._scene))

    @cached_property
    def lately(self) -> frozenset[tuple[str, ...]]:
        """The wordings of what was said lately."""
        return self.keys(self._scene.recent)

    @cached_property
    def struck(self) -> frozenset[str]:
        """Digests of what the table struck out."""
        return frozenset(self._scene.struck)

    @cached_property
    def repeated(self) -> Repeated:
        """What words may only repeat."""
        return Repeated(self.ruling)

    @cached_property
    def instructions(self) -> Instructions:
        """What a model was told, and may not say back."""
        return Instructions(self.ruling.ruleset)

    def keys(self, texts: Iterable[str | None]) -> frozenset[tuple[str, ...]]:
        """Give what is left of wordings when they are compared."""
        return frozenset(self._key(text) for text in texts if text) - {()}

    @cached_property
    def _key(self) -> Callable[[str], tuple[str, ...]]:
        return cache(lambda text: Text(text, self.lexicon).key)

    @property
    def _scene(self) -> Scene:
        return self.ruling.request.scene
