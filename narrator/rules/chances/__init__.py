"""The chances of a roll, exact, and the rows that it may lead to."""
