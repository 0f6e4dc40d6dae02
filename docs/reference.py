"""Writes docs/reference.md from the models that read and write the JSON."""

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

All calls of narrator, and all JSON objects that they accept and return. This page describes version {__version__} and
the contract `narrator/v1`. `make pages` generates it from the models.

You make a call by sending a payload: `{{"call": "suggest", "request": {{...}}}}`. In Python, pass it to
`narrator.vtt.run(payload)`, or on an event loop to `await narrator.vtt.arun(payload)`. Elsewhere, write it to the
standard input of `narrator vtt`. You get one object back: the result of the call, or `{{"error": ...}}` with a
[Refusal](#refusal). A payload may contain an `id`, a name or a number; the result repeats it.

In Python, each call is also a function of the same name. It takes the parts of the payload in the order below. Objects
are frozen models with the same fields, and an error raises `narrator.NarratorError`. If the request has no action, you
pass its fields one by one: `narrator.word(scene, kind, ...)`, `narrator.lines(scene)`. Pass `source`, `timeout`,
`repairs` and `strict` by name. In Python only, you may also pass `rulesets` and `decks`. `asuggest`, `aprepare` and
`aword` do not block.

You can rely on these rules:

- A payload that is valid today stays valid and keeps its meaning as long as the contract is `narrator/v1`.
- Answers may gain fields, and lists of codes, forms and types may grow. Ignore what your program does not know.
- Payloads must not contain unknown fields: narrator refuses them as `bad_request`, so a typo never goes unnoticed.
- In a payload, null means the same as a missing field. narrator omits fields that do not apply.
- You may write a whole number as `3.0` in JSON. `"3"` and `true` are not numbers.
- Texts in answers are plain text and contain names as your players wrote them. Escape them before you show them.

Limits: a payload has at most {MOST_BYTES:,} characters, a name 1 to 200, a text 4,000. A list, or an object whose keys
you choose, has at most 500 entries. A stress track has at most 12 boxes, and a sheet 12 consequences. Numbers go from
minus one billion to one billion, seeds up to 2^63.
"""

SCHEMAS = (
    "`narrator schema WHAT` prints a JSON Schema (2020-12), for editors and other languages. WHAT is "
    f"{', '.join(SUBJECTS[:-1])} or {SUBJECTS[-1]}. To get TypeScript types:"
)
TYPESCRIPT = """\
```sh
narrator schema payload | npx json-schema-to-typescript --maxItems 4 --no-additionalProperties
```"""

FORMS = (
    "The forms of suggestions, and what `settle` writes into the scene for each. It also adds the words to `recent`, "
    "unless they are a secret of the GM. A house ruleset may have more forms."
)

KINDS = "A table `[sources.NAME]` in `config.toml` names a source. Its `kind` is one of these; the default is `openai`."

BESIDE = (
    "You may write the name of a call with hyphens, as on the command line. In Python, `stream` and `astream` give the "
    "result of `suggest` as [Event](#event)s, each as soon as it is known. Only calls that take `source` ask a model."
)

TAGS = {"Opposition": "kind", "Event": "event", "Move": "type"}
"""Each union, and the field that says which member an object is."""

WIDTH = 120

WIDEST_CELL = 40
"""Cells are padded up to this width, so that a table is also readable as text. Longer cells stick out."""

MOST_WORDS = 5
"""The column of types lists at most this many allowed words. Longer lists go to the meaning."""

HUGE = 10**9
"""Bounds from here on are not shown."""


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
        *_codes("Error codes", "The `code` of a [Refusal](#refusal), when it comes, and what to do.", ERRORS),
        *_codes(
            "Rejection codes",
            "The `code` of a [Rejection](#rejection) or [Violation](#violation), and when it comes.",
            REJECTIONS,
        ),
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
            return "their zone; if there are several, `choice.zone` picks one"
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
    """Find the objects and unions of a schema, in the order of their first mention, and the members of each union."""
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
        f"`{part}`, {_type(each)}{'' if part in member['required'] else ' (optional)'}"
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
    """Write the section of one object or of one union.

    Args:
        needed: The word for a field that is always present.
    """
    heads = ("field", "type", "default" if needed == "required" else "present", "meaning")
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
    said = f"{written.get('description', '')} One of these; `{tag}` says which.".strip()
    return f"\n### {name}\n{said}\n\n{_table((tag, *heads), rows)}"


def _fields(written: Json, needed: str) -> Iterator[tuple[str, ...]]:
    required = written.get("required", [])
    for name, each in sorted(written["properties"].items(), key=lambda field: field[0] not in required):
        there = needed if name in required else "if it applies" if needed == "always" else _default(each)
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
    """Describe a type in plain words. Null is not mentioned, because it means the same as a missing field."""
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
            told = _type(values)
            return "object" if told == "anything" else f"object (name: {told})"
        case {"type": "integer"}:
            return f"whole number{_bounds(shape)}"
        case {"type": "string", "maxLength": 200}:
            return "name"
    return {"string": "text", "boolean": "true or false", "number": "number"}[shape["type"]]


def _several(words: str) -> str:
    """Put a type into the plural, unless it is a name from the JSON."""
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
    yield _table(("code", "meaning"), [(f"`{code}`", when) for code, when in codes.items()])


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
