"""All views except that of a roll: chances, reach, verdicts, turn order, lines, scenes, changes, rulesets, tables."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from narrator.render import phrases
from narrator.render.roll_view import ROLES, heading
from narrator.render.view import BLANK, Line, line
from narrator.rules.chances.chances import Odds, Reach
from narrator.rules.request.action import Passive, Request
from narrator.rules.request.scene import Scene
from narrator.rules.resolve.cast import rating
from narrator.rules.resolve.resolution import Grant, Resolution
from narrator.rules.ruleset.declarations import Rider
from narrator.rules.ruleset.row import FAIL, BranchSpec, FormSpec, FormUse, GrantSpec, SlotSpec
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.ruleset.table import Table
from narrator.rules.settle.changes import Settled

Forms = Mapping[str, FormSpec]

HITS = {"shifts": "of the shifts", "shifts - 1": "of the shifts less 1"}
NAMED = {"aspect": "the aspect", "path": "the end of the path"}
"""Words for what an action would name."""


def odds(request: Request, found: Odds) -> Iterator[Line]:
    """Show the chance of each outcome, and the chances with each invocation."""
    against = request.action.opposition
    rated = f"against {against.rating}" if isinstance(against, Passive) and against.rating is not None else None
    yield heading(request, (request.action.skill, request.action.attribute, rated))
    yield from (likely(*each) for each in found.outcomes.items())
    yield from _grouped(
        (phrases.PAYS[each.pay], phrases.chance(each.outcomes), phrases.aspect(each.aspect, each.on))
        for each in found.invocations
    )
    if found.advice:
        yield line((found.advice, "note"), indent=2)


def likely(outcome: str, faces: tuple[int, int]) -> Line:
    """Say how likely an outcome is."""
    number, everything = faces
    of = f"   {number} of {everything}"
    return line((f"{phrases.plain(outcome):<20}", "strong"), f"{number / everything:6.1%}", (of, "dim"), indent=2)


def reach(offers: Sequence[Reach], *, is_whole: bool) -> Iterator[Line]:
    """Show what each possible invocation would make of the roll. Those not near are only counted, unless `is_whole`."""
    yield from _offered(each for each in offers if is_whole or each.is_near)
    # Every invocation for a reroll could also be a bonus.
    yield from _more(sum(each.use == "bonus" and not (is_whole or each.is_near) for each in offers), "--all")
    if not offers:
        yield line("No other invocation is in reach.", indent=2)


def numbered(ways: Sequence[Sequence[Reach]], more: int) -> Iterator[Line]:
    """Show what each aspect would make of the roll, with a number to choose it, and how many more there are."""
    if ways:
        yield line(("in reach:", "dim"), indent=2)
    for number, way in enumerate(ways, 1):
        first = way[0]  # a bonus, and maybe a reroll: both have the same side and price
        whose = "" if first.side == "actor" else f"{first.by}: "
        made = "; ".join(f"{'rolled again ' if each.use == 'reroll' else ''}{_made(each)}" for each in way)
        yield line(
            (f"{number} ", "key"),
            f"{whose}{phrases.aspect(first.aspect, first.on)}, {_price(first)}: ",
            (made, "strong"),
            indent=2,
        )
    yield from _more(more, "all")
    if not ways and not more:
        yield line("No invocation is in reach: the roll stands.", indent=2)


def turning(offers: Sequence[Reach], resolution: Resolution) -> Iterator[Line]:
    """Show only those certain to change the outcome, at the lower price. After a failure, say if there are none."""
    changing = [each for each in offers if each.outcome not in (None, resolution.outcome)]
    # The GM decides about the opposition's fate points, but may forget a free invocation.
    changing = [each for each in changing if each.side == "actor" or each.pay == "free"]
    free = {(each.side, each.aspect, each.on) for each in changing if each.pay == "free" and not each.held_by}
    changing = [each for each in changing if each.pay == "free" or (each.side, each.aspect, each.on) not in free]
    yield from _offered(each for each in changing if each.is_near)
    yield from _more(sum(not each.is_near for each in changing), "narrator reach --all")
    if resolution.outcome == FAIL and any(each.side == "actor" for each in offers) and not changing:
        yield line("no single invocation is certain to change this", indent=2)


def verdict(refused: str | None) -> Line:
    """Show whether a suggestion was accepted, or the code of its refusal."""
    return line(("ACCEPTED", "good") if refused is None else (f"REFUSED: {refused}".removesuffix(": "), "bad"))


def _offered(offers: Iterable[Reach]) -> Iterator[Line]:
    in_order = sorted(offers, key=lambda each: (each.side, each.pay != "free", each.held_by or ""))
    yield from _grouped((_told(each), _made(each), phrases.aspect(each.aspect, each.on)) for each in in_order)


def _told(offer: Reach) -> str:
    whose = "in reach" if offer.side == "actor" else f"in reach of {offer.by}"
    return f"{whose}, {_price(offer)}{', rolled again' if offer.use == 'reroll' else ''}"


def _grouped(offers: Iterable[tuple[str, str, str]]) -> Iterator[Line]:
    """Show prices and results, with the aspects of the same price and result on one line."""
    groups: dict[tuple[str, str], list[str]] = {}
    for price, made, aspect in offers:
        groups.setdefault((price, made), []).append(aspect)
    for (price, made), aspects in groups.items():
        yield line((f"{price}: ", "dim"), (made, "strong"), f", with {phrases.together(aspects)}", indent=2)


def _more(number: int, how: str) -> Iterator[Line]:
    if number:
        yield line((f"and {number} more on others, for a fate point: {how}", "dim"), indent=2)


def _price(offer: Reach) -> str:
    return f"{phrases.PAYS[offer.pay]} if {offer.held_by} passes it on" if offer.held_by else phrases.PAYS[offer.pay]


def _made(offer: Reach) -> str:
    if offer.outcome is not None:
        return phrases.outcome(offer.outcome, offer.shifts)
    # The opposition rerolls to make the action fail.
    return phrases.chance(offer.outcomes or {}, of_failing=offer.side != "actor")


def turn_order(scene: Scene, names: Iterable[str], approaches: Sequence[str]) -> Iterator[Line]:
    """Show the order of turns, with the ratings that decide it."""
    people = {each.name: each for each in scene.characters}
    for place, name in enumerate(names, 1):
        rated = ", ".join(f"{each} {rating(people[name], each):+d}" for each in approaches)
        yield line((f"{place:>3} ", "key"), name, (f"   {rated}", "dim"))


def barred(found: Iterable[tuple[str, Sequence[str], Sequence[str], Sequence[str]]]) -> Iterator[Line]:
    """Show for each line or veil its themes, what it catches, and sentences that it refuses."""
    number = 0
    for number, (barred, themes, catches, examples) in enumerate(found, 1):
        if number > 1:
            yield BLANK
        yield line((barred, "strong"))
        known = ", ".join(map(phrases.plain, themes))
        none = "No theme that narrator knows: it catches only its own and related words."
        yield line(("Themes: " if themes else "", "label"), known or none, indent=2)
        yield line(("Catches:", "label"), indent=2)
        yield from (line(each, indent=4) for each in catches)
        if examples:
            yield line(("Refused, for example:", "label"), indent=2)
            yield from (line(f'"{each}"', indent=4) for each in examples)
        else:
            nothing = "It refuses no example that comes with narrator, so it catches little."
            yield line((f'{nothing} Add words, separated by commas: "{barred}, …".', "note"), indent=2)
    if not number:
        yield line("This scene has no lines and no veils, so nothing is kept out.")


def scene(found: Scene) -> Iterator[Line]:
    """Show the people with their state, and the aspects with their free invocations."""
    for each in found.characters:
        where = f"   {each.zone}" if each.zone else ""
        yield line((each.name, "strong"), (f"   {each.side}{where}", "dim"), (f"   {phrases.state(each)}", "note"))
    for aspect in found.aspects:
        held = ", ".join(f"{holder}: {number}" for holder, number in aspect.free_invocations.items() if number)
        kind = "boost  " if aspect.boost else "aspect "
        free = f"   free invocations: {held}" if held else ""
        yield line((kind, "label"), (phrases.aspect(aspect.name, aspect.on), "strong"), (free, "dim"))


def changes(settled: Settled, said: Iterable[tuple[str, str, bool]]) -> Iterator[Line]:
    """Show the chosen words, marked if they are for the GM alone, and each change on a line."""
    facts = {change.after for change in settled.changes if change.type == "fact"}
    for name, detail, is_secret in said:
        if ": ".join(text for text in (name, detail) if text) not in facts:
            mark = f"({phrases.GM_ALONE})  " if is_secret else ""
            yield line((mark, "dim"), (f"{name}  " if name else "", "strong"), detail, indent=2)
    for change in settled.changes:
        yield line(change.text, indent=2)
        if change.type == "twist":
            yield line(("words for it: narrator word twist", "note"), indent=2)
    if not settled.changes:
        yield line(("Nothing of the scene changes.", "dim"), indent=2)


def rulesets(found: Iterable[Ruleset]) -> Iterator[Line]:
    """Show the actions and outcomes of each ruleset."""
    for ruleset in found:
        yield line((ruleset.name, "strong"), (f"   {ruleset.title}", "dim"))
        yield line(", ".join(phrases.plain(action) for action in ruleset.actions), indent=2)
        outcomes = ", ".join(phrases.plain(outcome) for outcome in (FAIL, *ruleset.outcomes))
        yield line((outcomes, "dim"), indent=2)


def table(found: Table, forms: Forms) -> Iterator[Line]:
    """Show what each row of an action gives, without names. `forms` are the ruleset's."""
    yield line((phrases.plain(found.action).upper(), "strong"), (f"   {found.ruleset}", "dim"))
    for how, opposed in (("opposed by ", found.opposition), ("on a character ", found.opposition_on_target)):
        if opposed:
            yield line((how, "dim"), ", ".join(map(phrases.plain, opposed)), indent=2)
    for (variant, maneuver), rows in groupby(found.rows, key=lambda row: (row.variant, row.maneuver)):
        yield BLANK
        if variant or maneuver:
            kind = "maneuver " if maneuver else ""
            yield line((f"{kind}{phrases.plain(variant or maneuver or '')}", "key"), indent=2)
        for row in rows:
            source = f"   {row.source.document}, {row.source.section}"
            yield line((phrases.plain(row.outcome), ROLES.get(row.outcome, "good")), (source, "dim"), indent=2)
            for branch in row.branches:
                hits = any(grant.type == "hit" for grant in branch.grants)
                goal = "" if hits else f": {phrases.GOALS[branch.goal]}"
                yield line((f"{branch.label}{_condition(branch)}", "strong"), f"{goal}.", indent=4)
                for gives in (*map(_grant, branch.grants), *(_slot(slot, forms) for slot in branch.slots)):
                    yield line(gives, indent=6)
    if found.riders:
        yield BLANK
        yield line(("also", "key"), indent=2)
        yield from (_rider(rider, forms) for rider in found.riders)
    if found.treatment:
        levels = ", ".join(f"{level} {rating}" for level, rating in found.treatment.items())
        alone = f"; {found.alone} more to treat yourself" if found.alone else ""
        yield BLANK
        yield line(("to treat a consequence", "key"), f"   against {levels}{alone}", indent=2)


