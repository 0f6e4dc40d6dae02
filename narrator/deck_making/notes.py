"""A GM's notes, cut into pieces that a model can be asked about one at a time."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MOST = 1_500
"""Characters of a piece; a longer paragraph is cut at the end of a sentence, or at a blank."""

ENOUGH = 200
"""Characters after which a heading begins a new piece."""

LONGEST_TITLE = 80

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*)")
_SENTENCE = re.compile(r"(?<=[.!?…。])\s+")


@dataclass(frozen=True)
class Piece:
    """A piece of notes: its headings, `Beginning` where it has none, and the text, its headings included."""

    title: str
    text: str


@dataclass(frozen=True)
class _Block:
    """A heading, or a paragraph or a part of one."""

    text: str
    is_heading: bool = False


def cut(notes: str) -> tuple[Piece, ...]:
    """Cut notes at headings and between paragraphs. Nothing of them is left out but blank lines; without any words
    there is no piece.
    """
    pieces: list[list[_Block]] = [[]]
    for block in _blocks(notes):
        size = sum(len(each.text) + 1 for each in pieces[-1])
        most = ENOUGH if block.is_heading else MOST - len(block.text)
        if pieces[-1] and size > most:
            # A heading alone at the end belongs to what comes.
            opening = [pieces[-1].pop()] if pieces[-1][-1].is_heading and pieces[-1][:-1] else []
            pieces.append(opening)
        pieces[-1].append(block)
    return tuple(_piece(each) for each in pieces if any(re.search(r"\w", block.text) for block in each))


def _blocks(notes: str) -> Iterator[_Block]:
    paragraph: list[str] = []
    for line in [*notes.splitlines(), ""]:
        heading = _HEADING.match(line)
        if line.strip() and not heading:
            paragraph.append(line.strip())
            continue
        yield from (_Block(part) for part in _parts("\n".join(paragraph)))
        paragraph.clear()
        if heading and (title := heading[1].rstrip(" \t#")):
            yield from (_Block(part, is_heading=True) for part in _parts(title))


def _parts(text: str) -> Iterator[str]:
    """Cut a text where it is too long for a piece."""
    part = ""
    for sentence in _SENTENCE.split(text):
        for word in sentence.split(" ") if len(sentence) > MOST // 2 else [sentence]:
            for start in range(0, len(word), MOST // 2):
                more = word[start : start + MOST // 2]
                if len(part) + len(more) >= MOST // 2:
                    yield from (part,) if part else ()
                    part = more
                else:
                    part = f"{part} {more}".strip()
    yield from (part,) if part else ()


def _piece(blocks: list[_Block]) -> Piece:
    title = "; ".join(each.text for each in blocks if each.is_heading) or "Beginning"
    if len(title) > LONGEST_TITLE:
        title = f"{title[: LONGEST_TITLE - 1]}…"
    return Piece(title, "\n".join(each.text for each in blocks))
