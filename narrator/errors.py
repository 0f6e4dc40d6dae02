"""narrator's one exception and its error codes, and how untrusted text is made safe for messages."""

import unicodedata
from collections.abc import Iterable
from typing import Any, Final, Literal, Self, get_args

ErrorCode = Literal[
    "bad_request",
    "unknown_ruleset",
    "unsupported_action",
    "unknown_variant",
    "unknown_character",
    "unknown_aspect",
    "unknown_zone",
    "unknown_branch",
    "no_free_invocation",
    "no_fate_point",
    "already_invoked",
    "bad_dice",
    "bad_invocation",
    "bad_opposition",
    "bad_choice",
    "not_in_frame",
    "stale_scene",
    "unknown_page",
    "page_closed",
    "unsettled",
    "nothing_to_undo",
    "bad_campaign",
    "bad_ruleset",
    "bad_deck",
    "no_words",
    "not_allowed",
    "too_busy",
    "internal_error",
]

ERROR_CODES: tuple[str, ...] = get_args(ErrorCode)


class NarratorError(ValueError):
    """A call that cannot be answered, and why.

    Its subclasses say what you can do about it: `RequestError`, `TryAgainError` and `GoWithoutError`.

    Args:
        code: One of `ERROR_CODES`. Programs can rely on it. `internal_error` is a bug in narrator, never a mistake of
            the user.
        field: The place in the payload ("request.action.invocations.0.aspect"). Empty means the whole payload.
        message: What is wrong, for people.
        allowed: The values that would be accepted there, if they can be listed.
        missed: For `stale_scene` in a campaign: the JSON of each entry that was written meanwhile.
    """

    def __init__(
        self,
        code: ErrorCode,
        field: str,
        message: str,
        allowed: Iterable[str] | None = None,
        missed: Iterable[dict[str, Any]] = (),
    ) -> None:
        self.code = code
        self.field = field
        self.message = message
        self.allowed = tuple(allowed or ()) or None
        self.missed = tuple(missed)
        # Copying and pickling call the class with these arguments.
        super().__init__(code, field, message, self.allowed, self.missed)

    def __str__(self) -> str:
        place = f"{self.field}: " if self.field else ""
        choice = f" (allowed: {', '.join(self.allowed)})" if self.allowed else ""
        return f"{self.code}: {place}{self.message}{choice}"

    def within(self, part: str) -> Self:
        """Return the same error with a part of the payload in front of its field."""
        return type(self)(self.code, f"{part}.{self.field}".rstrip("."), self.message, self.allowed, self.missed)

    def as_json(self) -> dict[str, Any]:
        """Return the error object of the contract, ready for JSON."""
        body: dict[str, Any] = {"code": self.code, "field": self.field, "message": self.message}
        if self.allowed:
            body["allowed"] = list(self.allowed)
        if self.missed:
            body["missed"] = list(self.missed)
        return {"error": body}


class RequestError(NarratorError):
    """You must correct something: a request, a choice, an option, a file or a setting."""


class TryAgainError(NarratorError):
    """The problem may pass by itself. Make the same call again."""


class GoWithoutError(NarratorError):
    """The problem will not pass. Use the deck or another source."""


def quoted(text: str, limit: int = 60) -> str:
    """Return untrusted text for a message: shortened, in quotes, with unprintable characters escaped."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


_FILLERS: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters of Hangul and a cell of Braille that are invisible although they count as printable."""


def visible(text: str) -> str:
    """Return untrusted text without terminal control and invisible characters.

    >>> visible("a\\x1b[31mb\\u202ec")
    'a\\ufffd[31mb\\ufffdc'
    """
    return "".join(char if char.isprintable() and char not in _FILLERS else _in_place_of(char) for char in text)


def visible_lines(text: str) -> str:
    """The same for a text of several lines. Line breaks stay."""
    return "\n".join(visible(each) for each in text.split("\n"))


def _in_place_of(char: str) -> str:
    # Many scripts need joiners. Everything else that is invisible becomes a visible mark.
    if char in "\u200c\u200d":
        return char
    return " " if unicodedata.category(char) == "Zs" or char in "\n\t" else "\ufffd"
