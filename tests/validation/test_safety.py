"""Holds safety to its promise: nothing but words and the signs of prose passes, and no surface acts on what does."""

import unicodedata

import pytest
from hypothesis import given, strategies as st

from narrator.validation.safety import sayable, unsafe

FORBIDDEN = "<>[]{}|\\^~_*#@=`"
"""Signs of ASCII that prose can do without, and some surface acts on each."""

SIGNS = ".,;:!?…'\"‘’“”„«»‹›—–-()/&%°§$€£+¿¡№·、。「」『』！，（），：；？・،؛؟।።፣֊־׳״"

MARKUP = (
    "[[1d20]]", "[r: 1d4]", "{setState(1)}", "@{selected|hp}", "%{Bob|Attack}", "&{template:default}", "#macro", "${x}",
    "{{x}}", "{% x %}", "@UUID[Actor.x7]", "<@1>", "@everyone", "||secret||", "[x](y)", "```", "*x*", "_x_", "~~x~~",
    "<b>", "<!--", "<|im_start|>", "\x1b[2J", "\\e[31m", "\\u003cb", "&#60;b", "# Title", "> quote", "a | b", "x = y",
    "＜b＞", "［［1d20］］", "＠here", "｛｛x｝｝", "＃macro", "⟦1d20⟧", "【1d20】", "˂b", "‖x‖", "http∶∕∕x",
)  # fmt: skip
"""What is live by signs that are not allowed, or hopes to be read as those."""

ANYWHERE = (
    "http://x", "HTTP:/x", "hxxp://evil", "https:x", "javascript:alert(1)", "data:text/html,x", "data:;base64,eA",
    "file:///etc", "mailto:a", "discord://x", "macro://go", "tel:+49", "about:blank", "www.x", "evil.com", "Evil.Com",
    "EVIL.COM", "evil.co.uk", "evil.it", "EVIL.IT", "bit.ly/x", "t.co/x", "example.test/path", "Evil.It/x",
    "host.internal:8080", "evil.test?x", "evil(dot)com", "evil dot com", "evil . com", "evil·com", "127.0.0.1:8080",
    "10.0.0.1/x", "localhost:30000", "xn--e1afmkfd", "сайт.рф", "сайт.ru", "münchen.de", "URLはevil.comです",
    "&lt;script", "&LTb", "&ltb", "&amp;lt;b", "&lsqb;x", "&commat;x", "&sol;me", "&NewLine;x", "%3Cb", "%253Cb",
    "%0ax", "evil%2ecom", "$(rm x)", "$((1+1))", "$HOME", "then /r 1d20", "(/start)", "the bell…/roll x",
    "“go”/r 1d20", "he says:/w gm", "(!power)", "a    b", "a \u00a0\u202f\u3000b",
    ":skull:", "word:skull:", "::skull: x", ":skull:b", ":piñata:", "Wächter:skull:innen", "1:100:", "x:8ball: b",
    "evil99.io", "evil-9.io", "evil-99.io", "EVIL99.IO", "t.co", "x.ai", "t.me", "evil-dot.com", "evil.dot.com",
    "EVIL.SH/x", "Evil.Sh:8080", "сайт.укр/x", "сайт.укр", "सार्.भारत/x", "公司.中国", "evil.gq", "x1.gift", "évil.ml",
    "evil。io/x", "x//host", "www.-x.de", "門は evil.com:８０", "%PATH%", "%ProgramFiles(x86)%", "%u0041", "%00",
    "evil%40host", "%22onload", "a%20b", "%68%74%74%70", "％３Ｃb", "&shy", "a&shyb",
)  # fmt: skip
"""What a surface acts on wherever it stands, of all that can be written with what is allowed."""

AT_THE_START = (
    "/me waves", "  /r 1d20", "//x", '"/me waves"', "“/w gm hi", "«!x»", "「/me", "!power", " !power", "'!x", "！power",
    "- an item", "+ an item", "+SUM(1,2)", "-SUM(1,2)", " -COM.X(1)", "-1 to hit",
    "‑x",
)  # fmt: skip
"""What a surface acts on where a text begins with it."""

