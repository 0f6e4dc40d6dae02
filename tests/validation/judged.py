"""The judges of words, asked of a text as it is written, and the texts of `tests/corpus/certain` they must know."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from narrator.language.lexicon import load
from narrator.language.text import Text
from narrator.rules.model import LIST, Model
from narrator.rules.toml_file import read_toml
from narrator.validation import aspect_name, contradiction, mechanics
from narrator.validation.aspect_name import SceneNames
from narrator.validation.intent import read_intent
from narrator.validation.lines_and_veils import Lines
from narrator.validation.safety import unsafe
from narrator.validation.subjects import People


def states_mechanic(text: str, language: str = "en") -> str | None:
    """The phrase that states a mechanic."""
    return next((each.phrase for each in mechanics.stated_in(Text(text, load(language)))), None)


def contradicts(
    text: str, actor: str, attained: bool, language: str = "en", *, others: Iterable[str] = (), intent: str = ""
) -> str | None:
    """The phrase that says the opposite of what the roll decided."""
    lexicon = load(language)
    meant = read_intent(intent, lexicon)
    return contradiction.contradicts(Text(text, lexicon), People(actor, others, lexicon), meant, attained)


def crosses(text: str, lines: Iterable[str], language: str = "en") -> str | None:
    """The line that is touched."""
    lexicon = load(language)
    return Lines(lines, lexicon).crossed_by(Text(text, lexicon))


def not_an_aspect(name: str, names: Iterable[str], language: str = "en") -> str | None:
    """Why a name is none."""
    lexicon = load(language)
    text = Text(name, lexicon)
    return aspect_name.not_an_aspect(text, SceneNames(names, lexicon), tuple(mechanics.stated_in(text)))


def key(text: str) -> tuple[str, ...]:
    """What is left of a wording when it is compared with others."""
    return Text(text, load("en")).key


def code_of(row: dict[str, Any]) -> str | None:
    """The code that a labelled sentence is refused with, None where it passes.

    Args:
        row: `text`, `field`, `language`, `actor`, `others`, `intent`, `goal`, `lines`, as in `tests/corpus`.
    """
    text, language = row["text"], row["language"]
    if unsafe(text) is not None:
        return "unsafe_text"
    if row["field"] == "name" and not_an_aspect(text, [row["actor"], *row["others"]], language) is not None:
        return "not_an_aspect"
    if states_mechanic(text, language) is not None:
        return "mechanics_in_text"
    if row["goal"] is not None and contradicts(
        text, row["actor"], row["goal"] == "attained", language, others=row["others"], intent=row["intent"]
    ):
        return "contradicts_outcome"
    return "over_the_line" if crosses(text, row["lines"], language) is not None else None


Texts = Annotated[tuple[str, ...], LIST]
Pairs = Annotated[tuple[Annotated[tuple[str, str], LIST], ...], LIST]


class Outcomes(Model):
    """What is said of one intent of Cynere's: `corpus/README.md` says what each is."""

    intent: str = ""
    others: Texts = ()
    missed: Texts = ()
    stands: Texts = ()
    reached: Texts = ()
    not_reached: Texts = ()


class Aspects(Model):
    """Names that are aspects, and others, each with a word of the reason."""

    good: Texts = ()
    bad: Pairs = ()


class Touching(Model):
    """Texts, each with a line that it touches, or does not."""

    touched: Pairs = ()
    untouched: Pairs = ()


class Certain(Model):
    """A file of `tests/corpus/certain`, of one language."""

    mechanics: Texts
    fiction: Texts
    aspects: Aspects = Aspects()
    lines: Touching = Touching()
    outcomes: Annotated[tuple[Outcomes, ...], LIST] = ()


FOLDER = Path(__file__).parents[1] / "corpus" / "certain"
CERTAIN = {
    path.stem: read_toml(Certain, path.read_text("utf-8"), f"tests/corpus/certain/{path.name}", "bad_request")
    for path in sorted(FOLDER.glob("*.toml"))
}
