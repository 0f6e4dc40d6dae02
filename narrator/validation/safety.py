"""Tells whether a text is safe to show on any surface: a chat of a VTT, Discord, a terminal or a web page.

Only listed characters are allowed: letters and marks of scripts in use, digits, blanks, and the signs of prose. A word
must be in one script (UTS #39, Highly Restrictive), with few marks a letter. A short list of shapes has what surfaces
still act on. Pure, and linear in the text: repeats in a pattern are bounded or can't overlap their own start, and marks
are counted before any normalisation.
"""

import re
import unicodedata
from bisect import bisect
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from narrator.language.spelling import fold, fold_word

# --- characters -------------------------------------------------------------------------------------------

_SIGNS: Final = (
    ".,;:!?…'\"‘’‚“”„«»‹›–—―-‐‑()/&%°§$€£+¿¡№ªº·½¼¾×′″"
    "¥₩₪₫₱₴₸₹₺₽₾฿"
    "՚՛՜՝՞՟։֊־׃׳״،؛؟٪٫٬۔჻"
    "।॥॰෴༄༅་༌།༎༏༐༑༔၊။၌၍၎၏។៕៖៘៙៚"
    "፠፡።፣፤፥፦፧፨"
    "、。〈〉《》「」『』〜・‧！（），：；？"
)
_BLANKS: Final = " \u00a0\u202f\u3000"

_LATIN: Final = re.compile(rf"[A-Za-zÀ-ÖØ-öø-ıĴ-ľŁ-ňŊ-ž0-9 \u00a0\u202f{re.escape(_SIGNS[: _SIGNS.index('¥')])}]*")
"""Most texts: no character needs a closer look."""

_ARABIC: Final = frozenset(("Arab",))
_INDIC: Final = frozenset(("Beng", "Deva", "Gujr", "Guru", "Khmr", "Knda", "Mlym", "Orya", "Sinh", "Taml", "Telu"))
_UNSPACED: Final = frozenset(("Khmr", "Laoo", "Mymr", "Thai", "Tibt"))
"""Scripts in which joiners choose a letter's shape, and scripts without blanks, in which a break separates words."""

_NON_JOINER, _JOINER, _BREAK = "\u200c", "\u200d", "\u200b"

_WITH: Final = {
    "Latn": ("Jpan", "Kore", "Hanb"),
    "Hani": ("Jpan", "Kore", "Hanb"),
    "Hira": ("Jpan",),
    "Kana": ("Jpan",),
    "Hang": ("Kore",),
    "Bopo": ("Hanb",),
}
"""The scripts that are written together, even in one word, and with Latin letters."""

