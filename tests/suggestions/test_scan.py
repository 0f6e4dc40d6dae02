"""The scanner: suggestions out of whatever text a model wraps them in, the moment they close."""

import json
import tracemalloc
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise, repeat

import pytest
from hypothesis import given, strategies as st

from narrator.suggestions.pipeline.scanner import DEEPEST, LONGEST, Scanner
from tests.scripted_server import PROSE, fenced, suggestions, thinking

ONE, TWO, THREE = {"n": 1}, {"n": 2}, {"n": 3}
WHOLE = suggestions(ONE, TWO, THREE)
AWKWARD: dict[str, object] = {"name": 'Brace } and ] and "quoted" and \\', "deep": [{"a": [1]}]}
AWKWARD |= {"detail": '<think>{"n": 9}</think> ```json'}


def scan(pieces: Iterable[str]) -> list[object]:
    """All that comes out of a text in these pieces."""
    scanner = Scanner()
    return [found for piece in pieces for found in scanner.feed(piece)]


def cut(text: str, places: Iterable[int]) -> list[str]:
    """The text in pieces, cut at these places."""
    edges = [0, *sorted(places), len(text)]
    return [text[start:end] for start, end in pairwise(edges)]


TEXTS: dict[str, tuple[str, list[object]]] = {
    "as asked for": (WHOLE, [ONE, TWO, THREE]),
    "spread over lines": (json.dumps({"suggestions": [ONE, TWO]}, indent=2), [ONE, TWO]),
    "an empty list": ('{"suggestions": []}', []),
    "nothing": ("", []),
    "null": ("null", []),
    "a fence": (fenced(WHOLE), [ONE, TWO, THREE]),
    "thoughts before": (thinking(WHOLE), [ONE, TWO, THREE]),
    "thoughts whose beginning was not sent": (
        f'{{"n": 0}} or {{"n": 9}}?\n</think>{suggestions(TWO)}',
        [{"n": 0}, {"n": 9}, TWO],
    ),
    "thoughts between": (f"{suggestions(ONE)}<think>{suggestions(THREE)}</think>{suggestions(TWO)}", [ONE, TWO]),
    "thoughts with an open brace": (f'<think>so {{"suggestions": [{{ hmm</think>{WHOLE}', [ONE, TWO, THREE]),
    "thoughts behind an open bracket": (
        f'Ideas [so far] and [more <think>{{"n": 9}}</think>{WHOLE}',
        [ONE, TWO, THREE],
    ),
    "thoughts without end": (f"<think>{WHOLE}", []),
    "signs that are no thoughts": (f"a < b <thin <thinker> <th{WHOLE}", [ONE, TWO, THREE]),
    "a bare array": (json.dumps([ONE, TWO]), [ONE, TWO]),
    "an object alone": (json.dumps(ONE), [ONE]),
    "an object a line": (f"{json.dumps(ONE)}\n{json.dumps(TWO)}\n", [ONE, TWO]),
    "a second document": (suggestions(ONE) + suggestions(TWO), [ONE, TWO]),
    "a word before the list": ('{"thoughts": "Hm [1] {2}", "suggestions": [{"n": 1}, {"n": 2}]}', [ONE, TWO]),
    "a word behind the list": ('{"suggestions": [{"n": 1}, {"n": 2}], "note": "that is all"}', [ONE, TWO]),
    "prose alone": (PROSE, []),
    "prose with marks": (f'It\'s "good", 3 > 2 (see [1]); said \\"I\\": {WHOLE} Well?', [ONE, TWO, THREE]),
    "an odd quotation mark before": (f'A 6" gap: {WHOLE}', [ONE, TWO, THREE]),
    "an open bracket before": (f"A list [ as follows: {WHOLE}", [ONE, TWO, THREE]),
    "an open brace before": (f"A set {{ as follows: {WHOLE}", [ONE, TWO, THREE]),
    "closing brackets before": (f"}} ]] }} {WHOLE}", [ONE, TWO, THREE]),
    "signs in the words": (suggestions(AWKWARD, ONE), [AWKWARD, ONE]),
    "escapes to the end of a string": (
        r'[{"a": "\\"}, {"a": "\\\""}, {"a": "\u00e4\n"}]',
        [{"a": "\\"}, {"a": '\\"'}, {"a": "ä\n"}],
    ),
    "an object without a comma": ('[{"n": 1}, {"n": 2 "m": 3}, {"n": 3}]', [ONE, '{"n": 2 "m": 3}', THREE]),
    "an object in single quotes": ("[{'n': 1}, {\"n\": 2}]", ["{'n': 1}", TWO]),
    "a comma too many": ('{"suggestions": [{"n": 1}, {"n": 2},], }', [ONE, TWO]),
    "a line break in the words": ('[{"n": "a\nb"}, {"n": 2}]', ['{"n": "a\nb"}', TWO]),
    "an answer that breaks off": (WHOLE[:-8], [ONE, TWO]),
    "an answer that breaks off in a word": ('{"suggestions": [{"n": 1}, {"n": "tw', [ONE]),
    "a list that is none": ('{"suggestions": "none"}', [{"suggestions": "none"}]),
    "objects within": ('[{"n": {"suggestions": [{"n": 1}]}}]', [{"n": {"suggestions": [ONE]}}]),
    "brackets without end": ("[" * 10_000 + "]" * 10_000 + WHOLE, [ONE, TWO, THREE]),
    "letters beyond": (suggestions({"n": "Ж\u2028👍\x85"}), [{"n": "Ж\u2028👍\x85"}]),
}


