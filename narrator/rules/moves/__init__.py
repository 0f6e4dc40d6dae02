"""Moves: what happens at a table between rolls. Each is a model of what is told, which writes it into the scene."""
