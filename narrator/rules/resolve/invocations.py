"""Invocations: the aspects in play, and the means to pay for invoking them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from narrator.errors import RequestError, quoted
from narrator.rules.request.action import Invocation
from narrator.rules.request.scene import ANYONE, GM, Scene
from narrator.rules.resolve.cast import Cast
from narrator.rules.typo import meant

BONUS = 2
"""What an invocation adds when used as a bonus ("When to Roll the Dice")."""

AspectKey = tuple[str, str | None]
"""An aspect in play: its name and its bearer, which is None for the scene's own."""


def aspects_in_play(scene: Scene) -> tuple[AspectKey, ...]:
    """List the aspects of the scene, its zones and its characters, then the consequences."""

    def each() -> Iterator[AspectKey]:
        yield from ((aspect.name, aspect.on) for aspect in scene.aspects)
        yield from ((name, zone.name) for zone in scene.zones for name in zone.aspects)
        yield from ((name, somebody.name) for somebody in scene.characters for name in somebody.aspects)
        for somebody in scene.characters:
            yield from ((level.name, somebody.name) for level in somebody.consequences or () if level.name)

    return tuple(dict.fromkeys(each()))


@dataclass
class Purse:
    """The free invocations and fate points that are left while a request is resolved."""

    aspects: tuple[AspectKey, ...]
    boosts: frozenset[AspectKey]
    free: dict[AspectKey, Counter[str]]
    fate_points: dict[str, int | None]
    of_gm: frozenset[str]
    npcs: frozenset[str]
    attacked: str | None
    spent: dict[AspectKey, Counter[str]] = field(default_factory=dict)
    bought: list[tuple[str, AspectKey]] = field(default_factory=list)
    """Who paid a fate point, and for which aspect."""
    _paid: set[tuple[str, AspectKey]] = field(default_factory=set)

    @classmethod
    def of(cls, scene: Scene, cast: Cast, *, attacked: str | None) -> "Purse":
        """Count what the scene has. A full defence counts only if its bearer is attacked."""
        free: dict[AspectKey, Counter[str]] = {}
        for aspect in scene.aspects:
            if aspect.each_attack and aspect.on != attacked:
                continue
            free[aspect.name, aspect.on] = free.get((aspect.name, aspect.on), Counter()) + aspect.held
        points = {name: somebody.fate_points for name, somebody in cast.characters.items()}
        points[GM] = scene.gm_fate_points
        in_play = aspects_in_play(scene)
        lasting = scene.model_copy(update={"aspects": tuple(each for each in scene.aspects if not each.boost)})
        boosts = frozenset(in_play).difference(aspects_in_play(lasting))
        npcs = frozenset(name for name, each in cast.characters.items() if each.importance != "pc")
        return cls(in_play, boosts, free, points, cast.of_gm, npcs, attacked)

    def find(self, name: str, on: str | None, place: str, usable: Iterable[str] = ()) -> AspectKey:
        """Find an aspect in play, or raise `unknown_aspect` with the `usable` ones."""
        if (found := self._meant(name, on)) is not None:
            return found
        names = {key[0] for key in self.aspects}
        if name not in names:
            message = f"{quoted(name)} is not in play{meant(name, names)}"
            raise RequestError("unknown_aspect", f"{place}.aspect", message, usable)
        bearers = sorted(key[1] for key in self.aspects if key[0] == name and key[1])
        whose = "on somebody else" if bearers else "the scene's own: omit on"
        raise RequestError("unknown_aspect", f"{place}.on", f"{quoted(name)} is {whose}", bearers)

    def pay(self, invocation: Invocation, by: str, roll: str, place: str) -> None:
        """Pay for an invocation on a roll.

        A free invocation is the invoker's own, or else the GM's if the invoker is not on a players' side, or else
        anyone's. A fate point pays for any aspect except a boost.

        Raises:
            NarratorError: `unknown_aspect`, `no_free_invocation`, `no_fate_point`, `already_invoked`, or
                `bad_invocation` for a fate point on a boost.
        """
        on, pay = invocation.on, invocation.pay
        payable = (each for each in self.aspects if self.can_pay(each, pay, by, roll))
        # Evaluated only if something is refused.
        usable = (each[0] for each in payable if each == self._meant(each[0], on))
        key = self.find(invocation.aspect, on, place, usable)
        if pay == "free":
            self._take_free(key, by, usable, place)
        else:
            self._take_fate_point(key, by, roll, place)

    def can_pay(self, key: AspectKey, pay: str, by: str, roll: str) -> bool:
        """Whether somebody could pay for another invocation on a roll."""
        if pay == "free":
            return self._holder(key, by) is not None
        return key not in self.boosts and (roll, key) not in self._paid and self.fate_points.get(self._payer(by)) != 0

    def _take_free(self, key: AspectKey, by: str, usable: Iterable[str], place: str) -> None:
        holder = self._holder(key, by)
        if holder is None:
            message = f"{by} has no free invocation of {quoted(key[0])}"
            raise RequestError("no_free_invocation", f"{place}.aspect", message, usable)
        self.free[key][holder] -= 1
        self.spent.setdefault(key, Counter())[holder] += 1

    def _holder(self, key: AspectKey, by: str) -> str | None:
        """Return whose free invocation somebody would use: their own, the GM's or anyone's, or None."""
        held = self.free.get(key, Counter())
        whose = (by, GM, ANYONE) if by in self.of_gm else (by, ANYONE)
        return next((each for each in whose if held[each] > 0), None)

    def _meant(self, name: str, on: str | None) -> AspectKey | None:
        """Return the aspect, if any. Without a bearer, it is the scene's own or the only one with this name."""
        same = [key for key in self.aspects if key[0] == name]
        only = same[0] if on is None and len(same) == 1 else None
        return (name, on) if (name, on) in same else only

    def _take_fate_point(self, key: AspectKey, by: str, roll: str, place: str) -> None:
        if key in self.boosts:
            is_theirs = self._holder(key, by) is not None
            holders = by if is_theirs else " and ".join(sorted(+self.free.get(key, Counter()))) or "nobody"
            message = f"{quoted(key[0])} is a boost and can't be paid for: its one free use belongs to {holders}"
            raise RequestError("bad_invocation", f"{place}.pay", message, ["free"] if is_theirs else None)
        if (roll, key) in self._paid:
            message = f"{quoted(key[0])} was already paid for with a fate point on this roll"
            raise RequestError("already_invoked", f"{place}.aspect", message)
        self._paid.add((roll, key))
        self.bought.append((by, key))
        payer = self._payer(by)
        left = self.fate_points.get(payer)
        if left == 0:
            raise RequestError("no_fate_point", f"{place}.pay", f"{payer} has no fate point left")
        if left is not None:
            self.fate_points[payer] = left - 1

    def _payer(self, by: str) -> str:
        """Return whose fate points somebody uses. An NPC whose points are not counted uses the GM's."""
        return GM if by in self.npcs and self.fate_points.get(by) is None else by
