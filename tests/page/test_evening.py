"""An evening at the page, tapped in a real browser: what is tapped is found as a person finds it."""

import re
from collections.abc import Callable

import pytest

import narrator
from narrator.campaign.campaign import Campaign
from tests.page.tapping import FIGHT, Opening, Person

pytestmark = pytest.mark.full

TAKE = re.compile(r"^(?!It ).+")


def campaign_of(person: Person) -> Campaign:
    """The campaign that the page is of."""
    return narrator.open_campaign(person.serving.log.parent / "gate.narrator")


def take_first_card(person: Person) -> str:
    """Take the first words that are offered, and say what they are called."""
    card = person.page.locator(".card:not(.bare) h3 button").first
    name: str = card.inner_text()
    person.taps += 1
    card.click()
    person.page.get_by_role("heading", level=1, name="against").wait_for()
    person.settle()
    return name


def told_miss(person: Person) -> None:
    """A miss that is told: who, Fail, take."""
    person.tap("radio", re.compile("^Cynere"), "Who")
    person.tap("button", "Fail")
    assert person.heading() == "Fails"
    name = take_first_card(person)
    person.sees(re.compile(re.escape(name)))


def roll_with_invocation(person: Person) -> None:
    """A roll with an invocation: who, skill, against, the pad, the aspect, take."""
    person.tap("radio", re.compile("^Cynere"), "Who")
    person.tap("radio", re.compile("^Stealth"), "With")
    person.tap("radio", re.compile("^Good"), "Against")
    person.tap("button", re.compile("^−3"))
    assert person.heading() == "Fails by 2"
    person.tap("button", re.compile("^Torchlit Gate free"))
    assert person.heading() == "Ties"
    take_first_card(person)


def attack(person: Person) -> None:
    """An attack: attack, whom, two pads, a way to absorb, a consequence."""
    person.tap("radio", "Attack", "Does")
    person.tap("radio", "Landon", "Against")
    person.tap("radio", "+3")
    person.tap("button", re.compile("^−1"), nth=0)
    assert person.heading().startswith("Hits by 3")
    person.tap("radio", "Box 2 + mild")
    take_first_card(person)


def compel(person: Person) -> None:
    """A compel: the aspect, Compel, accepted."""
    aspect = person.page.get_by_role("complementary").locator("details.aspect", has_text="Infamous Girl with Sword")
    for step in (aspect.locator("summary").first, aspect.get_by_text("Compel", exact=True)):
        person.taps += 1
        step.click()
    person.tap("button", "Accepted, earns a point")


def end_of_scene(person: Person) -> None:
    """The end of a scene: the sheet, and all of it."""
    person.tap("link", "End scene")
    person.tap("button", "End the scene")


WAYS = {
    "a told miss": (told_miss, 3),
    "a roll with an invocation": (roll_with_invocation, 6),
    "an attack": (attack, 6),
    "a compel": (compel, 3),
    "the end of a scene": (end_of_scene, 2),
}


def test_an_evening_is_tapped(opening: Opening, record_property: Callable[[str, object], None]) -> None:
    """Five ways, one after the other, each in as many taps as were promised; what was done stands in the campaign."""
    gm = opening(moves=[FIGHT])
    table = campaign_of(gm)
    rows = []
    for name, (way, promised) in WAYS.items():
        gm.taps = 0
        before = table.last
        way(gm)
        rows.append((name, gm.taps, promised))
        assert table.last == before + 1, f"{name} is one entry"
    for name, taps, promised in rows:
        record_property("taps", f"{name:<26} {taps} taps of {promised}")

    assert [taps for _, taps, _ in rows] == [promised for _, _, promised in rows]
    scene = table.scene
    landon = next(each for each in scene.characters if each.name == "Landon")
    [mild] = [each for each in landon.consequences or () if each.name]
    assert mild.severity == "mild"
    assert next(each for each in scene.characters if each.name == "Cynere").fate_points == 4
    assert scene.ended == "scene"
    kinds = [each.kind for each in table.entries(after=2)]
    assert kinds == ["settled", "settled", "settled", "moved", "moved"]
