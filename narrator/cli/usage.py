"""What is wrong with how a command was typed, as far from the library of the command line as macros are."""


class UsageError(Exception):
    """The command itself is wrong, and not what it was asked."""

    def __init__(self, message: str, option: str | None = None) -> None:
        super().__init__(message)
        self.message, self.option = message, option
