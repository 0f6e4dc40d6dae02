"""Names as a GM types them: whatever the case, with somebody new at the table, and no rating that is lost."""

import json
from pathlib import Path
from shlex import split
from typing import Any

import pytest

from narrator import NarratorError, resolve
from narrator.rules.json_text import Json
from tests.interfaces.running import kept, made, page, refusal, run, said

SCENE: Json = {
    "aspects": [{"name": "Torchlit Gate", "free_invocations": {"Brida": 1}}, {"name": "Rain, at Last"}],
    "zones": [{"name": "Ford", "adjacent": ["Gate"]}, {"name": "Gate", "adjacent": ["Ford"]}],
    "characters": [
        {"name": "Brida", "side": "pc", "importance": "pc", "skills": {"Fight": 2}},
        {"name": "Osric", "side": "pc", "importance": "pc", "skills": {"Fight": 1}},
        {"name": "Gate Guards", "side": "opposition", "skills": {"Will": 1}},
    ],
}


@pytest.fixture
def scene(tmp_path: Path) -> str:
    """The file of a scene that lists people."""
    return kept(tmp_path, "scene.json", SCENE)


def requested(scene: str, tmp_path: Path, *words: str) -> Json:
    """The request that is kept of what was typed over a scene."""
    file = tmp_path / "page.json"
    page("suggest", *words, "--scene", scene, "--seed", "1", "--save", str(file))
    found: Json = json.loads(file.read_text("utf-8"))["request"]
    return found


SPELT: dict[str, tuple[str, Any]] = {
    "overcome --actor brida": ("actor", "Brida"),
    "overcome --actor BRIDA --target 'gate guards'": ("target", "Gate Guards"),
    "overcome --actor Brida --by 'the Gate Guards'": ("opposition.by", "Gate Guards"),
    "overcome --actor Brida --by gm": ("opposition.by", "GM"),
    "overcome --actor Brida --helper osric": ("helpers", ["Osric"]),
    "caa --actor Brida --aspect 'torchlit gate'": ("aspect", "Torchlit Gate"),
    "overcome --actor Brida --invoke 'torchlit gate=reroll'": ("invocations.0.aspect", "Torchlit Gate"),
    "overcome --actor Brida --invoke-against 'rain, at last'": ("opposition.invocations.0.aspect", "Rain, at Last"),
    "overcome --actor GM --ruleset aspect-difficulty --hindering 'torchlit gate'": (
        "opposition.hindering",
        ["Torchlit Gate"],
    ),
    "overcome --actor Brida --ruleset 'War of Ashes' --path ford --path gate": ("path", ["Ford", "Gate"]),
    "attack --actor Brida --target 'Gate Guards' --track Mental --total 9": ("attack.track", "mental"),
}


@pytest.mark.parametrize("typed", SPELT)
def test_a_name_is_taken_in_any_case(scene: str, tmp_path: Path, typed: str) -> None:
    """People, aspects, zones and tracks are spelt in the request as the scene spells them."""
    place, expected = SPELT[typed]
    found: Any = requested(scene, tmp_path, *split(typed))["action"]
    for part in place.split("."):
        found = found[int(part) if part.isdigit() else part]

    assert found == expected


def test_a_name_that_is_there_as_it_was_typed_is_that_one(tmp_path: Path) -> None:
    """Of two that differ in their case alone nobody is taken for the other."""
    file = kept(tmp_path, "twins.json", {"characters": [{"name": name, "side": "pc"} for name in ("Ana", "ana")]})

    for name in ("Ana", "ana"):
        assert made("resolve", "overcome", "--scene", file, "--actor", name, "--total", "0")["action"]["actor"] == name


@pytest.mark.parametrize("typed", ["Ford -> Gate", "ford→gate", "Ford->Gate"])
def test_a_path_may_be_typed_with_arrows(typed: str) -> None:
    """In one text, as one writes it down; zones that no scene lists are taken as they stand."""
    found = made("resolve", "overcome", "--ruleset", "war-of-ashes", "--path", typed, "--total", "3")["action"]["path"]

    assert [each.casefold() for each in found] == ["ford", "gate"]


