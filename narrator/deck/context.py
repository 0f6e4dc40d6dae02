"""The context of a request, for the deck: the people, the deed, and the scene's own words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from importlib.resources import files
from random import Random
from typing import Annotated, Any
from zlib import crc32

from pydantic import BeforeValidator

from narrator.deck.deeds import WORD, deed_of
from narrator.deck.grammar import Person, name_words, person
from narrator.language.lexicon_file import parted
from narrator.rules.model import LIST, Model, Name
from narrator.rules.request.action import Request
from narrator.rules.request.language_tag import primary
from narrator.rules.request.scene import CONTESTS, GM, Character
from narrator.rules.resolve.opposition import defender_of, opposing_side, said_to_oppose
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.ruleset.card import NATURES, Condition, Nature, Thing
from narrator.rules.toml_file import read_packaged
from narrator.validation.themes import barred

# What may follow the telling word of a name: "of the North", "K9".
_OF = re.compile(r"\s(?:of|from|in|at|with|[\w-]*\d[\w-]*)(?:\s|$)")
_SENTENCE = re.compile(r"(?<=[.!?])\s")
_SINGULARS = (("men", "man"), ("ies", "y"), ("ves", "f"), ("es", ""), ("s", ""))

CueWords = Annotated[frozenset[Name], LIST, parted(",")]
"""Words that show something if they occur."""

_each_itself = BeforeValidator(lambda given: {word: word for word in given} if isinstance(given, list) else given)


class SceneWords(Model):
    """What words of a scene's text mean for the deck. `said` also has the wording of each thing on cards."""

    said: dict[Thing, Annotated[dict[Name, Name], _each_itself, parted(",")]]
    needs: dict[Condition, CueWords]
    nature: dict[Nature, CueWords]

    @cached_property
    def nouns(self) -> frozenset[str]:
        """All words for kinds of persons, beasts or things."""
        return frozenset().union(*self.said.values(), *self.nature.values())

    def natures_in(self, phrase: str) -> Iterator[Nature]:
        """The natures that the last word of a phrase names."""
        words = tuple(_singulars(WORD.findall(phrase.casefold())[-1:]))
        return (nature for word in words for nature, those in self.nature.items() if word in those)


class SceneText:
    """What the text of a scene shows: its things in its own words, its conditions, and its names."""

    def __init__(self, request: Request) -> None:
        scene, known = request.scene, scene_words()
        # A word in a proper name, such as Captain Wolf, says nothing about the place.
        nameless = [each.name for each in scene.characters if each.importance not in ("pc", "named")]
        told = [request.action.intent, scene.summary, *(each.name for each in scene.aspects), *nameless]
        told += [text for zone in scene.zones for text in (zone.name, *zone.aspects)]
        people = [name for each in scene.characters if not each.is_out for name in (each.name, each.called or "")]
        words = frozenset(_singulars(WORD.findall(" ".join(told).casefold())))
        puts = {thing: tuple(those[word] for word in those if word in words) for thing, those in known.said.items()}
        self.things = {thing: those for thing, those in puts.items() if those}
        self.conditions = frozenset(each for each, those in known.needs.items() if not words.isdisjoint(those))
        place = (
            scene.summary,
            request.action.intent,
            *(each.name for each in scene.aspects),
            *(each.name for each in scene.zones),
        )
        self._tone, self._there = _plain((scene.tone,)), _plain((*place, *people))
        # Only the first sentence of a summary surely names the present place.
        self._place = _plain((_SENTENCE.split(scene.summary, maxsplit=1)[0], *place[1:]))

    def speaks_of(self, name: str) -> bool:
        """Whether a name is a person's here, or occurs in the place or the intent. Facts and characters' aspects don't
        count, since they may be about elsewhere.
        """
        return _is_in(name, self._there)

    def is_at(self, name: str) -> bool:
        """Whether a name occurs in the place or the intent."""
        return _is_in(name, self._place)

    def is_told(self, story: str) -> bool:
        """Whether the scene's tone names a kind of story."""
        return _plain((story,)) in self._tone


def pick_one(words: Sequence[str], chance: Random) -> str:
    """Pick one of several words. There must be at least one."""
    # Of all methods of Random, Python promises only that `random` stays the same between versions.
    return words[int(chance.random() * len(words))]


def nature_of(character: Character) -> Nature | None:
    """Find somebody's nature by the last word of their name or of their first aspect. None if neither shows it. A
    player's character, or one with a title such as Captain Wolf, is a person unless an aspect shows otherwise.
    """
    first, *_ = character.name.casefold().split() or [""]
    is_own = character.importance == "pc" or first.rstrip(".") in name_words().titles
    told = character.aspects[:1] if is_own else (character.name, character.called or "", *character.aspects[:1])
    found = (
        nature for text in told for part in (_OF.split(text)[0], text) for nature in scene_words().natures_in(part)
    )
    is_somebody = is_own or character.importance == "named" or character.pronouns not in (None, "it", "it/its")
    return next(found, "person" if is_somebody else None)


@cache
def scene_words() -> SceneWords:
    """Read the meanings of a scene's words."""
    return read_packaged(SceneWords, files("narrator.deck") / "scene.toml")


def _is_in(name: str, told: str) -> bool:
    words = _plain((name,)).removeprefix(" the ").strip()
    return bool(words) and f" {words} " in told


