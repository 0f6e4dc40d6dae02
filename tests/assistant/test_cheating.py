"""A chat that cheats: what it is told, and what it cannot do."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import anyio
import pytest

from narrator import Campaign
from narrator.rules.json_text import Json
from tests.assistant.chatting import NEVER, Chat, chat

FAILED = {"branch": "fail"}
CLOSE: Json = {**NEVER, "opposition": {"kind": "passive", "rating": 4}}


def faces(told: Json) -> str:
    """What the dice of a roll showed, and all else that is read aloud of it."""
    return str(told["aloud"])


def test_a_roll_is_thrown_once(campaign: Campaign) -> None:
    """Asked for again, in other words, case or order, it is the same page with the same dice."""

    async def does(chat: Chat) -> None:
        first = await chat.use("roll", action=CLOSE)
        for more in (
            {},
            {"intent": "sneak, this time for real"},
            {"skill": "stealth"},
            {"bonus": 2},
            {"aspect": "Fog"},
        ):
            told = await chat.use("roll", action={**CLOSE, **more})
            assert (told["page"], faces(told), told["shifts"]) == (first["page"], faces(first), first["shifts"])
        easier = {**CLOSE, "opposition": {"kind": "passive", "rating": 0}}
        assert (await chat.use("roll", action=easier))["shifts"] == first["shifts"]
        assert "not rolled again" in (await chat.use("say", text="cynere stealth vs 1"))["next"]

    chat(campaign, does)
    assert len(campaign.lately(100)) == 1


def test_nor_after_it_was_settled_or_undone_while_nothing_changed(campaign: Campaign) -> None:
    """A clock, a purse or words open no second try; what bears on the roll does."""

    async def does(chat: Chat) -> None:
        page = (await chat.use("roll", action=NEVER))["page"]
        await chat.use("settle", page=page, choice=FAILED)
        trifles: list[Json] = [
            {"type": "clock", "name": "Dawn", "boxes": 4},
            {"type": "pay", "who": "Cynere", "points": -1},
            {"type": "compel", "who": ["Landon"], "aspect": "An Honest Man, When He Can", "accepted": True},
        ]
        for trifle in trifles:
            await chat.use("move", move=trifle)
            told = await chat.use("roll", action=NEVER)
            assert (told["page"], told["state"]) == (page, "settled")
            assert "another skill" in told["next"]
        await chat.use("undo")
        assert (await chat.use("roll", action={**NEVER, "intent": "something else"}))["page"] == page
        for move in ({"type": "leave", "who": "Landon"}, {"type": "enter", "who": "Landon"}):
            await chat.use("move", move=move)
        assert (await chat.use("roll", action=NEVER))["page"] == page
        await chat.use("move", move={"type": "aspect", "name": "Shutters Slammed"})
        assert (await chat.use("roll", action=NEVER))["page"] != page

    chat(campaign, does, says="pay")


def test_after_a_goal_is_attained_another_intent_is_another_roll(campaign: Campaign) -> None:
    """Whoever climbed the wall may climb the roof."""
    wall: Json = {
        **NEVER,
        "skill": "Athletics",
        "intent": "climb the wall",
        "opposition": {"kind": "passive", "rating": -9},
    }

    async def does(chat: Chat) -> None:
        page = (await chat.use("roll", action=wall))["page"]
        branch = (await chat.use("roll", action=wall))["branches"][0]
        words = [{"slot": "boost", "form": "boost", "to": "Cynere", "name": "Up Before They Looked"}]
        choice = {"branch": branch["id"], "suggestions": words if branch["slots"] else []}
        await chat.use("settle", page=page, choice=choice)
        assert (await chat.use("roll", action=wall))["page"] == page or branch["slots"]
        assert (await chat.use("roll", action={**wall, "intent": "climb the roof"}))["page"] != page

    chat(campaign, does)


def test_who_leaves_out_on_whom_it_is_has_no_other_roll(campaign: Campaign) -> None:
    """Whoever opposes is the same, named or not."""

    async def does(chat: Chat) -> None:
        against: Json = {"kind": "active", "by": "Watch Captain", "skill": "Notice"}
        pages = [
            (await chat.use("roll", action={**CLOSE, **more}))["page"]
            for more in ({"opposition": against}, {"target": "Watch Captain"}, {})
        ]
        assert pages == ["p1"] * 3

    chat(campaign, does)


def test_a_bonus_beyond_a_stunts_is_the_persons_to_allow(campaign: Campaign) -> None:
    """Whichever side it is for."""
    active: Json = {"kind": "active", "by": "Watch Captain", "skill": "Notice", "bonus": -4}

    async def does(chat: Chat) -> None:
        for more in ({"bonus": 5}, {"opposition": active}):
            assert (await chat.refused("roll", action={**CLOSE, **more})).code == "not_allowed"
        assert [each.partition("a bonus of ")[2] for each in chat.asked] == ["+5 for Cynere?", "-4 for the opposition?"]
        assert (await chat.use("roll", action={**CLOSE, "bonus": 2}))["page"] == "p1"

    chat(campaign, does, says="no")


def test_two_at_once_are_one(campaign: Campaign) -> None:
    """Whoever asks ten times in one breath has thrown once."""

    async def does(chat: Chat) -> None:
        async with anyio.create_task_group() as group:
            for _ in range(10):
                group.start_soon(lambda: chat.use("roll", action=CLOSE))

    chat(campaign, does)
    assert len(campaign.lately(100)) == 1


def test_a_second_throw_is_the_persons_to_allow_and_stands_in_the_log(campaign: Campaign) -> None:
    """The chat asks for it, and the person at the table is asked."""

    async def does(chat: Chat) -> Json:
        page = (await chat.use("roll", action=NEVER))["page"]
        again = await chat.use("roll", action=NEVER, again=True)
        assert again["page"] == page
        assert "a second time" in chat.asked[0]
        await chat.use("settle", page=page, choice=FAILED)
        assert (await chat.use("roll", action=NEVER, again=True))["page"] == "p2"
        return {"log": await chat.read("narrator://log")}

    log = chat(campaign, does, says="again")["log"]

    assert log.count("It is thrown again: the GM says so.") == 2
    assert [each.kind for each in campaign.entries()] == ["begun", "again", "settled", "again"]


@pytest.mark.parametrize("says", [None, "no", "none", ""])
def test_without_the_persons_word_nothing_is_thrown_again_or_waived(campaign: Campaign, says: str | None) -> None:
    """Neither where they say something else, nor where their program cannot ask them."""

    async def does(chat: Chat) -> None:
        first = await chat.use("roll", action=NEVER)
        again = await chat.refused("roll", action=NEVER, again=True)
        assert again.code == "not_allowed"
        if says != "none":
            none = await chat.refused("settle", page=first["page"], none=True)
            assert none.code == "not_allowed"
        assert faces(await chat.use("roll", action=NEVER)) == faces(first)

    chat(campaign, does, says=says)
    assert [each.kind for each in campaign.entries()] == ["begun"]


def test_a_cost_that_is_not_chosen_stops_that_side(campaign: Campaign) -> None:
    """Whoever owes nothing goes on; the page that comes first is named, and the person's none frees it."""

    async def does(chat: Chat) -> None:
        page = (await chat.use("roll", action=NEVER))["page"]
        fight: Json = {"type": "overcome", "actor": "Landon", "skill": "Physique"}
        fight["opposition"] = {"kind": "passive", "rating": 1}
        refused = await chat.refused("roll", action=fight)
        assert refused.code == "unsettled"
        assert refused.error["message"].startswith(f"settle {page} first")
        by_line = await chat.refused("say", text="landon physique vs 1")
        assert by_line.code == "unsettled"
        guard = {**fight, "actor": "Watch Captain", "skill": "Notice", "opposition": {"kind": "passive", "rating": -9}}
        assert (await chat.use("roll", action=guard))["page"] == "p2"
        await chat.use("settle", page=page, none=True)
        assert (await chat.use("roll", action=fight))["page"] == "p3"

    chat(campaign, does, says="none")
    assert "Nothing is taken of it: the GM says so." in campaign.entries()[-1].text


