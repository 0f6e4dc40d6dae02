"""The time of a call: its clock, the threads for what blocks, and the loop on which calls wait."""
