"""Writes docs/reference.md, every call and object of the JSON, out of the same models that read and write it."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from inspect import cleandoc, getdoc
from textwrap import fill
from typing import Any

import narrator
from docs.glossary import ERRORS, REJECTIONS, WORDS
from narrator import __version__
from narrator.api.schemas import GIVEN, GIVES, MADE, SUBJECTS, schema
from narrator.render.phrases import plain
from narrator.rules.model import MOST_BYTES
from narrator.rules.ruleset import loader
from narrator.rules.ruleset.loader import packaged_ruleset
from narrator.rules.ruleset.row import FormSpec
from narrator.sources import kinds

Json = dict[str, Any]

OPENING = f"""
# Reference

Every call of narrator's and every object that goes in or comes out, as JSON. This page belongs to version {__version__}
and to the contract `narrator/v1`. `make pages` writes it from the models themselves.

A call is one object, a payload: `{{"call": "suggest", "request": {{...}}}}`. It goes to `narrator.vtt.run` in Python,
or to `narrator vtt` on standard input, and one object comes back: what the call gives, or `{{"error": ...}}`
with a [Refusal](#refusal). A payload may say an `id` of yours, a name or a number: it comes back in either. On an event
loop it is `await narrator.vtt.arun(payload)`.

In Python each call is a function of the same name that takes its parts in this order, each object a frozen model with
the same fields, and a refusal the exception `narrator.NarratorError`; where the request is about no action its fields
are taken one by one, such as `narrator.word(scene, kind, ...)` or `narrator.lines(scene)`. How words are found is said
by name: `source`, `timeout`, `repairs`, `strict`, and beside what a payload may say `rulesets` and `decks`;
`asuggest`, `aprepare` and `aword` do not block.

What you may build on:

- What is right to send today stays right and means the same, for as long as the contract is `narrator/v1`.
- An answer may gain fields, and codes, forms and types may gain words: let your program pass over what it does not
  know. What goes in may hold nothing unknown: a field that narrator does not know is refused as `bad_request`, so that
  a misspelt one is never taken for one left out.
- null and a field left out are the same, in whatever you send. narrator itself leaves out what does not apply.
- A whole number may be written `3.0` in JSON text. `"3"` and `true` are no numbers.
- Texts that come out are plain text, with names in them as your players wrote them: escape them where you show them.

How much fits: a payload has at most {MOST_BYTES:,} characters, a name 1 to 200, a text 4,000, a list or an object with
names of your own 500 entries, the boxes of a track or the consequences of a sheet 12. Numbers go to a billion on either
side, seeds to 2^63.
"""

SCHEMAS = (
    "`narrator schema WHAT` prints it as JSON Schema (2020-12), for editors and for other languages; WHAT is "
    f"{', '.join(SUBJECTS[:-1])} or {SUBJECTS[-1]}. As TypeScript:"
)
TYPESCRIPT = "    narrator schema payload | npx json-schema-to-typescript --maxItems 4 --no-additionalProperties"

FORMS = (
    "What words may be, and what `settle` writes into the scene beside `recent`, where everything said is kept that is "
    "no secret of the GM's. A house ruleset may have more."
)

KINDS = (
    "What `kind` may say under `[sources.NAME]` of `config.toml`, which gives a source a name to be asked by; `openai` "
    "where it is left out."
)

BESIDE = (
    "The name of a call may also be written with hyphens, as on the command line. In Python `stream` and `astream` "
    "give what `suggest` gives as [Event](#event)s, each the moment it is known. No call but these three, `prepare` "
    "and `word` ever asks a model: they are the ones that take `source`."
)

TAGS = {"Opposition": "kind", "Event": "event", "Move": "type"}
"""The unions, and the field that tells their members apart."""

WIDTH = 120

WIDEST_CELL = 40
"""To which width cells are filled up, so that a table reads well as text too; longer ones stand out."""

MOST_WORDS = 5
"""How many words that a field may be stand in the column of types; more stand with its meaning."""

HUGE = 10**9
"""From here on a bound says nothing to anybody."""


def reference() -> str:
    """Return the page, in Markdown."""
    given, made = dict[str, Json](), dict[str, Json]()
    for found, subjects in ((given, GIVEN), (made, MADE)):
        for subject in subjects:
            found.update(_named(schema(subject), skip=found))
    calls = given.pop("Payload")
    for wrapper in map(schema, (*GIVES.values(), "error")):
        if len(wrapper["properties"]) == 1:
            del made[wrapper["title"]]
    lines = [
        cleandoc(OPENING),
        "",
        fill(SCHEMAS, WIDTH, break_on_hyphens=False),
        "",
        TYPESCRIPT,
        "\n## Words of the trade\n",
        *(_item(f"**{word}**: {meaning}") for word, meaning in WORDS.items()),
        "\n## Calls\n",
        *(_item(_call(name, calls)) for name in GIVES),
        "",
        fill(BESIDE, WIDTH),
        "\n## What goes in",
        *(_section(name, each, "required") for name, each in given.items()),
        "\n## What comes out",
        *(_section(name, each, "always") for name, each in made.items() if name not in given),
        "\n## Forms\n",
        fill(FORMS, WIDTH),
        "",
        _table(("form", "in a slot of", "is", "in the scene"), _forms()),
        "\n## Kinds of sources\n",
        fill(KINDS, WIDTH),
        "",
        *(_item(f"`{name}`: {kinds.about(name)}") for name in kinds.kinds()),
        *_codes("Error codes", "What a [Refusal](#refusal) says in `code`.", ERRORS),
        *_codes("Rejection codes", "What a [Rejection](#rejection) or a [Violation](#violation) says.", REJECTIONS),
    ]
    return "\n".join(lines)


def _forms() -> list[tuple[str, ...]]:
    """Every form of the rulesets that come with narrator, each once."""
    found = {name: form for ruleset in loader.packaged() for name, form in packaged_ruleset(ruleset).forms.items()}
    return [
        (f"`{name}`", " or ".join(map(plain, form.kinds)), form.brief, _entered(form)) for name, form in found.items()
    ]


def _entered(form: FormSpec) -> str:
    match form:
        case FormSpec(harm="consequence"):
            return "a consequence"
        case FormSpec(harm="stress"):
            return "a box of stress"
        case FormSpec(does="moves"):
            return "their zone, which `choice.zone` says where it is open"
        case FormSpec(does="disarms"):
            return "`disarmed`"
        case FormSpec(name=None, free_invocations=None):
            return ""
        case FormSpec(name=None):
            return "free invocations"
        case FormSpec(on="aspect"):
            return "the aspect, reworded"
    return f"{'an' if form.becomes == 'aspect' else 'a'} {form.becomes}"


def _named(written: Json, skip: Container[str]) -> dict[str, Json]:
    """Every object and every union of a schema by its name, each after what names it first; a union with its
    members.
    """
    definitions = written.get("$defs", {})
    found: dict[str, Json] = {}

    def take(name: str, each: Json) -> None:
        if name in found or name in skip:
            return
        members = [definitions[_name_of(member)] for member in each.get("oneOf", ())]
        found[name] = {**each, "members": members}
        for part in (each, *members):
            look_into(part.get("properties", {}))

    def look_into(value: Any) -> None:
        match value:
            case {"$ref": _}:
                take(_name_of(value), definitions[_name_of(value)])
            case {"oneOf": _}:
                take(value["title"], value)
            case dict() | list():
                for part in value.values() if isinstance(value, dict) else value:
                    look_into(part)

    take(written["title"], written)
    return found


def _call(name: str, payload: Json) -> str:
    (member,) = (each for each in payload["members"] if name in _words(each["properties"]["call"]))
    parts = [
        f"`{part}`, {_type(each)}{'' if part in member['required'] else ' (may be left out)'}"
        for part, each in member["properties"].items()
        if part not in ("call", "id")
    ]
    said = " ".join((getdoc(getattr(narrator, name)) or "").split("\n\n")[0].split())
    return f"**`{name}`**: {said} In: {'; '.join(parts) or 'nothing more'}. Out: {_given_by(name)}"


def _given_by(name: str) -> str:
    gives = schema(GIVES[name])
    if len(gives["properties"]) > 1:
        return f"{_link(gives['title'])}."
    ((field, each),) = gives["properties"].items()
    return f"`{field}`, {_type(each)}. {each['description']}"


def _section(name: str, written: Json, needed: str) -> str:
    """The section of one object, or of those that a field tells apart.

    Args:
        needed: What to say of a field that is always there.
    """
    heads = ("field", "type", "left out" if needed == "required" else "there", "meaning")
    if not written["members"]:
        return f"\n### {name}\n{fill(written['description'], WIDTH)}\n\n{_table(heads, [*_fields(written, needed)])}"
    tag = TAGS[name]
    rows = [
        row
        for member in written["members"]
        for row in (
            (_type(member["properties"][tag]), "", "", "", member["description"]),
            *(("", *field) for field in _fields(member, needed) if field[0] != f"`{tag}`"),
        )
    ]
    said = f"{written.get('description', '')} One of these, told apart by `{tag}`.".strip()
    return f"\n### {name}\n{said}\n\n{_table((tag, *heads), rows)}"


def _fields(written: Json, needed: str) -> Iterator[tuple[str, ...]]:
    required = written.get("required", [])
    for name, each in sorted(written["properties"].items(), key=lambda field: field[0] not in required):
        there = needed if name in required else "where it applies" if needed == "always" else _default(each)
        words = [word for shape in _shapes(each) for word in _words(shape)]
        listed = f" One of {_either(words)}." if len(words) > MOST_WORDS and not _of_codes(words) else ""
        yield f"`{name}`", _type(each), there, each["description"] + listed


def _default(written: Json) -> str:
    match written.get("default"):
        case None:
            return "none"
        case "" | [] | {}:
            return "empty"
        case bool(value):
            return f"`{str(value).lower()}`"
        case value:
            return f"`{value}`"


def _type(written: Json) -> str:
    """Say a type in plain words. Null is not said: it is the same as left out."""
    return " or ".join(_plainly(shape) for shape in _shapes(written)) or "none"


def _shapes(written: Json) -> list[Json]:
    several = written.get("anyOf") or written.get("allOf") or [written]
    return [shape for shape in several if shape.get("type") != "null"]


def _plainly(shape: Json) -> str:
    if words := _words(shape):
        return _of_codes(words) or (_either(words) if len(words) <= MOST_WORDS else "word")
    match shape:
        case {"$ref": _}:
            return _link(_name_of(shape))
        case {"oneOf": _}:
            return _link(shape["title"])
        case {"type": list()}:
            return "anything"
        case {"type": "array", "items": items}:
            number = f"{shape['minItems']} " if "minItems" in shape else ""
            return f"list of {number}{_several(_type(items))}"
        case {"type": "object", "additionalProperties": values}:
            return f"object, by name: {_type(values)}"
        case {"type": "integer"}:
            return f"whole number{_bounds(shape)}"
        case {"type": "string", "maxLength": 200}:
            return "name"
    return {"string": "text", "boolean": "true or false", "number": "number"}[shape["type"]]


def _several(words: str) -> str:
    """Put in the plural what is no name of the JSON's."""
    kind, *bounds = re.split(r"(?=,? from )", words)
    return words if set(words) & set("[`") else f"{kind}s{''.join(bounds)}"


def _bounds(shape: Json) -> str:
    least, most = shape.get("minimum", -HUGE), shape.get("maximum", HUGE)
    return f" from {least} to {most}" if most < HUGE else f" from {least}" if least > -HUGE else ""


def _words(written: Json) -> list[Any]:
    return [written["const"]] if "const" in written else written.get("enum", [])


def _of_codes(words: list[Any]) -> str | None:
    return {tuple(ERRORS): "[error code](#error-codes)", tuple(REJECTIONS): "[rejection code](#rejection-codes)"}.get(
        tuple(words)
    )


def _either(words: list[Any]) -> str:
    *first, last = (f"`{word}`" for word in words)
    return f"{', '.join(first)} or {last}" if first else last


def _name_of(reference: Json) -> str:
    name: str = reference["$ref"].rsplit("/", 1)[1]
    return name


def _link(name: str) -> str:
    return f"[{name}](#{name.lower()})"


def _codes(title: str, said: str, codes: Mapping[Any, str]) -> Iterator[str]:
    yield f"\n## {title}\n\n{said}\n"
    yield _table(("code", "comes when"), [(f"`{code}`", when) for code, when in codes.items()])


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    columns = [*zip(heads, *rows, strict=True)]
    widths = [min(WIDEST_CELL, max(len(cell) for cell in column)) for column in columns[:-1]]
    rule = tuple("-" * width for width in (*widths, len(heads[-1])))
    return "\n".join(_row(cells, widths) for cells in (heads, rule, *rows))


def _row(cells: tuple[str, ...], widths: list[int]) -> str:
    filled = (cell.ljust(width) for cell, width in zip(cells[:-1], widths, strict=True))
    return f"| {' | '.join([*filled, cells[-1]])} |"


def _item(text: str) -> str:
    return fill(
        text, WIDTH, initial_indent="- ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