def _plain(texts: Iterable[str]) -> str:
    return f" {' | '.join(' '.join(WORD.findall(text.casefold())) for text in texts)} "


def _singulars(words: Iterable[str]) -> Iterator[str]:
    """Give each word once, and its possible singulars."""
    for word in dict.fromkeys(words):
        yield word
        yield from (word.removesuffix(many) + one for many, one in _SINGULARS if word.endswith(many))


_PASSING: Any = {
    **dict.fromkeys(("recent", "dealt", "struck", "revision", "tone", "id", "stage", "ended", "clocks", "away"), True),
    **dict.fromkeys(("gm_fate_points", "gm_carried", "contest", "challenge", "conflict"), True),
    "aspects": {"__all__": {"id", "lasting"}},
    "characters": {
        "__all__": {
            **dict.fromkeys(("id", "refresh", "fate_points_owed", "conceded"), True),
            "consequences": {"__all__": {"recovering", "taken_here"}},
        }
    },
}
"""The fields of a scene that don't affect the deal, since they change from roll to roll."""


class Context:
    """A request, and all that cards need to know of it."""

    def __init__(self, ruling: Ruling) -> None:
        self.ruling = ruling
        self.request = request = ruling.request
        self.ruleset = ruling.ruleset
        self._cast = ruling.cast
        scene = request.scene
        self.said = SceneText(request)
        self.deed = deed_of(request, ruling.ruleset)
        self.language = primary(scene.language)
        self.barred = barred((*scene.lines, *scene.veils))
        told = request.model_dump_json(exclude={"seed": True, "deal": True, "scene": _PASSING}, exclude_none=True)
        self._key = crc32(told.encode())

    def chance(self, of: str) -> Random:
        """Make a random generator that depends only on the request and `of`."""
        return Random(f"{self._key} {of}")  # noqa: S311

    @cached_property
    def opposition(self) -> tuple[str, ...]:
        """The people on the other side, first who rolls or is aimed at. Of the actor's side, only who opposes."""
        action, spec = self.request.action, self.ruleset.actions.get(self.request.action.type)
        helps = self.deed.activity in ("heal", "lead")
        defender = defender_of(self.request, spec) if spec and not helps else None
        opposing = opposing_side(self.request, self._cast, defender)
        # Somebody who is helped is no opposition, even without sides.
        others = () if helps and not self._cast.is_told else (action.target, *self._cast.characters)
        first = dict.fromkeys((said_to_oppose(self.request), *others))
        return tuple(name for name in first if name and name in (GM, *opposing))

    @cached_property
    def opponent(self) -> str | None:
        """The first of the opposition who is involved. Others in the scene may be far away."""
        action, frame = self.request.action, self.request.scene.frame
        spec = self.ruleset.actions.get(action.type)
        is_fought = spec is not None and (spec.is_attack or spec.is_defense)
        is_here = is_fought or frame in (*CONTESTS, "conflict") or action.opposition.kind in ("active", "defend")
        said = {word.removesuffix("'s").removesuffix("’s") for word in WORD.findall(action.intent.casefold())}
        for name in (name for name in self.opposition if name != GM):
            words = WORD.findall(f"{name} {self._cast[name].called or ''}".casefold())
            is_named = not said.isdisjoint(word for word in words if word not in ("the", "of", "a", "an", "and"))
            if is_here or is_named or name in (said_to_oppose(self.request), action.target):
                return name
        return None

    @property
    def track(self) -> str | None:
        """The stress track of an attack. If there is one track for all harm, the name that cards use."""
        is_talk = self.deed.family == "talk" and self.request.action.attack.track is None
        one_for_all = "mental" if is_talk else "physical"
        is_one = len(self.ruleset.sheet.stress) == 1
        return one_for_all if is_one or is_talk else self.ruling.track

    @cached_property
    def object(self) -> str | None:
        """What the deed is done to, in the intent's words. None if that is a person."""
        said = self.deed.object or ""
        is_somebody = "person" in scene_words().natures_in(said) or any(
            said.casefold().removeprefix("the ") in f"{name} {each.called or ''}".casefold()
            for name, each in self._cast.characters.items()
        )
        return None if is_somebody or not said else said

    def may_be(self, name: str, natures: Sequence[Nature]) -> bool:
        """Whether somebody has one of these natures. If theirs is unknown, only a card for all natures fits."""
        nature = nature_of(self._cast[name])
        return set(natures).issuperset(NATURES if nature is None else (nature,))

    def aspect(self, chance: Random) -> str | None:
        """Choose an aspect for a card: the scene's or a zone's. Without a roll, the request's or its character's."""
        action, aspects = self.request.action, self._aspects
        if action.type not in self.ruleset.actions:
            aspects = ((action.aspect,) if action.aspect else self._cast[action.actor].aspects) or aspects
        return pick_one(aspects, chance) if aspects else None

    def person(self, name: str, *, is_english: bool = True) -> Person:
        """Say how a text refers to somebody, or to the object."""
        who = self._cast[name] if name in self._cast.characters else name
        return person(who, scene_words().nouns, is_english=is_english)

    @cached_property
    def _aspects(self) -> tuple[str, ...]:
        scene = self.request.scene
        people = {each.name for each in scene.characters}
        named = [each.name for each in scene.aspects if not each.boost and each.on not in people]
        return tuple(dict.fromkeys([*named, *(name for zone in scene.zones for name in zone.aspects)]))
