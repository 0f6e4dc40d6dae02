"""Staging: cards that a model writes for a scene before anybody rolls, and that come first."""
