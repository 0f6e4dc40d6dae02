"""The page without a browser: in every ruleset each roll can be made and each branch taken by its forms alone."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import narrator
from narrator.api.requests import find_ruleset
from narrator.campaign.campaign import Campaign
from narrator.page.chosen import judged
from narrator.page.document import document, players
from narrator.page.draft import Draft
from narrator.page.form import Form
from narrator.page.rolling import SUMS, Rolling
from narrator.page.table import Table
from narrator.page.taps import TAPS, tapped
from narrator.rules.json_text import Json
from narrator.rules.ruleset.row import FAIL
from tests.page.reading import Page

SCENE: Json = json.loads((Path(__file__).parents[2] / "examples" / "south-gate.json").read_text("utf-8"))["scene"]
RULESETS = narrator.rulesets()
FACES = {-4: [-1] * 4, -3: [-1] * 3 + [0], -2: [-1, -1, 0, 0], -1: [-1, 0, 0, 0], 0: [0] * 4}
FACES |= {-each: [-face for face in faces] for each, faces in FACES.items() if each}


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    return narrator.open_campaign(tmp_path / "gate.narrator", scene=SCENE)


def form(**fields: str | list[str]) -> Form:
    """What a form sends."""
    return Form.read(
        {name.replace("__", "."): [told] if isinstance(told, str) else told for name, told in fields.items()}
    )


def ways(ruleset: str) -> Iterator[tuple[str, str]]:
    """Every action with each of its variants and maneuvers."""
    found = find_ruleset(ruleset, ())
    for action, spec in found.actions.items():
        yield from ((action, each or "") for each in spec.all_variants)
    yield from ((each.action, f"maneuver:{name}") for name, each in found.maneuvers.items())


@pytest.mark.parametrize("ruleset", RULESETS)
def test_whatever_is_told_can_be_taken(ruleset: str, tmp_path: Path) -> None:
    """Each action, variant and maneuver with each outcome: every branch is settled by what its form sends."""
    campaign = narrator.open_campaign(tmp_path / "gate.narrator", ruleset=ruleset, scene=SCENE)
    settled = 0
    for action, how in ways(ruleset):
        for outcome in (FAIL, *find_ruleset(ruleset, ()).outcomes):
            told = {"who": "Cynere", "does": action, "how": how, "about": "Torchlit Gate", "to": "Gatehouse"}
            foe = {"against": "by:Watch Captain"} if action == "attack" else {}
            made = TAPS["roll"](campaign, form(**told, **foe, outcome=outcome))
            shown = Page(document(campaign, made.path))
            branches = [each for each in shown.forms if each.tap == "settle"]
            assert branches, f"{action} {how} {outcome} offers nothing"
            for at, _ in enumerate(branches):
                # Each is taken of a roll of its own.
                again = TAPS["roll"](campaign, form(**told, **foe, outcome=outcome))
                branch = [each for each in Page(document(campaign, again.path)).forms if each.tap == "settle"][at]
                button = next(each for each in branch.buttons if each[0] != "taken_out")
                sent = branch.sent(button, again.path, **branch.required)
                TAPS["settle"](campaign, sent)
                campaign.undo()
                settled += 1
    assert settled >= len(find_ruleset(ruleset, ()).outcomes)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_mark_says_beforehand_what_dice_come_to(ruleset: str, tmp_path: Path) -> None:
    """As `resolve` finds it of faces of that sum."""
    campaign = narrator.open_campaign(tmp_path / "gate.narrator", ruleset=ruleset, scene=SCENE)
    rolling = Rolling(Table(campaign), Draft(who="Cynere", does="overcome", against="rating:2"))
    action = rolling.draft.action(rolling.table)
    for sum_, mark in rolling.marks("ours").items():
        found = narrator.resolve(
            {"ruleset": ruleset, "scene": SCENE, "action": {**action, "roll": {"dice": FACES[sum_]}}}
        )
        assert mark == found.outcome

    rolling = Rolling(Table(campaign), Draft(who="Watch Captain", does="attack", against="by:Landon", ours="2"))
    action = rolling.draft.action(rolling.table, {"dice": FACES[2]}, {"sum": 0})
    for sum_ in SUMS:
        told = {**action, "opposition": {**action["opposition"], "roll": {"dice": FACES[sum_]}}}
        found = narrator.resolve({"ruleset": ruleset, "scene": SCENE, "action": told})
        assert rolling.marks("theirs")[sum_] == found.outcome


def test_every_button_of_the_table_makes_its_move(campaign: Campaign) -> None:
    """Or says why not, as a user's mistake: it never is ours."""
    campaign.move({"type": "conflict", "kind": "physical"})
    campaign.move(
        {
            "type": "aspect",
            "name": "Off Balance",
            "on": "Landon",
            "boost": True,
            "free_invocations": {"Watch Captain": 1},
        }
    )
    campaign.move(
        {
            "type": "hit",
            "who": "Landon",
            "shifts": 2,
            "absorb": {"consequences": [{"severity": "mild", "name": "Split Lip"}]},
        }
    )
    campaign.move({"type": "leave", "who": "Cynere"})
    made, refused = _pressed(campaign)
    assert made > 60
    # Only whose turn it is not yet is refused by the rules.
    assert all('"turn"' in button for button, _ in refused), refused

    campaign.move({"type": "end_conflict"})
    campaign.move({"type": "contest", "sides": {"heroes": ["Landon"], "watch": ["Watch Captain"]}})
    made, refused = _pressed(campaign)
    assert (made > 60, refused) == (True, [])
    campaign.move({"type": "challenge", "tasks": [{"name": "Hold the gate"}, {"name": "Wake the smith"}]})
    made, refused = _pressed(campaign)
    assert (made > 60, refused) == (True, [])


