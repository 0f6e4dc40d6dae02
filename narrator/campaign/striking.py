"""Strikes out: the words of an entry or a page, wherever in a campaign they stand, so that nothing of them stays."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, Row, select, update

from narrator.campaign import store
from narrator.campaign.records import STRUCK, Entry
from narrator.campaign.store import State
from narrator.campaign.tables import ENTRIES, GONE, PAGES, STANDS, packed, unpacked
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
    row, page = _meant(db, at, what)
    roll = None if page is None else store.page(db, page)
    found: list[Any] = [] if row is None else [unpacked(row.scene), unpacked(row.told)]
    if roll is not None:
        answer, action = roll.answer.as_json(), roll.request.action.as_json()
        found += [action.get("intent"), action.get("aspect"), answer["suggestions"], answer.get("drafts")]
    before = store.entry_row(db, ENTRIES.c.seq == (at.head if row is None or row.before is None else row.before))
    known = {text for text, _ in _words(before and unpacked(before.scene))}
    words = _struck([each for each in _words(found) if each[0] not in known], at.seq + 1 if row is None else row.seq)
    lexicon = load(at.scene.language)
    digests = [digest(Text(text, lexicon).key) for text in (*words.names, *words.prose)]
    cards = [] if roll is None else [each.card for each in roll.answer.suggestions if each.card]
    store.keep(db, struck=(*digests, *cards))
    _rewrite(db, words, None if row is None else row.seq)
    is_newest = row is not None and row.seq == at.head
    if row is not None:
        store.mark(db, row, GONE if is_newest else row.undone, "struck")
    elif page is not None:
        store.set_page(db, page, "struck")
    return at.entry("struck", "Struck out", page=page), row.before if row is not None and is_newest else at.head


def _meant(db: Connection, at: State, what: object) -> tuple[Row[Any] | None, str | None]:
    """Find what is to be struck out: the row of an entry, or None, and its page, or None."""
    newest = store.pages(db, 1, state="open") if what is None else ()
    if newest and newest[0].revision == at.revision:
        return None, newest[0].id
    seq = at.head if what is None else what
    if isinstance(seq, int) and not isinstance(seq, bool):
        row = store.entry_row(db, ENTRIES.c.seq == seq)
        if row is None or row.kind not in store.WITH_SCENE:
            message = (
                f"there is no entry {seq} with words of its own" if what is not None else "nothing was written yet"
            )
            raise RequestError("bad_request", "entry", message)
        return row, row.page
    if not isinstance(seq, str):
        raise RequestError("bad_request", "entry", "say the number of an entry, or the id of a page")
    if store.page(db, seq).state == "struck":
        raise RequestError("page_closed", "page", f"the page {seq} is struck")
    of_page = (ENTRIES.c.page == seq, ENTRIES.c.kind == "settled", ENTRIES.c.undone == STANDS)
    return store.entry_row(db, *of_page), seq


def _struck(found: Iterable[tuple[str, bool]], number: int) -> Words:
    """Say what goes in place of words, each a text and whether it is a name."""
    new = {text: is_name for text, is_name in found if text != STRUCK}
    names = [text for text, is_name in new.items() if is_name]
    return Words(
        {text: f"Struck {number}{f'.{place}' if place > 1 else ''}" for place, text in enumerate(names, 1)},
        tuple(text for text, is_name in new.items() if not is_name),
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


def _rewrite(db: Connection, words: Words, seq: int | None) -> None:
    """Take words out of all that is kept; of the entry itself, and of what took it back, nothing is told any more."""
    for table, key, fields in ((ENTRIES, "seq", ("told", "scene")), (PAGES, "number", ("told",))):
        for row in db.execute(select(*(table.c[name] for name in (key, *fields)))).all():
            for name in fields:
                told = {} if getattr(row, name) is None else unpacked(getattr(row, name))
                if seq is not None and seq in (told.get("seq"), told.get("of")):
                    new = {**told, "text": STRUCK, "said": [], "changes": []}
                elif words.may_stand_in(json.dumps(told, ensure_ascii=False)):
                    new = words.out_of(told)
                else:
                    continue
                db.execute(update(table).where(table.c[key] == row[0]).values({name: packed(new)}))
