"""Campaigns played at random beside a model in plain Python, which says what has to be true after each step."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import Phase, event, settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import narrator
from narrator import NarratorError, import_campaign, open_campaign
from narrator.campaign.campaign import Campaign
from narrator.campaign.records import Entry, Page
from narrator.rules.json_text import Json
from tests.campaigns.playing import (
    BLOW,
    BRIBE,
    SCENE,
    a_choice,
    a_move,
    a_roll,
    a_scene,
    any_of,
    blanked,
    refusal,
    words,
)

BESIDE = ("revision", "dealt", "struck")
"""What of a scene is never taken back."""

chances = st.randoms(use_true_random=False)


def bare(scene: Json) -> Json:
    """A scene without what is never taken back."""
    return {name: each for name, each in scene.items() if name not in BESIDE}


def strings(told: object) -> Iterator[str]:
    """All texts in JSON."""
    if isinstance(told, dict | list):
        for each in (*told, *told.values()) if isinstance(told, dict) else told:
            yield from strings(each)
    elif isinstance(told, str):
        yield told


def body_of(page: Page) -> Json:
    """A page as it is read again: without its state, what was refused, and what was dealt before."""
    told = page.as_json()
    told["answer"] = {name: each for name, each in told["answer"].items() if name not in ("rejected", "dealt")}
    told["request"]["scene"] = bare(told["request"]["scene"])
    return {name: each for name, each in told.items() if name != "state"}


class Table(RuleBasedStateMachine):
    """A campaign in a file, opened twice, and the model: scenes as JSON, what can be undone, and what can be redone."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()

    def teardown(self) -> None:
        """Delete the file."""
        self.folder.cleanup()

    @initialize(chance=chances, ruleset=st.sampled_from(narrator.rulesets()))
    def begins(self, chance: Random, ruleset: str) -> None:
        self.file = Path(self.folder.name) / "a.narrator"
        self.campaign = open_campaign(self.file, ruleset=ruleset, scene=a_scene(chance, ruleset))
        self.other = open_campaign(self.file)
        self.ruleset, self.revision = ruleset, self.campaign.revision
        self.done: list[tuple[int, Json]] = [(1, self.campaign.scene.as_json())]
        self.undone: list[tuple[int, Json]] = []
        self.entries: list[Json] = [each.as_json() for each in self.campaign.entries()]
        self.brought: dict[int | str, set[str]] = {}
        self.before: dict[int | str, Json] = {}
        self.pages: dict[str, Json] = {}
        self.states: dict[str, str] = {}
        self.keys: dict[str, tuple[str, list[Any], int]] = {}
        self.said: set[str] = set()
        self.barred: set[str] = set()
        self.gone: set[str] = set()
        self.of: dict[int, int] = {}
        self.cards: set[str] = set()
        assert self.entries[0]["kind"] == "begun"

    @property
    def scene(self) -> Json:
        """The newest scene, as the model has it but for what is kept beside it."""
        return self.campaign.scene.as_json()

    def writes(self, chance: Random, name: str, *given: Any) -> Entry:
        """Write something that has to be taken: one entry, one revision, and nothing else that was written changes."""
        write: Json = {"expect_revision": self.revision} if chance.random() < 0.5 else {}
        if chance.random() < 0.5:
            write["key"] = f"key {len(self.keys)}"
            self.keys[write["key"]] = (name, [*given], len(self.entries) + 1)
        entry: Entry = getattr(self.campaign, name)(*given, **write)
        self.revision += 1
        told = entry.as_json()
        assert (told["seq"], told["revision"]) == (len(self.entries) + 1, self.revision)
        assert told["at"] >= self.entries[-1]["at"]
        assert not told["undone"]
        self.entries.append(told)
        if name not in ("undo", "redo"):
            self.undone.clear()
        event(f"{entry.kind} written")
        return entry

    def goes_on(self, entry: Entry, scene: Json, body: Json) -> None:
        """Take over what has led to a new scene, and which words came with it."""
        before = self.done[-1][1]
        assert entry.kind in ("settled", "moved", "noted")
        self.done.append((entry.seq, scene))
        self.before[entry.seq] = before
        self.brought[entry.seq] = {*words(bare(scene)), *words(body)}
        self.said |= self.brought[entry.seq]
        if entry.kind != "settled":
            self.barred -= self.brought[entry.seq]

    def refuses(self, code: str, name: str, *given: Any, **write: Any) -> NarratorError:
        """Write something that has to be refused; the checks after each step see that nothing was written."""
        error = refusal(getattr(self.campaign, name), *given, **write)
        assert error.code == code, error
        event(f"{code} refused")
        return error

    @rule(chance=chances)
    def suggests(self, chance: Random) -> None:
        """A page is open, of the newest scene, and is no entry; nothing that was struck is offered."""
        drawn = a_roll(chance, self.scene, self.ruleset, self.said)
        if drawn is None:
            return
        action, options = drawn
        request = self.campaign.request(action, **options)
        try:
            narrator.resolve(request)
        except NarratorError as error:
            self.refuses(error.code, "suggest", action, **options)
            return
        page = self.campaign.suggest(action, **options)
        assert (page.id, page.state, page.revision) == (f"p{len(self.pages) + 1}", "open", self.revision)
        assert page.dice == "told"
        assert page.answer.resolution == narrator.resolve(page.request)
        offered = {text for each in page.answer.suggestions for text in (each.name, each.detail) if text}
        assert not offered & self.barred
        self.cards |= {each.card for each in page.answer.suggestions if each.card}
        self.pages[page.id], self.states[page.id] = body_of(page), "open"
        self.before[page.id] = self.done[-1][1]
        parts = [page.answer.as_json().get(name, []) for name in ("suggestions", "drafts")]
        self.brought[page.id] = {*words([*parts, action, options["over"]])}
        self.said |= self.brought[page.id]
        self.barred -= {*words(action)}
        event("page made")

    @precondition(lambda self: self.pages)
    @rule(chance=chances)
    def settles(self, chance: Random) -> None:
        """What is settled leads where the calls without a campaign lead, on the newest scene, and once."""
        still = [name for name, state in self.states.items() if state == "open"]
        name = chance.choice(still if still and chance.random() < 0.9 else [*self.pages])
        page = self.campaign.page(name)
        if self.states[name] != "open":
            self.refuses("page_closed", "settle", name, {"branch": "fail"})
            return
        choice = a_choice(chance, page, self.said)
        if choice is None:
            return
        due = self.judged(page, choice)
        if isinstance(due, str):
            error = self.refuses(due, "settle", name, choice)
            since = [each for each in self.entries if each["revision"] > page.revision]
            assert due != "stale_scene" or self.same([*error.missed], since)
            return
        entry = self.writes(chance, "settle", name, choice)
        assert (entry.kind, entry.page) == ("settled", name)
        assert [each.as_json() for each in entry.changes] == due["changes"]
        chosen = [(each["form"], each.get("name"), each.get("detail") or None) for each in choice["suggestions"]]
        assert [(each.form, each.name, each.detail) for each in entry.said] == chosen
        self.states[name] = "settled"
        self.goes_on(entry, due["scene"], choice)
        self.brought[name] |= {*words(choice)}

    def judged(self, page: Page, choice: Json) -> Json | str:
        """What a choice leads to by the calls that keep nothing, or the code that it is refused with."""
        scene = self.scene
        over = page.as_json().get("over", {}).get("aspects", [])
        known = [each["name"] for each in scene["aspects"]]
        scene["aspects"] += [each for each in over if each["name"] not in known]
        request = page.request.as_json() | {"scene": scene}
        was = {each.id: each for each in page.answer.resolution.branches}
        try:
            now = narrator.resolve(request)
        except NarratorError:
            return "stale_scene"
        branches = {each.id: each for each in now.branches}
        same = branches.get(choice["branch"]) == was[choice["branch"]]
        if now.outcome != page.answer.resolution.outcome or not same:
            return "stale_scene"
        try:
            return narrator.settle(request, choice).as_json()
        except NarratorError as error:
            return error.code

    @rule(chance=chances)
    def moves(self, chance: Random) -> None:
        """A move leads where it leads without a campaign, or is refused as it is there."""
        scene = self.scene
        move = a_move(chance, scene, self.ruleset, self.said)
        if move is None:
            return
        pages = [self.campaign.page(name) for name, state in self.states.items() if state == "open"]
        against = {
            name for each in pages for name in (each.request.action.target, each.answer.resolution.opposition.by)
        }
        try:
            due = narrator.move(scene, move, self.ruleset).as_json()
        except NarratorError as error:
            self.refuses(error.code, "move", move)
            return
        if move["type"] == "concede" and move["who"] in against:
            self.refuses("bad_request", "move", move)
            return
        entry = self.writes(chance, "move", move)
        assert (entry.kind, [each.as_json() for each in entry.changes]) == ("moved", due["changes"])
        self.goes_on(entry, due["scene"], move)

    @rule(chance=chances, text=st.sampled_from(("The bell rang twice.", "Zird owes the ferryman.", "Ask about rain.")))
    def notes(self, chance: Random, text: str) -> None:
        """A note is an entry, and the scene stays as it is."""
        text = f"{text} {len(self.entries)}."
        entry = self.writes(chance, "note", text)
        assert entry.text == text
        self.goes_on(entry, self.done[-1][1], {"detail": text})

    @rule(chance=chances)
    def undoes(self, chance: Random) -> None:
        """The scene is the one before, and the page of what was settled is open again."""
        if len(self.done) == 1:
            self.refuses("nothing_to_undo", "undo")
            return
        entry, last = self.writes(chance, "undo"), self.done.pop()
        self.undone.append(last)
        self.taken(entry, "undone", last[0], undone=True, state="open")

    @rule(chance=chances)
    def redoes(self, chance: Random) -> None:
        """The scene is the one that was taken back last, and its page is settled; nothing was written since."""
        if not self.undone:
            self.refuses("nothing_to_undo", "redo")
            return
        entry, last = self.writes(chance, "redo"), self.undone.pop()
        self.done.append(last)
        self.taken(entry, "redone", last[0], undone=False, state="settled")

    def taken(self, entry: Entry, kind: str, seq: int, undone: bool, state: str) -> None:
        """An entry was taken back or done again: it says so, and its page is what it has to be, unless it is struck."""
        of = self.entries[seq - 1]
        assert (entry.kind, entry.page) == (kind, of.get("page"))
        of["undone"], self.of[entry.seq] = undone, seq
        if entry.page and self.states[entry.page] != "struck":
            self.states[entry.page] = state

    @rule(chance=chances)
    def strikes(self, chance: Random) -> None:
        """The words are nowhere any more; the newest entry is undone without redo, of an older one the words go."""
        what = chance.choice([self.done[-1][0], *(each["seq"] for each in self.entries), *self.pages])
        if isinstance(what, int) and what not in self.brought:
            self.refuses("bad_request", "strike", what)
            return
        page = what if isinstance(what, str) else self.entries[what - 1].get("page")
        if page and self.states[page] == "struck":
            self.refuses("page_closed", "strike", what)
            return
        seqs = [each["seq"] for each in self.entries if (each["kind"], each.get("page")) == ("settled", page)]
        seqs = seqs if page else [int(what)]
        entry = self.writes(chance, "strike", what)
        assert (entry.kind, entry.page) == ("struck", page)
        parts: list[int | str] = [*seqs, *([page] if page else [])]
        was = json.dumps([bare(self.before[each]) for each in parts], ensure_ascii=False)
        new = {text for each in parts for text in self.brought[each] if not text.startswith("Struck ")}
        struck = {text for text in new if "…" not in text and any_of([text]).search(was) is None}
        if page:
            self.states[page] = "struck"
        if self.done[-1][0] in seqs:
            self.entries[self.done.pop()[0] - 1]["undone"] = True
        self.barred |= struck
        self.gone |= struck
        event("page struck" if page else "entry struck")
        for line in self.campaign.export():
            found = next((text for text in strings(json.loads(line)) if any_of(struck).search(text)), None)
            assert found is None, f"{found!r} still stands after {what} was struck, in {line}"
        for each in [*self.entries]:
            if each["seq"] in seqs or self.of.get(each["seq"]) in seqs:
                now = self.campaign.entries(each["seq"] - 1, 1)[0]
                assert (now.text, now.said, {change.text for change in now.changes} | {"…"}) == ("…", (), {"…"})
                self.entries[now.seq - 1] = {**each, "text": "…", "said": [], "changes": now.as_json()["changes"]}

    @precondition(lambda self: self.barred and "open" in self.states.values())
    @rule(chance=chances)
    def says_again(self, chance: Random) -> None:
        """Words that were struck are refused, in a choice as well."""
        name = chance.choice([name for name, state in self.states.items() if state == "open"])
        page = self.campaign.page(name)
        choice = a_choice(chance, page, self.said)
        given = [each for each in (choice or {}).get("suggestions", ()) if each.get("name")]
        if choice is None or not given or isinstance(self.judged(page, choice), str):
            return
        given[0]["name"] = chance.choice(sorted(self.barred))
        self.refuses("bad_choice", "settle", name, choice)

    @precondition(lambda self: self.keys)
    @rule(chance=chances)
    def repeats(self, chance: Random) -> None:
        """With a key that was seen, the same is the entry that it was, and anything else is refused."""
        key = chance.choice([*self.keys])
        name, given, seq = self.keys[key]
        late = {"expect_revision": self.entries[seq - 1]["revision"] - 1} if chance.random() < 0.5 else {}
        entry = getattr(self.campaign, name)(*given, key=key, **late)
        assert entry == self.campaign.entries(seq - 1, 1)[0]
        self.refuses("bad_request", "note", "Something else.", key=key)
        if name != "undo":
            self.refuses("bad_request", "undo", key=key)

    @precondition(lambda self: self.revision)
    @rule(chance=chances, what=st.sampled_from((("note", "Too late."), ("undo",), ("redo",), ("strike",))))
    def comes_late(self, chance: Random, what: tuple[str, ...]) -> None:
        """Who writes on another revision is told what was written since."""
        seen = chance.randrange(self.revision)
        error = self.refuses("stale_scene", *what, expect_revision=seen, key="late")
        assert self.same([*error.missed], [each for each in self.entries if each["revision"] > seen][:100])
        assert not self.refuses("stale_scene", *what, expect_revision=self.revision + 1).missed

    @rule(chance=chances)
    def travels(self, chance: Random) -> None:
        """What is exported and imported is the same campaign, to the last line."""
        if chance.random() < 0.3:
            lines = [*self.campaign.export()]
            copy = import_campaign(lines, Path(self.folder.name) / f"{len(list(Path(self.folder.name).iterdir()))}.n")
            assert [*copy.export()] == lines
            assert (copy.scene, copy.pages, copy.entries()) == (
                self.campaign.scene,
                self.campaign.pages,
                self.campaign.entries(),
            )

    @invariant()
    def is_as_the_model_says(self) -> None:
        """Scene, revision, entries and pages, seen by whoever has opened the file."""
        if not hasattr(self, "campaign"):
            return
        scene, entries, pages = self.campaign.scene, self.campaign.entries(0, 1000), self.campaign.pages
        assert scene.revision == self.campaign.revision == self.revision
        assert self.same(bare(scene.as_json()), bare(self.done[-1][1]))
        assert self.campaign.last == len(entries)
        assert self.same([each.as_json() for each in entries], self.entries)
        assert len(self.cards) > 500 or self.cards <= {*scene.dealt}
        assert [each.id for each in pages] == [name for name, state in self.states.items() if state == "open"]
        assert (self.other.scene, self.other.entries(0, 1000), self.other.pages) == (scene, entries, pages)
        for name in [*self.pages][self.revision % 4 :: 4]:
            page = self.other.page(name)
            assert (page.state, self.same(body_of(page), self.pages[name])) == (self.states[name], True)
        if self.barred:
            exported = "".join(self.campaign.export())
            assert not [text for text in self.barred if json.dumps(text, ensure_ascii=False) in exported]

    def same(self, told: Any, due: Any) -> bool:
        """Whether two are the same, but for texts that had struck words."""
        return bool(told == due or blanked(told, any_of(self.gone)) == blanked(due, any_of(self.gone)))


