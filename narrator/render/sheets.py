"""The pages beside those of a roll and a table: chances, reach, verdicts, turn order, lines, scenes, changes."""

from collections.abc import Iterable, Iterator, Sequence

from narrator.render import words
from narrator.render.lines import BLANK, Line, line
from narrator.render.rolls import heading
from narrator.rules.action import Passive, Request
from narrator.rules.chances import Odds, Reach
from narrator.rules.changes import Settled
from narrator.rules.resolution import Resolution
from narrator.rules.row import FAIL
from narrator.rules.ruleset import Ruleset
from narrator.rules.scene import Scene
from narrator.rules.skills import rating


def odds(request: Request, found: Odds) -> Iterator[Line]:
    """Say the chance of each outcome, and what each invocation would make of it."""
    against = request.action.opposition
    rated = f"against {against.rating}" if isinstance(against, Passive) and against.rating is not None else None
    yield heading(request, (request.action.skill, request.action.attribute, rated))
    yield from (likely(*each) for each in found.outcomes.items())
    offers = [
        (words.at_least_a_tie(each.outcomes), each.pay, words.aspect(each.aspect, each.on))
        for each in found.invocations
    ]
    for (chance, pay), aspects in _grouped(offers):
        yield line((f"{words.PAYS[pay]}: ", "dim"), (chance, "strong"), f", with {aspects}", indent=2)
    if found.advice:
        yield line((found.advice, "note"), indent=2)


def likely(outcome: str, faces: tuple[int, int]) -> Line:
    """Say how likely an outcome is."""
    number, everything = faces
    of = f"   {number} of {everything}"
    return line((f"{words.plain(outcome):<20}", "strong"), f"{number / everything:6.1%}", (of, "dim"), indent=2)


def reach(offers: Sequence[Reach], *, is_whole: bool) -> Iterator[Line]:
    """Say what each invocation still on offer would make of the roll: a line for each thing it would make, and price.
    What is not near is counted, unless the whole is wanted.
    """
    yield from _offered(each for each in offers if is_whole or each.is_near)
    # Whatever could be rolled again by could be a bonus as well.
    yield from _more(sum(each.use == "bonus" and not (is_whole or each.is_near) for each in offers), "--all")
    if not offers:
        yield line("Nothing more is in reach.", indent=2)


def numbered(ways: Sequence[Sequence[Reach]], more: int) -> Iterator[Line]:
    """Say what each aspect would make of the roll, by a number to choose it by: as a bonus, and where dice may be
    rolled again, of that; both are of one side and price. So many more there are.
    """
    if ways:
        yield line(("in reach:", "dim"), indent=2)
    for number, way in enumerate(ways, 1):
        first = way[0]
        whose = "" if first.side == "actor" else f"{first.by}: "
        made = "; ".join(f"{'rolled again ' if each.use == 'reroll' else ''}{_made(each)}" for each in way)
        yield line(
            (f"{number} ", "key"),
            f"{whose}{words.aspect(first.aspect, first.on)}, {_price(first)}: ",
            (made, "strong"),
            indent=2,
        )
    yield from _more(more, "all")
    if not ways and not more:
        yield line("Nothing is in reach: it stands.", indent=2)


def turning(offers: Sequence[Reach], resolution: Resolution) -> Iterator[Line]:
    """Say the same of those that would change the outcome for certain, each aspect at its lower price, what is not near
    counted; of a failure, that none would.
    """
    changing = [each for each in offers if each.outcome not in (None, resolution.outcome)]
    # The opposition's fate points are the GM's own business; a free invocation may be forgotten.
    changing = [each for each in changing if each.side == "actor" or each.pay == "free"]
    free = {(each.side, each.aspect, each.on) for each in changing if each.pay == "free" and not each.held_by}
    changing = [each for each in changing if each.pay == "free" or (each.side, each.aspect, each.on) not in free]
    yield from _offered(each for each in changing if each.is_near)
    yield from _more(sum(not each.is_near for each in changing), "narrator reach --all")
    if resolution.outcome == FAIL and any(each.side == "actor" for each in offers) and not changing:
        yield line("in reach by one invocation: nothing", indent=2)


def word(number: int, what: str, name: str | None, detail: str, severity: str | None) -> Iterator[Line]:
    """Say words that no roll has led to."""
    yield line(
        (f"{number} ", "key"),
        (f"{what.upper()}  ", "label"),
        (f"{name}  " if name else "", "strong"),
        (f"({severity})" if severity else "", "dim"),
        indent=2,
    )
    yield line(detail, indent=4)


def verdict(refused: str | None) -> Line:
    """Say whether a suggestion was accepted, or refused and by which code."""
    if refused is None:
        return line(("ACCEPTED", "good"))
    return line((f"REFUSED: {refused}" if refused else "REFUSED", "bad"))


