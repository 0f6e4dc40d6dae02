"""The command line: what was typed becomes a call, and what a call gives a view."""
