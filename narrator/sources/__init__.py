"""Sources of words, and what they are made of; none is imported before it is asked for."""
