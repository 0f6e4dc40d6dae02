"""The ladder: ratings and their names (Fate Core SRD, "The Ladder")."""

NAMES = ("Terrible", "Poor", "Mediocre", "Average", "Fair", "Good", "Great", "Superb", "Fantastic", "Epic", "Legendary")
LOWEST = -2
AVERAGE = 1
"""The difficulty if nothing stands out ("How Hard Should Skill Rolls Be?")."""
HIGHEST = LOWEST + len(NAMES) - 1


def name(rating: int) -> str:
    """Return the ladder's name for a rating, in ASCII even beyond its ends.

    >>> name(2), name(9), name(-3)
    ('Fair', 'Legendary+1', 'Terrible-1')
    """
    if rating > HIGHEST:
        return f"{NAMES[-1]}+{rating - HIGHEST}"
    if rating < LOWEST:
        return f"{NAMES[0]}{rating - LOWEST}"
    return NAMES[rating - LOWEST]
