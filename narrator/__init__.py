"""Words for Fate: the rules decide each action, a language model only words, a validator checks every word.

`__init__.pyi` lists the public names and their modules. Each is loaded when it is first used.
`narrator.vtt.run` is the entry for macros.
"""

import os
import re
from importlib import import_module

__version__ = "0.1.0"


def _places() -> dict[str, str]:
    """Read the module of each public name."""
    with open(os.path.join(os.path.dirname(__file__), "__init__.pyi"), encoding="utf-8") as file:
        imports = re.findall(r"^from (\S+) import (\([^)]*\)|.*)$", file.read(), re.MULTILINE)
    return {name: module for module, names in imports for name in re.findall(r"(\w+) as ", names)}


_PLACES = _places()

__all__ = sorted(_PLACES)  # noqa: PLE0605  (type checkers have the names of the other file)


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    place = _PLACES[name]
    value = import_module(f"{place}.{name}") if place == __name__ else getattr(import_module(place), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACES})
