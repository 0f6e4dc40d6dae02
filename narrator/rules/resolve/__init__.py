"""Turns a request into its ruling: the people, the roll, the opposition, the outcome, and its row of the table."""
