"""From a request to its ruling: who is there, the roll, what opposes it, the outcome, and what its row gives."""
