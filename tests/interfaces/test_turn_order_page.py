"""Turn order on the command line: who acts when, and the ratings that say so."""

from pathlib import Path

import pytest

from narrator.rules.json_text import Json
from tests.interfaces.running import kept, lines, made, page, refusal, run

SCENE: Json = {
    "characters": [
        {"name": "Orm", "side": "pc", "skills": {"Quick": 1, "Careful": 3}},
        {"name": "Iva", "side": "pc", "skills": {"quick": 2, "Careful": 1}},
        {"name": "Pack", "side": "kuld", "skills": {"Quick": 2, "Careful": 2}},
        {"name": "Shaman", "side": "kuld", "skills": {"Careful": 4}},
    ]
}

ORDERS = {
    "": "Iva Quick +2; Pack Quick +2; Orm Quick +1; Shaman Quick +0",
    "--ties Careful": "Pack Quick +2, Careful +2; Iva Quick +2, Careful +1; Orm Quick +1, Careful +3; Shaman Quick +0, "
    "Careful +4",
    "--together pc": "Iva Quick +2; Orm Quick +1; Pack Quick +2; Shaman Quick +0",
    "--first Shaman": "Shaman Quick +0; Iva Quick +2; Pack Quick +2; Orm Quick +1",
    "--approach Careful": "Shaman Careful +4; Orm Careful +3; Pack Careful +2; Iva Careful +1",
}


@pytest.mark.parametrize("options", ORDERS)
def test_the_order_is_printed_with_its_ratings(tmp_path: Path, options: str) -> None:
    """One line for each, numbered, with each rating that decided; what is typed stands over what the file says."""
    file = kept(tmp_path, "order.json", {"scene": SCENE, "approach": "Quick"})
    order = enumerate(ORDERS[options].split("; "), 1)

    assert [" ".join(line.split()) for line in lines(page("turn-order", file, *options.split()))] == [
        f"{place} {each}" for place, each in order
    ]


@pytest.mark.parametrize("around", ["request", "page", "scene", "bare"])
def test_any_file_with_a_scene_will_do(tmp_path: Path, around: str) -> None:
    """A request with all it may hold, what `suggest --save` kept, what `settle --save` kept, and a scene alone."""
    request: Json = {"scene": SCENE, "action": {"type": "overcome", "actor": "Iva"}, "seed": 1, "per_slot": 2}
    page_kept = {"request": request, "answer": {}}
    content = {"request": request, "page": page_kept, "scene": {"scene": SCENE}, "bare": SCENE}[around]
    file = kept(tmp_path, "any.json", {**content, **({"ruleset": "war-of-ashes"} if around == "scene" else {})})

    assert made("turn-order", file, "--approach", "Quick")["turn_order"][0] == "Iva"


@pytest.mark.parametrize("name", ["turn-order", "turn_order", None])
def test_a_payload_names_its_call_with_a_hyphen_or_without(tmp_path: Path, name: str | None) -> None:
    """In a file as for a macro; null is the same as no name, and another call's name is refused."""
    file = kept(tmp_path, "order.json", {"call": name, "request": {"scene": SCENE, "approach": "Quick"}})

    bare = kept(tmp_path, "bare.json", {"call": None, "scene": SCENE, "approach": "Quick"})

    assert made("turn-order", file) == made("turn-order", bare)
    assert "for another call, not for odds" in refusal("odds", file) if name else run("odds", file).code == 1


def test_what_is_wrong_is_one_line(tmp_path: Path) -> None:
    """No approach, one that nobody has, with the one meant, and a field that a file has by a slip."""
    file = kept(tmp_path, "order.json", {"scene": SCENE})

    assert "approach" in refusal("turn-order", file)
    assert "did you mean Quick" in refusal("turn-order", file, "--approach", "Quik")
    assert "tie" in refusal("turn-order", kept(tmp_path, "slip.json", {"scene": SCENE, "tie": ["Careful"]}))
