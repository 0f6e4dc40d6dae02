"""From what the table chose of a ruling to the scene after it."""
