"""The kinds of sources. Each module here is a kind, named like the module.

A module has a docstring, whose first line the reference shows, and `source`, which makes a source of `Settings` without
asking a server. `BASE_URL` is optional: the address to use if the settings have none.
"""

from importlib import import_module
from pkgutil import iter_modules

from narrator.errors import RequestError
from narrator.sources.settings import OPENAI, Settings
from narrator.suggestions.source.protocol import Source

USUAL_KIND = "openai"


def kinds() -> list[str]:
    """List the names of all kinds, sorted."""
    return sorted(each.name for each in iter_modules(__path__) if not each.name.startswith("_"))


def about(name: str) -> str:
    """Describe a kind: the first line of its module's docstring."""
    return (import_module(f"{__name__}.{name}").__doc__ or "").strip().partition("\n")[0]


def address(name: str) -> str:
    """Return the default address of a kind. An unknown kind is refused."""
    if name not in kinds():
        # It is not repeated: it may be a key.
        raise RequestError("bad_request", "kind", "there is no such kind of source", kinds())
    return str(getattr(import_module(f"{__name__}.{name}"), "BASE_URL", OPENAI))


def make(name: str, settings: Settings) -> Source:
    """Make a source of a kind."""
    made: Source = import_module(f"{__name__}.{name}").source(settings)
    return made
