"""Rulesets: how TOML files declare them, and how they are loaded, checked and searched."""
