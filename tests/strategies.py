"""Hypothesis strategies: requests that a packaged ruleset must resolve, sheets, any JSON, and what spoils a request.

A valid request is drawn from what the contract and the spec's table of opposition allow, never from what narrator
says: who is there, whose side they are on, what is in play, and what is left to pay with is kept count of here.
"""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from narrator.rules.json_text import Json
from narrator.rules.ruleset.loader import packaged_ruleset
from tests.documents import ATTACKS_IN, DEEDS, SKILLS
from tests.rules.build import FRAMES, LEVELS

GM = "GM"
ANYONE = "*"

NAMES = ("Ann", "Bea", "Cid", "Dov", "Eve")
SIDES = ("pc", "opposition", "wild")
ASPECTS = ("Torchlit Gate", "Thick Fog", "Sworn Foe", "Old Limp")
ZONES = ("Gatehouse", "South Road", "Marsh")
APPROACHES = ("Careful", "Clever", "Flashy", "Forceful", "Quick", "Sneaky")


# Sheets.

_tracks = st.lists(st.tuples(st.integers(1, 4), st.booleans()), max_size=4).map(
    lambda told: {"boxes": [box for box, _ in told], "marked": [box for box, is_marked in told if is_marked]}
)
_stress = st.dictionaries(st.sampled_from(("physical", "mental")), _tracks)
_consequences = st.lists(
    st.fixed_dictionaries({"severity": st.sampled_from(tuple(LEVELS))}, optional={"name": st.sampled_from(ASPECTS)}),
    max_size=4,
)


def sheets() -> st.SearchStrategy[Json]:
    """Sheets that are told whole, and partly full."""
    return st.fixed_dictionaries({"stress": _stress, "consequences": _consequences})


# Scenes.


def _characters(name: str, skills: tuple[str, ...], zones: list[str]) -> st.SearchStrategy[Json]:
    given: dict[str, st.SearchStrategy[Any]] = {"name": st.just(name), "side": st.sampled_from(SIDES)}
    optional: dict[str, st.SearchStrategy[Any]] = {
        "importance": st.sampled_from(("pc", "named", "nameless", "unknown")),
        "skills": st.dictionaries(st.sampled_from(skills), st.integers(-2, 6)),
        "aspects": st.lists(st.sampled_from(ASPECTS), max_size=2, unique=True),
        "fate_points": st.integers(0, 3),
        "stress": _stress,
        "consequences": _consequences,
        "weight": st.integers(0, 4),
        "bad_at": st.lists(st.sampled_from(skills), max_size=2, unique=True),
    }
    if zones:
        optional["zone"] = st.sampled_from(zones)
    return st.fixed_dictionaries(given, optional=optional)


Bearing = tuple[str, str | None]
"""An aspect in play: its name and who or what bears it."""


