"""Benchmarks: each module measures one thing and prints a small table; `python -m benchmarks` runs them all."""
