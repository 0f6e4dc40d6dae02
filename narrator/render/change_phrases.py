"""What changed in a scene, one line of plain text for each change. Every surface escapes it."""

from collections.abc import Mapping
from typing import Any

from narrator.render.phrases import GM_ALONE, STATES, aspect, count, either, invocations, plain, stress
from narrator.rules.request.scene import ANYONE, GM, Scene, StressTrack
from narrator.rules.ruleset.between_rolls import Period
from narrator.rules.settle.changes import Difference
from narrator.rules.settle.recovery import runs

_FRAMES = {
    "contest": "a contest",
    "contest_under_fire": "a contest under fire",
    "challenge": "a challenge",
    "conflict": "a conflict",
}


def change(made: Difference, scene: Scene | None = None, periods: Mapping[str, Period] = {}) -> str:
    """Describe one change that a choice or a move made.

    Args:
        scene: The scene after the change, to say how a contest or challenge stands.
        periods: For each consequence level, the period at whose end it is gone.
    """
    if made.secret:
        return f"({GM_ALONE}) {change(made.model_copy(update={'secret': None}), scene, periods)}"
    who, on, before, after = made.who or "", made.on or "", made.before, made.after
    match made.type:
        case "stress" | "cleared":
            return _harm(made)
        case "consequence" | "renamed" if on:
            was = f"{before} is now " if before else ""
            return f"{who}: {on} consequence, {was}{after}"
        case "consequence" | "renamed":
            return f"{before} is now called {after}"
        case "recovering":
            return f"{who}: the {on} consequence recovers, {_until(after, periods.get(on), scene)}"
        case "taken_out":
            return f"{who} is taken out" if after else f"{who} is no longer taken out"
        case "conceded":
            return f"Conceded: {who}" if after else f"Back after conceding: {who}"
        case "fate_points" | "legend_points":
            return f"{who}: {plain(made.type)} {before} to {after}"
        case "owed":
            if not after:
                return f"{who}: {count(before, 'fate point')} owed, now paid"
            to = "for the next scene" if who == GM else "owed"
            return f"{who}: {count(after, 'fate point')} {to}, {before or 0} before"
        case "zone":
            return f"{who} moves to {after}" if after else f"{who} is in no zone"
        case "roar":
            return f"{who} roars: {after}" if after else f"{who}: the roar is over"
        case "mark" if on == "taken_here":
            return f"{who}: the consequences of this conflict earn no more fate points"
        case "mark":
            state = STATES.get(on, plain(on))
            return f"{who}: {state}" if after else f"{who}: no longer so: {state}"
        case "fact":
            return f"New: {after}"
        case "free_invocations":
            holder = "whoever takes it first" if made.who == ANYONE else who
            if not after:
                return f"{holder}: no free invocation of {on} is left"
            return f"{holder}: {count(after, 'free invocation')} of {on}, {before} before"
        case "aspect" | "boost":
            return _aspect(made)
        case "entered":
            return f"Back: {who}" if on else f"Enter: {who}"
        case "left":
            return f"Away, with the sheet kept: {who}" if on else f"Gone: {who}"
        case "field":
            return _field(made)
        case "twist":
            return "A tie for the highest: nobody marks a victory, and the scene takes a twist"
        case "won":
            return f"{after} wins the contest"
        case "frame" | "exchange" | "turn" | "task" | "clock":
            return _tracker(made, scene)


def _harm(made: Difference) -> str:
    if made.type == "cleared" and not isinstance(made.before, Mapping):
        return f"{made.who}: {made.before} is gone, the {made.on} consequence is free again"
    before = StressTrack.model_validate(made.before or {"boxes": made.after["boxes"]})
    after, track = StressTrack.model_validate(made.after), stress(made.on or "")
    if made.type == "cleared":
        return f"{made.who}: {track}, {_boxes(before.newly(after))} cleared"
    return f"{made.who}: {track}, marks {_boxes(after.newly(before))}"


