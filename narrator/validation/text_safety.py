"""
Tells whether a text is safe to show on any surface: a chat of a VTT, Discord, a terminal or a web page.

A text is judged by the structure of its characters, never by its words: first the characters themselves, then
the syntax any surface would act on, in the text as written and in what is left when its disguises are taken
off (encodings, full-width and look-alike letters, invisible characters). Prose addressed to a model is not
this module's business. Pure: standard library only, nothing is read, nothing is kept.

Every step takes time in proportion to the text: each pattern starts at a literal or a look-behind of fixed
width, what repeats is bounded or cannot run into its own start, and the number of rounds is fixed. That the
characters are judged first also keeps normalisation linear, which long runs of combining marks would not.
"""

import re
import unicodedata
from html.entities import html5
from typing import Final
from urllib.parse import unquote

from narrator.validation.text_safety_data import (
    BIDI_MARKS,
    BLANK_GLYPHS,
    LETTERS,
    PLAIN_TLDS,
    RANGES,
    SIGNS,
    VISIBLE_FORMATS,
    WORDY_TLDS,
)

_ROUNDS: Final = 5
"""How often one text is decoded; honest text is plain after the first."""

# --- characters -------------------------------------------------------------------------------------------

# Each character is first replaced by one letter for what it is to its neighbours, so that one pattern over
# the letters can say where a character is at home: L letter, m and M mark (of no script, of one), B letter
# that joins, and as in RANGES A, E, I, T, s, g; k and K digit and frame of a keycap, n and j (non-)joiner,
# w zero-width blank, h soft hyphen, d bidirectional mark, v selector of pictures, x never welcome, o other.
_SPECIAL: Final = (
    {"\u200b": "w", "\u200c": "n", "\u200d": "j", "\u00ad": "h"}
    | {"\ufe0e": "v", "\ufe0f": "v", "\u20e3": "K", "\u180e": "g"}
    | dict.fromkeys("0123456789#*", "k")
)

_SUBDIVISION_FLAG: Final = re.compile(
    "\U0001f3f4\U000e0067\U000e0062"
    "(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f"
)
"""England, Scotland and Wales: the only tag sequences that are pictures everywhere."""

_BAD_SHAPES: Final = re.compile(
    r"x"
    r"|(?<![ABTM])n(?!B)"  # a non-joiner outside a joining or Brahmic word
    r"|(?<![ABTMEv])j|(?<=[Ev])j(?!E)"  # a joiner neither in such a word nor between pictures
    r"|(?<![Ek])v|(?<=k)v(?!K)|(?<![IATM])s|(?<!A)g"  # a selector with nothing to select
    r"|(?<![TM])w|w(?!T)"  # zero-width blanks break lines in scripts written without blanks
    r"|(?<![Lm][Lm])h|h(?![Lm]{2})"  # a soft hyphen that is not between syllables
    r"|(?<=L)d(?=L)"
    r"|m{3}|[mM]{8}"
)


def _shape(char: str, right_to_left: bool) -> str:
    """
    Give the one letter that says how a character may be used; x is nowhere.
    """
    if (special := _SPECIAL.get(char)) is not None:
        return special
    if char in BIDI_MARKS:
        return "d" if right_to_left else "x"
    code, category = ord(char), unicodedata.category(char)
    found = next((letter for letter, spans in RANGES for low, high in spans if low <= code <= high), "")
    if found in {"g", "s"} or char in VISIBLE_FORMATS:
        return found or "o"
    # Pictures and ideographs younger than Python's Unicode tables are unassigned to it.
    young = category == "Cn" and found in {"E", "I"} and code & 0xFFFE != 0xFFFE
    if char in BLANK_GLYPHS or category in {"Zl", "Zp"} or (category[0] == "C" and not young):
        return "x"
    if category[0] == "M" and found != "m":
        return "M"
    if found:
        return found
    if unicodedata.bidirectional(char) == "AL" or "\u0660" <= char <= "\u06f9":
        return "B"
    return "L" if category[0] == "L" else "o"


