"""The letters, marks and digits that people write, out of Unicode's own data.

Writes narrator/validation/scripts.txt; ICU is no part of narrator's development, so give it a place of its own:

    python -m venv icu && icu/bin/pip install pyicu-wheels && icu/bin/python -m tests.scripts
"""

from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap

import icu  # type: ignore[import-not-found, unused-ignore]

TABLE = Path(__file__).parent.parent / "narrator" / "validation" / "scripts.txt"

FULLY = ("ar", "fa", "he", "hy", "ur")
"""Languages of which we take not only the letters they cannot do without: vowel points, tatweel, a ligature."""

NOT = frozenset(("ǀ", "ǁ", "ǂ", "ǃ", "ʷ", "ˬ", *map(chr, range(0xA717, 0xA720)), "\ua788", "\u0335", "\u0338"))
"""Letters that pass for signs or are another letter raised, and marks that strike a letter out."""

UNMARKED = frozenset(("Bopo", "Hang", "Hani", "Hira", "Kana"))
"""Scripts that stand in one word with Latin letters: of theirs no marks, which would stand on those."""

ANY_SCRIPT = frozenset(("Zyyy", "Zinh"))

OPENING = """\
# The letters, marks and digits of the scripts that people write, by Unicode {unicode} (ICU {icu}).
# Generated: tests/scripts.py says how. What UTS #39 allows in identifiers, and beyond that what CLDR has among the
# letters of a language in one of the same scripts. A line for each kind and the scripts that use it: L letter, M mark,
# N mark that stacks on its letter, D digit; scripts with a plus between them, Zyyy any; then code points and ranges.
"""


def characters() -> set[str]:
    """Every letter, mark and digit that may stand in a text."""
    every = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    allowed = {
        char
        for char in every
        if icu.Char.getIntPropertyValue(char, icu.UProperty.IDENTIFIER_STATUS) and kind(char) is not None
    }
    known = {script(char) for char in allowed}
    of_languages = set[str]()
    for language in icu.Locale.getAvailableLocales():
        letters = icu.LocaleData(language)
        for which in (0, 1) if language in FULLY else (0,):
            of_languages.update(char for string in letters.getExemplarSet(0, which) for char in string)
    of_languages |= {char.upper() for char in of_languages if len(char.upper()) == 1}
    allowed |= {char for char in of_languages if kind(char) is not None and script(char) in known}
    return {char for char in allowed - NOT if kind(char) in ("L", "D") or not written_in(char) <= UNMARKED}


def kind(char: str) -> str | None:
    """What a character is, None where it is none of these."""
    kinds = {"UPPERCASE_LETTER": "L", "LOWERCASE_LETTER": "L", "TITLECASE_LETTER": "L", "MODIFIER_LETTER": "L"}
    kinds |= {"OTHER_LETTER": "L", "LETTER_NUMBER": "L", "COMBINING_SPACING_MARK": "M", "NON_SPACING_MARK": "N"}
    kinds |= {"DECIMAL_DIGIT_NUMBER": "D"}
    found = icu.Char.charType(char)
    return next((letter for name, letter in kinds.items() if getattr(icu.UCharCategory, name) == found), None)


def script(char: str) -> str:
    """The script of a character."""
    name: str = icu.Script.getScript(char).getShortName()
    return name


def written_in(char: str) -> set[str]:
    """The scripts that use a character."""
    return {icu.Script(each).getShortName() for each in icu.Script.getScriptExtensions(char)}


def scripts(char: str, known: frozenset[str]) -> str:
    """The scripts that use a character, of those known, as the table has them."""
    found = written_in(char)
    return "Zyyy" if found & ANY_SCRIPT else "+".join(sorted(found & known))


def lines() -> Iterator[str]:
    """The table, line by line."""
    found = sorted(characters())
    known = frozenset(map(script, found)) - ANY_SCRIPT
    spans: dict[str, list[list[int]]] = {}
    for char in found:
        of_its_kind = spans.setdefault(f"{kind(char)} {scripts(char, known)}", [])
        if of_its_kind and of_its_kind[-1][1] == ord(char) - 1:
            of_its_kind[-1][1] += 1
        else:
            of_its_kind.append([ord(char), ord(char)])
    for told, ranges in spans.items():
        points = " ".join(f"{first:X}-{last:X}" if first != last else f"{first:X}" for first, last in ranges)
        yield from wrap(f"{told} {points}", 118, subsequent_indent=f"{told} ")


if __name__ == "__main__":
    opening = OPENING.format(unicode=icu.UNICODE_VERSION, icu=icu.ICU_VERSION)
    TABLE.write_text(opening + "\n".join(lines()) + "\n", "utf-8")
