"""Weight: which side outweighs the other in a zone, and how many dice it turns ("Weight", "Swarms")."""

from dataclasses import dataclass

from narrator.rules.request.action import Request
from narrator.rules.request.scene import Character
from narrator.rules.resolve.cast import Cast
from narrator.rules.ruleset.ruleset import Ruleset


@dataclass(frozen=True)
class Balance:
    """The weight of both sides where they meet, and how many dice each turns."""

    ours: int = 0
    theirs: int = 0
    our_dice: int = 0
    their_dice: int = 0


def weigh(request: Request, ruleset: Ruleset, cast: Cast, opponent: str | None) -> Balance:
    """Weigh the actor's side in a zone against the opponent's, or against all others without an opponent.

    Weight counts in the actor's zone or, in a charge, in the target's. It does not count between different zones.
    """
    rules, action = ruleset.weight, request.action
    if rules is None or action.weight_matters is False:
        return Balance()
    actor = cast[action.actor]
    maneuver = ruleset.maneuvers.get(action.maneuver or "")
    multiplied = maneuver.own_weight if maneuver else 1
    foe = cast[opponent] if opponent is not None else None
    zone = foe.zone if foe and multiplied > 1 else actor.zone
    if foe is not None and foe.zone != zone:
        return Balance()
    others = [each for each in cast.present if each.zone == zone and each.name != actor.name]
    ours = actor.weight * multiplied + sum(each.weight for each in others if each.side == actor.side)
    foes = {foe.side} if foe is not None else {each.side for each in others} - {actor.side}
    theirs = sum(each.weight for each in others if each.side in foes)
    if not (ours and theirs and (action.weight_matters or action.type in rules.actions)):
        return Balance(ours, theirs)
    spec = ruleset.actions[action.type]
    our_dice, their_dice = rules.dice(ours, theirs, spec.is_attack), rules.dice(theirs, ours, spec.is_defense)
    return Balance(ours, theirs, our_dice, their_dice)


def is_swarm_outweighing(character: Character, its_side: int, its_foes: int) -> bool:
    """Return whether a swarm outweighs its foes. Then only zone-wide attacks hurt it, and nothing moves it."""
    return character.importance == "swarm" and its_side > its_foes
