"""Enters a choice, typed with the letters of a page, in the current scene. Each page can be settled once."""

import json
import os
import re
from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from narrator.api import rolls
from narrator.cli.inputs import file_name, json_of
from narrator.cli.option_groups import TypedChoice, by_option, call_options, given_options
from narrator.cli.save_file import SaveData, keep, scene_at
from narrator.cli.typed_call import TypedCall, typed_call
from narrator.cli.typed_campaign import page_of
from narrator.cli.typed_names import as_known
from narrator.cli.usage import UsageError
from narrator.errors import NarratorError, RequestError, quoted, visible
from narrator.render.labels import Labels, labels, pick
from narrator.rules.json_text import Json
from narrator.rules.model import Model
from narrator.rules.request.action import Request
from narrator.rules.resolve.resolution import Branch, Grant, Resolution
from narrator.rules.settle.suggestion import Suggestion

if TYPE_CHECKING:
    from narrator.campaign.campaign import Campaign

NONE = "none"
"""Typed instead of letters, to take nothing from a campaign's page."""

_BOXES = re.compile(r"\d+(?:\s*[,+ ]\s*\d+)+")
_TAKEN = re.compile(r"(?:(?P<what>box|stress)\s+)?(?P<number>\d{1,9})|(?P<level>[^=]+?)\s*=\s*(?P<name>.+)", re.DOTALL)


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
    campaign: "Campaign | None" = None,
) -> tuple[TypedCall, Model]:
    """Enter a choice. Keep the new scene in `save`, or in a campaign.

    Args:
        call: `settle` or `apply`.
        letters: The page's letters for the choice. None: the file has a choice.
        campaign: The campaign of the page, instead of a file.
        save: The file for the new scene. If it has a scene, the choice is entered in that. The caller makes sure
            that nobody else writes there, or in the page's file.

    Returns:
        The call that was made, and its result.

    Raises:
        NarratorError: `page_closed` for a settled page, `stale_scene` if the roll has another result now; and the
            errors of the call.
        UsageError: For options without letters, and a file that can't be written.
    """
    if campaign is not None:
        return _entered_in(campaign, call, letters, typed, expect_revision)
    is_over, beside = (False, SaveData()) if save is None else scene_at(save)
    asked = typed_call(call, file, ruleset=ruleset, seed=seed, scene=save if is_over else None)
    if "action" not in asked.payload["request"]:
        wanted = "settle needs a page that `suggest --save` kept, and its letters, such as: settle page.json s2"
        raise RequestError("bad_request", file_name(file), f"there is no action in it; {wanted}")
    if asked.kept.settled is not None or asked.kept.page in beside.pages:
        where = asked.kept.settled or save or ""
        message = f"this page was settled already, in {visible(where)}; ask for a new one"
        raise RequestError("page_closed", file_name(file), message)
    try:
        asked = _chosen(asked, letters, typed)
        if expect_revision is not None:
            asked = asked.but(expect_revision=expect_revision)
        result = asked.call.make(rulesets=asked.rulesets)
    except NarratorError as error:
        raise error if letters is None else by_option(error, typed, is_whole=True) from None
    if save is None:
        return asked.noting("nothing is written: --save FILE keeps the scene."), result
    keep(save, asked.scene(result.as_json()["scene"], beside))
    if asked.kept.page is not None and file != "-":
        try:
            keep(file, {**json_of(file), "settled": os.path.abspath(save)})
        except UsageError as error:
            asked = asked.noting(f"the page could not be marked as settled, but the scene records it: {error.message}")
    if (own := asked.kept.scene_file) is not None and not is_over and os.path.exists(own):
        asked = asked.noting(f"kept in {visible(save)}; {visible(own)} is unchanged.")
    return asked, result


def _entered_in(
    campaign: "Campaign", call: str, letters: str | None, typed: TypedChoice, revision: int | None
) -> tuple[TypedCall, Model]:
    """Enter a choice of a campaign's page. `apply` only says what it would change."""
    content = page_of(campaign, typed.page)
    asked = typed_call(call, "-", content=content, campaign=campaign)
    if call == "settle" and letters == NONE:
        return asked, campaign.waive(content["page"], expect_revision=revision)
    try:
        asked = _chosen(asked, letters, typed)
        if call == "settle":
            entry = campaign.settle(content["page"], asked.payload["choice"], expect_revision=revision)
            return asked, entry
        return asked, asked.call.make(rulesets=asked.rulesets)
    except NarratorError as error:
        raise by_option(error, typed, is_whole=True) from None


