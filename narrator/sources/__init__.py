"""Sources of words, one file each; none is imported before it is asked for."""
