"""Evenings by chance: moves of every type among rolls, and after each one an account says what the scene must hold."""

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, event, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

import narrator
from narrator import NarratorError
from narrator.rules.json_text import Json
from narrator.rules.moves.all_moves import MOVES
from narrator.rules.request.scene import Scene
from tests.campaign import HEROES
from tests.documents import SKILLS
from tests.moves.account import Account, RefusedError, spelt_out
from tests.moves.drawing import drawn, likely
from tests.moves.replay import unexplained
from tests.rolls_of_an_evening import choose, fresh, new_request, new_scene
from tests.rules.accounting import due, ledger


class Evening(RuleBasedStateMachine):
    """A scene that is handed on from step to step as JSON text."""

    @initialize(chance=st.randoms(use_true_random=False), ruleset=st.sampled_from(narrator.rulesets()))
    def begins(self, chance: Random, ruleset: str) -> None:
        self.ruleset, self.steps = ruleset, 0
        scene = new_scene(chance, ruleset)
        while not scene["characters"]:
            scene = new_scene(chance, ruleset)
        for each in scene["characters"]:
            each |= {"refresh": 3} if each["fate_points"] is not None and chance.random() < 0.7 else {}
        scene["gm_fate_points"] = chance.choice((None, 0, 2))
        scene["clocks"] = chance.choice(([], [{"name": "The Flood", "boxes": 2}]))
        scene["aspects"] = [each for each in scene["aspects"] if each["boost"] is False or each["free_invocations"]]
        for each in scene["aspects"]:
            each["lasting"] = not each["boost"] and chance.random() < 0.2
        for each in scene["characters"] if ruleset == "war-of-ashes" else ():
            if chance.random() < 0.4:
                each["roar"] = chance.choice(SKILLS[ruleset])
                roars = {"name": fresh(chance, 1, scene)[0], "on": each["name"], "roar": True}
                scene["aspects"].append(roars | {"free_invocations": {each["name"]: 1}})
        self.scene: Json = Scene.model_validate(scene).as_json()

    @rule(chance=st.randoms(use_true_random=False), kind=st.sampled_from(sorted(MOVES)))
    def moves(self, chance: Random, kind: str) -> None:
        """A move that makes sense is made, and leads where the account says; else both refuse it."""
        kind = likely(chance, kind, self.scene)
        move = drawn(chance, kind, self.scene, self.ruleset)
        if move is None:
            return
        account = Account(self.scene, self.ruleset)
        try:
            due_: Json | None = account.made(move)
        except RefusedError as refusal:
            due_, why = None, str(refusal)
        answer = self.made(move)
        assert (answer is not None) or due_ is None, self.says("refused, which should be made", move, self.refusal)
        if answer is None:
            event(f"{kind} refused")
            return
        event(f"{kind} made")
        assert due_ is not None, self.says(f"made, which should be refused: {why}", move)
        was, now = by_part(due_), by_part(spelt_out(answer["scene"], self.ruleset))
        wrong = {key: f"due {was.get(key)}, is {now.get(key)}" for key in was | now if was.get(key) != now.get(key)}
        assert not wrong, self.says("not what the account says", move, wrong)
        self.goes_on(answer, move)

    @rule(chance=st.randoms(use_true_random=False))
    def settles(self, chance: Random) -> None:
        """A roll is settled, and its points, invocations, boxes and consequences are where they belong."""
        request = new_request(chance, self.ruleset, {**self.scene, "frame": self.scene.get("frame")})
        if request is None or not self.scene["characters"]:
            return
        request = json.loads(json.dumps(request))
        try:
            chosen = choose(chance, request, narrator.suggest(request, source="deck").as_json())
            if chosen is None:
                return
            answer = narrator.settle(request, chosen.choice).as_json()
        except NarratorError:
            return
        event("settled")
        found = ledger(answer["scene"], self.ruleset)
        wanted = due(request, chosen)
        for held in (wanted, found):
            for key in [key for key in held if key[0] == "fate points"]:
                del held[key]
        step = {**request, "scene": "as below", "choice": chosen.choice}
        trouble = {"lost": wanted - found, "from nowhere": found - wanted}
        assert wanted == found, self.says("not what was settled", step, trouble)
        was, now = settled_points(request, self.ruleset), points(answer["scene"])
        wrong = {key: f"due {was.get(key)}, is {now.get(key)}" for key in was | now if was.get(key) != now.get(key)}
        assert not wrong, self.says("points not where they belong", step, wrong)
        assert answer["scene"]["away"] == self.scene["away"], self.says("who is away is not as they were", step)
        self.goes_on(answer, step)

    @rule(chance=st.randoms(use_true_random=False), kind=st.sampled_from(sorted(MOVES)))
    def blunders(self, chance: Random, kind: str) -> None:
        """Whatever else is asked for is made or refused, and nothing else is raised."""
        move = drawn(chance, kind, self.scene, self.ruleset) or {"type": kind}
        key = chance.choice([*move, "extra"])
        words: list[Any] = [
            None,
            "Nobody",
            "GM",
            "*",
            "",
            0,
            -1,
            10**9,
            True,
            [],
            {},
            ["GM"],
            *HEROES[:2],
            "mild",
            "conflict",
        ]
        move[key] = chance.choice(words)
        answer = self.made(move)
        event(f"a blunder is {'refused' if answer is None else 'made'}")

    def made(self, move: Json) -> Json | None:
        """Make a move by its call; None where it is refused, which leaves all as it was."""
        before = deepcopy((self.scene, move))
        try:
            answer: Json = narrator.move(self.scene, move, self.ruleset).as_json()
        except NarratorError as refusal:
            self.refusal = repr(refusal)
            answer = {}
        assert (self.scene, move) == before, self.says("what was handed in is changed", move)
        return answer or None

    def goes_on(self, answer: Json, step: Json) -> None:
        """The scene is read again as it is, counted once, and its changes explain it."""
        scene = json.loads(json.dumps(answer["scene"], allow_nan=False))
        assert scene["revision"] == self.scene.get("revision", 0) + 1, self.says("revision", step)
        assert Scene.model_validate(scene).as_json() == scene, self.says("is read again as something else", step)
        told = unexplained(self.scene, scene, answer["changes"], self.ruleset)
        assert not told, self.says("changes do not explain it", step, told)
        self.scene = scene

    def says(self, what: str, step: Json, more: Any = "") -> str:
        return f"{what}: {more}\n in {self.ruleset} by {json.dumps(step)}\n on {json.dumps(self.scene)}"


