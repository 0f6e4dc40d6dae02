"""What a call that finds words may take: seconds, and how often a source is asked again."""

TIMEOUT = 20.0
"""Seconds for a whole call, where it says nothing else."""

LONGEST_TIMEOUT = 3_600

REPAIRS = 1
"""How often a source is asked again for what is missing, where a call says nothing else."""

MOST_REPAIRS = 10
