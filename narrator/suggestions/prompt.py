"""Words the prompt: its pages, a line for each special case, and behind them this row and scene as JSON data."""

from typing import TYPE_CHECKING

from narrator.shipped import Page, notes, page
from narrator.suggestions.data import data_of
from narrator.suggestions.notes import cases
from narrator.suggestions.telling import written

if TYPE_CHECKING:
    from narrator.suggestions.brief import Brief


def messages(brief: "Brief") -> tuple[tuple[str, str], ...]:
    """Return chat messages, each its role and its content, that ask for what a brief wants.

    What users wrote goes into the JSON as data and into no instruction, and what a model's own marks are written with
    is escaped there; names that may be chosen also stand in the schema, as the values they are.
    """
    system, *asked = pages(brief)
    return (("system", system.text), ("user", "\n\n".join([*(each.text for each in asked), written(data_of(brief))])))


def pages(brief: "Brief") -> tuple[Page, ...]:
    """Return the pages of a brief's prompt, in their order: the first is the system's, and the same for all."""
    # A word that is asked for without a roll is a slot of its own name.
    kinds = dict.fromkeys(slot.id if slot.kind == "word" else slot.kind for slot, _ in brief.wanted)
    said = notes().page(cases(brief))
    return (
        *(page(name) for name in ("system", brief.purpose, *kinds)),
        *([said] if said.text else []),
        *([page("repair")] if brief.refused else []),
    )
