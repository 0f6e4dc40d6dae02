"""The time of a call: its clock, threads for blocking work, and the event loop of blocking calls."""
