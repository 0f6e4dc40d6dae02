"""What the rules found, for people: words, lines of a page, and surfaces that write them and escape for themselves."""
