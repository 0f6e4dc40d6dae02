"""Reads a response, which is what the endpoint `/responses` calls an answer: what its events and the whole mean."""

from collections.abc import Iterator
from typing import Any

from narrator.sources.reading import Reader, at_fault, cut_off, each, inside, refused, texts, withheld
from narrator.suggestions.source import Tokens


class Response(Reader):
    """The answer of `/responses`. Thoughts have events of their own, and an event that ends a part repeats its text."""

    def _event(self, event: dict[str, Any]) -> Iterator[str]:
        kind = event.get("type")
        self._seen = self._seen or kind is not None
        match kind:
            case "response.output_text.delta":
                if isinstance(delta := event.get("delta"), str):
                    yield delta
            case "response.refusal.delta":
                self._failure = refused()
            case "response.completed" | "response.incomplete" | "response.failed":
                self._close(kind.removeprefix("response."), event.get("response"))
            case "error":
                raise at_fault()
            case None:
                yield from self._whole(event)

    def _whole(self, response: dict[str, Any]) -> Iterator[str]:
        self._seen = self._seen or "output" in response
        for item in each(response.get("output")):
            if inside(item, "type") == "message":
                content = inside(item, "content")
                yield from texts(content, "output_text")
                if any(inside(part, "type") == "refusal" for part in each(content)):
                    self._failure = refused()
        self._close(response.get("status"), response)

    def _close(self, status: object, response: object) -> None:
        if isinstance(usage := inside(response, "usage"), dict):
            self._usage = Tokens.told(
                input=usage.get("input_tokens"),
                cached=inside(usage.get("input_tokens_details"), "cached_tokens"),
                output=usage.get("output_tokens"),
            )
        match status:
            case "completed":
                pass
            case "incomplete":
                reason = inside(inside(response, "incomplete_details"), "reason")
                self._failure = withheld() if reason == "content_filter" else cut_off()
            case "failed":
                self._failure = at_fault()
            case _:
                return
        self._is_done = True