@pytest.mark.parametrize("field", ["actor", "target"])
def test_in_json_a_name_is_exact(field: str) -> None:
    """The contract holds for macros: another case is another name, refused with the one that was meant."""
    action = {"type": "overcome", "actor": "Brida", "opposition": {"kind": "passive", "rating": 1}, field: "osric"}
    with pytest.raises(NarratorError, match="did you mean Osric") as caught:
        resolve({"scene": SCENE, "action": action, "seed": 1})

    assert (caught.value.code, caught.value.field) == ("unknown_character", f"request.action.{field}")


SERGEANT = "Harn's Sergeant"

NEW = {
    "attack --actor SERGEANT --target Brida": "opposition",
    "attack --actor SERGEANT --target 'Gate Guards'": "pc",
    "overcome --actor SERGEANT": "opposition",
    "attack --actor Brida --target SERGEANT": "opposition",
    "attack --actor 'Gate Guards' --target SERGEANT": "pc",
    "overcome --actor Brida --by SERGEANT": "opposition",
    "overcome --actor Brida --helper SERGEANT": "pc",
}


@pytest.mark.parametrize("typed", NEW)
def test_somebody_new_joins_the_scene(scene: str, tmp_path: Path, typed: str) -> None:
    """Without a sheet, on a side other than that of whom they are up against; the page says so, and which side."""
    words, side = split(typed.replace("SERGEANT", f'"{SERGEANT}"')), NEW[typed]
    told = f"{SERGEANT} is not in the scene yet: added on side {side}."

    assert requested(scene, tmp_path, *words)["scene"]["characters"] == [
        *SCENE["characters"],
        {"name": SERGEANT, "side": side, "importance": "unknown"},
    ]
    assert told in said(page("resolve", *words, "--scene", scene, "--seed", "1"))


def test_somebody_new_stays_in_the_scene_that_is_settled(scene: str, tmp_path: Path) -> None:
    """The next page finds them there, and says nothing of it again."""
    first, after = str(tmp_path / "page.json"), str(tmp_path / "after.json")
    hit = ("attack", "--actor", "Brida", "--target", SERGEANT, "--succeed", "--shifts", "2")
    page("suggest", *hit, "--scene", scene, "--save", first)
    page("settle", first, "h", "--save", after)

    again = page("suggest", "attack", "--actor", SERGEANT.upper(), "--target", "Brida", "--fail", "--scene", after)
    assert "not in the scene yet" not in again


def test_a_rating_is_typed_onto_the_sheet_of_somebody_new(scene: str) -> None:
    """As onto that of somebody who is listed."""
    typed = ("--actor", SERGEANT, "--skill", "Fight=3", "--by", "Old Wolf", "--with", "Will=2")
    found = made("resolve", "overcome", *typed, "--scene", scene, "--seed", "1")

    assert (found["roll"]["skill"], found["opposition"]["skill"]) == (3, 2)


@pytest.mark.parametrize("typed", ["--actor Birda", "--actor Brida --by Osrik", "--actor Brida --helper 'Gate Gaurds'"])
def test_a_name_within_a_letter_is_mistyped(scene: str, typed: str) -> None:
    """Nobody new is made of a slip: it is refused by its option, with the name that was meant."""
    words = split(typed)
    told = refusal("resolve", "overcome", *words, "--scene", scene)

    assert told.startswith(f"narrator: unknown_character: {words[-2]}: ")
    assert "did you mean" in told


@pytest.mark.parametrize("options", [(), ("--total", "3"), ("--skill", "Fight=1")], ids=" ".join)
def test_whom_a_file_names_is_nobody_new(options: tuple[str, ...]) -> None:
    """Only who was typed is: a request in JSON is refused as ever."""
    action = {"type": "overcome", "actor": SERGEANT, "opposition": {"kind": "passive", "rating": 1}}
    given = json.dumps({"scene": SCENE, "action": action, "seed": 1})

    told = refusal("resolve", "-", *options, given=given)
    assert told.startswith("narrator: unknown_character: request.action.actor: ")


BONUS = {
    "--actor GM --skill Fight=4": ("roll", 4),
    "--actor GM --skill Fight=4 --bonus 1": ("roll", 5),
    "--actor Brida --by GM --with Will=3": ("opposition", 3),
    "--actor Brida --with Will=-1": ("opposition", -1),
}