def _character_name(char: str) -> str:
    """
    Say what kind of unwelcome character this is.
    """
    category = unicodedata.category(char)
    if char in "\n\r\v\f\x85\u2028\u2029":
        kind = "a line break"
    elif char == "\t":
        kind = "a tab"
    elif unicodedata.bidirectional(char) in {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}:
        kind = "a bidirectional override"
    elif "\U000e0000" <= char <= "\U000e007f":
        kind = "a tag character"
    else:
        kinds = {"Cc": "a control character", "Cs": "a lone surrogate", "Co": "a private-use character",
                 "Cn": "an unassigned character"}  # fmt: skip
        kind = kinds.get(category, "an invisible character")
    return f"{kind} (U+{ord(char):04X})"


def _characters(text: str) -> str | None:
    """
    Find a character that has no honest use where it stands.
    """
    if text.isascii() and text.isprintable():
        return None
    text = _SUBDIVISION_FLAG.sub("\U0001f3f4", text)
    used = set(text)
    right_to_left = any(unicodedata.bidirectional(char) in {"R", "AL"} for char in used - BIDI_MARKS)
    shapes = text.translate({ord(char): _shape(char, right_to_left) for char in used})
    bad = _BAD_SHAPES.search(shapes)
    if bad is None:
        return None
    return "a pile of combining marks" if len(bad[0]) > 1 else _character_name(text[bad.start()])


# --- taking disguises off ---------------------------------------------------------------------------------

_LOOK_ALIKES: Final = (
    {ord(odd): plain for odds, plains in LETTERS for odd, plain in zip(odds, plains, strict=True)}
    | {ord(odd): plain for odds, plain in SIGNS.items() for odd in odds}
    | {start + i: chr(ord("A") + i) for start in (0x1F150, 0x1F170) for i in range(26)}
)
_IDEOGRAPHIC_STOP: Final = re.compile(r"(?<=[a-zA-Z0-9])。(?=[a-zA-Z0-9])")

_DEFANGED: Final = re.compile(r" ?[\[({] ?(?:([.:/@]{1,3})|dot) ?[\])}] ?", re.IGNORECASE)

_NUMBER: Final = re.compile(r"&#(?:0*([0-9]{1,7})|[xX]0*([0-9a-fA-F]{1,6}));?")
_NAME: Final = re.compile(r"&([a-zA-Z][a-zA-Z0-9]{1,31})(;?)")
_LOOSE_NAMES: Final = {
    name.rstrip(";"): text for name, text in html5.items()
    if not name.endswith(";") or (text.isascii() and not text.isalnum() and text.isprintable())
}  # fmt: skip
"""What is decoded without its semicolon: what browsers do, and every name of an ASCII sign."""
_LONGEST_LOOSE_NAME: Final = max(map(len, _LOOSE_NAMES))
_ESCAPE: Final = re.compile(
    r"\\u\{0*([0-9a-fA-F]{1,6})\}|\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})|\\x([0-9a-fA-F]{2})|\\([nrt])(?![a-z])"
)


def _char(code: int) -> str:
    """
    Give the character of a written-out code, a replacement where there is none.
    """
    return chr(code) if code < 0xD800 or 0xDFFF < code <= 0x10FFFF else "\ufffd"


def _numbered(match: re.Match[str]) -> str:
    return _char(int(match[1]) if match[1] else int(match[2], 16))


def _named(match: re.Match[str]) -> str:
    name = match[1]
    if match[2] and (whole := html5.get(name + ";")) is not None:
        return whole
    for end in range(min(len(name), _LONGEST_LOOSE_NAME), 1, -1):
        if (text := _LOOSE_NAMES.get(name[:end])) is not None:
            # The semicolon belongs to the entity only if nothing stands between.
            return text + name[end:] + (match[2] if end < len(name) else "")
    return match[0]


def _escaped(match: re.Match[str]) -> str:
    if match[5]:
        return {"n": "\n", "r": "\r", "t": "\t"}[match[5]]
    return _char(int(match[1] or match[2] or match[3] or match[4], 16))


