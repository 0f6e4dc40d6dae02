"""The surface for pages: whatever anybody wrote is text, and never markup."""

from html import unescape
from html.parser import HTMLParser
from io import StringIO

from hypothesis import given, strategies as st

from narrator.api.lookups import Rulesets
from narrator.render import surfaces
from narrator.render.view import Answered, line


class _Read(HTMLParser):
    """What a browser reads: the text, and the tags it was in."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text, self.tags = "", set[str]()

    def handle_starttag(self, tag: str, _: object) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1))
def test_anything_is_read_as_it_was_written(text: str) -> None:
    """Python's own parser finds no tag but ours, and the whole text."""
    out, read = StringIO(), _Read()

    surfaces.write("html", Answered(Rulesets(rulesets=()), lambda: (line("said: ", (text, "strong")),)), out)
    read.feed(out.getvalue())
    read.close()

    assert read.tags == {"p", "span"}
    assert read.text.strip() == f"said: {line(text).spans[0].text}"


def test_a_tag_is_no_tag() -> None:
    """Nor is what ends an attribute, which a class is."""
    out = StringIO()

    surfaces.write("html", Answered(Rulesets(rulesets=()), lambda: (line('<b onclick="x">'),)), out)

    assert "<b" not in out.getvalue()
    assert '<b onclick="x">' in unescape(out.getvalue())
