"""`python -m narrator` is the command line."""

from narrator.interfaces.cli import main

main()
