"""Words that need no model: cards, dealt by what is done and where, and filled with the scene's own names."""
