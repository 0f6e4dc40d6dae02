"""The page in a real browser: by keyboard, beside others, through reloads and restarts, with hostile names."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import narrator
from tests.page.tapping import FIGHT, SCENE, Opening, Person
from tests.scripted_server import Reply, ScriptedServer, suggestions
from tests.server.running import Serving
from tests.staging.writer import writes

pytestmark = pytest.mark.full

VIEWS = ("/", "/p1", "/p2", "/table", "/end", "/players")


def folder_of(person: Person) -> Path:
    """Where the campaign is that the page is of."""
    return person.serving.log.parent


def rolled(person: Person) -> None:
    """Open two rolls: one that failed, and a hit."""
    campaign = narrator.open_campaign(folder_of(person) / "gate.narrator")
    miss = {"type": "overcome", "actor": "Cynere", "skill": "Stealth", "roll": {"sum": -3}, "intent": "slip past"}
    campaign.suggest({**miss, "opposition": {"kind": "passive", "rating": 3}}, source="deck")
    hit = {"type": "attack", "actor": "Watch Captain", "target": "Landon", "skill": "Fight", "roll": {"sum": 3}}
    defence = {"kind": "defend", "skill": "Fight", "roll": {"sum": -1}}
    campaign.suggest({**hit, "opposition": defence}, source="deck", per_slot=9)


def test_a_roll_is_made_by_keyboard_alone(opening: Opening) -> None:
    """Every control is reached by Tab, chips by arrows, a card by its number; focus is always seen."""
    gm = opening()
    keys = gm.page.keyboard

    def tab_to(what: str) -> None:
        for _ in range(60):
            keys.press("Tab")
            told = gm.page.evaluate("document.activeElement.value || document.activeElement.innerText || ''")
            if what in told:
                style = gm.page.evaluate(
                    "(() => { const at = document.activeElement; const ring = e => getComputedStyle(e).outlineStyle;"
                    "return ring(at) + (at.nextElementSibling ? ring(at.nextElementSibling) : '') })()"
                )
                assert "solid" in style, f"{what} is in focus, and nobody sees it"
                return
        raise AssertionError(f"Tab never comes to {what}")

    tab_to("Cynere")
    keys.press("ArrowRight")
    gm.settle()
    assert gm.heading().startswith("Landon")
    tab_to("fail")
    keys.press("Enter")
    gm.settle()
    assert gm.heading() == "Fails"
    keys.press("2")
    gm.page.get_by_role("heading", level=1, name="against").wait_for()
    keys.press("/")
    keys.type("cyn stealth missed climb the wall")
    keys.press("Enter")
    gm.page.get_by_role("heading", level=1, name="Fails").wait_for()
    assert gm.page.evaluate("document.activeElement.id") == "main", "whoever listens is at the outcome"
    assert gm.page.get_by_role("status").first.inner_text() == "Fails"


def test_two_pages_and_a_terminal_write_at_once(opening: Opening) -> None:
    """Each sees what the others write without asking; a roll that comes to something else by then is shown anew."""
    one = opening(moves=[FIGHT])
    two = opening(beside=one)
    assert one.find("radio", re.compile("^Watch Captain"), "Who").is_checked()
    two.tap("link", "Table")
    two.tap("button", "Next turn")
    one.page.get_by_role("heading", level=1, name="Gate Guards").wait_for()
    assert one.find("radio", re.compile("^Gate Guards"), "Who").is_checked()
    command = [sys.executable, "-m", "narrator", "move", "aspect", "--name", "Smoke Everywhere"]
    subprocess.run([*command, "--campaign", str(folder_of(one) / "gate.narrator")], check=True, capture_output=True)
    one.sees("Smoke Everywhere")
    two.sees("Smoke Everywhere")

    # What one is about to undo is not what is there by then: nothing is taken back, and it says why.
    one.page.route("**/entries*", lambda route: route.abort())
    one.page.reload()
    two.tap("button", "Next turn")
    one.page.locator("#undo").click()
    one.sees(re.compile("somebody wrote meanwhile"))
    one.page.unroute("**/entries*")
    one.page.reload()

    one.tap("radio", re.compile("^Cynere"), "Who")
    one.tap("button", re.compile("^−4"))
    one.tap("button", re.compile("^Torchlit Gate free"))
    two.page.locator("details.aspect", has_text="Torchlit Gate").locator("summary").first.click()
    two.tap("button", "Drop")
    one.page.locator(".card h3 button").first.click()
    one.page.get_by_text(re.compile("Nothing was written|is not in play|can no longer")).first.wait_for()


def test_dice_against_one_are_not_dice_against_another(opening: Opening) -> None:
    """Nor is a skill that was chosen for one deed that of another."""
    gm = opening(moves=[FIGHT])
    gm.tap("radio", "Attack", "Does")
    gm.tap("radio", "Landon", "Against")
    assert gm.find("button", "Concede").is_enabled()
    gm.tap("radio", "+2")
    assert gm.find("button", "Concede").is_disabled(), "nobody concedes once there are dice"
    assert gm.find("button", re.compile("^−1")).is_enabled()
    gm.tap("radio", "Cynere", "Against")
    assert not gm.find("radio", "+2").is_checked()
    assert gm.find("button", re.compile("^−1")).is_disabled()
    gm.tap("radio", re.compile("^Cynere"), "Who")
    assert gm.heading().startswith("Cynere attacks with Fight +3")


def test_what_stood_chosen_outlasts_a_reload_and_a_restart(opening: Opening) -> None:
    """And what was typed: but once something is struck out, it does not."""
    gm = opening()
    gm.tap("radio", re.compile("^Landon"), "Who")
    gm.tap("radio", re.compile("^Superb|^Great"), "Against")
    gm.page.get_by_label("to", exact=True).fill("hold the gate")
    gm.page.reload()
    gm.page.get_by_role("heading", name="Landon overcomes with Fight +4 against Great +4").wait_for()
    assert gm.page.get_by_label("to", exact=True).input_value() == "hold the gate"

    gm.tap("button", "Fail")
    gm.page.get_by_text("My own words").click()
    gm.page.get_by_label("What is it called?").fill("Bells All Over Town")
    gm.sees(re.compile("^Fits"))
    address, port = gm.page.url, gm.serving.port
    gm.serving.end()
    gm.tap("button", "Other words")
    gm.sees(re.compile("does not answer"))
    again = Serving(folder_of(gm), "gate", port=port)
    try:
        gm.page.goto(address)
        assert gm.page.get_by_label("What is it called?").input_value() == "Bells All Over Town"
        assert gm.heading() == "Fails"
        gm.tap("button", "X-card: strike out the last words")
        assert "Bells" not in gm.page.evaluate("JSON.stringify(Object.entries(sessionStorage))")
        assert "hold the gate" not in gm.page.evaluate("JSON.stringify(Object.entries(sessionStorage))")
    finally:
        again.end()


def test_what_somebody_else_strikes_is_gone_here(opening: Opening) -> None:
    """From the roll that is shown, from what was typed, and from what is kept for a reload."""
    gm = opening()
    gm.page.get_by_label("to", exact=True).fill("burn the orphanage")
    gm.tap("button", "Fail")
    assert "orphanage" in gm.page.content()
    campaign = narrator.open_campaign(folder_of(gm) / "gate.narrator")
    campaign.strike("p1")
    gm.page.get_by_role("heading", level=1, name="against").wait_for()
    kept = gm.page.evaluate("JSON.stringify(Object.entries(sessionStorage))")
    assert "orphanage" not in gm.page.content() + kept + gm.page.get_by_label("to", exact=True).input_value()
    gm.page.reload()
    gm.page.get_by_role("heading", level=1, name="against").wait_for()
    assert gm.page.get_by_label("to", exact=True).input_value() == ""

    gm.page.get_by_label("to", exact=True).fill("burn it again")
    gm.tap("button", "Fail")
    gm.tap("link", "Roll")
    gm.tap("button", "X-card: strike out the last words")
    assert gm.page.get_by_label("to", exact=True).input_value() == ""


HOSTILE = (
    '<img src=x onerror="document.title=1">',
    "<script>document.title=1</script>",
    '"><svg onload=document.title=1>',
    "' onfocus=document.title=1 autofocus='",
    "{{ 7 * 7 }}",
    "</textarea></script><b>",
    "javascript:document.title=1",
    "&lt;b&gt;",
    "\\u003cb\\u003e",
    "${document.title=1}",
)


HANDLERS = """[...document.querySelectorAll("*")]
    .flatMap(each => each.getAttributeNames()).filter(name => name.startsWith("on")).length"""


def test_two_hundred_hostile_names_are_text(opening: Opening) -> None:
    """On every view of the GM's and of players: each is read as it was written, and nothing of it runs."""
    kinds = ("aspect", "person", "zone", "clock")
    names = [f"{HOSTILE[at % len(HOSTILE)]} {kinds[at // 50]} {at}" for at in range(200)]
    aspects, people, zones, clocks = (names[at : at + 50] for at in range(0, 200, 50))
    hostile = {
        **SCENE,
        "summary": HOSTILE[0],
        "aspects": [{"name": each, "free_invocations": {people[0]: 1}} for each in aspects],
        "characters": [
            {"name": each, "side": f"side {at % 2}", "importance": "pc", "skills": {each: 3}, "aspects": [f"{each}!"]}
            for at, each in enumerate(people)
        ],
        "zones": [{"name": each, "aspects": [f"{each}?"]} for each in zones],
        "clocks": [{"name": each, "boxes": 4} for each in clocks],
    }
    gm = opening(hostile)
    campaign = narrator.open_campaign(folder_of(gm) / "gate.narrator")
    action = {"type": "overcome", "actor": people[0], "skill": people[0], "intent": HOSTILE[1], "roll": {"sum": -4}}
    campaign.suggest({**action, "opposition": {"kind": "passive", "rating": 3}}, source="deck")
    seen = ""
    for view in ("/", "/p1", "/table", "/end", "/players"):
        gm.go(view)
        gm.page.wait_for_timeout(100)
        assert gm.page.title() != "1"
        assert gm.page.locator("img, script:not([src])").count() == 0
        assert gm.page.evaluate(HANDLERS) == 0
        seen += gm.page.evaluate("document.body.textContent")
    assert [each for each in names if each not in seen] == []


