"""Shows what the rules found: phrases, lines of a view, and surfaces that write and escape them."""
