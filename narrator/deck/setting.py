"""The setting: what kind of story a scene belongs to, what is so in it, and the words for its things."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from random import Random
from typing import Annotated, Literal, get_args

from narrator.deck.intent import WORD
from narrator.rules.action import Request
from narrator.rules.card import STORIES, Condition, Nature, StoryKind, Thing
from narrator.rules.model import LIST, Model, Name
from narrator.rules.scene import Character
from narrator.rules.toml_file import read_packaged

PLAIN: StoryKind = "any"
"""The kind of story where a scene says nothing of one."""

TONE = 6
"""How much a word of the tone weighs, beside one of the scene."""

_OF = re.compile(r"\s(?:of|from|in|at|with)\s")

Words = Annotated[tuple[Name, ...], LIST]
"""Words for a thing, of which one is picked."""

Known = Annotated[frozenset[Name], LIST]
"""Words that tell something where they are met."""


class Signs(Model):
    """
    What tells a kind of story: how a tone names it, and the words that show it.
    """

    tone: Known
    words: Known


_SIGNS = tuple(f"{name} = " for name in Signs.model_fields)
"""What their lines begin with in the file of a story."""


class Story(Signs):
    """
    A kind of story: what tells it, and its things.
    """

    things: dict[Thing, Words]


class SceneWords(Model):
    """
    What words of a scene's own text mean, for the deck.
    """

    said: dict[Thing, Words | dict[Name, Name]]
    needs: dict[Condition | Literal["nobody"], Known]
    nature: dict[Nature, Known]

    @cached_property
    def things(self) -> Mapping[str, tuple[tuple[Thing, str], ...]]:
        """
        By a singular word: the things that it is, and how it is put in.
        """
        found: dict[str, tuple[tuple[Thing, str], ...]] = {}
        for thing, words in self.said.items():
            for word, put in words.items() if isinstance(words, dict) else zip(words, words, strict=True):
                found[word] = (*found.get(word, ()), (thing, put))
        return found

    @cached_property
    def nouns(self) -> frozenset[str]:
        """
        Every word that names a kind of person, beast or thing.
        """
        return frozenset().union(*self.said.values(), *self.nature.values())


@dataclass(frozen=True)
class Setting:
    """
    One scene as the deck sees it.
    """

    story: StoryKind
    said: Mapping[Thing, tuple[str, ...]]
    """What the scene itself speaks of."""
    conditions: frozenset[Condition]
    words: frozenset[str]
    """Every word that it says, in small letters."""
    is_peopled: bool
    """Whether it speaks of others who are about; else they may be, where it says nothing of the place."""
    named: str
    """All that is said of what is done, of the place and of who is there, word by word in small letters."""

    def speaks_of(self, name: str) -> bool:
        """
        Whether a name is said: of somebody there, of the place, or in the intent. A fact may be of elsewhere.
        """
        words = " ".join(WORD.findall(name.casefold())).removeprefix("the ")
        return bool(words) and f" {words} " in self.named

    def word(self, thing: Thing, chance: Random) -> str:
        """
        Choose a word for a thing: one that the scene uses, else one of its kind of story.
        """
        return pick(self.said.get(thing) or story(self.story).things[thing], chance)


def pick(words: Sequence[str], chance: Random) -> str:
    """
    Pick one of several words; there must be one.
    """
    # Of all that chance can do, Python promises only that these numbers stay the same.
    return words[int(chance.random() * len(words))]


def setting_of(request: Request) -> Setting:
    """
    Read what a scene tells of itself.
    """
    scene, known = request.scene, scene_words()
    # A word in a name of one's own, as in Captain Wolf, tells nothing of the place.
    names = [each.name for each in scene.characters if each.importance not in ("pc", "named")]
    told = [request.action.intent, scene.summary, *(each.name for each in scene.aspects), *names]
    told += [text for zone in scene.zones for text in (zone.name, *zone.aspects)]
    about = [*told, *scene.facts, *(text for each in scene.characters for text in (each.name, *each.aspects))]
    words = frozenset(_words(" ".join(told)))
    said: dict[Thing, tuple[str, ...]] = {}
    for word in sorted(words):
        for thing, put in known.things.get(word, ()):
            said[thing] = (*said.get(thing, ()), put)
    shown = frozenset(each for each, those in known.needs.items() if not words.isdisjoint(those))
    is_peopled = "people" in shown
    is_described = bool(scene.summary or scene.aspects or scene.zones or scene.facts)
    everything = frozenset(_words(" ".join(about)))
    is_lonely = not known.needs["nobody"].isdisjoint(everything)
    conditions = frozenset(
        each for each in get_args(Condition) if each in shown or (each == "people" and not (is_described or is_lonely))
    )
    people = [text for each in scene.characters for text in (each.name, each.called or "", *each.aspects)]
    named = f" {' | '.join(' '.join(WORD.findall(text.casefold())) for text in (*told, *people))} "
    return Setting(_story(scene.tone, everything), said, conditions, words, is_peopled, named)


def things_in(text: str) -> Mapping[str, frozenset[Thing]]:
    """
    Find the things that a text names outright, by the words that it names them with.
    """
    known = scene_words().things
    return {word: frozenset(thing for thing, _ in known[word]) for word in _words(text) if word in known}


def nature_of(character: Character) -> Nature:
    """
    Tell from a name whether it is a beast's or a thing's; else it is a person's. Who has a name of their own, as
    Captain Wolf has, is a person.
    """
    first, *_ = character.name.casefold().split() or [""]
    if character.importance == "pc" or (character.importance == "named" and first not in ("the", "a", "an")):
        return "person"
    natures = scene_words().nature.items()
    for part in (_OF.split(character.name)[0], character.name):
        last = WORD.findall(part.casefold())[-1:]
        found = next((nature for word in _words(" ".join(last)) for nature, said in natures if word in said), None)
        if found is not None:
            return found
    return "person"


@cache
def story(kind: StoryKind) -> Story:
    """
    Read a kind of story.
    """
    return read_packaged(Story, _file(kind))


@cache
def _signs() -> Mapping[StoryKind, Signs]:
    """
    Read what tells each kind of story, and of its file no more.
    """
    return {kind: read_packaged(Signs, _file(kind), lambda line: line.startswith(_SIGNS)) for kind in STORIES}


def _file(kind: StoryKind) -> Traversable:
    return files("narrator.deck") / "stories" / f"{kind}.toml"


@cache
def scene_words() -> SceneWords:
    """
    Read what words of a scene mean.
    """
    return read_packaged(SceneWords, files("narrator.deck") / "scene.toml")


def _story(tone: str, words: frozenset[str]) -> StoryKind:
    """
    Name the kind of story: by its tone first, then by the words that show it.
    """
    named = f" {' '.join(WORD.findall(tone.casefold().replace('&', ' and ')))} "

    def weight(signs: Signs) -> int:
        in_tone = sum(f" {each} " in named for each in signs.tone)
        return TONE * in_tone + len(signs.words & words) + len(signs.words & frozenset(_words(tone)))

    weights = {name: weight(signs) for name, signs in _signs().items() if name != PLAIN}
    best = max(weights, key=lambda name: weights[name])
    return best if weights[best] else PLAIN


def _words(text: str) -> Iterator[str]:
    """
    Every word of a text in small letters, once, and what may be its singular.
    """
    for word in dict.fromkeys(WORD.findall(text.casefold())):
        yield word
        if word.endswith("men"):
            yield f"{word[:-3]}man"
        if word.endswith("ies"):
            yield f"{word[:-3]}y"
        if word.endswith("ves"):
            yield f"{word[:-3]}f"
        if word.endswith("es"):
            yield word[:-2]
        if word.endswith("s") and not word.endswith("ss"):
            yield word[:-1]
