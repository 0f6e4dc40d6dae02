"""What the rules found, as phrases of plain text. Every surface escapes them and lays them out."""

from collections.abc import Iterable

from narrator.rules.request.scene import Character
from narrator.rules.resolve.resolution import Branch, FormOffer, Grant
from narrator.rules.ruleset.row import FAIL, Goal
from narrator.rules.settle.suggestion import Suggestion

GOALS: dict[Goal, str] = {
    "attained": "the goal is attained",
    "not_attained": "the goal is not attained",
    "lesser": "a lesser version of the goal is attained",
    "opponent_decides": "the opponent's action decides",
}

PAYS = {"free": "free", "fate_point": "for a fate point"}

STATES = {
    "lethal_next_attack": "the next attack is lethal",
    "forfeits_next_contest_roll": "forfeits the next roll of the contest",
    "disarmed": "disarmed",
    "taken_out": "taken out",
    "conceded": "conceded",
}
"""States of a character that last until something ends them."""

GRANTS: dict[str, tuple[str, str]] = {
    "stress": ("{number} stress", ""),
    "legend_points": ("regains {amount}, or more of those spent", "legend point"),
    "forfeit_next_contest_roll": ("forfeits the next roll of the contest", ""),
    "move": ("moves {amount}", "zone"),
    "may_move": ("may move {amount} along", "zone"),
    "lethal_next_attack": ("the next attack is lethal: stress cannot absorb it", ""),
    "free_invocation_each_attack": ("{amount} against each attack, until the next action", "free invocation"),
    "roar": ("roars", ""),
    "loses_roar": ("the roar is over", ""),
}
"""The phrase for each grant, and the unit of its amount."""

GM_ALONE = "for the GM alone"
"""Marks a secret wherever it is shown."""

_ADVANTAGE = "create_advantage"

_ONLY_TRACK = "stress"
"""The name of the track in rulesets with only one. Phrases need not say which it is."""


def plain(name: str) -> str:
    """Return a name from the rules as people say it.

    >>> plain("create_advantage")
    'create advantage'
    """
    return name.replace("_", " ")


def deed(action: str, *, is_plural: bool = False) -> str:
    """Say what somebody does, or several do.

    >>> deed("overcome"), deed("create_advantage"), deed("attack", is_plural=True)
    ('overcomes', 'creates an advantage', 'attack')
    """
    verb, _, rest = plain(action).partition(" ")
    more = " an advantage" if action == _ADVANTAGE else f" {rest}" if rest else ""
    return f"{verb}{'' if is_plural else 's'}{more}"


def either(names: Iterable[str], word: str = "or") -> str:
    """List names.

    >>> either(["Ann", "Bea", "Cid"])
    'Ann, Bea or Cid'
    """
    *first, last = [*names] or ["nobody"]
    return f"{', '.join(first)} {word} {last}" if first else last


def count(number: int, thing: str) -> str:
    """Count things.

    >>> count(1, "free invocation"), count(2, "free invocation")
    ('1 free invocation', '2 free invocations')
    """
    return f"{number} {thing}{'' if abs(number) == 1 else 's'}"


def outcome(name: str, shifts: int | None) -> str:
    """Say an outcome and by how many shifts, if known.

    >>> outcome("fail", -1), outcome("tie", 0), outcome("succeed_with_style", None)
    ('fail by 1', 'tie', 'succeed with style')
    """
    return f"{plain(name)} by {abs(shifts)}" if shifts else plain(name)


def aspect(name: str, on: str | None) -> str:
    """Name an aspect, with its bearer if it has one."""
    return f"{name} (on {on})" if on else name


def invocations(number: int, holders: Iterable[str]) -> str:
    """Say who has how many free invocations."""
    return f"{either(holders)}: {count(number, 'free invocation')}"


def branch(found: Branch) -> str:
    """Describe a branch: its label, and what becomes of the goal."""
    fallen = {grant.type for grant in found.falls_away or ()}
    hits = any(grant.type == "hit" for grant in found.grants)
    if "hit" in fallen:
        return f"{found.label}, but it does no harm."
    if "move" in fallen and not hits:
        return f"{found.label}, but nothing is moved."
    return f"{found.label}." if hits else f"{found.label}: {GOALS[found.goal]}."