def test_a_hit_that_is_not_taken_stops_whoever_was_hit(campaign: Campaign) -> None:
    """An attack on a player's character is not forgotten."""
    attack: Json = {
        "type": "attack",
        "actor": "Watch Captain",
        "skill": "Fight",
        "target": "Landon",
        "roll": {"dice": [1, 1, 1, 1]},
        "opposition": {"kind": "defend", "skill": "Fight", "roll": {"dice": [-1, -1, 0, 0]}},
    }

    async def does(chat: Chat) -> None:
        assert (await chat.use("roll", action=attack))["dice"] == "told"
        assert (await chat.refused("roll", action=NEVER)).code == "unsettled"

    chat(campaign, does)


BROUGHT: dict[str, Callable[[Json], Json]] = {
    "the actor's": lambda action: action | {"roll": {"dice": [1, 1, 1, 1]}},
    "a total": lambda action: action | {"roll": {"total": 9}},
    "the outcome": lambda action: {**action, "outcome": "succeed"},
    "the opposition's": lambda action: (
        action | {"opposition": {"kind": "active", "by": "Watch Captain", "skill": "Will", "roll": {"dice": [-1] * 4}}}
    ),
    "a reroll's": lambda action: (
        action | {"invocations": [{"aspect": "Torchlit Gate", "use": "reroll", "dice": [1, 1, 1, 1]}]}
    ),
}


