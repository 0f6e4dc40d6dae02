"""Every public call as its users write it: for type checkers, which find each type that is asserted; never run."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from pathlib import Path
from typing import Any, assert_never, assert_type

from langchain_core.language_models import BaseChatModel

import narrator
from narrator import Request, Scene, suggest, vtt

PAYLOAD = {
    "ruleset": "five-actions",
    "action": {"type": "overcome", "actor": "Cynere", "opposition": {"kind": "passive", "rating": 2}},
}


def a_scene() -> Scene:
    """A scene made of its models."""
    cynere = narrator.Character(
        name="Cynere",
        side="heroes",
        importance="pc",
        skills={"Fight": 4},
        aspects=("Infamous Girl With Sword",),
        fate_points=3,
        stress={"physical": narrator.StressTrack(boxes=(1, 2), marked=(1,))},
        consequences=(narrator.Consequence(severity="mild"),),
        zone="Gate",
    )
    torches = narrator.SceneAspect(name="Torches Everywhere", free_invocations={"Cynere": 1})
    gate = narrator.Zone(name="Gate", adjacent=("Yard",))
    return Scene(frame="conflict", characters=(cynere,), aspects=(torches,), zones=(gate, narrator.Zone(name="Yard")))


def a_request(opposition: narrator.Opposition) -> Request:
    """A request made of its models."""
    action = narrator.Action(
        type="attack",
        actor="Cynere",
        target="Gate Guards",
        skill="Fight",
        roll=narrator.Roll(dice=(1, 0, 0, -1)),
        invocations=(narrator.Invocation(aspect="Torches Everywhere", use="bonus", pay="free"),),
        attack=narrator.Attack(track="physical"),
        opposition=opposition,
    )
    return Request(scene=a_scene(), action=action, per_slot=2, seed=7)


def opposing() -> Iterator[narrator.Opposition]:
    """What may oppose an action."""
    yield narrator.Passive(kind="passive", rating=2)
    yield narrator.Active(kind="defend", by="Gate Guards", skill="Fight", roll=narrator.Roll(total=3))


def before_the_roll(request: Request) -> None:
    """Chances, tables, rulesets, and who acts when."""
    odds = narrator.odds(request)
    assert_type(odds, narrator.Odds)
    assert_type(odds.outcomes["succeed"], tuple[int, int])
    assert_type(odds.invocations[0].aspect, str)
    assert_type(narrator.reach(PAYLOAD), tuple[narrator.Reach, ...])
    assert_type(narrator.rulesets(), tuple[str, ...])
    assert_type(narrator.turn_order(a_scene(), "Quick", ties=["Careful"], first=["Cynere"]), tuple[str, ...])
    assert_type(narrator.lines(a_scene()).lines[0], narrator.Barred)
    table = narrator.table("five-actions", "overcome")
    assert_type(table, narrator.Table)
    assert_type(table.rows, tuple[narrator.TableRow, ...])


def house_rules(path: Path) -> None:
    """A ruleset of one's own."""
    ours = narrator.load_ruleset(path)
    assert_type(ours, narrator.Ruleset)
    assert_type(narrator.table(ours, "overcome", "existing_aspect"), narrator.Table)
    assert_type(narrator.resolve(PAYLOAD, rulesets=[ours]), narrator.Resolution)


def after_the_roll(request: Request) -> narrator.Resolution:
    """The resolution, and each part of it."""
    resolution = narrator.resolve(request)
    assert_type(resolution, narrator.Resolution)
    assert_type(resolution.ruleset, str)
    assert_type(resolution.branches, tuple[narrator.Branch, ...])
    for branch in resolution.branches:
        assert_type(branch.slots, tuple[narrator.Slot, ...])
        assert_type(branch.slots[0].forms, tuple[narrator.FormOffer, ...])
        assert_type(branch.grants, tuple[narrator.Grant, ...])
        assert_type(branch.grants[0].absorb, tuple[narrator.Absorption, ...] | None)
    return resolution


def words(request: Request) -> narrator.Answer:
    """Suggestions, all at once, from the deck or from whom the environment names."""
    assert_type(suggest(PAYLOAD), narrator.Answer)
    assert_type(suggest('{"action": {}}', source=None, repairs=2, timeout=10), narrator.Answer)
    answer = suggest(request, source="deck")
    assert_type(answer.suggestions, tuple[narrator.Suggestion, ...])
    assert_type(answer.suggestions[0].name, str | None)
    assert_type(answer.rejected, tuple[narrator.Rejection, ...])
    assert_type(answer.usage, narrator.Usage)
    assert_type(answer.as_json(), dict[str, Any])
    return answer


def words_as_they_come(request: Request) -> list[str]:
    """Events one by one, told apart by their names."""
    told: list[str] = []
    for event in narrator.stream(request, source="deck"):
        if event.event == "accepted":
            assert_type(event, narrator.AcceptedEvent)
            assert_type(event.accepted, narrator.Suggestion)
            told.append(event.accepted.detail)
        elif event.event == "done":
            assert_type(event.done, narrator.Answer)
    return told


