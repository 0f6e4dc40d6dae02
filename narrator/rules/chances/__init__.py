"""The exact chances of a roll, and the rows it may lead to."""