def _rider(rider: Rider, forms: Forms) -> Line:
    gives = [*map(_grant, rider.grants), *(_slot(slot, forms) for slot in rider.slots)]
    if rider.first_form:
        gives.append(f"{_label(rider.first_form.form, forms)} first among the {phrases.plain(rider.first_form.kind)}s")
    dropped = [*map(phrases.plain, (*rider.drops_branches, *rider.drops_slots))]
    dropped += [_label(form, forms) for form in rider.drops_forms]
    if dropped:
        gives.append(f"without {', '.join(dropped)}")
    if rider.notice:
        gives.append(rider.notice)
    return line((f"{_when(rider)}: ", "strong"), "; ".join(gives), indent=4)


def _when(rider: Rider) -> str:
    told = [phrases.either(map(phrases.plain, each)) for each in (rider.maneuvers, rider.outcomes) if each]
    if rider.frames:
        told.append(f"in a {phrases.either(map(phrases.plain, rider.frames))}")
    if rider.opposition:
        told.append(f"against {phrases.either(map(phrases.plain, rider.opposition))}")
    if rider.defended is not None:
        told.append("defended" if rider.defended else "not defended")
    if rider.shifts_to is not None:
        shifts = rider.shifts_to
        told.append(f"failed by {-shifts} or more" if shifts < 0 else f"at {phrases.count(shifts, 'shift')} or fewer")
    return ", ".join(told) or "always"


