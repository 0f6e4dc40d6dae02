"""War of Ashes SRD, played between the rolls: each test begins with the sections that it proves."""

import pytest

import narrator
from narrator.rules.json_text import Json
from tests.evenings.table import Evening, hurt, npc, pc

OLIVIA = pc("Olivia", skills={"Careful": 1, "Quick": 1}, zone="Glade")
ROLF = pc("Rolf", skills={"Quick": 1, "Forceful": 3}, zone="Glade")
DELIAH = pc("Deliah", skills={"Careful": 2, "Quick": 2}, zone="Glade")
SIDONIUS = npc("Sidonius", skills={"Careful": 2, "Quick": 0}, zone="Glade")
FOCUSED, OBLIVIOUS = ("Intensely Focused", "Olivia"), ("Oblivious to her Surroundings", "Olivia")


def evening(*people: Json) -> Evening:
    """Begin an evening by this ruleset, in a glade."""
    return Evening("war-of-ashes", *people, zones=[{"name": "Glade", "adjacent": []}])


def words(slot: str, form: str, name: str) -> list[Json]:
    """What the table calls something."""
    return [{"slot": slot, "form": form, "name": name, "detail": f"{name}, while the rain runs down."}]


def free(of: Evening) -> dict[tuple[str, str | None], Json]:
    """Who has how many free invocations of what is in play, by its bearer or zone."""
    return {(each["name"], each.get("on")): each["free_invocations"] for each in of.scene["aspects"]}


def roaring() -> Evening:
    """Olivia failed her roll, and roars against Sidonius all the same."""
    aspect, cost = words("aspect", "situation_aspect", FOCUSED[0]), words("serious_cost", "consequence", OBLIVIOUS[0])
    act: Json = {"type": "create_advantage", "variant": "roar", "actor": "Olivia", "skill": "Careful"}
    act |= {"roll": {"total": 1}, "opposition": {"kind": "roar"}}
    debate = evening(OLIVIA, SIDONIUS).move("conflict", kind="mental")
    return debate.roll({"branch": "roar_at_cost", "suggestions": aspect + cost}, **act)


def roars(of: Evening) -> bool:
    """Whether Olivia does; her aspect is in play just then."""
    assert (of.who("Olivia").get("roar") == "Careful") == (FOCUSED in free(of))
    return FOCUSED in free(of)


def test_creating_a_roar_aspect_at_a_cost() -> None:
    """ "Creating a Roar Aspect": a free invocation for them; and in "Giving In" (Fate Accelerated) her cost counts."""
    debate = roaring()
    assert (free(debate), roars(debate)) == ({FOCUSED: {"Olivia": 1}, OBLIVIOUS: {"Sidonius": 1}}, True)
    assert debate.move("concede", who="Olivia").owed("Olivia") == [2]
    debate.move("end_conflict").move("end_scene")
    assert (debate.points("Olivia"), debate.wounds("Olivia"), debate.aspects()) == ([5], {}, set())


@pytest.mark.parametrize("accepted", [True, False])
def test_compelling_a_roar_aspect(accepted: bool) -> None:
    """ "Compelling a Roar Aspect", "Losing Your Roar Aspect": a point to roar on; to refuse costs one, and the roar."""
    glade = roaring().move("compel", who="Olivia", aspect=FOCUSED[0], accepted=accepted)
    assert (glade.points("Olivia"), roars(glade)) == ([4 if accepted else 2], accepted)
    own = roaring().move("compel", who="Olivia", aspect=FOCUSED[0], accepted=True, by="Olivia")
    assert (own.points("Olivia"), roars(own)) == ([4], True)


def test_losing_your_roar_aspect() -> None:
    """ "Losing Your Roar Aspect": by an approach that is not adjacent, and with the scene; not with the conflict."""
    easy: Json = {"type": "overcome", "actor": "Olivia", "roll": {"total": 1}}
    easy["opposition"] = {"kind": "passive", "rating": 0}
    for skill in ("Careful", "Sneaky", "Clever", "Quick", "Forceful"):
        kept = roars(roaring().roll({"branch": "succeed"}, **easy, skill=skill))
        assert kept == (skill in ("Careful", "Sneaky", "Clever"))
    over = roaring().move("end_conflict")
    assert [roars(over), roars(over.move("end_scene"))] == [True, False]


@pytest.mark.parametrize("move", ["leave", "drop", "compel"])
def test_losing_your_roar_aspect_knows_no_half_measures(move: str) -> None:
    """ "Losing Your Roar Aspect": whoever has no such aspect any more roars no more, however it went."""
    ways: Json = {"leave": {"who": "Olivia"}, "drop": {"name": FOCUSED[0], "on": "Olivia"}}
    ways["compel"] = {"who": "Rolf", "aspect": FOCUSED[0], "accepted": False}
    glade = roaring().move("enter", character=ROLF).move(move, **ways[move])
    assert glade.who("Olivia").get("roar") is None or FOCUSED in free(glade)


def mountains() -> Evening:
    """Rolf and bandits on a ledge below a slope, and a ravine that nobody has seen."""
    zones: list[Json] = [
        {"name": "Ledge", "adjacent": ["Ravine", "Slope"], "aspects": ["Fog"]},
        {"name": "Slope", "adjacent": ["Ledge"], "aspects": ["Sparsely Wooded Slope"]},
        {"name": "Ravine", "adjacent": ["Ledge"]},
    ]
    people = (ROLF | {"zone": "Ledge"}, npc("Bandits", "nameless", zone="Ledge"))
    return Evening("war-of-ashes", *people, zones=zones).move("scene", summary="A pass.", zones=zones)


