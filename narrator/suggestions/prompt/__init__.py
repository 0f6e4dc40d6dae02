"""What a source is asked for: as data, as chat messages, and as the schema of its answer."""
