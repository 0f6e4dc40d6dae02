"""One line as people type it: read word by word into a request, a move or a choice."""
