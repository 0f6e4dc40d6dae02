"""Sources of words, such as a model server; each is imported when it is first used."""
