"""Enters what was chosen of a page: on the scene as it is now, and each page once."""

import json
import os
from dataclasses import replace
from typing import Any

import typer
from pydantic import ValidationError

from narrator import calls
from narrator.api import ruling
from narrator.errors import NarratorError
from narrator.interfaces.asked import Asked, Kept, asked_for, json_of, place_of
from narrator.interfaces.blame import by_option_of_choice
from narrator.interfaces.kept import keep, scene_at, scene_kept
from narrator.interfaces.naming import person_named
from narrator.interfaces.settling import choice_of, labels_of
from narrator.interfaces.typed import TypedChoice, told
from narrator.render.plain import visible
from narrator.rules.action import Request
from narrator.rules.model import Model
from narrator.rules.resolution import Branch, Resolution


def entered(
    call: str,
    file: str,
    letters: str | None,
    typed: TypedChoice,
    *,
    ruleset: str | None = None,
    seed: int | None = None,
    save: str | None = None,
    expect_revision: int | None = None,
) -> tuple[Asked, Model]:
    """Enter a choice, and keep the scene that comes of it where that was asked for.

    Args:
        call: `settle` or `apply`.
        letters: What the page calls what was chosen; None: the file has a choice.
        save: Where the scene is kept; where one is there, the choice is entered on that. Nobody else writes there, or
            the page, meanwhile.
        expect_revision: The revision that the scene has to be of.

    Returns:
        The call as it was made, and what it gave.

    Raises:
        NarratorError: `page_closed` for a page that was settled, `stale_scene` where it comes to something else by
            now; as the call for what does not fit.
        typer.BadParameter: For options without letters, and for a file that cannot be written.
    """
    is_over, beside = (False, Kept()) if save is None else scene_at(save)
    asked = asked_for(call, file, ruleset=ruleset, seed=seed, scene=save if is_over else None)
    if "action" not in asked.call.request:
        wanted = "settle wants a page that `suggest --save` kept, and its letters, such as: settle page.json s2"
        raise NarratorError("bad_request", place_of(file), f"there is no action in it; {wanted}")
    if asked.kept.settled is not None or asked.kept.page in beside.pages:
        where = asked.kept.settled or save or ""
        message = f"this page was settled, in {visible(where)}; ask for one anew"
        raise NarratorError("page_closed", place_of(file), message)
    try:
        asked = _chosen(asked, letters, typed)
        made = asked.call.model_copy(update={"expect_revision": expect_revision})
        result = calls.dispatch(made, calls.AtHand(rulesets=asked.rulesets))
    except NarratorError as error:
        raise error if letters is None else by_option_of_choice(error) from None
    if save is None:
        return replace(asked, notes=(*asked.notes, "nothing is written: --save FILE keeps the scene.")), result
    keep(save, scene_kept(asked, result.as_json()["scene"], beside))
    notes = _marked(asked, file, save)
    if (own := asked.kept.scene_file) is not None and not is_over and os.path.exists(own):
        notes = (*notes, f"kept in {visible(save)}; {visible(own)} is as it was.")
    return replace(asked, notes=(*asked.notes, *notes)), result


def _marked(asked: Asked, file: str, save: str) -> tuple[str, ...]:
    """Mark a page as settled, once its scene is written and knows it; say so where that cannot be."""
    if asked.kept.page is None or file == "-":
        return ()
    try:
        keep(file, {**json_of(file), "settled": os.path.abspath(save)})
    except typer.BadParameter as error:
        return (f"the page could not be marked as settled, but its scene knows it: {error.message}",)
    return ()


def _chosen(asked: Asked, letters: str | None, typed: TypedChoice) -> Asked:
    """Put what was chosen into the call, where it still is what the page has.

    Raises:
        NarratorError: `stale_scene` where it is not; as `resolve` where it can no more be.
    """
    after = ruling.resolve(asked.call.request, rulesets=asked.rulesets)
    printed = _printed(asked.kept.answer) or after
    if letters is None:
        if asked.kept.answer is not None:
            known = labels_of(printed, asked.kept.answer).branches
            raise NarratorError("bad_choice", "choice", "say what was chosen, by the page's letters", known)
        if told(typed):
            raise typer.BadParameter("these options go with a CHOICE, such as s2")
        return asked
    people = [each.name for each in Request.read(asked.call.request).scene.characters]
    spelt: dict[str, Any] = {
        name: person_named(said, people) for name, said in (("to", typed.to), ("holder", typed.holder)) if said
    }
    choice = choice_of(printed, asked.kept.answer, letters, replace(typed, **spelt))
    if after.outcome != printed.outcome:
        difference = f"this comes to {after.outcome}, and was {visible(printed.outcome)}"
    elif _branch(after, choice["branch"]) != _branch(printed, choice["branch"]):
        difference = f"{choice['branch']} gives something else"
    else:
        return replace(asked, call=asked.call.model_copy(update={"choice": choice}))
    message = f"scene or ruleset is another by now, and {difference}: ask for the page anew"
    raise NarratorError("stale_scene", "scene", message)


def _printed(answer: object) -> Resolution | None:
    """What a page was made of, as far as it keeps that."""
    kept = answer.get("resolution") if isinstance(answer, dict) else None
    try:
        return Resolution.model_validate_json(json.dumps(kept))
    except ValidationError:
        return None


def _branch(resolution: Resolution, chosen: str) -> Branch | None:
    return next((each for each in resolution.branches if each.id == chosen), None)
