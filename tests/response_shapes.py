"""What OpenAI's endpoint for responses says where all goes well: the events of a stream, and the whole; plain data."""

from narrator.rules.json_text import Json

PLACE: Json = {"item_id": "msg_1", "output_index": 0, "content_index": 0}


def response(model: str | None, status: str, *output: Json, usage: tuple[int, int, int] | None = None) -> Json:
    """The object that the whole answer is, and that the first and the last event hold."""
    stable = {"id": "resp_1", "object": "response", "created_at": 1_700_000_000, "incomplete_details": None}
    told: Json | None = None
    if usage is not None:
        told = {"input_tokens": usage[0], "output_tokens": usage[1], "total_tokens": usage[0] + usage[1]}
        told["input_tokens_details"] = {"cached_tokens": usage[2]}
    return stable | {"model": model, "status": status, "output": [*output], "error": None, "usage": told}


def message(words: str) -> Json:
    """An item of the output: what the model says."""
    part = {"type": "output_text", "text": words, "annotations": []}
    return {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [part]}


def opening(model: str | None) -> list[Json]:
    """The events before the first word."""
    item = message("") | {"status": "in_progress", "content": []}
    return [
        {"type": "response.created", "response": response(model, "in_progress")},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.content_part.added", **PLACE, "part": message("")["content"][0]},
    ]


def piece(words: str) -> Json:
    """The event of a few more words."""
    return {"type": "response.output_text.delta", **PLACE, "delta": words}


def closing(whole: Json) -> list[Json]:
    """The events after the last word, which repeat them all."""
    (item,) = whole["output"]
    (part,) = item["content"]
    return [
        {"type": "response.output_text.done", **PLACE, "text": part["text"]},
        {"type": "response.content_part.done", **PLACE, "part": part},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]