def _decode(text: str) -> str:
    """
    Take off one layer of HTML entities, backslash escapes and percent encoding.
    """
    # Not html.unescape: it raises for references of thousands of digits and drops control characters.
    text = _NAME.sub(_named, _NUMBER.sub(_numbered, text))
    return unquote(_ESCAPE.sub(_escaped, text))


def _fold(text: str) -> str:
    """
    Give the text as it looks: without what is invisible, in the plainest characters.
    """
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKD", text)
    dropped = (c for c in set(text) if unicodedata.category(c) in {"Mn", "Me", "Cf"} or c in BLANK_GLYPHS)
    text = text.translate(_LOOK_ALIKES | dict.fromkeys(map(ord, dropped)))
    return _IDEOGRAPHIC_STOP.sub(".", text)


def _bare(text: str) -> str:
    """
    Give the text without backslashes and without brackets around signs: evil[.]com.
    """
    return _DEFANGED.sub(lambda match: match[1] or ".", text.replace("\\", ""))


# --- syntax -----------------------------------------------------------------------------------------------

_PLAIN: Final = "|".join(PLAIN_TLDS.split())
_WORDY: Final = "|".join(WORDY_TLDS.split())
_END: Final = r"(?![a-z0-9_\u00c0-\u024f])"
_LEAD: Final = r"""\A[\s"'“”‘’‚‛„‟«»‹›「『*_~>\\]*"""
_NO_HOST: Final = ("a", "the", "of", "in", "his", "her", "my", "our", "your", "their", "its", "this", "old")
_UNLESS_A_NOUN: Final = "".join(rf"(?<!\b{word})" for word in _NO_HOST)
_SPELLED: Final = r"(?:com(?! (?:boom|bubble|bust|crash|era)\b)|net|org|io|gg|ru|ly)"
_SHORT: Final = ("vs", "etc", "Dr", "Dra", "Mr", "Mrs", "Sr", "St", "Mme", "Mlle")
_UNLESS_SHORT: Final = "".join(rf"(?<!\b{word})" for word in _SHORT)

