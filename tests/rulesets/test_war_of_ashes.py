"""What document 003 and the spec say, as `war-of-ashes` has it; typed here, not read."""

from typing import Any

from tests.deeds import Deed
from tests.rules.build import (
    ACTIVE,
    DEFENDED,
    DEFENDS,
    FAIL,
    FAIL_BY_3_OR_MORE,
    PASSIVE,
    STYLE,
    SUCCEED,
    TIE,
    UNDEFENDED,
    Cell,
    Way,
)
from tests.rulesets.cells import (
    ACTORS_BOOST,
    ALSO_DISCOVERED,
    APPROACHES,
    AS_THE_OPPONENT_DOES,
    ATTACK,
    BY_XAN,
    DEFENDERS_BOOST,
    DEFENDING,
    EXISTING_ASPECT_FOR_ALLIES,
    FORFEIT_IN_A_CONTEST,
    MINOR,
    NEW_ASPECT_FOR_ALLIES,
    OVERCOME,
    SERIOUS,
    WHERE_ATTACKS_BELONG,
    Rows,
    advantages,
    cells,
    create,
    creating,
    defended,
    discover_for_allies,
    forfeiting,
    with_each,
)

DOCUMENT = "War of Ashes: Advanced Conflict"

SECTIONS = {
    "overcome": "Exchanges",
    "movement": "Movement on the Battlefield",
    "create_advantage": "Exchanges",
    "full_defense succeed": "Maneuvers as Actions",
    "full_defense succeed_with_style": "Maneuvers as Actions",
    "roar": "Creating a Roar Aspect",
    "attack": "Exchanges",
    "attack fail": "Maneuvers as Actions",
    "attack succeed_with_style": "Maneuvers as Boosts",
    "defend": "Exchanges",
    **FORFEIT_IN_A_CONTEST,
    **dict.fromkeys(["pushed", "pulled", "charged_home", "charged_in_vain", "exposed"], "Maneuvers as Actions"),
    "defended_with_style": "Maneuvers as Actions",
    "denied_with_style": "Defend",  # in Coppermane
    "lethal_next": "Lethal Attacks",
}

SKILLS = APPROACHES

DEEDS = (
    Deed("overcome", (None,), ("passive", "active", "defend")),
    Deed("overcome", ("movement",), ("movement", "active")),
    Deed("overcome", (None,), ("active", "defend"), maneuvers=("push", "pull")),
    Deed("overcome", (None,), ("passive",), maneuvers=("full_attack",)),
    creating("passive", "active", variants=ALSO_DISCOVERED),
    Deed("create_advantage", (None,), ("passive", "active"), maneuvers=("full_defense",)),
    Deed("create_advantage", ("roar",), ("roar",)),
    Deed("create_advantage", ("unseen_zone",), ("unseen_zone",)),
    Deed("attack", (None,), (), ("defend", "passive"), maneuvers=(None, "charge")),
    DEFENDING,
)


def with_success(rows: Rows, *more: str) -> Rows:
    """The same rows, with this besides in each branch of a success, with style or without."""
    return rows | {reach: with_each(rows[reach], *more) for reach in (SUCCEED, STYLE)}


# The costs of five actions, and no price at all against a stylish defence.
NO_PRICE: Rows = {FAIL_BY_3_OR_MORE: [f"[fail] ✗ → {DEFENDERS_BOOST}"]}

# Success moves the opponent, and the mover may follow, or goes along.
PUSH = with_success(OVERCOME, "+move(@opponent 1)", "+may_move(Ann 1)")
PULL = with_success(OVERCOME, "+move(@opponent 1)", "+move(Ann 1)")

# An overcome that exposes the actor whatever comes of it, and makes the next attack lethal.
FULL_ATTACK: Rows = {
    reach: with_each(branches, "*exposed/boost: boost(@opp 1 free)")
    for reach, branches in with_success(OVERCOME, "+lethal_next_attack(Ann)").items()
}

# Success wants no words and gives an invocation against each attack; else as a new aspect.
FULL_DEFENSE: Rows = NEW_ASPECT_FOR_ALLIES | {
    reach: ["[full_defense] ✓ → +free_invocation_each_attack(Ann 1)"] for reach in (SUCCEED, STYLE)
}


def attack(*maneuvers: str) -> Rows:
    """Attack: a failure costs the attacker one stress; style allows the maneuvers that the strike allows."""
    whole, instead = ATTACK[STYLE]
    return ATTACK | {FAIL: with_each(ATTACK[FAIL], "+stress(Ann 1)"), STYLE: [whole, ", ".join([instead, *maneuvers])]}


DISARM, FOOTWORK, KNOCKBACK = "disarm(@defender)", "footwork(Ann)", "knockback(@defender)"

PLAIN, HEAVY, FROM_AFAR = attack(DISARM, FOOTWORK), attack(KNOCKBACK, DISARM, FOOTWORK), attack()

