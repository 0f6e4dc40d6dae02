"""The typed call: its payload from a file, standard input or options, and the data kept beside it."""

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
"""A scene remembers so many settled pages."""


@dataclass(frozen=True)
class TypedCall:
    """A call from the command line, with its rulesets and notes."""

    payload: Json
    """The JSON of the call."""
    rulesets: tuple[Ruleset, ...] = ()
    notes: tuple[str, ...] = ()
    typed: Typed = field(default_factory=TypedAction)
    """The typed options about the request."""
    is_whole: bool = False
    """Whether the options are the whole request, without a file."""
    kept: SaveData = field(default_factory=SaveData)
    """The data beside the request. Its files of ruleset and scene are the current ones."""
    overlay: Json | None = None
    """What was typed over the scene this time. None: use what the page kept."""
    campaign: "Campaign | None" = None
    """The campaign of the call."""
    everything: bool = False
    """Whether the page lists everything, rather than counting the rest."""

    @cached_property
    def call(self) -> Call:
        """The payload, read once. An error names the option that wrote the wrong value."""
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
        """Return a copy with parts of the payload changed or added."""
        return replace(self, payload={**self.payload, **parts})

    def noting(self, *notes: str) -> "TypedCall":
        """Return a copy with more notes."""
        return replace(self, notes=(*self.notes, *notes))

    def page(self, answer: Json) -> Json:
        """Return a page for `settle`: a request with the same result, the numbered words, and the scene's origin."""
        drawn = {"seed": answer["resolution"].get("seed"), "deal": answer.get("deal")}
        here = self.kept.model_dump(include={"ruleset_file", "scene_file"})
        kept = self.kept.typed.model_dump(mode="json", exclude_defaults=True)
        here["typed"] = (kept if self.overlay is None else self.overlay) or None
        request = {**self.payload["request"], **_there(drawn)}
        return {"page": os.urandom(8).hex(), **_there(here), "request": request, "answer": answer}

    def scene(self, scene: Json, before: SaveData) -> Json:
        """Return a scene for the next page, with its ruleset and its settled pages."""
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
    """Read a request from a file or standard input, with options over it. Or read an action with its options. If
    nothing was typed, read a page of the campaign in use. The scene of a kept page is its file's or campaign's now.

    Args:
        typed: The typed options of the action. None: the request is a file.
        scene: The file of the scene, if it differs from the typed one and the page's.
        content: The contents of the file, if it was read already.
        campaign: The campaign of the call, if it was found already.

    Raises:
        NarratorError: For a wrong payload or ruleset.
        UsageError: For a missing file, and an action that the ruleset does not have.
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