@dataclass
class Around:
    """What an action can name: people by side, what is in play, and what is left to pay with."""

    scene: Json
    actor: str
    friends: list[str]
    foes: list[str]
    aspects: list[Bearing] = field(default_factory=list)
    boosts: set[Bearing] = field(default_factory=set)
    free: dict[Bearing, dict[str, int]] = field(default_factory=dict)
    points: dict[str, int | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        people = self.scene.get("characters", [])
        for aspect in self.scene.get("aspects", []):
            bearing = (aspect["name"], aspect.get("on"))
            self.aspects.append(bearing)
            self.free[bearing] = dict(aspect.get("free_invocations", {}))
            if aspect.get("boost"):
                self.boosts.add(bearing)
        for bearer in (*self.scene.get("zones", []), *people):
            self.aspects += [(name, bearer["name"]) for name in bearer.get("aspects", [])]
        for somebody in people:
            taken = [each["name"] for each in somebody.get("consequences", []) if "name" in each]
            self.aspects += [(name, somebody["name"]) for name in taken]
            self.points[somebody["name"]] = somebody.get("fate_points")
        self.aspects = list(dict.fromkeys(self.aspects))

    def unmistakable(self) -> list[str]:
        """The names that mean one aspect without a bearer: the scene's own, or the only one of its name."""
        names = [name for name, _ in self.aspects]
        return [name for name in dict.fromkeys(names) if names.count(name) == 1 or (name, None) in self.aspects]

    def payable(self, invokers: list[str], paid: set[Bearing]) -> list[tuple[Bearing, str, str]]:
        """Each aspect, invoker and pay that can still be afforded; a boost is invoked for free and then gone."""
        return [
            (bearing, by, pay)
            for bearing in self.aspects
            for by in invokers
            for pay in ("free", "fate_point")
            if (
                self.holder(bearing, by)
                if pay == "free"
                else bearing not in self.boosts | paid and self.points.get(by) != 0
            )
        ]

    def holder(self, bearing: Bearing, by: str) -> str | None:
        """Whose free invocation an invoker would use: their own, the GM's where they are the GM's, else anyone's."""
        held = self.free.get(bearing, {})
        return next((who for who in (by, *([GM] if self.is_gms(by) else []), ANYONE) if held.get(who)), None)

    def is_gms(self, name: str) -> bool:
        """Whether no player's character is on somebody's side."""
        people = self.scene.get("characters", [])
        if not people:
            return name not in (self.actor, *self.friends)
        sides = {each["name"]: each["side"] for each in people}
        return sides.get(name) not in {each["side"] for each in people if each.get("importance") == "pc"}

    def pay(self, bearing: Bearing, by: str, pay: str) -> None:
        """Take what an invocation costs."""
        left = self.points.get(by)
        if pay == "free":
            holder = self.holder(bearing, by)
            assert holder is not None
            self.free[bearing][holder] -= 1
        elif left is not None:
            self.points[by] = left - 1


@st.composite
def _around(draw: st.DrawFn, skills: tuple[str, ...], least_zones: int) -> Around:
    """A scene and who is in it, listed or not."""
    zones = draw(st.lists(st.sampled_from(ZONES), min_size=least_zones, unique=True))
    scene: Json = {}
    if draw(st.booleans()) or zones:
        own = st.lists(st.sampled_from(ASPECTS), max_size=2, unique=True)
        scene["zones"] = [
            {"name": zone, "adjacent": [each for each in zones if each != zone], "aspects": draw(own)} for zone in zones
        ]
    names = draw(st.permutations(NAMES))
    if draw(st.booleans()):
        people = [draw(_characters(name, skills, zones)) for name in names[: draw(st.integers(1, len(NAMES)))]]
        scene["characters"] = people
        actor = people[0]["name"]
        side = {each["name"]: each["side"] for each in people}
        friends = [name for name in side if side[name] == side[actor] and name != actor]
        foes = [name for name in side if side[name] != side[actor]]
        bearers = [None, *side, *zones]
    else:
        actor, friends, foes = names[0], list(names[1:3]), list(names[3:])
        bearers = [None]
    scene["aspects"] = draw(_aspects(bearers, [actor, *friends, *foes, GM, ANYONE]))
    if draw(st.booleans()):
        scene["frame"] = draw(st.sampled_from(FRAMES))
    return Around(scene, actor, friends, foes or [GM])


def _aspects(bearers: list[str | None], holders: list[str]) -> st.SearchStrategy[list[Json]]:
    held = st.dictionaries(st.sampled_from(holders), st.integers(0, 3), max_size=3)
    one = st.sampled_from(holders).map(lambda holder: {"boost": True, "free_invocations": {holder: 1}})
    entry = st.builds(
        lambda name, on, more: {"name": name, **({"on": on} if on else {}), **more},
        st.sampled_from(ASPECTS),
        st.sampled_from(bearers),
        one | held.map(lambda free: {"free_invocations": free}),
    )
    return st.lists(entry, max_size=4, unique_by=lambda each: (each["name"], each.get("on")))


# Requests.

_faces = st.lists(st.integers(-1, 1), min_size=4, max_size=4)
_sometimes = st.booleans()


def requests(ruleset: str | None = None) -> st.SearchStrategy[Json]:
    """Requests that must be resolved: of one ruleset, or of any that is packaged."""
    if ruleset is not None:
        return _requests(ruleset)
    return st.sampled_from(tuple(DEEDS)).flatmap(_requests)


@st.composite
def _requests(draw: st.DrawFn, ruleset: str) -> Json:
    deed = draw(st.sampled_from(DEEDS[ruleset]))
    skills = SKILLS[ruleset][:6]
    variant = draw(st.sampled_from(deed.variants))
    spec = packaged_ruleset(ruleset).actions[deed.type]
    needs = spec.variant(variant or spec.all_variants[0]).needs
    around = draw(_around(skills, 2 if "path" in needs else 0))
    if deed.type == "attack" and around.scene.get("frame") not in ATTACKS_IN[ruleset]:
        around.scene["frame"] = "conflict"
    if "aspect" in needs and not around.unmistakable():
        around.scene["aspects"].append({"name": ASPECTS[0]})
        around = Around(around.scene, around.actor, around.friends, around.foes)
    action: Json = {"type": deed.type, "actor": around.actor, "opposition": {}}
    if variant or draw(_sometimes):
        action["variant"] = variant
    if maneuver := draw(st.sampled_from(deed.maneuvers)):
        action["maneuver"] = maneuver
    on_target = bool(deed.on_target) and (not deed.alone or draw(_sometimes))
    against: Json = {"kind": draw(st.sampled_from(deed.on_target if on_target else deed.alone))}
    action["opposition"] = against
    if on_target:
        action["target"] = draw(st.sampled_from(around.foes))
    if "aspect" in needs:
        action["aspect"] = draw(st.sampled_from(around.unmistakable()))
    elif draw(_sometimes):
        action["aspect"] = draw(st.sampled_from(("Sand in the Eyes", *ASPECTS)))
    if deed.type == "attack" and draw(_sometimes):
        told: dict[str, st.SearchStrategy[Any]] = {"track": st.sampled_from(("physical", "mental", "wealth"))}
        told |= dict.fromkeys(("melee", "heavy_weapon", "lethal"), _sometimes)
        action["attack"] = draw(st.fixed_dictionaries({}, optional=told))
    if "path" in needs:
        action["path"] = list(draw(st.permutations([zone["name"] for zone in around.scene["zones"]])))
    draw(_filled_in(action, around, skills, rolls=True, must_have_skill=variant == "roar"))
    draw(_opposed(against, action, around, skills))
    return _whole(draw, ruleset, around, action)


def _whole(draw: st.DrawFn, ruleset: str, around: Around, action: Json) -> Json:
    """The request around an action; a seed where any throw is left to it, and else sometimes."""
    sides = (action, action["opposition"])
    left_open = any(
        ("roll" not in each and each.get("kind", "active") in ("active", "defend"))
        or any(one["use"] == "reroll" and "dice" not in one for one in each.get("invocations", []))
        for each in sides
    )
    for each in sides:
        if "dice" in each.get("roll", {}) and packaged_ruleset(ruleset).weight is None and draw(_sometimes):
            each["roll"] = {"sum": sum(each["roll"]["dice"])}
    request: Json = {"ruleset": ruleset, "scene": around.scene, "action": action}
    if left_open or draw(_sometimes):
        request["seed"] = draw(st.integers(0, 10**6))
    if draw(_sometimes):
        request["per_slot"] = draw(st.integers(1, 10))
    return request


@st.composite
def _opposed(draw: st.DrawFn, against: Json, action: Json, around: Around, skills: tuple[str, ...]) -> None:
    """Fill in the opposition of this kind: what it says of the difficulty, or who rolls."""
    in_play = [name for name, _ in around.aspects]
    match against["kind"]:
        case "passive":
            against["rating"] = draw(st.integers(-3, 9))
        case "aspects" if in_play:
            against["hindering"] = draw(st.lists(st.sampled_from(in_play), max_size=3, unique=True))
        case "movement":
            on_the_path = [name for name, bearer in around.aspects if bearer in action["path"]]
            if on_the_path:
                against["hindering"] = draw(st.lists(st.sampled_from(on_the_path), max_size=3, unique=True))
        case "unseen_zone":
            against.update(base=draw(st.integers(1, 2)), distance=draw(st.integers(1, 4)))
            if in_play:
                against["hindering"] = draw(st.lists(st.sampled_from(in_play), max_size=2, unique=True))
        case "roar":
            against["rating"] = draw(st.integers(2, 6))
    rolls = against["kind"] in ("active", "defend")
    if rolls and not (against["kind"] == "defend" and "target" in action and draw(_sometimes)):
        against["by"] = draw(st.sampled_from(around.foes))
    draw(_filled_in(against, around, skills, rolls=rolls, target=action.get("target")))


@st.composite
def _filled_in(
    draw: st.DrawFn,
    side: Json,
    around: Around,
    skills: tuple[str, ...],
    *,
    rolls: bool,
    target: str | None = None,
    must_have_skill: bool = False,
) -> None:
    """Fill in one side of a roll: skill, roll, what adds to it, and invocations that can be paid for."""
    is_actor = "actor" in side
    by = side["actor"] if is_actor else side.get("by") or target or GM
    sides = {each["name"]: each["side"] for each in around.scene.get("characters", [])}
    beside = [foe for foe in around.foes if foe != by and sides.get(foe) == sides.get(by)]
    team = around.friends if is_actor else beside
    helpers: list[str] = []
    if rolls:
        if must_have_skill or draw(_sometimes):
            side["skill"] = draw(st.sampled_from(skills))
        for key, values in (
            ("attribute", st.sampled_from(skills)),
            ("bonus", st.integers(-3, 4)),
            ("full_defense", _sometimes),
        ):
            if draw(_sometimes):
                side[key] = draw(values)
        if draw(_sometimes) and team:
            helpers = draw(st.lists(st.sampled_from(team), max_size=2, unique=True))
            side["helpers"] = helpers
        rolled = draw(st.sampled_from(("dice", "total", "seed")))
        if rolled != "seed":
            side["roll"] = {rolled: draw(_faces if rolled == "dice" else st.integers(-6, 12))}
    can_reroll = rolls and "total" not in side.get("roll", {})
    invocations: list[Json] = []
    paid: set[Bearing] = set()
    for _ in range(draw(st.integers(0, 3))):
        payable = around.payable([by, *helpers], paid)
        if not payable:
            break
        bearing, invoker, pay = draw(st.sampled_from(payable))
        around.pay(bearing, invoker, pay)
        if pay == "fate_point":
            paid.add(bearing)
        name, bearer = bearing
        use = draw(st.sampled_from(("bonus", "reroll")[: 1 + can_reroll]))
        invocation: Json = {"aspect": name, "pay": pay, "use": use}
        if invoker != by or draw(_sometimes):
            invocation["by"] = invoker
        must_be_told = name not in around.unmistakable() or (name, None) in around.aspects
        if bearer is not None and (must_be_told or draw(_sometimes)):
            invocation["on"] = bearer
        if invocation["use"] == "reroll" and draw(_sometimes):
            invocation["dice"] = draw(_faces)
        invocations.append(invocation)
    if draw(_sometimes) or invocations:
        side["invocations"] = invocations


# JSON of any kind, and requests that are spoilt.

_scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(10**18, 10**40)
    | st.floats()
    | st.text()
    | st.sampled_from(("", "Ann", GM, ANYONE, "attack", "aspect", "active", "dice", "\x00", "\ud800", "a.b", "oneof:x"))
)


