"""Says of the lines of a scene what each will catch, so that a table sees where one is little and can add words."""

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
"""Words of a family or theme that are shown."""


class Barred(Model):
    """What one line or veil will catch."""

    line: str
    """As the scene has it."""
    themes: tuple[str, ...]
    """The themes that it names; none: its own words have to tell."""
    catches: tuple[str, ...]
    """What touches it, each in a few words."""
    examples: tuple[str, ...]
    """Sentences that the check refused for it, of those that come with narrator; none: it reaches little."""


class BarredLines(Model):
    """What the call `lines` gives: the lines and veils of a scene, in their order."""

    lines: tuple[Barred, ...]
    """One for each, the lines first; one that stands twice is told once."""


def coverage_of(scene: Scene) -> BarredLines:
    """Say what each line and veil of a scene will catch."""
    lexicon = load(scene.language)
    sentences = (files("narrator.validation") / "crossings.txt").read_text("utf-8").splitlines()
    texts = [Text(text, lexicon) for text in sentences]
    return BarredLines(lines=tuple(_told(line, lexicon, texts) for line in dict.fromkeys((*scene.lines, *scene.veils))))


def _told(line: str, lexicon: Lexicon, texts: Sequence[Text]) -> Barred:
    lines = Lines([line], lexicon)
    themes = tuple(dict.fromkeys(theme for part in lines.parts for theme in part.themes))
    # the last row of several is the line closed up, against tricks
    rows = (" near ".join(map(_any_of, row)) for part in lines.parts for row in part.rows[:-1] or part.rows)
    caught = (text.written for text in texts if lines.crossed_by(text) is not None)
    # what is written without blanks is in no row: it is looked for as it stands
    catches = (*rows, *map(_telling, themes)) or (line,)
    return Barred(line=line, themes=themes, catches=catches, examples=tuple(islice(caught, _EXAMPLES)))


def _telling(theme: str) -> str:
    told, words = f"what tells of {theme.replace('_', ' ')}", said_of(theme)
    return f"{told}: {_some(words)}" if words else told


def _any_of(stand: Stand) -> str:
    kin = list(dict.fromkeys(word for family in stand.families for word in said_for(family)))
    words = " or ".join(word for word, _ in stand.words)
    return f"{words} (also {_some(kin)})" if kin else words


def _some(words: list[str]) -> str:
    shown = ", ".join(words[:_KIN])
    return f"{shown}, and {len(words) - _KIN} more" if len(words) > _KIN else shown
