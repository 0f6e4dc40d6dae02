"""Moves: what each refuses, what each does, and whole evenings of them."""
