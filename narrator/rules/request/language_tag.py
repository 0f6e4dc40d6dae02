"""Reads language tags: an ISO 639 code, extended as in BCP 47 (RFC 5646, 2.1)."""

import re
from functools import cache
from importlib.resources import files
from typing import Annotated, Final

from pydantic import AfterValidator, StringConstraints, WithJsonSchema

from narrator.rules.model import complaint

_LONGEST: Final = 200

_WELL_FORMED: Final = (
    r"^[A-Za-z]{2,3}(-[A-Za-z]{3}){0,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?"
    r"(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(-[A-WYZa-wyz0-9](-[A-Za-z0-9]{2,8})+)*(-[Xx](-[A-Za-z0-9]{1,8})+)?$"
)
"""Language, extensions of it, script, region, variants, extensions, private use."""

_WANTED: Final = (
    "this must be an ISO 639 language code, with subtags after hyphens if needed (BCP 47): en, de-CH, zh-Hant"
)


def primary(tag: str) -> str:
    """Return the shortest code for a tag's language, or an empty string if the tag is not valid.

    >>> primary("de-CH"), primary("GER"), primary("yue-Hant-HK"), primary("English"), primary("xx")
    ('de', 'de', 'yue', '', '')
    """
    if re.fullmatch(_WELL_FORMED, tag) is None or _repeats(tag.lower()):
        return ""
    return _shortest().get(tag.lower().partition("-")[0], "")


def _repeats(tag: str) -> bool:
    """Whether a variant or the letter of an extension occurs twice."""
    core, *extensions = re.split("-(?=[a-z0-9]-)", tag.partition("-x-")[0])
    once = [*core.split("-")[1:], *(each[0] for each in extensions)]
    return len(set(once)) < len(once)


@cache
def _shortest() -> dict[str, str]:
    """Map every code to the shortest code for the same language."""
    lines = (files("narrator.rules") / "language-codes.txt").read_text("utf-8").splitlines()
    words = (word.split("/") for line in lines if not line.startswith("#") for word in line.split())
    return {code: codes[0] for codes in words for code in codes}


def _is_tag(told: str) -> str:
    if not primary(told):
        raise complaint("bad_request", _WANTED)
    return told


LanguageTag = Annotated[
    str,
    StringConstraints(max_length=_LONGEST),
    AfterValidator(_is_tag),
    WithJsonSchema({"type": "string", "maxLength": _LONGEST, "pattern": _WELL_FORMED}),
]
"""A language, such as `en` or `de-CH`. Case does not matter."""
