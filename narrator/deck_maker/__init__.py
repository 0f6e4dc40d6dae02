"""Makes a deck from a GM's notes with a model, and reviews the cards of any deck."""