AT_THE_END = (":skull", "a thief:skull", "Jolly:pirate-flag", "A sign:+1")
"""What a name may not end with, for a colon may follow it."""

LOOK_ALIKES = ("evil.сом", "EVIL.СОМ", "evil。com", "1。2。3。4:80", "http：//x", "сайт։//x", "ցօօցӏ.com")

MIXED = (
    "jаvаscript",
    "еveryone",
    "pаypal",
    "ενil",
    "Zоë",
    "ѕtress",
    "Ωmega",
    "ｅｖｉｌ",
    "admiｎ",
    "Дaверь",
    "boоst",
    "bo\u3099ost",
    "b\u0338o\u0338o",
)
"""Words in letters of two scripts, or of none that people write words in."""

COMPATIBLE = ("𝐡𝐢", "ⓔⓥⓘⓛ", "🅔", "ʙᴏᴏꜱᴛ", "ﬁre", "Ａ", "１", "x²", "⅞", "㎏", "ﷺ", "ｱ", "ꓲꓪ", "ᎪᏴᏟ")
"""Forms of letters and digits that are there for compatibility, or look like others."""

INVISIBLE = (
    "\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u3164\u115f\u2800\u2063\u202e\u2066\u200e\ufe0f\ufffc\U000e0041\x00\x7f"
)

ALLOWED_CATEGORIES = ("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl", "Cn")

