"""A deck made of notes by a model: what it costs, what becomes of it, and how it goes on where it was stopped."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

import narrator
from narrator.deck.deck import OWN_CARD
from narrator.deck_maker.plan import EXAMPLE
from tests.deck_making.running import CALLS, CARDS, deck_of, journal_of, make, words_for
from tests.deck_making.writer import cards_for, saying, writes
from tests.interfaces.running import refusal, run
from tests.leaping import DEADLINE, leap
from tests.scripted_server import Reply, ScriptedServer, Wire, error

WORDS = ("The winter fleet comes in without its crew", "Seven men row out to meet an empty hull")


@pytest.fixture
def unbroken(notes: Path) -> bytes:
    """The deck of a run that nothing stopped."""
    ended, _ = make(notes, *[writes] * CALLS)
    assert ended.code == 0
    return deck_of(notes).read_bytes()


def test_a_deck_is_made_that_deck_check_finds_nothing_wrong_with(notes: Path, unbroken: bytes) -> None:
    """As many cards as were asked for, of many forms, each about what the notes name."""
    cards = narrator.load_deck(deck_of(notes)).cards
    assert len(cards) == CARDS
    assert len({card.form for card in cards}) > 8
    assert {card.about for card in cards} == {("Greywater",)}
    assert run("deck", "check", str(deck_of(notes))).code == 0
    assert not journal_of(notes).exists()


def test_the_cost_is_said_before_and_holds(notes: Path) -> None:
    """Calls, and tokens in and out, by model and host: a model that writes nothing amiss is asked just so often."""
    ended, server = make(notes, *[writes] * CALLS, more=("--yes", "--cards", "10"))
    said = " ".join(ended.err.split())
    assert f"written by tiny at {server.address}: 1 call, or up to 3" in said
    told = re.search(r"about ([\d,]+) tokens in and ([\d,]+) out", said)
    assert told is not None
    told_in, told_out = (int(number.replace(",", "")) for number in told.groups())
    sent = sum(len(each["content"]) for each in server.requests[0].body["messages"]) // 4
    assert sent <= told_in <= 2 * sent
    assert told_out == 800
    assert len(server.requests) == 1


@pytest.mark.parametrize(("answer", "is_made"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_on_a_terminal_it_asks_before_anything_is_sent(
    answer: str, is_made: bool, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever does not say yes has spent nothing, and no file is left."""
    monkeypatch.setattr("narrator.cli.commands.deck._is_somebody_here", lambda: True)
    with ScriptedServer(*[writes] * CALLS) as server:
        ended = run(*words_for(notes, server), given=answer)
    assert "Go on? [y/N]" in ended.err
    assert (ended.code == 0, bool(server.requests), deck_of(notes).exists()) == (is_made, is_made, is_made)
    assert not journal_of(notes).exists()


def test_without_a_terminal_it_wants_yes(notes: Path) -> None:
    """It says what to type, and sends nothing."""
    ended, server = make(notes, writes, more=())
    assert (ended.code, server.requests) == (1, [])
    assert "--yes" in ended.err.splitlines()[-1]
    assert not journal_of(notes).exists()


