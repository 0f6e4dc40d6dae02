"""The tools of a chat. Each applies the rules to the chat's arguments. The chat sees their docstrings."""

from functools import partial
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from narrator.api import moves, occasion, rolls
from narrator.api.judgement import check
from narrator.api.registry import read_payload
from narrator.api.schemas import tool_arguments, written
from narrator.assistant import fairness
from narrator.assistant.answers import of_entry, of_page, of_suggestion
from narrator.assistant.asking import AskPerson
from narrator.campaign.campaign import Campaign
from narrator.campaign.records import Entry, Page
from narrator.campaign.rolls import PageOptions
from narrator.errors import RequestError
from narrator.render import phrases
from narrator.rules.json_text import Json
from narrator.rules.model import LIST, Given, Name, Object, Prose, data_of
from narrator.rules.moves.all_moves import MOVES
from narrator.rules.resolve.without_roll import WordKind
from narrator.suggestions.source.protocol import DECK
from narrator.suggestions.time.threads import aside
from narrator.validation import checker
from narrator.validation.judge import Judge

_IDLE = ("title", "default", "minLength", "maxLength", "additionalProperties")
_OF_OBJECT = ("type", "properties", "required")
_OPEN = "This roll is already open, and is not rolled again. "
_STANDS = (
    "This roll stands, because nothing that affects it has changed. Somebody may try another skill or change the "
    "scene. Only the person at the table may allow a second roll (again)."
)
_NEWCOMER = "The story has somebody new: use the move enter before they act or oppose."


def _fields() -> str:
    """All moves with their fields."""
    told = {
        name: ", ".join(f"{'' if each.is_required() else '?'}{field}" for field, each in move.model_fields.items())
        for name, move in MOVES.items()
    }
    return "; ".join(f"{name}({fields.removeprefix('type').removeprefix(', ')})" for name, fields in told.items())


class Tool(Given):
    """A tool of a chat."""

    short: ClassVar[dict[str, str]] = {}
    """Fields that contain a part of a request, with the model that describes it in the schema."""
    writes: ClassVar[bool] = True
    """Whether it may change the campaign."""

    async def use(self, campaign: Campaign, ask: AskPerson) -> Json:
        """Use the tool."""
        raise NotImplementedError

    @classmethod
    def arguments(cls) -> Json:
        """The JSON Schema of its arguments."""
        found = written(cls, is_given=True)
        for field, model in cls.short.items():
            told = tool_arguments(model).model_json_schema()
            said = {"description": found["properties"][field]["description"]}
            found["properties"][field] = said | {name: told[name] for name in _OF_OBJECT}
        lean: Json = _lean({name: found[name] for name in _OF_OBJECT if name in found})
        return lean


class Odds(Tool):
    """The chances of a roll before it is made, as fractions, also with each aspect that could be invoked."""

    writes: ClassVar = False

    action: Object
    """The action, as for `roll`."""

    async def use(self, campaign: Campaign, ask: AskPerson) -> Json:
        request = await aside(partial(campaign.request, self.action))
        return await _called(campaign, call="odds", request=request)


class Reach(Tool):
    """What each available invocation would change about a roll. Use it before you ask who invokes."""

    writes: ClassVar = False

    page: Name
    """The page of the roll, such as p3."""
    by: Name | None = None
    """Show only this character's invocations."""
    limit: Annotated[int, Field(ge=0)] = 8
    """The largest number of invocations, by default 8."""

    async def use(self, campaign: Campaign, ask: AskPerson) -> Json:
        page = await aside(partial(campaign.page, self.page))
        return await _called(campaign, call="reach", request=page.request, by=self.by, limit=self.limit)


