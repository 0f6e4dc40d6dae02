"""Settling by the letters of a page: what was kept, what is chosen of it, and the scene that comes of it."""

import json
import re
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator.render import surfaces
from narrator.rules.json_text import Json
from tests.interfaces.running import CYNERE, HARBOUR, ROOT, kept, made, page, refusal, run, said, usage

PEOPLE: list[Json] = [
    {"name": "Iva", "side": "pc", "importance": "pc", "zone": "Ford", "skills": {"Forceful": 3}},
    {"name": "Orm", "side": "pc", "importance": "pc", "zone": "Ford"},
    {"name": "Pack", "side": "kuld", "zone": "Ford"},
    {"name": "Shaman", "side": "kuld", "importance": "named", "zone": "Gate"},
]
ZONES: list[Json] = [
    {"name": "Ford", "adjacent": ["Gate", "Tor"]},
    {"name": "Gate", "adjacent": ["Ford"]},
    {"name": "Tor", "adjacent": ["Ford"]},
]
SCENE: Json = {"aspects": [{"name": "Fog"}], "characters": PEOPLE, "zones": ZONES}

CREATES = ("caa", "--actor", "Iva", "--skill", "Forceful")
ROARS = (*CREATES, "--variant", "roar")
STRIKES = ("attack", "--actor", "Shaman", "--target", "Iva", "--shifts", "4", "--style")

PAGES: dict[str, tuple[str, ...]] = {
    "failure": ("overcome", "--actor", "Iva", "--fail"),
    "tie": ("overcome", "--actor", "Iva", "--tie"),
    "style": ("overcome", "--actor", "Iva", "--style"),
    "new aspect": (*CREATES, "--fail"),
    "roar that failed": (*ROARS, "--fail"),
    "roar that tied": (*ROARS, "--tie"),
    "full attack": ("overcome", "--actor", "Iva", "--maneuver", "full_attack", "--fail"),
    "hit": STRIKES,
    "movement": ("overcome", "--variant", "movement", "--path", "Ford", "--path", "Tor", "--actor", "Iva", "--tie"),
}


@dataclass(frozen=True)
class Saved:
    """A page, and the file that keeps it."""

    file: str
    page: str

    @property
    def offered(self) -> dict[str, list[list[int]]]:
        """The lists of numbers that stand beneath each letter, as somebody reads them off the page."""
        parts = re.split(r"^  ([a-z])  ", self.page, flags=re.MULTILINE)[1:]
        return {letter: _lists(told) for letter, told in zip(parts[::2], parts[1::2], strict=True)}

    @property
    def names(self) -> dict[int, str]:
        """The name that stands beside each number, where there is one."""
        found = re.findall(r"^     (\d+) [^a-z]+?  (\S.*?)(?:  \(|$)", self.page, re.MULTILINE)
        return {int(number): name for number, name in found if not name.startswith("(")}

    def settled(self, *words: str) -> Json:
        """The next scene, and what changed."""
        settled: Json = made("settle", self.file, *words)
        return settled

    def refused(self, *words: str) -> str:
        """The line in which it is said why nothing is settled so."""
        return refusal("settle", self.file, *words)

    @property
    def kept(self) -> Json:
        """What its file has."""
        content: Json = json.loads(Path(self.file).read_text("utf-8"))
        return content


def _lists(told: str) -> list[list[int]]:
    wants = re.search(r"^     (one of .*):$", told, re.MULTILINE)
    if wants is None:
        alone = [int(number) for number in re.findall(r"^     (\d+) [A-Z]", told, re.MULTILINE)]
        return [alone] if alone else []
    return [list(range(int(first), int(last) + 1)) for first, last in re.findall(r"(\d+)-(\d+)", wants[1])]


@pytest.fixture
def fight(tmp_path: Path) -> str:
    """The file of a fight by the advanced conflict."""
    return kept(tmp_path, "fight.json", {"ruleset": "war-of-ashes", "scene": SCENE})


def saved(fight: str, *words: str, name: str = "page.json") -> Saved:
    """Ask for words about the fight, and keep the page."""
    file = str(Path(fight).with_name(name))
    return Saved(file, page("suggest", *words, "--scene", fight, "--seed", "1", "--save", file))


@pytest.fixture
def failure(fight: str) -> Saved:
    """The page of a failure."""
    return saved(fight, *PAGES["failure"])


@pytest.fixture
def hit(fight: str) -> Saved:
    """The page of a hit."""
    return saved(fight, *STRIKES)


def edited(fight: str, **scene: Any) -> Json:
    """What the file of the fight has once somebody has changed its scene by hand."""
    now = {"ruleset": "war-of-ashes", "scene": {**SCENE, **scene}}
    kept(Path(fight).parent, Path(fight).name, now)
    return now


