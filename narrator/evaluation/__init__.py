"""Compares sources of words: asks each for the same requests, counts the results, collects blind grades."""
