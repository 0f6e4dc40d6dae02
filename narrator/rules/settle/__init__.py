"""Applies the table's choice to the scene."""
