"""The pipeline: what is wanted, what comes, what is taken of it, and the answer; nothing waits in it."""