def _condition(branch: BranchSpec) -> str:
    if branch.frames:
        return f" (in a {phrases.either(map(phrases.plain, branch.frames))})"
    if branch.if_free:
        return f" (if a {branch.if_free} is free)"
    return f" (if no {branch.unless_free} is free)" if branch.unless_free else ""


def _grant(spec: GrantSpec) -> str:
    who = phrases.plain(spec.to)
    if spec.type == "hit":
        return f"{who}: a hit {HITS[str(spec.amount)]}"
    if spec.amount == "path":
        return f"{who}: moves to {NAMED['path']}"
    amount = spec.amount if isinstance(spec.amount, int) else None
    return phrases.grant(Grant(type=spec.type, to=(who,), amount=amount, on=NAMED[spec.on] if spec.on else None))


def _slot(slot: SlotSpec, forms: Forms) -> str:
    return f"{phrases.plain(slot.name)}: {'; '.join(_form(use, forms) for use in slot.forms)}"


def _form(use: FormUse, forms: Forms) -> str:
    told = [phrases.plain(use.to)] if use.to else []
    if use.free_invocations is not None:
        told.append(
            phrases.count(use.free_invocations, "free invocation") if use.free_invocations else "no free invocation"
        )
    if use.failed_by is not None:
        told.append(f"a free invocation if failed by {use.failed_by} or more")
    return f"{_label(use.form, forms)} ({'; '.join(told)})" if told else _label(use.form, forms)


def _label(form: str, forms: Forms) -> str:
    return forms[form].label.replace("{actor}", "the actor")


def asked(question: str, readings: Iterable[tuple[str, str]]) -> Iterator[Line]:
    """Show the question about a line, and clearer lines with their meanings."""
    yield line((question, "note"))
    for text, told in readings:
        yield line((text, "key"), (f"   {told}", "dim"), indent=2)


def was_read(parts: Iterable[str]) -> Line:
    """Show what a line was read as."""
    return line((f"read: {'; '.join(parts)}", "dim"))
