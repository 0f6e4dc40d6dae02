"""Invocations: which aspects are in play, and what is left to pay for them with."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from narrator.errors import NarratorError, quoted
from narrator.rules.action import Invocation
from narrator.rules.cast import Cast
from narrator.rules.near import meant
from narrator.rules.scene import ANYONE, GM, Scene

BONUS = 2
"""What an invocation adds when it is no reroll ("When to Roll the Dice")."""

AspectKey = tuple[str, str | None]
"""An aspect in play: its name and its bearer, a character or a zone; None for the scene's own."""


def aspects_in_play(scene: Scene) -> tuple[AspectKey, ...]:
    """List the scene's aspects, its zones', its characters' and the consequences they have, in this order."""

    def each() -> Iterator[AspectKey]:
        yield from ((aspect.name, aspect.on) for aspect in scene.aspects)
        yield from ((name, zone.name) for zone in scene.zones for name in zone.aspects)
        yield from ((name, somebody.name) for somebody in scene.characters for name in somebody.aspects)
        for somebody in scene.characters:
            yield from ((level.name, somebody.name) for level in somebody.consequences or () if level.name)

    return tuple(dict.fromkeys(each()))


@dataclass
class Purse:
    """What is left of free invocations and fate points while one request is resolved."""

    aspects: tuple[AspectKey, ...]
    boosts: frozenset[AspectKey]
    free: dict[AspectKey, Counter[str]]
    fate_points: dict[str, int | None]
    of_gm: frozenset[str]
    attacked: str | None
    spent: dict[AspectKey, Counter[str]] = field(default_factory=dict)
    _paid: set[tuple[str, AspectKey]] = field(default_factory=set)

    @classmethod
    def of(cls, scene: Scene, cast: Cast, *, attacked: str | None) -> "Purse":
        """Count what the scene holds. A full defence counts where its bearer is attacked."""
        free: dict[AspectKey, Counter[str]] = {}
        for aspect in scene.aspects:
            if aspect.each_attack and aspect.on != attacked:
                continue
            free[aspect.name, aspect.on] = free.get((aspect.name, aspect.on), Counter()) + aspect.held
        points = {name: somebody.fate_points for name, somebody in cast.characters.items()}
        in_play = aspects_in_play(scene)
        lasting = scene.model_copy(update={"aspects": tuple(each for each in scene.aspects if not each.boost)})
        boosts = frozenset(in_play).difference(aspects_in_play(lasting))
        return cls(in_play, boosts, free, points, cast.of_gm, attacked)

    def find(self, name: str, on: str | None, place: str) -> AspectKey:
        """Find an aspect in play; without a bearer the scene's own is meant, else the only one of the name.

        Raises:
            NarratorError: `unknown_aspect`.
        """
        same = [key for key in self.aspects if key[0] == name]
        if not same:
            known = sorted({key[0] for key in self.aspects})
            message = f"{quoted(name)} is not in play{meant(name, known)}"
            raise NarratorError("unknown_aspect", f"{place}.aspect", message, known)
        if (name, on) in same:
            return name, on
        if on is None and len(same) == 1:
            return same[0]
        bearers = sorted(key[1] for key in same if key[1])
        raise NarratorError("unknown_aspect", f"{place}.on", f"{quoted(name)} is on somebody else", bearers)

    def pay(self, invocation: Invocation, by: str, roll: str, place: str) -> None:
        """Pay for an invocation on a roll: with the invoker's own free invocation, else one of the GM's where the
        invoker is no player's side, else one that is anyone's; or with a fate point, but for a boost.

        Raises:
            NarratorError: `unknown_aspect`, `no_free_invocation`, `no_fate_point`, `already_invoked`, or
                `bad_invocation` for a boost that is to be paid for.
        """
        key = self.find(invocation.aspect, invocation.on, place)
        if invocation.pay == "free":
            self._take_free(key, by, invocation.on, place)
        else:
            self._take_fate_point(key, by, roll, place)

    def can_pay(self, key: AspectKey, pay: str, by: str, roll: str) -> bool:
        """Whether somebody could pay for one more invocation on a roll."""
        if pay == "free":
            return self._holder(key, by) is not None
        return key not in self.boosts and (roll, key) not in self._paid and self.fate_points.get(by) != 0

    def _take_free(self, key: AspectKey, by: str, told: str | None, place: str) -> None:
        holder = self._holder(key, by)
        if holder is None:
            usable = sorted(
                name
                for name, on in self.free
                if self._holder((name, on), by) is not None and on == (told or self._meant(name))
            )
            raise NarratorError(
                "no_free_invocation", f"{place}.aspect", f"{by} holds no free invocation of {quoted(key[0])}", usable
            )
        self.free[key][holder] -= 1
        self.spent.setdefault(key, Counter())[holder] += 1

    def _holder(self, key: AspectKey, by: str) -> str | None:
        """Whose free invocation somebody would use: their own, the GM's, anyone's; None where there is none."""
        held = self.free.get(key, Counter())
        whose = (by, GM, ANYONE) if by in self.of_gm else (by, ANYONE)
        return next((each for each in whose if held[each] > 0), None)

    def _meant(self, name: str) -> str | None:
        """Whose aspect is meant where no bearer is named: the scene's own, else the only one's."""
        bearers = [on for each, on in self.aspects if each == name]
        return None if None in bearers or len(bearers) != 1 else bearers[0]

    def _take_fate_point(self, key: AspectKey, by: str, roll: str, place: str) -> None:
        if key in self.boosts:
            is_theirs = self._holder(key, by) is not None
            holders = by if is_theirs else " and ".join(sorted(+self.free.get(key, Counter()))) or "nobody"
            message = f"{quoted(key[0])} is a boost: it is invoked free, once, never paid for; it is held by {holders}"
            raise NarratorError("bad_invocation", f"{place}.pay", message, ["free"] if is_theirs else None)
        if (roll, key) in self._paid:
            message = f"{quoted(key[0])} was already paid for with a fate point on this roll"
            raise NarratorError("already_invoked", f"{place}.aspect", message)
        self._paid.add((roll, key))
        left = self.fate_points.get(by)
        if left == 0:
            raise NarratorError("no_fate_point", f"{place}.pay", f"{by} has no fate point left")
        if left is not None:
            self.fate_points[by] = left - 1
