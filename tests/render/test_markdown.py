"""The Markdown surface, read by a reader of Markdown: the words of the page, and bold and lists, and nothing else."""

import re
from io import StringIO

from hypothesis import given, strategies as st
from markdown_it import MarkdownIt

from narrator.api.lookups import Rulesets
from narrator.render import surfaces
from narrator.render.view import BLANK, Answered, Line, View, line

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])

FORMAT = "\N{ZERO WIDTH SPACE}"
"""What keeps a mention from being one; nobody sees it."""


def written(*page: Line) -> str:
    """A page in Markdown."""
    whole: View = page
    out = StringIO()
    surfaces.write("markdown", Answered(Rulesets(rulesets=()), lambda: whole), out)
    return out.getvalue()


def read(text: str) -> tuple[list[str], set[str]]:
    """The lines that a reader of Markdown sees, and the tags that they stand in."""
    tokens = READER.parse(text)
    lines = [each for each in tokens if each.type == "inline"]
    inner = [part for each in lines for part in each.children or ()]
    shown = ["".join(part.content for part in each.children or ()).replace(FORMAT, "") for each in lines]
    return [" ".join(each.split()) for each in shown], {each.tag for each in (*tokens, *inner) if each.tag}


STARTS = st.sampled_from(
    ["", "    ", *(f"{each} " for each in ["-", "+", "*", "1.", "1)", "#", ">", "===", "---", "[a]:b", "<!--"])]
)
SIGNS = ["[a](b)", "![a](b)", "**a**", "__a__", "*a*", "`a`", "~~a~~", "<b>", "&lt;", "\n\n"]
SIGNS += "ab1 -.!|*_`[]()<>\\{}=^%"
ANYTHING = st.builds(str.__add__, STARTS, st.lists(st.sampled_from(SIGNS)).map("".join) | st.text(max_size=20))


@given(ANYTHING, ANYTHING, ANYTHING)
def test_whatever_is_written_is_read_as_it_was(first: str, second: str, third: str) -> None:
    """At the left and in a list, alone and after a word in bold: the same words, and no markup but ours."""
    page = (line(first), line(("key ", "key"), second, indent=2), BLANK, line(third, indent=4))
    lines, tags = read(written(*page))
    told = (" ".join("".join(span.text for span in each.spans).split()) for each in page)

    assert lines == [each for each in told if each]
    assert tags <= {"p", "ul", "li", "strong"}


@given(ANYTHING)
def test_nobody_is_mentioned_and_no_address_is_a_link(text: str) -> None:
    """For chats that make links and mentions of bare words too."""
    made = written(line(f"@everyone <@{text}> #{text} :{text}: http://{text}x www.{text}x www.-x a@{text}x.com"))

    assert re.search(r"@\w|(?<!\\)[#<>]|https?:|(?<!\\)[.:]\S", made) is None


def test_signs_of_other_dialects_are_escaped() -> None:
    """Templates, attributes, highlights, superscripts and comments have no signs left to begin with."""
    assert written(line("{{x}} {% y %} ==z== ^w^ %%v%%")) == (
        "\\{\\{x\\}\\} \\{\\% y \\%\\} \\=\\=z\\=\\= \\^w\\^ \\%\\%v\\%\\%\n"
    )


def test_bold_and_lists_are_those_of_the_page() -> None:
    """What is indented stands in a list, further in one within it; what is strong is bold, blanks apart."""
    page = (
        line(("CYNERE", "strong"), "  sneaks"),
        line(("f  ", "key"), ("Fail", "strong"), ": no.", indent=2),
        line("a grant", indent=5),
        line("s", indent=2),
        BLANK,
        line(("words", "dim")),
        line(("more", "good")),
    )

    assert written(*page) == ("**CYNERE** sneaks\n\n- **f Fail**: no.\n  - a grant\n- s\n\nwords\n\n**more**\n")