class Roll(Tool):
    """Use this when somebody tries something that may fail. narrator rolls the dice and applies the rules. Never roll
    or decide it yourself. A roll stands: the same roll again gives the same page. To invoke aspects on an open roll,
    give `page` and `invocations`.
    """

    short: ClassVar = {"action": "Action"}

    action: Object | None = None
    """Who tries what, how, and against what. Omit `roll` and `outcome`, because narrator rolls. Give dice only if a
    player rolled them at the table; the log marks them as told."""
    page: Name | None = None
    """The open page to invoke aspects on, instead of an action."""
    invocations: Annotated[tuple[Object, ...], LIST] = ()
    """With `page`: the aspects, such as {"aspect": "Torchlit Gate", "pay": "fate_point"}. `pay` may be "free"; `by`
    names who invokes."""
    side: Literal["actor", "opposition"] = "actor"
    """With `page`: the side that invokes."""
    again: bool = False
    """Whether to roll a standing roll a second time. The person at the table is asked, and the log records it."""

    async def use(self, campaign: Campaign, ask: AskPerson) -> Json:
        if (self.action is None) == (self.page is None):
            raise RequestError("bad_request", "action", "give either an action, or a page to invoke aspects on")
        if self.page is not None:
            if not self.invocations:
                raise RequestError("bad_request", "invocations", "give the aspects to invoke")
            page = await aside(partial(campaign.page, self.page))
            action = page.request.action.as_json()
            of = action if self.side == "actor" else action.setdefault("opposition", {})
            of["invocations"] = [*of.get("invocations", ()), *self.invocations]
            return of_page(await _in_place(campaign, page, action))
        request = await aside(partial(campaign.request, self.action or {}))
        words = {name: getattr(request.action, name) for name in ("intent", "aspect", "skill", "attribute", "actor")}
        await aside(partial(fairness.check_words, words, "action", campaign))
        found = await aside(partial(rolls.resolve, request, rulesets=campaign.rulesets))
        scene, tried = request.scene, request.action
        stands = await aside(partial(fairness.standing, campaign, found, tried.intent, scene))
        if stands is not None and not self.again:
            told = of_page(stands)
            return told | {"next": f"{_OPEN}{told['next']}" if stands.state == "open" else _STANDS}
        again = None if stands is None else stands.id
        await aside(partial(fairness.check_paid, campaign, tried.actor, scene, again))
        options: PageOptions = {"source": DECK, "per_slot": 1}
        bonus = fairness.bonus_of(tried)
        if stands is not None:
            question = f"{tried.actor}: roll {stands.id} a second time? It was {_outcome(stands)}."
            await ask(" ".join(filter(None, (question, bonus))), "again")
            await campaign.aallow_again(stands.id)
            options |= {"page": stands.id if stands.state == "open" else None}
        elif bonus is not None:
            await ask(bonus, "bonus")
        return of_page(await campaign.asuggest(tried, **options))


class Check(Tool):
    """Judge your own words before you say them, for a slot of a roll or without a roll."""

    short: ClassVar = {"candidate": "Candidate"}
    writes: ClassVar = False

    candidate: Any
    """The words. For a roll, with the `slot` and `form` that `roll` named. Otherwise `detail`, and `name` for an
    aspect."""
    page: Name | None = None
    """The page of the roll."""
    kind: WordKind | None = None
    """Without a roll: the kind of words."""
    about: Name | None = None
    """Without a roll: the character or aspect that they are about."""

    async def use(self, campaign: Campaign, ask: AskPerson) -> Json:
        if (self.page is None) == (self.kind is None):
            raise RequestError("bad_request", "page", "give either the page of the words, or their kind without a roll")
        return await aside(partial(self._for_page if self.page is not None else self._for_kind, campaign))

    def _for_page(self, campaign: Campaign) -> Json:
        page = campaign.page(self.page or "")
        request = page.request.model_copy(update={"branch": None})
        verdict = check(request, self.candidate, rulesets=campaign.rulesets).as_json()
        slot = self.candidate.get("slot") if isinstance(self.candidate, dict) else None
        fits = [each for each in page.answer.suggestions if each.slot == slot]
        return verdict if "accepted" in verdict or not fits else verdict | {"instead": of_suggestion(fits[0])}

    def _for_kind(self, campaign: Campaign) -> Json:
        assert self.kind is not None, "use has seen to it"
        options = {"ruleset": campaign.ruleset}
        found = occasion.without_roll(campaign.scene, self.kind, self.about, options, campaign.rulesets)
        ruling = found.rulings[0]
        usual = {"slot": self.kind, "form": ruling.slots[0].forms[0].form}
        told = data_of(self.candidate)
        return checker.check(usual | told if isinstance(told, dict) else told, Judge(ruling)).as_json()


class Settle(Tool):
    """Write the choice for a roll: one branch, with words for its slots. The words are checked again."""

    short: ClassVar = {"choice": "Choice"}

    page: Name
    """The page of the roll."""
    choice: Object | None = None
    """The choice."""
    none: bool = False
    """Whether the roll has no effect at all. The person at the table is asked, and the log records it."""

    async def use(self, campaign: Campaign, ask: AskPerson) -> Json:
        if (self.choice is None) != self.none:
            raise RequestError("bad_request", "choice", "give either a choice, or none as true")
        page = await aside(partial(campaign.page, self.page))
        if self.choice is not None:
            await aside(partial(fairness.check_words, self.choice.get("absorb"), "choice.absorb", campaign))
            entry = await campaign.asettle(page.id, self.choice)
            is_new = any(campaign.played.forms[each.form].becomes == "fact" for each in entry.said)
            return of_entry(entry) | ({"next": _NEWCOMER} if is_new else {})
        await ask(f"{page.request.action.actor}: shall {page.id}, {_outcome(page)}, have no effect at all?", "none")
        return of_entry(await campaign.awaive(page.id))