@pytest.mark.parametrize("number", [8, pytest.param(60, marks=pytest.mark.full)])
def test_a_campaign_is_what_the_model_says(number: int) -> None:
    """Whatever is done in whatever order, scenes, entries and pages are what they have to be."""
    how = settings(
        max_examples=number,
        stateful_step_count=30,
        derandomize=True,
        deadline=None,
        phases=(Phase.generate, Phase.shrink) if number > 20 else (Phase.generate,),
    )
    run_state_machine_as_test(Table, settings=how)


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    """A campaign with a small scene, in which a conflict goes on."""
    return open_campaign(tmp_path / "a.narrator", scene=SCENE | {"frame": "conflict"})


def hit(name: str) -> Json:
    """A choice for the blow: a mild consequence of this name."""
    return {"branch": "hit", "absorb": {"consequences": [{"severity": "mild", "name": name}]}}


def test_a_page_made_before_is_settled_where_nothing_that_matters_changed(campaign: Campaign) -> None:
    """It keeps its faces and comes to the same, on the newest scene."""
    page = campaign.suggest(BLOW, source="deck", over={"people": [{"name": "Bard", "side": "town"}]})
    campaign.move({"type": "aspect", "name": "Sudden Rain"})
    campaign.note("It rains.")
    entry = campaign.settle(page.id, hit("Split Lip"))

    assert campaign.page(page.id).answer.resolution == page.answer.resolution
    assert [each.name for each in campaign.scene.aspects if not each.on] == ["Torchlit Gate", "Sudden Rain"]
    assert campaign.scene.characters[-1].name == "Bard"
    assert entry.revision == campaign.revision == 3


