"""Words without a roll: requests and rulings that need only a scene and use no row of a table."""

from collections.abc import Mapping
from typing import Literal, get_args

from narrator.errors import RequestError
from narrator.rules.request.action import Request
from narrator.rules.request.scene import GM, Scene
from narrator.rules.resolve.cast import cast_of
from narrator.rules.resolve.invocations import aspects_in_play
from narrator.rules.resolve.resolution import ActionTaken, Branch, FormOffer, OppositionResult, Resolution, Slot
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.ruleset.row import Citation
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.typo import meant

WordKind = Literal[
    "situation_aspect",
    "zone_aspect",
    "compel",
    "consequence",
    "high_concept",
    "trouble",
    "opening",
    "twist",
    "beat",
]
WORD_KINDS: tuple[WordKind, ...] = get_args(WordKind)

_FORMS: Mapping[WordKind, str] = {"consequence": "inflicted_consequence", "twist": "contest_twist"}
"""The forms whose names differ from their kinds."""


def request_for(
    scene: Scene, kind: WordKind, about: str | None, *, ruleset: str, per_slot: int, deal: int | None
) -> Request:
    """Build the request for words about something: an aspect in play, a character, or any other text as the intent.
    The actor is the character or the aspect's bearer, or else the GM. If the scene lists nobody, a consequence may be
    anybody's.

    Raises:
        NarratorError: `unknown_character` for a consequence of somebody whom the scene does not list, `bad_request` for
            an invalid number.
    """
    names = {known.casefold(): each.name for each in scene.characters for known in (each.called, each.name) if known}
    aspects = {name.casefold(): (name, on) for name, on in reversed(aspects_in_play(scene))}
    said = (about or "").strip()
    aspect, on = aspects.get(said.casefold(), (None, None))
    who = names.get(said.casefold(), on if on in names.values() else None)
    if kind == "consequence" and not scene.characters:
        who = said or None
    if kind == "consequence" and who is None:
        message = f"name the character who takes it{meant(said, names.values())}"
        raise RequestError("unknown_character", "about", message, [each.name for each in scene.characters])
    action = {"type": kind, "actor": who or GM, "aspect": aspect, "intent": "" if who or aspect else said}
    return Request.read({"ruleset": ruleset, "scene": scene, "action": action, "per_slot": per_slot, "deal": deal})


def is_of_words(request: Request) -> bool:
    """Whether a request is for words without a roll."""
    return request.action.type in WORD_KINDS


def without_roll(request: Request, ruleset: Ruleset) -> Ruling:
    """Return a ruling with one slot, for words without a roll. It decides nothing."""
    action = request.action
    kind = next(each for each in WORD_KINDS if each == action.type)
    name = _FORMS.get(kind, kind)
    slot = Slot(id=kind, kind="word", draft=None, forms=(_offer(name, request, ruleset),))
    resolution = Resolution(
        ruleset=ruleset.name,
        source=Citation(document=ruleset.title, section=ruleset.forms[name].label),
        action=ActionTaken(type=kind, actor=action.actor, aspect=action.aspect),
        opposition=OppositionResult(kind="none"),
        outcome="none",
        branches=(Branch(id=kind, label=ruleset.forms[name].label, goal="opponent_decides", slots=(slot,)),),
    )
    return Ruling(request, ruleset, cast_of(request, ruleset.sheet), resolution)


def _offer(name: str, request: Request, ruleset: Ruleset) -> FormOffer:
    """Return what a form gives here: no free invocations, and for a consequence all levels of the ruleset."""
    label = ruleset.forms[name].label
    if request.action.type != "consequence":
        return FormOffer(form=name, label=label)
    return FormOffer(form=name, label=label, to=(request.action.actor,), severities=ruleset.sheet.levels)
