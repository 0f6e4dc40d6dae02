"""`python -m narrator` is the command line."""

from narrator.cli.main import main

main()
