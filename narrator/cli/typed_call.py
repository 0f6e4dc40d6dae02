"""The call that was typed: its payload out of a file, standard input or options, and what is kept beside it."""

import os
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from narrator.api import registry
from narrator.api.call import Call, RequestCall
from narrator.cli.inputs import file_name, json_of
from narrator.cli.option_groups import Typed, TypedAction, by_option, given_options, object_in
from narrator.cli.save_file import SaveData, payload_in, scene_of
from narrator.cli.typed_campaign import file_in, in_use, page_of
from narrator.cli.typed_names import NEW, as_named, played_by
from narrator.cli.typed_request import typed_over
from narrator.cli.usage import UsageError
from narrator.errors import NarratorError, RequestError, visible
from narrator.rules.json_text import Json
from narrator.rules.request.action import Request
from narrator.rules.request.overlay import laid, overlay
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.typo import meant

if TYPE_CHECKING:
    from narrator.campaign.campaign import Campaign

MOST_PAGES = 50
"""Of how many pages a scene knows that they were settled in it."""


@dataclass(frozen=True)
class TypedCall:
    """What was asked on the command line: the call, the rulesets it is about, and what there is to say of it."""

    payload: Json
    """The call, and its parts, as they are handed in."""
    rulesets: tuple[Ruleset, ...] = ()
    notes: tuple[str, ...] = ()
    typed: Typed = field(default_factory=TypedAction)
    """What was typed of what the call is about."""
    is_whole: bool = False
    """Whether that alone tells it, with no file beneath."""
    kept: SaveData = field(default_factory=SaveData)
    """What the file has beside the request; the files of ruleset and scene are those of now."""
    overlay: Json | None = None
    """What was typed over the scene, now; None: nothing but what was kept."""
    campaign: "Campaign | None" = None
    """The campaign that it is about."""
    everything: bool = False
    """Whether the page lists what it would else only count."""

    @cached_property
    def call(self) -> Call:
        """The payload, read once; of what is wrong in it, the option is named that wrote that."""
        try:
            return registry.read_payload(self.payload)
        except NarratorError as error:
            raise by_option(error, self.typed, is_whole=self.is_whole) from None

    @property
    def request(self) -> Request:
        """The request of a call about an action."""
        assert isinstance(self.call, RequestCall), "the call is about an action"
        return self.call.request

    def but(self, **parts: Any) -> "TypedCall":
        """The same with other or further parts of the payload."""
        return replace(self, payload={**self.payload, **parts})

    def noting(self, *notes: str) -> "TypedCall":
        """The same with more to say of it."""
        return replace(self, notes=(*self.notes, *notes))

    def page(self, answer: Json) -> Json:
        """What `settle` needs to know of a page: the request that resolves to it again, the words that it numbers, and
        how its scene came about.
        """
        drawn = {"seed": answer["resolution"].get("seed"), "deal": answer.get("deal")}
        here = self.kept.model_dump(include={"ruleset_file", "scene_file"})
        kept = self.kept.typed.model_dump(mode="json", exclude_defaults=True)
        here["typed"] = (kept if self.overlay is None else self.overlay) or None
        request = {**self.payload["request"], **_there(drawn)}
        return {"page": os.urandom(8).hex(), **_there(here), "request": request, "answer": answer}

    def scene(self, scene: Json, before: SaveData) -> Json:
        """What the next page needs to know of a scene that is written over what is there: what is in it, by which
        ruleset it is played, and which pages are settled.
        """
        settled = [*before.pages, *([self.kept.page] if self.kept.page else [])][-MOST_PAGES:]
        here = {"ruleset_file": self.kept.ruleset_file, "pages": settled or None}
        return {"ruleset": self.rulesets[0].name, **_there(here), "scene": scene}


