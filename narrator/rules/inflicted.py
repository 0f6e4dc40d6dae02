"""The slot that a hit brings: words for a consequence that it inflicts."""

from narrator.rules.resolution import Branch, FormOffer, Slot
from narrator.rules.row import Kind
from narrator.rules.ruleset import Ruleset

KIND: Kind = "consequence"


def with_words_for_harm(branches: tuple[Branch, ...], ruleset: Ruleset, attacker: str) -> tuple[Branch, ...]:
    """Give each branch in which a hit may be absorbed by a consequence a slot for its words, last: the same one for
    all.
    """
    hits = [grant for branch in branches for grant in branch.grants if grant.wounds]
    if not hits:
        return branches
    levels = {level for hit in hits for way in hit.absorb or () for level in way.consequences}
    # Nobody inflicts a consequence on themself.
    to = tuple(sorted({name for hit in hits for name in hit.to}))
    is_inflicted = to != (attacker,)
    offers = (
        FormOffer(
            form=name,
            label=form.label,
            to=to,
            holders=(attacker,) if is_inflicted else None,
            free_invocations=ruleset.inflicted_consequence_invocations if is_inflicted else 0,
            severities=tuple(level for level in ruleset.sheet.levels if level in levels),
        )
        for name, form in ruleset.forms.items()
        if KIND in form.kinds
    )
    slot = Slot(id=KIND, kind=KIND, forms=tuple(offers))
    return tuple(
        branch.model_copy(update={"slots": (*branch.slots, slot)}) if any(g.wounds for g in branch.grants) else branch
        for branch in branches
    )