# A failure gives a boost on top of all else, and style forces the target back and both end there.
CHARGE = PLAIN | {
    FAIL: with_each(PLAIN[FAIL], "*charge_boost/boost: boost(@defender 1 free)"),
    STYLE: with_each(PLAIN[STYLE], "+move(@defender 1)", "+move(Ann 1)"),
}


def strike(rows: Rows, **how: Any) -> list[Cell]:
    """An attack on Xan, struck in this way."""
    return cells(defended(rows), DEFENDED, WHERE_ATTACKS_BELONG, type="attack", target="Xan", **how)


def movement(*path: str) -> list[Cell]:
    """Move along a path that somebody blocks, or the terrain, two for each zone beyond the first."""
    moved = f"+move(Ann {len(path) - 1} on {path[-1]})"
    rows: Rows = {
        FAIL: ["[stay] ✗", f"[serious_cost] ✓ → {moved} → *serious_cost: {SERIOUS}"],
        TIE: ["[stay] ✗", f"[minor_cost] ✓ → {moved} → *minor_cost: {MINOR}"],
        SUCCEED: [f"[moved] ✓ → {moved}"],
        STYLE: [f"[boost] ✓ → {moved} → {ACTORS_BOOST}"],
    }
    terrain = Way("terrain", {"kind": "movement"}, total=2 * (len(path) - 2))
    return cells(rows, [ACTIVE, terrain], type="overcome", variant="movement", path=[*path])


# Each approach, and those that a roar with it is held to: the ring of the six closes.
RING = {
    "Careful": "Careful Clever Sneaky",
    "Clever": "Careful Clever Flashy",
    "Flashy": "Clever Flashy Forceful",
    "Forceful": "Flashy Forceful Quick",
    "Quick": "Forceful Quick Sneaky",
    "Sneaky": "Careful Quick Sneaky",
}

ROARS = [Way("roar", {"kind": "roar"}, total=2), Way("a higher roar", {"kind": "roar", "rating": 4}, total=4)]


def roar(approach: str) -> list[Cell]:
    """A roar comes in every row, for the actor or an ally, at a cost where it failed or tied."""
    held, aspect = f"+roar(Ann {RING[approach]})", "*aspect: situation_aspect(Ann,Bea {} free)"
    rows: Rows = {
        FAIL: [
            f"[roar_at_cost] ✓ → {held} → {aspect.format(1)} → *serious_cost: consequence(Ann mild 1 free for @opp)"
        ],
        TIE: [f"[roar_at_cost] ✓ → {held} → {aspect.format(1)} → *boost: boost(@opp 1 free)"],
        SUCCEED: [f"[aspect] ✓ → {held} → {aspect.format(1)}"],
        STYLE: [f"[aspect] ✓ → {held} → {aspect.format(2)}"],
    }
    return cells(rows, ROARS, type="create_advantage", variant="roar", skill=approach)


# Two, and two for each zone between.
UNSEEN = Way("unseen zone", {"kind": "unseen_zone", "base": 2, "distance": 3}, total=6)

ADVANTAGES = [
    *advantages(NEW_ASPECT_FOR_ALLIES, EXISTING_ASPECT_FOR_ALLIES, discover_for_allies),
    *create(FULL_DEFENSE, maneuver="full_defense"),
    *(cell for approach in RING for cell in roar(approach)),
    *cells(NEW_ASPECT_FOR_ALLIES, [UNSEEN], type="create_advantage", variant="unseen_zone"),
]

TABLE = [
    *cells(OVERCOME, UNDEFENDED, type="overcome", target="Xan"),
    *cells(defended(OVERCOME) | NO_PRICE, DEFENDS, type="overcome", target="Xan"),
    *cells(PUSH, [ACTIVE], type="overcome", maneuver="push"),
    *cells(defended(PUSH) | NO_PRICE, [BY_XAN], type="overcome", maneuver="push"),
    *cells(PULL, [ACTIVE], type="overcome", maneuver="pull"),
    *cells(defended(PULL) | NO_PRICE, [BY_XAN], type="overcome", maneuver="pull"),
    *cells(FULL_ATTACK, [PASSIVE], type="overcome", maneuver="full_attack"),
    *movement("Cliff Edge", "Mountain Path"),
    *movement("Ford", "Far Bank", "Wood"),
    *movement("Ford", "Far Bank", "Wood", "Hill"),
    *forfeiting(ADVANTAGES),
    *strike(PLAIN),
    *strike(PLAIN, attack={"melee": True}),
    *strike(HEAVY, attack={"melee": True, "heavy_weapon": True}),
    *strike(FROM_AFAR, attack={"melee": False}),
    *strike(FROM_AFAR, attack={"melee": False, "heavy_weapon": True}),
    *strike(CHARGE, maneuver="charge"),
    # Nothing is epic.
    *cells(AS_THE_OPPONENT_DOES, type="defend"),
]
