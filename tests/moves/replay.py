"""Plays changes again: from the scene before, they alone must lead to the scene after."""

from collections import Counter
from copy import deepcopy
from typing import Any

from narrator.rules.json_text import Json
from tests.moves.account import TRACKERS, fill, renamed, spelt_out

OF_PEOPLE = {"taken_out": "taken_out", "conceded": "conceded", "fate_points": "fate_points", "zone": "zone",
             "owed": "fate_points_owed", "legend_points": "legend_points", "roar": "roar"}  # fmt: skip
COUNTED = ("twist", "exchange", "turn")
"""Changes that tell that something went on, though what they tell of it may be the same."""
OF_THE_GM = {"fate_points": "gm_fate_points", "owed": "gm_carried"}


def unexplained(before: Json, after: Json, changes: list[Json], ruleset: str) -> Json:
    """What of the difference no change tells, and each change that tells what is not so."""
    here, there = spelt_out(before, ruleset), spelt_out(after, ruleset)
    player = _Player(deepcopy(here))
    wrong = []
    for change in changes:
        told = {key: change.get(key) for key in ("type", "who", "on", "before", "after")}
        try:
            assert told["type"] in COUNTED or told["before"] != told["after"], "this is equal before and after"
            player.play(told, there)
        except (AssertionError, LookupError, StopIteration, ValueError, TypeError) as error:
            wrong.append((told, repr(error)))
    player.finish(here, there)
    fill(player.scene, ruleset)
    was, now = shown(player.scene, here, there), shown(there, here, there)
    left = {key: (was.get(key), now.get(key)) for key in was | now if was.get(key) != now.get(key)}
    return {
        **({"told otherwise": wrong} if wrong else {}),
        **({"told by no change (replayed, so)": left} if left else {}),
    }


class _Player:
    def __init__(self, scene: Json) -> None:
        self.scene = scene
        self.original = deepcopy(scene)
        self.frames: dict[str | None, tuple[Any, Any]] = {}

    def everybody(self) -> list[Json]:
        return [*self.scene["characters"], *self.scene["away"]]

    def person(self, name: str) -> Json:
        return next(each for each in self.everybody() if each["name"] == name)

    def put(self, holder: Json, key: str, told: Json) -> None:
        is_ = holder.get(key)
        assert (is_ or None) == (told["before"] or None), f"there is {is_!r}"
        holder.pop(key, None)
        if told["after"] is not None:
            holder[key] = told["after"]

    def play(self, told: Json, there: Json) -> None:
        kind, who, on, old, new = (told[key] for key in ("type", "who", "on", "before", "after"))
        if who == "GM" and kind in OF_THE_GM:
            self.put(self.scene, OF_THE_GM[kind], told)
        elif kind in OF_PEOPLE:
            self.put(self.person(who), OF_PEOPLE[kind], told)
        elif kind == "mark" and on == "taken_here":
            assert any(level["taken_here"] for level in self.person(who)["consequences"])
            for level in self.person(who)["consequences"]:
                level["taken_here"] = False
        elif kind == "mark":
            self.put(self.person(who), on, told)
        elif kind == "field":
            things = [*self.everybody(), *self.scene["zones"]]
            self.put(next(each for each in things if each["name"] == who) if who else self.scene, on, told)
        elif kind == "renamed" and on is None:
            self.scene = renamed(self.scene, old, new)
        elif kind == "stress" or (kind == "cleared" and isinstance(old, dict)):
            self.put(self.person(who)["stress"], on, told)
        elif kind in ("consequence", "cleared", "renamed"):
            levels = [c for c in self.person(who)["consequences"] if (c["severity"], c.get("name")) == (on, old)]
            self.put(levels[0], "name", told)
            if kind != "renamed":
                levels[0].pop("recovering", None)
                levels[0] |= {"taken_here": False, "told": True}
            for each in self.scene["aspects"]:
                if (each["name"], each.get("on")) == (old, who) and new:
                    each["name"] = new
        elif kind == "recovering":
            people = [*there["characters"], *there["away"]]
            levels = next(each for each in people if each["name"] == who)["consequences"]
            names = [c["name"] for c in levels if (c["severity"], c.get("recovering")) == (on, new) and "name" in c]
            levels = [c for c in self.person(who)["consequences"] if c.get("name") in names]
            self.put(next(c for c in levels if c.get("recovering") == old), "recovering", told)
        elif kind == "fact":
            self.scene["facts"].append(new)
        elif kind == "entered":
            self.enter(who, on, new, there)
        elif kind == "left":
            gone = next(each for each in self.scene["characters"] if each["name"] == who)
            at_first = next(each for each in self.original["characters"] if each["name"] == who)
            assert all(old.get(key) in (value, None) for key, value in at_first.items()), "not as they were"
            self.scene["characters"].remove(gone)
            self.scene["away"] += [gone] if on == "away" else []
        elif kind == "clock":
            self.listed("clocks", told)
        elif kind == "task":
            assert on in [each["name"] for each in there["challenge"]["tasks"]]
            self.listed("tasks", told, self.scene["challenge"])
        elif kind == "frame":
            assert self.original.get(on or "frame") == old, "the frame before"
            self.frames[on] = (old, new)
        elif kind == "exchange" and on == "contest":
            self.put(self.scene["contest"], "victories", told)
            self.scene["contest"]["exchange"] += 1
        elif kind == "exchange":
            self.put(self.scene["conflict"], "exchange", told)
        elif kind == "won":
            self.put(self.scene["contest"], "winner", told)
        elif kind == "turn":
            self.put(self.scene["conflict"], "turn", told)
            self.scene["conflict"]["acted"] = there["conflict"]["acted"]
        elif kind == "free_invocations":
            self.free(who, on, old or 0, new or 0)
        elif kind in ("aspect", "boost") and isinstance(old or new, str):
            bearer = next(each for each in (*self.everybody(), *self.scene["zones"]) if each["name"] == who)
            bearer["aspects"][bearer["aspects"].index(old)] = new
        elif kind in ("aspect", "boost"):
            self.aspect(old, new)
        else:
            assert kind == "twist", "an unknown type of change"

    def enter(self, who: str, on: str | None, new: Json, there: Json) -> None:
        at_last = next(each for each in there["characters"] if each["name"] == who)
        assert all(new.get(key) in (value, None) for key, value in at_last.items()), "not as they are"
        if on == "away":
            back = next(each for each in self.scene["away"] if each["name"] == who)
            self.scene["away"].remove(back)
            new = back
        self.scene["characters"].append(new)

    def listed(self, key: str, told: Json, holder: Json | None = None) -> None:
        holder = holder or self.scene
        found = [each for each in holder[key] if each["name"] == told["on"]]
        assert (found[0] if found else None) == told["before"], f"there is {found}"
        place = holder[key].index(found[0]) if found else len(holder[key])
        holder[key][place : place + 1] = [told["after"]] if told["after"] else []

    def free(self, who: str, on: str, old: int, new: int) -> None:
        same = [each for each in self.scene["aspects"] if each["name"] == on]
        found = [each for each in same if each["free_invocations"].get(who, 0) == old]
        if not found:
            assert old == 0 or not same, f"{on}: {same}"
            assert not same, "no such number"
            found = [{"name": on, "on": "?", "free_invocations": {}}]
            self.scene["aspects"] += found
        found[0]["free_invocations"][who] = new

    def aspect(self, old: Json | None, new: Json | None) -> None:
        if old is not None:
            plain = _entry(old)
            self.scene["aspects"].remove(next(each for each in self.scene["aspects"] if _entry(each) == plain))
        if new is not None:
            self.scene["aspects"].append(new)

    def finish(self, here: Json, there: Json) -> None:
        """A tracker that is put in or taken out tells its frame."""
        for name in TRACKERS:
            if name in self.frames:
                new = self.frames[name][1]
                self.scene.pop(name, None)
                is_same = self.original.get("frame") == there.get("frame")
                if new is not None:
                    self.scene |= {name: new} | ({} if is_same else {"frame": name})
                elif self.scene.get("frame", "").startswith(name) and not is_same:
                    self.scene.pop("frame")
        if None in self.frames:
            self.scene.pop("frame", None)
            self.scene |= {"frame": self.frames[None][1]} if self.frames[None][1] else {}
        if "conflict" in self.scene and "conflict" in there:
            self.scene["conflict"] |= {key: there["conflict"][key] for key in ("order",) if key in there["conflict"]}


