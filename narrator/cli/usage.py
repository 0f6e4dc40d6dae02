"""The error for wrong usage of a command. It doesn't import the command line's library, for macros."""


class UsageError(Exception):
    """The command was typed wrongly. Its request isn't at fault."""

    def __init__(self, message: str, option: str | None = None) -> None:
        super().__init__(message)
        self.message, self.option = message, option