def _until(ends: int, period: Period | None, scene: Scene | None) -> str:
    """Say when a consequence is gone, after so many ends of its period."""
    if period is None or period == "milestone":
        return "gone with a milestone" if period else f"gone after {count(ends, 'more end')} of its period"
    ends += 0 if runs(period, scene.ended if scene else None) else 1
    return f"gone when {('this', 'the next', 'the third')[min(ends, 3) - 1]} {period} ends"


def _boxes(values: tuple[int, ...]) -> str:
    return f"{'boxes' if len(values) > 1 else 'a box'} of {either(map(str, values), 'and')}"


def _aspect(made: Difference) -> str:
    now, was = made.after, made.before
    if isinstance(now, str) or (now and was):
        old = was if isinstance(was, str) else was["name"]
        return f"{old} is now {aspect(made.on or '', made.who)}"
    kind = "boost" if made.type == "boost" else "aspect"
    if not now:
        return f"The {kind} {aspect(made.on or '', made.who)} is gone"
    free: dict[str, Any] = now.get("free_invocations", {})
    held = "".join(f"; {invocations(number, [holder])}" for holder, number in free.items() if number)
    return f"New {kind}: {aspect(made.on or '', made.who)}{held}"


def _field(made: Difference) -> str:
    of = f"{made.who}: " if made.who else ""
    if made.on == "ended":
        return f"The {made.after} is over" if made.after else "A new scene"
    if made.on == "summary":
        return f"Scene: {made.after}" if made.after else "The scene has no summary"
    if made.on == "zones":
        return f"Zones: {either((each['name'] for each in made.after), 'and')}" if made.after else "No zones"
    what = plain((made.on or "").replace("gm_", "GM's "))
    if isinstance(made.after, bool):
        return f"{of}{what}: {'yes' if made.after else 'no'}"
    if isinstance(made.after, str | int | None):
        return f"{of}{what}: {'none' if made.after in (None, '') else made.after}"
    return f"{of}{what} changed"


def _tracker(made: Difference, scene: Scene | None) -> str:
    now, was, on = made.after, made.before, made.on
    match made.type:
        case "clock":
            if now is None:
                return f"The clock {on} is gone"
            full = ", full" if now["ticked"] == now["boxes"] else ""
            return f"{on}: {now['ticked']} of {now['boxes']} ticked{full}"
        case "turn":
            return f"Turn: {now}" if now else "Nobody's turn yet"
        case "exchange" if on == "conflict":
            return f"Exchange {now} begins"
        case "exchange":
            return f"The contest stands {victories(now, scene)}"
        case "task":
            return _task(now, scene)
    if on is None:
        return f"This is {_FRAMES[now]} now" if now else f"{_FRAMES[was].capitalize()} is over"
    if now is None:
        return f"The {on} is over"
    if on == "contest":
        sides = (f"{side} ({either(names, 'and')})" for side, names in now["sides"].items())
        return f"The first to mark {now['to']} wins: {either(sides, 'or')}"
    if on == "challenge":
        return f"Challenge: {either((each['name'] for each in now['tasks']), 'and')}"
    if not now.get("order"):
        return "No order of turns: whoever had a turn says who is next"
    turn = f". Turn: {now['turn']}" if now.get("turn") else ""
    return f"Order of turns: {', '.join(now['order'])}{turn}"


def victories(marked: Mapping[str, int], scene: Scene | None) -> str:
    """Say how many victories each side of a contest has, and how many win it."""
    contest = scene.contest if scene else None
    sides = contest.sides if contest else marked
    told = ", ".join(f"{side} {marked.get(side, 0)}" for side in sides)
    return f"{told}, to {contest.to}" if contest else told


def _task(task: Mapping[str, Any], scene: Scene | None) -> str:
    if not task.get("outcome"):
        return f"Task: {task['name']}"
    tasks = scene.challenge.tasks if scene and scene.challenge else ()
    if not tasks or any(each.outcome is None for each in tasks):
        return f"{task['name']}: {plain(task['outcome'])}"
    told = (f"{each.name}: {plain(each.outcome or '')}" for each in tasks)
    return f"The challenge is done. {'; '.join(told)}"