def _chosen(asked: TypedCall, letters: str | None, typed: TypedChoice) -> TypedCall:
    """Put the choice into the call. Raise `stale_scene` if it no longer means what the page shows."""
    request = Request.read(asked.payload["request"], "request")
    asked = asked.but(request=request)
    after = rolls.resolve(request, rulesets=asked.rulesets)
    answer = asked.kept.answer or {}
    printed = _printed(answer) or after
    if letters is None:
        if answer:
            known = ", ".join(_labels(printed, answer).branches)
            raise RequestError("bad_choice", "choice", f"choose by the page's letters: {known}")
        if given_options(typed):
            raise UsageError("these options go with a CHOICE, such as s2")
        return asked
    people = [each.name for each in request.scene.characters]
    branch, choice = _choice(letters, _labels(printed, answer), as_known(typed, {"people": people}))
    if after.outcome != printed.outcome:
        difference = f"the outcome is {after.outcome}, and was {visible(printed.outcome)}"
    elif branch not in after.branches:
        difference = f"{branch.id} offers something else"
    else:
        return asked.but(choice={**choice, "dealt": answer.get("dealt")})
    message = f"scene or ruleset has changed: {difference}; ask for the page again"
    raise RequestError("stale_scene", "request.scene", message)


def offered(answer: Json, letters: str) -> Suggestion:
    """Find the suggestion that a page's letters mean, in the kept answer."""
    printed = _printed(answer)
    if printed is None:
        message = f"{quoted(letters)} needs a page that `suggest --save` kept, and the file is not one"
        raise RequestError("bad_choice", "choice", message)
    _, chosen, _ = pick(letters, _labels(printed, answer))
    if not chosen:
        raise RequestError("bad_choice", "choice", f"{quoted(letters)} has no suggestion")
    return chosen[0]


def _printed(answer: Json) -> Resolution | None:
    """Return the resolution that a page kept, if any."""
    try:
        return Resolution.model_validate_json(json.dumps(answer.get("resolution")))
    except ValidationError:
        return None


def _labels(printed: Resolution, answer: Json) -> Labels:
    """Label the offers of a saved page as they were printed."""
    given = [answer.get(field) for field in ("drafts", "suggestions")]
    listed = [each for some in given if isinstance(some, list) for each in some]
    return labels(printed, [_suggestion(each, place) for place, each in enumerate(listed)])


def _suggestion(given: Any, place: int) -> Suggestion:
    try:
        return Suggestion.model_validate(given, strict=False)
    except ValueError:
        message = "this is not narrator's suggestion; save the answer again"
        raise RequestError("bad_choice", f"answer.suggestions.{place}", message) from None


def _choice(letters: str, offered: Labels, typed: TypedChoice) -> tuple[Branch, Json]:
    """Make the choice that a page's letters mean, from one of its branches."""
    branch, chosen, own = pick(letters, offered, typed.form)
    words = [each.as_json() for each in chosen]
    if own is not None:
        words.append({"slot": own.id, "form": typed.form, "name": typed.name, "detail": typed.detail})
    elif typed.name is not None or typed.detail is not None:
        if len(words) != 1:
            raise RequestError("bad_choice", "name", "your own words replace one suggestion, or need a form")
        # The detail of a card explains the card's own name.
        words[0] |= {"detail": typed.detail} if typed.name is None else {"name": typed.name, "detail": typed.detail}
    grants = _grants(branch, typed)
    _direct(words, branch, typed, is_used=any(each["to"] is not None for each in grants))
    zone = None if any(map(_is_open_move, branch.grants)) else typed.zone
    choice = {**call_options(typed), "branch": branch.id, "suggestions": words, "grants": grants, "zone": zone}
    level = _level(words, branch, typed)
    if typed.absorb or level is not None:
        choice["absorb"] = _absorb(typed.absorb or (), branch, level)
    return branch, choice


