"""Strikes out: the words of an entry or a page, wherever in a campaign they stand, so that nothing of them stays."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, Row, Table, select, update

from narrator.campaign import store
from narrator.campaign.records import STRUCK
from narrator.campaign.store import State, Written
from narrator.campaign.tables import ENTRIES, GONE, PAGES, STANDS, packed, unpacked
from narrator.errors import RequestError
from narrator.language.lexicon import load
from narrator.language.text import Text, digest
from narrator.rules.json_text import Json

_NAMES = frozenset(("name", "called", "aspect", "aspects"))
_PROSE = frozenset(("summary", "facts", "recent", "tone", "detail", "intent", "text"))
"""The fields that hold words: names, which something else may go by, and sentences."""

_FIXED = frozenset(
    ("frame", "side", "importance", "severity", "severities", "type", "kind", "form", "slot", "outcome", "id", "ended")
) | {"language", "pronouns", "ruleset", "version", "goal", "track", "tracks", "card", "source", "use", "pay", "label"}
"""The fields whose values are the rules' own words, whatever a table strikes out."""

_BLOBS: tuple[tuple[Table, str, tuple[str, ...]], ...] = (
    (ENTRIES, "seq", ("told", "scene")),
    (PAGES, "number", ("request", "over", "answer")),
)


@dataclass(frozen=True)
class Words:
    """Words that are struck out: names, with what each goes by from now on, and sentences."""

    names: Mapping[str, str]
    prose: frozenset[str]

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


def strike(db: Connection, at: State, what: object) -> Written:
    """Strike out an entry or a page, and say what is to be written of it."""
    row, page = _meant(db, at, what)
    number = at.seq + 1 if row is None else row.seq
    before = unpacked(store.entry_row(db, at.head if row is None or row.before is None else row.before).scene)
    roll = None if page is None else store.page(db, page)
    found = [{} if row is None else unpacked(row.scene), {} if row is None else unpacked(row.told)]
    if roll is not None:
        answer, action = roll.answer.as_json(), roll.request.action.as_json()
        found.append({name: answer.get(name) or [] for name in ("suggestions", "drafts")})
        found.append({name: action[name] for name in ("intent", "aspect") if action.get(name)})
    words = _new_words(found, before, number)
    cards = [] if roll is None else [each.card for each in roll.answer.suggestions if each.card]
    lexicon = load(at.scene.language)
    digests = [digest(Text(text, lexicon).key) for text in (*words.names, *sorted(words.prose))]
    store.strike_out(db, at, (*digests, *cards))
    _rewrite(db, words, None if row is None else row.seq)
    if page is not None:
        store.set_page(db, page, "struck")
    if row is None or row.seq != at.head:
        return Written("struck", "Struck out", head=at.head, page=page)
    store.mark(db, row.seq, GONE)
    return Written("struck", "Struck out", head=row.before, page=page)


def _meant(db: Connection, at: State, what: object) -> tuple[Row[Any] | None, str | None]:
    """Find what is to be struck out: the row of an entry, or None, and its page, or None."""
    if isinstance(what, int) and not isinstance(what, bool):
        row = store.entry_row(db, what)
        if row.kind not in store.SCENES:
            raise RequestError("bad_request", "entry", f"an entry that is {row.kind} has no words of its own")
        return row, None if row.page is None else store.page_id(row.page)
    if what is None:
        page = store.newest_page(db)
        return (None, page) if page and store.page(db, page).revision == at.revision else _meant(db, at, at.head)
    if not isinstance(what, str):
        raise RequestError("bad_request", "entry", "say the number of an entry, or the id of a page")
    if store.page(db, what).state == "struck":
        raise RequestError("page_closed", "page", f"the page {what} is struck")
    of_page = (ENTRIES.c.page == store.page_number(what), ENTRIES.c.kind == "settled", ENTRIES.c.undone == STANDS)
    return db.execute(select(ENTRIES).where(*of_page)).first(), what


def _new_words(found: list[Json], before: Json, number: int) -> Words:
    """Gather the words of JSON that did not stand in the scene before."""
    known = {text for text, _ in _words(before)}
    new = {text: is_name for each in found for text, is_name in _words(each) if text not in known and text != STRUCK}
    names = [text for text, is_name in new.items() if is_name]
    return Words(
        {text: f"Struck {number}{f'.{place}' if place > 1 else ''}" for place, text in enumerate(names, 1)},
        frozenset(text for text, is_name in new.items() if not is_name),
    )


def _words(told: Any, field: str = "") -> Iterator[tuple[str, bool]]:
    """Give every text that is somebody's words, and whether it is a name."""
    if isinstance(told, dict):
        for key, each in told.items():
            yield from _words(each, key)
    elif isinstance(told, list):
        for each in told:
            yield from _words(each, field)
    elif isinstance(told, str) and told.strip() and field in _NAMES | _PROSE:
        yield told, field in _NAMES


def _rewrite(db: Connection, words: Words, seq: int | None) -> None:
    """Take words out of all that is kept; of the entry itself, and of what took it back, nothing is told any more."""
    for table, key, fields in _BLOBS:
        rows = db.execute(select(*(table.c[name] for name in (key, *fields)))).all()
        for row in rows:
            update_of: Json = {}
            for name in fields:
                blob = getattr(row, name)
                told = {} if blob is None else unpacked(blob)
                if name == "told" and seq is not None and seq in (row.seq, told.get("of")):
                    update_of[name] = packed({"text": STRUCK, "of": told.get("of")})
                elif words.may_stand_in(json.dumps(told, ensure_ascii=False)):
                    update_of[name] = packed(words.out_of(told))
            if update_of:
                db.execute(update(table).where(table.c[key] == row[0]).values(update_of))
