"""Sources side by side: the same requests put to each, what came of it, and blind grades."""
