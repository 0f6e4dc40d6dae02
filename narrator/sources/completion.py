"""Reads a chat completion: what its events and the whole of it mean."""

from collections.abc import Iterator
from typing import Any

from narrator.sources.reading import Reader, cut_off, each, inside, refused, texts, withheld
from narrator.suggestions.source import Tokens


class Completion(Reader):
    """The answer of `/chat/completions`. Its first choice counts; there is no other unless it was asked for."""

    def _event(self, event: dict[str, Any]) -> Iterator[str]:
        if isinstance(usage := event.get("usage"), dict):
            self._usage = Tokens.told(
                input=usage.get("prompt_tokens"),
                cached=inside(usage.get("prompt_tokens_details"), "cached_tokens"),
                output=usage.get("completion_tokens"),
            )
        for choice in each(event.get("choices")):
            if isinstance(choice, dict) and choice.get("index") in (None, 0):
                yield from self._choice(choice)

    def _choice(self, choice: dict[str, Any]) -> Iterator[str]:
        said = choice.get("delta") or choice.get("message")
        if isinstance(said, dict):
            self._seen = True
            if said.get("refusal"):
                self._failure = refused()
            content = said.get("content")
            # Some servers have a list of parts there.
            yield from (content,) if isinstance(content, str) else texts(content, "text")
        match choice.get("finish_reason"):
            case None | "":
                return
            case "length":
                self._failure = cut_off()
            case "content_filter":
                self._failure = withheld()
        self._is_done = True
