"""Says what each line of a scene will catch, so that a table can add words to a line that catches little."""

from collections.abc import Sequence
from importlib.resources import files
from itertools import islice
from typing import Final

from narrator.language.lexicon import Lexicon, load
from narrator.language.text import Text
from narrator.rules.model import Model
from narrator.rules.request.scene import Scene
from narrator.validation.lines_and_veils import Lines, Stand
from narrator.validation.themes import said_for, said_of

_EXAMPLES: Final = 3
_KIN: Final = 12
"""The most words of a family or theme that are shown."""


class Barred(Model):
    """What one line or veil will catch."""

    line: str
    """The line or veil, as written in the scene."""
    themes: tuple[str, ...]
    """The themes that it names. If empty, only its own words count."""
    catches: tuple[str, ...]
    """What it will catch, each in a few words."""
    examples: tuple[str, ...]
    """narrator's example sentences that the check refuses for it. If empty, it catches little."""


class BarredLines(Model):
    """The result of the call `lines`: the lines and veils of a scene."""

    lines: tuple[Barred, ...]
    """Each line, then each veil, without repeats."""


def coverage_of(scene: Scene) -> BarredLines:
    """Say what each line and veil of a scene will catch."""
    lexicon = load(scene.language)
    sentences = (files("narrator.validation") / "crossings.txt").read_text("utf-8").splitlines()
    texts = [Text(text, lexicon) for text in sentences]
    return BarredLines(lines=tuple(_told(line, lexicon, texts) for line in dict.fromkeys((*scene.lines, *scene.veils))))


def _told(line: str, lexicon: Lexicon, texts: Sequence[Text]) -> Barred:
    lines = Lines([line], lexicon)
    themes = tuple(dict.fromkeys(theme for part in lines.parts for theme in part.themes))
    # the last of several rows is the line without blanks, against disguises
    rows = (" near ".join(map(_any_of, row)) for part in lines.parts for row in part.rows[:-1] or part.rows)
    caught = (text.written for text in texts if lines.crossed_by(text) is not None)
    # a script without blanks has no rows: the line is searched for as it is
    catches = (*rows, *map(_telling, themes)) or (line,)
    return Barred(line=line, themes=themes, catches=catches, examples=tuple(islice(caught, _EXAMPLES)))


def _telling(theme: str) -> str:
    told, words = f"anything about {theme.replace('_', ' ')}", said_of(theme)
    return f"{told}: {_some(words)}" if words else told


def _any_of(stand: Stand) -> str:
    kin = list(dict.fromkeys(word for family in stand.families for word in said_for(family)))
    words = " or ".join(word for word, _ in stand.words)
    return f"{words} (also {_some(kin)})" if kin else words


def _some(words: list[str]) -> str:
    shown = ", ".join(words[:_KIN])
    return f"{shown}, and {len(words) - _KIN} more" if len(words) > _KIN else shown
