"""The page that a game master reads: outcome first, then what the table allows, then the words."""

from collections.abc import Iterable, Mapping

from rich.console import Console
from rich.text import Text

from narrator.render import words
from narrator.render.labels import labels, wanted
from narrator.render.plain import visible
from narrator.rules.action import Active, Invocation, Request
from narrator.rules.choice import Suggestion
from narrator.rules.conflict.weight import turn
from narrator.rules.dice import Faces
from narrator.rules.resolution import FormOffer, OppositionResult, Resolution, RollResult, Slot

WIDEST = 100
"""Columns of a page, however wide the terminal: longer lines are hard to read."""

STYLES = {"fail": "bold red", "tie": "bold yellow"}
"""The colour of an outcome; any other is green."""

NARROWEST = 20
"""Columns of a page on the smallest window: below that nothing reads."""


def print_heading(console: Console, request: Request, more: Iterable[str | None] = ()) -> None:
    """
    Print who does what, and how.
    """
    action = request.action
    intent = f"  {action.intent}" if action.intent else ""
    how = ", ".join(word for word in (words.plain(action.type).capitalize(), *more) if word)
    show(console, line((action.actor.upper(), "bold"), (intent, ""), (f"   {how}", "dim")))


def print_roll(console: Console, request: Request, resolution: Resolution) -> None:
    """
    Print who did what, both totals where dice decided, and the outcome.
    """
    action, against = resolution.action, request.action.opposition
    variant = action.variant if request.action.variant else None
    how = (variant and words.plain(variant), action.maneuver and words.plain(action.maneuver))
    print_heading(console, request, (*how, action.skill, action.attribute))
    whom = resolution.opposition.by or action.target
    if resolution.roll is not None:
        ours = _made_of(action.skill, resolution.roll, request.action.invocations, "told")
        skill = against.skill if isinstance(against, Active) else None
        kind = words.plain(resolution.opposition.kind)
        theirs = _made_of(skill, resolution.opposition, against.invocations, kind)
        column = max(len(ours), len(theirs))
        for made_of, roll, of in ((ours, resolution.roll, None), (theirs, resolution.opposition, whom)):
            total = line((f"  = {roll.total} {roll.ladder}", "bold"), (f"   {of}" if of else "", "dim"))
            made_of.pad_right(column - len(made_of))
            show(console, made_of + total, 2)
    elif whom:
        show(console, line(("against ", "dim"), (whom, "")), 2)
    said = words.outcome(resolution.outcome, resolution.shifts).upper()
    show(console, line((said, style_of(resolution.outcome))))


def style_of(outcome: str) -> str:
    """
    Return the style that an outcome is printed in.
    """
    return STYLES.get(outcome, "bold green")


def print_branches(console: Console, resolution: Resolution, suggestions: Iterable[Suggestion]) -> None:
    """
    Print each choice: what becomes of the goal, what it grants, and the words for its slots.
    """
    labelled = labels(resolution, tuple(suggestions))
    shown: set[str] = set()
    for key, branch in labelled.branches.items():
        console.print()
        rest = words.branch(branch).removeprefix(branch.label)
        show(console, line((f"{key}  ", "bold cyan"), (branch.label, "bold"), (rest, "")), 2)
        for grant in branch.grants:
            show(console, line((words.grant(grant), "")), 5)
        for fallen in branch.falls_away or ():
            show(console, line((words.fallen(fallen, resolution.action.actor), "")), 5)
        if len(branch.slots) > 1 and (wants := wanted(labelled, branch)):
            show(console, line((f"{wants}:", "dim")), 5)
        for slot in branch.slots:
            _print_slot(console, slot, labelled.of_slot(slot.id), slot.id in shown)
            shown.add(slot.id)


def print_suggestion(
    console: Console, suggestion: Suggestion, label: str | None = None, number: int | None = None
) -> None:
    """
    Print one suggestion: what it is, its name and mechanics, and the words to say.
    """
    label = label or words.plain(suggestion.form)
    mechanics = "; ".join(words.mechanics(suggestion))
    heading = line(
        (f"{number} " if number else "", "bold cyan"),
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


def _print_slot(console: Console, slot: Slot, suggestions: Mapping[int, Suggestion], is_shown: bool) -> None:
    title = words.plain(slot.id)
    if is_shown:
        show(console, line((f"{title}: as above", "dim")), 5)
        return
    if not suggestions:
        forms = "; ".join(_form(offer) for offer in slot.forms)
        show(console, line((f"{title}: {forms}", "dim")), 5)
        return
    if slot.id != slot.kind:
        show(console, line((f"{title}:", "dim")), 5)
    for number, suggestion in suggestions.items():
        offer = slot.offer(suggestion.form)
        print_suggestion(console, suggestion, offer.label if offer else None, number)


def _form(offer: FormOffer) -> str:
    mechanics = "; ".join(words.mechanics(offer))
    return f"{offer.label} ({mechanics})" if mechanics else offer.label


def _made_of(
    skill: str | None, parts: RollResult | OppositionResult, invocations: Iterable[Invocation], otherwise: str
) -> Text:
    """
    What a total is made of: dice and skill, or where it comes from.
    """
    if parts.dice is not None:
        start = line((_dice(parts.dice), "bold"), (f"   {skill or 'no skill'} {parts.skill or 0:+d}", ""))
    else:
        start = line((otherwise, ""))
    if parts.weight:
        start.append(f", {words.weight(parts.weight)}")
    if parts.rolled is not None and turn(parts.rolled, parts.weight or 0) != parts.dice:
        start.append(", rolled again")
    if parts.bonus:
        start.append(f", bonus {parts.bonus:+d}")
    if parts.invoked:
        used = dict.fromkeys(each.aspect for each in invocations if each.use == "bonus")
        start += line((f", {words.together(used)} {parts.invoked:+d}", ""))
    return start


def _dice(dice: Faces) -> str:
    return " ".join({-1: "-", 0: "0", 1: "+"}[face] for face in dice)


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
