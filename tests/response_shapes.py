"""What OpenAI's endpoint for responses says: the events of a stream, and the whole; plain data, without a wire."""

from typing import Any

Json = dict[str, Any]

PLACE: Json = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
REASONS = {"length": "max_output_tokens", "content_filter": "content_filter"}
"""Why a response is incomplete, by what chat completions call it."""


def response(model: str | None, status: str, *output: Json, **more: Any) -> Json:
    """The object that the whole answer is, and that the first and the last event hold."""
    stable = {"id": "resp_1", "object": "response", "created_at": 1_700_000_000}  # for recordings
    empty = {"error": None, "incomplete_details": None, "usage": None}
    return stable | {"model": model, "status": status, "output": [*output]} | empty | more


def message(words: str, kind: str = "content") -> Json:
    """An item of the output: what the model says, or its refusal."""
    parts = {
        "content": {"type": "output_text", "text": words, "annotations": []},
        "refusal": {"type": "refusal", "refusal": words},
    }
    return {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [parts[kind]]}


def ended(
    model: str | None,
    words: str | None,
    kind: str = "content",
    finish_reason: str = "stop",
    usage: tuple[int, int, int] | None = None,
) -> Json:
    """The response when it is over; None for the words: it has no output."""
    more: Json = {}
    if usage is not None:
        counts = {"input_tokens": usage[0], "output_tokens": usage[1], "total_tokens": usage[0] + usage[1]}
        more["usage"] = counts | {"input_tokens_details": {"cached_tokens": usage[2]}}
    if finish_reason in REASONS:
        more["incomplete_details"] = {"reason": REASONS[finish_reason]}
    output = [] if words is None else [message(words, kind)]
    return response(model, "incomplete" if more.get("incomplete_details") else "completed", *output, **more)


def opening(model: str | None) -> list[Json]:
    """The events before the first word."""
    item = message("") | {"status": "in_progress", "content": []}
    return [
        {"type": "response.created", "response": response(model, "in_progress")},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.content_part.added", **PLACE, "part": message("")["content"][0]},
    ]


def piece(words: str, kind: str = "content") -> Json:
    """The event of a few more words."""
    name = {"content": "output_text", "refusal": "refusal"}[kind]
    return {"type": f"response.{name}.delta", **PLACE, "delta": words}


def closing(whole: Json) -> list[Json]:
    """The events after the last word, which repeat them all."""
    (item,) = whole["output"]
    (part,) = item["content"]
    said = {key: value for key, value in part.items() if key in ("text", "refusal")}
    return [
        {"type": f"response.{part['type']}.done", **PLACE, **said},
        {"type": "response.content_part.done", **PLACE, "part": part},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": f"response.{whole['status']}", "response": whole},
    ]