def typed_call(
    call: str,
    what: str,
    typed: TypedAction | None = None,
    *,
    ruleset: str | None = None,
    seed: int | None = None,
    deal: int | None = None,
    scene: str | None = None,
    content: Json | None = None,
    campaign: "Campaign | None" = None,
) -> TypedCall:
    """Read what was asked: a file or standard input, and the options over it; or an action and the options that tell
    it; or, where nothing was typed, a page of the campaign in use. Of a page that was kept, the scene is the one that
    its file or its campaign has by now.

    Args:
        typed: What was typed of the action; None: what is asked is a file.
        scene: The file of the scene, where it is another than was typed or the page has.
        content: What is in the file, where it was read already.
        campaign: The one that it is about, where that was found already.

    Raises:
        NarratorError: For a payload or a ruleset that is wrong.
        UsageError: For a file that is not there, and an action that the ruleset does not have.
    """
    if typed is not None:
        campaign = in_use(typed.campaign, typed.scene, file_in(what))
        content = page_of(campaign, typed.page) if campaign is not None and not what else None
        what = what or "-"
    is_whole = typed is not None and file_in(what) is None
    takes_action, typed = typed is not None, typed or TypedAction()
    try:
        read = json_of(what) if content is None and not is_whole else content or {}
        payload, beside = ({"call": call}, SaveData()) if is_whole else payload_in(read, what, call=call)
    except UsageError as error:
        hint = f"; or type an action first, such as: narrator {call} overcome" if takes_action else ""
        raise UsageError(f"{error.message}{hint}") from None
    asked = object_in(payload, "request")
    if takes_action and not is_whole and "scene" in asked and "action" not in asked:
        message = f"this is required; to use the scene alone: narrator {call} overcome --scene {file_name(what)}"
        raise RequestError("bad_request", "request.action", message)
    around: Json = {}
    notes: tuple[str, ...] = ()
    played, there = beside, scene or beside.scene_file
    if campaign is not None:
        around = {"scene": campaign.scene.as_json(), "ruleset": campaign.ruleset}
        if typed.scene is not None or ruleset is not None:
            raise UsageError("a campaign has its own scene and ruleset: leave out --scene and --ruleset", "--campaign")
    elif typed.scene is not None:
        around, of_scene = scene_of(typed.scene)
        played = of_scene if "ruleset" in around else beside
    elif there is not None and os.path.exists(there):
        around = {"scene": scene_of(there)[0]["scene"]}
    elif there is not None:
        notes = (f"{visible(there)} no longer exists: this uses the scene of the page.",)
    request = {**asked, **around}
    under = request.get("scene") or {}
    if around:
        request["scene"], new = laid(beside.typed, under)
        notes = (*notes, *(NEW.format(who=each.name, side=each.side) for each in new))
    found, file = (campaign.played, None) if campaign else played_by(ruleset, request, played.ruleset_file)
    request |= _there({"ruleset": ruleset and found.name, "seed": seed, "deal": deal})
    update: dict[str, Any] = {"ruleset_file": file}
    if typed.scene not in (None, "-"):
        update["scene_file"] = os.path.abspath(typed.scene)
    if is_whole:
        request["action"] = {"type": _action(what, found)}
    typed_now = None
    if is_whole or given_options(typed):
        try:
            request, said = typed_over(request, typed, found)
        except NarratorError as error:
            raise by_option(error, typed, is_whole=is_whole) from None
        notes = (*notes, *said)
        if is_whole or around:
            typed_now = overlay(under, request["scene"])
    payload, kept = {**payload, "request": request}, beside.model_copy(update=update)
    return TypedCall(payload, (found,), notes, typed, is_whole, kept, typed_now, campaign)


def _action(what: str, ruleset: Ruleset) -> str:
    named = as_named(what, ruleset.actions)
    if named not in ruleset.actions:
        hint, known = meant(named, ruleset.actions), ", ".join(sorted(ruleset.actions))
        raise UsageError(f"{visible(what)}: no such file, and no such action{hint}; the actions are {known}")
    return named


def _there(values: Json) -> Json:
    return {name: value for name, value in values.items() if value is not None}