HONEST = {
    "English": (
        "The guards grin and let her by; the portcullis does not.",
        "“Who goes there?” — ‘Nobody,’ she said. 'Nobody at all.'",
        "Tom & Jerry; then R&D, AT&T, M&Ms, Q&A and fish&chips, &c.",
        "e.g. a knife, i.e. trouble, viz. the crown, a.k.a. the Fox, et al.",
        "Dr.Moss of the U.S.S. Carrow keeps lifeboat No.4 at 9.5 mm of play.",
        "Mlle.de Scudéry and Dr.de Vries owe M. de la Croix twelve louis d'or.",
        "the end.Then she ran. It stopped.No one spoke.It was late.To bed.So did she.",
        "“It is.”Me? No. They reached the moon.Io burned. It woke.AI never sleeps.",
        "At 4:30 the odds are 3:1; at 10:45pm they are 1,000 to 1.",
        "Ninety per cent, 50 %, 100%, 50%ige, 60%effective: 5 °C, 5'11\", § 4",
        "wait… and… go... tick...tick...tick, so..it moved. . . .",
        "AC/DC, and/or, w/ him, 24/7, s/he, km/h, TCP/IP, 12/11/2026, he / him",
        "The data: corrupt. The file: gone. Tel: 555-0142. He asked about: money. Over HTTP: nothing.",
        "payroll.txt is gone, so are ledger.db, run.sh, archive.zip and node.js.",
        "A ping from 10.0.0.1, running version 2.0.1 of it",
        "A dot com millionaire with a red dot in the dark; the dot com bubble, his dot com boom, a dot.com crash",
        "At 10:30:00 the odds are 1:100. It is 10:45pm",
        "½ a pint, ¼ and ¾ of it, 2×3 feet, 5′ 11″, ฿50; Dr.Jekyll/Mr.Hyde; the 10.th of May",
        "Dot.com millionaires, c.ca 20 of them; -5 degrees (cold)",
        "5 o'clock, $5, £3 and €20, rock ’n’ roll, a ten-foot pole :/",
        "Get out! Now!",
        "& so it goes",
        "Zoë d'Aubrac, O'Neill, M'Benga, Æthelred, naïve façade",
    ),
    "German": (
        "„Los!“, rief er – »Halt!«, ‚nein‘, ›doch‹. Straße, 1.Mai, Freund.innen",
        "Wächter:innen: wach", "Der Bund der Wächter:innen",
    ),
    "French": ("Les étudiant.es crient\u00a0: «\u202fFuyez\u202f!\u202f» Cœur, n°\u00a07, l’été",),
    "Spanish": ("¿Qué? ¡Ay! El capitán grita: «¡Al abordaje!» Su nº 7, el 3.º",),
    "Catalan": ("cel·la col·legi",),
    "Portuguese": ("Não há ninguém; a 2.ª porta não abriu.",),
    "Italian": ("Perché no? L'osteria è chiusa.",),
    "Polish": ("Łódź, zażółć gęślą jaźń. — Stój!",),
    "Czech": ("Příliš žluťoučký kůň úpěl ďábelské ódy.",),
    "Turkish": ("İstanbul'da ıssız bir gece, şöyle böyle", "%50 indirim, %20'si, (%40), %10-%25 arası, %100"),
    "Finnish": ("Vartijoiden varjo, EU:n", "EU:n: varjo, klo 10.30, USA:sta"),
    "Icelandic": ("Þórr kemur, ðað æfir",),
    "Lithuanian": ("ė\u0303jo, a\u0303žuolas",),
    "Esperanto": ("ŝtono, ĝardeno",),
    "Uzbek": ("O‘zbek, Oʻzbek tili",),
    "Hawaiian": ("ʻOkina, Hawaiʻi",),
    "Hausa": ("ɓera, ɗaki, ƙofa, 'yar, Ɗan",),
    "Ewe": ("Ɛŋlɔ ɖe ƒe gbɔ, ʋu",),
    "Yoruba": ("ẹ̀kọ́ ọ̀rẹ́, gb\u0323o\u0301, Ọ\u0300ṣun",),
    "Vietnamese": ("Tiếng Việt: cửa đã mở, lính gác ngủ.", unicodedata.normalize("NFD", "Tiếng Việt, cưỡng ép")),
    "Russian": ("Дверь открыта. Стража спит.Он ушёл. Он/она. — Стой! № 5, за\u0301мок, IT-отдел",),
    "Ukrainian": ("Їжак з'їв ґудзик, п'ять об’єктів.",),
    "Greek": ("Η πόρτα άνοιξε· ο φρουρός κοιμάται. Ποιος\u037e Ναι\u0387", unicodedata.normalize("NFD", "ᾧ τῷ ᾖ")),
    "Armenian": ("Դուռը բաց է և պահակը քնած է։ Ո՞վ է, վա՜յ, «այո»՝ ասաց",),
    "Georgian": ("კარი ღიაა, მცველს სძინავს.",),
    "Hebrew": ("הדלת פתוחה. שָׁלוֹם בְּרֵאשִׁית, צה״ל, ג׳ורג׳, בית־ספר",),
    "Yiddish": ("די טיר איז אָפֿן, ייִדיש",),
    "Arabic": ("الباب مفتوح، والحارس نائم؛ 50٪ و٢٠. مَرْحَبًا بِكُمْ، اللّٰه؟ كتـــاب",),
    "Persian": ("می\u200cخواهم بروم، کتاب\u200cها، ۲۰\u200cساله، PDF\u200cها",),
    "Urdu": ("دروازہ کھلا ہے۔ کیا؟",),
    "Amharic": ("በሩ ተከፍቷል። ጠባቂው፣ ተኝቷል፡",),
    "Hindi": ("दरवाज़ा खुला है। क्\u200dषत्रिय, हिन्दी, पढ़ाई, २०",),
    "Bengali": ("দরজা খোলা। র\u200d্যাব, বাংলা",),
    "Punjabi": ("ਦਰਵਾਜ਼ਾ ਖੁੱਲ੍ਹਾ ਹੈ।",),
    "Gujarati": ("દરવાજો ખુલ્લો છે.",),
    "Tamil": ("கதவு திறந்தது, க்ஷ, ஸ்ரீ",),
    "Telugu": ("తలుపు తెరిచి ఉంది.",),
    "Kannada": ("ಬಾಗಿಲು ತೆರೆದಿದೆ.",),
    "Malayalam": ("വാതിൽ തുറന്നു, അവന്\u200d",),
    "Sinhala": ("ශ්\u200dරී ලංකා, දොර ඇරුණා",),
    "Thai": ("ประตูเปิดแล้ว น้ำ ๆ ฯ ภาษาไทย\u200bประตู",),
    "Lao": ("ປະຕູເປີດ ນ້ຳ ໝາ",),
    "Khmer": ("ទ្វារបើក។ ភាសា\u200bខ្មែរ ស្ត្រី",),
    "Burmese": ("တံခါးပွင့်သည်။ ကျွန်ုပ် မြွှာ၊ သူ၏ အိမ်၌",),
    "Tibetan": ("སྒོ་ཕྱེས། རྒྱལ་པོ",),
    "Japanese": (
        "扉が開く。誰もいない！（多分）〈月〉の歌、『ソードワールド』」・「B」・第1章〜、々、え？",
        "３人、５０％、１～２時",
    ),
    "Chinese": ("门开了。《红楼梦》第1章：“谁？”——没有人；T恤、ㄅㄆ、二〇二六年", "守卫:睡着"),
    "Korean": ("문이 열렸다. “누구냐?” NPC가, 大문", unicodedata.normalize("NFD", "문이 열렸다")),
}  # fmt: skip

