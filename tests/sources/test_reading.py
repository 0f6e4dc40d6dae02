"""The readers of what a server says: one answer in every cut of its bytes, and no nonsense that gets through."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st

from narrator.rules.json_text import Json
from narrator.sources.response import LONGEST_ANSWER, LONGEST_LINE, Completion, Reader, Response
from narrator.suggestions.source.protocol import MOST_TOKENS, SourceError, Tokens

WORDS = ("Nasenbär ", "über \u2028", "Bord 🦡", "\n\n")
TEXT = "".join(WORDS)
USED = Tokens(input=612, cached=512, output=148)

CHAT_USAGE: Json = {"prompt_tokens": 612, "completion_tokens": 148, "prompt_tokens_details": {"cached_tokens": 512}}
USAGE: Json = {"input_tokens": 612, "output_tokens": 148, "input_tokens_details": {"cached_tokens": 512}}


def chunk(delta: Json, finish_reason: str | None = None, **more: Any) -> Json:
    """A chunk of a chat completion."""
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}], **more}


def delta(words: str) -> Json:
    """A few more words of a response."""
    return {"type": "response.output_text.delta", "output_index": 1, "content_index": 0, "delta": words}


MESSAGE: Json = {
    "type": "message",
    "content": [{"type": "output_text", "text": TEXT[:9]}, {"type": "output_text", "text": TEXT[9:]}],
}
THOUGHT: Json = {"type": "reasoning", "summary": [], "content": [{"type": "output_text", "text": "Hmm."}]}
RESPONSE: Json = {"output": [THOUGHT, MESSAGE], "status": "completed", "usage": USAGE, "error": None}

CHAT_EVENTS: list[Json] = [
    chunk({"role": "assistant", "content": ""}, usage=None),
    chunk({"reasoning_content": "Hmm."}),
    *(chunk({"content": words}) for words in WORDS),
    {"choices": [{"index": 1, "delta": {"content": "another choice"}}]},
    chunk({}, "stop"),
    {"choices": [], "usage": CHAT_USAGE},
]
EVENTS: list[Json] = [
    {"type": "response.created", "response": {"status": "in_progress", "output": [], "error": None, "usage": None}},
    {"type": "response.output_item.added", "item": {"type": "reasoning"}},
    {"type": "response.reasoning_text.delta", "delta": "Hmm."},
    {"type": "response.reasoning_summary_text.delta", "delta": "Hmm."},
    *(delta(words) for words in WORDS),
    {"type": "response.output_text.done", "text": TEXT},
    {"type": "response.content_part.done", "part": MESSAGE["content"][0]},
    {"type": "response.output_item.done", "item": MESSAGE},
    {"type": "response.completed", "response": RESPONSE},
]
CHAT_WHOLE: Json = {
    "choices": [{"index": 0, "message": {"role": "assistant", "content": TEXT}, "finish_reason": "stop"}],
    "usage": CHAT_USAGE,
}


def streamed(*events: object, end: str = "\n", done: bool = True) -> bytes:
    """Events as they are sent."""
    lines = [f"data: {json.dumps(event, ensure_ascii=False)}{end}{end}" for event in events]
    return "".join([*lines, f"data: [DONE]{end}{end}" * done]).encode("utf-8", "surrogatepass")


def whole(answer: Json, **more: Any) -> bytes:
    """An answer that is not streamed."""
    return json.dumps(answer, **more).encode()


BOM = b"\xef\xbb\xbf"
NOISE = b': keep-alive\n\nevent: ping\nid: 7\nretry: 10\n\n\n\ndata: {"choices": [{"delta": {"content": "\n\n'
"""A comment, an event without data, and one whose JSON breaks off."""

BODIES: dict[str, tuple[type[Reader], bytes]] = {
    "chat": (Completion, streamed(*CHAT_EVENTS)),
    "chat, CRLF": (Completion, streamed(*CHAT_EVENTS, end="\r\n")),
    "chat, no blank lines": (Completion, streamed(*CHAT_EVENTS).replace(b"\n\n", b"\n")),
    "chat, noise": (Completion, b"".join(NOISE + streamed(each, done=False) for each in CHAT_EVENTS)),
    "chat, a mark and blanks before": (Completion, BOM + b"\r\n\n" + streamed(*CHAT_EVENTS)),
    "chat, no [DONE], no last line feed": (Completion, streamed(*CHAT_EVENTS, done=False).strip()),
    "chat, whole": (Completion, whole(CHAT_WHOLE)),
    "chat, whole, a mark before, indented": (Completion, BOM + whole(CHAT_WHOLE, indent=1) + b"\n"),
    "chat, a list of parts": (
        Completion,
        streamed(
            chunk({"content": [{"type": "thinking", "text": "Hmm."}, {"type": "text", "text": TEXT}]}, "stop"),
            {"usage": CHAT_USAGE},
        ),
    ),
    "responses": (Response, streamed(*EVENTS, done=False)),
    "responses, [DONE]": (Response, streamed(*EVENTS)),
    "responses, CRLF, names": (
        Response,
        b"".join(f"event: {each['type']}\r\n".encode() + streamed(each, end="\r\n", done=False) for each in EVENTS),
    ),
    "responses, noise": (Response, b"".join(NOISE + streamed(each, done=False) for each in EVENTS)),
    "responses, a mark before": (Response, BOM + streamed(*EVENTS)),
    "responses, whole": (Response, whole(RESPONSE)),
    "responses, whole, not escaped": (Response, whole(RESPONSE, ensure_ascii=False, indent=1)),
}


def read(reader: Reader, *pieces: bytes) -> tuple[str, Tokens | None, str]:
    """The text, the usage and the reason of a failure that a reader gives for bytes that come in pieces."""
    text, tokens, reason = "", None, ""
    try:
        for found in (found for each in (*(reader.feed(piece) for piece in pieces), reader.end()) for found in each):
            if isinstance(found, Tokens):
                tokens = found
            else:
                text += found
    except SourceError as error:
        reason = error.reason
    assert text.encode() is not None  # what no one could write down has no place in a text
    return text, tokens, reason


@pytest.mark.parametrize(("reader", "body"), BODIES.values(), ids=BODIES)
def test_one_answer_wherever_its_bytes_are_cut(reader: type[Reader], body: bytes) -> None:
    """Two pieces cut anywhere, and single bytes, are read as the whole is; thoughts and repeated texts are not."""
    expected = (TEXT, USED, "")
    cuts = [(body[:place], body[place:]) for place in range(len(body) + 1)]
    assert [read(reader(), *cut) for cut in cuts] == [expected] * len(cuts)
    assert read(reader(), *(bytes([byte]) for byte in body)) == expected


@pytest.mark.parametrize(("reader", "events"), [(Completion, CHAT_EVENTS), (Response, EVENTS)])
def test_it_is_over_when_the_model_is_done(reader: type[Reader], events: list[Json]) -> None:
    """Not before the event that says so, and at once with it, so that nobody waits for a server that hangs."""
    answer = reader()
    over = []
    for event in events:
        list(answer.feed(streamed(event, done=False)))
        over.append(answer.is_over)
    place = over.index(True)

    assert "stop" in str(events[place]) or events[place]["type"] == "response.completed"
    assert all(over[place:])


def test_an_empty_reason_is_none() -> None:
    """Some servers say in each chunk that it finished for no reason; the answer goes on."""
    answer = Completion()
    list(answer.feed(streamed(chunk({"content": "a"}, ""), done=False)))
    assert not answer.is_over


# What the model or the server says went wrong


def incomplete(reason: object) -> Json:
    """A response that stopped short."""
    return RESPONSE | {"status": "incomplete", "incomplete_details": {"reason": reason}}


def ended(how: str, response: Json) -> bytes:
    """A response that is streamed, and is over in this way."""
    return streamed(delta(TEXT), {"type": f"response.{how}", "response": response})


CUT, FILTER = "the answer was cut off", "a content filter withheld the answer"
REFUSED, BROKEN = "the model refused to answer", "the connection broke off"
ERROR, ELSE = "the server reported an error", "the server's answer could not be read"
FAILED: Json = {"output": [], "status": "failed", "usage": USAGE, "error": {"code": "server_error", "message": "sk-1"}}
REFUSAL = {"type": "response.refusal.delta", "delta": "I"}
NO = {"type": "message", "content": [{"type": "refusal", "refusal": "I won't."}]}

WRONG: dict[str, tuple[type[Reader], bytes, tuple[str, Tokens | None, str]]] = {
    "chat, cut off": (Completion, streamed(chunk({"content": TEXT}, "length", usage=CHAT_USAGE)), (TEXT, USED, CUT)),
    "chat, withheld": (Completion, streamed(chunk({}, "content_filter", usage=CHAT_USAGE)), ("", USED, FILTER)),
    "chat, refused": (Completion, streamed(chunk({"refusal": "No."}), chunk({}, "stop")), ("", None, REFUSED)),
    "chat, broken off": (Completion, streamed(*CHAT_EVENTS[:-2], done=False), (TEXT, None, BROKEN)),
    "chat, an error": (Completion, streamed(*CHAT_EVENTS[:6], {"error": {"message": "sk-1"}}), (TEXT, None, ERROR)),
    "chat, something else": (Completion, streamed(*EVENTS, done=False), ("", None, ELSE)),
    "responses, cut off": (Response, ended("incomplete", incomplete("max_output_tokens")), (TEXT, USED, CUT)),
    "responses, cut off for a reason of its own": (Response, ended("incomplete", {"usage": USAGE}), (TEXT, USED, CUT)),
    "responses, withheld": (Response, ended("incomplete", incomplete("content_filter")), (TEXT, USED, FILTER)),
    "responses, refused": (Response, streamed(REFUSAL, EVENTS[-1]), ("", USED, REFUSED)),
    "responses, failed": (Response, ended("failed", FAILED), (TEXT, USED, ERROR)),
    "responses, an error": (
        Response,
        streamed(delta(TEXT), {"type": "error", "code": None, "message": "sk-1"}, EVENTS[-1]),
        (TEXT, None, ERROR),
    ),
    "responses, broken off": (Response, streamed(*EVENTS[:-1], done=False), (TEXT, None, BROKEN)),
    "responses, broken off before a word": (Response, streamed(EVENTS[0], done=False), ("", None, BROKEN)),
    "responses, whole, cut off": (Response, whole(incomplete("max_output_tokens")), (TEXT, USED, CUT)),
    "responses, whole, withheld": (Response, whole(incomplete("content_filter")), (TEXT, USED, FILTER)),
    "responses, whole, refused": (Response, whole(RESPONSE | {"output": [NO]}), ("", USED, REFUSED)),
    "responses, whole, failed": (Response, whole(FAILED), ("", None, ERROR)),
    "responses, whole, not begun": (Response, whole(RESPONSE | {"status": "queued", "output": []}), ("", USED, BROKEN)),
    "responses, something else": (Response, streamed(*CHAT_EVENTS[:-1], done=False), ("", None, ELSE)),
    "nothing, for chat": (Completion, b"", ("", None, ELSE)),
    "nothing, for responses": (Response, b"\n\n", ("", None, ELSE)),
}


@pytest.mark.parametrize(("reader", "body", "expected"), WRONG.values(), ids=WRONG)
def test_what_went_wrong_is_told_at_the_end(
    reader: type[Reader], body: bytes, expected: tuple[str, Tokens | None, str]
) -> None:
    """What had come is kept, the usage is told where it was, and the reason is ours: nothing that a server said."""
    assert read(reader(), body) == expected


AGAIN = {"cut off": True, "refused": False}


@pytest.mark.parametrize(("how", "again"), AGAIN.items(), ids=AGAIN)
@pytest.mark.parametrize("endpoint", ["chat", "responses"])
def test_asked_again_only_where_that_makes_sense(endpoint: str, how: str, again: bool) -> None:
    """An answer cut off may be whole the next time; a refusal stays one."""
    reader, body, _ = WRONG[f"{endpoint}, {how}"]
    answer = reader()
    with pytest.raises(SourceError) as caught:
        [*answer.feed(body), *answer.end()]
    assert caught.value.again == again


# What no honest server says

ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["message", "output_text", "completed", "incomplete", "stop", "error", 10**4_000, "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value in a JSON value, itself first."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, each in inside for place in places(each, (*path, key)))]


def put(value: Any, path: tuple[Any, ...], other: object) -> Any:
    """The value with another at that place."""
    if not path:
        return other
    copy = value.copy()
    copy[path[0]] = put(value[path[0]], path[1:], other)
    return copy


SPOILT = [
    (reader, events, form, place)
    for reader, events, form in (
        (Completion, [*CHAT_EVENTS, chunk({"refusal": None}, usage=CHAT_USAGE)], streamed),
        (Completion, CHAT_WHOLE, whole),
        (Response, [*EVENTS, {"type": "response.incomplete", "response": incomplete("x")}], streamed),
        (Response, incomplete("x"), whole),
    )
    for place in places(events)
]


@settings(max_examples=500)
@given(st.sampled_from(SPOILT), ANY)
def test_any_value_in_any_place_is_harmless(
    spoilt: tuple[type[Reader], Any, Callable[..., bytes], tuple[Any, ...]], value: object
) -> None:
    """Whatever stands where something else was due, there is text that can be written, and counts that are counts."""
    reader, events, form, place = spoilt
    value = put(events, place, value)
    body = form(*value) if form is streamed and isinstance(value, list) else json.dumps(value).encode()
    text, tokens, _ = read(reader(), body)
    assert text.encode().decode() == text
    assert json.loads(json.dumps([text, vars(tokens) if tokens else None]))[0] == text
    assert tokens is None or all(0 <= count <= MOST_TOKENS for count in vars(tokens).values())


@settings(max_examples=300)
@given(st.sampled_from([Completion, Response]), st.lists(st.binary(max_size=60), max_size=4))
@example(Completion, [b"data"])
@example(Response, [b"data:", b"\ndata: [DONE", b"]"])
def test_any_bytes_are_harmless(reader: type[Reader], pieces: list[bytes]) -> None:
    """Bytes that are no answer are one that cannot be read, or an empty one, and never another error."""
    text, tokens, reason = read(reader(), *pieces)
    assert (text, tokens) == ("", None)
    assert reason in (ELSE, BROKEN, "")


NONSENSE: dict[str, bytes] = {
    "a number of many digits": b"9" * 5_000,
    "a number as long as it may be": b"9" * 4_300,
    "a negative number": b"-" + b"9" * 30,
    "nested too deep": b"[" * 200_000 + b"]" * 200_000,
    "nested, never closed": b'{"a":' * 100_000,
    "no number": b"NaN",
    "without end": b"-Infinity",
    "too large": b"1e999",
    "half a character": b'"\\ud800"',
    "the other half": b'"\\udc00\\ud800"',
    "no UTF-8": b'"\xff\xc3\x28\xed\xa0\x80"',
    "a zero": b'"\\u0000"',
}


@pytest.mark.parametrize("nonsense", NONSENSE.values(), ids=NONSENSE)
@pytest.mark.parametrize(("reader", "body"), BODIES.values(), ids=BODIES)
def test_nonsense_in_the_bytes_is_harmless(reader: type[Reader], body: bytes, nonsense: bytes) -> None:
    """In place of each count and of each text: at worst its event is lost, and what is told can be told on."""
    for due in (b"612", b"512", b'"Bord \xf0\x9f\xa6\xa1"', b"null"):
        text, tokens, reason = read(reader(), body.replace(due, nonsense))
        assert json.loads(json.dumps([text, vars(tokens) if tokens else {}]).encode())[0] == text
        assert reason in ("", ELSE, BROKEN, ERROR)


def test_bytes_that_are_no_character_cost_no_other() -> None:
    """Text with invalid UTF-8 in it is read around that, also where nobody looks; what JSON escapes in two halves is
    one character, and a half alone becomes the sign for one that is lost.
    """
    event = b'data: {"x": "\xff", "type": "response.output_text.delta", "delta": "%b"}\n\n'
    assert read(Response(), event % b"a\xff\xc3b")[0] == "a\ufffd\ufffdb"
    assert re.fullmatch("a🦡b\ufffd+c", read(Response(), event % rb"a\ud83e\udda1b\ud800c")[0])


@pytest.mark.parametrize("start", [b"data: ", b"{", b": "], ids=["event", "whole", "comment"])
def test_a_line_without_end_is_given_up(start: bytes) -> None:
    """No more is kept than a line may have."""
    answer = Completion()
    list(answer.feed(start))
    with pytest.raises(SourceError, match=ELSE):
        [found for _ in range(LONGEST_LINE // 50_000 + 1) for found in answer.feed(b"x" * 50_000)]


@pytest.mark.parametrize("line", [b"\n", b": wait\n"], ids=["blank", "comment"])
def test_an_answer_without_end_is_given_up(line: bytes) -> None:
    """Blanks before the answer, which are not kept, and lines without a word, count as well."""
    answer = Completion()
    piece = line * (100_000 // len(line))
    with pytest.raises(SourceError, match="the answer was too long"):
        [found for _ in range(LONGEST_ANSWER // len(piece) + 1) for found in answer.feed(piece)]


# Usage


@pytest.mark.parametrize(
    "told",
    [None, -1, True, 1.0, float("inf"), "12", [12], {"count": 12}, MOST_TOKENS + 1, 10**4_300],
    ids=["none", "negative", "boolean", "float", "infinite", "text", "list", "object", "too many", "many digits"],
)
def test_what_is_no_count_is_none(told: object) -> None:
    """Only a whole number that a call could have used is counted; the others of the same call are."""
    assert Tokens.told(input=told, cached=3, output=4) == Tokens(0, 3, 4)
    assert Tokens.told(input=3, cached=told, output=told) == Tokens(3, 0, 0)


def test_what_is_a_count() -> None:
    """From nothing to a thousand million."""
    assert Tokens.told(input=0, cached=1, output=MOST_TOKENS) == Tokens(0, 1, 1_000_000_000)
    assert Tokens.told() == Tokens()


def test_usage_is_told_once_and_as_it_was_told_last() -> None:
    """A server that tells a sum in each event has told one sum."""
    answer = Completion()
    for count in (5, 10, 15):
        list(answer.feed(streamed(chunk({}, usage={"completion_tokens": count}), done=False)))
    assert [*answer.used(), *answer.used()] == [Tokens(output=15)]