async def words_without_blocking(request: Request) -> list[str]:
    """The same on an event loop."""
    return [text_of(event) async for event in narrator.astream(request, source="deck")]


def text_of(event: narrator.Event) -> str:
    """Events by their types: there are six, and no other."""
    match event:
        case narrator.ResolutionEvent(resolution=resolution):
            return resolution.ruleset
        case narrator.AcceptedEvent(accepted=suggestion):
            return suggestion.detail
        case narrator.RejectedEvent(rejected=rejection):
            return rejection.message
        case narrator.NoticeEvent(notice=notice):
            return notice
        case narrator.UsageEvent(usage=usage):
            return f"{usage.seconds} s"
        case narrator.DoneEvent(done=answer):
            return answer.version
        case _:
            assert_never(event)


class Parrot:
    """A source of one's own."""

    label = "parrot"

    def stream(self, brief: narrator.Brief, seconds: float) -> Iterator[str | narrator.Tokens]:
        """Say what was said."""
        if seconds <= 0:
            raise narrator.SourceError("there is no time", again=False)
        yield brief.messages[-1][1]
        yield narrator.Tokens(input=3, output=3)

    async def astream(self, brief: narrator.Brief, seconds: float) -> AsyncGenerator[str | narrator.Tokens, None]:
        """Say it without blocking."""
        for piece in self.stream(brief, seconds):
            yield piece


class Plain:
    """A source whose pieces are text, by the type that `async def` with `yield` is mostly given."""

    label = "plain"

    async def astream(self, brief: narrator.Brief, seconds: float) -> AsyncIterator[str]:
        """Say what was said."""
        yield brief.messages[-1][1]


def words_of_others(model: BaseChatModel, request: Request) -> None:
    """From a source of one's own, from a LangChain model, within a budget, in a chain."""
    parrot: narrator.Source = Parrot()
    assert_type(suggest(request, source=parrot), narrator.Answer)
    assert_type(suggest(request, source=Plain()), narrator.Answer)
    assert_type(suggest(request, source="mine"), narrator.Answer)
    local = narrator.openai_model("llama3.2:3b", base_url="http://127.0.0.1:11434/v1", api_key="k", manner="one_by_one")
    assert_type(local, narrator.Source)
    assert_type(suggest(request, source=narrator.Budgeted(local, narrator.Budget(50_000))), narrator.Answer)
    assert_type(
        suggest(request, source=narrator.Budgeted(narrator.from_langchain(model), narrator.Budget(10_000))),
        narrator.Answer,
    )
    assert_type(narrator.runnable(model, repairs=0).invoke(PAYLOAD), dict[str, Any])


def words_from_anywhere(request: Request, candidate: dict[str, Any]) -> None:
    """A suggestion that is judged."""
    verdict = narrator.check(request, candidate)
    assert_type(verdict, narrator.Verdict)
    assert_type(verdict.accepted, narrator.Suggestion | None)
    assert_type(verdict.rejected, narrator.Rejection | None)
    assert_type(narrator.violations(request, candidate), tuple[narrator.Violation, ...])


def the_choice(request: Request, suggestion: narrator.Suggestion) -> Scene:
    """What the table chose, and the scene that it leads to."""
    absorb = narrator.AbsorbChoice(stress=1, consequences=(narrator.NamedConsequence(severity="mild", name="Bruised"),))
    choice = narrator.Choice(
        branch="tie", suggestions=(suggestion,), grants=(narrator.GrantChoice(index=0, to="Cynere"),), absorb=absorb
    )
    assert_type(narrator.apply(request, {"branch": "tie"}), Scene)
    assert_type(narrator.settle(request, {"branch": "tie"}, 3), narrator.Settled)
    return narrator.apply(request, choice)


def a_refusal() -> tuple[str, str, tuple[str, ...] | None]:
    """What is wrong with a request."""
    try:
        narrator.resolve({})
    except narrator.NarratorError as error:
        assert_type(error.as_json(), dict[str, Any])
        return error.code, error.field, error.allowed
    return "", "", None


def a_macro() -> dict[str, Any]:
    """The entry for macros, both ways to name it."""
    assert_type(narrator.vtt.run("{}"), dict[str, Any])
    return vtt.run({"call": "suggest", "request": PAYLOAD})


async def a_campaign() -> narrator.Entry:
    """What is kept, what is rolled in it, and what is written, in both ways."""
    campaign = narrator.open_campaign("harbour.narrator", ruleset="fate-core")
    page = campaign.suggest({"type": "overcome", "actor": "Cynere", "outcome": "fail"}, per_slot=2, source="deck")
    assert_type(page, narrator.Page)
    assert_type(page.answer, narrator.Answer)
    assert_type(campaign.scene, Scene)
    assert_type(campaign.pages, tuple[narrator.Page, ...])
    assert_type(campaign.settle(page.id, {"branch": "fail"}, key="press 1"), narrator.Entry)
    assert_type(await campaign.asuggest({"type": "overcome", "actor": "Cynere"}), narrator.Page)
    assert_type(await campaign.anote("It rains.", expect_revision=2), narrator.Entry)
    return await campaign.amove({"type": "leave", "who": "Cynere"})
