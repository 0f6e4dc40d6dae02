"""The letters and numbers of a page: what is printed is what may be chosen, and means one thing."""

import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from string import ascii_lowercase

import pytest
from hypothesis import example, given, strategies as st

import narrator
from narrator.errors import NarratorError
from narrator.render.labels import Labels, labels, pick, what_is_wanted
from narrator.rules.resolve.resolution import Branch, Resolution
from narrator.rules.settle.suggestion import Suggestion
from tests.render.answers import answers
from tests.rows import ROWS, Asking


def pages(row: Asking) -> Iterator[tuple[Resolution, tuple[Suggestion, ...], Labels]]:
    """The same, labelled."""
    for answer in answers(row):
        yield answer.resolution, answer.suggestions, labels(answer.resolution, answer.suggestions)


def choices(branch: Branch, labelled: Labels) -> list[list[int]]:
    """Each set of numbers that a branch may be chosen with: one of each list, and last those without harm worded."""
    made: list[list[int]] = [[]]
    for slot in branch.slots:
        more = [[*before, number] for before in made for number in labelled.of_slot(slot.id)]
        made = [*more, *made] if slot.kind == "consequence" else more
    return made


def refused(text: str, labelled: Labels) -> NarratorError:
    """Choose what is not there."""
    with pytest.raises(NarratorError) as caught:
        pick(text, labelled)
    assert (caught.value.code, caught.value.field) == ("bad_choice", "choice")
    return caught.value


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_each_branch_has_a_letter_and_each_suggestion_a_number_of_its_own(row: Asking) -> None:
    """All of them, in the order of the page; a number counts through the whole page."""
    for resolution, suggestions, labelled in pages(row):
        assert list(labelled.branches.values()) == list(resolution.branches)
        assert all(letter in ascii_lowercase for letter in labelled.branches)
        assert list(labelled.suggestions) == list(range(1, len(suggestions) + 1))
        assert sorted(map(str, labelled.suggestions.values())) == sorted(map(str, suggestions))


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_what_is_printed_can_be_chosen_and_is_what_comes_back(row: Asking) -> None:
    """Each letter with one number of each of its lists, in any order, gives that branch and those suggestions."""
    for _, _, labelled in pages(row):
        for letter, branch in labelled.branches.items():
            for numbers in choices(branch, labelled):
                chosen = {str(labelled.suggestions[number]) for number in numbers}
                typed = letter + ",".join(map(str, numbers))
                backwards = f" {letter.upper()} " + " ".join(map(str, reversed(numbers)))
                for text in (typed, backwards):
                    picked, suggestions, own = pick(text, labelled)
                    assert (picked, {str(each) for each in suggestions}, own) == (branch, chosen, None)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_nothing_but_one_of_each_list_is_taken(row: Asking) -> None:
    """One too few but of harm, one too many, one of another list and one not there are refused with what is wanted."""
    for _, _, labelled in pages(row):
        for letter, branch in labelled.branches.items():
            numbers, own = choices(branch, labelled)[0], "words of your own" if branch.slots else "no number"
            others = [number for number in labelled.suggestions if number not in numbers]
            wrong = [[*numbers, len(labelled.suggestions) + 1], [*numbers, 0], *([*numbers, each] for each in others)]
            needed = [number for number in numbers if labelled.suggestions[number].kind != "consequence"]
            wrong += [[each for each in numbers if each != needed[-1]]] if needed else []
            for each in wrong:
                said = refused(letter + ",".join(map(str, each)), labelled)
                assert said.message.endswith(f"{letter} needs {what_is_wanted(labelled, branch) or own}")


def test_a_branch_of_two_lists_says_so() -> None:
    """A roar that failed wants an aspect and a consequence; each list is named by its numbers."""
    row = next(each for each in ROWS if str(each) == "war-of-ashes create_advantage roar fail")
    _, _, labelled = next(pages(row))
    (branch,) = labelled.branches.values()

    assert [list(labelled.of_slot(slot.id)) for slot in branch.slots] == [[1, 2, 3], [4, 5, 6]]
    assert what_is_wanted(labelled, branch) == "one of 1-3 and one of 4-6"


