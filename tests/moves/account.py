"""An account of moves, kept by hand: what a scene holds after one, as the documents and the contract have it.

It reads and writes plain JSON, in which everybody's sheet is spelt out.
"""

from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from narrator.rules.json_text import Json
from narrator.rules.request.scene import Character, Scene, SceneAspect, Zone
from tests.documents import BOXES_PER_HIT, CONSEQUENCES, INFLICTED, stress_of

FAE, CONDENSED, ASHES = "fate-accelerated", "fate-condensed", "war-of-ashes"
TRACKERS = ("contest", "challenge", "conflict")
NAMED = {"pass": "pass_", "scene": "next_scene"}
MARKS = ("lethal_next_attack", "forfeits_next_contest_roll", "disarmed")
ORDER = {"physical": ["Notice", "Athletics", "Physique"], "mental": ["Empathy", "Rapport", "Will"]}
PERIODS = ("scene", "session", "scenario")


class RefusedError(Exception):
    """The documents or the contract do not allow it."""


def spelt_out(scene: Json, ruleset: str) -> Json:
    """A scene with everything that is meant where it is left out: sheets, holders of boosts, what the GM carried."""
    told = Scene.model_validate(scene).as_json()
    fill(told, ruleset)
    return told


def fill(told: Json, ruleset: str) -> None:
    """Write down what is meant where it is left out."""
    for each in (*told["characters"], *told["away"]):
        levels = CONSEQUENCES[ruleset] if each["importance"] in ("pc", "named") else {}
        each["stress"] = {track: {"marked": [], **of} for track, of in stress_of(each, ruleset).items()}
        each.setdefault("consequences", [blank(level) for level in levels])
    for each in told["aspects"]:
        held = {who: number for who, number in each["free_invocations"].items() if number}
        each["free_invocations"] = held or ({"*": 1} if each.get("boost") else {})
    told["gm_carried"] = told.get("gm_carried") or 0


