"""What writes words: what it must be able to do, and one way to ask it."""