def test_players_see_it_live_and_without_secrets(opening: Opening) -> None:
    """By the pairing code; what the GM takes is there at once, and what is secret nowhere."""
    gm = opening(words=["--lan"], moves=[FIGHT])
    phone = opening(beside=gm, enters=False, viewport={"width": 360, "height": 740})
    phone.go("/")
    phone.page.get_by_label("Code from narrator serve").fill(gm.serving.players_code)
    phone.page.get_by_role("button", name="Enter").click()
    phone.page.get_by_role("heading", level=1, name="Night at the south gate").wait_for()
    assert phone.path == "/players"

    gm.tap("radio", re.compile("^Cynere"), "Who")
    gm.tap("button", "Fail")
    card = gm.page.locator(".card:not(.bare) h3 button").first
    name = card.inner_text()
    card.click()
    phone.sees(name)
    shown = phone.page.content()
    assert "Her Brother Talks" not in shown
    assert "Her Brother Talks" in json.dumps(SCENE)
    assert phone.page.get_by_role("button").count() == 1, "there is nothing to tap but dark and light"
    phone.go("/table")
    phone.page.get_by_role("heading", level=1, name="Night at the south gate").wait_for()
    assert phone.path == "/players"


def test_a_model_that_is_slow_keeps_nobody_waiting(opening: Opening) -> None:
    """The outcome is there at once, each card in its place as it comes; a goal that is given up needs no words."""
    bell = {"slot": "serious_cost", "form": "new_opposition", "detail": "A bell is rung nearby."}
    words = [{**bell, "name": f"Night Bell {at}"} for at in range(3)]
    with ScriptedServer(*[Reply(suggestions(*words), pause=0.4)] * 8) as model:
        told = {"NARRATOR_MODEL": "tiny", "NARRATOR_BASE_URL": model.base_url}
        gm = opening(environment=told)
        gm.tap("button", "Fail")
        assert gm.heading() == "Fails"
        gm.page.get_by_role("button", name="Night Bell 0").wait_for()
        gm.page.get_by_role("button", name="Night Bell 0").click()
        gm.page.get_by_role("heading", level=1, name="against").wait_for()
        campaign = narrator.open_campaign(folder_of(gm) / "gate.narrator")
        assert [each.name for each in campaign.entries()[-1].said] == ["Night Bell 0"]


