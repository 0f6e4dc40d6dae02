"""What the rules found, for people: words and labels for every surface, and one renderer each, which escapes for it."""
