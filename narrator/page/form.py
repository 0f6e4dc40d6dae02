"""The fields of a form that a tap sends. Each has one or more texts, which are not trusted."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from narrator.errors import RequestError
from narrator.rules.json_text import Json, parsed
from narrator.rules.model import LIST, Given, Name

_Text = Annotated[str, StringConstraints(max_length=40_000)]


class _Sent(Given):
    fields: Annotated[dict[Name, Annotated[tuple[_Text, ...], LIST]], Field(max_length=500)]


@dataclass(frozen=True)
class Form:
    """The fields of a form."""

    fields: dict[str, tuple[str, ...]]

    @classmethod
    def read(cls, told: Any) -> "Form":
        """Read the sent fields, or raise `bad_request`."""
        return cls(_Sent.read({"fields": told}).fields)

    def one(self, name: str, otherwise: str = "") -> str:
        """The last value of a field, or `otherwise` if it has none."""
        return (self.fields.get(name) or (otherwise,))[-1].strip()

    def all(self, name: str) -> tuple[str, ...]:
        """All values of a field."""
        return self.fields.get(name, ())

    def json(self, name: str) -> Json:
        """The JSON object in a field, as buttons of the page have it."""
        found = parsed(self.one(name), name)
        if not isinstance(found, dict):
            raise RequestError("bad_request", name, "this must be a JSON object")
        return found