def test_words_for_harm_are_only_wanted_where_it_is_taken() -> None:
    """A branch says which list is which, and is chosen without that one as well."""
    row = next(each for each in ROWS if str(each) == "five-actions attack succeed_with_style")
    _, _, labelled = next(pages(row))
    hit, less = labelled.branches.values()

    assert what_is_wanted(labelled, hit) == "for a consequence one of 1-3"
    assert what_is_wanted(labelled, less) == "one of 4-6, and for a consequence one of 1-3"
    assert [len(pick(text, labelled)[1]) for text in ("h", "h2", "i4", "i4,2")] == [0, 1, 1, 2]


FAILED = {"action": {"type": "overcome", "actor": "Ann", "outcome": "fail"}, "seed": 1}


@cache
def failed() -> Labels:
    """The page of a failure: `f`, and `s` with three costs."""
    answer = narrator.suggest(FAILED, source="deck")
    return labels(answer.resolution, answer.suggestions)


@pytest.mark.parametrize("text", ["", " ", "1", "x", "x1", "s1s2", "f f", "fail", "s1x", "-s1", "é", "ß1", "s:1"])
def test_a_letter_that_is_not_there_is_refused_with_those_there_are(text: str) -> None:
    """The message says the page's letters; none need be a whole choice, so `allowed` is left out."""
    error = refused(text, failed())

    assert (error.message.endswith("letters: f, s"), error.allowed) == (True, None)


def test_one_suggestion_alone_is_named_by_its_number() -> None:
    """No span where there is nothing to span."""
    answer = narrator.suggest(FAILED | {"per_slot": 1}, source="deck")
    labelled = labels(answer.resolution, answer.suggestions)

    assert refused("s", labelled).message.endswith("s needs one of 1")


def test_where_there_are_no_words_a_branch_that_wants_some_wants_ones_own() -> None:
    """Nobody is told that it wants no number: with a number or without, the words are missing."""
    labelled = labels(narrator.resolve(FAILED), ())

    assert pick("f", labelled)[0].id == "fail"
    for text in ("s", "s1"):
        assert refused(text, labelled).message.endswith("s needs words of your own")


def test_words_of_ones_own_stand_for_a_number() -> None:
    """Of a form that the branch allows: then no number is wanted for its list, and the slot comes back."""
    branch, chosen, own = pick("s", failed(), "consequence")

    assert (branch.id, chosen, own and own.id) == ("serious_cost", (), "serious_cost")
    for text, form in (("s1", "consequence"), ("s", "boost"), ("f", "consequence")):
        with pytest.raises(NarratorError) as caught:
            pick(text, failed(), form)
        assert (caught.value.code, caught.value.field) == ("bad_choice", "form")


def test_a_house_ruleset_may_name_its_branches_as_it_likes() -> None:
    """Capitals, and letters that few keyboards have: each branch still has a letter that can be typed."""
    resolution = narrator.resolve(FAILED)
    branch = resolution.branches[0]
    named = tuple(branch.model_copy(update={"id": name}) for name in ("Fail", "échec", "ÉCHEC", "逃走", "fff", "***"))
    labelled = labels(resolution.model_copy(update={"branches": named}), ())

    assert [pick(letter, labelled)[0].id for letter in labelled.branches] == [each.id for each in named]


@given(st.text(max_size=30) | st.text("fs0123456789,;+ \n", max_size=30))
@example("s" + "9" * 5_000)
@example("s²")
@example("s٢")
def test_no_text_raises_anything_else(text: str) -> None:
    """Whatever is typed is a choice of the page, or refused as none."""
    with suppress(NarratorError):
        branch, chosen, _ = pick(text, failed())
        assert len(chosen) == len(branch.slots)


def test_a_long_text_is_refused_at_once() -> None:
    """However it goes on after many digits, nobody waits for it."""
    before = time.process_time()
    refused("s" + "1" * 5_000 + "x", failed())

    assert time.process_time() - before < 5
