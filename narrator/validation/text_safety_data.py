"""
The characters and host names that text_safety must know one by one, because no Unicode property tells them.

What is invisible is written as an escape, so that this file hides nothing itself.
"""

from typing import Final

BIDI_MARKS: Final = frozenset("\u061c\u200e\u200f")
"""Set the direction of a sign in right-to-left text; elsewhere they only hide."""

BLANK_GLYPHS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U00016fe4\U0001d159")
"""Letters, marks and symbols that show nothing, which their category does not say."""

VISIBLE_FORMATS: Final = frozenset(
    chr(code) for code in (*range(0x600, 0x606), 0x6DD, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD)
)
"""Format characters that are drawn: number and verse signs."""

RANGES: Final[tuple[tuple[str, tuple[tuple[int, int], ...]], ...]] = (
    # g, s: variation selectors of Mongolian, and of ideographs and Brahmic letters
    ("g", ((0x180B, 0x180D), (0x180F, 0x180F))),
    ("s", ((0xFE00, 0xFE0D), (0xE0100, 0xE01EF))),
    # m: combining marks of no script, which pile up on any letter
    ("m", ((0x300, 0x36F), (0x483, 0x489), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF))),
    ("m", ((0xFE20, 0xFE2F),)),
    # T: Thai, Lao, Tibetan, Myanmar, Khmer, Tai: words without blanks, broken by zero-width ones
    ("T", ((0xE00, 0x109F), (0x1780, 0x17FF), (0x1950, 0x19DF), (0x1A20, 0x1AAF), (0xA9E0, 0xAA7F))),
    # A: Brahmic scripts and Mongolian, where joiners choose the shape of a letter
    ("A", ((0x900, 0xDFF), (0x1800, 0x18AF), (0x1B00, 0x1C4F), (0xA800, 0xA8FF), (0x10A00, 0x11FFF))),
    # I: ideographs
    ("I", ((0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFD))),
    # E: pictures, and the older signs that may become one
    ("E", ((0xA9, 0xA9), (0xAE, 0xAE), (0x203C, 0x203C), (0x2049, 0x2049), (0x2122, 0x2139))),
    ("E", ((0x2190, 0x21FF), (0x2300, 0x23FF), (0x24C2, 0x24C2), (0x25A0, 0x27BF), (0x2900, 0x297F))),
    ("E", ((0x2B00, 0x2BFF), (0x3030, 0x303D), (0x3297, 0x3299), (0x1F000, 0x1FAFF))),
)
"""What a code point is to the joiners, selectors and zero-width blanks beside it."""

LETTERS: Final = (
    ("АВЕКМНОРСТУХІЈЅҮԌԚԜѴ", "ABEKMHOPCTYXIJSYGQWV"),
    ("авеіјкмнорстухѕԁԛԝһӏүѵԍ", "abeijkmhopctyxsdqwhlyvg"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγεικνορτυχϲϳ", "ABEZHIKMNOPTYXayeikvoptuxcj"),
    ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz"),
    ("ıȷɑɡɩʋօոսհցⲟⲣⲥꮯ", "ijagivonuhgopcc"),
    ("ᎪᏴᏟᎠᎬᎻᎥᎫᏦᏞᎷᏢᏚᎢᏙᏔᏃ", "ABCDEHIJKLMPSTVWZ"),
    ("ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "ABCDEFGHIJKLMNOPRSTUVWXYZ"),
)
"""Letters that look like Latin ones and that compatibility normalisation keeps apart."""

SIGNS: Final = {
    "˂ᐸ": "<",
    # Quotation marks and title brackets in honest text: only what is a tag for certain counts behind them.
    "〈⟨❬❮❰⧼⟪": "‹",
    "⁅【〔〖〘❲⦋⦍⦏⦗": "[",
    "⁆】〕〗〙❳⦌⦎⦐⦘": "]",
    "⟦〚": "[[",
    "⟧〛": "]]",
    "❴⦃": "{",
    "❵⦄": "}",
    "❨⟮⦅": "(",
    "❩⟯⦆": ")",
    "⁄∕⧸╱⟋": "/",
    "∶꞉ː˸׃։": ":",
    "ǃꜝⵑ": "!",
    "٪": "%",
    "‖": "||",
    "∣│❘": "|",
    "ˋ‵": "`",
    "ꓸ۔܁܂": ".",
}
"""Signs that look like those of our syntax."""

PLAIN_TLDS: Final = "com net org edu xyz biz gg ru cn рф pф"
"""Ends of host names that no sentence begins with, so that they count in any case."""

WORDY_TLDS: Final = """
co info gov mil io ai me tv cc ws to ly it is us uk de fr nl be at ch no fi dk eu ca au nz br mx ar cl jp kr
tw hk sg my id ir il tr gr hu ro bg sk si hr ie pt pl cz ua by la fm im gl st su kz tk ga cf pw app dev top
site online store shop club live life world zone space website tech cloud link click page blog wiki news
media social chat games fun email support today agency network digital host onion pro win vip icu cfd sbs
buzz bid
"""
"""
Ends that are words or initials too: they count in one case throughout, for a sentence may follow a full stop
without a blank ("the end.It was"). Left out are suffixes of files (md, py, sh, zip) and of words (Freund.in,
ami.es, heureux.se): behind those only a path, a port or a scheme makes a host name.
"""
