"""The rules: pure functions from a request to its resolution. No clock, no environment, no model, no chance."""