@pytest.mark.parametrize("brought", BROUGHT)
def test_dice_that_are_brought_are_marked(campaign: Campaign, brought: str) -> None:
    """Whichever they are: in the answer, in the log, and for as long as the page is kept."""

    async def does(chat: Chat) -> str:
        told = await chat.use("roll", action=BROUGHT[brought](CLOSE))
        assert told["dice"] == "told"
        await chat.use("settle", page=told["page"], none=True)
        return await chat.read("narrator://log")

    assert "dice told" in chat(campaign, does, says="none")


def test_dice_brought_to_a_roll_that_was_thrown_mark_it(campaign: Campaign) -> None:
    """An aspect that is invoked leaves the mark as it is; dice for its reroll do not."""

    async def does(chat: Chat) -> None:
        page = (await chat.use("roll", action=NEVER))["page"]
        invoked = await chat.use("roll", page=page, invocations=[{"aspect": "By the Book", "pay": "fate_point"}])
        assert invoked["dice"] == "thrown"
        reroll = {"aspect": "Torchlit Gate", "use": "reroll", "dice": [1, 1, 1, 1]}
        assert (await chat.use("roll", page=page, invocations=[reroll]))["dice"] == "told"
        assert (await chat.use("say", text="+infamous fp"))["dice"] == "told"

    chat(campaign, does)


OWN = {"slot": "serious_cost", "form": "new_opposition", "name": "A Nest in the Arch"}
RULINGS: dict[str, Json] = {
    "an aspect that is not there": {"tool": "roll", "invocations": [{"aspect": "Born Lucky"}]},
    "a free invocation twice": {"tool": "roll", "invocations": [{"aspect": "Torchlit Gate"}] * 2},
    "a branch that is not on offer": {"tool": "settle", "choice": {"branch": "succeed"}},
    "a cost without words": {"tool": "settle", "choice": {"branch": "serious_cost"}},
    "a form of its own": {
        "tool": "settle",
        "choice": {"branch": "serious_cost", "suggestions": [{**OWN, "form": "death", "detail": "All die."}]},
    },
    "a mechanic in the words": {
        "tool": "settle",
        "choice": {"branch": "serious_cost", "suggestions": [{**OWN, "detail": "Everybody takes 3 stress."}]},
    },
    "a line": {
        "tool": "settle",
        "choice": {"branch": "serious_cost", "suggestions": [{**OWN, "detail": "Spiders pour out of the arch."}]},
    },
}


@pytest.mark.parametrize("ruling", RULINGS)
def test_a_ruling_that_is_made_up_is_refused(campaign: Campaign, ruling: str) -> None:
    """And nothing is written."""

    async def does(chat: Chat) -> None:
        page = (await chat.use("roll", action=NEVER))["page"]
        told = {**RULINGS[ruling], "page": page}
        await chat.refused(told.pop("tool"), **told)

    chat(campaign, does)
    assert [each.kind for each in campaign.entries()] == ["begun"]


