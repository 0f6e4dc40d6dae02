"""What the rules found, for people: phrases, lines of a view, and surfaces that write and escape them."""