ALL_HONEST = [text for texts in HONEST.values() for text in texts]


@pytest.mark.parametrize(
    "text", [*MARKUP, *ANYWHERE, *AT_THE_START, *AT_THE_END, *LOOK_ALIKES, *MIXED, *COMPATIBLE], ids=ascii
)
def test_hostile_text_is_unsafe(text: str) -> None:
    """What a surface would act on is refused, plainly written or in disguise, and so are words in disguise."""
    assert unsafe(text) is not None


@pytest.mark.parametrize(("language", "text"), [(name, text) for name, texts in HONEST.items() for text in texts])
def test_honest_text_is_safe(language: str, text: str) -> None:
    """Prose of any genre passes in any language, with the letters, marks, joiners and signs it is written with."""
    assert (language, unsafe(text)) == (language, None)


def test_every_sign_is_allowed_or_not() -> None:
    """The signs of prose pass among words, those of markup nowhere, and no sign is a word."""
    assert [sign for sign in SIGNS if unsafe(f"Oh {sign} so")] == []
    assert [sign for sign in FORBIDDEN if unsafe(f"Oh {sign} so") is None or unsafe(f"o{sign}o") is None] == []


@pytest.mark.parametrize(
    "text", [" ", "?", "???", ",", "…", "—", "“”", "...", "- -", "。", "\u00a0", "º", "ー", "ـــ", "\u0301"]
)
def test_a_text_needs_words(text: str) -> None:
    """A text without a letter or digit says nothing."""
    assert unsafe(text) is not None


@pytest.mark.parametrize("first", [0, *(pytest.param(n << 16, marks=pytest.mark.full) for n in range(1, 17))])
def test_of_all_characters_only_those_of_prose_pass(first: int) -> None:
    """Every code point is tried between letters and between words: letters, marks, digits, blanks and signs remain."""
    every = map(chr, range(first, first + (1 << 16)))
    passing = [char for char in every if unsafe(f"a {char} b") is None or unsafe(f"あ{char}あ") is None]
    # What a newer Unicode has is unassigned to an older Python.
    signs = {char for char in passing if unicodedata.category(char) not in ALLOWED_CATEGORIES}

    assert {char for char in signs if char.isspace()} == {*(" \u00a0\u202f\u3000" if not first else "")}
    assert len(signs) < 150
    assert not {*passing} & {*FORBIDDEN, *INVISIBLE}


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("[[1d20]]", 'the sign "[" (U+005B)'),
        ("Oh 🙂", 'the sign "🙂" (U+1F642)'),
        ("a\nb", "a line break (U+000A)"),
        ("a\u200bb", "the character U+200B"),
        ("a\ud800b", "the character U+D800"),
        ("a\u20e3", "the character U+20E3"),
        ("Z\u0301\u0302\u0303\u0304a", "a pile of marks"),
        ("Z\u0301\u0301a", "a pile of marks"),
        ("ก" + 9 * "\u0e38", "a pile of marks"),
        ("5\u0301 a", "a mark without its letter"),
        ("a \u0301", "a mark without its letter"),
        ("the jаvelin", "letters of different scripts in one word (jаvelin)"),
        ("???", "no words"),
        ("/me waves", "a chat command (a leading / or !)"),
        ("Tom &amp; Jerry", "an HTML entity (& before a name)"),
        ("https://x", "a web address"),
        ("evil.com", "a host name"),
    ],
    ids=ascii,
)
def test_the_phrase_says_what_to_take_out(text: str, phrase: str) -> None:
    """The phrase names the thing, so that a model told of it can repair its text."""
    assert unsafe(text) == phrase


