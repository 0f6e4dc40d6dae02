"""Words as they are read: a text cut once, folded, and known by what the lexicon of its language says of each word."""