def by_part(scene: Json) -> Json:
    """A scene by what is looked at alone: each person's fields, purses, aspects, and the rest."""
    told = {key: value for key, value in scene.items() if key not in ("recent", "dealt", "revision")}
    for part in ("characters", "away"):
        for each in told.pop(part):
            told |= {f"{part} {each['name']} {key}": value for key, value in each.items()}
            for track, boxes in each.get("stress", {}).items():
                told[f"{part} {each['name']} {track}"] = sorted(boxes["marked"])
            told.pop(f"{part} {each['name']} stress", None)
    held = [{**each, "free_invocations": sorted(each["free_invocations"].items())} for each in told["aspects"]]
    told["aspects"] = sorted(str(sorted(each.items())) for each in held)
    return told


def points(scene: Json) -> Json:
    told: Json = {each["name"]: [each.get("fate_points"), each["fate_points_owed"]] for each in scene["characters"]}
    return told | {"GM": [scene.get("gm_fate_points"), scene.get("gm_carried") or 0]}


def settled_points(request: Json, ruleset: str) -> Json:
    """Every purse once the invocations of a request are paid for, and who is owed for them."""
    scene, action = request["scene"], request["action"]
    told = points(scene)
    people = {each["name"]: each for each in scene["characters"]}
    other = action["opposition"].get("by") or action.get("target") or "GM"
    for side, usual in ((action, action["actor"]), (action["opposition"], other)):
        for each in side.get("invocations", []):
            if each["pay"] != "fate_point":
                continue
            by, bearer = each.get("by", usual), people.get(each.get("on") or "")
            payer = people.get(by)
            is_gms = payer is None or (payer["importance"] != "pc" and told[by][0] is None)
            purse = told["GM" if is_gms else by]
            purse[0] = None if purse[0] is None else purse[0] - 1
            if bearer is None or (payer and payer["side"] == bearer["side"]):
                continue
            if bearer["importance"] == "pc":
                between_players = payer and payer["importance"] == "pc" and each["aspect"] in bearer["aspects"]
                if told[bearer["name"]][0] is not None and (ruleset != "fate-accelerated" or between_players):
                    told[bearer["name"]][1] += 1
            elif ruleset == "fate-condensed" and payer is not None and told["GM"][0] is not None:
                told["GM"][1] += 1
    return told


@pytest.mark.parametrize("number", [100, pytest.param(600, marks=pytest.mark.full)])
def test_an_evening_leads_where_the_account_says(number: int) -> None:
    """Whatever happens, nothing is lost, nothing comes from nowhere, and every change is told."""
    phases = (Phase.generate, Phase.shrink)
    how = settings(max_examples=number, stateful_step_count=30, derandomize=True, phases=phases)
    run_state_machine_as_test(Evening, settings=how)
