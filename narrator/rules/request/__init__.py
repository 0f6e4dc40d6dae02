"""The request: an action and the scene in which it happens."""