def grant(given: Grant) -> str:
    """Say what a branch gives, to whom, and how much of it."""
    if given.type == "hit":
        kind = f"{given.track} hit" if given.track else "hit that no stress absorbs"
        return f"{either(given.to)}: a {kind}, {count(given.amount or 0, 'shift')}; {_absorbed(given)}"
    if given.type == "free_invocations":
        return f"{invocations(given.amount or 0, given.to)} of {given.on}"
    what, thing = GRANTS[given.type]
    said = what.format(amount=count(given.amount or 0, thing), number=given.amount)
    to = f", to {given.on}" if given.on else ""
    held = f", limited to {either(given.approaches, 'and')}" if given.approaches else ""
    return f"{either(given.to)}: {said}{to}{held}"


def fallen(given: Grant, actor: str) -> str:
    """Say what does not affect a swarm that outweighs its foes (War of Ashes SRD, "Swarms"). The actor does not move
    along either.
    """
    if actor in given.to:
        return f"{actor}: does not move with it"
    why = "only an attack on the whole zone hurts it" if given.type == "hit" else "nothing moves it"
    return f"{either(given.to)}: a swarm that outweighs its foes; {why}"


def mechanics(given: FormOffer | Suggestion) -> tuple[str, ...]:
    """Say all mechanics of a form."""
    if isinstance(given, Suggestion) and given.kind == "consequence":
        # The hit already says who takes it and what it gives.
        return (given.severity or "",)
    if isinstance(given, FormOffer) and given.severities:
        return (either(given.severities),)
    to = (given.to,) if isinstance(given.to, str) else given.to or ()
    told = [
        *([f"{given.severity} consequence"] if given.severity else []),
        *([f"{given.amount} stress{_on(given.tracks or ())}"] if given.amount else []),
        *([invocations(given.free_invocations, given.holders or to)] if given.free_invocations else []),
        # Harm always goes to the actor.
        *([either(to)] if to and not (given.free_invocations or given.severity or given.amount) else []),
        *([f"on {given.on}"] if given.on else []),
        *([GOALS[given.goal]] if given.goal else []),
        *([GM_ALONE] if given.secret else []),
    ]
    return tuple(told)


def form(offer: FormOffer) -> str:
    """Describe a form that a slot allows, with its mechanics."""
    told = "; ".join(mechanics(offer))
    return f"{offer.label} ({told})" if told else offer.label


def state(character: Character) -> str:
    """Describe somebody's state in one line."""
    marks = ((track, each.marked) for track, each in (character.stress or {}).items() if each.marked)
    told = [
        *(f"{stress(track)} {', '.join(map(str, marked))}" for track, marked in marks),
        *(f"{level.severity}: {level.name}" for level in character.consequences or () if level.name),
        *([f"fate points: {character.fate_points}"] if character.fate_points is not None else []),
        *([f"legend points: {character.legend_points}"] if character.legend_points is not None else []),
        *([f"roars: {character.roar}"] if character.roar else []),
        *(words for name, words in STATES.items() if getattr(character, name)),
    ]
    return "; ".join(told)


def together(names: Iterable[str]) -> str:
    """List aspects, whose names may contain commas.

    >>> together(["Torchlit Gate", "An Honest Man, When He Can"])
    'Torchlit Gate / An Honest Man, When He Can'
    """
    return " / ".join(names)


def chance(outcomes: dict[str, tuple[int, int]], *, of_failing: bool = False) -> str:
    """Say how many of the throws do not fail, or do."""
    everything = next((faces for _, faces in outcomes.values()), 1)
    failing = outcomes.get(FAIL, (0, everything))[0]
    if of_failing:
        return f"{failing} of {everything} to make it fail"
    return f"{everything - failing} of {everything} to tie or better"


def stress(track: str) -> str:
    """Name a stress track."""
    return track if track == _ONLY_TRACK else f"{track} stress"


def _on(tracks: Iterable[str]) -> str:
    named = [track for track in tracks if track != _ONLY_TRACK]
    return f": {either(named)}" if named else ""


def _absorbed(hit: Grant) -> str:
    if hit.absorb is None:
        return "the table decides how to absorb it, for no sheet is known"
    if not hit.absorb:
        return "nothing absorbs it: taken out"
    gives = ""
    if hit.free_invocations and hit.holders:
        gives = f". Each consequence gives {either(hit.holders)} {count(hit.free_invocations, 'free invocation')}"
    return f"absorbed by {'; or '.join(way.text for way in hit.absorb)}; else taken out{gives}"
