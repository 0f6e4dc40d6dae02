"""Reads one typed line into a request, a move or a choice."""
