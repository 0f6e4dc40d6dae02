"""Ways in: thin, with no rule and no wording in them."""
