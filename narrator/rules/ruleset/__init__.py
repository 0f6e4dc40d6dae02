"""Rulesets: what a file of TOML may say, how it is loaded and checked, and what is found in it."""
