"""Strikes out the words of an entry or a page everywhere in a campaign, so that nothing of them stays."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Literal, TypeAlias
from unicodedata import normalize

from sqlalchemy import Connection, Row, select, update

from narrator.campaign import store, story
from narrator.campaign.records import STRUCK, Entry
from narrator.campaign.store import State
from narrator.campaign.tables import ENTRIES, GONE, PAGES, STAGES, packed, text_in, unpacked
from narrator.deck.staged import STAGED_CARD
from narrator.errors import RequestError
from narrator.language.lexicon import load
from narrator.language.text import Text, digest
from narrator.rules.json_text import Json
from narrator.rules.model import LARGEST
from narrator.rules.request.scene import ANYONE, GM
from narrator.rules.ruleset.card import Card

Kind: TypeAlias = Literal["person", "name", "prose"]

_PEOPLE = ("characters", "away", "people")
_NAMES = ("name", "called", "aspect", "aspects")
_PROSE = ("summary", "facts", "recent", "tone", "detail", "intent", "text")
"""The fields that words are gathered from: people, names, sentences. Skills, tracks and sides belong to the rules."""

_GO_BY = (
    *(*_NAMES, "on", "who", "to", "holders", "by", "actor", "target", "helpers", "hindering", "order", "turn", "acted"),
    *("zone", "adjacent", "path", "winner", "draft", "before", "after"),
)
"""Fields that may contain a name. Only in these is a struck name replaced by another one."""

_KEYED = ("free_invocations", "ratings")
"""The objects whose keys are names."""

_TOLD = (*_PROSE, "notices", "before", "after")
"""Fields whose sentences lose the words. Lines and veils of a table keep them."""


_MECHANICS = (
    *("stress", "cleared", "consequence", "taken_out", "conceded", "fate_points", "owed", "legend_points"),
    *("free_invocations", "boost", "zone", "mark", "recovering"),
)
"""Types of changes whose mechanics are kept."""


_GONE_ALREADY = re.compile(rf"{STRUCK}|Struck \d+(\.\d+)?")


class Words:
    """Struck words by kind. Names are replaced by other names, words in sentences by a gap."""

    def __init__(self, words: dict[str, Kind], number: int, cards: Iterable[str] = ()) -> None:
        self._words = words
        self._cards = frozenset(cards)
        names = [text for text, kind in words.items() if kind != "prose" and text not in (GM, ANYONE)]
        self.names = {text: f"Struck {number}{f'.{place}' if place > 1 else ''}" for place, text in enumerate(names, 1)}

    @cached_property
    def _told(self) -> list[list[str]]:
        """The words of each text to look for in sentences, except prose of a single word."""
        found = [(_bare(text), kind) for text, kind in self._words.items()]
        # A sentence may use only somebody's last name.
        found += [(text[start:], "name") for text, kind in found if kind == "person" for start in range(1, len(text))]
        return [text for text, kind in found if text and (kind != "prose" or len(text) > 1)]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        texts = sorted((r"\W+".join(map(re.escape, text)) for text in self._told), key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(texts) or '(?!)'})(?!\w)", re.IGNORECASE)

    @cached_property
    def _signs(self) -> frozenset[str]:
        """The longest word of each text. If JSON text contains none of these, it need not be read."""
        return frozenset(max(_bare(text) or [text], key=len).casefold() for text in self._words)

    def keeps(self, card: Card) -> bool:
        """Whether a card is not one of the struck ones."""
        return STAGED_CARD + card.id not in self._cards

    def may_stand_in(self, told: str) -> bool:
        """Whether JSON text may contain one of the words."""
        folded = normalize("NFC", told).casefold()
        return any(sign in folded for sign in self._signs)

    def out_of(self, told: Any, field: str = "") -> Any:
        """The same JSON without the words."""
        if isinstance(told, dict):
            renames = self.names if field in _KEYED else {}
            below = "to" if field == "sides" else ""
            return {renames.get(key, key): self.out_of(each, below or key) for key, each in told.items()}
        if isinstance(told, list):
            return [self.out_of(each, field) for each in told]
        if not isinstance(told, str):
            return told
        if field in _GO_BY and told in self.names:
            return self.names[told]
        if field not in _TOLD:
            return told
        return STRUCK if told in self._words else self._pattern.sub(STRUCK, normalize("NFC", told))


def strike(db: Connection, at: State, what: object) -> tuple[Entry, int]:
    """Strike out an entry or a page. Returns the new entry, and the number of the entry whose scene is then current."""
    rows, page = _meant(db, what)
    words: dict[str, Kind] = {}
    cards: list[str | None] = []
    if page is not None:
        roll = store.page(db, page)
        told, action = roll.as_json(), roll.request.action.as_json()
        said = [told.get("over"), told["answer"].get("drafts"), told["answer"]["suggestions"], action.get("intent")]
        then = store.entry_row(db, ENTRIES.c.revision == roll.revision)
        words |= _new([*said, {"aspect": action.get("aspect")}], then and store.scene_json(db, then.head))
        cards = [each.card for each in roll.answer.suggestions]
        store.set_page(db, page, "struck")
    for row in rows:
        told = unpacked(row.told)
        said = [unpacked(row.scene), told["said"], told["text"] if row.kind == "noted" else ""]
        words |= _new(said, store.scene_json(db, row.before))
    lexicon = load(at.scene.language)
    store.keep(db, at, struck=(*(digest(Text(text, lexicon).key) for text in words), *filter(None, cards)))
    newest = next((row for row in rows if row.seq == at.head), None)
    back = () if newest is None else story.taken_back(store.entry_of(newest).changes)
    without = Words(words, rows[0].seq if rows else at.seq + 1, filter(None, cards))
    _rewrite(db, without, {row.seq for row in rows})
    changes, of = _changes([each.as_json() for each in back], without), rows[0].seq if rows else None
    entry = at.entry("struck", f"Struck out: {page or f'entry {of}'}", page=page, of=of, changes=changes)
    if newest is None:
        return entry, at.head
    store.mark(db, newest, GONE, "struck")
    return entry, newest.before


def _changes(told: list[Json], words: Words) -> list[Json]:
    """The part of changes that is kept: numbers, boxes and current names, but no sentences and no sheets."""
    kept = (words.out_of(each) for each in told if each["type"] in _MECHANICS)
    return [{**each, "text": STRUCK} for each in kept]


def _meant(db: Connection, what: object) -> tuple[Sequence[Row[Any]], str | None]:
    """Find what to strike out: the rows of entries, and their page if they have one."""
    seq = what
    if what is None:
        written = select(ENTRIES).where(ENTRIES.c.before.is_not(None)).order_by(ENTRIES.c.seq.desc()).limit(100)
        last = next((row for row in db.execute(written) if store.entry_of(row).text != STRUCK), None)
        newest = store.pages(db, 1, state="open")
        if newest and (last is None or newest[0].revision >= last.revision):
            return (), newest[0].id
        if last is None:
            raise RequestError("bad_request", "entry", "there is nothing to strike out yet")
        seq = last.seq
    if isinstance(seq, int) and not isinstance(seq, bool) and 0 <= seq <= LARGEST:
        row = store.entry_row(db, ENTRIES.c.seq == seq)
        if row is None or row.before is None:
            message = f"entry {seq} has no words to strike out; name one that was settled, moved or noted"
            raise RequestError("bad_request", "entry", message)
        if row.page is None:
            return (row,), None
        seq = row.page
    if not isinstance(seq, str):
        raise RequestError("bad_request", "entry", "this must be the number of an entry or the id of a page")
    if store.page(db, seq).state == "struck":
        raise RequestError("page_closed", "page", f"the page {seq} is already struck out")
    # The page may have been settled before with other words.
    of_page = (ENTRIES.c.page == seq, ENTRIES.c.kind == "settled")
    return db.execute(select(ENTRIES).where(*of_page).order_by(ENTRIES.c.seq.desc())).all(), seq


def _new(said: Any, before: Any) -> dict[str, Kind]:
    """Gather the words that were not in the scene before."""
    known = {text for text, _ in _words(before)}
    return {text: kind for text, kind in _words(said) if text not in known and not _GONE_ALREADY.fullmatch(text)}


def _words(told: Any, field: str = "text", around: str = "") -> Iterator[tuple[str, Kind]]:
    """Find all texts that somebody wrote, with their kinds."""
    if isinstance(told, dict):
        for key, each in told.items():
            yield from _words(each, key, field)
    elif isinstance(told, list):
        for each in told:
            yield from _words(each, field, around)
    elif isinstance(told, str) and told.strip() and field in (*_NAMES, *_PROSE):
        is_person = field in ("name", "called") and around in _PEOPLE
        yield told, "person" if is_person else "name" if field in _NAMES else "prose"


def _bare(text: str) -> list[str]:
    return re.findall(r"\w+", normalize("NFC", text))


def _rewrite(db: Connection, words: Words, entries: Collection[int]) -> None:
    """Remove words from everything stored. The entries themselves, and those that undid them, lose their text."""
    for table, key, fields in ((ENTRIES, "seq", ("told", "scene")), (PAGES, "number", ("told",))):
        for row in db.execute(select(*(table.c[name] for name in (key, *fields)))).all():
            for name in fields:
                text = "" if getattr(row, name) is None else text_in(getattr(row, name))
                told = json.loads(text) if name == "told" and table is ENTRIES else {}
                of = told.get("of") if told.get("kind") != "struck" else None
                if told.get("seq") in entries or of in entries:
                    told |= {"text": STRUCK, "said": [], "changes": _changes(told["changes"], words)}
                elif words.may_stand_in(text):
                    told = words.out_of(json.loads(text))
                else:
                    continue
                db.execute(update(table).where(table.c[key] == row[0]).values({name: packed(told)}))
    for id_, told in db.execute(select(STAGES.c.id, STAGES.c.told)).all():
        stage = unpacked(told)
        kept = [each for each in stage["cards"] if words.out_of(each) == each and words.keeps(Card.read(each))]
        if kept != stage["cards"]:
            db.execute(update(STAGES).where(STAGES.c.id == id_).values(told=packed({**stage, "cards": kept})))
    # Fails, and so writes nothing, if the result cannot be read.
    store.state(db)
