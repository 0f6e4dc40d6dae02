"""Text as the check reads it: split into tokens, folded, and looked up in the lexicon of its language."""