def test_what_was_settled_is_undone_and_done_again(campaign: Campaign) -> None:
    """The page is open and then settled, the scene is the one before and the one after; a new write ends it."""
    page, scenes = campaign.suggest(BLOW, source="deck"), [bare(campaign.scene.as_json())]
    campaign.settle(page.id, hit("Split Lip"))
    scenes.append(bare(campaign.scene.as_json()))
    for turn, write in enumerate((campaign.undo, campaign.redo) * 2):
        assert write().page == page.id
        assert campaign.page(page.id).state == ("open", "settled")[turn % 2]
        assert bare(campaign.scene.as_json()) == scenes[turn % 2]
    campaign.undo()
    campaign.settle(page.id, hit("Cut Brow"))

    assert refusal(campaign.redo).code == "nothing_to_undo"


LATER: dict[str, Json] = {
    "the level is filled": {"type": "hit", "who": "Cynere", "shifts": 2, "absorb": hit("Cut Brow")["absorb"]},
    "the target has left": {"type": "leave", "who": "Cynere"},
    "the actor is out": {"type": "hit", "who": "Old Tremendor", "shifts": 9, "taken_out": True},
}


@pytest.mark.parametrize("later", LATER)
def test_a_page_that_comes_to_something_else_by_now_is_stale(campaign: Campaign, later: str) -> None:
    """It stays open, and the error tells what was written since; once that is undone, the page is settled."""
    page = campaign.suggest(BLOW, source="deck")
    campaign.move(LATER[later])
    campaign.note("Something else.")
    before = [*campaign.export()]
    error = refusal(campaign.settle, page.id, hit("Split Lip"))

    assert (error.code, error.field) == ("stale_scene", "page")
    assert [*error.missed] == [each.as_json() for each in campaign.entries(1)]
    assert ([*campaign.export()], campaign.page(page.id).state) == (before, "open")
    campaign.undo()
    campaign.undo()
    assert campaign.settle(page.id, hit("Split Lip")).page == page.id


