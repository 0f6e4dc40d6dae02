"""The calls that read one typed line and complete its last word."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal, Unpack

from pydantic import AfterValidator, StringConstraints, ValidationError

from narrator.api.call import Call
from narrator.api.occasion import SceneLike
from narrator.api.options import Options
from narrator.api.requests import find_ruleset, within
from narrator.line.complete import completions
from narrator.line.reader import LONGEST, OpenPage, read_line
from narrator.line.reading import ReadLine
from narrator.rules.model import Given, Model, Name, Object, complaint, refusal
from narrator.rules.request.action import USUAL_RULESET, Request
from narrator.rules.request.scene import Scene
from narrator.rules.resolve.resolution import Resolution
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.settle.suggestion import Suggestion


def _is_plain(text: str) -> str:
    if not text.strip():
        raise complaint("bad_request", "this must not be empty")
    if not text.isprintable():
        raise complaint("bad_request", "this must be one line of printable text")
    return text


def _is_printable(text: str) -> str:
    return _is_plain(text) if text.strip() else text


LineText = Annotated[str, StringConstraints(max_length=LONGEST), AfterValidator(_is_plain)]
BegunText = Annotated[str, StringConstraints(max_length=LONGEST), AfterValidator(_is_printable)]


class PageGiven(Given):
    """An open page: a request and its answer."""

    request: Request
    """The request of the roll."""
    answer: Object | None = None
    """The result of `suggest` for it. With it, the line may choose by letters."""


class SayRequest(Given):
    """A line, and the scene that it is about."""

    text: LineText
    """One line of at most 500 characters."""
    scene: Scene
    """The scene. The line can only name characters and things in it."""
    page: Object | None = None
    """The open roll, as `{"request": ..., "answer": ...}`. The line may then invoke an aspect or make a choice."""
    ruleset: Name | None = None
    """The ruleset whose actions, skills and opposition are known. If omitted, the page's, else `five-actions`."""


class CompleteRequest(Given):
    """An unfinished line."""

    text: BegunText = ""
    """The line so far. If it ends with a space, the next word is completed."""
    scene: Scene
    """The scene."""
    ruleset: Name = USUAL_RULESET
    """The ruleset whose actions and skills are known."""


class Completions(Model):
    """The result of the call `complete`."""

    words: tuple[str, ...]
    """Words that could replace the last one."""


def say(
    text: str,
    scene: SceneLike,
    page: Any = None,
    ruleset: str | Ruleset | None = None,
    *,
    rulesets: Iterable[Ruleset] = (),
) -> ReadLine:
    """Read one typed line into a request, a move or a choice. If it is unclear, the result is a question.

    Args:
        page: The open roll: a mapping with its `request` and `answer`, or a campaign's page.
        ruleset: A loaded ruleset, or a name. None means the page's, else `five-actions`.
        rulesets: House rulesets from `load_ruleset` that the name may refer to.

    Raises:
        NarratorError: `bad_request`, `unknown_ruleset`. An incomplete line is not an error.
    """
    named = ruleset.name if isinstance(ruleset, Ruleset) else ruleset
    scene = Scene.read(scene, "request.scene")
    asked = SayRequest.read({"text": text, "scene": scene, "page": page, "ruleset": named}, "request")
    kept = None if asked.page is None else _page(asked.page)
    with within("request"):
        usual = USUAL_RULESET if kept is None else kept.request.ruleset
        found = ruleset if isinstance(ruleset, Ruleset) else find_ruleset(asked.ruleset or usual, rulesets)
    return read_line(asked.text, asked.scene, found, kept)


def complete(
    text: str, scene: SceneLike, ruleset: str | Ruleset | None = None, *, rulesets: Iterable[Ruleset] = ()
) -> tuple[str, ...]:
    """List words that could complete the last one of an unfinished line.

    Args:
        text: The line so far. If it ends with a space, the next word is completed.
        ruleset: A loaded ruleset, or a name. None means `five-actions`.
        rulesets: House rulesets from `load_ruleset` that the name may refer to.

    Raises:
        NarratorError: `bad_request` or `unknown_ruleset`.
    """
    named = ruleset.name if isinstance(ruleset, Ruleset) else ruleset
    told = {"text": text, "scene": Scene.read(scene, "request.scene"), "ruleset": named}
    asked = CompleteRequest.read(told, "request")
    with within("request"):
        found = ruleset if isinstance(ruleset, Ruleset) else find_ruleset(asked.ruleset, rulesets)
    return completions(asked.text, asked.scene, found)


def _page(told: Mapping[str, Any]) -> OpenPage:
    """Read a page. A campaign's page has more fields, which are ignored."""
    page = PageGiven.read({name: told[name] for name in PageGiven.model_fields if name in told}, "request.page")
    answer = page.answer or {}
    try:
        resolution = None if page.answer is None else Resolution.model_validate(answer.get("resolution"), strict=False)
        listed = [*(answer.get("drafts") or ()), *(answer.get("suggestions") or ())]
        words = [Suggestion.model_validate(each, strict=False) for each in listed]
    except ValidationError as error:
        raise refusal(error, Resolution, "request.page.answer") from None
    return OpenPage(page.request, resolution, words, answer.get("dealt"))


class SayCall(Call):
    """A call that reads one typed line. It rolls nothing and writes nothing."""

    gives: ClassVar = ReadLine

    call: Literal["say"]
    request: SayRequest
    """The line and its scene."""

    def make(self, **options: Unpack[Options]) -> ReadLine:
        return say(**dict(self.request), rulesets=options.get("rulesets", ()))


class CompleteCall(Call):
    """A call that completes the last word of a line."""

    gives: ClassVar = Completions

    call: Literal["complete"]
    request: CompleteRequest
    """The line so far, and its scene."""

    def make(self, **options: Unpack[Options]) -> Completions:
        return Completions(words=complete(**dict(self.request), rulesets=options.get("rulesets", ())))
