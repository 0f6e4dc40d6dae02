"""The view of a roll: who did what, the outcome, what the table allows, and the words for it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from narrator.render import phrases
from narrator.render.change_phrases import victories
from narrator.render.labels import labels, what_is_wanted
from narrator.render.view import BLANK, Line, Role, line
from narrator.rules.request.action import Active, Invocation, Request
from narrator.rules.request.scene import ANYONE, GM, Scene
from narrator.rules.resolve.dice import turn_up
from narrator.rules.resolve.resolution import OppositionResult, Resolution, RollResult, Slot
from narrator.rules.ruleset.row import FAIL
from narrator.rules.settle.suggestion import Suggestion

ROLES: dict[str, Role] = {FAIL: "bad", "tie": "tie"}
"""How an outcome is for the actor. Any other is good."""


def heading(request: Request, more: Iterable[str | None] = ()) -> Line:
    """Show who does what, and how."""
    action = request.action
    intent = f"  {action.intent}" if action.intent else ""
    named = [phrases.plain(name) for name in (action.type, action.variant, action.maneuver) if name]
    how = ", ".join((named[0].capitalize(), *named[1:], *(word for word in more if word)))
    return line((action.actor.upper(), "strong"), intent, (f"   {how}", "dim"))


def roll(request: Request, resolution: Resolution) -> Iterator[Line]:
    """Show who did what, both totals if there was a roll, and the outcome."""
    action, against = resolution.action, request.action.opposition
    yield heading(request, (action.skill, action.attribute))
    whom = resolution.opposition.by or action.target
    if resolution.roll is not None:
        ours = _made_of(action.skill, resolution.roll, request.action.invocations, "told")
        skill = against.skill if isinstance(against, Active) else None
        kind = phrases.plain(resolution.opposition.kind)
        theirs = _made_of(skill, resolution.opposition, against.invocations, kind)
        column = max(_width(ours), _width(theirs))
        for made_of, total, of in ((ours, resolution.roll, None), (theirs, resolution.opposition, whom)):
            equals = f"{' ' * (column - _width(made_of))}  = {total.total} {total.ladder}"
            yield line(*made_of, (equals, "strong"), (f"   {of}" if of else "", "dim"), indent=2)
    elif whom:
        yield line(("against ", "dim"), whom, indent=2)
    said = phrases.outcome(resolution.outcome, resolution.shifts).upper()
    yield line((said, ROLES.get(resolution.outcome, "good")))


def branches(resolution: Resolution, suggestions: Iterable[Suggestion]) -> Iterator[Line]:
    """Show for each branch what becomes of the goal, its grants, and the words for its slots."""
    labelled = labels(resolution, tuple(suggestions))
    shown: set[str] = set()
    for key, branch in labelled.branches.items():
        yield BLANK
        rest = phrases.branch(branch).removeprefix(branch.label)
        yield line((f"{key}  ", "key"), (branch.label, "strong"), rest, indent=2)
        yield from (line(phrases.grant(grant), indent=5) for grant in branch.grants)
        for fallen in branch.falls_away or ():
            yield line(phrases.fallen(fallen, resolution.action.actor), indent=5)
        if len(branch.slots) > 1 and (wants := what_is_wanted(labelled, branch)):
            yield line((f"{wants}:", "dim"), indent=5)
        for slot in branch.slots:
            yield from _slot(slot, labelled.of_slot(slot.id), slot.id in shown)
            shown.add(slot.id)


def suggestion(given: Suggestion, label: str | None = None, number: int | None = None) -> Iterator[Line]:
    """Show one suggestion: its form, name, mechanics and words."""
    what, mechanics = label or phrases.plain(given.form), "; ".join(phrases.mechanics(given))
    return worded(number, what, given.name, mechanics, given.detail or ("your own words", "dim"), indent=5)


def worded(
    number: int | None, what: str, name: str | None, more: str | None, detail: str | tuple[str, Role], *, indent: int
) -> Iterator[Line]:
    """Show words: their number, kind, name, anything more, and detail."""
    yield line(
        (f"{number} " if number else "", "key"),
        (f"{what.upper()}  ", "label"),
        (f"{name}  " if name else "", "strong"),
        (f"({more})" if more else "", "dim"),
        indent=indent,
    )
    yield line(detail, indent=indent + 2)


def standing(scene: Scene) -> Iterator[Line]:
    """Show what a table easily forgets: whose turn it is, points, what is owed, and boosts."""
    people = [each for each in scene.characters if each.importance == "pc"]
    points = [f"{each.name} {each.fate_points}" for each in people if each.fate_points is not None]
    points += [f"{GM} {scene.gm_fate_points}"] if scene.gm_fate_points is not None else []
    owed = [(each.name, each.fate_points_owed) for each in scene.characters] + [(GM, scene.gm_carried or 0)]
    due = [f"{name} {number}" for name, number in owed if number]
    boosts = [
        f"{phrases.aspect(each.name, each.on)} ({phrases.either((_holder(name) for name in +each.held), 'and')})"
        for each in scene.aspects
        if each.boost and +each.held
    ]
    clocks = [f"{each.name} {each.ticked} of {each.boxes}" for each in scene.clocks if not each.secret]
    conflict, contest = scene.conflict, scene.contest
    goes_on = [
        *([f"{conflict.turn}'s turn, exchange {conflict.exchange}"] if conflict and conflict.turn else []),
        *([victories(contest.victories, scene)] if contest else []),
        *([f"clocks: {'; '.join(clocks)}"] if clocks else []),
    ]
    money = [
        *([f"fate points: {', '.join(points)}"] if points else []),
        *([f"owed: {', '.join(due)}"] if due else []),
    ]
    for told in (goes_on, money, [f"boosts: {'; '.join(boosts)}"] if boosts else []):
        if told:
            yield line(("; ".join(told), "dim"))


def _holder(name: str) -> str:
    return "whoever takes it first" if name == ANYONE else name


def _slot(slot: Slot, suggestions: Mapping[int, Suggestion], is_shown: bool) -> Iterator[Line]:
    title = phrases.plain(slot.id)
    if is_shown:
        yield line((f"{title}: as above", "dim"), indent=5)
    elif not suggestions:
        yield line((f"{title}: {'; '.join(map(phrases.form, slot.forms))}", "dim"), indent=5)
    elif slot.may_stay_empty:
        who = phrases.either(name for name in slot.forms[0].to or ())
        yield line((f"{who} may choose one of these, or write one:", "dim"), indent=5)
    elif slot.id != slot.kind:
        yield line((f"{title}:", "dim"), indent=5)
    for number, each in () if is_shown else suggestions.items():
        offer = slot.offer(each.form)
        yield from suggestion(each, offer.label if offer else None, number)


def _made_of(
    skill: str | None, parts: RollResult | OppositionResult, invocations: Iterable[Invocation], otherwise: str
) -> Sequence[tuple[str, Role]]:
    """The parts of a total: dice and skill, or where it comes from."""
    start: list[tuple[str, Role]] = [(otherwise, "")]
    if parts.fell is not None:
        dice = " ".join({-1: "-", 0: "0", 1: "+"}[face] for face in parts.dice or ()) or f"sum {parts.fell:+d}"
        start = [(dice, "strong"), (f"   {skill or 'no skill'} {parts.skill or 0:+d}", "")]
    more = []
    if parts.weight:
        more.append(f"weight turned {parts.weight} {'die' if parts.weight == 1 else 'dice'} to +")
    if parts.dice and (parts.rolled is None or turn_up(parts.rolled, parts.weight or 0) != parts.dice):
        more.append("rolled again")
    if parts.bonus:
        more.append(f"bonus {parts.bonus:+d}")
    if parts.invoked:
        used = dict.fromkeys(each.aspect for each in invocations if each.use == "bonus")
        more.append(f"{phrases.together(used)} {parts.invoked:+d}")
    return (*start, *((f", {each}", "") for each in more))


def _width(spans: Sequence[tuple[str, Role]]) -> int:
    return sum(len(text) for text, _ in spans)
