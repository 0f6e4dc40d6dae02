"""Lines as people typed and labelled them, and whether one is read as it was meant."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import narrator
from narrator.errors import NarratorError
from narrator.rules.json_text import Json

CORPUS = Path(__file__).parents[1] / "corpus"
SCENES: Json = json.loads((CORPUS / "say-scenes.json").read_text("utf-8"))


def labelled(file: Path) -> list[Json]:
    """The lines of a file, where it is there."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()] if file.exists() else []


@cache
def _page(scene: str, text: str) -> Json | None:
    """The page of the line that made the open roll; None where that line is asked back."""
    request = narrator.say(text, SCENES[scene]["scene"], ruleset=SCENES[scene]["ruleset"]).request
    if request is None:
        return None
    answer = narrator.suggest(request.model_copy(update={"seed": 1, "deal": 1}), source="deck")
    return {"request": request.as_json(), "answer": answer.as_json()}


def judged(line: Json) -> tuple[str, str]:
    """How a line was read: `meant`, `asked` or `wrong`; and what differs."""
    scene, meant = SCENES[line["scene"]], line["meant"]
    page = _page(line["scene"], line["page"]) if line.get("page") else None
    if line.get("page") and page is None:
        return "asked", "the line of its page is asked back"
    try:
        found = narrator.say(line["text"], scene["scene"], page, scene["ruleset"])
    except NarratorError as error:
        return "asked", str(error)
    if found.ask is not None:
        return ("meant" if meant.get("ask") else "asked"), found.ask
    differs = [*_differences(found.as_json(), meant, page)]
    return ("wrong", "; ".join(differs)) if differs else ("meant", "")


def _differences(found: Json, meant: Json, page: Json | None) -> Iterator[str]:
    if "choice" in meant:
        if "choice" not in found or not found["choice"]["branch"].startswith(meant["choice"][0]):
            yield f"choice {meant['choice']}: {found.get('choice')}"
    elif "move" in meant:
        if found.get("move") != meant["move"] | ({"tick": 1} if found.get("move", {}).get("tick") == 1 else {}):
            yield f"move {meant['move']}: {found.get('move')}"
    elif "roll" in meant and "request" in found:
        before = page["request"]["action"] if page else None
        was, told = _said(found["request"]["action"], before), _wanted(meant["roll"])
        actor = was.pop("_")
        invoked = was.pop("invoke", []), told.pop("invoke", [])
        if len(invoked[0]) != len(invoked[1]) or not all(
            any(same(each, one, actor) for each in invoked[0]) for one in invoked[1]
        ):
            yield f"invoke {invoked[1]}: {invoked[0]}"
        if told.get("intent") and {*told["intent"].split()} <= {*was.get("intent", "").split()}:
            was["intent"] = told.get("intent")  # a word more in it, such as "alas", makes no other roll
        for name in sorted({*was, *told}):
            if was.get(name) != told.get(name):
                yield f"{name} {told.get(name)!r}: {was.get(name)!r}"
    else:
        yield f"meant {meant}: { ({*found} - {'notices', 'read'}) }"


def _said(action: Json, before: Json | None) -> Json:
    """An action as the labels tell one."""
    against = action.get("opposition") or {}
    roll = action.get("roll") or {}
    found: Json = {name: action.get(name) for name in ("type", "actor", "target", "skill", "outcome")}
    found |= {name: roll.get(name) for name in ("dice", "sum", "total")}
    found["shifts"] = None if action.get("shifts") is None else abs(action["shifts"])
    found["intent"] = _words(action.get("intent", ""))
    theirs = against.get("roll") or {}
    if against.get("kind"):
        figures = {name: theirs.get(name) for name in ("dice", "sum", "total")}
        found["against"] = {name: against.get(name) for name in ("rating", "by", "skill")} | figures
        found["against"] = {name: value for name, value in found["against"].items() if value is not None}
        if "total" in found["against"]:
            found["against"].pop("skill", None)
    old = [] if before is None else _invoked(before)
    new = _invoked(action)[len(old) :]
    if before is not None:
        found = {}
    found["invoke"] = [{**each, "by": each.get("by", action["actor"])} for each in new]
    return {name: value for name, value in found.items() if value not in (None, "", [], {})} | {"_": action["actor"]}


def _invoked(action: Json) -> list[Json]:
    sides = (action, action.get("opposition") or {})
    return [each for side in sides for each in side.get("invocations") or []]


def _wanted(roll: Json) -> Json:
    found = {**roll, "intent": _words(roll.get("intent", ""))}
    if "total" in (against := dict(roll.get("against") or {})):
        against.pop("skill", None)
    found["against"] = against
    return {name: value for name, value in found.items() if value not in (None, "", [], {})}


def _words(text: str) -> str:
    """The words of an intent that matter."""
    words = re.findall(r"[\w']+", text.casefold())
    return " ".join(each for each in words if each not in {"and", "to", "please", "pls", "the", "a", "an"})


def same(was: Json, told: Json, actor: str) -> bool:
    """Whether two invocations are the same as far as the label says."""
    return (
        was["aspect"] == told["aspect"]
        and was["by"] == told.get("by", actor)
        and (was.get("use") == "reroll") == bool(told.get("reroll"))
        and was.get("pay") == told.get("pay", was.get("pay"))
    )