def installed(npm: str, package: str, folder: Path) -> None:
    """Install a package of npm's into a folder."""
    subprocess.run([npm, "install", package, "--no-audit", "--no-fund"], cwd=folder, check=True, capture_output=True)


def test_cards_are_written_while_people_talk(opening: Opening) -> None:
    """By one tap; from then on they are dealt first."""
    with ScriptedServer(*[writes] * 12) as model:
        gm = opening(environment={"NARRATOR_MODEL": "tiny", "NARRATOR_BASE_URL": model.base_url})
        gm.tap("link", "Table")
        gm.tap("button", "Write cards for this scene")
        gm.page.get_by_text(re.compile(r"^\d+ cards written")).first.wait_for()
    campaign = narrator.open_campaign(folder_of(gm) / "gate.narrator")
    assert campaign.staged is not None
    assert len(campaign.staged["cards"]) > 9


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """axe-core, which looks for what keeps people out."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm, which installs axe-core, is not here")
    folder = tmp_path_factory.mktemp("axe")
    installed(npm, "axe-core@4.14.1", folder)
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


VIOLATIONS = """axe.run({resultTypes: ["violations"]}).then(found => found.violations.map(
    each => [each.impact, each.id, each.nodes.map(node => node.html).slice(0, 3)]))"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (768, 1024), (360, 740)])