def test_an_outcome_that_is_another_by_now_is_stale(campaign: Campaign) -> None:
    """As where the skill that was rolled is another one by now."""
    action = {"type": "overcome", "actor": "Cynere", "skill": "Fight", "roll": {"dice": [0, 0, 0, 0]}}
    page = campaign.suggest(action | {"opposition": {"kind": "passive", "rating": 2}}, source="deck")
    campaign.move({"type": "change", "who": "Cynere", "set": {"skills": {"Fight": 0}}})

    assert page.answer.resolution.outcome == "succeed"
    assert refusal(campaign.settle, page.id, {"branch": "succeed"}).code == "stale_scene"


def test_nobody_concedes_once_there_are_dice(campaign: Campaign) -> None:
    """Not while a page against them is open; anybody else may, and so may they once it is settled."""
    page = campaign.suggest(BLOW, source="deck")
    error = refusal(campaign.move, {"type": "concede", "who": "Cynere"})
    assert (error.code, error.field) == ("bad_request", "request.move.who")
    assert campaign.move({"type": "concede", "who": "Zird"}).kind == "moved"
    campaign.settle(page.id, hit("Split Lip"))

    assert any(each.type == "conceded" for each in campaign.move({"type": "concede", "who": "Cynere"}).changes)


BAD: dict[str, tuple[str, tuple[Any, ...], Json, str]] = {
    "a note that is no text": ("note", (7,), {}, "bad_request"),
    "a note that is too long": ("note", ("a" * 1_000_000,), {}, "bad_request"),
    "no move": ("move", ({},), {}, "bad_request"),
    "a move that there is not": ("move", ({"type": "dance"},), {}, "bad_request"),
    "a move of nobody": ("move", ({"type": "leave", "who": "Nobody"},), {}, "unknown_character"),
    "an empty key": ("note", ("So it is.",), {"key": ""}, "bad_request"),
    "a key that is no text": ("undo", (), {"key": 7}, "bad_request"),
    "a revision that is none": ("undo", (), {"expect_revision": "1"}, "bad_request"),
    "an option that there is not": ("note", ("So it is.",), {"keys": "a"}, "bad_request"),
    "a page that there is not": ("settle", ("p7", {"branch": "fail"}), {}, "unknown_page"),
    "no page at all": ("settle", ("seven", {"branch": "fail"}), {}, "unknown_page"),
    "a choice that is none": ("settle", ("p1", {"branches": "fail"}), {}, "bad_request"),
    "a branch that there is not": ("settle", ("p1", {"branch": "triumph"}), {}, "bad_choice"),
    "an entry that there is not": ("strike", (7,), {}, "bad_request"),
    "the beginning": ("strike", (1,), {}, "bad_request"),
    "neither entry nor page": ("strike", (True,), {}, "bad_request"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_cannot_be_written_is_refused(campaign: Campaign, what: str) -> None:
    """With its code, and the campaign stays as it was."""
    campaign.suggest(BRIBE, source="deck", seed=1)
    name, given, write, code = BAD[what]
    before = [*campaign.export()]

    assert refusal(getattr(campaign, name), *given, **write).code == code
    assert [*campaign.export()] == before


def test_what_was_struck_stays_away_once_more_is_undone(campaign: Campaign) -> None:
    """A page that is struck is not open again, whatever is taken back or done again."""
    page = campaign.suggest(BLOW, source="deck")
    entry = campaign.settle(page.id, hit("Split Lip"))
    campaign.note("Later.")
    campaign.strike(entry.seq)
    for write in (campaign.undo, campaign.undo, campaign.redo):
        write()
        assert campaign.page(page.id).state == "struck"
    assert "Split Lip" not in "".join(campaign.export())


def test_what_was_told_over_the_scene_goes_with_its_page(campaign: Campaign) -> None:
    """Also while the page is still open; the last thing is struck where nobody says what."""
    campaign.note("Later.")
    campaign.suggest(BRIBE, source="deck", over={"people": [{"name": "Bard", "side": "town"}]})
    entry = campaign.strike()

    assert (entry.page, campaign.page("p1").state) == ("p1", "struck")
    assert "Bard" not in "".join(campaign.export())
    assert campaign.strike().page is None
    assert "Later." not in "".join(campaign.export())


@pytest.mark.parametrize("times", [0, 1])
def test_words_of_a_settlement_that_was_undone_go_with_its_page(campaign: Campaign, times: int) -> None:
    """A page brought whatever was ever chosen of it, also where something else was chosen then."""
    page = campaign.suggest(BLOW, source="deck")
    campaign.settle(page.id, hit("Split Lip"))
    campaign.undo()
    for _ in range(times):
        campaign.settle(page.id, hit("Cut Brow"))
    campaign.strike(page.id)

    exported = "".join(campaign.export())
    assert "Split Lip" not in exported
    assert "Cut Brow" not in exported


def test_a_move_that_is_struck_takes_no_word_of_the_rules_with_it(campaign: Campaign) -> None:
    """What narrator itself says of other entries stays as it is."""
    campaign.move({"type": "end_conflict"})
    campaign.move({"type": "contest", "sides": {"ours": ["Cynere"], "theirs": ["Old Tremendor"]}})
    entry = campaign.move({"type": "exchange", "shifts": {"ours": 1, "theirs": 0}})
    campaign.strike(3)

    assert campaign.entries(entry.seq - 1, 1)[0].changes == entry.changes


SECRET = ("The mayor is the thief.", "Heir of Thaalor", "Burglary", "Tide of Ash", "They never asked who paid.")
ELSEWHERE = ("The Hooded Man", "gm_fate_points", "gm_carried")


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(1, 20))])
def test_players_see_nothing_that_is_for_the_gm_alone(tmp_path: Path, seed: int) -> None:
    """Neither in the scene nor in pages and entries, also once it is undone and done again."""
    chance, secrets = Random(seed), {*SECRET, *ELSEWHERE}
    npc = {"aspects": ["Heir of Thaalor"], "skills": {"Burglary": 4}, "fate_points": 2}
    people = [*SCENE["characters"][:2], SCENE["characters"][2] | npc]
    hooded = {"name": "The Hooded Man", "side": "town"}
    clock = {"name": "Tide of Ash", "boxes": 2, "secret": True}
    kept = {"facts": ["The mayor is the thief."], "gm_fate_points": 1, "gm_carried": 1, "away": [hooded]}
    campaign = open_campaign(tmp_path / "a.narrator", scene=SCENE | kept | {"characters": people, "clocks": [clock]})
    writes: list[Callable[[], object]] = [campaign.undo, campaign.redo]
    writes += [lambda: campaign.note("They never asked who paid.")]
    for move in (
        {"type": "clock", "name": "Tide of Ash", "tick": 1},
        {"type": "compel", "who": "Old Tremendor", "aspect": "Heir of Thaalor", "accepted": True},
        {"type": "pay", "who": "GM", "points": 1, "why": "They never asked who paid."},
        {"type": "change", "who": "Old Tremendor", "set": {"skills": {"Burglary": 5}}},
        {"type": "change", "who": "Old Tremendor", "set": {"aspects": ["Heir of Thaalor", "In Debt"]}},
        {"type": "change", "set": {"facts": ["The mayor is the thief.", "The gate is shut."]}},
        {"type": "leave", "who": "Old Tremendor"},
        {"type": "enter", "who": "Old Tremendor"},
    ):
        writes.append(lambda move=move: campaign.move(move))  # type: ignore[misc]
    variants = ("information", "aspect", "new_information")
    found = 0
    for turn in range(24):
        with suppress(NarratorError):
            chance.choice(writes)()
        roll = {"type": "discover", "actor": "Cynere", "variant": variants[turn % 3]}
        page = campaign.suggest(roll | {"outcome": chance.choice(("fail", "tie"))}, source="deck", per_slot=5)
        hidden = [each for each in page.answer.suggestions if each.secret]
        secrets |= {text for each in hidden for text in (each.name, each.detail, each.form) if text}
        choice = a_choice(chance, page)
        if choice is not None and chance.random() < 0.7:
            found += any(each.get("secret") for each in choice["suggestions"])
            campaign.settle(page.id, choice)
        seen = json.dumps(campaign.seen_by("players"), ensure_ascii=False)
        assert not [text for text in secrets if text in seen]

    assert found
    everything = json.dumps(campaign.seen_by("gm"), ensure_ascii=False)
    assert all(text in everything for text in ("The mayor is the thief.", "Tide of Ash", '"secret": true'))
    assert refusal(campaign.seen_by, "nobody").code == "bad_request"


