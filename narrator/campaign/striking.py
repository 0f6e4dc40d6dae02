"""Strikes out: the words of an entry or a page, wherever in a campaign they stand, so that nothing of them stays."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, Row, select, update

from narrator.campaign import store
from narrator.campaign.records import STRUCK, Entry
from narrator.campaign.store import State
from narrator.campaign.tables import ENTRIES, GONE, PAGES, packed, text_in, unpacked
from narrator.errors import RequestError
from narrator.language.lexicon import load
from narrator.language.text import Text, digest

_NAMES = frozenset(("name", "called", "aspect", "aspects"))
_PROSE = frozenset(("summary", "facts", "recent", "tone", "detail", "intent", "text"))
"""The fields that hold words: names, which something else may go by, and sentences."""

_FIXED = frozenset(
    ("frame", "side", "importance", "severity", "severities", "type", "kind", "form", "slot", "outcome", "id", "ended")
) | {"language", "pronouns", "ruleset", "version", "goal", "track", "tracks", "card", "source", "use", "pay", "label"}
"""The fields whose values are the rules' own words, whatever a table strikes out."""


@dataclass(frozen=True)
class Words:
    """Words that are struck out: names, with what each goes by from now on, and sentences."""

    names: Mapping[str, str]
    prose: tuple[str, ...]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        texts = sorted({*self.names, *self.prose}, key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, texts))})(?!\w)", re.IGNORECASE)

    @cached_property
    def _in_json(self) -> tuple[str, ...]:
        return tuple(json.dumps(each, ensure_ascii=False)[1:-1].lower() for each in (*self.names, *self.prose))

    def may_stand_in(self, told: str) -> bool:
        """Whether one of them may stand in a text of JSON: most have none, and need not be read."""
        lower = told.lower()
        return any(each in lower for each in self._in_json)

    def out_of(self, told: Any, field: str = "") -> Any:
        """The same JSON without them."""
        if isinstance(told, dict):
            return {self.names.get(key, key): self.out_of(each, key) for key, each in told.items()}
        if isinstance(told, list):
            return [self.out_of(each, field) for each in told]
        if not isinstance(told, str) or field in _FIXED:
            return told
        return self.names.get(told) or self._pattern.sub(STRUCK, told)


def strike(db: Connection, at: State, what: object) -> tuple[Entry, int]:
    """Strike out an entry or a page: the entry that says so, and whose scene stands then."""
    rows, page = _meant(db, at, what)
    number = rows[0].seq if rows else at.seq + 1
    words: dict[str, bool] = {}
    cards: list[str | None] = []
    if page is not None:
        roll = store.page(db, page)
        answer, action, over = roll.answer.as_json(), roll.request.action.as_json(), roll.over and roll.over.as_json()
        said = [
            action.get("intent"),
            {"aspect": action.get("aspect")},
            over,
            answer["suggestions"],
            answer.get("drafts"),
        ]
        then = store.entry_row(db, ENTRIES.c.revision == roll.revision)
        words |= _new(said, then and store.scene_json(db, then.head))
        cards = [each.card for each in roll.answer.suggestions]
    for row in rows:
        told = unpacked(row.told)
        said = [unpacked(row.scene), told["said"], told["text"] if row.kind == "noted" else ""]
        words |= _new(said, store.scene_json(db, row.before))
    found = _struck(words, number)
    lexicon = load(at.scene.language)
    digests = (digest(Text(text, lexicon).key) for text in words)
    store.keep(db, at, struck=(*digests, *filter(None, cards)))
    _rewrite(db, found, {row.seq for row in rows})
    if page is not None:
        store.set_page(db, page, "struck")
    newest = next((row for row in rows if row.seq == at.head), None)
    if newest is not None:
        store.mark(db, newest, GONE, "struck")
    return at.entry("struck", "Struck out", page=page), at.head if newest is None else newest.before


def _meant(db: Connection, at: State, what: object) -> tuple[Sequence[Row[Any]], str | None]:
    """Find what is to be struck out: the rows of entries, and their page, where they are of one."""
    newest = store.pages(db, 1, state="open") if what is None else ()
    if newest and newest[0].revision == at.revision:
        return (), newest[0].id
    seq = at.head if what is None else what
    if isinstance(seq, int) and not isinstance(seq, bool):
        row = store.entry_row(db, ENTRIES.c.seq == seq)
        if row is None or row.before is None:
            raise RequestError("bad_request", "entry", f"entry {seq} is none that was settled, moved or noted")
        if row.page is None:
            return (row,), None
        seq = row.page
    if not isinstance(seq, str):
        raise RequestError("bad_request", "entry", "say the number of an entry, or the id of a page")
    if store.page(db, seq).state == "struck":
        raise RequestError("page_closed", "page", f"the page {seq} is struck")
    # Something else may have been settled of it before.
    of_page = (ENTRIES.c.page == seq, ENTRIES.c.kind == "settled")
    return db.execute(select(ENTRIES).where(*of_page).order_by(ENTRIES.c.seq.desc())).all(), seq


def _new(said: Any, before: Any) -> dict[str, bool]:
    """Gather the words that did not stand in the scene before, and whether each is a name."""
    known = {text for text, _ in _words(before)}
    return {text: is_name for text, is_name in _words(said) if text not in known and text != STRUCK}


def _struck(words: Mapping[str, bool], number: int) -> Words:
    """Say what goes in place of words."""
    names = [text for text, is_name in words.items() if is_name]
    return Words(
        {text: f"Struck {number}{f'.{place}' if place > 1 else ''}" for place, text in enumerate(names, 1)},
        tuple(text for text, is_name in words.items() if not is_name),
    )


def _words(told: Any, field: str = "text") -> Iterator[tuple[str, bool]]:
    """Give every text that is somebody's words, and whether it is a name."""
    if isinstance(told, dict):
        for key, each in told.items():
            yield from _words(each, key)
    elif isinstance(told, list):
        for each in told:
            yield from _words(each, field)
    elif isinstance(told, str) and told.strip() and field in (*_NAMES, *_PROSE):
        yield told, field in _NAMES


def _rewrite(db: Connection, words: Words, entries: Collection[int]) -> None:
    """Take words out of all that is kept; of the entries themselves, and of what took them back, nothing is told."""
    for table, key, fields in ((ENTRIES, "seq", ("told", "scene")), (PAGES, "number", ("told",))):
        for row in db.execute(select(*(table.c[name] for name in (key, *fields)))).all():
            for name in fields:
                text = "" if getattr(row, name) is None else text_in(getattr(row, name))
                told = json.loads(text) if name == "told" and table is ENTRIES else {}
                if told.get("seq") in entries or told.get("of") in entries:
                    told |= {"text": STRUCK, "said": [], "changes": []}
                elif words.may_stand_in(text):
                    told = words.out_of(json.loads(text))
                else:
                    continue
                db.execute(update(table).where(table.c[key] == row[0]).values({name: packed(told)}))