def _pressed(campaign: Campaign) -> tuple[int, list[tuple[str, str]]]:
    """Press every button of the table, each on the same scene: how many did something, and those refused, with why."""
    made, refused = 0, []
    for at, read in enumerate(Page(document(campaign, "/table")).forms):
        for place, _ in enumerate(read.buttons if read.tap in ("move", "note") else ()):
            fresh = Page(document(campaign, "/table")).forms[at]
            try:
                TAPS[read.tap](campaign, fresh.sent(fresh.buttons[place], "/table", text="Something Quite New"))
            except narrator.NarratorError as error:
                refused.append((fresh.buttons[place][1], error.message))
                continue
            campaign.undo()
            made += 1
    return made, refused


def test_taken_out_is_a_button_of_its_own(campaign: Campaign) -> None:
    """It takes no words for a consequence that nobody has."""
    attack = {"who": "Watch Captain", "does": "attack", "against": "by:Landon"}
    made = TAPS["roll"](campaign, form(**attack, ours="4", sum="-4"))
    hit = next(each for each in Page(document(campaign, made.path)).forms if each.tap == "settle")
    out = next(each for each in hit.buttons if each[0] == "taken_out")
    TAPS["settle"](campaign, hit.sent(out, made.path))

    assert next(each for each in campaign.scene.characters if each.name == "Landon").taken_out


