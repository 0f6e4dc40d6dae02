"""Moves: what happens at a table between rolls. Each model describes one move and applies it to the scene."""
