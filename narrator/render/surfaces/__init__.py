"""The surfaces, which write an answer. Each module here is one, with a function `write(answered, out)`."""

from importlib import import_module
from pkgutil import iter_modules
from typing import TextIO

from narrator.render.view import Answered

USUAL_SURFACE = "page"


def surfaces() -> list[str]:
    """Name all surfaces, sorted."""
    return sorted(each.name for each in iter_modules(__path__) if not each.name.startswith("_"))


def about(name: str) -> str:
    """Return the first line of a surface's docstring."""
    return (import_module(f"{__name__}.{name}").__doc__ or "").strip().partition("\n")[0]


def is_for_programs(name: str) -> bool:
    """Whether programs read this surface, so that it also gets refusals. Its module says so."""
    return getattr(import_module(f"{__name__}.{name}"), "FOR_PROGRAMS", False)


def write(name: str, answered: Answered, out: TextIO) -> None:
    """Write an answer on the surface of that name."""
    import_module(f"{__name__}.{name}").write(answered, out)
