"""Finds the folders that are shipped with the package but stand beside it in the source tree."""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def shipped(folder: str, name: str) -> Traversable:
    """
    Find a file of `prompts` or `examples`: in the source tree where this is one, else in the wheel.

    An editable install leaves a stale copy beside the installed packages, so the source tree goes first.
    """
    package = files("narrator")
    source_tree = Path(str(package)).parent
    is_source_tree = (source_tree / "pyproject.toml").is_file() and (source_tree / folder).is_dir()
    return (source_tree if is_source_tree else package) / folder / name


@cache
def page(name: str) -> str:
    """
    Read the prompt page of this name, such as "system" or "boost": plain text, in which nothing is filled in.
    """
    return shipped("prompts", f"{name}.md").read_text("utf-8").strip()
