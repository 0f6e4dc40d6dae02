"""The page that a game master reads: outcome first, then what the table allows, then the words."""

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from narrator.render.plain import visible
from narrator.rules.action import Active, Request
from narrator.rules.choice import Suggestion
from narrator.rules.dice import Faces
from narrator.rules.resolution import Branch, Grant, OppositionResult, Resolution, RollResult, Slot

WIDEST = 100
"""Columns of a page, however wide the terminal: longer lines are hard to read."""

OUTCOMES = {
    "fail": ("FAIL BY {}", "bold red"),
    "tie": ("TIE", "bold yellow"),
    "succeed": ("SUCCEED BY {}", "bold green"),
    "succeed_with_style": ("SUCCEED WITH STYLE BY {}", "bold green"),
}

NARROWEST = 20
"""Columns of a page on the smallest window: below that nothing reads."""

GOALS = {
    "attained": "the goal is attained",
    "not_attained": "the goal is not attained",
    "lesser": "a lesser version of the goal is attained",
    "opponent_decides": "the opponent's action decides",
}


def print_roll(console: Console, request: Request, resolution: Resolution) -> None:
    """
    Print who did what, both totals, and the outcome.
    """
    action, against = resolution.action, request.action.opposition
    kind = ", ".join(word for word in (_title(action.type), action.skill, action.attribute) if word)
    intent = f"  {request.action.intent}" if request.action.intent else ""
    show(console, line((action.actor.upper(), "bold"), (intent, ""), (f"   {kind}", "dim")))
    ours = _made_of(action.skill, resolution.roll)
    theirs = _made_of(against.skill if isinstance(against, Active) else None, resolution.opposition)
    column = max(len(ours), len(theirs))
    for made_of, roll in ((ours, resolution.roll), (theirs, resolution.opposition)):
        by = roll.by if isinstance(roll, OppositionResult) and roll.by else ""
        total = line((f"  = {roll.total} {roll.ladder}", "bold"), (f"   {by}" if by else "", "dim"))
        made_of.pad_right(column - len(made_of))
        show(console, made_of + total, 2)
    words, style = OUTCOMES.get(resolution.outcome, (f"{resolution.outcome.upper().replace('_', ' ')} BY {{}}", "bold"))
    show(console, line((words.format(abs(resolution.shifts)), style)))


def print_branches(console: Console, resolution: Resolution, suggestions: Iterable[Suggestion]) -> None:
    """
    Print each choice: what becomes of the goal, what it grants, and the words for its slots.
    """
    given = tuple(suggestions)
    shown: set[str] = set()
    for key, branch in zip(_keys(resolution.branches), resolution.branches, strict=True):
        console.print()
        show(console, line((f"{key}  ", "bold cyan"), (branch.label, "bold"), (f": {GOALS[branch.goal]}.", "")), 2)
        for grant in branch.grants:
            show(console, line((_grant(grant), "")), 5)
        for slot in branch.slots:
            _print_slot(console, slot, [each for each in given if each.slot == slot.id], slot.id in shown)
            shown.add(slot.id)


def print_suggestion(console: Console, suggestion: Suggestion, label: str | None = None, number: int = 1) -> None:
    """
    Print one suggestion: what it is, its name and mechanics, and the words to say.
    """
    label = label or suggestion.form.replace("_", " ")
    mechanics = _mechanics(suggestion)
    heading = line(
        (f"{number} ", "bold cyan"),
        (f"{label.upper()}  ", "cyan"),
        (f"{suggestion.name}  " if suggestion.name else "", "bold"),
        (f"({mechanics})" if mechanics else "", "dim"),
    )
    show(console, heading, 5)
    show(console, line((suggestion.detail, "")), 7)


def print_notices(console: Console, notices: Iterable[str]) -> None:
    """
    Print what else there is to say.
    """
    for notice in notices:
        show(console, line(("note: ", "yellow"), (notice, "")))


def print_text(console: Console, text: str) -> None:
    """
    Print untrusted text.
    """
    show(console, line((text, "")), 2)


