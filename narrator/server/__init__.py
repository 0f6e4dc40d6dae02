"""The server: the page, calls and campaigns over HTTP, for this machine alone by default."""
