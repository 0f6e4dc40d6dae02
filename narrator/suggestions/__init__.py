"""Words for what the rules found: what to ask for, how to read the answer, and the deck that always has one."""