MOVES: dict[str, Json] = {
    "the lines of the table": {"type": "change", "set": {"lines": []}},
    "a line's own words": {"type": "aspect", "name": "spiders"},
    "a line in a list": {
        "type": "enter",
        "character": {"name": "A Porter", "side": "watch", "aspects": ["Spiders in His Beard"]},
    },
    "a line in a side's name": {"type": "contest", "sides": {"Spiders": ["Cynere"], "Watch": ["Watch Captain"]}},
    "a mechanic in an aspect": {"type": "aspect", "name": "Landon Gets +2"},
    "free invocations from nothing": {"type": "aspect", "name": "Free Lunch", "free_invocations": {"*": 9}},
    "a hero out of nowhere": {
        "type": "enter",
        "character": {"name": "Cynera", "side": "heroes", "importance": "pc", "skills": {"Stealth": 9}},
    },
    "a wound that nobody dealt": {"type": "hit", "who": "Cynere", "shifts": 9, "taken_out": True},
    "a line in an aspect": {"type": "aspect", "name": "Spiders in the Rafters"},
    "a line in a scene": {"type": "scene", "summary": "The cellar is full of spiders."},
    "markup": {"type": "aspect", "name": "<b>Doomed</b>"},
    "a macro": {"type": "clock", "name": "[[/roll 1d20]]", "boxes": 4},
    "a player's sheet": {"type": "change", "who": "Cynere", "set": {"skills": {"Stealth": 9}}},
    "fate points for nothing": {"type": "pay", "who": "Cynere", "points": 9},
}


@pytest.mark.parametrize("move", MOVES)
def test_a_move_that_the_table_would_not_want_is_refused(campaign: Campaign, move: str) -> None:
    """Words are judged here too, and a player's sheet is changed by nobody but a person."""
    before = campaign.scene

    chat(campaign, lambda chat: chat.refused("move", move=MOVES[move]), says="no")

    assert campaign.scene == before


def test_moves_of_an_evening_are_made(campaign: Campaign) -> None:
    """Nobody is asked for what changes no sheet, such as who stands where."""
    cost = {"slot": "serious_cost", "kind": "serious_cost", "form": "new_opposition", "source": "given"}
    words = {**cost, "name": "A Dog", "detail": "A dog barks behind the gate."}
    moves: list[Json] = [
        {"type": "change", "who": "Cynere", "set": {"zone": "Gatehouse"}},
        {"type": "enter", "suggestion": words},
        {"type": "conflict", "order": ["Cynere", "A Dog", "Landon", "Watch Captain", "Gate Guards"]},
        {"type": "turn"},
        {"type": "end_conflict"},
        {"type": "end_scene"},
        {"type": "scene", "summary": "Inside the walls, before dawn."},
        {"type": "end_session"},
    ]

    async def does(chat: Chat) -> None:
        for move in moves:
            await chat.use("move", move=move)
        assert chat.asked == []

    chat(campaign, does, says="no")
    assert campaign.scene.ended == "session"


def test_who_goes_to_and_fro_throws_no_more_often(campaign: Campaign) -> None:
    """A roll made in a zone stands there."""

    async def does(chat: Chat) -> None:
        pages: list[str] = []
        for zone in ("South Road", "Gatehouse") * 3:
            if pages:
                await chat.use("move", move={"type": "change", "who": "Cynere", "set": {"zone": zone}})
            told = await chat.use("roll", action=NEVER)
            pages.append(told["page"])
            if told["state"] == "open":
                await chat.use("settle", page=told["page"], choice=FAILED)
        assert pages == ["p1", "p2"] * 3

    chat(campaign, does)


def test_what_does_not_fit_into_a_question_is_refused(campaign: Campaign) -> None:
    """A person sees all of what they allow."""
    aspects = [f"Harmless As {number} Lambs" for number in range(40)]
    move: Json = {"type": "change", "who": "Cynere", "set": {"aspects": aspects, "skills": {"Stealth": 9}}}

    error = chat(campaign, lambda chat: chat.refused("move", move=move), says="change")

    assert error.code == "bad_request"
    assert "smaller steps" in error.error["message"]


