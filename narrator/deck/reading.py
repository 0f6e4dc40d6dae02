"""A request as the deck reads it: who is there, what is done, and where."""

from collections.abc import Sequence
from functools import cached_property
from random import Random
from zlib import crc32

from narrator.deck.activity import deed_of
from narrator.deck.people import Person, person, thing_spoken_of
from narrator.deck.setting import nature_of, pick, scene_words, setting_of
from narrator.rules.action import Active, Request, Untold
from narrator.rules.cast import cast_of
from narrator.rules.language_tag import primary
from narrator.rules.opposition import defender_of, opposing_side
from narrator.rules.ruleset import Ruleset
from narrator.rules.scene import GM, Character
from narrator.validation.themes import barred


class Reading:
    """
    One request, and all that cards ask of it.
    """

    def __init__(self, request: Request, ruleset: Ruleset) -> None:
        scene = request.scene
        self.request = request
        self.setting = setting_of(request)
        self.deed = deed_of(request, ruleset)
        self.language = primary(scene.language)
        self.barred = barred((*scene.lines, *scene.veils))
        self._ruleset = ruleset
        self._cast = cast_of(request, ruleset.sheet)
        self.natures = {name: nature_of(each) for name, each in self._cast.characters.items()}
        passing = {"recent", "dealt", "revision", "tone"}
        told = request.model_dump_json(exclude={"seed": True, "deal": True, "scene": passing}, exclude_none=True)
        self._key = crc32(told.encode())

    def chance(self, of: str) -> Random:
        """
        Chance that the request alone decides.
        """
        return Random(f"{self._key} {of}")  # noqa: S311

    @cached_property
    def opposition(self) -> tuple[str, ...]:
        """
        Those on the other side, who rolls against the actor or is aimed at first; of one's own side only who opposes.
        """
        action, spec = self.request.action, self._ruleset.actions.get(self.request.action.type)
        helps = self.deed.activity in ("heal", "lead")
        defender = defender_of(self.request, spec) if spec and not helps else None
        opposing = opposing_side(self.request, self._cast, defender)
        is_helped = helps and not self._cast.is_told
        first = [name for name in (self._rolls_against, None if is_helped else action.target) if name]
        others = [name for name in self._cast.characters if not is_helped]
        return tuple(name for name in dict.fromkeys((*first, *others)) if name in (GM, *opposing))

    @cached_property
    def opponent(self) -> str | None:
        """
        The first of them who is somebody.
        """
        return next((name for name in self.opposition if name != GM), None)

    @property
    def track(self) -> str | None:
        """
        The stress track that an attack is on; where there is one for all harm, as cards call it.
        """
        if len(self._ruleset.sheet.stress) > 1:
            return self._ruleset.track(self.request.action.attack.track)
        return "mental" if "talk" in self.deed.families else "physical"

    @cached_property
    def several(self) -> frozenset[str]:
        """
        The names of those who are several people or beasts.
        """
        return frozenset(name for name in self._cast.characters if self.person(name).is_plural)

    @cached_property
    def object(self) -> str | None:
        """
        What the deed is done to: in a fight or in talk whoever opposes it, else what the intent says.
        """
        is_on_them = bool(self.deed.families & {"fight", "talk"}) and self.deed.activity not in ("lead", "perform")
        if is_on_them and self.opponent is not None:
            return self.opponent
        said = self.deed.object
        meant = (name for name in self._cast.characters if said and _is_meant(said, self._cast[name]))
        return next(meant, said)

    def recipient(self, names: Sequence[str], chance: Random) -> str | None:
        """
        Say whom words are for: the actor where they may be, else who opposes or is aimed at, else one of several.
        """
        action = self.request.action
        first = (name for name in (action.actor, self._rolls_against, action.target) if name in names)
        return next(first, None) or (pick(names, chance) if names else None)

    def aspect(self, chance: Random) -> str | None:
        """
        Choose an aspect in play of the scene or its zones: what a card may speak of by name.
        """
        return pick(self._aspects, chance) if self._aspects else None

    def concerned(self, chance: Random) -> str | None:
        """
        Choose the aspect that words without a roll are about: the one that was meant; else one of whoever was, if they
        have any; else any.
        """
        action = self.request.action
        own = self._cast[action.actor].aspects
        return action.aspect or (pick(own, chance) if own else self.aspect(chance))

    def person(self, name: str, *, is_english: bool = True) -> Person:
        """
        Tell how somebody, or the object, is spoken of.
        """
        if name not in self._cast.characters:
            return thing_spoken_of(name)
        return person(self._cast[name], scene_words().nouns, is_english=is_english)

    @cached_property
    def _rolls_against(self) -> str | None:
        opposition = self.request.action.opposition
        return opposition.by if isinstance(opposition, Active | Untold) else None

    @cached_property
    def _aspects(self) -> tuple[str, ...]:
        scene = self.request.scene
        people = {each.name for each in scene.characters}
        named = [each.name for each in scene.aspects if not each.boost and each.on not in people]
        return tuple(dict.fromkeys([*named, *(name for zone in scene.zones for name in zone.aspects)]))


def _is_meant(said: str, character: Character) -> bool:
    """
    Whether words of an intent are a character's name, or a part of it.
    """
    names = (character.name, character.called or character.name)
    words = said.casefold().removeprefix("the ").split()
    return any(words == name.casefold().removeprefix("the ").split()[: len(words)] for name in names)