def evening(campaign: Campaign) -> Iterator[tuple[str, tuple[Any, ...], Json]]:
    """An evening's calls by their names, each in the campaign that those before led to."""
    told = {"source": "deck", "seed": 4, "per_slot": 2}
    yield "suggest", (BRIBE,), told
    yield "settle", ("p1", a_choice(Random(1), campaign.page("p1"))), {"key": "first"}
    yield "undo", (), {"expect_revision": campaign.revision}
    yield "redo", (), {}
    yield "stream", (BLOW,), told
    yield "settle", ("p2", hit("Split Lip")), {}
    yield "move", ({"type": "aspect", "name": "Sudden Rain"},), {"key": "second"}
    yield "note", ("It rains.",), {"key": "second"}
    yield "note", ("It rains.",), {"expect_revision": 0}
    yield "note", ("It rains.",), {}
    yield "strike", (campaign.last - 1,), {}
    yield "strike", (), {}
    yield "undo", (), {}


def told_of(result: object) -> Any:
    """What a call gave, without the moment that it was given at."""
    if isinstance(result, NarratorError):
        return result.as_json()["error"]["code"]
    if isinstance(result, list):
        return [told_of(each) for each in result]
    assert hasattr(result, "as_json")
    return {name: each for name, each in result.as_json().items() if name not in ("at", "usage")}


def test_without_blocking_all_is_the_same(tmp_path: Path) -> None:
    """Each call beside the loop gives what the blocking one gives, and leads to the same campaign."""

    async def listed(events: AsyncIterator[object]) -> list[object]:
        return [event async for event in events]

    def played(name: str, is_async: bool) -> tuple[list[Any], Json]:
        campaign, given = open_campaign(tmp_path / name, "a", scene=SCENE | {"frame": "conflict"}), []
        for call, args, named in evening(campaign):
            made: Any = getattr(campaign, "a" * is_async + call)
            try:
                if not is_async:
                    result = [*made(*args, **named)] if call == "stream" else made(*args, **named)
                elif call == "stream":
                    result = asyncio.run(listed(made(*args, **named)))
                else:
                    result = asyncio.run(made(*args, **named))
            except NarratorError as error:
                result = error
            given.append(told_of(result))
        seen = campaign.seen_by("gm")
        return given, seen | {"entries": [told_of(each) for each in campaign.entries()]}

    blocking, beside = played("blocking.narrator", False), played("beside.narrator", True)
    assert blocking == beside
    assert [each for each in blocking[0] if isinstance(each, str)] == ["bad_request", "stale_scene"]