_WORDS: Final = re.compile(r"[^\W_ªº½¼¾ـーʻʼ]")
_EAST_ASIAN: Final = re.compile("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_FULL_WIDTH: Final = str.maketrans("０１２３４５６７８９％～", "0123456789%〜")
"""Full-width digits and signs, which stand among East Asian letters."""

_MOST_MARKS: Final = 3
_BAD_MARKS: Final = re.compile(r"(?<![LMNj])[MN]|[MN]{9}")


@cache
def _spans() -> tuple[list[tuple[int, int, str, frozenset[str]]], frozenset[str]]:
    """Read the table: ranges of code points in order, each with its kind and scripts; and the set of all scripts."""
    spans = []
    table = (files("narrator.validation") / "scripts.txt").read_text("utf-8")
    for line in (line for line in table.splitlines() if not line.startswith("#")):
        kind, names, *ranges = line.split(" ")
        written = names.split("+")
        scripts = frozenset(written).union(*(_WITH.get(each, ()) for each in written))
        for each in ranges:
            first, _, last = each.partition("-")
            spans.append((int(first, 16), int(last or first, 16), kind, scripts))
    every = frozenset().union(*(scripts for *_, scripts in spans))
    return sorted(spans, key=lambda span: span[0]), every


@lru_cache(maxsize=8192)
def _about(char: str) -> tuple[str, frozenset[str]]:
    """Give a character's kind and scripts. The kind is the table's letter; s: sign or blank; j: joiner; x:
    forbidden."""
    spans, every = _spans()
    if char in _SIGNS or char in _BLANKS:
        return "s", every
    if char in (_NON_JOINER, _JOINER, _BREAK):
        return "j", every
    at = bisect(spans, ord(char), key=lambda span: span[0]) - 1
    if at < 0 or ord(char) > spans[at][1]:
        return "x", every
    kind, scripts = spans[at][2:]
    return kind, every if "Zyyy" in scripts else scripts


def _characters(text: str) -> str | None:
    """Find a character that is not allowed, or not in its place."""
    about = {char: _about(char) for char in set(text)}
    kinds = text.translate({ord(char): kind for char, (kind, _) in about.items()})
    if (at := kinds.find("x")) >= 0:
        return _character(text[at])
    if bad := _BAD_MARKS.search(kinds):
        return "a pile of marks" if len(bad[0]) > 1 else "a mark without its letter"
    if "j" in kinds and (odd := next((at for at in range(len(text)) if _joins_nothing(text, at)), None)) is not None:
        return _character(text[odd])
    if not _in_one(scripts for _, scripts in about.values()):
        for word in re.finditer("[LMND]+", kinds):
            if not _in_one(about[char][1] for char in set(text[word.start() : word.end()])):
                return f"letters of different scripts in one word ({text[word.start() : word.end()][:40]})"
    return None


def _in_one(scripts: Iterable[frozenset[str]]) -> bool:
    """Tell whether one script, or the scripts of one language, have all characters."""
    return bool(frozenset.intersection(*scripts))


def _are_piled(text: str) -> bool:
    """Tell whether a letter has more marks than any language uses, or a mark twice."""
    run, before = 0, ""
    for char in text:
        run = run + 1 if unicodedata.combining(char) else 0
        if run > _MOST_MARKS or (run > 1 and char == before):
            return True
        before = char
    return False


def _joins_nothing(text: str, at: int) -> bool:
    """Tell whether a joiner stands in a place where no script needs it."""
    char, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if _about(char)[0] != "j":
        return False
    if not before or _about(before)[0] not in "LMND":
        return True
    of, then = _about(before)[1], _about(after)[1] if after and _about(after)[0] in "LMND" else frozenset[str]()
    if char == _BREAK:
        return not (of <= _UNSPACED and _UNSPACED >= then > frozenset())
    return not (of <= _INDIC or (char == _NON_JOINER and then == _ARABIC))


def _character(char: str) -> str:
    """Say which character is not allowed."""
    if char in "\n\r\v\f\x85\u2028\u2029":
        return f"a line break (U+{ord(char):04X})"
    if not char.isprintable() or unicodedata.category(char)[0] == "M":
        return f"the character U+{ord(char):04X}"
    return f'the sign "{char}" (U+{ord(char):04X})'


# --- shapes -----------------------------------------------------------------------------------------------

_TOP: Final = "com|net|org|edu|xyz|biz|gg|ru|cn|рф|pф"
"""Ends of host names that don't begin a sentence, so that they count in upper and lower case."""

_WORDY: Final = (
    "co|info|gov|mil|io|ai|me|tv|cc|ws|to|ly|it|is|us|uk|de|fr|nl|be|at|ch|no|fi|dk|eu|ca|au|nz|br|mx|ar|cl|jp|kr|tw|"
    "hk|sg|my|id|ir|il|tr|gr|hu|ro|bg|sk|si|hr|ie|pt|pl|cz|ua|by|la|fm|im|gl|st|su|ml|gq|gd|so|do|kz|tk|ga|cf|pw|app|"
    "dev|top|site|online|store|shop|club|live|life|world|zone|space|website|tech|cloud|link|click|page|blog|wiki|news|"
    "media|social|chat|games|fun|email|support|today|agency|network|digital|host|onion|pro|win|vip|icu|cfd|sbs|one|"
    "work|ink|gift|buzz|bid|lt|lv|ee|rs|ge|az|uz|vn|th|ph|pk|za|ng|ke|ae|sa|eg|ve|ec|nu|ninja|lol|rocks|guru|fyi|"
    "party|bet|cam"
)
"""Ends that are also words or initials. They count only in one case throughout, since a sentence may follow a full stop
without a blank ("the end.It was"). Suffixes of files (md, py, sh, zip) and words (Freund.in, ami.es, heureux.se) are
not listed: with these, only a path, a port or a scheme makes a host name.
"""

_OF_OTHER_LETTERS: Final = "укр|бел|бг|срб|қаз|中国|公司|みんな|한국"

_SCHEMES: Final = (
    *("http", "https", "hxxp", "hxxps", "javascript", "vbscript", "mailto", "data", "file", "about", "blob"),
    *("callto", "magnet", "skype", "sms", "tel", "view-source", "xmpp"),
)
_SCHEME: Final = "|".join(rf"(?<=\b{scheme}:)" for scheme in _SCHEMES)
_SHORT: Final = ("vs", "etc", "Dr", "Dra", "Mr", "Mrs", "Sr", "St", "Mme", "Mlle")
_UNLESS_SHORT: Final = "".join(rf"(?<!\b{word}\.)" for word in _SHORT)
_UNLESS_A_NUMBER: Final = r"(?<!(?<![\w-])\d\d\.)"
_NO_HOST: Final = ("a", "the", "of", "in", "his", "her", "my", "our", "your", "their", "its", "this", "old")
_UNLESS_A_NOUN: Final = "".join(rf"(?<!\b{word} dot )" for word in _NO_HOST)
_SPELLED: Final = r"(?:com(?! (?:boom|bubble|bust|crash|era)\b)|net|org|io|gg|ru|ly)\b"
_END: Final = r"(?![a-z0-9\u00c0-\u024f])"

# If possible, each begins with its sign and looks back from there, so that texts without the sign cost nothing.
_ADDRESSES: Final = (
    (r"://\S|//\w", "a web address"),
    (rf":(?=[\w?+/;,])(?:{_SCHEME})", "a web address"),
    (r"\.(?<=\bwww\.)\S", "a host name"),
    (r"xn--\w", "a host name"),
    (r"localhost[:/]", "a host name"),
    (rf"\.(?:{_TOP})[/:]\w|\.(?<=[^\s.\"'(“‘«]\.)(?<!(?<![\w.-])dot\.)(?:{_TOP}){_END}", "a host name"),
    (rf"\.(?<=[a-z0-9]\.){_UNLESS_SHORT}[a-z]{{2,24}}(?=/\w)", "a host name"),
    (r"\.(?<=\d\.)\d{1,3}\.\d{1,3}\.\d{1,3}(?=:\d|/\S)", "an IP address"),
    (rf" dot (?<=\w\w dot ){_UNLESS_A_NOUN}{_SPELLED}", "a spelled-out host name"),
    (rf"(?<=\w\w)(?: \. |\((?:dot|\.)\)|[·‧・]){_SPELLED}", "a spelled-out host name"),
)
"""Addresses in upper or lower case, so that they are found in folded text as well."""

_GLUED_DIGITS: Final = r"[1-7]\d(?:(?<=\w%\d\d)|\d*(?:[^\W\d]|%))"
"""Digits that encode a sign, within a word or a row of such codes. Others are numbers, as in "%50 indirim, %20'si"."""

_EMOJI: Final = r"(?:[+-]1|100|1234|(?=[\w+-]*[^\W\d])[\w+-]+)"
_NO_EMOJI: Final = r"(?<=\w:)(?:in|innen|n|r|s|e|en|et|ssa|ssä|sta|stä|lla|llä|lle|ksi)(?!\w)"
"""The name of an emoji, which may lack its last colon at the end of a text; and ends of words after a colon:
"Wächter:innen", "EU:n"."""

_SHAPES: Final = (
    (r"""\A[\s"'“”‘’‚„«»‹›「『]*(?:[/!]|！[a-z])""", "a chat command (a leading / or !)"),
    (r"/(?<![\w/]/)\w|!(?<=[(\u2026:;,–—]!)\w", "a chat command (a / or ! before a word)"),
    (r"\A\s*[-+=‐‑]", "a list mark or a formula (a leading -, + or =)"),
    (r"\s{4}", "a row of blanks"),
    (r"&(?:[a-z][a-z0-9]{1,31};|lt|gt|amp|quot|shy|nbsp)", "an HTML entity (& before a name)"),
    (rf"%(?:0\d|[0-7][a-f]|u[0-9a-f]{{4}}|{_GLUED_DIGITS})", "an encoded sign (% before its code)"),
    (r"%[a-z][\w()]*%", "a variable (a word between %)"),
    (r"\$(?:\(|[a-z])", "a variable ($ before a word)"),
    (rf":(?!{_NO_EMOJI})(?:{_EMOJI}:|(?<!\d:)(?=[a-z0-9+\u00c0-\u024f-]+\Z){_EMOJI})", "an emoji by its name (:name:)"),
    *_ADDRESSES,
    (rf"(?-i:\.(?<=[\w-][\w-]\.){_UNLESS_A_NUMBER}{_UNLESS_SHORT}(?:{_WORDY}){_END})", "a host name"),
    (rf"(?-i:\.(?<=(?<![\w.'’-])[a-z]\.)(?!(?<=c\.)ca)(?:{_WORDY}){_END})", "a host name"),
    (rf"(?-i:\.(?<=[A-Z0-9-][A-Z0-9-]\.){_UNLESS_A_NUMBER}(?:{_WORDY.upper()})(?!\w))", "a host name"),
    (rf"\.(?<=\w\.)(?-i:{_OF_OTHER_LETTERS})(?!\w)", "a host name"),
    (rf"\.(?<=[^\s./:]\.){_UNLESS_SHORT}[^\W\d_][^\s./:]{{1,23}}(?=/\w|:\d{{2,5}}(?!\d))", "a host name"),
    (r"\.(?<=\w\.)(?-i:[a-z]{2,24})(?=/|\?\w{1,40})", "a host name"),
)
"""What some surfaces act on instead of showing it, although all its characters are allowed."""

_MAYBE_ADDRESS: Final = re.compile(r"[.:。։׃：۔][\w/]")
_PLAINER_SIGNS: Final = str.maketrans("。։׃：۔", ".:::.")


@cache
def _patterns(shapes: tuple[tuple[str, str], ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), name) for pattern, name in shapes)


