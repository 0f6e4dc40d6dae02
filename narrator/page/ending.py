"""The end of a scene on one sheet: what goes, clears, is paid, ticks and leaves, and the moves that do it."""

from collections.abc import Sequence
from typing import NamedTuple

from narrator.api import moves
from narrator.page.form import Form
from narrator.page.table import Table
from narrator.render import phrases
from narrator.rules.json_text import Json
from narrator.rules.request.scene import Scene


class Tick(NamedTuple):
    """Something that happens if it is ticked."""

    name: str
    more: str
    is_ticked: bool = True
    is_said: bool = False
    """Whether the name is said aloud."""
    is_secret: bool = False


_PUT_BACK = {"clears": ("stress", "consequences"), "paid": ("fate_points", "fate_points_owed")}
"""The fields of a character that stay as they are if a part of the sheet is not ticked."""
_CHANGES = {"clears": ("cleared", "recovering"), "paid": ("owed",)}


def sheet(table: Table) -> dict[str, list[Tick]]:
    """List what the end of the scene would change, by parts of the sheet, ticked according to the rules."""
    scene, ended = table.scene, moves.move(table.scene, {"type": "end_scene"}, table.played)
    stay = {(each.name, each.on) for each in ended.scene.aspects}
    there = _present(ended.scene)
    parts: dict[str, list[Tick]] = {"goes": []}
    for each in scene.aspects:
        held = phrases.either(+each.held, "and")
        more = "boost" if each.boost else f"and the free invocation of {held}" if +each.held else ""
        parts["goes"].append(Tick(each.name, more, (each.name, each.on) not in stay, is_said=True))
    for part, kinds in _CHANGES.items():
        told: dict[str, list[str]] = {}
        for change in ended.changes:
            if change.type in kinds and change.who is not None and change.who in _present(scene):
                told.setdefault(change.who, []).append(change.text.removeprefix(f"{change.who}: "))
        parts[part] = [Tick(who, "; ".join(texts)) for who, texts in told.items()]
    parts["ticks"] = [
        Tick(each.name, f"{each.ticked} of {each.boxes}", not each.secret, is_said=True, is_secret=each.secret)
        for each in scene.clocks
        if each.ticked < each.boxes
    ]
    others = [each for each in scene.characters if each.importance != "pc" and each.name in there]
    parts["leaves"] = [
        Tick(each.name, "stays" if each.importance == "named" else "forgotten", each.importance != "named")
        for each in others
    ]
    return {name: ticks for name, ticks in parts.items() if ticks}


def ending(table: Table, form: Form) -> Sequence[Json]:
    """The moves for a sheet: the end of the scene, then reversals of what is not ticked, then the next scene."""
    scene, shown = table.scene, sheet(table)
    ticked = {part: form.all(part) for part in shown}
    fixed = () if table.played.scenes.keeps_boosts else [each.name for each in scene.aspects if each.boost]
    gone = ticked.get("goes", ())
    kept = [each.name for each in scene.aspects if each.name not in (*gone, *fixed)]
    ends: list[Json] = [{"type": "end_scene", "keep": kept}]
    after = moves.move(scene, ends[0], table.played).scene
    # Aspects that would outlive the scene are dropped if they are ticked.
    lasting = [each for each in after.aspects if each.name in gone and each in scene.aspects]
    ends += [{"type": "drop", "name": each.name, **({"on": each.on} if each.on else {})} for each in lasting]
    for each in (*scene.characters, *scene.away):
        back = [field for part, of in _PUT_BACK.items() if each.name not in ticked.get(part, each.name) for field in of]
        if back and each.name in _present(after):
            ends.append(
                {"type": "change", "who": each.name, "set": {field: each.as_json().get(field) for field in back}}
            )
    ends += [{"type": "clock", "name": name} for name in ticked.get("ticks", ())]
    ends += [{"type": "leave", "who": name} for name in ticked.get("leaves", ()) if name in _present(after)]
    if form.one("session"):
        ends.append({"type": "end_session"})
    return [*ends, {"type": "scene", "summary": form.one("summary")}] if form.one("summary") else ends


def _present(scene: Scene) -> set[str]:
    return {each.name for each in (*scene.characters, *scene.away)}