def _entry(each: Json) -> Json:
    held = sorted((who, n) for who, n in each["free_invocations"].items() if n)
    return {**each, "free_invocations": held or ([("*", 1)] if each.get("boost") else [])}


def _own(scene: Json) -> set[tuple[str, str]]:
    people = [*scene["characters"], *scene["away"]]
    own = {(name, each["name"]) for each in (*people, *scene["zones"]) for name in each["aspects"]}
    return own | {(c["name"], each["name"]) for each in people for c in each.get("consequences", []) if "name" in c}


def shown(scene: Json, here: Json, there: Json) -> Json:
    """A scene to compare, by part: what was said, dealt and the revision aside, people and aspects in any order."""
    told = {
        key: deepcopy(value) for key, value in scene.items() if key not in ("recent", "dealt", "revision", "aspects")
    }
    new_levels = _new_levels(here, there)
    for part in ("characters", "away"):
        for each in told.pop(part):
            for level in each.get("consequences", []):
                if level.pop("told", False) or (each["name"], level.get("name")) in new_levels:
                    level.pop("recovering", None), level.pop("taken_here", None)
            each["consequences"] = sorted(str(sorted(level.items())) for level in each.get("consequences", []))
            told[f"{part}: {each['name']}"] = each
    own = _own(here) | _own(there)
    theirs = scene["aspects"]
    others = [_entry(each) for each in theirs if (each["name"], each.get("on")) not in own and each.get("on") != "?"]
    free = Counter({(each["name"], who): n for each in theirs for who, n in _entry(each)["free_invocations"]})
    told["aspects"] = sorted(str(sorted({**each, "free_invocations": 0}.items())) for each in others)
    told["free"] = sorted((+free).items())
    told["clocks"] = sorted(map(str, told["clocks"]))
    return told


def _new_levels(here: Json, there: Json) -> set[tuple[str, str | None]]:
    def levels(scene: Json) -> set[tuple[str, str | None]]:
        people = [*scene["characters"], *scene["away"]]
        return {(each["name"], c.get("name")) for each in people for c in each.get("consequences", [])}

    return levels(there) - levels(here) | {(name, None) for name, _ in levels(there)}
