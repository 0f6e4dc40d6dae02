"""The calls that read one line as people type it, and complete its last word."""

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
    """A page that is open: what was asked, and what came of it."""

    request: Request
    """The request of the roll."""
    answer: Object | None = None
    """What `suggest` gave for it: its letters may be chosen then."""


class SayRequest(Given):
    """A line, and where it is said."""

    text: LineText
    """One line of 500 characters at the most."""
    scene: Scene
    """Who and what is there: the line names nobody and nothing else."""
    page: Object | None = None
    """The roll that is open, as `{"request": ..., "answer": ...}`: for one more aspect, or for what is chosen of it."""
    ruleset: Name | None = None
    """Whose deeds, skills and opposition; left out: the page's, else `five-actions`."""


class CompleteRequest(Given):
    """A line that is being typed."""

    text: BegunText = ""
    """The line so far; with a blank at its end, the next word is completed."""
    scene: Scene
    """Who and what is there."""
    ruleset: Name = USUAL_RULESET
    """Whose deeds and skills."""


class Completions(Model):
    """What the call `complete` gives."""

    words: tuple[str, ...]
    """Words that could stand in place of the last one."""


def say(
    text: str,
    scene: SceneLike,
    page: Any = None,
    ruleset: str | Ruleset | None = None,
    *,
    rulesets: Iterable[Ruleset] = (),
) -> ReadLine:
    """Read one line as people type it: into a request, a move or a choice, or into what has to be asked back.

    Args:
        page: The roll that is open, a mapping with its `request` and `answer`, or a campaign's page.
        ruleset: One that was loaded, or the name of one; None: the page's, else the usual one.
        rulesets: House rulesets, as `load_ruleset` gives them, that the name may be of.

    Raises:
        NarratorError: `bad_request`, `unknown_ruleset`; what the line itself lacks is asked, and no error.
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
    """List words that could complete the last one of a line that is being typed.

    Args:
        text: The line so far; with a blank at its end, the next word is completed.
        ruleset: One that was loaded, or the name of one; None: the usual one.
        rulesets: House rulesets, as `load_ruleset` gives them, that the name may be of.

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
    """Read a page; a campaign's has more than is wanted here."""
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
    """A call that reads one line as people type it. It makes no roll and writes nothing."""

    gives: ClassVar = ReadLine

    call: Literal["say"]
    request: SayRequest
    """The line, and where it is said."""

    def make(self, **options: Unpack[Options]) -> ReadLine:
        return say(**dict(self.request), rulesets=options.get("rulesets", ()))


class CompleteCall(Call):
    """A call that completes the last word of a line."""

    gives: ClassVar = Completions

    call: Literal["complete"]
    request: CompleteRequest
    """The line so far, and where it is said."""

    def make(self, **options: Unpack[Options]) -> Completions:
        return Completions(words=complete(**dict(self.request), rulesets=options.get("rulesets", ())))
