"""Enters what was chosen of a page: on the scene as it is now, and each page once."""

import os
from dataclasses import replace

import typer

from narrator import calls
from narrator.api import ruling
from narrator.errors import NarratorError
from narrator.interfaces.asked import Asked, Json, Kept, json_of, place_of, scene_in
from narrator.interfaces.blame import by_option_of_choice
from narrator.interfaces.kept import keep, scene_at, scene_kept
from narrator.interfaces.oneliner import typed_over
from narrator.interfaces.settling import choice_of, labels_of
from narrator.interfaces.typed import TypedChoice, told
from narrator.render.plain import visible
from narrator.rules.model import Model


def entered(
    asked: Asked,
    file: str,
    letters: str | None,
    typed: TypedChoice,
    *,
    save: str | None = None,
    expect_revision: int | None = None,
) -> tuple[Asked, Model]:
    """
    Enter a choice, and keep the scene that comes of it where that was asked for.

    Args:
        asked: `settle` or `apply`, of the page in the file.

        letters: What the page calls what was chosen; None: the file has a choice.

        save: Where the scene is kept; with the page, nobody else writes there meanwhile.

        expect_revision: The revision that the scene has to be of.

    Returns:
        The call as it was made, and what it gave.

    Raises:
        NarratorError: `page_closed` for a page that was settled, `stale_scene` where it comes to something else by
            now; as the call for what does not fit.
        typer.BadParameter: For options without letters, and for a file that cannot be written.
    """
    _check(asked, file, letters, typed)
    there, beside = (None, Kept()) if save is None else scene_at(save)
    if asked.kept.settled is not None or asked.kept.page in beside.pages:
        where = asked.kept.settled or save or ""
        message = f"this page was settled, in {visible(where)}; ask for one anew"
        raise NarratorError("page_closed", place_of(file), message)
    try:
        call = asked.call
        if letters is not None:
            choice = choice_of(call, asked.kept.answer, letters, typed, asked.rulesets)
            call = call.model_copy(update={"choice": choice})
        asked = _as_of_now(replace(asked, call=call), there)
        call = asked.call.model_copy(update={"expect_revision": expect_revision})
        result = calls.dispatch(call, calls.AtHand(rulesets=asked.rulesets))
    except NarratorError as error:
        raise error if letters is None else by_option_of_choice(error) from None
    if save is not None:
        keep(save, scene_kept(asked, result.as_json()["scene"], beside))
        if asked.kept.page is not None and file != "-":
            try:
                keep(file, {**json_of(file), "settled": os.path.abspath(save)})
            except typer.BadParameter as error:
                note = f"the page could not be marked as settled, but its scene knows it: {error.message}"
                asked = replace(asked, notes=(*asked.notes, note))
    return asked, result


def _check(asked: Asked, file: str, letters: str | None, typed: TypedChoice) -> None:
    """Refuse what is no page, or nothing chosen of one."""
    if "action" not in asked.call.request:
        wanted = "settle wants a page that `suggest --save` kept, and its letters, such as: settle page.json s2"
        raise NarratorError("bad_request", place_of(file), f"there is no action in it; {wanted}")
    if letters is not None:
        return
    if asked.kept.answer is not None:
        known = labels_of(asked.call, asked.kept.answer, asked.rulesets).branches
        raise NarratorError("bad_choice", "choice", "say what was chosen, by the page's letters", known)
    if told(typed):
        raise typer.BadParameter("these options go with a CHOICE, such as s2")


def _as_of_now(asked: Asked, there: Json | None) -> Asked:
    """
    Put the request onto the scene as it is now: the one that is written over, else that of the page's file. What was
    typed over it is typed again.

    Raises:
        NarratorError: `stale_scene` where what was chosen is not what it was; as `resolve` where it can no more be.
    """
    request, file = asked.call.request, asked.kept.scene_file
    scene = there
    if scene is None and file is not None and not os.path.exists(file):
        note = f"{visible(file)} is not there any more: this is settled on the scene as the page has it."
        asked = replace(asked, notes=(*asked.notes, note))
    elif scene is None and file is not None:
        scene = scene_in(json_of(file)).get("scene")
    now = request if scene is None else {**request, "scene": scene}
    try:
        if scene is not None and told(asked.kept.typed):
            now["scene"] = typed_over(now, asked.kept.typed, asked.rulesets[0])[0]["scene"]
            # Whom somebody struck out since is nobody new.
            known, then = [each["name"] for each in _people(scene)], _people(request.get("scene") or {})
            left = [each for each in _people(now["scene"]) if each["name"] in known or each in then]
            now["scene"]["characters"] = left
        after = ruling.resolve(now, rulesets=asked.rulesets).as_json()
    except NarratorError as error:
        message = error.message if scene is None else f"the scene is another by now: {error.message}"
        raise NarratorError(error.code, error.field, message, error.allowed) from None
    before, chosen = _before(asked), asked.call.choice.get("branch")
    if after["outcome"] != before.get("outcome"):
        difference = f"this comes to {after['outcome']}, and was {visible(str(before.get('outcome')))}"
    elif _branch(after, chosen) != _branch(before, chosen):
        difference = f"{chosen} gives something else"
    else:
        return replace(asked, call=asked.call.model_copy(update={"request": now}))
    message = f"scene or ruleset is another by now, and {difference}: ask for the page anew"
    raise NarratorError("stale_scene", "scene", message)


def _before(asked: Asked) -> Json:
    """What the page was made of: the resolution that it keeps, else that of its request."""
    kept = asked.kept.answer.get("resolution") if isinstance(asked.kept.answer, dict) else None
    return kept if isinstance(kept, dict) else ruling.resolve(asked.call.request, rulesets=asked.rulesets).as_json()


def _people(scene: Json) -> list[Json]:
    return scene.get("characters") or []


def _branch(resolution: Json, chosen: object) -> object:
    branches = resolution.get("branches")
    named = (each for each in branches if isinstance(each, dict)) if isinstance(branches, list) else ()
    return next((each for each in named if each.get("id") == chosen), None)
