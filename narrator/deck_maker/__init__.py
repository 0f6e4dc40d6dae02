"""A deck for one's own campaign: cards that a model writes by the GM's notes, and the review of any deck's cards."""