def _direct(words: list[Json], branch: Branch, typed: TypedChoice, *, is_used: bool) -> None:
    """Give suggestions to the person in `--to`, if their form may go there."""
    if typed.to is None:
        return
    eligible: set[str] = set()
    for each in words:
        slot = next(slot for slot in branch.slots if slot.id == each["slot"])
        offer = slot.offer(each["form"])
        names = offer.to or () if offer is not None else ()
        eligible |= set(names)
        if typed.to in names:
            each["to"] = typed.to
            is_used = True
    if not is_used:
        eligible |= {name for grant in branch.grants for name in grant.to if len(grant.to) > 1}
        raise RequestError("bad_choice", "to", f"nothing here may go to {quoted(typed.to)}", sorted(eligible))


def _grants(branch: Branch, typed: TypedChoice) -> list[Json]:
    """Choose who receives grants, where a move goes, and whether somebody moves along."""
    chosen = []
    for index, grant in enumerate(branch.grants):
        to = typed.to if len(grant.to) > 1 and typed.to in grant.to else None
        follows = typed.follow and grant.type == "may_move"
        on = typed.zone if follows or _is_open_move(grant) else None
        if to is not None or on is not None or follows:
            chosen.append({"index": index, "to": to, "on": on})
    if typed.follow and not any(grant.type == "may_move" for grant in branch.grants):
        raise RequestError("bad_choice", "follow", f"{branch.id} lets nobody move along")
    return chosen


def _is_open_move(grant: Grant) -> bool:
    return grant.type == "move" and grant.on is None


def _level(words: list[Json], branch: Branch, typed: TypedChoice) -> str | None:
    """Find the level of the worded consequence. Own words are for the typed level, else the mildest."""
    for slot in branch.slots:
        for each in (each for each in words if each["slot"] == slot.id and slot.may_stay_empty):
            offer = slot.offer(each["form"])
            levels = (offer.severities if offer else None) or ()
            each.setdefault("severity", next((level for level in typed.absorb or () if level in levels), levels[0]))
            return str(each["severity"])
    return None


def _absorb(typed: Sequence[str], branch: Branch, worded: str | None) -> Json:
    """Read how a hit is absorbed. A lone number is a box or a sum; each of several numbers is a box. The consequence
    that a suggestion words is always taken. If nothing is typed, use the only way with that consequence alone.
    """
    ways = [way for grant in branch.grants for way in grant.absorb or ()]
    consequences: list[Json] = [{"severity": worded}] if worded is not None else []
    if not typed:
        ways = [way for way in ways if way.consequences == (worded,)]
        if len(ways) > 1 and all(way.stress and not way.boxes for way in ways):
            boxes = " or ".join(f"--absorb {way.stress}" for way in ways)
            raise RequestError("bad_choice", "--absorb", f"say which box goes with it: {boxes}")
        return {"stress": ways[0].stress if len(ways) == 1 else None, "consequences": consequences}
    levels = {level for way in ways for level in way.consequences}
    told = absorbed([text for text in typed if text.strip() != worded], levels)
    return {**told, "consequences": [*consequences, *told["consequences"]]}


def absorbed(typed: Iterable[str], levels: Container[str] = ()) -> Json:
    """Read typed boxes and consequences. A lone number is stress; each of several numbers is a box.

    Args:
        levels: The possible levels of a consequence. The error for a level without a name asks for the name.
    """
    numbers: list[int] = []
    consequences: list[Json] = []
    is_box = False
    for text in map(str.strip, typed):
        found = _TAKEN.fullmatch(text)
        if found is None:
            if text in levels:
                message = f'give it a name: --absorb "{text}=..."'
            elif _BOXES.fullmatch(text):
                message = "use one --absorb for each box"
            else:
                message = f'{quoted(text)} is not a way to absorb; write a box, such as 2, or "mild=Split Lip"'
            raise RequestError("bad_choice", "--absorb", message)
        if found["number"]:
            numbers.append(int(found["number"]))
            is_box = is_box or found["what"] == "box" or len(numbers) > 1
        else:
            consequences.append({"severity": found["level"].strip(), "name": found["name"].strip()})
    stress = {"boxes": numbers} if is_box else {"stress": numbers[0]} if numbers else {}
    return {**stress, "consequences": consequences}