_PATTERNS: Final = (
    # VTTs: Roll20, Foundry, MapTool
    (r"\[\s*\[", "an inline roll ([[)"),
    (r"[@%&?#$^]\{|@\[", "a VTT attribute, ability or query ({ behind a sign)"),
    (r"\{\s*\{", "a roll template ({{)"),
    (r"@\w{1,60}\[|(?<!\w)&\w{2,60}\[", "a Foundry link or enricher (@Word[)"),
    (r"\[\s*[a-z]\w*\s*(?:,\s*\w+\s*)*:", "a MapTool macro ([word: )"),
    (r"\[\s*[a-z]\w*(?:\s*,\s*\w+)*\((?!e?s\))", "a MapTool macro ([word( )"),
    (r"\[\s*[0-9]{0,4}d[0-9]|\[\s*[a-z]\w*\s*=", "a MapTool expression in brackets"),
    (r"\{\s*(?:[a-z]\w*\s*[(=]|[^{}\"']{0,40}\b\d{0,4}d\d)", "a MapTool expression in braces"),
    (r"\[\s*[/!]\w", "a chat command in brackets"),
    (_LEAD + r"[/!]", "a chat command (a leading / or !)"),
    (_LEAD + r"#(?=[^\W\d])", "a Roll20 macro (a leading #)"),
    # Discord
    (r"<(?:[@#]|a?:\w|t:\s*-?\d|/[\w -]{1,40}:\d|id:)", "a Discord mention, emoji or timestamp (<…>)"),
    (r"@\s?(?:everyone|here)\b", "a mention of everyone (@everyone, @here)"),
    (r"@(?!\d+(?!\w))\w", "a mention (@ before a word)"),
    (r"\|\|", "a spoiler mark (||)"),
    (r"\A\s*(?:#{1,6}|-#|>{1,3})\s", "a Markdown heading or quote"),
    # Markdown
    (r"\]\((?=\)|[^)]{0,80}[a-z0-9/#~!])", "a Markdown link or image"),
    (r"\]\[(?=\]|[^\[\]]{0,80}[a-z0-9])", "a Markdown reference link"),
    (r"\A\s*\[[^\[\]]*\]:\s*\S+\s*(?:\Z|[\"'(])", "a Markdown link definition"),
    (r"```|\A\s*~~~", "a code fence"),
    (r"`[^`]+`", "code in backticks"),
    # web pages, and prompts that tell their parts by such marks
    (r"<!--|<!\[|<!doctype", "an HTML comment"),
    (r"<[a-z/!?]", "an HTML tag (< before a letter)"),
    (r"[<‹]\s*(?:/\s*[a-z]|!--|[@#]|(?:script|iframe|img|svg|embed|br|div|span)\b|[a-z]{1,10}\s+[a-z-]{2,20}\s*=)",
     "an HTML tag in disguise"),
    (r"<\|\w", "a control token of a model (<|)"),
    (r"\\(?:e|0?33)\[", "a terminal escape"),
    # addresses, with or without scheme
    (r":(?:/|\\){2}\S", "a web address"),
    (r"\bh(?:tt|xx|\*\*)ps?(?::\S|\s?:\s?[/\\])|\b(?:javascript|vbscript|mailto)\s?:\s?\S", "a web address"),
    (r"\bdata:\s?(?:[\w.+-]{1,40}/|[;,])|\bfile:[/\\]", "a web address"),
    (r"\b(?:about|blob|callto|magnet|skype|sms|tel|view-source|xmpp):[\w?+/]", "a web address"),
    (r"(?<!\w)www\d{0,2}\.\w|\bxn--\w|\blocalhost[:/]", "a host name"),
    (rf"(?<=[^\s.\"'(\[“‘«])(?<!\bdot)\.(?:{_PLAIN}){_END}|\.(?:{_PLAIN})[/:]\w", "a host name"),
    (rf"(?-i:(?<=[^\W\d_][\w-]){_UNLESS_SHORT}\.(?:{_WORDY}){_END})", "a host name"),
    (rf"(?-i:(?<=[A-Z][A-Z0-9-])\.(?:{_WORDY.upper()})(?!\w))", "a host name"),
    (rf"(?<=\w)\.(?:{_WORDY})(?=/\w)", "a host name"),
    (r"(?<=\w)\.(?-i:[a-z]{2,24})(?=/|:\d{2,5}(?!\d)|\?\w{1,40}=)", "a host name"),
    (r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?=:\d|/\S)|\[[0-9a-f:.]{2,45}\](?=:\d|/)", "an IP address"),
    (rf"(?<=\w\w){_UNLESS_A_NOUN}(?: dot | \. |[·•∙‧・]){_SPELLED}\b", "a spelled-out host name"),
)  # fmt: skip
_SYNTAX: Final = tuple((re.compile(pattern, re.IGNORECASE), name) for pattern, name in _PATTERNS)


def _syntax(text: str) -> str | None:
    """
    Find what some surface would act on instead of showing it.
    """
    return next((name for pattern, name in _SYNTAX if pattern.search(text)), None)


def unsafe(text: str) -> str | None:
    """
    Say what makes a text unsafe to show on any surface.

    Never raises, whatever the string holds, and takes time in proportion to its length.

    Args:
        text: One name or detail, as the model wrote it.

    Returns:
        None for a safe text, else a phrase that fits behind "contains".

    >>> unsafe("The gate holds; Tom & Jerry do not.")
    >>> unsafe("The gate holds. [[1d20]]")
    'an inline roll ([[)'
    """
    for _ in range(_ROUNDS):
        if (found := _characters(text)) is not None:
            return found
        folded = _fold(text)
        for view in dict.fromkeys((text, folded, _bare(folded))):
            if (found := _syntax(view)) is not None:
                return found
        text, before = _decode(folded), folded
        if text == before:
            return None
    return "text encoded over and over"