def test_the_sheet_of_a_scene_says_what_its_end_changes(campaign: Campaign) -> None:
    """What is not ticked does not happen; all of it is one entry."""
    campaign.move({"type": "hit", "who": "Cynere", "shifts": 2, "absorb": {"stress": 2}})
    campaign.move({"type": "hit", "who": "Landon", "shifts": 1, "absorb": {"stress": 1}})
    [sheet] = [each for each in Page(document(campaign, "/end")).forms if each.tap == "end"]
    ticked = dict.fromkeys(name for name, _ in sheet.fields)
    assert [*ticked] == ["goes", "clears", "ticks", "leaves", "summary"]
    sent = sheet.sent(sheet.buttons[-1], "/end", summary="The caravan yard, before dawn")
    fields = {**sent.fields, "goes": ("Torchlit Gate",), "clears": ("Landon",), "ticks": ()}
    before = campaign.last
    TAPS["end"](campaign, Form(fields))

    scene = campaign.scene
    assert campaign.last == before + 1
    assert [each.name for each in scene.aspects] == ["Rain-Slick Cobbles"]
    stress = {each.name: each.stress["physical"].marked for each in scene.characters if each.stress}
    assert (stress["Cynere"], stress["Landon"]) == ((2,), ())
    assert [each.ticked for each in scene.clocks] == [2, 1], "nothing was ticked"
    assert "Gate Guards" not in [each.name for each in scene.characters]
    assert (scene.summary, scene.ended) == ("The caravan yard, before dawn", None)
    campaign.undo()
    assert [each.name for each in campaign.scene.aspects] == ["Torchlit Gate", "Rain-Slick Cobbles"]


def test_an_invocation_costs_nothing_until_it_is_taken(campaign: Campaign) -> None:
    """It changes headline and cards, and is taken back as easily; a reroll asks what the dice came to."""
    made = TAPS["roll"](campaign, form(who="Cynere", does="overcome", skill="Stealth", against="rating:3", sum="-3"))
    [reach] = [each for each in Page(document(campaign, made.path)).forms if each.tap == "invoke"]
    torch = next(each for each in reach.buttons if "Torchlit" in each[1] and each[0] == "invoke")
    again = TAPS["invoke"](campaign, reach.sent(torch, made.path))
    assert (again.path, again.said) == (made.path, "Ties")
    assert campaign.scene.aspects[0].free_invocations == {"Cynere": 1}
    [reach] = [each for each in Page(document(campaign, made.path)).forms if each.tap == "invoke"]
    back = next(each for each in reach.buttons if each[0] == "back")
    assert TAPS["invoke"](campaign, reach.sent(back, made.path)).said == "Fails by 2"
    [reach] = [each for each in Page(document(campaign, made.path)).forms if each.tap == "invoke"]
    reroll = next(each for each in reach.buttons if each[0] == "again" and each[1].startswith("4 "))
    assert TAPS["invoke"](campaign, reach.sent(reroll, made.path)).said != "Ties"
    with pytest.raises(narrator.NarratorError, match="no longer possible"):
        TAPS["invoke"](campaign, form(page=made.path[1:], invoke='{"aspect": "Nothing"}'))


def test_a_roll_that_comes_to_something_else_by_now_is_shown_anew(campaign: Campaign) -> None:
    """Nothing is settled, and the page says why."""
    made = TAPS["roll"](campaign, form(who="Cynere", does="overcome", skill="Stealth", against="rating:3", sum="-1"))
    campaign.move({"type": "change", "who": "Cynere", "set": {"skills": {"Stealth": 1}}})
    settled = TAPS["settle"](campaign, form(page=made.path[1:], branch="minor_cost"))

    assert settled.path == made.path
    assert "Nothing was written" in settled.why
    assert settled.said == "Fails by 3"


def test_one_line_is_a_roll_a_move_or_a_question(campaign: Campaign) -> None:
    """As the terminal reads it; without dice it is chosen, and waits for how it went."""
    assert TAPS["say"](campaign, form(text="cyn stealth missed climb the wall")).path == "/p1"
    assert TAPS["say"](campaign, form(text="tick relief")).said == "Clock: The Relief Arrives"
    asked = TAPS["say"](campaign, form(text="cyn with flying vs 2"))
    assert "flying" in document(campaign, "/", form(), line=asked.line)
    chosen = TAPS["say"](campaign, form(text="lan fight vs 4 keep them out"))
    rolling = Rolling(Table(campaign), Draft.of(chosen.form))
    assert (rolling.draft.who, rolling.draft.skill, rolling.draft.against) == ("Landon", "Fight", "rating:4")


