"""The command line: makes a call of what was typed, and shows what the call gives."""
