"""Weight: which side outweighs the other in a zone, and the dice it turns ("Weight", "Swarms")."""

from dataclasses import dataclass

from narrator.rules.action import Request
from narrator.rules.cast import Cast
from narrator.rules.dice import Faces
from narrator.rules.ruleset import Ruleset
from narrator.rules.scene import Character


@dataclass(frozen=True)
class Balance:
    """The weight of both sides where they meet, and how many dice each turns."""

    ours: int = 0
    theirs: int = 0
    our_dice: int = 0
    their_dice: int = 0


NO_WEIGHT = Balance()


def weigh(request: Request, ruleset: Ruleset, cast: Cast, opponent: str | None) -> Balance:
    """Weigh the actor's side in a zone against the opponent's, or against all others where nobody is named.

    It counts in the actor's zone, in a charge in the target's; foes in different zones do not weigh.
    """
    rules, action = ruleset.weight, request.action
    if rules is None or action.weight_matters is False:
        return NO_WEIGHT
    actor = cast[action.actor]
    maneuver = ruleset.maneuvers.get(action.maneuver or "")
    multiplied = maneuver.own_weight if maneuver else 1
    runs_in = multiplied > 1
    foe = cast[opponent] if opponent is not None else None
    zone = foe.zone if runs_in and foe else actor.zone
    if foe is not None and foe.zone != zone:
        return NO_WEIGHT
    others = [each for each in cast.present if each.zone == zone and each.name != actor.name]
    own = actor.weight * multiplied
    ours = own + sum(each.weight for each in others if each.side == actor.side)
    theirs = sum(each.weight for each in others if _is_against(each, actor, foe))
    if not ours or not theirs:
        return Balance(ours, theirs)
    counts = action.weight_matters or action.type in rules.actions
    spec = ruleset.actions[action.type]
    return Balance(
        ours=ours,
        theirs=theirs,
        our_dice=_dice(ours, theirs, ruleset, spec.is_attack) if counts else 0,
        their_dice=_dice(theirs, ours, ruleset, spec.is_defense) if counts else 0,
    )


def turn_up(dice: Faces, number: int) -> Faces:
    """Turn so many of the lowest dice to +, the leftmost first.

    >>> turn_up((0, 0, -1, 1), 1), turn_up((0, -1, 1, -1), 2)
    ((0, 0, 1, 1), (0, 1, 1, 1))
    """
    lowest = sorted(range(len(dice)), key=lambda place: dice[place])[:number]
    first, second, third, fourth = (1 if place in lowest else face for place, face in enumerate(dice))
    return first, second, third, fourth


def is_swarm_outweighing(character: Character, its_side: int, its_foes: int) -> bool:
    """Say whether this is a swarm that outweighs its foes: then only what strikes a whole zone hurts it, and
    nothing makes it go anywhere.
    """
    return character.importance == "swarm" and its_side > its_foes


def _is_against(character: Character, actor: Character, foe: Character | None) -> bool:
    return character.side == foe.side if foe is not None else character.side != actor.side


def _dice(weight: int, foes: int, ruleset: Ruleset, attacks: bool) -> int:
    assert ruleset.weight is not None, "whoever asks has weight rules"
    if attacks and weight >= ruleset.weight.two_dice * foes:
        return 2
    return 1 if weight >= ruleset.weight.one_die * foes else 0