def page_console(console: Console) -> Console:
    """
    Return the console, as wide as a page can be on it.
    """
    console.width = max(NARROWEST, min(console.width, WIDEST))
    return console


def _print_slot(console: Console, slot: Slot, suggestions: list[Suggestion], is_shown: bool) -> None:
    title = slot.id.replace("_", " ")
    if is_shown:
        show(console, line((f"{title}: as above", "dim")), 5)
        return
    if not suggestions:
        forms = ", ".join(offer.label for offer in slot.forms)
        show(console, line((f"{title}: ", "dim"), (forms, "dim")), 5)
        return
    if slot.id != slot.kind:
        show(console, line((f"{title}:", "dim")), 5)
    for number, suggestion in enumerate(suggestions, 1):
        offer = slot.offer(suggestion.form)
        print_suggestion(console, suggestion, offer.label if offer else None, number)


def _made_of(skill: str | None, roll: RollResult) -> Text:
    """
    What a total is made of: dice and skill, or where it comes from.
    """
    if roll.dice is not None:
        start = line((_dice(roll.dice), "bold"), (f"   {skill or 'no skill'} {roll.skill or 0:+d}", ""))
    else:
        start = line((roll.kind if isinstance(roll, OppositionResult) else "told", ""))
    if roll.bonus:
        start.append(f", bonus {roll.bonus:+d}")
    if roll.invoked:
        start.append(f", invoked {roll.invoked:+d}")
    return start


def _dice(dice: Faces | None) -> str:
    return " ".join({-1: "-", 0: "0", 1: "+"}[face] for face in dice or ())


def _grant(grant: Grant) -> str:
    who = " or ".join(grant.to)
    match grant.type:
        case "hit":
            return f"{who}: a hit of {grant.amount}; {_absorb(grant)}"
        case "free_invocations":
            return f"{who}: {_invocations(grant.amount or 0)} of {grant.on}"
        case _:
            return f"{who}: {grant.type.replace('_', ' ')}"


def _absorb(grant: Grant) -> str:
    ways = [
        " and ".join([*([f"a box of {way.stress}"] if way.stress else []), *(f"{each}" for each in way.consequences)])
        for way in grant.absorb or ()
    ]
    return f"bought off by {'; or '.join(ways)}" if ways else "nothing to buy it off: taken out"


def _mechanics(suggestion: Suggestion) -> str:
    parts = []
    if suggestion.severity:
        parts.append(f"{suggestion.severity} consequence")
    if suggestion.amount:
        parts.append(f"{suggestion.amount} {suggestion.form}: {' or '.join(suggestion.tracks or ())}")
    if suggestion.free_invocations:
        parts.append(f"{suggestion.to}: {_invocations(suggestion.free_invocations)}")
    if suggestion.on:
        parts.append(f"on {suggestion.on}")
    if suggestion.goal:
        parts.append(GOALS[suggestion.goal])
    if suggestion.secret:
        parts.append("for the GM alone")
    return "; ".join(parts)


def _invocations(number: int) -> str:
    return f"{number} free invocation{'s' if number != 1 else ''}"


def _keys(branches: tuple[Branch, ...]) -> list[str]:
    """
    A letter for each branch, of its own name where there is one left.
    """
    keys: list[str] = []
    for branch in branches:
        keys.append(next(letter for letter in f"{branch.id}abcdefghijklmnopqrstuvwxyz" if letter not in (*keys, "_")))
    return keys


def _title(action: str) -> str:
    return action.replace("_", " ").capitalize()


def line(*spans: tuple[str, str]) -> Text:
    """
    A line of untrusted text: nothing in it is markup, and nothing in it steers the terminal.
    """
    return Text.assemble(*((visible(text), style) for text, style in spans))


def show(console: Console, text: Text, indent: int = 0) -> None:
    """
    Print text wrapped and indented, without blanks at the ends of its lines.
    """
    for wrapped in text.wrap(console, console.width - indent):
        wrapped.rstrip()
        console.print(Text(" " * indent) + wrapped, soft_wrap=True)