def _shape(text: str, shapes: tuple[tuple[str, str], ...]) -> str | None:
    return next((name for pattern, name in _patterns(shapes) if pattern.search(text)), None)


def _read_as_latin(text: str) -> str:
    """Replace letters and signs that look like those of an address."""
    return re.sub(r"[^\W\d_]+", lambda word: fold_word(word[0]), fold(text.translate(_PLAINER_SIGNS)))


def unsafe(text: str) -> str | None:
    """Say what makes a text unsafe to show on any surface, as a phrase to put after "has". None for a safe text.

    Never raises. Accents may be part of their letters or follow them: the text is judged in canonical form.

    >>> unsafe("The gate holds; Tom & Jerry do not.")
    >>> unsafe("The gate holds. [[1d20]]")
    'the sign "[" (U+005B)'
    """
    is_latin = _LATIN.fullmatch(text) is not None
    if not is_latin:
        if _are_piled(text) or _are_piled(unicodedata.normalize("NFD", text)):
            return "a pile of marks"
        text = unicodedata.normalize("NFC", text)
        if _EAST_ASIAN.search(text) is not None:
            text = text.translate(_FULL_WIDTH)
        if (found := _characters(text)) is not None:
            return found
    if text and _WORDS.search(text) is None:
        return "no words"
    found = _shape(text, _SHAPES)
    if found is None and not is_latin and _MAYBE_ADDRESS.search(text) is not None:
        return _shape(_read_as_latin(text), _ADDRESSES)
    return found


def sayable(name: str) -> str:
    """Give a name without unsafe signs and words, for use in a text. Empty if nothing is left.

    >>> sayable("Guard #2"), sayable("R2_D2"), sayable("Zoë 🗡"), sayable("evil.com"), sayable("???")
    ('Guard 2', 'R2 D2', 'Zoë', 'evil com', '')
    """
    if unsafe(name) is None:
        return name
    plain = "".join(char if _about(char)[0] != "x" else _in_place_of(char) for char in name)
    said = " ".join(plain.split())
    if unsafe(said) is None:
        return said
    words = "".join(char if char in "'’-" or _about(char)[0] in "LMND" else " " for char in plain).split()
    said = " ".join(word for word in words if unsafe(word) is None).strip("'’- ")
    return "" if unsafe(said) else said


def _in_place_of(char: str) -> str:
    """Give a replacement for a forbidden character: nothing for marks and control characters, else a blank."""
    return "" if unicodedata.category(char)[0] in "MC" and not char.isspace() else " "
