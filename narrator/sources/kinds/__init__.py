"""The kinds of sources that a name may stand for: each module here is one, with its name, and `source(settings)`.

What a module says of itself: its docstring, whose first line the reference shows; `source`, which makes a source of
`Settings`, and asks nobody yet; and, where a server of its own is asked when no address is named, `BASE_URL`.
"""

from importlib import import_module
from pkgutil import iter_modules

from narrator.errors import RequestError
from narrator.sources.settings import OPENAI, Settings
from narrator.suggestions.source.protocol import Source

USUAL_KIND = "openai"


def kinds() -> list[str]:
    """Name every kind there is, sorted."""
    return sorted(each.name for each in iter_modules(__path__) if not each.name.startswith("_"))


def about(name: str) -> str:
    """Say in one line what a kind is: the first of its module's docstring."""
    return (import_module(f"{__name__}.{name}").__doc__ or "").strip().partition("\n")[0]


def address(name: str) -> str:
    """Return where a kind asks when nobody names an address; a kind that there is not is refused."""
    if name not in kinds():
        # It is not repeated: what stands there may be a key.
        raise RequestError("bad_request", "kind", "there is no such kind of source", kinds())
    return str(getattr(import_module(f"{__name__}.{name}"), "BASE_URL", OPENAI))


def make(name: str, settings: Settings) -> Source:
    """Make a source of that kind."""
    made: Source = import_module(f"{__name__}.{name}").source(settings)
    return made