def test_zone_aspects_start_the_scene_with_one_free_invocation() -> None:
    """ "Zone Aspects": each defined beforehand, for whoever is first; and the next scene there starts anew."""
    defined = {("Fog", "Ledge"), ("Sparsely Wooded Slope", "Slope")}
    high = mountains().move("change", zone="Ravine", set={"aspects": ["Fog-Shrouded Chasm"]})
    assert free(high) == {each: {"*": 1} for each in defined}, "none for what is discovered later"
    fog: Json = {"aspect": "Fog", "on": "Ledge", "use": "bonus", "pay": "free"}
    high.move("conflict").attack("Bandits", "Rolf", 2, absorb={"stress": 2}, invocations=[fog])
    assert not free(high).get(("Fog", "Ledge"))
    high.move("end_conflict").move("scene", summary="The same pass at night.", zones=high.scene["zones"])
    assert free(high) == {each: {"*": 1} for each in defined | {("Fog-Shrouded Chasm", "Ravine")}}


def test_movement_on_the_battlefield_may_cost_a_boost() -> None:
    """ "Movement on the Battlefield": at a tie Rolf is up the slope, Winded For A Moment; unused, that goes."""
    climb, winded = mountains(), words("minor_cost", "opposition_boost", "Winded For A Moment")
    path: Json = {"type": "overcome", "variant": "movement", "actor": "Rolf", "path": ["Ledge", "Slope"]}
    path |= {"roll": {"total": 2}, "opposition": {"kind": "active", "by": "Bandits", "roll": {"total": 2}}}
    climb.roll({"branch": "minor_cost", "suggestions": winded}, **path)
    assert (climb.who("Rolf")["zone"], "Winded For A Moment" in climb.aspects()) == ("Slope", True)
    assert "Winded For A Moment" not in climb.move("end_scene").aspects()


def test_weight_in_combat_goes_by_who_is_there_now() -> None:
    """ "Weight in Combat": two guards turn one die against Deliah, one turns none, five turn two."""
    guards = [npc(name, "nameless", zone="Glade") for name in ("Guard", "Second", "Third", "Fourth", "Fifth", "Sixth")]
    street = evening(DELIAH, *guards[:2]).move("conflict")

    def turned(*dice: int) -> list[int]:
        strike: Json = {"type": "attack", "actor": "Guard", "target": "Deliah", "roll": {"dice": [*dice]}}
        strike["opposition"] = {"kind": "defend", "by": "Deliah", "roll": {"dice": [0, 0, 0, 0]}}
        told = narrator.resolve({"ruleset": "war-of-ashes", "scene": street.scene, "action": strike})
        return sorted(told.as_json()["roll"]["dice"])

    assert turned(0, 0, -1, 1) == [0, 0, 1, 1]
    street.move("hit", who="Second", shifts=1, by="Deliah")
    assert turned(0, 0, -1, 1) == [-1, 0, 0, 1]
    for guard in guards[2:]:
        street.move("enter", character=guard)
    assert turned(0, -1, 1, -1) == [0, 1, 1, 1]
    street.move("leave", who="Third").move("leave", who="Fourth").move("leave", who="Fifth")
    assert (turned(0, -1, 1, -1), street.scene.get("away", [])) == ([-1, 0, 1, 1], [])


def test_determine_turn_order() -> None:
    """ "Determine Turn Order": Quick or Careful, ties by Forceful in an open fight; but an ambush trumps them."""
    people = (OLIVIA, ROLF, DELIAH, SIDONIUS)
    orders = [evening(*people).move("conflict", kind=kind).scene["conflict"] for kind in ("physical", "mental")]
    assert orders[0]["order"] == ["Deliah", "Olivia", "Rolf", "Sidonius"]
    assert orders[1]["order"] == ["Deliah", "Sidonius", "Olivia", "Rolf"]
    order = [*narrator.turn_order({"characters": people}, "Quick", ties=("Forceful",))]
    assert order == ["Deliah", "Rolf", "Olivia", "Sidonius"]
    assert evening(*people).move("conflict", order=["Sidonius", *order[:3]]).scene["conflict"]["turn"] == "Sidonius"


def test_characters_and_creatures_in_swarms() -> None:
    """ "Characters and Creatures": a big swarm stands one hit, a small one none; who is out is forgotten."""
    fish = npc("Fish", "swarm", weight=2, stress={"physical": {"boxes": [1]}})
    pond = evening(ROLF, fish, npc("Bats", "swarm")).move("hit", who="Fish", shifts=1, absorb={"stress": 1})
    pond.move("hit", who="Bats", shifts=1)
    assert [pond.who(name).get("taken_out", False) for name in ("Fish", "Bats")] == [False, True]
    pond.move("hit", who="Fish", shifts=1).move("end_scene")
    assert [each["name"] for each in [*pond.scene["characters"], *pond.scene.get("away", ())]] == ["Rolf"]


def test_general_rituals_mend_at_once() -> None:
    """ "General Rituals": Feeling Better Now clears a mild consequence at once; time clears, as in Fate Accelerated."""
    sick = evening(OLIVIA | {"consequences": [hurt("mild", "Fever"), hurt("moderate", "Plague", recovering=1)]})
    assert {*sick.move("clear", who="Olivia", consequence="Fever").wounds("Olivia")} == {"Plague"}
    assert sick.move("end_session").wounds("Olivia") == {}