def test_own_words_are_judged_as_they_would_be_settled(campaign: Campaign) -> None:
    """A name is enough; what states a mechanic says how to mend it."""
    made = TAPS["roll"](campaign, form(who="Cynere", does="overcome", outcome="fail"))
    own = {
        "page": made.path[1:],
        "slot": "serious_cost",
        "branch": "serious_cost",
        "own__serious_cost__form": "opposition_advantage",
    }
    good = judged(campaign, form(**own, own__serious_cost__name="Bells All Over Town"))
    bad = judged(campaign, form(**own, own__serious_cost__name="Takes 2 Stress in the Arm"))

    assert good == {"fits": True, "text": "Fits: Their edge, 1 free invocation for Gate Guards"}
    assert bad["fits"] is False
    assert "mechanic" in bad["text"]
    taken = form(**own, own__serious_cost__name="Bells All Over Town", pick__serious_cost="own")
    assert "Bells All Over Town" in TAPS["settle"](campaign, taken).said


def test_words_without_a_name_are_a_sentence(campaign: Campaign) -> None:
    """Whatever field of theirs they were typed into."""
    made = TAPS["roll"](campaign, form(who="Cynere", does="overcome", outcome="tie"))
    own = {"page": made.path[1:], "slot": "minor_cost", "branch": "minor_cost", "own__minor_cost__form": "story_detail"}
    typed = form(**own, own__minor_cost__name="The guards remember the hat.", pick__minor_cost="own")

    assert judged(campaign, typed)["fits"] is True
    assert "The guards remember the hat." in TAPS["settle"](campaign, typed).said


def test_a_sheet_is_typed(campaign: Campaign) -> None:
    """Skills by their ratings; what is none says how to write it."""
    TAPS["skills"](campaign, form(who="Gate Guards", text="Shoot 2, Deceive +1, Notice 0", at="/table"))
    guards = campaign.scene.characters[-1]
    assert guards.skills == {"Fight": 2, "Shoot": 2, "Deceive": 1}
    with pytest.raises(narrator.NarratorError, match="such as: Fight 3"):
        TAPS["skills"](campaign, form(who="Gate Guards", text="very good"))


def test_whoever_turned_up_comes_in_by_one_tap(campaign: Campaign) -> None:
    """Out of the words that were taken just now."""
    made = TAPS["roll"](campaign, form(who="Cynere", does="overcome", outcome="fail"))
    branch = next(
        each for each in Page(document(campaign, made.path)).forms if ("branch", "serious_cost") in each.fields
    )
    newcomer = next(each for each in branch.buttons if "new_opposition" in each[1])
    TAPS["settle"](campaign, branch.sent(newcomer, made.path))
    name = json.loads(newcomer[1])["name"]
    [tap] = [each for each in Page(document(campaign, "/")).forms if each.attributes.get("class") == "newcomer"]
    TAPS["move"](campaign, tap.sent(tap.buttons[0], "/"))

    assert name in [each.name for each in campaign.scene.characters]
    assert "newcomer" not in document(campaign, "/")


def test_undo_takes_back_what_was_shown_and_nothing_else(campaign: Campaign) -> None:
    """Where somebody else wrote meanwhile, it is refused: they would lose what they just did."""
    TAPS["note"](campaign, form(text="The bell is cracked", at="/table"))
    revision = str(campaign.revision)
    campaign.note("from the terminal")
    with pytest.raises(narrator.NarratorError) as caught:
        TAPS["undo"](campaign, form(revision=revision, at="/table"))

    assert caught.value.code == "stale_scene"
    assert TAPS["undo"](campaign, form(revision=str(campaign.revision), at="/table")).path == "/table"


@pytest.mark.parametrize("at", ["//evil.example", "/players", "javascript:1", "", "/p1234567890"])
def test_no_tap_leads_elsewhere(at: str, campaign: Campaign) -> None:
    """Wherever it says that it was made."""
    assert TAPS["look"](campaign, form(at=at)).path == "/"


