"""The browser, and tables in it."""

from tests.page.tapping import chromium, opening

__all__ = ["chromium", "opening"]
