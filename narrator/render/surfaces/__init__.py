"""The ways to write an answer: each module here is one, with its name, and a function `write(answered, out)`."""

from importlib import import_module
from pkgutil import iter_modules
from typing import TextIO

from narrator.render.view import Answered

USUAL_SURFACE = "page"


def surfaces() -> list[str]:
    """Name every surface there is, sorted."""
    return sorted(each.name for each in iter_modules(__path__) if not each.name.startswith("_"))


def about(name: str) -> str:
    """Say in one line what a surface is: the first of its module's docstring."""
    return (import_module(f"{__name__}.{name}").__doc__ or "").strip().partition("\n")[0]


def is_for_programs(name: str) -> bool:
    """Whether a program reads what a surface writes, and so finds a refusal there too: its module says so."""
    return getattr(import_module(f"{__name__}.{name}"), "FOR_PROGRAMS", False)


def write(name: str, answered: Answered, out: TextIO) -> None:
    """Write an answer on the surface of that name."""
    import_module(f"{__name__}.{name}").write(answered, out)