@pytest.mark.parametrize("sign", "/!")
def test_a_command_sign_matters_only_at_the_start(sign: str) -> None:
    """A slash or an exclamation mark within or at the end of a text is prose."""
    assert unsafe(f"He runs{sign} She does not.") is None
    assert unsafe(f"He runs{sign}") is None


@given(st.text(st.characters(exclude_categories=())))
def test_any_string_is_judged(text: str) -> None:
    """No string raises, lone surrogates and control characters included; nor does what can be said of it."""
    assert isinstance(unsafe(text), str | None)
    assert isinstance(sayable(text), str)


@given(st.text(st.characters(exclude_categories=()), max_size=30) | st.text(st.sampled_from(FORBIDDEN + " ab./:-é")))
def test_what_can_be_said_is_safe(name: str) -> None:
    """A name is said as it is where it is safe, else in words that are, or not at all."""
    said = sayable(name)
    assert said == "" or unsafe(said) is None
    assert said == name or unsafe(name) is not None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Cynere", "Cynere"),
        ("Guard #2", "Guard 2"),
        ("R2_D2", "R2 D2"),
        ("Zoë 🗡", "Zoë"),
        ("[The] *Baron*", "The Baron"),
        ("/me Smith", "me Smith"),
        ("evil.com", "evil com"),
        ("B\u2060ob", "Bob"),
        ("B\u0347ob", "Bob"),
        ("Old\nBob", "Old Bob"),
        ("<b>Bob</b>", "b Bob b"),
        ("***", ""),
    ],
)
def test_a_name_is_said_without_other_signs(name: str, said: str) -> None:
    """Whose name has signs that a text may not have is spoken of without them."""
    assert sayable(name) == said


@given(st.sampled_from(ANYWHERE), st.sampled_from(ALL_HONEST), st.sampled_from(ALL_HONEST))
def test_hostile_text_stays_hostile_among_honest_text(hostile: str, before: str, after: str) -> None:
    """Honest sentences before and after do not hide what a surface acts on."""
    assert unsafe(f"{before} {hostile} {after}") is not None


@given(st.sampled_from(["evil.com", "http://x", "/me waves", "&lt;b", "Seen Her Face"]), st.data())
def test_an_invisible_character_stands_in_no_word(text: str, data: st.DataObject) -> None:
    """Nothing that does not show gets between two letters, or before or behind a word, of ours."""
    at = data.draw(st.integers(0, len(text)))
    assert unsafe(text[:at] + data.draw(st.sampled_from(INVISIBLE)) + text[at:]) is not None


@given(st.sampled_from(ALL_HONEST))
def test_a_text_and_its_composed_form_are_judged_alike(text: str) -> None:
    """Whether an accent is written with its letter or after it makes no difference."""
    assert unsafe(unicodedata.normalize("NFC", text)) is None
    assert unsafe(unicodedata.normalize("NFD", text)) is None


UNITS = (
    "a.", "1.", "a:", "&a", "%4", "%a", "$", ":a", ":+", "1", "/", ".a", "a-", "a ", "a/", "a\u0301", "я.", "한",
    "می\u200c", "ﷺ",
)  # fmt: skip
"""What begins a pattern, over and over."""


@pytest.mark.parametrize("unit", UNITS)
def test_long_text_is_judged_in_one_go(unit: str) -> None:
    """What begins a pattern again and again costs no more than its length.

    Nothing is measured by the clock: what grew with the square of fifty thousand characters would not end
    within a minute of any test run. A benchmark measures elsewhere.
    """
    unsafe("x " + unit * (50_000 // len(unit)))
    unsafe("a" + "\u0316\u0301" * 25_000)
    unsafe("a" + "\u0323\u0301" * 25_000)
