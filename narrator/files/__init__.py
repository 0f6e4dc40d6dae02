"""Writes files safely: whole or not at all, or line by line for the journals of long runs."""
