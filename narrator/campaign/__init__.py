"""Campaigns: the one place that keeps scenes: each page and what was written, in a database that is one file."""
