"""Reads a page as a browser does: its forms, what stands chosen in them, and their buttons."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

from narrator.page.form import Form

VOID = {"input", "meta", "link", "br", "use", "path", "circle"}


@dataclass
class Read:
    """A form of a page."""

    attributes: dict[str, str]
    fields: list[tuple[str, str]] = field(default_factory=list)
    required: dict[str, str] = field(default_factory=dict)
    """What has to be chosen, with the first that may be."""
    buttons: list[tuple[str, str]] = field(default_factory=list)

    @property
    def tap(self) -> str:
        """What it asks for."""
        return self.attributes.get("data-post", "")

    def sent(self, button: tuple[str, str], at: str, **typed: str) -> Form:
        """What is sent once a button is tapped."""
        told: dict[str, tuple[str, ...]] = {}
        for name, value in (*self.fields, button):
            told[name] = (*told.get(name, ()), typed.get(name, value))
        told |= {name: (value,) for name, value in typed.items()}
        told.pop("", None)
        return Form.read({name: list(values) for name, values in {**told, "at": (at,)}.items()})


class Page(HTMLParser):
    """A page: its forms, its text, and every tag and attribute."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[Read] = []
        self.inside: list[Read] = []
        self.text = ""
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(text)
        self.close()
        assert self.open == [], f"these are not closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        assert len(told) == len(attrs), f"an attribute stands there twice: {attrs}"
        self.tags.add(tag)
        self.attributes |= told.keys()
        if tag not in VOID:
            self.open.append(tag)
        if tag == "form":
            assert not self.inside, "a form within a form is none"
            self.inside = [Read(told)]
            self.forms += self.inside
        place = self.inside[-1] if self.inside else None
        if place is None or "disabled" in told:
            return
        if tag == "input" and (told.get("type") not in ("radio", "checkbox") or "checked" in told):
            place.fields.append((told["name"], told.get("value", "")))
        elif tag == "input" and "required" in told:
            place.required.setdefault(told["name"], told["value"])
        if tag == "button" and told.get("type") != "button" and "form" not in told:
            place.buttons.append((told.get("name", ""), told.get("value", "")))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"{tag} is closed where something else is open"
        if tag == "form":
            self.inside = []

    def handle_data(self, data: str) -> None:
        self.text += data