def any_json() -> st.SearchStrategy[Any]:
    """Whatever JSON can hold, and what Python's reader makes of its extensions."""
    return st.recursive(_scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12)


_KEYS = "version ruleset scene action characters aspects opposition kind roll dice invocations"


def almost_requests() -> st.SearchStrategy[Any]:
    """Objects with the keys of a request and anything behind them."""
    keys = st.text() | st.sampled_from(_KEYS.split())
    return st.recursive(_scalars, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=20)


Path = tuple[str | int, ...]


def paths(value: object, path: Path = ()) -> list[Path]:
    """Each place in a JSON value, as its keys and numbers; not the whole."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [each for key, inner in inside for each in ((*path, key), *paths(inner, (*path, key)))]


def changed(value: Any, path: Path, change: Callable[[Any, str | int], None]) -> Any:
    """A copy in which something was done to what holds the last part of a path."""
    copy = deepcopy(value)
    holder = copy
    for part in path[:-1]:
        holder = holder[part]
    change(holder, path[-1])
    return copy


@st.composite
def spoilt_requests(draw: st.DrawFn) -> Json:
    """Valid requests in which up to three things were deleted, replaced, moved or added."""
    request: Json = draw(requests())
    for _ in range(draw(st.integers(1, 3))):
        places = paths(request)
        if not places:
            break
        path = draw(st.sampled_from(places))
        with_what = draw(st.sampled_from(("nothing", "anything", "another part", "a new field")))
        new = draw(any_json())
        if with_what == "another part":
            new = deepcopy(at(request, draw(st.sampled_from(places))))

        def spoil(holder: Any, key: str | int, with_what: str = with_what, new: Any = new) -> None:
            if with_what == "nothing":
                del holder[key]
            elif with_what == "a new field" and isinstance(holder, dict):
                holder[f"{key}s"] = new
            else:
                holder[key] = new

        request = changed(request, path, spoil)
    return request


@st.composite
def misspelt_requests(draw: st.DrawFn) -> Json:
    """Valid requests in which one word is another: one that is known elsewhere, or nowhere."""
    request: Json = draw(requests())
    extra: Json = {"branch": "fail", "version": "narrator/v1"}
    request = {**request, **{key: value for key, value in extra.items() if draw(_sometimes)}}
    words = [path for path in paths(request) if isinstance(at(request, path), str)]
    path = draw(st.sampled_from(words))
    known = ("boost", "defend", "roar", "attack", "free", "fate_point")
    word = draw(st.sampled_from(("Nonesuch", *NAMES, *ASPECTS, *ZONES, *known)))

    def misspell(holder: Any, key: str | int) -> None:
        holder[key] = word

    return dict(changed(request, path, misspell))


def at(value: Any, path: Path) -> Any:
    """What stands at a path."""
    for part in path:
        value = value[part]
    return value
