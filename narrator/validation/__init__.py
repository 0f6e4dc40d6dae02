"""The check: judges suggestions before they reach a table."""