@pytest.mark.full
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999, 1.0])
def test_a_journal_cut_anywhere_loses_and_doubles_nothing(
    share: float, notes: Path, unbroken: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever part of its last line was written, and stopped once more after that: what is whole counts, and only what
    is missing is asked.
    """
    deck_of(notes).unlink()
    with monkeypatch.context() as patch:
        patch.setattr("narrator.cli.commands.deck._write", lambda *_: sys.exit(9))  # it dies before it writes
        ended, server = make(notes, *[writes] * CALLS)
    assert ended.code == 9
    whole = journal_of(notes).read_bytes()
    journal_of(notes).write_bytes(whole[: int(len(whole) * share)])
    kept = whole[: int(len(whole) * share)].count(b"\n")
    missing = len(server.requests) - max(0, kept - 1)
    if missing > 1:
        assert make(notes, writes, error(401))[0].code == 1
        missing -= 1
    ended, again = make(notes, *[writes] * CALLS)
    assert (ended.code, len(again.requests)) == (0, missing)
    assert deck_of(notes).read_bytes() == unbroken


@pytest.mark.parametrize(
    ("more", "field"),
    [(("--cards", "41"), "cards"), (("--model", "other"), "model"), (("--language", "de"), "language"), ((), "notes")],
)
def test_the_journal_of_another_run_is_refused(more: tuple[str, ...], field: str, notes: Path) -> None:
    """With what differs, what it was begun with, and what to do; it is left as it is."""
    make(notes, writes, error(401))
    before = journal_of(notes).read_bytes()
    if field == "notes":
        notes.write_text("Other notes.", "utf-8")
    ended, server = make(notes, *[writes] * CALLS, more=("--yes", *more))
    assert (ended.code, server.requests) == (1, [])
    assert f"bad_request: {field}: " in ended.err
    assert "delete the file to start again" in ended.err
    assert journal_of(notes).read_bytes() == before


@pytest.mark.parametrize("line", ["nonsense", "[]", "{}", '{"made": []}'])
def test_a_journal_that_somebody_broke_is_refused(line: str, notes: Path) -> None:
    """By its line."""
    make(notes, writes, error(401))
    with journal_of(notes).open("a") as file:
        file.write(f"{line}\n")
    ended, server = make(notes, *[writes] * CALLS)
    assert (ended.code, server.requests) == (1, [])
    assert f"{journal_of(notes)}:3: " in ended.err


def test_a_server_that_fails_is_told_of_and_gone_on_with(notes: Path, unbroken: bytes) -> None:
    """The reason, and that nothing is lost."""
    deck_of(notes).unlink()
    ended, _ = make(notes, writes, writes, error(401))
    assert ended.code == 1
    assert "no_words: the key is missing or was not accepted (HTTP 401)" in ended.err
    assert "run the same command to continue" in ended.err
    assert not deck_of(notes).exists()
    assert make(notes, *[writes] * CALLS)[0].code == 0
    assert deck_of(notes).read_bytes() == unbroken


def test_where_nothing_is_kept_no_file_is_named(notes: Path) -> None:
    """The reason alone: there is nothing to go on with."""
    ended, _ = make(notes, error(401))
    assert "(HTTP 401); no card was made yet" in ended.err
    assert journal_of(notes).name not in ended.err


@pytest.mark.full
@pytest.mark.parametrize(("before", "kept"), [(2, "20 of 40 cards are kept in"), (0, "no card was made yet")])
def test_ctrl_c_says_how_to_go_on(before: int, kept: str, notes: Path) -> None:
    """The command ends at once, without a traceback, and keeps what it has."""
    running: list[subprocess.Popen[bytes]] = []

    def interrupt(wire: Wire) -> None:
        running[0].send_signal(signal.SIGINT)
        wire.hang()

    with ScriptedServer(*[writes] * before, interrupt) as server:
        command = [sys.executable, "-m", "narrator", *words_for(notes, server, "--yes")]
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ)))
        out, err = running[0].communicate(timeout=DEADLINE)
    assert (running[0].returncode, out) == (130, b"")
    assert err.decode().splitlines()[-1].startswith(f"narrator: stopped; {kept}")


def test_a_model_that_writes_nothing_usable_is_asked_five_times(notes: Path) -> None:
    """Then it is over, with the reasons; nothing is left that would be gone on with."""
    bad = {**EXAMPLE, "about": [], "detail": "{actor} takes 2 stress."}
    ended, server = make(notes, *[saying(bad, "nonsense", {**EXAMPLE, "form": "weather"})] * CALLS)
    assert (ended.code, len(server.requests)) == (1, 5)
    assert "no card was accepted: the last 5 answers had no usable card" in ended.err
    assert "5 mechanics_in_text" in ended.err
    assert list(notes.parent.iterdir()) == [notes]


def test_a_model_that_dries_up_leaves_what_there_is(notes: Path) -> None:
    """A deck with fewer cards, and why."""
    ended, server = make(notes, writes, writes, *[Reply("I am out of ideas.")] * CALLS)
    assert (ended.code, len(server.requests)) == (0, 7)
    number = len(narrator.load_deck(deck_of(notes)).cards)
    assert 10 < number <= 20
    assert f"{number} instead of 40: the last 5 answers had no usable card" in ended.out


def test_a_budget_ends_it_with_what_there_is(notes: Path) -> None:
    """As many tokens as were allowed, those of a run before counted in."""
    make(notes, writes, error(401))
    used = 210 + 42
    ended, server = make(notes, *[writes] * CALLS, more=("--yes", "--max-tokens", str(used + 2_500)))
    assert ended.code == 0
    assert 0 < len(server.requests) < 5
    assert "the token budget is used up" in ended.out


def test_what_was_whole_before_an_answer_broke_off_counts(notes: Path) -> None:
    """The first of two cards, when the connection breaks in the second."""
    text = json.dumps({"suggestions": [{**EXAMPLE, "name": "Nine Days Late", "detail": f"{word}."} for word in WORDS]})
    broken = Reply(text, after=len(text) - 40, pieces=20, then=Wire.reset)
    ended, _ = make(notes, broken, *[Reply("")] * CALLS)
    assert ended.code == 0
    assert [card.detail for card in narrator.load_deck(deck_of(notes)).cards] == [f"{WORDS[0]}."]


def test_a_server_that_says_nothing_is_left_in_the_end(notes: Path) -> None:
    """And told of; what there was before is kept."""

    def hangs(wire: Wire) -> None:
        leap()
        wire.hang()

    ended, _ = make(notes, writes, hangs)
    assert ended.code == 1
    assert "no answer in 300 seconds; 10 of 40 cards are kept" in ended.err


def test_a_card_of_the_tables_own_decks_is_not_made_again(
    notes: Path, unbroken: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies in the config folder is known before."""
    decks = notes.parent / "config" / "decks"
    decks.mkdir(parents=True)
    deck_of(notes).rename(decks / "greywater.toml")
    monkeypatch.setenv("NARRATOR_CONFIG", str(decks.parent))
    ended, _ = make(notes, *[writes] * CALLS)
    assert ended.code == 0
    details = [
        {card.detail for card in narrator.load_deck(each).cards} for each in (decks / "greywater.toml", deck_of(notes))
    ]
    assert details[0].isdisjoint(details[1])


def test_an_existing_deck_is_never_written_over(notes: Path) -> None:
    """Nor is anybody asked: the error says what to do."""
    deck_of(notes).write_text("mine", "utf-8")
    ended, server = make(notes, *[writes] * CALLS)
    assert (ended.code, server.requests) == (1, [])
    assert "--out: " in ended.err
    assert "move it, or name another" in ended.err
    assert deck_of(notes).read_text("utf-8") == "mine"
    other = notes.parent / "other.toml"
    assert make(notes, *[writes] * CALLS, more=("--yes", "--out", str(other)))[0].code == 0
    assert len(narrator.load_deck(other).cards) == CARDS


@pytest.mark.parametrize("has_links", [True, False])
def test_a_deck_that_came_to_be_meanwhile_is_not_written_over(
    has_links: bool, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stays, the cards are kept, and once it is moved the same command writes them and asks nobody."""
    if not has_links:
        monkeypatch.setattr(os, "link", lambda *_: _no_links())

    def meanwhile(wire: Wire) -> None:
        deck_of(notes).write_text("mine", "utf-8")
        writes(wire)

    ended, _ = make(notes, meanwhile, *[writes] * CALLS)
    assert ended.code == 1
    assert f"a file exists there now; {CARDS} of {CARDS} cards are kept in {journal_of(notes)}" in ended.err
    assert deck_of(notes).read_text("utf-8") == "mine"
    deck_of(notes).unlink()
    ended, server = make(notes)
    assert (ended.code, server.requests) == (0, [])
    assert len(narrator.load_deck(deck_of(notes)).cards) == CARDS
    assert {*notes.parent.iterdir()} == {notes, deck_of(notes)}


def _no_links() -> None:
    raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))


@pytest.mark.parametrize("out", ["", "/", "nowhere/deck.toml"])
def test_a_deck_that_cannot_be_written_is_refused_before_anything_is_asked(out: str, notes: Path) -> None:
    """By the option."""
    ended, server = make(notes, *[writes] * CALLS, more=("--yes", "--out", out))
    assert (ended.code, server.requests) == (1, [])
    assert "--out: " in ended.err


def test_made_cards_are_dealt_before_others_in_a_scene_of_that_setting(notes: Path, unbroken: bytes) -> None:
    """In whichever deal: as many of a form as the deck that was made has for what is done, and then what is left."""
    deck = narrator.load_deck(deck_of(notes))
    scene = {
        "summary": "Low tide in Greywater, at the tally house.",
        "characters": [{"name": "Cynere", "importance": "pc", "side": "pc"}, {"name": "Mother Quill", "side": "town"}],
    }
    seen = set[str]()
    for intent, family in (("climb the chimney", "body"), ("persuade the clerk", "talk"), ("sneak past", "stealth")):
        made = Counter(card.form for card in deck.cards if family in card.activities)
        for outcome, deal in product(("fail", "tie", "succeed_with_style"), range(5)):
            action = {"type": "overcome", "actor": "Cynere", "intent": intent, "outcome": outcome}
            told = {"scene": scene, "action": action, "deal": deal}
            dealt = narrator.suggest(told, source="deck", decks=[deck]).suggestions
            own = Counter(each.form for each in dealt if (each.card or "").startswith(OWN_CARD))
            forms = Counter(each.form for each in dealt)
            assert own == forms & made
            seen |= own.keys()
    assert len(seen) > 3


def test_without_notes_and_a_model_no_deck_is_made(notes: Path) -> None:
    """The deck makes none, standard input has no name that one could be called by, and nobody is asked for nothing."""
    for named in ((), ("--model", "deck")):
        assert "NARRATOR_MODEL" in refusal("deck", "make", str(notes), *named, "--yes")
    assert "NOTES.md: name a file" in refusal("deck", "make", "-", "--model", "tiny", "--yes", given="# Greywater")
    nothing = "these notes have no words"
    for text, told in ((b"", nothing), (b"# \n\n***\n", nothing), (b"a\n\xff", "notes.md:2: this is not UTF-8")):
        notes.write_bytes(text)
        assert told in refusal("deck", "make", str(notes), "--model", "tiny", "--yes")


def test_a_call_says_what_is_there_and_what_was_wrong(notes: Path) -> None:
    """So that a model neither repeats a card nor a mistake; it is bounded, however many there are."""
    wrong = {**EXAMPLE, "name": "Two Stress More", "detail": "{actor} takes 2 stress."}

    def writes_and_errs(wire: Wire) -> None:
        content = json.loads(wire.received.body["messages"][-1]["content"])
        saying(wrong, *cards_for(content))(wire)

    _, server = make(notes, *[writes_and_errs] * CALLS, more=("--yes", "--cards", "120"))
    first, second, *_, last = (json.loads(each.body["messages"][-1]["content"]) for each in server.requests)
    assert "already_said" not in first
    assert "states a mechanic" in second["refused"][0]
    assert 0 < len(second["already_said"]) <= 10
    assert len(last["already_said"]) > 30
    assert len(json.dumps(last["already_said"])) < 11_000


def test_the_example_is_a_card_that_would_pass(tmp_path: Path) -> None:
    """What a model is shown is what it is asked for."""
    shown = {name: value for name, value in EXAMPLE.items() if name != "opponent"}
    fields = ", ".join(f"{name} = {json.dumps(value)}" for name, value in shown.items())
    file = tmp_path / "example.toml"
    file.write_text(f"cards = [{{ {fields} }}]", "utf-8")
    assert run("deck", "check", str(file)).code == 0
