"""How an answer is written: one surface a module."""