@pytest.mark.parametrize("told", [[], "a", {"a": "b"}, {"a": [1]}, {"a" * 201: []}, {"a": ["b" * 40_001]}])
def test_what_is_no_form_is_refused(told: object) -> None:
    """As a user's mistake."""
    with pytest.raises(narrator.NarratorError):
        Form.read(told)


def test_an_empty_scene_says_what_to_do(tmp_path: Path) -> None:
    """Nobody can roll; whoever is added can."""
    campaign = narrator.open_campaign(tmp_path / "new.narrator")
    assert "Nobody is at the table yet" in Page(document(campaign, "/")).text
    added = next(
        (read, button)
        for read in Page(document(campaign, "/table")).forms
        for button in read.buttons
        if '"importance": "pc"' in button[1]
    )
    tapped(campaign, "move", added[0].sent(added[1], "/table", text="Zird"), has_model=False)
    assert "Zird" in Page(document(campaign, "/")).text
    assert "Zird" in Page(players(campaign)).text


@pytest.mark.parametrize("path", ["/", "/p1", "/table", "/end"])
def test_a_page_is_well_formed_and_has_no_script_or_style_in_it(path: str, campaign: Campaign) -> None:
    """Every tag is closed, and nothing runs that does not lie in a file of ours."""
    TAPS["roll"](campaign, form(who="Cynere", does="overcome", sum="-4"))
    shown = Page(document(campaign, path))

    assert "style" not in shown.tags | shown.attributes
    assert not [each for each in shown.attributes if each.startswith("on")]


@pytest.mark.parametrize(
    ("tap", "fields"),
    [
        ("look", {"against": "rating:abc"}),
        ("look", {"against": f"rating:{'9' * 5000}"}),
        ("roll", {"bonus": "9" * 5000, "sum": "0"}),
        ("roll", {"sum": "٣"}),
        ("roll", {"sum": "9"}),
        ("roll", {}),
        ("move", {"move": '{"move": {"type": "turn"}, "typed": {"text": [["a"]]}}'}),
        ("move", {"move": '{"typed": 1}'}),
        ("move", {"move": '{"move": {"type": "aspect"}, "typed": {"text": []}}', "text": "a"}),
        ("invoke", {"page": "p1", "invoke": "{"}),
        ("invoke", {"page": "p1", "back": "actor.x"}),
        ("told", {"page": "p1", "shifts": ""}),
        ("settle", {"page": "p1", "branch": "fail", "pick.serious_cost": "[]"}),
        ("settle", {"page": "p2"}),
        ("strike", {"what": "9" * 30}),
        ("end", {"goes": "Nothing"}),
    ],
)
def test_whatever_a_form_says_is_no_fault_of_ours(tap: str, fields: dict[str, str], campaign: Campaign) -> None:
    """It is done, or refused as a user's mistake."""
    TAPS["roll"](campaign, form(who="Cynere", does="overcome", against="rating:2", sum="-4"))
    with suppress(narrator.NarratorError):
        tapped(campaign, tap, Form({name: (told,) for name, told in fields.items()}), has_model=False)


def test_a_name_that_looks_like_a_place_for_text_stays_a_name(tmp_path: Path) -> None:
    """Whatever somebody is called, their boxes are marked, and nothing that was typed comes into a move unasked."""
    odd = {"name": "$", "side": "a", "importance": "pc", "stress": {"text": {"boxes": [1, 2]}}, "skills": {"$": 2}}
    scene = {"characters": [odd], "aspects": [{"name": "text", "free_invocations": {"$": 1}}]}
    campaign = narrator.open_campaign(tmp_path / "odd.narrator", scene=scene)
    shown = Page(document(campaign, "/table"))
    for at, read in enumerate(shown.forms):
        for place, (name, value) in enumerate(read.buttons):
            if '"stress"' in value and name == "move":
                TAPS["move"](campaign, shown.forms[at].sent(read.buttons[place], "/table", text="typed"))
                assert campaign.scene.characters[0].stress["text"].marked  # type: ignore[index]
                campaign.undo()
    assert "typed" not in json.dumps(campaign.scene.as_json())