def test_an_open_roll_is_not_bent_by_the_scene(campaign: Campaign) -> None:
    """Neither by a rating that is written anew, nor by an attribute, nor by whoever leaves."""
    active: Json = {**NEVER, "opposition": {"kind": "active", "by": "Watch Captain", "skill": "Notice", "bonus": 2}}

    async def does(chat: Chat) -> None:
        page = (await chat.use("roll", action={**active, "roll": {"dice": [-1, -1, -1, -1]}}))["page"]
        bent: Json = {"type": "change", "who": "Watch Captain", "set": {"skills": {"Notice": -99}}}
        await chat.use("move", move=bent)
        invocation = [{"aspect": "Torchlit Gate"}]
        assert (await chat.refused("roll", page=page, invocations=invocation)).code == "stale_scene"
        await chat.use("undo")
        for more in ({"attribute": "Stealth", "skill": None}, {"attribute": "Stealth", "skill": "Shadowcraft"}):
            assert (await chat.use("roll", action={**active, **more}))["page"] == page
        await chat.use("move", move={"type": "leave", "who": "Cynere"})
        other: Json = {"type": "overcome", "actor": "Landon", "skill": "Will", "opposition": CLOSE["opposition"]}
        assert (await chat.refused("roll", action=other)).code == "unsettled"

    chat(campaign, does)


def test_words_of_a_roll_are_judged_as_well(campaign: Campaign) -> None:
    """They stand in page and log."""

    async def does(chat: Chat) -> None:
        for more in ({"intent": "burn the spiders out"}, {"aspect": "<b>Fog</b>"}, {"skill": "[[/roll 1d20]]"}):
            assert (await chat.refused("roll", action={**CLOSE, **more})).code == "bad_request"

    chat(campaign, does)


def test_a_word_of_the_persons_is_not_undone_alone(campaign: Campaign) -> None:
    """Nor a note of theirs."""

    async def does(chat: Chat) -> None:
        page = (await chat.use("roll", action=NEVER))["page"]
        await chat.use("settle", page=page, none=True)
        assert (await chat.refused("undo")).code == "not_allowed"

    chat(campaign, does, says="none")
    assert campaign.entries()[-1].kind == "settled"


def test_a_persons_word_changes_a_sheet(campaign: Campaign) -> None:
    """As at a milestone."""

    async def does(chat: Chat) -> None:
        await chat.use("move", move=MOVES["a player's sheet"])
        assert chat.asked == ['Allow the move change? Cynere: skills changed ({"Stealth": 9})']

    chat(campaign, does, says="change")

    assert campaign.scene.characters[0].skills["Stealth"] == 9


NONSENSE: tuple[Any, ...] = (None, "", "x" * 70_000, -1, 10**30, 1.5, [], {}, [[]], {"a": {}}, True, "\x1b[31m", "p1")


def test_a_thousand_calls_of_nonsense_change_nothing(campaign: Campaign) -> None:
    """Each is answered with an error's object, none with a fault of narrator's, and the next good call is as any."""
    chance = Random(7)

    async def does(chat: Chat) -> None:
        fields = (
            "action",
            "page",
            "choice",
            "move",
            "text",
            "candidate",
            "invocations",
            "again",
            "none",
            "kind",
            "odd",
        )
        tools = ("roll", "odds", "reach", "check", "settle", "move", "say")
        for _ in range(1_000):
            told = {name: chance.choice(NONSENSE) for name in chance.sample(fields, chance.randrange(4))}
            tool = chance.choice(tools)
            answer = await chat.client.call_tool(tool, told)
            found = json.loads(answer.content[0].text)  # type: ignore[union-attr]
            assert found.get("error", {}).get("code") != "internal_error", (tool, told, found)
        assert (await chat.use("roll", action=CLOSE))["page"] == "p1"

    chat(campaign, does)
    assert [each.kind for each in campaign.entries()] == ["begun"]


@pytest.mark.full
def test_a_thousand_throws_are_one(campaign: Campaign) -> None:
    """However often it is asked for."""

    async def does(chat: Chat) -> None:
        seen = {faces(await chat.use("roll", action=CLOSE)) for _ in range(1_000)}
        assert len(seen) == 1

    chat(campaign, does)
    assert len(campaign.lately(100)) == 1
