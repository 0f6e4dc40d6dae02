"""The request: an action, who and what is there, and in which language words are wanted."""