class Move(Tool):
    __doc__ = f"""Something that happens between rolls. The moves with their fields (? is optional): {_fields()}."""

    move: Object
    """The move, such as {"type": "compel", "who": ["Cynere"], "aspect": "Infamous Girl with Sword", "accepted": true},
    {"type": "enter", "name": "A Mastiff", "nameless": "fair"}, {"type": "end_scene"}, or, for a step to another zone,
    {"type": "change", "who": "Cynere", "set": {"zone": "Gatehouse"}}."""

    async def use(self, campaign: Campaign, ask: AskPerson) -> Json:
        scene, kind = await aside(lambda: campaign.scene), self.move.get("type")
        await aside(partial(fairness.check_words, self.move, "move", campaign))
        made = await aside(partial(moves.move, scene, self.move, campaign.played))
        if (question := fairness.asks_the_person(kind, scene, made)) is not None:
            await ask(question, str(kind))
        told = of_entry(await campaign.amove(self.move, expect_revision=scene.revision))
        still = [each.id for each in await aside(lambda: campaign.pages)]
        return told | {"open": still} if still else told


class Say(Tool):
    """One short line instead of another tool: `cynere stealth vs 3`, `+torchlit gate`, `compel cynere girl accepted`,
    `next`, or letters of the open page such as `s1`. It has the same effect as the other tools. If the line is unclear,
    you get a question back.
    """

    text: Prose
    """The line."""
    page: Name | None = None
    """The open page that it is about. If omitted, the newest."""

    async def use(self, campaign: Campaign, ask: AskPerson) -> Json:
        found = await aside(partial(campaign.say, self.text, self.page))
        if found.ask is not None:
            return {"ask": found.ask, "readings": [each.text for each in found.readings or ()]}
        if found.move is not None:
            return await Move(move=found.move).use(campaign, ask)
        open_pages = await aside(lambda: campaign.pages)
        page = self.page or next((each.id for each in open_pages[-1:]), "")
        if found.choice is not None:
            return await Settle(page=page, choice=found.choice).use(campaign, ask)
        assert found.request is not None, "a line is a roll, a move, a choice, or is asked"
        action = found.request.action.as_json()
        if found.is_of_page:
            return of_page(await _in_place(campaign, await aside(partial(campaign.page, page)), action))
        return await Roll(action=action).use(campaign, ask)


class Undo(Tool):
    """Take back the newest entry. If it settled a roll, the roll is open again, with the same dice."""

    async def use(self, campaign: Campaign, ask: AskPerson) -> Json:
        newest = [each for each in await aside(partial(_written, campaign)) if not each.undone][-1:]
        for each in newest:
            if each.kind in ("again", "noted") or each.text.endswith("the GM says so."):
                await ask(f"Take this back? {each.text}", "undo")
        return of_entry(await campaign.aundo())


TOOLS: dict[str, type[Tool]] = {
    each.__name__.lower(): each for each in (Roll, Odds, Reach, Check, Settle, Move, Say, Undo)
}
"""All tools by name."""


def _written(campaign: Campaign) -> list[Entry]:
    """The last entries that can be taken back."""
    entries = campaign.entries(max(0, campaign.last - 100))
    return [each for each in entries if each.kind in ("settled", "again", "moved", "noted")]


async def _called(campaign: Campaign, **payload: Any) -> Json:
    """Make one of narrator's calls and return its result."""
    return (await read_payload(payload).amake(rulesets=campaign.rulesets)).as_json()


async def _in_place(campaign: Campaign, page: Page, action: Json) -> Page:
    """Replace an open page, with the same dice."""
    await aside(partial(fairness.check_unmoved, campaign, page))
    request = page.request
    return await campaign.asuggest(
        action, source=DECK, page=page.id, seed=request.seed, over=page.over, per_slot=request.per_slot
    )


def _lean(schema: Any) -> Any:
    """Remove the parts of a schema that a chat does not need."""
    if isinstance(schema, list):
        return [_lean(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: _lean(value) for key, value in schema.items() if key not in _IDLE or isinstance(value, dict)}


def _outcome(page: Page) -> str:
    return phrases.outcome(page.answer.resolution.outcome, page.answer.resolution.shifts)