@pytest.mark.parametrize("listed", [True, False], ids=["listed", "nobody listed"])
@pytest.mark.parametrize("typed", BONUS)
def test_a_rating_of_whoever_has_no_sheet_counts(scene: str, typed: str, *, listed: bool) -> None:
    """The GM has none: what was typed is added to the dice, and the page says so."""
    over = ("overcome", *typed.split(), *(("--scene", scene) if listed else ()), "--seed", "1")
    side, bonus = BONUS[typed]
    found = made("resolve", *over)[side]

    assert found["total"] - sum(found["dice"]) == bonus
    assert "GM has no sheet" in said(page("resolve", *over))


def test_what_is_in_a_total_is_not_added_again(scene: str) -> None:
    """A skill beside a told result is in it, whoever rolled."""
    typed = ("--actor", "Brida", "--with", "Will=3", "--against", "2", "--scene", scene)

    assert made("resolve", "overcome", *typed)["opposition"]["total"] == 2
    assert "no sheet" not in run("resolve", "overcome", *typed).out


NAMED: Json = {
    "aspects": [{"name": "Fog", "free_invocations": {"Mara Vey": 1}}],
    "characters": [
        {"name": "Tobias Finch", "side": "pc", "importance": "pc", "skills": {"Rapport": 4}},
        {"name": "Mara Vey", "side": "pc", "importance": "pc"},
        {"name": "Baron Hask", "side": "house", "importance": "named", "skills": {"Will": 3}},
        {"name": "First Guard", "side": "house"},
        {"name": "Second Guard", "side": "house"},
    ],
}


@pytest.fixture
def named(tmp_path: Path) -> str:
    """The file of a scene in which people have first names."""
    return kept(tmp_path, "named.json", {"scene": NAMED})


def test_a_part_of_a_name_is_whoever_alone_has_it(named: str, tmp_path: Path) -> None:
    """A first name, or a title: nobody new comes to the table by it, and the sheet counts."""
    words = split("overcome --actor tobias --skill Rapport --by hask --with Will --helper Mara --dice 0000")
    action = requested(named, tmp_path, *words)["action"]
    told = (action["actor"], action["opposition"]["by"], action["helpers"])

    assert told == ("Tobias Finch", "Baron Hask", ["Mara Vey"])
    assert made("resolve", *words, "--scene", named, "--seed", "1")["roll"]["skill"] == 4


def test_a_part_of_several_names_is_refused_with_them(named: str) -> None:
    """Nobody knows which was meant, and it is nobody new."""
    line = refusal("suggest", "attack", "--actor", "Tobias", "--target", "guard", "--succeed", "--scene", named)

    assert "First Guard, Second Guard" in line


def test_who_gets_something_is_named_as_anybody_else(named: str, tmp_path: Path) -> None:
    """In any case, or by a part; a mistake is told by its option."""
    file = str(tmp_path / "page.json")
    page("suggest", "caa", "--actor", "Tobias", "--fail", "--scene", named, "--seed", "1", "--save", file)
    settled = made("settle", file, "a1", "--to", "second guard")["scene"]["aspects"]

    assert settled[-1]["free_invocations"] == {"Second Guard": 1}
    assert refusal("settle", file, "a1", "--to", "Mara").startswith("narrator: bad_choice: --to: ")


@pytest.mark.parametrize("who", ["Mara Vey", "mara"])
def test_what_an_ally_passes_on_is_typed_by_their_name(named: str, tmp_path: Path, who: str) -> None:
    """The free invocation is theirs, and is gone once it is settled."""
    words = ("overcome", "--actor", "Tobias", "--dice", "0000", "--against", "1", "--invoke", f"fog={who}")
    action = requested(named, tmp_path, *words)["action"]

    assert action["invocations"] == [{"aspect": "Fog", "pay": "free", "by": "Mara Vey"}]
    assert "passes it on" in said(page("reach", *words[:-2], "--scene", named))
    file = str(tmp_path / "page.json")
    assert "Mara Vey: no free invocation of Fog is left" in said(page("settle", file, "s"))