@pytest.mark.parametrize("words", PAGES.values(), ids=PAGES)
def test_whatever_a_page_offers_can_be_settled(
    fight: str, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Each letter with the first and with the last of each of its lists: what stands there comes into the scene."""
    monkeypatch.setenv("COLUMNS", "100")
    printed = saved(fight, *words)
    more = {PAGES["roar that failed"]: ("--holder", "Shaman")}.get(words, ())

    assert len(printed.offered) > 0
    for letter, lists in printed.offered.items():
        for numbers in product(*([each[0], each[-1]] for each in lists)):
            # A mild consequence, and either box.
            box = ("--absorb", "1") if (words, letter, numbers[-1:]) == (STRIKES, "i", (1,)) else ()
            scene = printed.settled(f"{letter}{','.join(map(str, numbers))}", *more, *box)["scene"]
            names = [printed.names[number] for number in numbers if number in printed.names]
            said = tuple(scene["recent"])
            assert [name for name in names if not any(each.startswith(name) for each in said)] == []
            assert scene["revision"] == 1


def test_two_lists_are_chosen_by_two_numbers(fight: str) -> None:
    """However they are typed; one alone, or two of one list, is refused with what is wanted."""
    printed = saved(fight, *PAGES["roar that failed"])
    held = ("--holder", "Pack")
    scenes = [printed.settled(typed, *held) for typed in ("r1,4", "r 1 4", "R1+4", "r1;4")]

    assert scenes == [scenes[0]] * 4
    for typed in ("r", "r1", "r4", "r1,2", "r1,4,5", "r1,7"):
        assert printed.refused(typed, *held).endswith("r needs one of 1-3 and one of 4-6")


WRONG = {
    "": ("bad_choice: choice: ", "f, s"),
    "x": ("bad_choice: choice: ", "f, s"),
    "s9": ("bad_choice: choice: ", "one of 1-3"),
    "f1": ("bad_choice: choice: ", "no number"),
    "s1 --taken-out": ("bad_choice: --taken-out: ", ""),
    "s1 --absorb 2": ("bad_choice: --absorb: ", ""),
    "s1 --holder Pack": ("bad_choice: --holder: ", ""),
    "s1 --track mental": ("bad_choice: --track: ", ""),
    "s1 --zone Gate": ("bad_choice: --zone: ", ""),
    "f --to Orm": ("bad_choice: --to: ", ""),
    "f --expect-revision 3": ("stale_scene: ", "3"),
}


@pytest.mark.parametrize("typed", WRONG)
def test_what_a_page_does_not_offer_is_refused_by_its_option(failure: Saved, typed: str) -> None:
    """One line with what there is; the file stays as it is."""
    before, (start, told) = Path(failure.file).read_bytes(), WRONG[typed]
    line = failure.refused(*typed.split())

    assert line.startswith(f"narrator: {start}")
    assert told in line
    assert before == Path(failure.file).read_bytes()


ABSORBED: list[tuple[tuple[str, ...], list[int], dict[str, str]]] = [
    (("2", "mild=Split Lip"), [2], {"mild": "Split Lip"}),
    (("mild = Split Lip", "box 2"), [2], {"mild": "Split Lip"}),
    (("severe=Lost an Eye, Half Blind",), [], {"severe": "Lost an Eye, Half Blind"}),
]


@pytest.mark.parametrize(("typed", "marked", "taken"), ABSORBED, ids=[" ".join(typed) for typed, _, _ in ABSORBED])
def test_a_hit_is_absorbed_as_it_was_typed(
    fight: str, typed: tuple[str, ...], marked: list[int], taken: dict[str, str]
) -> None:
    """By a box, and by consequences with their wording; the attacker gets a free invocation of each of these."""
    scene = saved(fight, *STRIKES).settled("h", *(word for text in typed for word in ("--absorb", text)))["scene"]
    free = {each["name"]: each["free_invocations"] for each in scene["aspects"] if each.get("on") == "Iva"}

    assert harmed(scene) == (marked, taken)
    assert free == {name: {"Shaman": 1} for name in taken.values()}


def harmed(scene: Json) -> tuple[list[int], dict[str, str]]:
    """Iva's marked boxes and worded consequences."""
    iva = scene["characters"][0]
    worded = {each["severity"]: each["name"] for each in iva["consequences"] if "name" in each}
    return iva["stress"]["physical"]["marked"], worded


WORDED: list[tuple[tuple[str, ...], list[int], str]] = [
    (("h1",), [2], "mild"),
    (("h1", "--absorb", "mild", "--absorb", "box 2"), [2], "mild"),
    (("h2",), [], "moderate"),
    (("h1", "--name", "Cut Ear"), [2], "mild"),
    (("i4,1", "--absorb", "1"), [1], "mild"),
]


@pytest.mark.parametrize(("typed", "marked", "level"), WORDED, ids=[" ".join(typed) for typed, _, _ in WORDED])
def test_a_consequence_is_taken_by_its_number(
    hit: Saved, typed: tuple[str, ...], marked: list[int], level: str
) -> None:
    """At the level that it is worded for; and the box beside it, where there is but one way."""
    scene = hit.settled(*typed)["scene"]
    name = typed[-1] if "--name" in typed else hit.names[int(typed[0][-1])]

    assert harmed(scene) == (marked, {level: name})
    assert [each["free_invocations"] for each in scene["aspects"] if each["name"] == name] == [{"Shaman": 1}]


@pytest.mark.parametrize(("typed", "level"), [((), "mild"), (("--absorb", "moderate"), "moderate")])
def test_a_consequence_is_worded_by_whoever_takes_it(fight: str, typed: tuple[str, ...], level: str) -> None:
    """With a name and a detail of their own, for the level that is typed, else the mildest."""
    own = ("--form", "inflicted_consequence", "--name", "Burnt Sleeve", "--detail", "The cloth is black to the elbow.")
    scene = saved(fight, *STRIKES).settled("h", *own, *typed)["scene"]

    assert harmed(scene)[1] == {level: "Burnt Sleeve"}
    assert scene["recent"][-2:] == ["Burnt Sleeve", "The cloth is black to the elbow."]


def test_which_box_goes_with_it_is_said_where_there_are_two(hit: Saved) -> None:
    """Nobody marks the box of another unasked; and words for harm go with no taking out."""

    assert hit.refused("i4,1").endswith("say which box goes with it: --absorb 1 or --absorb 2")
    assert hit.refused("h1", "--taken-out").startswith("narrator: bad_choice: --taken-out: ")


def test_a_hit_that_is_not_absorbed_takes_out(hit: Saved) -> None:
    """Where that is said; said it must be, by the options that say it."""
    line = hit.refused("h")

    assert hit.settled("h", "--taken-out")["scene"]["characters"][0]["taken_out"] is True
    assert ("--absorb: " in line, "or give `taken_out`" in line) == (True, True)


SLIPS = {
    "mild": 'give it a name: --absorb "mild=..."',
    "1,1,1": "use one --absorb for each box",
    "two": "'two' is not a way to absorb",
    **dict.fromkeys(("=x", "1 2", "1", "mild=Limp", "9" * 5_000, ""), ""),
}


@pytest.mark.parametrize("typed", SLIPS, ids=lambda typed: typed[:9])
def test_what_is_no_way_to_absorb_is_refused(fight: str, typed: str) -> None:
    """A level without its wording, two boxes, too little of either, and what is neither: with how it is typed."""
    options = [word for text in typed.split(" ") for word in ("--absorb", text)]
    line = refusal("settle", saved(fight, *STRIKES).file, "h", *options)

    assert line.startswith(f"narrator: bad_choice: --absorb: {SLIPS[typed]}")


def test_who_gets_what_is_said_where_there_is_a_choice(fight: str) -> None:
    """The holder of a consequence's free invocation, and who of several gets a grant; else it is asked."""
    roar = saved(fight, *PAGES["roar that failed"])
    asked = roar.refused("r1,4")
    aspects = roar.settled("r1,4", "--holder", "Shaman")["scene"]["aspects"]
    used = saved(fight, *CREATES, "--variant", "existing_aspect", "--aspect", "Fog", "--style")
    given = used.settled("i", "--to", "Orm")["scene"]["aspects"][0]

    assert ("--holder: " in asked, "Pack, Shaman" in asked) == (True, True)
    assert [each["free_invocations"] for each in aspects if each["name"] == roar.names[4]] == [{"Shaman": 1}]
    assert given["free_invocations"] == {"Orm": 2}
    line = "narrator: bad_choice: --to: say who gets the free invocations of Fog (allowed: Iva, Orm)"
    assert used.refused("i") == line
    assert "Iva, Orm" in used.refused("i", "--to", "Pack")


def test_the_track_that_is_marked_may_be_said(fight: str) -> None:
    """Where stress is marked and more than one track has a free box; one that has none is refused."""
    missed = saved(fight, "attack", "--actor", "Iva", "--target", "Pack", "--fail")
    sheet = missed.settled("n", "--track", "mental")["scene"]["characters"][0]["stress"]

    assert {track: each["marked"] for track, each in sheet.items()} == {"physical": [], "mental": [1]}
    assert missed.refused("n", "--track", "soul").startswith("narrator: bad_choice: --track: ")


def test_where_somebody_moves_may_be_said(fight: str) -> None:
    """Where there is more than one way to go it has to be; a zone that is not there is refused with those that are."""
    push = saved(fight, "overcome", "--actor", "Iva", "--maneuver", "push", "--by", "Pack", "--succeed")
    (letter,) = push.offered
    pack = push.settled(letter, "--zone", "Tor")["scene"]["characters"][2]

    assert pack["zone"] == "Tor"
    for words in ((), ("--zone", "Nowhere")):
        line = push.refused(letter, *words)
        assert (line.startswith("narrator: bad_choice: --zone: "), "Gate" in line) == (True, True)


def test_words_of_ones_own_may_be_settled(failure: Saved) -> None:
    """In place of a suggestion's, or of a form that the branch allows; the check judges them as any others."""
    own = ("--name", "A Lantern Left Lit", "--detail", "Someone is going to see it from the road.")
    for words in (("s", "--form", "opposition_advantage", "--to", "Pack", *own), (f"s{min(failure.names)}", *own)):
        assert own[1] in json.dumps(failure.settled(*words)["scene"])

    assert "--form: " in failure.refused("s", "--form", "boost", *own)
    assert failure.refused("s", "--form", "opposition_advantage", "--name", "x", "--detail", "y")


def test_a_name_of_ones_own_comes_without_the_details_of_the_card(fight: str) -> None:
    """What a card tells belongs to the card's own name; a name alone is enough, and a detail alone leaves the name."""
    printed = saved(fight, *PAGES["style"])
    mine = ("--name", "Mine Alone")
    tries = (("b1", *mine), ("b", "--form", "boost", *mine), ("b1", "--detail", "It rains."))

    assert said(page("settle", printed.file, "b1", *mine)).startswith("Mine Alone New ")
    assert [printed.settled(*typed)["scene"]["recent"] for typed in tries] == [
        *[["Mine Alone"]] * 2,
        [printed.names[1], "It rains."],
    ]


DRAFTED = (*CREATES, "--aspect", "Key Up My Sleeve")


@pytest.mark.parametrize(("outcome", "letter"), [("--succeed", "a"), ("--style", "a"), ("--tie", "b"), ("--fail", "a")])
def test_what_the_player_calls_the_aspect_is_offered_first(fight: str, outcome: str, letter: str) -> None:
    """By its number, without a detail, which may be written; what else is offered is as many as ever."""
    printed = saved(fight, *DRAFTED, outcome)
    settled = printed.settled(f"{letter}1")

    assert printed.names[1] == "Key Up My Sleeve"
    assert "Key Up My Sleeve" in [each["name"] for each in settled["scene"]["aspects"]]
    assert settled["scene"]["recent"] == ["Key Up My Sleeve"]
    assert printed.settled(f"{letter}1", "--detail", "It is cold.")["scene"]["recent"][1:] == ["It is cold."]
    assert printed.names[2] in printed.settled(f"{letter}2")["scene"]["recent"]
    answer = printed.kept["answer"]
    assert (len(answer["drafts"]), len(answer["suggestions"]), len(printed.names)) == (1, 3, 4)
    assert (answer["drafts"][0]["source"], answer["drafts"][0]["detail"]) == ("given", "")


@pytest.mark.parametrize("called", ["Fog", "They write it all down in a notebook.", "Two Shifts of Stress", "Iva"])
def test_what_is_no_new_aspect_is_not_offered_and_a_notice_says_why(fight: str, called: str) -> None:
    """One in play, a sentence, a mechanic, somebody's name: the suggestions are numbered as if nothing were called."""
    printed = saved(fight, *CREATES, "--aspect", called, "--succeed")

    assert "note: Your own wording was refused. The name " in said(printed.page)
    assert (called in printed.names.values(), sorted(printed.names)) == (False, [1, 2, 3])
    assert "drafts" not in printed.kept["answer"]


@pytest.mark.parametrize("detail", [{}, {"detail": None}, {"detail": ""}])
def test_a_name_is_enough_in_a_choice_and_nowhere_else(detail: Json) -> None:
    """A form that has no name still wants its detail, and who suggests to the check words both."""
    request = {"action": {"type": "create_advantage", "actor": "Iva", "outcome": "succeed"}}
    words = {"slot": "aspect", "form": "situation_aspect", "name": "Key Up My Sleeve", **detail}
    assert narrator.apply(request, {"branch": "aspect", "suggestions": [words]}).aspects[0].name == "Key Up My Sleeve"
    rejected = narrator.check(request, words).rejected
    assert rejected is not None
    assert (rejected.code, rejected.field) == ("malformed", "detail")

    request = {"action": {"type": "overcome", "actor": "Iva", "outcome": "tie"}}
    words = {"slot": "minor_cost", "form": "story_detail", **detail}
    with pytest.raises(narrator.NarratorError, match="needs a detail"):
        narrator.apply(request, {"branch": "minor_cost", "suggestions": [words]})


@pytest.mark.parametrize("surface", [each for each in surfaces.surfaces() if each != "json"])
def test_a_secret_that_is_settled_is_marked_on_every_surface(surface: str, tmp_path: Path) -> None:
    """As `suggest` marks it, before its words; whoever wrote the choice need not say that it is secret."""
    told = {}
    for form in ("false_information", "unreliable_information", "tipped_off", "harder_later", "story_detail"):
        slot, outcome = ("serious_cost", "fail") if form == "false_information" else ("minor_cost", "tie")
        request = {"action": {"type": "discover", "actor": "Ann", "outcome": outcome}}
        words = {"slot": slot, "form": form, "detail": "The ferryman was paid to say so."}
        content = {"request": request, "choice": {"branch": slot, "suggestions": [words]}}
        written = page("settle", kept(tmp_path, "choice.json", content), "--format", surface)
        told[form] = said(re.sub(r"<.*?>", "", written) if surface == "html" else written)

    assert [form for form in told if "(for the GM alone) The ferryman" in told[form]] == [*told][:-1]
    assert "for the GM" not in told["story_detail"]


def test_the_next_scene_is_kept_for_the_next_action(fight: str) -> None:
    """With its ruleset; what was chosen stands in it, and is in reach there; the page is settled by then."""
    table = str(Path(fight).with_name("table.json"))
    first = saved(fight, *CREATES, "--aspect", "Ice on the Steps", "--succeed")
    told = page("settle", first.file, "a1", "--save", table)
    second = saved(table, "overcome", "--actor", "Iva", "--dice", "0000", "--against", "1", name="second.json")

    assert first.names[1] in told
    assert f"with {first.names[1]}" in said(second.page)
    assert json.loads(Path(table).read_text("utf-8"))["ruleset"] == "war-of-ashes"
    assert first.refused("a2", "--save", table).startswith("narrator: page_closed: ")
    assert refusal("settle", second.file, "f", "--expect-revision", "0").startswith("narrator: stale_scene: ")
    assert run("settle", second.file, "f", "--expect-revision", "1", "--save", table).code == 0


def test_harm_is_written_down_though_nobody_was_named(tmp_path: Path) -> None:
    """Whoever it was that acted, the consequence that was chosen is in the scene."""
    file = str(tmp_path / "page.json")
    printed = Saved(file, page("suggest", "overcome", "--fail", "--save", file))
    own = ("--form", "consequence", "--name", "Hands That Shake", "--detail", "It is done before the shaking starts.")
    (somebody,) = printed.settled("s", *own)["scene"]["characters"]

    assert somebody["consequences"][0]["name"] == "Hands That Shake"


def test_a_page_tells_what_was_chosen_and_what_changed(failure: Saved) -> None:
    """Name and words, then each change; where nothing changes, it says so."""
    changes = failure.settled("s1")["changes"]
    told = said(page("settle", failure.file, "s1"))

    assert failure.names[1] in told
    assert [each["text"] for each in changes if said(each["text"]) not in told] == []
    assert said(page("settle", failure.file, "f")).startswith("Nothing of the scene changes.")


def test_a_file_with_request_and_choice_needs_no_letters(tmp_path: Path) -> None:
    """As a macro writes it; the options of letters are wrong usage then, and without a choice nothing is settled."""
    request = json.loads(CYNERE.read_text("utf-8"))
    file = kept(tmp_path, "choice.json", {"request": request, "choice": {"branch": "fail"}})

    assert made("settle", file) == narrator.settle(request, {"branch": "fail"}).as_json()
    assert made("settle", "-", given=Path(file).read_text("utf-8")) == made("settle", file)
    assert "CHOICE" in usage("settle", file, "--taken-out")
    assert refusal("settle", str(CYNERE)).startswith("narrator: bad_request: choice: ")
    assert run("settle", str(CYNERE), "f").code == 0


PARLEY = ("parley", "--actor", "Mirelle", "--skill", "Rapport=2", "--against", "3", "--dice", "0000")


def test_what_is_kept_knows_the_file_of_its_ruleset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the next command is typed: beside the request, whose part it is not, and the scene that comes of it."""
    file, after = (str(tmp_path / name) for name in ("page.json", "after.json"))
    made("suggest", *PARLEY, "--ruleset", str(HARBOUR.relative_to(ROOT)), "--save", file)
    monkeypatch.chdir(tmp_path)
    written = json.loads(Path(file).read_text("utf-8"))

    assert (written["ruleset_file"], "ruleset_file" in written["request"]) == (str(HARBOUR), False)
    assert made("suggest", file, "--save", file)["resolution"]["action"]["type"] == "parley"
    assert made("settle", file, "f", "--save", after)["scene"]["revision"] == 1
    assert made("reach", file)["reach"] == []
    assert made("resolve", *PARLEY, "--scene", after)["ruleset"] == "harbour-nights"


def test_a_ruleset_that_is_typed_or_beside_the_scene_counts(tmp_path: Path) -> None:
    """The file that a page has its ruleset from is not read then, and may be gone."""
    file, table = str(tmp_path / "page.json"), kept(tmp_path, "table.json", {"ruleset": "five-actions", "scene": {}})
    made("suggest", *PARLEY, "--ruleset", str(HARBOUR), "--save", file)
    gone = {**json.loads(Path(file).read_text("utf-8")), "ruleset_file": str(tmp_path / "gone.toml")}
    moved = kept(tmp_path, "moved.json", gone)

    assert run("settle", moved, "f", "--ruleset", str(HARBOUR)).code == 0
    assert refusal("settle", moved, "f").startswith(f"narrator: bad_ruleset: {tmp_path / 'gone.toml'}: ")
    assert "five-actions has no action 'parley'" in refusal("resolve", moved, "--scene", table)
    for path in (3, "a\0b", "\ud800"):
        broken = kept(tmp_path, "broken.json", {**gone, "ruleset_file": path})
        assert refusal("settle", broken, "f").startswith("narrator: bad_request: ")


@pytest.mark.parametrize("file", ["nowhere/page.json", "."])
def test_a_page_is_read_even_where_it_cannot_be_kept(file: str) -> None:
    """The words may have been paid for; the command ends as wrong usage, and says which file of which option."""
    words = ("suggest", "overcome", "--actor", "Iva", "--fail", "--seed", "1")
    ended = run(*words, "--save", file)

    assert (ended.code, ended.out, f"--save: {file}: " in ended.err) == (2, page(*words), True)


OTHERS = {
    "notes": "# The mill",
    "list": "[1]",
    "request": json.dumps({"scene": {}, "action": {"type": "overcome", "actor": "Ann"}}),
    "page": json.dumps({"request": {}, "answer": {}}),
    "scene": json.dumps({"scene": SCENE}),
}


@pytest.mark.parametrize("kind", ["scene", "page"])
@pytest.mark.parametrize("other", OTHERS)
def test_nothing_is_written_over_but_what_is_alike(fight: str, kind: str, other: str) -> None:
    """A scene over no page, and a page above all over no scene: that is said before anybody is asked for words."""
    file = Path(fight).with_name("other.json")
    file.write_text(OTHERS[other], "utf-8")
    words = ("settle", saved(fight, *PAGES["failure"]).file, "f") if kind == "scene" else ("suggest", *PAGES["failure"])
    if kind == other:
        assert run(*words, "--save", str(file)).code == 0
    else:
        assert str(file) in refusal(*words, "--save", str(file))
        assert file.read_text("utf-8") == OTHERS[other]


SPOILT = [
    ('{"request": 5, "answer": {}}', "request"),
    ('{"request": {}, "answer": {}}', "action"),
    ('{"request": REQUEST, "answer": {"suggestions": [{"slot": 1}]}}', "answer.suggestions.0"),
    ('{"request": REQUEST, "answer": {"suggestions": 7}}', "s"),
    ('{"request": REQUEST, "answer": [1]}', "s"),
    ('{"request": REQUEST, "answer": {}, "typed": {"skill": {}}}', "typed.skill: no such field"),
    ('{"request": REQUEST, "answer": {}, "scene_file": 3}', "scene_file: this must be text"),
]


@pytest.mark.parametrize(("text", "told"), SPOILT, ids=[text for text, _ in SPOILT])
def test_a_page_that_was_spoilt_by_hand_is_one_line(tmp_path: Path, text: str, told: str) -> None:
    """Whatever of it is not as it was kept."""
    file = tmp_path / "page.json"
    file.write_text(text.replace("REQUEST", CYNERE.read_text("utf-8")), "utf-8")

    assert told in refusal("settle", str(file), "s1")


def test_a_scene_is_kept_over_a_bare_one_too(tmp_path: Path) -> None:
    """However the file that the page was made from holds it."""
    table, file = kept(tmp_path, "table.json", {"summary": "A yard.", "revision": 3}), str(tmp_path / "page.json")
    page("suggest", "overcome", "--scene", table, "--actor", "Ann", "--fail", "--save", file)
    page("settle", file, "f", "--save", table)

    assert json.loads(Path(table).read_text("utf-8"))["scene"]["revision"] == 4


@pytest.mark.parametrize(("follow", "moved"), [((), {"Pack"}), (("--follow",), {"Pack", "Iva"})])
def test_whoever_may_move_along_does_where_it_is_said(fight: str, follow: tuple[str, ...], moved: set[str]) -> None:
    """A push moves its target; the one who pushed goes along only where that is typed."""
    push = saved(fight, "overcome", "--actor", "Iva", "--maneuver", "push", "--by", "Pack", "--succeed")
    changes = push.settled("s", "--zone", "Gate", *follow)["changes"]

    assert {each["who"] for each in changes if each["type"] == "zone"} == moved


@pytest.mark.parametrize("words", ["settle FILE s2 --save OTHER", "turn-order FILE --approach Quick", "resolve FILE"])
@pytest.mark.parametrize("request_", [1.5, 5, [], "x", None])
def test_a_file_without_a_request_in_it_is_refused_in_a_line(tmp_path: Path, words: str, request_: Any) -> None:
    """Whatever stands in its place."""
    file = kept(tmp_path, "a.json", {"request": request_})
    other = kept(tmp_path, "b.json", {"scene": {}})

    assert refusal(*[{"FILE": file, "OTHER": other}.get(word, word) for word in words.split()])


def test_a_page_is_settled_on_the_scene_as_it_is_now(fight: str, failure: Saved) -> None:
    """What was edited by hand since it was made is in the scene that comes of it."""
    edited(fight, facts=["The bridge is gone."], lines=["fire"])
    scene = failure.settled("s1")["scene"]

    assert (scene["facts"][0], scene["lines"]) == ("The bridge is gone.", ["fire"])


def test_words_that_the_table_has_barred_since_are_not_settled(fight: str, failure: Saved) -> None:
    """The check judges them on the scene as it is now."""
    own = ("--name", "The Barn Is on Fire", "--detail", "It burns.")
    typed = ("s", "--form", "opposition_advantage", "--to", "Pack", *own)
    assert run("settle", failure.file, *typed).code == 0
    edited(fight, lines=["fire"])

    assert "over_the_line" in failure.refused(*typed)


def test_two_pages_of_one_scene_are_both_settled(fight: str) -> None:
    """In either order; each has what the other brought, and what was typed over the file is in it again."""
    first = saved(fight, *CREATES, "--aspect", "Ice on the Steps", "--succeed")
    second = saved(fight, "overcome", "--actor", "Orm", "--skill", "Quick=2", "--fail", name="second.json")
    for page_, letters in ((first, "a1"), (second, "f")):
        assert run("settle", page_.file, letters, "--save", fight).code == 0
    scene = json.loads(Path(fight).read_text("utf-8"))["scene"]

    assert ([each["name"] for each in scene["aspects"]], scene["revision"]) == (["Fog", first.names[1]], 2)
    assert scene["characters"][1]["skills"] == {"Quick": 2}


ROLLED = ("overcome", "--actor", "Iva", "--skill", "Forceful", "--dice", "0000", "--against", "2")

MEANWHILE: dict[str, tuple[tuple[str, ...], str, Json, str]] = {
    "the roll comes to something else": (ROLLED, "s", {"skills": {"Forceful": 1}}, "stale_scene"),
    "the branch gives something else": (PAGES["hit"], "h1", {"consequences": []}, "stale_scene"),
    "who acts is out": (PAGES["failure"], "f", {"taken_out": True}, "bad_request"),
    "who acts is gone": (PAGES["failure"], "f", {"name": "Ivana Somebody"}, "unknown_character"),
}


@pytest.mark.parametrize("meanwhile", MEANWHILE)
def test_what_is_another_by_now_is_not_settled(fight: str, meanwhile: str) -> None:
    """Where the outcome or what was chosen differs, or it can no longer be: nothing is written."""
    words, letters, iva, code = MEANWHILE[meanwhile]
    printed = saved(fight, *words)
    now = edited(fight, characters=[{**PEOPLE[0], **iva}, *PEOPLE[1:]])
    more = ("--absorb", "2") if letters == "h1" else ()
    line = printed.refused(letters, *more, "--save", fight)

    assert (line.startswith(f"narrator: {code}: "), "has changed" in line) == (True, code == "stale_scene")
    assert json.loads(Path(fight).read_text("utf-8")) == now


def test_a_page_is_settled_once(fight: str, failure: Saved) -> None:
    """Also where whoever settled it was ended before the page could say so: then the scene still knows."""
    before = Path(failure.file).read_bytes()
    assert run("settle", failure.file, "f", "--save", fight).code == 0

    assert failure.refused("f").startswith(f"narrator: page_closed: {failure.file}: ")
    Path(failure.file).write_bytes(before)
    assert failure.refused("f", "--save", fight).startswith("narrator: page_closed: ")
    assert json.loads(Path(fight).read_text("utf-8"))["scene"]["revision"] == 1


def test_a_page_outlives_the_file_of_its_scene(fight: str, failure: Saved) -> None:
    """It is settled on the scene that it has, and says so."""
    Path(fight).unlink()

    assert "no longer exists" in said(page("settle", failure.file, "s1"))


def test_apply_takes_the_letters_of_a_page_too(hit: Saved) -> None:
    """And gives the scene that `settle` gives."""
    words = ("h", "--absorb", "moderate=Broken Arm")

    assert made("apply", hit.file, *words) == hit.settled(*words)["scene"]


@pytest.mark.parametrize("letters", [(), ("s2",)])
def test_a_scene_alone_is_nothing_to_settle(fight: str, letters: tuple[str, ...]) -> None:
    """It is said what is wanted in its place."""
    assert "`suggest --save`" in refusal("settle", fight, *letters)


def test_a_prompt_that_is_only_shown_is_not_kept(tmp_path: Path) -> None:
    """There is no answer: that is said, and no file is written."""
    file = tmp_path / "page.json"

    assert "--show-prompt sends nothing" in usage("suggest", "overcome", "--show-prompt", "--save", str(file))
    assert not file.exists()


@pytest.mark.parametrize("how", ["typed", "edited"])
def test_another_ruleset_settles_nothing_else_than_was_printed(tmp_path: Path, how: str) -> None:
    """A page is what it was when it was made, whichever ruleset is typed, or stands in its file by now."""
    house, file = tmp_path / "house.toml", str(tmp_path / "page.json")
    house.write_text('name = "house"\nextends = "five-actions"\n', "utf-8")
    failed = ("overcome", "--actor", "Ann", "--fail", "--shifts", "3", "--target", "Ben")
    made("suggest", *failed, "--ruleset", str(house), "--save", file)
    house.write_text('name = "house"\nextends = "aspect-difficulty"\n', "utf-8")
    typed = ("--ruleset", "aspect-difficulty") if how == "typed" else ()

    assert refusal("settle", file, "s1", *typed).startswith("narrator: stale_scene: ")
    assert "not one of the page's letters" in refusal("settle", file, "c", *typed)


@pytest.mark.parametrize("scene", [[1], "x", 7, True, [["a", 1]]])
@pytest.mark.parametrize("words", [("word", "compel"), ("suggest", "overcome", "--fail"), ("odds", "overcome")])
def test_a_scene_that_is_none_is_refused_in_a_line(tmp_path: Path, scene: Any, words: tuple[str, ...]) -> None:
    """Whatever command reads it."""
    file = kept(tmp_path, "scene.json", {"scene": scene})

    assert "its scene must be an object" in refusal(*words, "--scene", file)


def test_a_page_is_read_on_the_scene_as_it_is_now(fight: str) -> None:
    """Also where nothing is settled yet: what another page has used up is no more in reach."""
    words = ("overcome", "--actor", "Iva", "--dice", "0000", "--against", "1", "--skill", "Forceful=0")
    edited(fight, aspects=[{"name": "Fog", "free_invocations": {"Iva": 1}}])
    printed = saved(fight, *words)
    other = saved(fight, *words, "--invoke", "Fog", name="other.json")
    assert "Fog" in said(page("reach", printed.file))
    (letter,) = other.offered
    assert run("settle", other.file, letter, "--save", fight).code == 0

    assert {each["pay"] for each in made("reach", printed.file)["reach"] if each["aspect"] == "Fog"} == {"fate_point"}
    assert "no_free_invocation" in refusal("suggest", printed.file, "--invoke", "Fog=free")
    assert made("resolve", printed.file)["roll"]["skill"] == 0


def test_a_page_asked_for_again_otherwise_is_settled_so(fight: str) -> None:
    """What was typed the second time counts, and what was typed the first time goes on to."""
    first = saved(fight, "overcome", "--actor", "Iva", "--skill", "Quick=4", "--dice", "0000", "--against", "2")
    assert run("suggest", first.file, "--fail", "--save", first.file).code == 0

    assert first.settled("f")["scene"]["characters"][0]["skills"] == {"Forceful": 3, "Quick": 4}


def test_what_is_not_written_says_so(fight: str, failure: Saved) -> None:
    """A page may be looked at, as long as nobody takes it for done."""

    assert "nothing is written: --save FILE keeps the scene" in said(page("settle", failure.file, "s1"))
    assert "note" not in said(page("settle", failure.file, "s1", "--save", fight))


def test_a_scene_kept_elsewhere_leaves_the_pages_own_as_it_was(fight: str, failure: Saved) -> None:
    """That is said: the name may be mistyped."""
    before, elsewhere = Path(fight).read_bytes(), str(Path(fight).with_name("figth.json"))
    told = page("settle", failure.file, "f", "--save", elsewhere)

    # A long path may be wrapped anywhere.
    assert f"keptin{elsewhere};{fight}isunchanged." in "".join(told.split())
    assert Path(fight).read_bytes() == before


def test_somebody_new_is_told_when_they_come_in(fight: str) -> None:
    """Once: a second page of theirs finds them in the scene."""
    first = saved(fight, "overcome", "--actor", "Harn", "--fail")
    second = saved(fight, "overcome", "--actor", "Harn", "--fail", name="second.json")

    assert "Harn is not in the scene yet: added" in said(page("settle", first.file, "s1", "--save", fight))
    assert "Harn is not in the scene" not in said(page("settle", second.file, "f", "--save", fight))