class Account:
    """What becomes of a scene."""

    def __init__(self, scene: Json, ruleset: str) -> None:
        self.scene, self.ruleset = spelt_out(scene, ruleset), ruleset

    @property
    def everybody(self) -> list[Json]:
        return [*self.scene["characters"], *self.scene["away"]]

    def person(self, name: str) -> Json:
        return next(each for each in self.everybody if each["name"] == name)

    def made(self, move: Json) -> Json:
        """The scene after a move, or `RefusedError`."""
        makes: Callable[[Json], None] | None = getattr(self, NAMED.get(move["type"], str(move["type"])), None)
        if makes is not None:
            makes(deepcopy(move))
        return spelt_out(self.scene, self.ruleset)

    # Fate points.

    def purse(self, name: str) -> str:
        return name if name != "GM" and self.person(name)["importance"] == "pc" else "GM"

    def bill(self, costs: Counter[str], gains: Counter[str]) -> None:
        for who in {**costs, **gains}:
            at, field = (self.scene, "gm_fate_points") if who == "GM" else (self.person(who), "fate_points")
            if field in at:
                if at[field] < costs[who]:
                    raise RefusedError("no_fate_point")
                at[field] += gains[who] - costs[who]

    def owe(self, name: str, points: int) -> None:
        if name == "GM":
            if "gm_fate_points" in self.scene:
                self.scene["gm_carried"] += points
        elif "fate_points" in self.person(name):
            self.person(name)["fate_points_owed"] += points

    def pay(self, move: Json) -> None:
        count = Counter({self.purse(move["who"]): abs(move["points"])})
        self.bill(*((Counter(), count) if move["points"] > 0 else (count, Counter())))

    def compel(self, move: Json) -> None:
        """One point for each; a player pays one for each other, in Accelerated only for those who take it."""
        by, told = move.get("by", "GM"), move["who"]
        who = [told] if isinstance(told, str) else told
        others = [] if by == "GM" or self.purse(by) == "GM" else [each for each in who if each != by]
        if by in who and not move["accepted"]:
            raise RefusedError("to refuse oneself")
        each_ = Counter(self.purse(name) for name in who)
        pays = Counter({by: len(others)}) if others and (move["accepted"] or self.ruleset != FAE) else Counter()
        if others and self.person(by).get("fate_points", len(others)) < len(others):
            raise RefusedError("nothing to offer")
        self.bill(pays, each_) if move["accepted"] else self.bill(pays + each_, Counter())
        for each in [each for each in self.scene["aspects"] if each["roar"] and each["name"] == move["aspect"]]:
            if not move["accepted"]:
                self.strike(each)

    # People.

    def enter(self, move: Json) -> None:
        if "character" in move:
            self.scene["characters"].append(Character.model_validate(move["character"]).as_json())
        else:
            self.come(move["who"])
        order = self.scene.get("conflict", {}).get("order")
        name = move.get("who", move.get("character", {}).get("name"))
        if order is not None and name not in order:
            order.append(name)

    def come(self, name: str) -> None:
        back = self.person(name)
        self.scene["away"].remove(back)
        self.scene["characters"].append(back)
        if back.get("zone") not in [each["name"] for each in self.scene["zones"]]:
            back.pop("zone", None)

    def leave(self, move: Json) -> None:
        gone = self.person(move["who"])
        for each in [each for each in self.scene["aspects"] if each["roar"] and each.get("on") == move["who"]]:
            self.strike(each)
        self.scene["characters"].remove(gone)
        self.scene["away"] += [gone] if gone["importance"] in ("pc", "named") else []
        kept = []
        for each in self.scene["aspects"]:
            held = {who: number for who, number in each["free_invocations"].items() if who != move["who"]}
            if each.get("on") != move["who"] and not (each["boost"] and not held):
                kept.append(each | {"free_invocations": held})
        self.scene["aspects"] = kept

    def change(self, move: Json) -> None:
        of = [*self.everybody, *self.scene["zones"]]
        name = move.get("who", move.get("zone"))
        told = next(each for each in of if each["name"] == name) if name else self.scene
        model = Scene if told is self.scene else Zone if "zone" in move else Character
        new = model.model_validate({**told, **move["set"]}).as_json()
        told.clear()
        told.update(new)
        if name and new["name"] != name:
            self.scene = renamed(self.scene, name, new["name"])

    # Aspects.

    def aspect(self, move: Json) -> None:
        told = {key: value for key, value in move.items() if key != "type"}
        self.scene["aspects"].append(SceneAspect.model_validate(told).as_json())

    def entry(self, name: str, on: str | None) -> Json:
        return next(each for each in self.scene["aspects"] if (each["name"], each.get("on")) == (name, on))

    def drop(self, move: Json) -> None:
        self.strike(self.entry(move["name"], move.get("on")))

    def strike(self, aspect: Json) -> None:
        """An aspect goes; a roar is over with its own."""
        self.scene["aspects"].remove(aspect)
        if aspect["roar"]:
            self.person(aspect["on"]).pop("roar", None)

    def pass_(self, move: Json) -> None:
        each = self.entry(move["aspect"], move.get("on"))
        held: Counter[str] = Counter(each["free_invocations"])
        number = move.get("number") or (held[move["from"]] if each["boost"] else 1)
        if held[move["from"]] < max(1, number):
            raise RefusedError("no_free_invocation")
        held.update({move["from"]: -number, move["to"]: number})
        each["free_invocations"] = dict(held)

    def listed(self) -> set[tuple[str, str]]:
        own = {(name, each["name"]) for each in (*self.everybody, *self.scene["zones"]) for name in each["aspects"]}
        levels = ((each, level) for each in self.everybody for level in each.get("consequences", []))
        return own | {(level["name"], each["name"]) for each, level in levels if "name" in level}

    # Harm.

    def hit(self, move: Json) -> None:
        who = self.person(move["who"])
        if "absorb" not in move:
            who["taken_out"] = bool(move.get("taken_out") or who["importance"] != "unknown")
            return
        if stress := move["absorb"].get("stress"):
            track = who["stress"][move["track"]]
            boxes = [stress]
            if BOXES_PER_HIT[self.ruleset] != 1:
                boxes = [1] * stress  # Condensed has no others
            track["marked"] += boxes
        for told in move["absorb"].get("consequences", []):
            level = next(each for each in who["consequences"] if each == blank(told["severity"]))
            level |= {"name": told["name"], "taken_here": self.scene.get("frame") == "conflict"}
            if self.ruleset in (FAE, ASHES):
                level["recovering"] = self.ends(level["severity"])
            if by := move.get("by"):
                free = {by: INFLICTED[self.ruleset]}
                self.aspect({"name": told["name"], "on": who["name"], "free_invocations": free})

    def ends(self, severity: str) -> int:
        """How many ends of its period a consequence wants which begins to recover now."""
        period = self.period(severity)
        ended = self.scene.get("ended")
        is_running = period in PERIODS and (ended is None or PERIODS.index(ended) < PERIODS.index(period))
        is_whole = self.ruleset not in (FAE, ASHES) or severity == "moderate"
        return 2 if is_running and is_whole else 1

    def period(self, severity: str) -> str:
        is_milestone = self.ruleset == CONDENSED and severity == "severe"
        return "milestone" if is_milestone else dict(zip(CONSEQUENCES[self.ruleset], PERIODS, strict=True))[severity]

    def rewrite(self, who: Json, level: Json, new: Json) -> None:
        """Write a consequence anew; what the scene lists of it is renamed with it, or goes."""
        old = level.get("name")
        for each in [each for each in self.scene["aspects"] if (each["name"], each.get("on")) == (old, who["name"])]:
            if "name" in new:
                each["name"] = new["name"]
            else:
                self.scene["aspects"].remove(each)
        level.clear()
        level.update(new)

    def level(self, move: Json) -> tuple[Json, Json]:
        who = self.person(move["who"])
        return who, next(each for each in who["consequences"] if each.get("name") == move["consequence"])

    def recover(self, move: Json) -> None:
        who, level = self.level(move)
        if self.ruleset in (FAE, ASHES) or "recovering" in level:
            raise RefusedError("no treatment")
        name = move.get("name", level["name"])
        self.rewrite(who, level, {**level, "name": name, "recovering": self.ends(level["severity"])})

    def clear(self, move: Json) -> None:
        if "track" in move:
            track = self.person(move["who"])["stress"][move["track"]]
            if not track["marked"]:
                raise RefusedError("nothing is marked")
            track["marked"] = []
        else:
            who, level = self.level(move)
            self.rewrite(who, level, blank(level["severity"]))

    def milestone(self, move: Json) -> None:
        names = ("minor", "significant", "major")
        if self.ruleset == CONDENSED and move["level"] == "significant":
            raise RefusedError("no such milestone")
        reached = names[: names.index(move["level"]) + 1]
        levels = {level for name, level in (("minor", "moderate"), ("significant", "severe")) if name in reached}
        if self.ruleset == CONDENSED:
            levels = {"moderate", "severe"} if move["level"] == "major" else set()
        told = move.get("who", [each["name"] for each in self.everybody if each["importance"] == "pc"])
        for who in map(self.person, [told] if isinstance(told, str) else told):
            for level in [each for each in who.get("consequences", []) if "name" in each]:
                is_over = self.ruleset == CONDENSED and move["level"] == "major" and "recovering" in level
                is_fresh = level.get("recovering") == 2  # of this very session
                if is_over or (self.ruleset in (FAE, ASHES) and level["severity"] in levels and not is_fresh):
                    self.rewrite(who, level, blank(level["severity"]))
                elif level["severity"] in levels and "recovering" not in level:
                    level["recovering"] = self.ends(level["severity"])

    # Frames and ends.

    def concede(self, move: Json) -> None:
        who = self.person(move["who"])
        if self.scene.get("frame") != "conflict":
            raise RefusedError("not_in_frame")
        who["conceded"] = True
        self.owe(self.purse(who["name"]), 1 + sum(each["taken_here"] for each in who.get("consequences", [])))

    def open_frame(self, frame: str) -> None:
        if "ended" in self.scene or self.scene.get("frame") == "conflict":
            raise RefusedError("first end what is, or begin a scene")
        self.close_frame()
        self.scene["frame"] = frame

    def contest(self, move: Json) -> None:
        if self.ruleset == CONDENSED and move.get("to", 3) > 5:
            raise RefusedError("five at the most")
        self.open_frame("contest_under_fire" if move.get("under_fire") else "contest")
        self.scene["contest"] = {"sides": move["sides"], "to": move.get("to", 3), "victories": {}, "exchange": 1}

    def exchange(self, move: Json) -> None:
        contest = self.scene.get("contest")
        if contest is None or "winner" in contest or self.scene.get("frame") not in ("contest", "contest_under_fire"):
            raise RefusedError("not_in_frame")
        told: dict[str, int | None] = move["totals"] if "totals" in move else move["shifts"]
        for side, result in told.items():
            for name in [each["name"] for each in self.everybody if each["name"] in contest["sides"][side]]:
                self.person(name)["forfeits_next_contest_roll"] &= result is not None
        ranked = sorted(((result, side) for side, result in told.items() if result is not None), reverse=True)
        contest["exchange"] += 1
        if ranked and (len(ranked) == 1 or ranked[0][0] > ranked[1][0]):
            (best, side), second = ranked[0], ranked[1][0] if ranked[1:] else None
            if "totals" in move:
                is_style = second is not None and best >= second + 3
            else:
                is_style = best >= 3 and (second is None or second < 3 or self.ruleset in (FAE, ASHES))
            marked = contest["victories"].get(side, 0) + (2 if is_style else 1)
            contest["victories"][side] = marked
            contest |= {"winner": side} if marked >= contest["to"] else {}

    def challenge(self, move: Json) -> None:
        if "challenge" not in self.scene:
            self.open_frame("challenge")
            self.scene["challenge"] = {"tasks": []}
        self.scene["challenge"]["tasks"] += move["tasks"]

    def task(self, move: Json) -> None:
        next(each for each in self.scene["challenge"]["tasks"] if each["name"] == move["name"])["outcome"] = move[
            "outcome"
        ]

    def clock(self, move: Json) -> None:
        old = next((each for each in self.scene["clocks"] if each["name"] == move["name"]), None)
        if old is None:
            old = {"name": move["name"], "boxes": move["boxes"], "ticked": 0, "secret": move.get("secret", False)}
            self.scene["clocks"].append(old)
            tick = move.get("tick", 0)
        elif (tick := move.get("tick", 1)) > 0 and old["ticked"] == old["boxes"]:
            self.scene["clocks"].remove(old)
        old["ticked"] = min(max(0, old["ticked"] + tick), old["boxes"])

    def present(self) -> list[Json]:
        return [each for each in self.scene["characters"] if not (each["taken_out"] or each["conceded"])]

    def conflict(self, move: Json) -> None:
        self.open_frame("conflict")
        skills = ORDER[move.get("kind", "physical")]
        if self.ruleset in (FAE, ASHES):
            skills = {"physical": ["Quick"], "mental": ["Careful"]}[move.get("kind", "physical")]
        ranked = sorted(self.present(), key=lambda each: [-each["skills"].get(skill, 0) for skill in skills])
        order = move.get("order", [each["name"] for each in ranked])
        told = {"order": order, **({"turn": order[0]} if order else {})}
        is_elective = self.ruleset == CONDENSED and "order" not in move
        self.scene["conflict"] = {"exchange": 1, "acted": []} | ({} if is_elective else told)

    def turn(self, move: Json) -> None:
        if "conflict" not in self.scene:
            raise RefusedError("not_in_frame")
        conflict = self.scene["conflict"]
        there = [each["name"] for each in self.present()]
        acted = conflict["acted"] + ([conflict["turn"]] if "turn" in conflict else [])
        if "order" in conflict:
            order = conflict["order"]
            place = order.index(conflict["turn"]) + 1 if conflict.get("turn") in order else 0
            coming = [name for name in order[place:] if name in there]
            left = (coming or [name for name in order if name in there])[:1]
            is_over = not coming
        else:
            is_over = bool(acted) and {*there} <= {*acted}
            left = [name for name in there if is_over or name not in acted]
        who = move.get("who", left[0] if left and "order" in conflict else None)
        if who not in left:
            raise RefusedError("not their turn")
        conflict |= {"turn": who, "acted": [] if is_over else acted, "exchange": conflict["exchange"] + is_over}

    def close_frame(self) -> None:
        for each in ("frame", *TRACKERS):
            self.scene.pop(each, None)

    def end_conflict(self, move: Json) -> None:
        waits = any(
            each["fate_points_owed"] or any(level["taken_here"] for level in each["consequences"])
            for each in self.everybody
        )
        if self.scene.get("frame") != "conflict" and not (waits and "frame" in self.scene):
            raise RefusedError("not_in_frame")
        self.close_frame()
        if then := move.get("then"):
            self.scene["frame"] = then
        else:
            self.pay_what_is_owed(rest=True)

    def pay_what_is_owed(self, *, rest: bool) -> None:
        for each in self.everybody:
            each["conceded"] = False
            if "fate_points" in each:
                each["fate_points"] += each["fate_points_owed"]
                each["fate_points_owed"] = 0
            for level in each.get("consequences", []):
                level["taken_here"] = False
            if rest and self.ruleset not in (FAE, CONDENSED):
                unmark(each)

    def end_scene(self, move: Json) -> None:
        if "ended" in self.scene:
            raise RefusedError("over already")
        rest, boosts = move.get("rest", True), {each["name"] for each in self.scene["aspects"] if each["boost"]}
        if self.ruleset in (FAE, CONDENSED, ASHES) and boosts & {*move.get("keep", [])}:
            raise RefusedError("no boost outlives a scene")
        out = [each["name"] for each in self.everybody if each["taken_out"] or each["conceded"]]
        self.pay_what_is_owed(rest=rest)
        self.close_frame()
        own = self.listed()
        self.scene["aspects"] = [
            each
            for each in self.scene["aspects"]
            if not (each["roar"] or each["each_attack"])
            and (
                each["name"] in move.get("keep", [])
                or (not each["boost"] and (each["lasting"] or (each["name"], each.get("on")) in own))
            )
        ]
        self.count("scene", rest=rest)
        for each in self.everybody:
            if self.ruleset in (FAE, CONDENSED):
                unmark(each)
            each.pop("roar", None)
            each |= dict.fromkeys(("taken_out", *MARKS), False)
            if each["name"] in out and each in self.scene["characters"] and each["importance"] != "pc":
                self.leave({"who": each["name"]})
        self.scene["ended"] = "scene"

    def count(self, period: str, *, rest: bool = True) -> None:
        for who in self.everybody:
            for level in who.get("consequences", []):
                by_itself = self.ruleset in (FAE, ASHES)
                if "name" not in level or self.period(level["severity"]) != period or not (rest or not by_itself):
                    continue
                left = level.get("recovering", self.ends(level["severity"]) if by_itself else None)
                if left is not None and left <= 1:
                    self.rewrite(who, level, blank(level["severity"]))
                elif left is not None:
                    level["recovering"] = left - 1

    def end_session(self, move: Json) -> None:
        ended = self.scene.get("ended")
        if ended in ("session", "scenario"):
            raise RefusedError("over already")
        if move.get("scene", True) and ended is None:
            self.end_scene({})
        self.count("session")
        for each in self.everybody:
            if "fate_points" in each:
                each["fate_points"] = max(each["fate_points"], each.get("refresh", 0))
        if "ended" in self.scene:
            self.scene["ended"] = "session"

    def end_scenario(self, move: Json) -> None:
        if self.scene.get("ended") == "scenario":
            raise RefusedError("over already")
        if self.scene.get("ended") != "session":
            self.end_session(move)
        self.count("scenario")
        for each in self.everybody:
            if "fate_points" in each and self.ruleset not in (FAE, CONDENSED):
                each["fate_points"] = each.get("refresh", each["fate_points"])
        self.scene["ended"] = "scenario"

    def next_scene(self, move: Json) -> None:
        told = move.get("people", [each["name"] for each in self.scene["characters"]])
        if "ended" not in self.scene:
            self.end_scene({})
        here = [each["name"] for each in self.scene["characters"]]
        told = told if "people" in move else here
        if any(name not in [each["name"] for each in self.everybody] for name in told):
            raise RefusedError("gone with the last scene")
        zones = [Zone.model_validate(each).as_json() for each in move.get("zones", [])]
        self.scene |= {"summary": move.get("summary", ""), "zones": zones, "tone": move.get("tone", self.scene["tone"])}
        for field in ("ended", "frame"):
            self.scene.pop(field, None)
        self.scene |= {"frame": move["frame"]} if "frame" in move else {}
        for name in here:
            self.leave({"who": name}) if "people" in move and name not in told else None
        for name in told:
            self.come(name) if name not in here else None
        for each in self.scene["characters"]:
            each.pop("zone", None) if each.get("zone") not in [zone["name"] for zone in zones] else None
        bearers = [None, "GM", *(each["name"] for each in (*self.scene["characters"], *zones))]
        self.scene["aspects"] = [each for each in self.scene["aspects"] if each.get("on") in bearers]
        for each in move.get("aspects", []):
            self.aspect(each)
        for zone in zones if self.ruleset == ASHES else ():
            for name in zone["aspects"]:
                told_ = [
                    each for each in self.scene["aspects"] if (each["name"], each.get("on")) == (name, zone["name"])
                ]
                self.scene["aspects"] = [each for each in self.scene["aspects"] if each not in told_]
                self.aspect({"name": name, "on": zone["name"], "free_invocations": {"*": 1}})
        if "gm_fate_points" in self.scene:
            players = [each for each in self.scene["characters"] if each["importance"] == "pc"]
            self.scene |= {"gm_fate_points": len(players) + self.scene["gm_carried"], "gm_carried": 0}


def blank(severity: str) -> Json:
    return {"severity": severity, "taken_here": False}


def unmark(who: Json) -> None:
    for track in who.get("stress", {}).values():
        track["marked"] = []


def renamed(value: Any, old: str, new: str) -> Any:
    """The same with every name that is this one another, as key and as value."""
    if isinstance(value, dict):
        return {new if key == old else key: renamed(each, old, new) for key, each in value.items()}
    if isinstance(value, list):
        return [renamed(each, old, new) for each in value]
    return new if value == old else value
