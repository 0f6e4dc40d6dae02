"""The deck: words that need no model, dealt by what is done and where, and filled with the scene's own names."""