def _offered(offers: Iterable[Reach]) -> Iterator[Line]:
    made = [
        (each.side, each.by, _price(each), each.use, _made(each), words.aspect(each.aspect, each.on))
        for each in sorted(offers, key=lambda each: (each.side, each.pay != "free", each.held_by or ""))
    ]
    for (side, by, price, use, what), aspects in _grouped(made):
        whose = "in reach" if side == "actor" else f"in reach of {by}"
        again = ", rolled again" if use == "reroll" else ""
        yield line((f"{whose}, {price}{again}: ", "dim"), (what, "strong"), f", with {aspects}", indent=2)


def _more(number: int, how: str) -> Iterator[Line]:
    if number:
        yield line((f"and {number} more that others bear, for a fate point: {how}", "dim"), indent=2)


def _price(offer: Reach) -> str:
    return f"{words.PAYS[offer.pay]} if {offer.held_by} passes it on" if offer.held_by else words.PAYS[offer.pay]


def _made(offer: Reach) -> str:
    if offer.outcome is not None:
        return words.outcome(offer.outcome, offer.shifts)
    # Whoever opposes rolls again to make the action fail.
    said = words.at_least_a_tie if offer.side == "actor" else words.a_failure
    return said(offer.outcomes or {})


def _grouped(offers: Iterable[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Put those together that differ in their last part alone, the aspect."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for *first, aspect in offers:
        groups.setdefault(tuple(first), []).append(aspect)
    yield from ((first, words.together(aspects)) for first, aspects in groups.items())


def turn_order(scene: Scene, names: Iterable[str], approaches: Sequence[str]) -> Iterator[Line]:
    """Say who acts when, and the ratings that say so."""
    people = {each.name: each for each in scene.characters}
    for place, name in enumerate(names, 1):
        rated = ", ".join(f"{each} {rating(people[name], each):+d}" for each in approaches)
        yield line((f"{place:>3} ", "key"), name, (f"   {rated}", "dim"))


def barred(found: Iterable[tuple[str, Sequence[str], Sequence[str], Sequence[str]]]) -> Iterator[Line]:
    """Say of each line or veil its themes, what it catches, and sentences that are refused for it."""
    number = 0
    for number, (barred, themes, catches, examples) in enumerate(found, 1):
        if number > 1:
            yield BLANK
        yield line((barred, "strong"))
        if themes:
            yield line(("Themes: ", "label"), ", ".join(map(words.plain, themes)), indent=2)
        else:
            yield line("No theme that narrator knows: its own words and their kin have to tell.", indent=2)
        yield line(("Catches:", "label"), indent=2)
        yield from (line(each, indent=4) for each in catches)
        if examples:
            yield line(("Refused, for example:", "label"), indent=2)
            yield from (line(f'"{each}"', indent=4) for each in examples)
        else:
            nothing = "No example that comes with narrator is refused: this reaches little."
            yield line((f'{nothing} Add words, between commas: "{barred}, …".', "note"), indent=2)
    if not number:
        yield line("There are no lines and no veils in this scene: nothing is kept out.")


def scene(found: Scene) -> Iterator[Line]:
    """Say what stands on the table: people with what they have suffered, aspects with who may invoke them."""
    for each in found.characters:
        where = f"   {each.zone}" if each.zone else ""
        yield line((each.name, "strong"), (f"   {each.side}{where}", "dim"), (f"   {words.state(each)}", "note"))
    for aspect in found.aspects:
        held = ", ".join(f"{holder}: {number}" for holder, number in aspect.free_invocations.items() if number)
        kind = "boost  " if aspect.boost else "aspect "
        free = f"   free invocations: {held}" if held else ""
        yield line((kind, "label"), (words.aspect(aspect.name, aspect.on), "strong"), (free, "dim"))


def changes(settled: Settled, said: Iterable[tuple[str, str, bool]]) -> Iterator[Line]:
    """Say what was chosen, name and detail, marked where it is for the GM alone, and what is different, a line each."""
    facts = {change.after for change in settled.changes if change.type == "fact"}
    for name, detail, is_secret in said:
        if ": ".join(text for text in (name, detail) if text) not in facts:
            mark = f"({words.GM_ALONE})  " if is_secret else ""
            yield line((mark, "dim"), (f"{name}  " if name else "", "strong"), detail, indent=2)
    yield from (line(change.text, indent=2) for change in settled.changes)
    if not settled.changes:
        yield line(("Nothing of the scene changes.", "dim"), indent=2)


def rulesets(found: Iterable[Ruleset]) -> Iterator[Line]:
    """Say of each ruleset its actions and outcomes."""
    for ruleset in found:
        yield line((ruleset.name, "strong"), (f"   {ruleset.title}", "dim"))
        yield line(", ".join(words.plain(action) for action in ruleset.actions), indent=2)
        outcomes = ", ".join(words.plain(outcome) for outcome in (FAIL, *ruleset.outcomes))
        yield line((outcomes, "dim"), indent=2)
