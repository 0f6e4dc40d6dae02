"""Finds words for an outcome: what to ask for, how to read the answer, and when to use the deck."""
