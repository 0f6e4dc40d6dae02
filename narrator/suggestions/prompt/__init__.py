"""The request to a source: as data, as chat messages, and as the schema of its answer."""
