"""Zones: what opposes moving through them and seeing into them ("Movement on the Battlefield", "Zone Aspects")."""

from collections import Counter

from narrator.errors import NarratorError, quoted
from narrator.rules.action import Movement, Request, UnseenZone
from narrator.rules.scene import Scene

PER_ZONE = 2
"""What each zone beyond the first adds."""

PER_ASPECT = 2
"""What each adverse aspect adds."""


def path_of(request: Request) -> tuple[str, ...]:
    """Return the path of a movement: the zone left, those passed, and the last.

    Raises:
        NarratorError: `bad_request` without a path of two zones, `unknown_zone` for one the scene does not have.
    """
    path = request.action.path or ()
    if len(path) < 2:
        raise NarratorError(
            "bad_request", "action.path", "a movement wants its zones: the first, those passed, the last"
        )
    known = [zone.name for zone in request.scene.zones]
    for place, name in enumerate(path):
        if known and name not in known:
            raise NarratorError("unknown_zone", f"action.path.{place}", "the scene has no such zone", known)
    return path


def movement_rating(request: Request, against: Movement) -> int:
    """Rate the way: 2 for each zone beyond the first, and 2 for each adverse aspect on it.

    Raises:
        NarratorError: `unknown_aspect` for one that no zone of the path has, and as `path_of`.
    """
    path = path_of(request)
    on_the_way = zone_aspects(request.scene, path)
    left = Counter(on_the_way)
    for place, name in enumerate(against.hindering):
        left[name] -= 1
        if request.scene.zones and left[name] < 0:
            field = f"action.opposition.hindering.{place}"
            message = f"{quoted(name)} is no aspect of a zone on the path, or not as often"
            raise NarratorError("unknown_aspect", field, message, sorted(each for each in left if left[each] > 0))
    return PER_ZONE * (len(path) - 2) + PER_ASPECT * len(against.hindering)


def unseen_zone_rating(against: UnseenZone) -> int:
    """Rate the view: the base, 2 for each aspect that hinders it, and 2 for each zone between."""
    return against.base + PER_ASPECT * len(set(against.hindering)) + PER_ZONE * (against.distance - 1)


def zone_aspects(scene: Scene, path: tuple[str, ...]) -> tuple[str, ...]:
    """List the aspects of the zones on a path, each as often as a zone has it."""
    found = {(zone.name, aspect) for zone in scene.zones if zone.name in path for aspect in zone.aspects}
    found |= {(aspect.on, aspect.name) for aspect in scene.aspects if aspect.on in path}
    return tuple(aspect for _, aspect in sorted(found))
