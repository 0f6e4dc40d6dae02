"""The pipeline: asks for suggestions, judges them, and makes the answer. It never waits."""