def test_nothing_keeps_people_out(width: int, height: int, scheme: str, axe: str, opening: Opening) -> None:
    """axe finds nothing serious on any view; nothing scrolls sideways, nor at twice the size."""
    gm = opening(moves=[FIGHT], viewport={"width": width, "height": height}, color_scheme=scheme, bypass_csp=True)
    rolled(gm)
    found: list[Any] = []
    for view in VIEWS:
        gm.go(view)
        gm.page.wait_for_timeout(150)
        for each in gm.page.query_selector_all("details"):
            each.evaluate("one => one.open = true")
        gm.page.evaluate(axe)
        told = gm.page.evaluate(VIOLATIONS)
        found += [(view, *each) for each in told if each[0] in ("serious", "critical")]
        # A page at twice its size is one on half the pixels; nobody's phone has fewer than 320.
        for pixels in (width, max(320, width // 2)):
            gm.page.set_viewport_size({"width": pixels, "height": height})
            wide = gm.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, f"{view} at {pixels} pixels: {wide} pixels too wide"
        gm.page.set_viewport_size({"width": width, "height": height})
    assert found == []


def test_the_scripts_are_typed(tmp_path: Path) -> None:
    """By the comments of their functions, at the compiler's strictest."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm, which installs TypeScript, is not here")
    installed(npm, "typescript@7.0.2", tmp_path)
    scripts = Path(narrator.__file__).parent / "page" / "static" / "page.js"
    options = ("--checkJs", "--allowJs", "--noEmit", "--strict", "--target", "es2023", "--module", "esnext")
    compiler = tmp_path / "node_modules" / ".bin" / "tsc"
    told = subprocess.run([compiler, *options, scripts], capture_output=True, text=True, check=False)
    assert told.stdout == ""