@pytest.mark.parametrize(("text", "found"), TEXTS.values(), ids=TEXTS)
def test_finds_what_is_there(text: str, found: list[object]) -> None:
    """Every object that is well formed comes out, whatever stands around it, and wherever the text is cut."""
    assert found == scan([text])
    assert found == scan(text)
    if len(text) < 1_000:
        assert {place: got for place in range(len(text)) if (got := scan(cut(text, [place]))) != found} == {}


SIGNS = st.sampled_from(
    ["[", "]", "{", "}", '"', "\\", ":", ",", " ", "a", "<", "<think>", "</think>", '{"n": 1}', '{"suggestions": [']
)


@given(st.lists(SIGNS, max_size=30).map("".join), st.lists(st.integers(0, 300), max_size=8))
def test_cutting_never_matters(text: str, places: list[int]) -> None:
    """Whatever the text and wherever it is cut, the same comes out as from the text in one piece."""
    assert scan([text]) == scan(cut(text, [place % (len(text) + 1) for place in places])) == scan(text)


@given(st.text(max_size=300))
def test_takes_any_text(text: str) -> None:
    """No text makes the scanner raise, and what it hands over is an object or the text of one."""
    assert [found for found in scan([text]) if not isinstance(found, dict | str)] == []


def test_hands_over_at_the_closing_brace() -> None:
    """A suggestion comes with the very character that closes it, not when the answer ends."""
    scanner = Scanner()
    told = [place for place, char in enumerate(WHOLE) if scanner.feed(char)]
    assert [place for place, char in enumerate(WHOLE) if char == "}"][:3] == told


@pytest.mark.parametrize("size", [LONGEST - 100, LONGEST + 100, 3 * LONGEST])
@pytest.mark.parametrize("piece", [10, 1_000, 10 * LONGEST])
def test_long_objects_fare_alike_however_they_come(size: int, piece: int) -> None:
    """Whether an object is too long to be read does not hang on the pieces it comes in, and the next one is found."""
    giant = {"n": "x" * size}
    text = suggestions(giant, ONE)
    expected = [giant, ONE] if size < LONGEST else [ONE]
    assert expected == scan(text[start : start + piece] for start in range(0, len(text), piece))


@pytest.mark.parametrize(("depth", "expected"), [(DEEPEST - 4, 2), (DEEPEST + 4, 1), (5_000, 1)])
def test_deep_objects_are_let_go(depth: int, expected: int) -> None:
    """Brackets beyond the limit cost the object that holds them and no other."""
    text = f'[{{"n": {"[" * depth}{"]" * depth}}}] {json.dumps(ONE)}'
    assert expected == len([found for found in scan([text]) if isinstance(found, dict)])


IN_A_WORD = '{"suggestions": [{"name": "'
ENDLESS = {
    "prose": ("", "And then, and then, "),
    "escapes": ("", "\\"),
    "brackets": ("", "["),
    "objects": ("", '{"a":'),
    "lists of lists": ("", "[[],"),
    "signs": ("", "<"),
    "quotation marks": ("", '"'),
    "thoughts": ("<think>", "Hm. "),
    "a word": (IN_A_WORD, "x"),
    "escapes in a word": (IN_A_WORD, "\\"),
    "brackets in a word": (IN_A_WORD, "["),
}


@pytest.mark.full
@pytest.mark.parametrize(("opening", "text"), ENDLESS.values(), ids=ENDLESS)
def test_memory_is_bounded(opening: str, text: str) -> None:
    """Of an answer without end no more is kept than of its longest object."""

    def pieces() -> Iterator[str]:
        yield opening
        yield from islice(repeat(text * (2_000 // len(text))), 60)

    def most() -> int:
        scanner = Scanner()
        tracemalloc.start()
        try:
            for piece in pieces():
                scanner.feed(piece)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    # What threads of other tests take meanwhile is traced as well.
    assert any(most() < 5 * LONGEST for _ in range(5))
